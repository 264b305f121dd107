"""Conditions that are no branches, and labels, against brute force: inputs are assumed to be small, all are run, so that
what can be covered is known. What the labels of each input are is asked of the other instrumentation, in which every
label is a branch of the program. Labels of expressions without a branch are looked at once; TIGHTROPE_FULL=1: in all
functions."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tightrope.coverage.verdict import Covered, Infeasible
from tightrope.coverage.witnesses import is_covered
from tightrope.engines.explore import Exploration, explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

HELP = """
static int twice(int x) { return x + x; }
static int steps(int x) { if (x > 1) return 0; if (x == 1) return 1; return 2; }
static int down(int x, int y) { return x > 0 ? (x > y) ^ down(x - 1, y) : 1; }
"""

FUNCTIONS = {
    "value": "int x = a > 1 && b < 2 && c != 3; int y = a > 2 || b == x || c > 2; return x + 2 * y;",
    "return": "return (a > b && b > c && c >= a) || a == c;",
    "argument": "return twice(a > 1 && b) + twice(!(c && a == b));",
    "xor": "int x = (a > 1) ^ (b == 2) ^ (c > a); return x == ((a == 2) != (b > 2));",
    "xor before a branch": "if (((a > 1) ^ (b > 1)) && c > a) return 1; return ((a < b) == (b < c)) || c == 1;",
    "path between": "int x = ((a > 1) ^ (b > 1)) && steps(c) == a; return x;",
    "loop": "int n = 0; for (int i = 0; i < 3; i++) { int x = a > i && b == n; n += x ^ (c == i); } return n;",
    "recursion": "return down(a, b) && c == 2;",
    "statements": "int n = a; if (b > 1) n += b * 2; else n -= c; while (n > 4) n -= 3; return n / (c + 1);",
}


def prepare(path: Path, criteria: tuple[str, ...], instrumentation: str) -> tuple[PreparedUnit, Options]:
    options = Options(
        (Target(path, "target"),),
        criteria=criteria,
        assumptions=("a < 4 && b < 4 && c < 4",),
        instrumentation=instrumentation,
        time_limit=60.0,
    )
    return prepare_unit(prepare_file(find_compiler(), path, options, lambda text: None), "target", options), options


def explored(unit: PreparedUnit, options: Options) -> Exploration:
    with start(unit, Worker(), options) as runner:
        return explore(unit, runner, options, lambda ledger, progress: None)


def possible(unit: PreparedUnit, options: Options) -> set[str]:
    points = 0
    with start(unit, Worker(), options) as runner:
        for values in itertools.product(range(4), repeat=3):
            points |= runner.trace(values).points
    return {each.id for each in unit.objectives if not each.is_constant and is_covered(each, points)}


VECTORS, LABELS = ("mcc", "mcdc", "cacc"), ("wm", "limit")
WITHOUT_LABELS = () if os.environ.get("TIGHTROPE_FULL") == "1" else ("value", "argument", "xor")
CASES = [(name, VECTORS) for name in FUNCTIONS]
CASES += [(name, LABELS) for name in FUNCTIONS if name not in WITHOUT_LABELS]


@pytest.mark.parametrize(("name", "criteria"), CASES, ids=[f"{name}-{criteria[0]}" for name, criteria in CASES])
def test_verdicts_agree_with_brute_force(name: str, criteria: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    body = FUNCTIONS[name]
    path.write_text(f"{HELP}int target(unsigned char a, unsigned char b, unsigned char c)\n{{\n    {body}\n}}\n")
    unit, options = prepare(path, criteria, "tight")
    found = explored(unit, options)
    is_labelled = "wm" in criteria
    coverable = possible(*prepare(path, criteria, "direct")) if is_labelled else possible(unit, options)
    assert found.progress.divergences == 0
    for objective, verdict in found.ledger:
        if not objective.problem:
            expected = Covered if objective.id in coverable else Infeasible
            assert isinstance(verdict, expected), f"{objective.id} ({objective.text}): {verdict}"


def test_labels_leave_the_paths_alone(tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    path.write_text(f"int target(unsigned char a, unsigned char b, unsigned char c)\n{{ {FUNCTIONS['loop']} }}\n")
    unit, options = prepare(path, ("wm", "limit"), "tight")
    bare, _ = prepare(path, ("branch",), "tight")
    everything = replace(options, exhaustive=True)
    assert explored(unit, everything).paths == explored(bare, everything).paths
