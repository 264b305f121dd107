"""Mutants that some input kills stayed alive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope import cli

FUNCTIONS = {
    "samples that occur twice": "double f(double a, double b) { return a * b + 0.0; }",
    "runs that exit or abort": (
        "#include <stdlib.h>\nint f(int a) { if (a == 3) abort(); if (a == 4) exit(1); return 0; }"
    ),
}


@pytest.mark.parametrize("text", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_every_mutant_is_killed(text: str, tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text(text)
    report = tmp_path / "report.json"
    words = [f"{tmp_path / 'unit.c'}:f", "-c", "mutation", "-o", str(tmp_path / "tests"), "--json", str(report), "-q"]
    assert cli.main(["generate", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    assert [each["id"] for each in unit["objectives"] if each["verdict"] != "covered"] == []
