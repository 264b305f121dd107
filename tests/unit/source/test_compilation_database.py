import json
from pathlib import Path

import pytest

from tightrope.errors import NothingMatchedError, TightropeError, UsageError
from tightrope.source.compilation_database import read_database


def write(folder: Path, entries: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return folder


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    file = tmp_path / "x.c"
    file.write_text("int x;")
    return file


def test_bear(tmp_path: Path, unit: Path):
    """bear 3.1: `arguments`, absolute `file`, `output`."""
    words = ["/usr/bin/gcc", "-c", '-DNAME="a b"', "-O2", "-o", "x.o", "x.c"]
    entry = {"arguments": words, "directory": str(tmp_path), "file": str(unit), "output": str(tmp_path / "x.o")}
    (command,) = read_database(write(tmp_path, [entry])).find(unit)
    assert command.directory == tmp_path
    assert command.flags.kept == ('-DNAME="a b"',)


def test_cmake(tmp_path: Path, unit: Path):
    """CMake: `command` quoted for a shell, absolute `file`."""
    line = f'/usr/bin/cc -DNAME=\\"a\\" -I{tmp_path}/inc -g -std=gnu11 -o CMakeFiles/x.dir/x.c.o -c {unit}'
    build = write(tmp_path / "build", [{"directory": str(tmp_path / "build"), "command": line, "file": str(unit)}])
    (command,) = read_database(build).find(unit)
    assert command.flags.kept == ('-DNAME="a"', f"-I{tmp_path}/inc", "-std=gnu11")


def test_meson(tmp_path: Path, unit: Path):
    """Meson: `file` relative to `directory`, dependency files, a launcher."""
    line = "ccache cc -Ix.p -I.. -fdiagnostics-color=always -Wall -O0 -g -MD -MQ x.o -MF x.o.d -o x.o -c ../x.c"
    build = write(tmp_path / "build", [{"directory": str(tmp_path / "build"), "command": line, "file": "../x.c"}])
    (command,) = read_database(build).find(unit)
    assert command.file == unit
    assert command.flags.kept == ("-Ix.p", "-I..")


def test_all_entries_of_a_file_in_order_and_through_a_link(tmp_path: Path, unit: Path):
    entry = {"directory": ".", "file": "x.c"}
    database = read_database(write(tmp_path, [{**entry, "command": f"cc -DN={n} -c x.c"} for n in (1, 2)]))
    assert [each.flags.kept for each in database.find(unit)] == [("-DN=1",), ("-DN=2",)]
    (tmp_path / "other").symlink_to(tmp_path)
    assert len(database.find(tmp_path / "other" / "x.c")) == 2


def test_a_file_that_is_not_compiled(tmp_path: Path, unit: Path):
    database = read_database(write(tmp_path, [{"directory": "sub", "file": "x.c", "command": "cc -c x.c"}]))
    with pytest.raises(NothingMatchedError, match=r"has no entry for (.|\n)*sub/x\.c"):
        database.find(unit)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", r"compile_commands\.json:1:2: not valid JSON"),
        ({}, "must be a list"),
        ([3], "entry 1 is not an object"),
        ([{"command": "cc"}], "entry 1 has no `file`"),
        ([{"file": "x.c"}], r"entry 1 has no `command` \(nor `arguments`\)"),
        ([{"file": "x.c", "arguments": "cc x.c"}], "not a list of strings"),
        ([{"file": "x.c", "command": "cc 'x"}], "No closing quotation"),
    ],
)
def test_a_broken_database(tmp_path: Path, content: object, complaint: str):
    with pytest.raises(UsageError, match=complaint):
        read_database(write(tmp_path, content))


def test_no_database(tmp_path: Path):
    with pytest.raises(TightropeError, match=r"there is no .*compile_commands\.json"):
        read_database(tmp_path)
