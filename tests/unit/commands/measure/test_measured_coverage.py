"""What tests did, added up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tightrope.commands.measure.measured_coverage import InBuild, KilledMutants, Run, Tally, positions
from tightrope.coverage.objective import Objective, Relation
from tightrope.location import Location
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.program.ir.types import VOID, FunctionType
from tightrope.program.marks.marks import NOTHING
from tightrope.report.model import ReportedObjective, ReportedTest, UnitReport
from tightrope.running.run_record import Outcome

HERE = Location("f.c", 1, 1)
ANY = Objective("f:x", "branch", "true", HERE, "x is true", (4, 7), "")
PAIR = replace(ANY, id="f:y", relation=Relation.PAIR, points=(2, 5, 9), pairs=((2, 5), (2, 9)))
FUNCTION = Function("@f", FunctionType(VOID, ()), (), (), location=HERE)
BUILD = InBuild((FUNCTION,), (ANY, PAIR), NOTHING, Points({}))


def run(name: str, *points: int, outcome: Outcome | None = Outcome.RETURNED) -> Run:
    return Run(name, sum(1 << point for point in points), outcome, "it is never called" if outcome is None else "")


@pytest.mark.parametrize(
    ("objective", "points", "expected"),
    [(ANY, [7], (0,)), (ANY, [3], ()), (PAIR, [2, 9], (0, 2)), (PAIR, [5], (1,)), (PAIR, [], ())],
)
def test_positions_say_which_points_only_where_it_matters(
    objective: Objective, points: list[int], expected: tuple[int, ...]
) -> None:
    assert positions(objective, sum(1 << point for point in points)) == expected


def test_tests_of_one_name_are_told_apart() -> None:
    tally = Tally("f")
    for suite in ("a.c", "b.c", "b.c"):
        tally.add(BUILD, suite, [run("test_it", 4)])
    assert [test.name for test in tally.tests] == ["test_it", "b.c:test_it", "b.c:test_it#2"]


def test_a_test_that_was_not_executed_is_a_warning() -> None:
    tally = Tally("f")
    tally.add(BUILD, "a.c", [run("test_it", outcome=None)])
    assert not tally.tests
    assert tally.warnings == ["test_it of a.c was not executed: it is never called"]


def earlier(text: str = "x is true", fingerprint: str = "now") -> UnitReport:
    row = ReportedObjective("f:x", "branch", "true", 1, 1, text, "covered")
    test = ReportedTest("test_it", {}, "returned", ("f:x",), suite="old.c", hits={"f:x": (0,), "f:gone": (0,)})
    return UnitReport("f.c", "f", ("branch",), "none", 0, "measured", (row,), (test,), fingerprint=fingerprint)


def test_an_earlier_measurement_brings_its_tests() -> None:
    tally = Tally("f")
    tally.add(BUILD, "a.c", [run("test_it", 2)])
    tally.merge(earlier(), "now")
    assert [(test.name, test.hits) for test in tally.tests] == [
        ("test_it", {"f:y": (0,)}),
        ("old.c:test_it", {"f:x": (0,)}),
    ]


def test_what_was_another_objective_then_is_not_taken_over() -> None:
    tally = Tally("f")
    tally.add(BUILD, "a.c", [])
    tally.merge(earlier(text="x is another"), "now")
    assert [test.hits for test in tally.tests] == [{}]


def test_a_measurement_of_other_text_is_left_out_and_said() -> None:
    tally = Tally("f")
    tally.merge(earlier(fingerprint="then"), "now")
    assert not tally.tests
    assert "has changed" in tally.warnings[0]


def test_an_equivalent_mutant_that_leaves_an_array_inside_of_an_object_is_not_killed():
    """The formula of both is about objects; the compiler also checks the arrays in them."""
    points = Points({}, mutants=range(5, 8))
    found = KilledMutants({"a": (1, 2, 3)}, {"a": (2, 3)})
    assert found.points_of("a", points) == 0b111 << 5
    assert found.points_of("a", points, equivalent=1 << 6 | 1 << 5) == 0b101 << 5
