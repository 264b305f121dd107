"""Suites for hundreds of decisions, judged by brute force over their truth tables.

One C function holds many decisions, one in each case of a switch, so that a test has to do with one of them. Of some
400 decisions, every third and the hard ones have their turn; TIGHTROPE_FULL=1: all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from decision_shapes import ENUMERATED, HARD, Case, Table, as_c, bare_shapes, without_negations

from tightrope import cli
from tightrope.program.decisions.boolean_tree import Vector, leaves

TOGETHER = 40  # decisions in a function
SMALL = [case for case in ENUMERATED if case.size < 4]
LARGE = [case for case in ENUMERATED if case.size == 4][::15]  # one of each shape, negated in one way or another
CHOSEN = [case for case in SMALL + LARGE + HARD if len(Table(case).vectors()) > 1]
IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"
SAMPLE = CHOSEN if IS_FULL else [case for number, case in enumerate(CHOSEN) if number % 3 == 0 or case in HARD]
PARAMETERS = ", ".join(f"_Bool c{index}" for index in range(5))


def write_function(name: str, cases: list[Case]) -> str:
    lines = [f"int {name}(unsigned char which, {PARAMETERS})", "{", "  int r = 0;", "  switch (which) {"]
    for number, case in enumerate(cases):
        lines += [f"  case {number}:", f"    if ({as_c(case.tree, case.constants)})", "      r = 1;", "    break;"]
    return "\n".join([*lines, "  }", "  return r;", "}", ""])


def test_enough_decisions() -> None:
    assert len(CHOSEN) > 300
    assert {without_negations(case.tree) for case in LARGE} == set(bare_shapes(0, 4))


def in_batches(cases: list[Case]) -> dict[str, list[Case]]:
    return {f"f{start}": cases[start : start + TOGETHER] for start in range(0, len(cases), TOGETHER)}


def generate(folder: Path, batches: dict[str, list[Case]], *words: str) -> list[dict[str, Any]]:
    source, report = folder / "many.c", folder / "report.json"
    source.write_text("".join(write_function(name, cases) for name, cases in batches.items()))
    options = ["-o", str(folder / "tests"), "--json", str(report), "--no-confirm", "--quiet"]
    assert cli.main(["generate", str(source), *options, "-c", "mcdc", *words]) == 0
    return list(json.loads(report.read_text())["units"])


def values_in_tests(unit: dict[str, Any], number: int, case: Case) -> set[tuple[bool, ...]]:
    """The values that the conditions have in the tests of one decision."""
    inputs = [test["inputs"] for test in unit["tests"] if test["inputs"]["which"] == number]
    return {tuple(case.constants.get(at, bool(each[f"c{at}"])) for at in range(case.size)) for each in inputs}


def masking_goals(table: Table, rows: Iterable[tuple[bool, ...]]) -> set[tuple[object, ...]]:
    """Which conditions matter with which value, and which of them both ways with another outcome."""
    seen = {(row.outcome, table.unmasked(row), row.values) for row in map(table.vector, rows)}
    single = {(index, values[index]) for _, matter, values in seen for index in matter}
    pairs = {
        (index, "pair")
        for (outcome, matter, values), (other_outcome, other_matter, other_values) in product(seen, repeat=2)
        for index in matter & other_matter
        if outcome is not other_outcome and values[index] is not other_values[index]
    }
    return single | pairs


def unique_cause_goals(table: Table, rows: Iterable[tuple[bool, ...]]) -> set[tuple[object, ...]]:
    """Which conditions are the only one that differs, where outcomes differ (llvm-cov's rule)."""
    seen = {table.vector(row) for row in rows}
    return {
        (index, "pair")
        for one, other in product(seen, repeat=2)
        for index in leaves(table.case.tree)
        if one.outcome is not other.outcome and list(differing(one, other)) == [index]
    }


def differing(one: Vector, other: Vector) -> Iterator[int]:
    for index, (left, right) in enumerate(zip(one.values, other.values, strict=True)):
        if left is not None and right is not None and left is not right:
            yield index


@pytest.mark.parametrize("form", ["masking", "unique-cause"])
def test_every_suite_is_complete(form: str, tmp_path: Path) -> None:
    goals = masking_goals if form == "masking" else unique_cause_goals
    batches = in_batches(SAMPLE if form == "masking" else SAMPLE[-len(SAMPLE) // 3 :])
    units = generate(tmp_path, batches, "--mcdc-form", form)
    assert [unit["function"] for unit in units] == list(batches)
    needless = 0
    for unit in units:
        cases = batches[unit["function"]]
        for number, case in enumerate(cases):
            table = Table(case)
            everything = {row for row in table.rows if all(row[at] == value for at, value in case.constants.items())}
            rows = values_in_tests(unit, number, case)
            assert goals(table, rows) == goals(table, everything), (as_c(case.tree, case.constants), rows)
            needless += len(rows) < len({table.vector(row) for row in everything})
        verdicts = {each["verdict"] for each in unit["objectives"]}
        assert verdicts <= {"covered", "infeasible"}
        assert any(case.constants for case in cases) or verdicts == {"covered"}
    assert needless > 20  # a suite with every vector would be complete without any thought
