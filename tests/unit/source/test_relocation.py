"""Flags and databases of one version, written for another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope.source.compilation_database import CompilationDatabase, CompileCommand
from tightrope.source.relocation import Relocation, relocate_flags, write_database


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("home/include", "home/made", "home/lib", "copy/include"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("home/x.c", "home/gone.c", "home/made.c", "home/config.h", "home/z.o", "copy/x.c", "copy/config.h"):
        (tmp_path / name).write_text("")
    return tmp_path / "home"


CASES = [
    ("-Iinclude", "-ICOPY/include -idirafter HOME/include"),
    ("-I include", "-I COPY/include -idirafter HOME/include"),
    ("-isystem include -Imade", "-isystem COPY/include -IHOME/made -idirafter HOME/include"),
    ("-include config.h", "-include COPY/config.h"),
    ("-include found_along_I.h", "-include found_along_I.h"),
    ("-Lnowhere -Llib -lm z.o", "-Lnowhere -LHOME/lib -lm HOME/z.o"),
    ("-DX=include include -O2", "-DX=include include -O2"),
    ("-I/usr -IHOME/include", "-I/usr -ICOPY/include -idirafter HOME/include"),
    ("-DX -I", "-DX -I"),
]


@pytest.mark.parametrize(("flags", "expected"), CASES)
def test_paths_lead_to_the_other_version_where_it_has_them(flags: str, expected: str, home: Path) -> None:
    def fill(text: str) -> list[str]:
        return text.replace("HOME", str(home)).replace("COPY", str(home.parent / "copy")).split(" ")

    where = Relocation(home, home.parent / "copy")
    assert list(relocate_flags(fill(flags), home, where)) == fill(expected)


def test_what_the_other_version_does_not_have_is_left_out(home: Path) -> None:
    """Except what is no part of a version, such as a file that the build makes."""
    where = Relocation(home, home.parent / "copy", versioned=frozenset({"x.c", "gone.c"}))
    names = ("x.c", "gone.c", "made.c")
    database = CompilationDatabase(
        home / "compile_commands.json",
        tuple(CompileCommand(home / name, home, ("-Iinclude", "-O2", "-m32", "-c", name)) for name in names),
    )
    path = write_database(database, where, home.parent / "databases")
    first, second = json.loads(path.read_text())
    assert (first["file"], second["file"]) == (str(home.parent / "copy" / "x.c"), str(home / "made.c"))
    assert first["directory"] == str(home.parent / "copy")
    assert first["arguments"][1] == f"-I{home.parent / 'copy' / 'include'}"
    assert "-m32" in first["arguments"] and "-O2" not in first["arguments"]
    assert write_database(database, where, home.parent / "databases") == path


def test_a_file_with_another_name(home: Path) -> None:
    before = home.parent / "copy" / "x.c"
    where = Relocation(files={home / "gone.c": before})
    assert where.find(home / "gone.c") == before
    assert where.find(home / "x.c") is None
    assert not where.lacks(home / "x.c")
    assert where.prefix_maps == (f"-fmacro-prefix-map={before}={home / 'gone.c'}",)
