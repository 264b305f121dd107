"""A second run over unchanged code searches nothing, and gives the same report; whatever changed is tested again."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tightrope.cli import main
from tightrope.commands.generate import generate as generate_module
from tightrope.commands.generate.known_results import START, KnownResults
from tightrope.commands.generate.old_results import OldResult
from tightrope.commands.generate.pipeline import BRIEF
from tightrope.options.options import Options
from tightrope.report.model import UNCHANGED
from tightrope.search.budget import StopReason
from tightrope.source.toolchain import find_compiler
from tightrope.units.file_state import FileStates

DOOR = '#include "limits.h"\nint step(int a)\n{\n    return a > LIMIT ? 1 : other(a);\n}\nint open(int b) { return b == 2; }\n'
OTHER = "int other(int a) { return a == 7 ? 5 : 6; }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "limits.h").write_text("#define LIMIT 10\nint other(int);\n")
    (tmp_path / "door.c").write_text(DOOR)
    (tmp_path / "other.c").write_text(OTHER)
    names = ["door.c", "other.c"]
    entries = [{"directory": str(tmp_path), "file": name, "command": f"cc -c {name}"} for name in names]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TIGHTROPE_CACHE")
    return tmp_path


def generate(*words: str) -> dict[str, dict[str, object]]:
    assert main(["generate", ".", "-c", "branch", "-q", "-o", "out", "--json", "report.json", *words]) == 0
    units = json.loads(Path("report.json").read_text())["units"]
    return {f"{unit['file']}:{unit['function']}": unit for unit in units}


def known(units: dict[str, dict[str, object]]) -> set[str]:
    return {name.split(":")[1] for name, unit in units.items() if UNCHANGED in unit["notes"]}  # type: ignore[operator]


def verdicts(unit: dict[str, object]) -> list[str]:
    return [each["verdict"] for each in unit["objectives"]]  # type: ignore[attr-defined]


def without_note(unit: dict[str, object]) -> dict[str, object]:
    """As it was found: from the store, all tests were there before."""
    notes = [note for note in unit["notes"] if note != UNCHANGED]  # type: ignore[attr-defined]
    tests = [{**test, "is_kept": False, "suite": ""} for test in unit["tests"]]  # type: ignore[attr-defined]
    return {**unit, "notes": notes, "tests": tests}


def test_an_entry_that_does_not_compile_costs_only_itself(project) -> None:
    """CMake writes such for libraries that nobody builds: without the folders of headers."""
    (project / "inc").mkdir()
    (project / "limits.h").rename(project / "inc" / "bounds.h")
    (project / "door.c").write_text(DOOR.replace("limits.h", "bounds.h"))
    words = ["cc -DEARLY -c door.c", "cc -Iinc -c door.c"]
    entries = [{"directory": str(project), "file": "door.c", "command": each} for each in words]
    (project / "compile_commands.json").write_text(json.dumps(entries))
    assert known(generate("--exclude", "other.c")) == set()
    assert known(generate("--exclude", "other.c")) == {"step", "open"}
    (project / "bounds.h").write_text("#define LIMIT 3\nint other(int);\n")  # now the first entry works
    assert known(generate("--exclude", "other.c")) == set()
    assert known(generate("--exclude", "other.c")) == {"step", "open"}


def test_only_what_changed_is_tested_again(project) -> None:
    first = generate()
    assert known(first) == set()
    assert (project / ".tightrope/.gitignore").read_text() == "*\n"

    second = generate()
    assert known(second) == {"step", "open", "other"}
    assert {name: without_note(unit) for name, unit in second.items()} == first

    (project / "other.c").write_text(OTHER.replace("7", "8"))  # step is linked with it
    third = generate()
    assert known(third) == {"open"}
    assert "8" in str(third["other.c:other"]["tests"])

    (project / "limits.h").write_text("#define LIMIT 11\nint other(int);\n")
    assert known(generate()) == {"other", "open"}


def test_another_folder_is_the_one_that_the_report_names(project) -> None:
    generate()
    assert main(["generate", "other.c", "-c", "branch", "-q", "-o", "beside", "--json", "report.json"]) == 0
    (unit,) = json.loads(Path("report.json").read_text())["units"]
    assert unit["written"] == ["beside/test_other.c"]


@pytest.mark.parametrize("words", [["--seed", "3"], ["--time-limit", "20"], ["--cache", "elsewhere"], ["--no-cache"]])
def test_other_options_are_other_results(project, words) -> None:
    generate()
    assert known(generate(*words)) == set()
    assert known(generate("--jobs", "2")) == {"step", "open", "other"}


def test_tests_that_were_removed_are_written_again(project) -> None:
    generate()
    file = project / "out/test_other.c"
    text = file.read_text()
    file.unlink()
    assert known(generate()) == {"step", "open", "other"}
    assert file.read_text() == text


def test_what_is_taken_from_the_store_is_not_kept_again(project) -> None:
    generate()
    notes = [unit["notes"] for _ in range(2) for unit in generate().values()]
    assert all(list(each).count(UNCHANGED) == 1 for each in notes)  # type: ignore[call-overload]


@pytest.mark.parametrize("words", [["--build", "make,cmake"], ["--format", "testcomp"], ["--format", "json,unity"]])
def test_all_that_is_written_is_there_again(project, words) -> None:
    first = generate(*words)
    files = {each: each.read_bytes() for each in sorted((project / "out").rglob("*")) if each.is_file()}
    assert known(generate(*words)) == {unit.split(":")[1] for unit in first}
    shutil.rmtree(project / "out")
    generate(*words)
    assert {each: each.read_bytes() for each in sorted((project / "out").rglob("*")) if each.is_file()} == files


LOCKED = """\
int locked(const unsigned char *key, int n)
{
    if (n < 4) return 0;
    if (key[0] * 7 + key[1] == 541 && (key[1] ^ key[2]) == 77 && key[2] * key[3] == 35) return 1;
    return 2;
}
"""


def test_a_changed_function_starts_from_its_old_inputs(project, monkeypatch) -> None:
    """A seed costs a run; the search does not need to find it again."""
    (project / "other.c").write_text(LOCKED)
    tests = generate("--exclude", "door.c")["other.c:locked"]["tests"]
    (project / "other.c").write_text(LOCKED.replace("return 2", "return 3"))
    taken = []
    inputs_for = OldResult.inputs_for
    monkeypatch.setattr(OldResult, "inputs_for", lambda old, shape: taken.append(old) or inputs_for(old, shape))
    unit = generate("--exclude", "door.c")["other.c:locked"]
    assert [list(old.inputs) for old in taken] == [[test["inputs"] for test in tests]]  # type: ignore[attr-defined]
    assert {each["verdict"] for each in unit["objectives"]} == {"covered"}  # type: ignore[attr-defined]


def test_old_inputs_are_run_first(project, monkeypatch) -> None:
    (project / "other.c").write_text("int f(unsigned a) { if (a * a == 1522756u) return 1; return 0; }\n")
    monkeypatch.setattr(KnownResults, "old_result", lambda known, job: OldResult(({"a": 1234, "gone": 1},)))
    unit = generate("--exclude", "door.c", "--max-runs", "1")["other.c:f"]
    assert [each["verdict"] for each in unit["objectives"]] == ["covered", "unknown"]  # type: ignore[attr-defined]


def test_a_store_from_before_the_time_of_a_search_was_kept(project, monkeypatch) -> None:
    """It has inputs alone. The search then starts as if nothing were known."""
    put = KnownResults._put

    def put_as_before(known, kind, key, name, value) -> None:
        put(known, *(("inputs", key, name, value["inputs"]) if kind == START else (kind, key, name, value)))

    (project / "other.c").write_text(LOCKED)
    with monkeypatch.context() as before:
        before.setattr(KnownResults, "_put", put_as_before)
        generate("--exclude", "door.c")
    (project / "other.c").write_text(LOCKED.replace("return 2", "return 3"))
    assert set(verdicts(generate("--exclude", "door.c")["other.c:locked"])) == {"covered"}


def test_old_inputs_that_the_function_does_not_have_any_more(project) -> None:
    (project / "other.c").write_text(LOCKED)
    generate("--exclude", "door.c")
    (project / "other.c").write_text(LOCKED.replace("int n)", "int m, char *s)").replace("n < 4", "m < 4 || !s"))
    unit = generate("--exclude", "door.c")["other.c:locked"]
    assert {each["verdict"] for each in unit["objectives"]} == {"covered"}  # type: ignore[attr-defined]


# Billions of paths, and none has this sum: only the clock ends the search.
TOO_LONG = """\
int count(unsigned a, unsigned b)
{
    int n = 0;
    for (int i = 0; i < 16; i++) {
        if (a >> i & 1) n += i;
        if (b >> i & 1) n ^= i;
    }
    if (n == 5000) return 1;
    return n;
}
"""


@pytest.mark.parametrize(("decided", "is_brief"), [(None, True), (1000, False)])
def test_what_the_whole_time_did_not_decide_gets_less_of_it_after_a_change(
    decided: int | None, is_brief: bool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as nothing that was decided is lost by that."""
    words = ("--exclude", "door.c", "--engine", "search", "--time-limit", "2")
    (project / "other.c").write_text(TOO_LONG)
    before = generate(*words)["other.c:count"]
    assert before["stop_reason"] == StopReason.TIME_LIMIT.value
    assert BRIEF not in before["notes"]  # type: ignore[operator]
    (project / "other.c").write_text(TOO_LONG.replace("n += i", "n += 2 * i"))
    if decided is not None:
        monkeypatch.setattr(KnownResults, "old_result", lambda known, job: OldResult((), decided_in_time=decided))
    after = generate(*words)["other.c:count"]
    assert (BRIEF in after["notes"]) == is_brief  # type: ignore[operator]
    assert verdicts(after) == verdicts(before)


