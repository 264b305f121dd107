"""The example of masking.py and Fig. 2 of the paper. Hundreds of decisions: tests/criteria/test_decision_tables.py."""

from __future__ import annotations

import pytest

from tightrope.program.decisions.boolean_tree import And, Choice, ConditionRef, Differ, Or, Vector
from tightrope.program.decisions.masking import fixed_polarities, is_static, mark, masks, terminations, unmasked

A, B, C = map(ConditionRef, range(3))
FIG_2 = And(A, Or(B, C))


def test_masks_of_the_papers_example() -> None:
    found = masks(FIG_2)
    assert {key: set(masked) for key, masked in found.items() if masked} == {(2, True): {1}, (2, False): {0}}


def test_terminations_of_the_papers_example() -> None:
    ends = {key for key, over in terminations(FIG_2).items() if over}
    assert ends == {(0, False), (1, True), (2, True), (2, False)}


def test_terminations_that_depend_on_what_came_before() -> None:
    found = terminations(And(Differ(A, B), C))
    assert found[0, True] is False
    assert found[1, True] is None
    assert found[2, True] is True


def test_marking_function() -> None:
    assert mark(FIG_2, Vector((True, False, False), False)) == {1, 2}
    assert mark(FIG_2, Vector((True, False, True), True)) == {0, 2}
    assert mark(FIG_2, Vector((False, None, None), False)) == {0}


def test_marking_function_refuses_what_never_happens() -> None:
    with pytest.raises(ValueError, match="nothing ends the decision"):
        mark(FIG_2, Vector((True, None, None), False))


def test_constants_that_were_not_evaluated_have_their_value() -> None:
    vector = Vector((False, None), False)
    assert unmasked(And(A, B), vector) == {0}
    assert unmasked(And(A, B), vector, {1: False}) == frozenset()


def test_polarity() -> None:
    assert fixed_polarities(FIG_2) == {0, 1, 2}
    assert fixed_polarities(And(Differ(A, B), C)) == {2}
    assert fixed_polarities(Differ(A, B), {1: True}) == {0}
    assert fixed_polarities(Choice(A, B, C)) == {1, 2}


def test_static() -> None:
    assert is_static(Choice(A, B, C))
    assert not is_static(And(A, Differ(B, C)))
