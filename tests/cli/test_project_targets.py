"""Folders, patterns and databases as targets: which files they stand for, and what one bad file costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tightrope.cli import main, show
from tightrope.command_line.arguments import read_options
from tightrope.commands.generate.generate import generate
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.report.as_rows import RowPrinter
from tightrope.report.model import UnitReport
from tightrope.running.session import session_folder
from tightrope.units import select_functions
from tightrope.units.output_stems import output_stems
from tightrope.units.target_files import expand_targets

GET = "int get(int a) { if (a > 3) return 1; return 0; }\n"
WRITTEN = "/* Written by Tightrope: tests of `get` in util.c. Generating again replaces this file. */\n"
PROJECT = {
    "src/can/util.c": GET,
    "src/lin/util.c": GET.replace(">", "<"),
    "src/data.c": "int table[3];\n",
    "src/.hidden/x.c": GET,
    "src/legacy/old.c": "int old(void) { return 1; }\n",
    "src/util_test.c": "int check(void) { return 1; }\n",
    "build/gen.c": GET,
    "tests/test_util.c": WRITTEN,
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*names: str, **options: object) -> list[str]:
    targets = tuple(Target(Path(name)) for name in names)
    return [str(each.file) for each in expand_targets(Options(targets, **options)).targets]  # type: ignore[arg-type]


EVERY = ["src/can/util.c", "src/data.c", "src/legacy/old.c", "src/lin/util.c", "src/util_test.c"]


@pytest.mark.parametrize(
    ("names", "exclude", "expected"),
    [
        (["."], (), EVERY),
        (["src"], (), EVERY),
        (["src"], ("legacy", "*_test.c", "data.c"), ["src/can/util.c", "src/lin/util.c"]),
        (["src"], ("src/l*",), ["src/can/util.c", "src/data.c", "src/util_test.c"]),
        (["src"], ("./src/can/",), EVERY[1:]),
        (["src/*/util.c"], (), ["src/can/util.c", "src/lin/util.c"]),
        (["src/can/util.c", "src/*/util.c"], ("can",), ["src/can/util.c", "src/lin/util.c"]),
        (["src/**/o*.c"], (), ["src/legacy/old.c"]),
    ],
)
def test_files_of_folders_and_patterns(project, names, exclude, expected) -> None:
    assert found(*names, exclude=exclude) == expected


def write_database(project: Path, *files: str) -> Path:
    entries = [{"directory": str(project), "file": name, "command": f"cc -DLIMIT=2 -c {name}"} for name in files]
    path = project / "build" / "compile_commands.json"
    path.write_text(json.dumps(entries))
    return path


def test_the_database_says_which_files_belong_to_the_project(project, capsys) -> None:
    write_database(project, "src/can/util.c", "src/data.c", "build/gen.c")
    assert found("src") == ["src/can/util.c", "src/data.c"]
    assert "build/compile_commands.json does not compile 3 C files below src" in capsys.readouterr().err
    assert found("build/compile_commands.json") == ["src/can/util.c", "src/data.c", "build/gen.c"]


def test_without_files_nothing_starts(project, capsys) -> None:
    assert main(["generate", "tests"]) == 5
    assert "there is no C file to test" in capsys.readouterr().err


def test_tests_are_not_written_into_the_sources(project, capsys) -> None:
    """The folder for tests is left out, and with it all that could be tested."""
    assert main(["generate", ".", "-o", "src"]) == 5
    assert "the folder for tests, src, is left out: name another one with -o" in capsys.readouterr().err


def test_a_function_behind_a_folder_is_refused(project, capsys) -> None:
    assert main(["generate", "src:get"]) == 2
    assert "src is a folder" in capsys.readouterr().err


def test_names_that_two_files_share(tmp_path) -> None:
    files = [Path("/p/can/util.c"), Path("/p/lin/util.c"), Path("/p/a/lin/util.c"), Path("/p/door.c")]
    assert list(output_stems(files, tmp_path).values()) == ["can_util", "p_lin_util", "a_lin_util", "door"]


def test_tests_of_a_later_command_do_not_replace_those_of_a_file_with_the_same_name(project) -> None:
    for name in ("src/can", "src/lin", "src/can/util.c", "src"):
        assert main(["generate", name, "--exclude", "legacy", "-o", "out", "-c", "branch", "-q"]) == 0
    assert {each.name for each in (project / "out").iterdir()} == {"test_util_get.c", "test_lin_util_get.c"}
    assert '#include "../src/can/util.c"' in (project / "out/test_util_get.c").read_text()
    assert '#include "../src/lin/util.c"' in (project / "out/test_lin_util_get.c").read_text()


def test_names_of_tests_that_file_and_function_make_together(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "can.c").write_text("int rx_init(int a) { return a > 3; }\n")
    (tmp_path / "can_rx.c").write_text("int init(int b) { return b == 7; }\n")
    assert main(["generate", "can.c", "can_rx.c", "--quiet", "--max-runs", "20", "--jobs", "2"]) == 0
    written = {file.name: file.read_text() for file in Path("tightrope-tests").glob("*.c")}
    assert sorted(written) == ["test_can_rx_c_init.c", "test_can_rx_init.c"]
    assert "tests of `rx_init` in can.c" in written["test_can_rx_init.c"].replace("../", "")
    assert "tests of `init` in" in written["test_can_rx_c_init.c"]


def test_a_file_that_does_not_compile_is_a_row(project, capsys) -> None:
    (project / "src/bad.c").write_text("int bad( { x\n")
    words = ["generate", "src", "--exclude", "legacy", "-o", "out", "--json", "report.json", "-c", "branch"]
    assert main(words) == 4
    printed = capsys.readouterr().out
    assert "    src/bad.c: it does not compile: src/bad.c:1:10: expected parameter declarator\n" in printed
    assert "3 functions; 1 file not compiled" in printed
    units = json.loads((project / "report.json").read_text())["units"]
    assert [(unit["file"], unit["function"]) for unit in units] == [
        ("src/can/util.c", "get"),
        ("src/lin/util.c", "get"),
        ("src/util_test.c", "check"),
        ("src/bad.c", ""),
    ]
    names = {"test_can_util_get.c", "test_lin_util_get.c"}
    assert {each.name for each in (project / "out").iterdir()} == names
    measured = ["measure", "src", "--exclude", "legacy", "--suite", "out", "-c", "branch", "--fail-under", "100"]
    assert main(measured) == 1
    assert "1 file or function was not tested (src/bad.c)" in capsys.readouterr().err
    assert main([*measured, "--allow-refused"]) == 0


def test_many_functions_are_a_line_each_as_soon_as_they_are_done(project, capsys) -> None:
    """20 functions print little more than 20 lines. When a line is printed, the tests of the next function are not yet
    written."""
    bodies = (f"int f{number}(int a) {{ return a > {number} ? 1 : 0; }}\n" for number in range(1, 21))
    (project / "many.c").write_text("".join(bodies))
    options = read_options(["generate", "many.c", "-o", "out", "-c", "branch", "--no-confirm", "--no-cache"])
    rows, written = RowPrinter(), []

    def listen(unit: UnitReport, total: int) -> None:
        rows.show(unit, total)
        written.append(len(list((project / "out").iterdir())))

    with session_folder():
        assert show(generate(options, listen), options, rows) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert written == list(range(1, 21))
    assert sum(line.startswith("[") for line in lines) == 20 and len(lines) <= 25
    assert lines[0].startswith("[ 1/20] many.c:f1  branch 2/2  2 tests  ")
    assert lines[21].startswith("20 functions   ") and lines[21].endswith(" s")
    assert lines[22:] == ["  branch  40/40 covered (100%)", "  40 tests in out"]
    assert printed.err == ""


def test_relative_flags_start_where_the_user_is(project, capsys) -> None:
    (project / "inc").mkdir()
    (project / "inc/limit.h").write_text("#define MORE 4\n")
    (project / "src/door.c").write_text('#include "limit.h"\nint door(int a) { return a > LIMIT + MORE; }\n')
    path = project / "build" / "compile_commands.json"
    command = "cc -DLIMIT=2 -c ../src/door.c"
    path.write_text(json.dumps([{"directory": str(project / "build"), "file": "../src/door.c", "command": command}]))
    assert main(["objectives", "src/door.c", "-p", "build", "--", "-Iinc"]) == 0
    assert "a > 2 + 4" in capsys.readouterr().out.replace("LIMIT", "2").replace("MORE", "4")


def test_a_file_that_we_fail_to_read_is_a_row_and_costs_no_other(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read = select_functions.prepare_file

    def fail(compiler: Any, path: Path, *rest: Any) -> Any:
        if path.name == "old.c":
            raise KeyError("a table")
        return read(compiler, path, *rest)

    monkeypatch.setattr(select_functions, "prepare_file", fail)
    report = generate(Options((Target(Path("src")),), output=tmp_path / "out", max_runs=20))
    rows = {Path(unit.file).name: unit for unit in report.units}
    assert rows["old.c"].has_failed and "KeyError: 'a table'" in rows["old.c"].stop_reason
    assert not rows["util.c"].was_refused


@pytest.mark.parametrize(
    ("command", "is_said"),
    [
        ("objectives .", False),
        ("generate . -c branch -v", True),
        ("objectives loop.c", True),
        ("objectives loop.c -q", False),
    ],
)
def test_what_the_compiler_warns_of_is_for_one_file(
    command: str, is_said: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A project builds with hundreds of warnings, which would hide what is said about its functions."""
    (tmp_path / "loop.c").write_text("int first(int a) { if (a = 3) return 1; return 0; }\n")
    (tmp_path / "old.c").write_text("int old(int a) { return a > 1; }\n")
    monkeypatch.chdir(tmp_path)
    assert main(command.split()) == 0
    assert ("-Wparentheses" in capfd.readouterr().err) is is_said
