"""Each C file of this folder and of regressions/ goes through the whole command; its comments say what must come out.

gcov counts what the suite of every second program covers; TIGHTROPE_FULL=1: of every program.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from expectations import ProgramExpectations, disagreements, read_expectations

from tightrope import cli

HERE = Path(__file__).parent
PROGRAMS = sorted([*HERE.glob("*.c"), *(HERE.parent / "regressions").glob("*.c")])
# Over doubles and products Z3 takes ten times as long.
FOR_ONE_SOLVER = {"stdin_real", "real_text", "remainder", "float_parts", "check_overflow"}


def generate(program: Path, expected: ProgramExpectations, folder: Path) -> dict[str, Any]:
    """The one unit of report.json."""
    report = folder / "report.json"
    criteria = ("--criterion", ",".join(expected.criteria)) if expected.criteria else ()
    options = (*criteria, *fixed_shape(expected), *expected.options)
    words = [f"{program}:{expected.function}", *options, "--json", str(report)]
    assert cli.main(["generate", *words, "--quiet", "--output", str(folder / "tests")]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return dict(unit)


def fixed_shape(expected: ProgramExpectations) -> tuple[str, ...]:
    """What is unknown with one shape of the inputs may be decided with a larger one."""
    has_unknown = any(clause.verdict == "unknown" for clause in expected.clauses)
    return ("--grow-to", "0") if has_unknown else ()


def unsound(unit: dict[str, Any]) -> list[str]:
    """What must never be in a report, whatever the program."""
    found = []
    if unit["statistics"]["divergences"]:
        found.append(f"{unit['statistics']['divergences']} divergences")
    confirmation = unit["confirmation"]
    if confirmation is None:
        return [*found, "nothing was confirmed"]
    found += [f"{test} behaves differently without probes" for test in confirmation["different"]]
    kept = {test["id"] for test in unit["tests"]}
    found += [f"{test} was kept, but not run" for test in confirmation["not_run"] if test in kept]
    found += [f"gcov: {each}" for each in confirmation["disagreements"]]
    if confirmation["problem"]:
        found.append(confirmation["problem"])
    rejected = [test["id"] for test in unit["tests"] if test["outcome"] == "rejected"]
    return found + [f"{test} was rejected and yet became a test" for test in rejected]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.stem)
def test_program(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if program.stem in FOR_ONE_SOLVER:
        monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)
    if zlib.crc32(program.stem.encode()) % 2:  # whichever other programs there are
        request.getfixturevalue("not_counted_by_gcov")
    expected = read_expectations(program.read_text(encoding="utf-8"))
    unit = generate(program, expected, tmp_path)
    assert unsound(unit) + disagreements(expected, unit) == []
