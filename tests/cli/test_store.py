"""A second run over unchanged code searches nothing, and gives the same report; whatever changed is tested again."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tightrope.cli import main
from tightrope.commands.generate.known_results import UNCHANGED

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


def without_note(unit: dict[str, object]) -> dict[str, object]:
    """As it was found: from the store, all tests were there before."""
    notes = [note for note in unit["notes"] if note != UNCHANGED]  # type: ignore[attr-defined]
    tests = [{**test, "is_kept": False, "suite": ""} for test in unit["tests"]]  # type: ignore[attr-defined]
    return {**unit, "notes": notes, "tests": tests}


def test_only_what_changed_is_tested_again(project) -> None:
    first = generate()
    assert known(first) == set()
    assert (project / ".tightrope/.gitignore").read_text() == "*\n"

    second = generate()
    assert known(second) == {"step", "open", "other"}
    assert {name: without_note(unit) for name, unit in second.items()} == first

    (project / "other.c").write_text(OTHER.replace("7", "8"))  # step is linked with it
    third = generate()
    assert known(third) == set()  # `open` is in the file of `step`: what may be linked is known by file
    assert "8" in str(third["other.c:other"]["tests"])

    (project / "limits.h").write_text("#define LIMIT 11\nint other(int);\n")
    assert known(generate()) == {"other"}


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
