"""Targets that one changed slot can reach, by stepping back through each operator."""

from __future__ import annotations

import pytest

from tightrope.expr import ieee
from tightrope.expr.build import negate
from tightrope.expr.evaluate import holds
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.local_search.guesses import MOST_STEPS, guess_values

TABLE = TermTable()
X, Y, BYTE = TABLE.input(0, 32), TABLE.input(1, 32), TABLE.input(2, 8)
BASE = (0, 5, 65)


def number(value: int, bits: int = 32) -> Term:
    return TABLE.constant(value, bits)


def make(op: Op, *args: Term, bits: int = 32, lowest: int = 0) -> Term:
    return TABLE.make(op, bits, args, lowest)


def equal(left: Term, value: int) -> Term:
    return make(Op.EQ, left, number(value, left.bits), bits=1)


@pytest.mark.parametrize(
    "target",
    [
        equal(X, 7),
        negate(TABLE, equal(X, 0)),
        make(Op.SLT, X, number(-3), bits=1),
        make(Op.SLT, number(1000), X, bits=1),
        make(Op.ULT, number(1000), make(Op.ADD, X, Y), bits=1),
        negate(TABLE, make(Op.ULE, X, Y, bits=1)),
        negate(TABLE, make(Op.SLT, X, Y, bits=1)),
        make(Op.SLE, Y, X, bits=1),
        equal(make(Op.ADD, make(Op.MUL, X, number(3)), Y), 20),
        equal(make(Op.SUB, number(4), X), 20),
        equal(make(Op.XOR, make(Op.NOT, X), Y), 20),
        equal(make(Op.MUL, X, number(12)), 24),
        equal(make(Op.AND, X, number(0xF0)), 0x30),
        equal(make(Op.OR, X, number(1)), 9),
        equal(make(Op.SHL, X, number(4)), 0x30),
        equal(make(Op.LSHR, X, number(4)), 3),
        equal(make(Op.ASHR, X, number(4)), -3),
        equal(make(Op.UDIV, X, number(10)), 7),
        equal(make(Op.SDIV, X, number(10)), -7),
        equal(make(Op.UREM, X, number(10)), 7),
        equal(make(Op.SREM, X, number(10)), -7),
        equal(make(Op.ZERO_EXTEND, BYTE), 200),
        equal(make(Op.SIGN_EXTEND, BYTE), -2),
        equal(make(Op.EXTRACT, X, bits=8, lowest=8), 0x41),
        equal(make(Op.CONCAT, BYTE, number(1, 8), bits=16), 0x4201),
        make(Op.AND, equal(X, 4), equal(Y, 5), bits=1),
        make(Op.OR, equal(X, 4), equal(Y, 9), bits=1),
        equal(make(Op.ITE, equal(Y, 5), X, number(3)), 12),
        equal(make(Op.ITE, equal(Y, 6), number(12), number(3)), 12),
    ],
    ids=repr,
)
def test_one_slot_is_enough(target: Term) -> None:
    assert not holds(target, BASE)
    guesses = [[*BASE[:slot], value, *BASE[slot + 1 :]] for slot, value in guess_values(target, BASE)]
    assert any(holds(target, guess) for guess in guesses)


def test_guesses_fit_their_slots() -> None:
    target = make(Op.ULT, number(300), make(Op.ZERO_EXTEND, BYTE), bits=1)
    assert all(0 <= value < 256 for _, value in guess_values(target, BASE))


def test_giving_up_is_quick() -> None:
    term = X
    for _ in range(100_000):
        term = make(Op.ADD, term, number(1))
    assert len(list(guess_values(equal(term, 7), BASE))) <= MOST_STEPS


FLOATS = TermTable()
U = FLOATS.make(Op.F_FROM_BITS, 64, (FLOATS.input(0, 64),), 0, True)
V = FLOATS.make(Op.F_FROM_BITS, 32, (FLOATS.input(1, 32),), 0, True)
COUNT = FLOATS.input(2, 32)
FLOAT_BASE = (ieee.from_python(2.0, 64), ieee.from_python(3.0, 32), 4)


def constant(value: float, bits: int = 64) -> Term:
    return FLOATS.float_constant(ieee.from_python(value, bits), bits)


def of(op: Op, *args: Term, bits: int = 64) -> Term:
    return FLOATS.make(op, bits, args, 0, OPERATORS[op].is_float)


@pytest.mark.parametrize(
    "target",
    [
        of(Op.F_LT, U, constant(0.5), bits=1),
        of(Op.F_LT, constant(100.5), U, bits=1),
        of(Op.F_LE, U, constant(-0.5), bits=1),
        negate(FLOATS, of(Op.F_LE, U, constant(7.5), bits=1)),
        of(Op.F_LT, V, constant(0.0, 32), bits=1),
        of(Op.F_LT, constant(16777216.0, 32), V, bits=1),
        of(Op.F_EQ, U, constant(7.25), bits=1),
        negate(FLOATS, of(Op.F_EQ, U, constant(2.0), bits=1)),
        of(Op.F_IS_NAN, U, bits=1),
        of(Op.F_EQ, of(Op.F_ADD, U, constant(1.0)), constant(7.0), bits=1),
        of(Op.F_EQ, of(Op.F_SUB, constant(1.0), U), constant(7.0), bits=1),
        of(Op.F_EQ, of(Op.F_MUL, U, constant(3.0)), constant(12.0), bits=1),
        of(Op.F_EQ, of(Op.F_DIV, U, constant(3.0)), constant(12.0), bits=1),
        of(Op.F_LT, of(Op.F_SQRT, U), constant(1.0), bits=1),
        of(Op.F_EQ, of(Op.F_ABS, of(Op.F_NEG, U)), constant(9.0), bits=1),
        of(Op.F_EQ, of(Op.F_FLOOR, U), constant(9.0), bits=1),
        of(Op.F_LT, of(Op.F_RESIZE, V), constant(-9.0), bits=1),
        of(Op.F_LT, of(Op.F_FROM_SIGNED, COUNT), constant(-9.5), bits=1),
        of(Op.F_LT, constant(9.5), of(Op.F_FROM_UNSIGNED, COUNT), bits=1),
        of(Op.EQ, of(Op.F_TO_SIGNED, U, bits=32), FLOATS.constant(-4, 32), bits=1),
        of(Op.F_LT, of(Op.F_RESIZE, V), U, bits=1),
    ],
    ids=repr,
)
def test_one_float_is_enough(target: Term) -> None:
    assert not holds(target, FLOAT_BASE)
    guesses = [[*FLOAT_BASE[:slot], value, *FLOAT_BASE[slot + 1 :]] for slot, value in guess_values(target, FLOAT_BASE)]
    assert any(holds(target, guess) for guess in guesses)


def test_a_narrow_gap_between_floats_is_hit() -> None:
    """The neighbour is among the guesses, so x < c works however close x must stay to c."""
    target = of(Op.F_LT, U, constant(2.0), bits=1)
    assert ieee.from_python(1.9999999999999998, 64) in [value for _, value in guess_values(target, FLOAT_BASE)]