def test_an_older_store_is_moved_aside(project, capsys) -> None:
    generate()
    file = project / ".tightrope/results.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert known(generate()) == set()
    assert "another version of Tightrope wrote it; a new one is begun" in capsys.readouterr().err
    assert (project / ".tightrope/results.sqlite.1.aside").exists()
    assert known(generate()) == {"step", "open", "other"}


def test_a_store_that_was_moved_aside_is_removed_with_the_rest(project, capsys) -> None:
    generate()
    file = project / ".tightrope/results.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:] = b"spoiled!" * (len(content[4096:]) // 8)
    file.write_bytes(content)
    assert main(["cache", "info"]) == 0
    told = capsys.readouterr()
    assert "was moved to results.sqlite.1.aside" in told.err
    assert f"  it is empty\n  moved aside: results.sqlite.1.aside ({len(content):,} bytes)" in told.out
    assert main(["cache", "clear"]) == 0
    assert "aside" not in capsys.readouterr().out
    assert [each.name for each in (project / ".tightrope").iterdir() if "aside" in each.name] == []


def test_there_is_no_store_outside_of_a_project(project, capsys, monkeypatch) -> None:
    (project / ".git").rmdir()
    assert main(["status"]) == 2
    assert "there is no store of results here [no-store]" in capsys.readouterr().err
    monkeypatch.setenv("TIGHTROPE_CACHE", "none")
    assert main(["status"]) == 2
    assert "there is no store of results because TIGHTROPE_CACHE is none" in capsys.readouterr().err


