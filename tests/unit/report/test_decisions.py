"""Decisions in a report: the vectors that tests evaluate."""

from __future__ import annotations

from dataclasses import replace

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, ConditionRef, Or, vectors
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.flow.points import number_points
from tightrope.program.marks.marks import Marks
from tightrope.report.decision_tables import table_lines
from tightrope.report.decisions import decision_ids, report_decisions
from tightrope.report.model import ReportedObjective, ReportedVector

FIRSTS = {"@f": Location("f.c", 10)}


def decision(tree, *texts, line=12, **rest) -> Decision:
    conditions = tuple(Condition(text, Location("f.c", line, 9 + 5 * at), 0, 0) for at, text in enumerate(texts))
    return Decision("@f", " ... ".join(texts), Location("f.c", line, 9), "if", tree, conditions, **rest)


AND_OR = decision(And(ConditionRef(0), Or(ConditionRef(1), ConditionRef(2))), "a", "b", "c")
NOT_FOLLOWED = decision(ConditionRef(0), "d", line=14, problem="the compiler changes it")


def reported(*tests):
    marks = Marks((AND_OR, NOT_FOLLOWED))
    points = number_points((), [len(vectors(AND_OR.tree)), 0])
    return report_decisions(marks, points, FIRSTS, tests)


def objective(line, column) -> ReportedObjective:
    return ReportedObjective("f:mcdc", "mcdc", "", line, column, "", "unknown", file="f.c")


def test_vectors_that_tests_evaluate_are_listed_with_the_tests() -> None:
    first, second = reported(("one", 0b0011), ("two", 0b0010))
    assert first.id == "f:+2.9"
    assert first.possible == 4
    assert first.vectors == (
        ReportedVector((False, None, None), False, ("one",)),
        ReportedVector((True, False, False), False, ("one", "two")),
    )
    assert (second.problem, second.vectors, second.possible) == ("the compiler changes it", (), 0)


def test_decisions_of_one_place_are_numbered() -> None:
    assert decision_ids([AND_OR, AND_OR, NOT_FOLLOWED], FIRSTS) == ["f:+2.9", "f:+2.9#2", "f:+4.9"]


def test_the_table_shows_what_is_not_evaluated_as_a_dash() -> None:
    lines = [
        line.plain for line in table_lines(reported(("one", 0b1001), ("two", 1), ("three", 1)), [objective(12, 14)])
    ]
    assert lines == [
        "  vectors of f.c:12:9  a ... b ... c",
        "    C1 = a, C2 = b, C3 = c",
        "    C1 C2 C3",
        "     F  -  - = F   one, two and 1 more",
        "     T  T  - = T   one",
    ]


def test_no_table_where_nothing_is_missing_or_there_is_one_condition() -> None:
    assert not list(table_lines(reported(("one", 1)), []))
    assert not list(table_lines(reported(("one", 1)), [objective(14, 9)]))
    assert not list(table_lines(reported(("one", 1)), [objective(12, 5)]))


def test_no_table_where_the_decision_cannot_be_followed() -> None:
    long = decision(And(ConditionRef(0), ConditionRef(1)), "d", "e", line=14, problem="the compiler changes it")
    rows = report_decisions(Marks((long,)), number_points((), [0]), FIRSTS, [])
    assert not list(table_lines(rows, [objective(14, 9)]))


def test_the_units_own_main_is_called_main() -> None:
    main = replace(AND_OR, function=f"@{UNIT_MAIN}")
    assert decision_ids([main], {main.function: Location("f.c", 10)}) == ["main:+2.9"]
