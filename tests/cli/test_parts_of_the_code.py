"""A part of the code, of the paths, of the strategies: --objective, --lines, --loop-bound, --search-depth, -s A,B."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli

CODE = """int first(int a, int b)
{
    if (a > 3 && b)
        return 1;
    return 0;
}

int second(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n && i < 6; i++)
        sum += 3;
    if (sum == 12)
        return -1;
    return 0;
}
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    file = tmp_path / "two.c"
    file.write_text(CODE, encoding="utf-8")
    return file


def units(code: Path, *words: str) -> list[dict[str, Any]]:
    report = code.parent / "report.json"
    command = ["generate", str(code), "-o", str(code.parent / "tests"), "--json", str(report), "--quiet", *words]
    assert cli.main(command) == 0
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["units"]
    return found


def verdicts(unit: dict[str, Any]) -> dict[str, str]:
    return {each["id"]: each["verdict"] for each in unit["objectives"]}


def test_one_objective(code: Path) -> None:
    (unit,) = units(code, "--objective", "second:branch:+5.13:true")
    assert verdicts(unit) == {"second:branch:+5.13:true": "covered"}
    assert len(unit["tests"]) == 1 and unit["tests"][0]["inputs"]["n"] == 4
    assert "only 1 of 15 objectives were asked for" in unit["notes"]


def test_lines_choose_functions_and_objectives(code: Path) -> None:
    (unit,) = units(code, "--lines", "3", "--lines", "6-7", "-c", "branch")
    assert unit["function"] == "first"
    assert {each["line"] for each in unit["objectives"]} == {3} and len(unit["objectives"]) == 4
    both = units(code, "--lines", "3,13", "-c", "branch")
    assert [each["function"] for each in both] == ["first", "second"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--objective", "second:branch:+5.13:tru"], "did you mean `second:branch:+5.13:true`?"),
        (["--objective", "third:branch:+5.13:true"], "no function has what --objective or --lines asks for"),
        (["--lines", "100-200"], "no function has what --objective or --lines asks for"),
        (["--lines", "12", "-c", "branch"], "second has no objective of branch in --lines 12"),
    ],
)
def test_nothing_matches(code: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["generate", str(code), "-o", str(code.parent / "tests"), *words]) == 5
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--loop-bound", "2"], ["--search-depth", "2"]], ids=lambda words: words[0])
def test_what_is_left_out_by_a_bound_is_not_infeasible(code: Path, words: list[str]) -> None:
    """Four iterations are needed; one run has six, and the search may not vary the fourth."""
    asked = ("-f", "second", "-c", "branch", "--engine", "search", "-s", "dfs")
    (unit,) = units(code, *asked, *words)
    missed = {each["id"]: each["reason"] for each in unit["objectives"] if each["verdict"] != "covered"}
    assert missed == {"second:branch:+5.13:true": "bounded"}
    (whole,) = units(code, *asked)
    assert set(verdicts(whole).values()) == {"covered"}


def test_strategies_take_turns(code: Path) -> None:
    (unit,) = units(code, "-f", "second", "--engine", "search", "-s", "dfs,random-path")
    assert unit["strategy"] == "dfs,random-path"
    assert set(verdicts(unit).values()) == {"covered"}
