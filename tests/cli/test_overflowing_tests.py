"""Tests in which signed arithmetic overflows are named in the report, and only kept where nothing else covers it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope import cli

UNIT = """\
int needs_it(int x) { if (x + 1 < x) return 1; return 0; }
int does_not(int a, int b, int c) { int s = a * b + c; if (s > 1000) return 1; if (s == -7) return 2; return 0; }
"""


@pytest.mark.parametrize(("function", "overflows"), [("needs_it", ["needs_it__x_plus_1_lt_x_T"]), ("does_not", [])])
def test_tests_that_overflow_are_assumptions(function: str, overflows: list[str], tmp_path: Path) -> None:
    file, report = tmp_path / "unit.c", tmp_path / "report.json"
    file.write_text(UNIT)
    words = [f"{file}:{function}", "-o", str(tmp_path / "out"), "--json", str(report), "--max-runs", "200", "--quiet"]
    assert cli.main(["generate", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    assert {each["verdict"] for each in unit["objectives"]} == {"covered"}
    told = [each for each in unit["assumptions"] if "-fwrapv" in each]
    assert told == [f"signed arithmetic wraps around, as with -fwrapv: it overflows in {each}" for each in overflows]
