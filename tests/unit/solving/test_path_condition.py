from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.expr import plain
from tightrope.expr.build import negate
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.group import GroupTable
from tightrope.solving.path_condition import PathCondition

SLOTS = 7


def constraint(table: TermTable, slots: list[int], number: int) -> Term:
    """Some constraint that mentions exactly these slots."""
    total = table.constant(number, 8)
    for slot in slots:
        total = table.make(Op.ADD, 8, (total, table.input(slot, 8)))
    return plain.equals(table, total, table.constant(0, 8))


def sliced_by_hand(constraints: list[Term], support: int) -> set[Term]:
    """The slowest way: grow the support until nothing changes."""
    while True:
        found = {term for term in constraints if term.support & support}
        grown = support
        for term in found:
            grown |= term.support
        if grown == support:
            return found
        support = grown


PATHS = st.lists(
    st.tuples(st.lists(st.integers(0, SLOTS - 1), min_size=1, max_size=3, unique=True), st.integers(0, 3)), max_size=14
)


@given(PATHS, st.integers(1, 2**SLOTS - 1))
@settings(max_examples=200, deadline=None)
def test_slices_are_what_hangs_together(path: list[tuple[list[int], int]], support: int) -> None:
    table = TermTable()
    terms = [constraint(table, slots, number) for slots, number in path]
    condition = PathCondition.empty().extend_all(terms)
    found = condition.slice(support)
    expected = sliced_by_hand(terms, support)
    # A slice wanted for slots of two groups is both groups, so the hand-made one is the union of its parts.
    assert set(found.constraints) == expected
    assert len(found.constraints) == len(expected)
    assert condition.constraints == tuple(dict.fromkeys(terms))


@given(PATHS)
@settings(max_examples=100, deadline=None)
def test_groups_are_a_partition(path: list[tuple[list[int], int]]) -> None:
    table = TermTable()
    terms = [constraint(table, slots, number) for slots, number in path]
    condition = PathCondition.empty().extend_all(terms)
    seen = 0
    for group in condition.groups:
        assert not group.support & seen
        seen |= group.support
    assert seen == condition.support
    assert {term for group in condition.groups for term in group.constraints} == set(terms)


def test_extending_does_not_change_the_condition() -> None:
    table = TermTable()
    first = PathCondition.empty().extend(constraint(table, [0], 1))
    before = first.slice(1).constraints
    first.extend(constraint(table, [0, 1], 2))
    first.extend(constraint(table, [0, 2], 3))
    assert first.slice(0b111).constraints == before


def test_the_same_group_on_another_path_is_the_same_object() -> None:
    table, groups = TermTable(), GroupTable()
    a, b, c, d = (constraint(table, [slot], 1) for slot in range(4))
    joined = constraint(table, [0, 1], 5)
    one = PathCondition.empty(groups).extend_all([a, b, c, joined])
    other = PathCondition.empty(groups).extend_all([d, b, joined, a])
    assert one.slice(1) is other.slice(2)


def test_a_repeated_constraint_adds_nothing() -> None:
    table = TermTable()
    term = constraint(table, [0], 1)
    once = PathCondition.empty().extend(term)
    assert once.extend(term).slice(1) is once.slice(1)
    assert once.extend(term).constraints == (term,)


def test_constants_are_no_constraints() -> None:
    table = TermTable()
    empty = PathCondition.empty()
    assert empty.extend(table.constant(1, 1)) is empty
    with pytest.raises(ValueError, match="no input"):
        empty.extend(table.constant(0, 1))


def test_a_group_knows_its_constraints_and_their_opposites() -> None:
    table = TermTable()
    plain, inverted = constraint(table, [0], 1), negate(table, constraint(table, [0], 2))
    group = PathCondition.empty().extend_all([plain, inverted]).slice(1)
    assert group.includes(plain) and group.includes(inverted)
    assert group.refutes(negate(table, plain)) and group.refutes(negate(table, inverted))
    assert not group.refutes(plain) and not group.includes(constraint(table, [0], 3))


def test_one_growing_group_stays_small() -> None:
    """A loop of five thousand iterations on one slot: one group per iteration, none holds a list of its own."""
    table, condition = TermTable(), PathCondition.empty()
    terms = [plain.equals(table, table.input(0, 32), table.constant(number, 32)) for number in range(5_000)]
    seen = set()
    for term in terms:
        condition = condition.extend(term)
        seen.add(condition.slice(1))
    assert len(seen) == 5_000
    assert condition.slice(1).constraints == tuple(terms) == condition.constraints


def test_long_paths_share_their_tails() -> None:
    """Ten thousand constraints on a hundred slots: quick, and no recursion."""
    table, source = TermTable(), random.Random(1)
    condition = PathCondition.empty()
    terms = [constraint(table, [source.randrange(100)], number % 50) for number in range(10_000)]
    for term in terms:
        condition = condition.extend(term)
    assert len(condition.groups) == 100
    assert set(condition.constraints) == set(terms)
