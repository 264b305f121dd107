"""Labels are noted beside the path: they change nothing of it, and the search aims at them."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from labelled_unit import explored, possible, prepare_labelled, running, verdicts

from tightrope.expr.show import show
from tightrope.expr.terms import TermTable
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import OutcomeCode
from tightrope.running.runner import Runner
from tightrope.search.decode import Decoder
from tightrope.suite.reduce import reduce_runs
from tightrope.units.prepared import PreparedUnit

SHORT_CIRCUITS = """
int target(signed char a, signed char b)
{
    int n = 0;
    LABEL(0, a == 2 && b == 1);
    if (a > b) {
        LABEL(1, a == b + 1 || b == 2);
        LABEL(2, a <= b);
        n += 1;
    }
    LABEL(3, n && (a < 0 ? b == -2 : b == a));
    return n;
}
"""

LOOP = """
int target(signed char a, signed char b)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        LABEL(0, a + i == b && i == 2);
        LABEL(1, n == 7);
        if (a > i) n++;
    }
    LABEL(2, n == 1 && b == -1);
    return n;
}
"""

PROGRAMS = {"short circuits": SHORT_CIRCUITS, "loop": LOOP}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("instrumentation", ["tight", "direct"])
def test_what_can_be_covered_is_and_the_rest_is_infeasible(name: str, instrumentation: str, tmp_path: Path) -> None:
    unit, options = prepare_labelled(tmp_path, PROGRAMS[name], instrumentation=instrumentation)
    found = explored(unit, options)
    covered = possible(unit)
    expected = {each.id: "covered" if each.id in covered else "infeasible" for each in unit.objectives}
    assert verdicts(found) == expected
    assert 0 < len(covered) < len(expected)


def test_paths_are_those_of_the_program_without_labels(tmp_path: Path) -> None:
    unit, options = prepare_labelled(tmp_path, LOOP, exhaustive=True)
    tight = explored(unit, options)
    bare, _ = prepare_labelled(tmp_path, LOOP.replace("a + i == b && i == 2", "0").replace("&& b == -1", ""))
    assert tight.paths == explored(bare, options).paths
    assert explored(unit, replace(options, instrumentation="direct")).paths > tight.paths


MEMORY = """
struct item { int value; struct item *next; };
int target(int *a, unsigned char i, struct item *p, int d)
{
    int n = 0;
    LABEL(0, a[i] == 5 && i == 3);
    n = a[i];
    LABEL(1, p->value / d == 7 && p->value > 0);
    if (p) n += p->value / d;
    LABEL(2, n == 1 && a[i] == 2);
    return n + a[i];
}
"""


def events_of(
    unit: PreparedUnit, inputs: list[Input], closed: int = 0
) -> list[tuple[int, int, list[tuple[int, int, str]]]]:
    """Without the numbers of places and points, which labels shift. `closed` has a bit for each label that no run
    needs."""
    with running(unit) as runner:
        runner.close_aims(closed)
        decoder, found = Decoder(TermTable(), runner.node_bytes), []
        for values in inputs:
            trace = runner.trace(values)
            steps = [(kind, side, show(term) if term else "") for kind, _, term, side in decoder.steps(trace)]
            found.append((trace.outcome, trace.flags, steps))
        return found


def some_inputs(unit: PreparedUnit) -> list[Input]:
    source = random.Random(1)
    return [tuple(source.choice((0, 0, 1, 2, 3, 5)) for _ in unit.driver.slots) for _ in range(150)]


def test_events_are_the_same_with_and_without_labels(tmp_path: Path) -> None:
    """Also where the predicate fails first at what the program does next: an index out of bounds, NULL, 0."""
    unit, _ = prepare_labelled(tmp_path, MEMORY)
    inputs = some_inputs(unit)
    labelled = events_of(unit, inputs)
    bare, _ = prepare_labelled(tmp_path, re.sub(r"LABEL\((\d), .*\);", r"LABEL(\1, 0);", MEMORY))
    assert labelled == events_of(bare, inputs)
    assert {outcome for outcome, *_ in labelled} == {OutcomeCode.RETURNED, OutcomeCode.CRASHED}


def test_a_predicate_that_cannot_be_computed_is_false_and_the_run_goes_on(tmp_path: Path) -> None:
    """Nothing diverges and nothing is lost: the exploration is as exact as without labels. The run that satisfies the
    first label divides by zero later on."""
    unit, options = prepare_labelled(tmp_path, MEMORY, exhaustive=True)
    found = explored(unit, options)
    assert found.progress.divergences == found.progress.approximate == 0
    assert verdicts(found) == {"0": "unknown: only_crashing", "1": "covered", "2": "covered"}


CALLS = """
static int half(int a)
{
    LABEL(1, a == 4);
    return a > 2 ? a / 2 : 0;
}
int target(signed char a)
{
    LABEL(0, half(a) == 9);
    if (a == 5) return half(a);
    return 0;
}
"""


def test_what_a_predicate_calls_covers_nothing(tmp_path: Path) -> None:
    """The program without the label only calls half(5)."""
    unit, options = prepare_labelled(tmp_path, CALLS)
    found = explored(unit, options)
    assert verdicts(found) == {"0": "covered", "1": "infeasible"}
    with running(unit) as runner:
        numbers = unit.woven.points.numbers
        half = sum(1 << n for (function, _, _), n in numbers.items() if function == "@half")
        assert not runner.trace((18,)).points & half
        assert runner.trace((5,)).points & half


WITH_CHANGES = """
static int calls;
static int next(void) { return ++calls; }
int target(signed char a, signed char b)
{
    int n = 0;
    LABEL(0, next() == a || b == 2);
    LABEL(1, (n = a) == 1 && b > 0);
    for (int i = 0; i < 2; i++) {
        LABEL(2, a / (b ? b : 1) == i && (a > i ? b : i) == 1);
        n += calls;
        LABEL(3, n == 4);
    }
    return n > b ? n : 0;
}
"""
JUMPED = {"short circuits": SHORT_CIRCUITS, "loop": LOOP, "memory": MEMORY, "calls": CALLS, "changes": WITH_CHANGES}
ALL_LABELS = 15


@pytest.mark.parametrize("name", JUMPED)
@pytest.mark.parametrize("closed", [ALL_LABELS, 5, 10])
def test_jumping_over_what_no_run_needs_changes_nothing(name: str, closed: int, tmp_path: Path) -> None:
    """Not even where a predicate does what it should not: calls that count, assignments."""
    unit, _ = prepare_labelled(tmp_path, JUMPED[name])
    inputs = some_inputs(unit)
    closed &= (1 << len(unit.objectives)) - 1
    assert events_of(unit, inputs, closed) == events_of(unit, inputs)
    points = sum(each.mask for number, each in enumerate(unit.objectives) if not closed >> number & 1)
    with running(unit) as runner:
        entire = [runner.record(values) for values in inputs]
        runner.close_aims(closed)
        jumped = [runner.record(values) for values in inputs]
    labels = sum(each.mask for each in unit.objectives)
    for one, other in zip(entire, jumped, strict=True):
        assert (one.ending, one.outputs, one.steps) == (other.ending, other.outputs, other.steps)
        assert one.points & (points | ~labels) == other.points & (points | ~labels)


def test_labels_that_no_run_needs_are_jumped_over_unless_they_are_branches(tmp_path: Path) -> None:
    unit, _ = prepare_labelled(tmp_path, SHORT_CIRCUITS)
    (point,) = unit.objectives[0].points
    for is_direct in (False, True):
        with running(unit, is_direct=is_direct) as runner:
            assert runner.trace((2, 1)).points >> point & 1
            runner.close_aims(ALL_LABELS)
            assert runner.trace((2, 1)).points >> point & 1 == is_direct


def test_labels_where_an_earlier_run_evaluated_them_are_jumped_over(tmp_path: Path) -> None:
    """On so many first events of the path; the first label lies before the branch, the second behind it."""
    unit, _ = prepare_labelled(tmp_path, SHORT_CIRCUITS)
    first, second, *_ = (objective.points[0] for objective in unit.objectives)
    with running(unit) as runner:
        for observed, hits in ((0, (1, 1)), (1, (0, 1)), (2, (0, 0)), (0, (1, 1))):
            runner.close_aims(0, observed)
            points = runner.trace((2, 1)).points
            assert (points >> first & 1, points >> second & 1) == hits


@pytest.mark.parametrize("name", JUMPED)
@pytest.mark.parametrize("exhaustive", [False, True])
def test_a_search_that_jumps_finds_the_same(name: str, exhaustive: bool, tmp_path: Path) -> None:
    """Verdicts, runs, and what the kept runs cover: the suite does not grow."""
    unit, options = prepare_labelled(tmp_path, JUMPED[name], exhaustive=exhaustive)
    jumping = explored(unit, options, looks_for_errors=False)  # which the clock ends
    with patch.object(Runner, "close_aims", lambda runner, closed, observed=0: None):
        staying = explored(unit, options, looks_for_errors=False)
    assert verdicts(jumping) == verdicts(staying)
    assert (jumping.paths, jumping.progress.runs) == (staying.paths, staying.progress.runs)
    covered = [objective for objective, verdict in jumping.ledger if verdict.word == "covered"]
    assert len(reduce_runs(jumping.runs, covered)) <= len(reduce_runs(staying.runs, covered))
    with running(unit) as runner:
        assert all(runner.trace(run.input).points == run.points for run in jumping.runs)


def test_a_label_that_is_not_modelled_is_not_proved_and_others_are(tmp_path: Path) -> None:
    text = """
    double pow(double, double);
    int target(signed char a)
    {
        LABEL(0, pow(a, 2.0) == -1.0);
        LABEL(1, a > 127);
        return a == 3;
    }
    """
    unit, options = prepare_labelled(tmp_path, text)
    assert verdicts(explored(unit, options)) == {"0": "unknown: approximate", "1": "infeasible"}


def test_too_many_observations_prove_nothing(tmp_path: Path) -> None:
    text = """
    int target(unsigned char a)
    {
        LABEL(0, a == 1);
        for (int i = 0; i < 20000; i++) { LABEL(1, a * a == 3); }
        LABEL(2, a * 7 == 77);
        return 0;
    }
    """
    unit, options = prepare_labelled(tmp_path, text)
    assert verdicts(explored(unit, options)) == {
        "0": "covered",
        "1": "unknown: approximate",
        "2": "unknown: approximate",
    }
