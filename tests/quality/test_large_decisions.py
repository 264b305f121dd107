"""MC/DC of decisions that can be evaluated in too many ways to follow each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli

BRANCHES, VALUE = "if ({}) return 1; return 0;", "int r = {}; return r;"


def write_clauses(folder: Path, clauses: int, form: str) -> Path:
    parameters = ", ".join(f"int a{at}, int b{at}" for at in range(clauses))
    decision = " && ".join(f"(a{at} > 3 || b{at})" for at in range(clauses))
    source = folder / "unit.c"
    source.write_text(f"int f({parameters})\n{{\n    {form.format(decision)}\n}}\n")
    return source


def report_of(folder: Path, *words: str) -> dict[str, Any]:
    found = folder / "found.json"
    assert cli.main([*words, "-q", "--json", str(found)]) == 0
    (unit,) = json.loads(found.read_text())["units"]
    return unit


@pytest.mark.usefixtures("not_counted_by_gcov")
@pytest.mark.parametrize(
    ("engine", "clauses", "form"),
    [("auto", 30, BRANCHES), ("encoding", 30, VALUE), ("search", 16, BRANCHES), ("search", 12, VALUE)],
)
def test_clauses(tmp_path: Path, engine: str, clauses: int, form: str) -> None:
    """30 have two vectors for each number of 30 bits. A suite, measured, covers what it was made for."""
    source, tests = write_clauses(tmp_path, clauses, form), tmp_path / "tests"
    words = ("-c", "mcdc", "--decisions", "branching")
    unit = report_of(tmp_path, "generate", str(source), *words, "--engine", engine, "-o", str(tests))
    assert [each["verdict"] for each in unit["objectives"]] == ["covered"] * 4 * clauses
    assert len(unit["tests"]) <= 2 * clauses
    measured = report_of(tmp_path, "measure", f"{source}:f", *words, "--suite", str(tests))
    assert [each["verdict"] for each in measured["objectives"]] == ["covered"] * 4 * clauses


def test_no_cliff(tmp_path: Path) -> None:
    """11 clauses have 4,094 vectors, 12 have 8,190."""
    for clauses in (11, 12):
        source = write_clauses(tmp_path, clauses, BRANCHES)
        unit = report_of(tmp_path, "generate", str(source), "-c", "mcdc", "--no-confirm", "-o", str(tmp_path / "tests"))
        assert {each["verdict"] for each in unit["objectives"]} == {"covered"}
        assert len(unit["objectives"]) == 4 * clauses + 3


def test_operators_that_evaluate_both_sides(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    parameters = ", ".join(f"int a{at}" for at in range(16))
    parts = [f"(a{at} > {at})" for at in range(16)]
    source.write_text(f"int f({parameters}) {{ return ({' & '.join(parts[:8])}) ^ ({' | '.join(parts[8:])}); }}\n")
    unit = report_of(tmp_path, "generate", str(source), "-c", "mcdc,cacc", "-o", str(tmp_path / "tests"))
    assert {each["verdict"] for each in unit["objectives"]} == {"covered"}
    measured = report_of(tmp_path, "measure", f"{source}:f", "-c", "mcdc,cacc", "--suite", str(tmp_path / "tests"))
    assert {each["verdict"] for each in measured["objectives"]} == {"covered"}