def test_status_and_cache(project, capsys) -> None:
    (project / "lib").mkdir()
    (project / "lib/deep.c").write_text(
        "int deep(double _Complex z) { return z == 0; }\nint flat(int a) { return a > 1; }\n"
    )
    generate("-p", ".", "--link", "none", "--time-limit", "5")
    assert main(["status"]) == 0
    printed = capsys.readouterr().out
    assert ".tightrope/results.sqlite: 3 functions tested" in printed
    assert [line.split() for line in printed.splitlines()[2:4]] == [
        ["folder", "functions", "branch"],
        [".", "3", "4/4", "(100%)"],
    ]
    assert main(["generate", "lib/deep.c", "-q", "-o", "out"]) == 0
    (project / "door.c").write_text(DOOR + "\n")
    assert main(["status", "--json", "status.json"]) == 0
    printed = capsys.readouterr().out
    assert "lib     2" in printed
    assert "all     5" in printed
    changed = "its file, or one that it includes, has changed"
    assert f"out of date\n  door.c:open  {changed}\n  door.c:step  {changed}\n" in printed
    assert "lib/deep.c:deep  parameter `z` is _Complex, which is not supported" in printed
    assert main(["status", "lib", "-q", "--json", "status.json"]) == 0
    functions = json.loads(Path("status.json").read_text())["functions"]
    assert [each["function"] for each in functions] == ["deep", "flat"]
    assert main(["cache", "info"]) == 0
    assert "results     5 entries" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert "it is empty" in capsys.readouterr().out
    assert main(["status"]) == 0
    assert "0 functions tested" in capsys.readouterr().out
    assert main(["cache", "burn"]) == 2
    assert main(["status", "--cache", "nowhere"]) == 2
    assert main(["status", "nowhere"]) == 2
    assert "there is no file or folder nowhere" in capsys.readouterr().err


