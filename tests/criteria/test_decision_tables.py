"""Vectors, masks, terminations and numbers of hundreds of decisions, against brute force over their truth tables."""

from __future__ import annotations

from decision_shapes import CASES, ENUMERATED, Table, as_c

from tightrope.program.decisions.boolean_tree import (
    ConditionRef,
    Differ,
    Tree,
    Vector,
    count_vectors,
    evaluate,
    leaves,
    vectors,
)
from tightrope.program.decisions.masking import fixed_polarities, is_static, mark, masks, terminations, unmasked
from tightrope.program.decisions.numbering import Numbering, number_vectors

TABLES = [Table(case) for case in CASES]
FREE = [table for table in TABLES if not table.case.constants]


def test_enough_decisions() -> None:
    assert len({case.tree for case in ENUMERATED}) == len(ENUMERATED) > 600


def test_vectors_are_what_evaluation_in_c_does() -> None:
    for table in TABLES:
        found = vectors(table.case.tree, table.case.constants)
        assert set(found) == set(table.vectors()), as_c(table.case.tree)
        assert len(found) == len(set(found)) == count_vectors(table.case.tree, table.case.constants)


def test_vectors_with_false_come_first() -> None:
    for table in TABLES:
        found = vectors(table.case.tree, table.case.constants)
        assert list(found) == sorted(found, key=lambda vector: [bool(value) for value in vector.values])


def test_nothing_is_skipped_when_every_condition_has_a_value() -> None:
    for table in TABLES:
        for values, (_, outcome) in table.rows.items():
            assert evaluate(table.case.tree, dict(enumerate(values))) == outcome


def test_unmasked_is_what_the_definition_says() -> None:
    for table in TABLES:
        for vector in table.vectors():
            assert unmasked(table.case.tree, vector, table.case.constants) == table.unmasked(vector), vector


def test_the_marking_function_finds_what_is_unmasked() -> None:
    static = [table for table in FREE if is_static(table.case.tree)]
    assert len(static) > 600
    for table in static:
        for vector in table.vectors():
            assert mark(table.case.tree, vector) == table.unmasked(vector), vector


def test_masks_are_those_of_the_truth_table() -> None:
    for table in FREE:
        tree, by_force = table.case.tree, masked_by_force(table)
        for key, masked in masks(tree).items():
            if is_static(tree):
                assert masked == by_force[key], (as_c(tree), key)
            else:
                assert masked <= by_force[key], (as_c(tree), key)


def masked_by_force(table: Table) -> dict[tuple[int, bool], frozenset[int]]:
    """By condition and value: those before it that matter in no evaluation where it has that value, but in others."""
    found = {}
    for index in leaves(table.case.tree):
        for value in (False, True):
            here = [vector for vector in table.vectors() if vector.values[index] is value]
            before = {other for vector in here for other in range(index) if vector.values[other] is not None}
            found[index, value] = frozenset(before.difference(*(table.unmasked(vector) for vector in here)))
    return found


def test_terminations_are_those_of_the_truth_table() -> None:
    for table in FREE:
        for (index, value), ends in terminations(table.case.tree).items():
            last = {asked[-1] == index for vector, asked in table.vectors().items() if vector.values[index] is value}
            assert ends == (last.pop() if len(last) == 1 else None), (as_c(table.case.tree), index, value)
            assert ends is not None or not is_static(table.case.tree)


def test_polarity_is_fixed_when_value_tells_outcome() -> None:
    for table in TABLES:
        for index in leaves(table.case.tree):
            seen = {(v.values[index], v.outcome) for v in table.vectors() if index in table.unmasked(v)}
            by_force = len({value is outcome for value, outcome in seen}) < 2
            claimed = index in fixed_polarities(table.case.tree, table.case.constants)
            assert claimed == by_force or (by_force and table.case.constants), (table.case, index)


def test_numbers_lead_to_the_vector() -> None:
    tables = 0
    for table in TABLES:
        numbering = number_vectors(table.case.tree, table.case.constants)
        tables += bool(numbering.table)
        for position, vector in enumerate(vectors(table.case.tree, table.case.constants)):
            asked = [index for index in table.vectors()[vector] if index not in table.case.constants]
            assert follow(numbering, asked, vector) == (position if asked else None), (table.case, vector)
    assert tables > 4


def follow(numbering: Numbering, asked: list[int], vector: Vector) -> int | None:
    """What a run would do: the number at which the decision ends, at the last condition and not before."""
    state, ended = 99, False  # something left behind by an evaluation that was broken off
    for index in asked:
        assert not ended
        value = bool(vector.values[index])
        state = 0 if index == numbering.first else state
        if numbering.table:
            state = numbering.table[state][value]
            ended = state >= len(numbering.table)
        else:
            state += numbering.steps[index][value].weight
            ended = numbering.steps[index][value].ends
    return state - len(numbering.table) if ended else None


def test_steps_are_enough_without_strict_operators() -> None:
    for case in CASES:
        if is_static(case.tree):
            assert not number_vectors(case.tree, case.constants).table


def test_large_decisions_are_counted_without_listing() -> None:
    tree: Tree = ConditionRef(0)
    for index in range(1, 60):
        tree = Differ(tree, ConditionRef(index))
    assert count_vectors(tree) == 2**60
    assert count_vectors(tree, dict.fromkeys(range(58), True)) == 4
