"""The oracle itself, against values worked out by hand or by C."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tightrope.expr import ieee
from tightrope.expr.evaluate import MEANINGS, evaluate, signed
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import TermTable

NAN = {bits: ieee.NOT_A_NUMBER[bits] for bits in (32, 64)}


def of_bits(op: Op, bits: int, *operands: int, result_bits: int = 0, number: int = 0) -> int:
    table = TermTable()
    args = tuple(table.constant(value, bits) for value in operands)
    return evaluate(table.make(op, result_bits or bits, args, number), ())


def of_floats(op: Op, *operands: float, bits: int = 64, result_bits: int = 0) -> int:
    table = TermTable()
    args = tuple(table.float_constant(ieee.from_python(value, bits), bits) for value in operands)
    return evaluate(table.make(op, result_bits or bits, args, 0, OPERATORS[op].is_float), ())


def test_every_operator_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Op) - {Op.INPUT}


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (Op.ADD, 200, 100, 44),
        (Op.SUB, 1, 2, 255),
        (Op.MUL, 16, 17, 16),
        (Op.UDIV, 200, 7, 28),
        (Op.UDIV, 9, 0, 255),
        (Op.SDIV, -7, 2, -3),
        (Op.SDIV, 7, -2, -3),
        (Op.SDIV, -128, -1, -128),
        (Op.SDIV, 5, 0, -1),
        (Op.SDIV, -5, 0, 1),
        (Op.UREM, 200, 7, 4),
        (Op.UREM, 9, 0, 9),
        (Op.SREM, -7, 2, -1),
        (Op.SREM, 7, -2, 1),
        (Op.SREM, -128, -1, 0),
        (Op.SREM, -5, 0, -5),
        (Op.SHL, 3, 7, 128),
        (Op.SHL, 3, 8, 0),
        (Op.LSHR, 200, 3, 25),
        (Op.LSHR, 200, 200, 0),
        (Op.ASHR, -128, 3, -16),
        (Op.ASHR, -128, 200, -1),
        (Op.ASHR, 127, 200, 0),
        (Op.AND, 12, 10, 8),
        (Op.OR, 12, 10, 14),
        (Op.XOR, 12, 10, 6),
    ],
)
def test_arithmetic_on_eight_bits(op: Op, a: int, b: int, expected: int) -> None:
    assert of_bits(op, 8, a, b) == expected & 255


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [(Op.EQ, 3, 3, 1), (Op.ULT, 3, 255, 1), (Op.SLT, 3, 255, 0), (Op.ULE, 255, 255, 1), (Op.SLE, 128, 127, 1)],
)
def test_comparisons_on_eight_bits(op: Op, a: int, b: int, expected: int) -> None:
    assert of_bits(op, 8, a, b, result_bits=1) == expected


def test_moves() -> None:
    assert of_bits(Op.EXTRACT, 16, 0xABCD, result_bits=8, number=4) == 0xBC
    assert of_bits(Op.CONCAT, 8, 0xAB, 0xCD, result_bits=16) == 0xABCD
    assert of_bits(Op.ZERO_EXTEND, 8, 0x80, result_bits=16) == 0x80
    assert of_bits(Op.SIGN_EXTEND, 8, 0x80, result_bits=16) == 0xFF80
    assert of_bits(Op.NOT, 8, 0x0F) == 0xF0
    assert signed(0x80, 8) == -128


def test_only_mentioned_slots_are_read() -> None:
    table = TermTable()
    assert evaluate(table.input(2, 8), {2: 300}) == 300 & 255  # type: ignore[arg-type]


def test_thirty_two_bit_sums_are_rounded_once() -> None:
    assert of_floats(Op.F_ADD, 16777216.0, 1.0, bits=32) == ieee.from_python(16777216.0, 32)
    assert of_floats(Op.F_ADD, 3e38, 3e38, bits=32) == ieee.INFINITY[32]
    assert of_floats(Op.F_SUB, -3e38, 3e38, bits=32) == ieee.INFINITY[32] | ieee.SIGN[32]


@pytest.mark.parametrize("bits", [32, 64])
def test_not_a_number_has_one_pattern(bits: int) -> None:
    assert of_floats(Op.F_SUB, math.inf, math.inf, bits=bits) == NAN[bits]
    assert of_floats(Op.F_SQRT, -1.0, bits=bits) == NAN[bits]
    assert of_floats(Op.F_NEG, math.nan, bits=bits) == NAN[bits]
    assert of_floats(Op.F_DIV, 0.0, 0.0, bits=bits) == NAN[bits]
    table = TermTable()
    odd = table.make(Op.F_FROM_BITS, bits, (table.constant(NAN[bits] + 1, bits),), 0, True)
    assert evaluate(odd, ()) == NAN[bits]


def test_division_by_zero() -> None:
    assert ieee.to_python(of_floats(Op.F_DIV, 1.0, -0.0), 64) == -math.inf
    assert ieee.to_python(of_floats(Op.F_DIV, -1.0, -0.0), 64) == math.inf
    assert of_floats(Op.F_DIV, math.nan, 0.0) == NAN[64]


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        (Op.F_FLOOR, -0.5, -1.0),
        (Op.F_CEIL, -0.5, -0.0),
        (Op.F_TRUNC, -0.5, -0.0),
        (Op.F_ROUND, -0.5, -1.0),
        (Op.F_ROUND, 2.5, 3.0),
        (Op.F_ROUND, 0.49999999999999994, 0.0),
        (Op.F_RINT, 2.5, 2.0),
        (Op.F_RINT, -0.5, -0.0),
        (Op.F_TRUNC, math.inf, math.inf),
        (Op.F_SQRT, -0.0, -0.0),
        (Op.F_SQRT, 2.0, math.sqrt(2.0)),
    ],
)
def test_rounding_to_integral_keeps_the_sign_of_zero(op: Op, value: float, expected: float) -> None:
    assert of_floats(op, value) == ieee.from_python(expected, 64)


def test_least_and_greatest() -> None:
    zero, minus_zero = ieee.from_python(0.0, 64), ieee.from_python(-0.0, 64)
    assert of_floats(Op.F_MIN, 0.0, -0.0) == zero  # the first, by our definition
    assert of_floats(Op.F_MAX, -0.0, 0.0) == minus_zero
    assert of_floats(Op.F_MIN, math.nan, 2.0) == ieee.from_python(2.0, 64) == of_floats(Op.F_MIN, 2.0, math.nan)
    assert of_floats(Op.F_MAX, 1.0, 2.0) == ieee.from_python(2.0, 64)
    assert of_floats(Op.F_MAX, math.nan, math.nan) == NAN[64]


def test_float_comparisons() -> None:
    assert of_floats(Op.F_EQ, 0.0, -0.0, result_bits=1) == 1
    assert of_floats(Op.F_SAME, 0.0, -0.0, result_bits=1) == 0
    assert of_floats(Op.F_EQ, math.nan, math.nan, result_bits=1) == 0
    assert of_floats(Op.F_SAME, math.nan, math.nan, result_bits=1) == 1
    assert of_floats(Op.F_LE, math.nan, 1.0, result_bits=1) == 0
    assert of_floats(Op.F_IS_NAN, math.nan, result_bits=1) == 1


def test_fused_multiply_add_rounds_once() -> None:
    epsilon = 2.0**-27
    exact = Fraction(1 + epsilon) * Fraction(1 - epsilon) - 1
    assert ieee.to_python(of_floats(Op.F_FMA, 1 + epsilon, 1 - epsilon, -1.0), 64) == float(exact) != 0
    assert of_floats(Op.F_FMA, -1.0, 0.0, -0.0) == ieee.SIGN[64]
    assert of_floats(Op.F_FMA, 1.0, 0.0, -0.0) == 0
    assert of_floats(Op.F_FMA, 1e300, 1e300, -math.inf) == ieee.from_python(-math.inf, 64)
    assert of_floats(Op.F_FMA, math.inf, 0.0, 1.0) == NAN[64]


def test_integers_to_thirty_two_bit_floats_are_rounded_once() -> None:
    number = (1 << 60) + (1 << 36) + 1  # through a double this would round twice, and down
    result = of_bits_to_float(number, 32)
    assert Fraction(ieee.to_python(result, 32)) == (1 << 60) + (1 << 37)


def of_bits_to_float(number: int, bits: int) -> int:
    table = TermTable()
    return evaluate(table.make(Op.F_FROM_SIGNED, bits, (table.constant(number, 64),), 0, True), ())


def test_float_to_integer_truncates() -> None:
    assert of_floats(Op.F_TO_SIGNED, -2.9, result_bits=32) == -2 & 0xFFFFFFFF
    assert of_floats(Op.F_TO_UNSIGNED, 4294967295.9, result_bits=32) == 0xFFFFFFFF
    assert of_floats(Op.F_TO_SIGNED, 1e30, result_bits=32) == 0


@pytest.mark.parametrize("value", [5e-324, 2.2250738585072014e-308, 1.0, 0.1, 1.7976931348623157e308, -3.5])
def test_exact_fractions_come_back(value: float) -> None:
    assert ieee.from_fraction(Fraction(value), 64) == ieee.from_python(value, 64)
    assert ieee.from_fraction(Fraction(value), 32) == ieee.from_python(value, 32)
