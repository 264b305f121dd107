"""The laws of branch distance, on drawn conditions; and the slopes that a search follows."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from term_strategies import COMPARISONS, FLOAT_COMPARISONS, MOVES, Grower, Sample, float_patterns

from tightrope.expr import ieee
from tightrope.expr.distance import distance
from tightrope.expr.evaluate import evaluate, holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable

CONNECTIVES = (Op.NOT, Op.AND, Op.OR, Op.XOR, Op.EQ, Op.ITE)
OTHERS = (*COMPARISONS, *FLOAT_COMPARISONS, *MOVES, Op.ITE, Op.ADD, Op.F_ADD)


@st.composite
def conditions(draw: Callable[..., object]) -> Sample:
    """Comparisons of numbers, then connectives over them; among the numbers are conditions made wider."""
    grower = Grower(draw, "any")
    grower.add_float(draw(st.sampled_from((32, 64))))
    grower.add_bits(draw(st.sampled_from((1, 8, 32, 64))))
    for op in draw(st.lists(st.sampled_from(OTHERS), min_size=1, max_size=8)):
        grower.grow(op)
    term = grower.pick(1)
    for op in draw(st.lists(st.sampled_from(CONNECTIVES), max_size=5)):
        arity = {Op.NOT: 1, Op.ITE: 3}.get(op, 2)
        others = [grower.pick(1) for _ in range(arity - 1)]
        term = grower.table.make(op, 1, tuple(draw(st.permutations([term, *others]))))
        grower.pool.append(term)
    return grower.sample(term)


@given(conditions())
@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
def test_zero_exactly_when_the_condition_is_as_wanted(sample: Sample) -> None:
    for wanted in (True, False):
        found = distance(sample.term, wanted, sample.values)
        assert (found == 0) == (holds(sample.term, sample.values) == wanted)
        assert 0 <= found < 1


@pytest.mark.parametrize("op", COMPARISONS, ids=lambda op: op.name)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_no_nearer_when_further_apart(op: Op, data: st.DataObject) -> None:
    """x moves away from y on the side where the comparison fails."""
    table, is_signed = TermTable(), op in (Op.SLT, Op.SLE)
    term = _of_inputs(table, op, 16)
    # EQ goes the short way round, so it is only asked about half of the circle.
    y = data.draw(st.integers(-0x8000, 0x7FFF) if is_signed else st.integers(0, 0x7FFF))
    highest = 0x7FFF if is_signed else y + 0x7FFF
    near, far = sorted(data.draw(st.lists(st.integers(y, highest), min_size=2, max_size=2)))
    at = [distance(term, True, (x & 0xFFFF, y & 0xFFFF)) for x in (near, far)]
    assert at[0] <= at[1]
    assert near == far or at[0] < at[1] or holds(term, (far & 0xFFFF, y & 0xFFFF))


@pytest.mark.parametrize("op", [Op.F_EQ, Op.F_LT, Op.F_LE, Op.F_SAME], ids=lambda op: op.name)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_floats_are_no_nearer_when_further_apart(op: Op, data: st.DataObject) -> None:
    term = _of_floats(TermTable(), op, 64)
    patterns = data.draw(st.lists(float_patterns(64), min_size=3, max_size=3))
    known = [ieee.to_python(p, 64) for p in patterns if not ieee.is_nan(p, 64)]
    numbers = sorted(known, key=lambda number: (number, math.copysign(1, number)))  # -0 comes before 0
    if len(numbers) == 3:
        y, near, far = (ieee.from_python(number, 64) for number in numbers)
        assert distance(term, True, (near, y)) <= distance(term, True, (far, y)) or near == far
        assert distance(term, True, (far, y)) < distance(term, True, (ieee.NOT_A_NUMBER[64], y))


def test_one_step_is_seen_in_the_widest_numbers_that_are_close() -> None:
    term = _of_inputs(TermTable(), Op.EQ, 64)
    at = [distance(term, True, (1 << 63, (1 << 63) + gap)) for gap in (0, 1, 2, 1000, 1001, 1 << 40, (1 << 40) + 1)]
    assert at == sorted(set(at))


def test_equality_goes_the_short_way_round() -> None:
    term = _of_inputs(TermTable(), Op.EQ, 32)
    assert distance(term, True, (0xFFFFFFFF, 0)) == distance(term, True, (1, 0))


def test_both_sides_of_a_conjunction_count_and_the_nearer_of_a_disjunction() -> None:
    table = TermTable()
    p, q = (table.make(Op.EQ, 1, (table.input(slot, 8), table.constant(9, 8))) for slot in (0, 1))
    both, either = table.make(Op.AND, 1, (p, q)), table.make(Op.OR, 1, (p, q))
    assert distance(both, True, (8, 8)) > distance(both, True, (9, 8)) > distance(both, True, (9, 9)) == 0
    assert distance(either, True, (8, 0)) == distance(either, True, (8, 3)) < distance(either, True, (7, 3))


@pytest.mark.parametrize("wider", [Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.ITE], ids=lambda op: op.name)
def test_a_condition_that_c_made_a_number_of_keeps_its_slope(wider: Op) -> None:
    """(int)(x < 10) != 0 and (x < 10 ? 3 : 7) == 3."""
    table = TermTable()
    below = table.make(Op.ULT, 1, (table.input(0, 8), table.constant(10, 8)))
    if wider is Op.ITE:
        number = table.make(wider, 32, (below, table.constant(3, 32), table.constant(7, 32)))
        term = table.make(Op.EQ, 1, (number, table.constant(3, 32)))
    else:
        number = table.make(wider, 32, (below,))
        term = table.make(Op.NOT, 1, (table.make(Op.EQ, 1, (table.constant(0, 32), number)),))
    for x in (9, 10, 200):
        assert distance(term, True, (x,)) == distance(below, True, (x,))
        assert distance(term, False, (x,)) == distance(below, False, (x,))


def test_deep_terms() -> None:
    """Thousands of levels, of connectives and of arithmetic; only the deepest condition fails."""
    table = TermTable()
    number = table.input(0, 32)
    for _ in range(5_000):
        number = table.make(Op.ADD, 32, (number, table.constant(1, 32)))
    term = table.make(Op.EQ, 1, (number, table.constant(5_007, 32)))
    for _ in range(5_000):
        term = table.make(Op.AND, 1, (term, table.make(Op.ULT, 1, (table.input(0, 32), table.constant(50, 32)))))
    assert evaluate(term, (7,)) == 1 and distance(term, True, (7,)) == 0
    assert 0 < distance(term, True, (8,)) < distance(term, True, (9,))


def test_shared_conditions_do_not_multiply() -> None:
    table = TermTable()
    term = _of_inputs(table, Op.ULT, 8)
    for _ in range(60):
        term = table.make(Op.OR, 1, (term, term))
    assert distance(term, True, (3, 2)) > 0


def _of_inputs(table: TermTable, op: Op, bits: int) -> Term:
    return table.make(op, 1, (table.input(0, bits), table.input(1, bits)))


def _of_floats(table: TermTable, op: Op, bits: int) -> Term:
    return table.make(op, 1, tuple(table.make(Op.F_FROM_BITS, bits, (table.input(s, bits),), 0, True) for s in (0, 1)))
