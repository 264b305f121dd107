"""State invariants: which states they contain, and that their terms say the same."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tightrope.encoding.encoding import StateCell
from tightrope.engines.call_induction import FEW, PATIENCE, CellValues, StateInvariant
from tightrope.expr.evaluate import evaluate
from tightrope.expr.terms import TermTable


def test_few_values_are_listed() -> None:
    values = CellValues(8, (-1, 0, 1, 100))
    for raw in (0, 7, 255):
        values.add(raw)
    assert [raw for raw in range(256) if values.contains(raw)] == [0, 7, 255]


def test_many_values_are_a_range_that_grows_to_constants() -> None:
    values = CellValues(8, (-1, 0, 1, 99, 100, 101))
    for raw in range(FEW + 1):
        values.add(raw)
    assert (values.low, values.high) == (0, FEW)
    values.add(20)
    assert (values.low, values.high) == (0, 99)
    values.add(255)
    assert values.low == -1
    for _ in range(PATIENCE):
        values.add(values.high + 1 if values.high < 127 else 0)
    assert values.high == 127


def invariant(states: list[tuple[int, int]]) -> tuple[StateInvariant, TermTable]:
    table = TermTable()
    cells = [
        StateCell("@a", 0, table.input(0, 8), table.input(2, 8)),
        StateCell("@b", 0, table.input(1, 8), table.input(3, 8)),
    ]
    made = StateInvariant(table, cells, (5, 200))
    for state in states:
        made.add(state)
    return made, table


def test_pairs_that_were_not_seen_are_excluded() -> None:
    made, _ = invariant([(1, 1), (1, 0)])
    assert [state for state in product((0, 1), repeat=2) if made.contains(state)] == [(0, 0), (1, 0), (1, 1)]


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 3)), max_size=20))
def test_terms_hold_for_exactly_the_states_inside(states: list[tuple[int, int]]) -> None:
    made, _ = invariant(states)
    claims = made.before()
    assert all(made.contains(state) for state in states)
    for state in [(0, 0), (0, 3), (17, 1), (128, 2), (255, 0), *states]:
        assert all(evaluate(claim, state) for claim in claims) == made.contains(state)
