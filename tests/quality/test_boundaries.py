"""Default suites have tests at boundaries; few, and only where these show in the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
STORED = """
struct { int width, tag; } screen;
int f(void) { return screen.width > 10 && screen.tag == 't' ? 1 : 0; }
"""
SUM = """
int f(const int t[4])
{
    int sum = t[0] + t[1] + t[2];
    return sum == 15 && t[3] == 5 ? 1 : 0;
}
"""
ROTATED = """
int f(unsigned x, int n)
{
    unsigned turned = x << (n & 31) | x >> (-n & 31);
    if (turned == 0x80000001u && x == 3)
        return 1;
    return 0;
}
"""
BEHIND = """
static struct { int width, height; struct { char tag; } *extra; } screen;
int f(void)
{
    if (screen.width > 10 && screen.extra && screen.extra->tag == 't')
        return screen.width * screen.height;
    return 0;
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


def test_an_input_that_stays_in_memory_is_no_result(tmp_path: Path) -> None:
    """With another width, what a test finds in `screen` differs; the result does so only if the tag is 't'."""
    inputs = [test["inputs"] for test in suite(tmp_path, STORED)]
    assert all(each["screen.tag"] == ord("t") for each in inputs if each["screen.width"] == 10)
    assert 10 in [each["screen.width"] for each in inputs]


def test_the_value_that_another_condition_asks_for_has_another_sign(tmp_path: Path) -> None:
    """-7 becomes 5, so that `sum == 15` decides."""
    inputs = [test["inputs"] for test in suite(tmp_path, SUM)]
    assert any(each["t[3]"] == 5 and sum(each[f"t[{at}]"] for at in range(3)) != 15 for each in inputs)


def test_what_other_tests_have_shows_an_outcome(tmp_path: Path) -> None:
    """No value of n is computed for which `turned` is the constant, but another test has one."""
    inputs = [test["inputs"] for test in suite(tmp_path, ROTATED)]
    assert any(each["x"] == 3 and each["n"] & 31 != 31 for each in inputs)


def test_a_test_that_shows_nothing_becomes_a_neighbour(tmp_path: Path) -> None:
    """Where the pointer is NULL, nothing shows that the width is too small; no single change cures that."""
    tests = suite(tmp_path, BEHIND)
    inputs = [test["inputs"] for test in tests if test["id"] not in names(tests)]
    narrow = [each for each in inputs if each["screen.width"] <= 10]
    assert any(each["screen.extra"] != "NULL" and each["screen.extra->tag"] == "t" for each in narrow)


CALLED = "void lamp(int on); void f(int level) { lamp(level > 30); }\n"
NAMED = "const char *f(int level) { static char text[2]; text[0] = level > 30 ? 'h' : 'l'; return text; }\n"
KEPT = "static int last; void f(int level) { if (level > 30) last = 7; else last = 5; }\n"


@pytest.mark.parametrize("text", [CALLED, NAMED, KEPT])
def test_calls_and_what_is_left_in_memory_show_an_outcome(tmp_path: Path, text: str) -> None:
    levels = {test["inputs"]["level"] for test in suite(tmp_path, text)}
    assert {30, 31} <= levels
