"""The two drawings of numbering.py. Hundreds of decisions: tests/criteria/test_decision_tables.py."""

from __future__ import annotations

from tightrope.program.decisions.boolean_tree import And, ConditionRef, Differ, Or
from tightrope.program.decisions.numbering import IndexStep, Numbering, number_vectors

A, B, C = map(ConditionRef, range(3))


def test_steps() -> None:
    assert number_vectors(And(A, Or(B, C))) == Numbering(
        first=0,
        steps={
            0: (IndexStep(0, True), IndexStep(1, False)),
            1: (IndexStep(0, False), IndexStep(2, True)),
            2: (IndexStep(0, True), IndexStep(1, True)),
        },
    )


def test_table() -> None:
    rows = ((1, 3), (5 + 0, 2), (5 + 1, 5 + 2), (4, 5 + 5), (5 + 3, 5 + 4))
    assert number_vectors(And(Differ(A, B), C)) == Numbering(first=0, steps={}, table=rows)


def test_steps_are_enough_where_context_changes_nothing() -> None:
    steps = {0: (IndexStep(0, False), IndexStep(2, False)), 1: (IndexStep(0, True), IndexStep(1, True))}
    assert number_vectors(Differ(A, B)) == Numbering(first=0, steps=steps)


def test_constants_are_stepped_over() -> None:
    assert number_vectors(And(A, Or(B, C)), {0: True, 1: False}) == Numbering(
        2, {2: (IndexStep(0, True), IndexStep(1, True))}
    )
    assert number_vectors(And(A, B), {0: False}) == Numbering(None, {})
