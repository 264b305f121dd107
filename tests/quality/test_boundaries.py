"""Default suites have tests at boundaries; few, and only where these show in the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tightrope import cli

SPEED = "_Bool f(_Bool is_near, int speed) { return is_near && speed > 30; }\n"
LIMITS = "int f(int x, int low, int high) { if (x < low) return low; if (x > high) return high; return x; }\n"
MASKED = "int f(int x) { if (x > 30) x = 30; return x; }\n"


HIDDEN = """
_Bool f(int reading, int speed)
{
    _Bool is_near = reading < 100;
    return is_near && speed > 30;
}
"""


def suite(tmp_path: Path, text: str, *words: str) -> list[dict[str, Any]]:
    (tmp_path / "unit.c").write_text(text)
    report = tmp_path / "report.json"
    options = ["-o", str(tmp_path / "tests"), "--json", str(report), "-q", "--max-runs", "100", *words]
    assert cli.main(["generate", f"{tmp_path / 'unit.c'}:f", *options]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return list(unit["tests"])


def names(tests: list[dict[str, Any]]) -> list[str]:
    return [test["id"] for test in tests if "boundary" in test["id"]]


def test_both_sides_of_a_boundary(tmp_path: Path) -> None:
    tests = suite(tmp_path, SPEED)
    assert {30, 31} <= {test["inputs"]["speed"] for test in tests if test["inputs"]["is_near"]}
    assert names(tests) == ["f_boundary_1"]


def test_an_outcome_shows_in_the_result(tmp_path: Path) -> None:
    """`reading < 100` does not matter unless the speed is above 30."""
    inputs = [test["inputs"] for test in suite(tmp_path, HIDDEN)]
    assert all(each["speed"] > 30 for each in inputs if each["reading"] == 100)
    assert 100 in [each["reading"] for each in inputs]


def test_nothing_where_results_do_not_change(tmp_path: Path) -> None:
    """At 30 and 31 the result is 30; the sign of x matters."""
    tests = suite(tmp_path, MASKED)
    assert 30 not in [test["inputs"]["x"] for test in tests]


def test_named_criteria_and_simple_values_have_none(tmp_path: Path) -> None:
    assert not names(suite(tmp_path, SPEED, "-c", "mcdc"))
    assert not names(suite(tmp_path, SPEED, "--values", "simple"))


def test_few(tmp_path: Path) -> None:
    tests = suite(tmp_path, LIMITS)
    assert len(names(tests)) <= 1 < len(tests)


def test_boundaries_of_a_condition_that_is_never_true(tmp_path: Path) -> None:
    """No run shows what would be returned, so a test is at the boundary in any case: `y >= 255` is noticed."""
    tests = suite(tmp_path, "int f(unsigned char y, int x) { if (y > 255) return 1; return x > 2; }\n")
    assert 255 in [test["inputs"]["y"] for test in tests]