def test_what_was_edited_during_its_test_is_not_kept(project, monkeypatch) -> None:
    """The result is about the new text, its key would be that of the old one."""
    walk = generate_module.walk_job

    def edit_and_walk(file, name, *rest):
        if name == "other":
            (project / "other.c").write_text(OTHER.replace("7", "8"))
        return walk(file, name, *rest)

    monkeypatch.setattr(generate_module, "walk_job", edit_and_walk)
    generate("--exclude", "door.c")
    monkeypatch.undo()
    monkeypatch.chdir(project)
    monkeypatch.delenv("TIGHTROPE_CACHE", raising=False)
    (project / "other.c").write_text(OTHER)
    assert known(generate("--exclude", "door.c")) == set()


def out_of_date() -> dict[str, str]:
    assert main(["status", "-q", "--json", "status.json"]) == 0
    functions = json.loads(Path("status.json").read_text())["functions"]
    return {each["function"]: each["outdated"] for each in functions if each["outdated"]}


def test_status_says_what_is_out_of_date(project) -> None:
    generate()
    assert out_of_date() == {}
    changed = "its file, or one that it includes, has changed"
    (project / "limits.h").write_text("#define LIMIT 9\nint other(int);\n")
    assert out_of_date() == {"step": changed, "open": changed}
    (project / "limits.h").write_text("#define LIMIT 10\nint other(int);\n")
    assert out_of_date() == {}
    (project / "door.c").write_text(DOOR.replace("int open(int b)", "int shut(int b)").replace("> LIMIT", ">= LIMIT"))
    assert main(["generate", "door.c:shut", "-c", "branch", "-q", "-o", "out"]) == 0
    assert out_of_date() == {
        "open": "its file does not define it any more",
        "step": "its code, or code that it depends on, has changed",
    }


def test_a_damaged_store_costs_time_only(project, capsys) -> None:
    generate()
    (project / ".tightrope/results.sqlite").write_bytes(b"nonsense" * 1000)
    assert known(generate()) == set()
    assert "a new one is begun" in capsys.readouterr().err


def test_outside_of_a_project_there_is_no_store(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("TIGHTROPE_CACHE")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.c").write_text("int one(void) { return 1; }\n")
    assert main(["generate", "one.c", "-q"]) == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.c", "tightrope-tests"]


def test_git_ignores_the_store(project) -> None:
    (project / ".git").rmdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    generate()
    shown = subprocess.run(["git", "status", "--short"], cwd=project, capture_output=True, text=True, check=True).stdout
    assert "tightrope" not in shown.replace("tightrope-tests", "")


def test_a_linked_file_is_looked_at_with_the_flags_of_each_unit(tmp_path: Path) -> None:
    """A header that only the second unit finds is part of what is known of the second."""
    entries = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "conf.h").write_text("#define LIMIT 3\n")
        (tmp_path / f"{name}.c").write_text(f"int helper(int); int {name}(int a) {{ return helper(a); }}\n")
        entries.append({"directory": str(tmp_path), "file": f"{name}.c", "command": f"cc -I{name} -c {name}.c"})
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    (tmp_path / "helper.c").write_text('#include "conf.h"\nint helper(int a) { return a > LIMIT; }\n')

    def states() -> list[str]:
        options = Options((), link=(tmp_path / "helper.c",), build_dir=tmp_path)
        found = FileStates(find_compiler(), options)
        return [found.with_linked(tmp_path / f"{name}.c", ["helper"]) for name in ("one", "two")]

    one, two = states()
    (tmp_path / "two" / "conf.h").write_text("#define LIMIT 4\n")
    after = states()
    assert all((one, two))
    assert after[0] == one
    assert after[1] != two
