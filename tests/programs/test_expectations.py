"""The reader of expectation comments, on texts of its own and on every program of this folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from expectations import BadExpectation, Expectation, disagreements, read_expectations

PROGRAMS = sorted(Path(__file__).parent.glob("*.c"))
TEXT = """\
// function: f
// options: --assume 'n >= 0' --enum any
// expect outcome: crashed
    if (a && b)  // expect branch#1: covered; branch#2(true): infeasible
    case GREEN:  // expect branch(case 5): covered
"""


def objective(line: int, column: int, kind: str, text: str, verdict: str) -> dict[str, Any]:
    return {"id": f"f:{line}:{column}:{kind}", "criterion": "branch", "kind": kind, "line": line, "column": column,
            "text": text, "verdict": verdict}  # fmt: skip


def unit() -> dict[str, Any]:
    return {
        "objectives": [
            objective(4, 9, "true", "a is true", "covered"),
            objective(4, 9, "false", "a is false", "covered"),
            objective(4, 14, "true", "b is true", "infeasible"),
            objective(4, 14, "false", "b is false", "covered"),
            objective(5, 5, "case", "case GREEN (5)", "covered"),
        ],
        "tests": [{"outcome": "crashed"}, {"outcome": "returned"}],
    }


def test_comments_are_read() -> None:
    read = read_expectations(TEXT)
    assert (read.function, read.options) == ("f", ("--assume", "n >= 0", "--enum", "any"))
    assert (read.outcomes, read.criteria) == (("crashed",), ("branch",))
    assert read.clauses == (
        Expectation(4, "branch", 1, None, "covered"),
        Expectation(4, "branch", 2, "true", "infeasible"),
        Expectation(5, "branch", None, "case 5", "covered"),
    )


def test_an_error_is_expected_at_its_line() -> None:
    expected = read_expectations("// function: f\n*p = 1;  // expect outcome(write out of bounds): crashed\n")
    error = {"line": 2, "outcome": "crashed", "reason": "write out of bounds in the call of `strcpy`"}
    runs: dict[str, Any] = {"objectives": [], "tests": []}
    assert disagreements(expected, {**runs, "crashes": [error]}) == []
    for change in ({"line": 3}, {"outcome": "exited"}, {"reason": "read out of bounds"}):
        assert len(disagreements(expected, {**runs, "crashes": [{**error, **change}]})) == 1


def test_a_report_as_expected_has_no_disagreement() -> None:
    assert disagreements(read_expectations(TEXT), unit()) == []
    assert disagreements(read_expectations(TEXT.replace("case 5", "case GREEN")), unit()) == []


@pytest.mark.parametrize(("number", "verdict"), [(0, "unknown"), (2, "covered"), (3, "infeasible"), (4, "unknown")])
def test_another_verdict_is_a_disagreement(number: int, verdict: str) -> None:
    changed = unit()
    changed["objectives"][number]["verdict"] = verdict
    assert len(disagreements(read_expectations(TEXT), changed)) == 1


def test_a_missing_objective_and_a_missing_outcome_are_disagreements() -> None:
    changed = unit()
    changed["objectives"].pop()
    changed["tests"].pop(0)
    assert disagreements(read_expectations(TEXT), changed) == [
        "line 5: branch(case 5): covered: there is no such objective",
        "no run is crashed",
    ]


@pytest.mark.parametrize("text", [
    "", "int f;", "// function: f\n// expected branch: covered", "// function: f\n// expect branch: maybe",
    "// function: f\n// expect branch covered", "// function: f\n// expect outcome: covered",
])  # fmt: skip
def test_a_bad_comment_is_an_error(text: str) -> None:
    with pytest.raises(BadExpectation):
        read_expectations(text)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_every_program_has_readable_expectations(program: Path) -> None:
    read = read_expectations(program.read_text())
    assert read.clauses or read.errors
    if "--sequence" not in read.options:  # a sequence is no function of the file
        assert re.search(rf"[ *]{read.function}\(", program.read_text())
