"""Integers as terms: counting, swapping and rotating bits (the intrinsics behind `__builtin_popcount` and similar
functions), and whether a sum, difference or product overflows.

Law of `fits`: the condition is true exactly for the inputs for which the mathematical result fits the operands' width,
signed or unsigned.
"""

from __future__ import annotations

from tightrope.expr.build import negate
from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.simplify import (
    apply,
    both,
    choose,
    compare,
    complement,
    concat,
    either,
    extract,
    resize,
    upper_bound,
    zero_extend,
)
from tightrope.expr.terms import Term, TermTable

WIDEST = 64
_DEPTH = 4


def population(table: TermTable, x: Term) -> Term:
    """The number of bits that are set."""
    total = table.constant(0, x.bits)
    for index in range(x.bits):
        total = apply(table, Op.ADD, total, zero_extend(table, extract(table, x, index, 1), x.bits))
    return total


def zeros(table: TermTable, x: Term, from_top: bool) -> Term:
    """The number of zeros before the first 1; the width if there is none."""
    count = table.constant(x.bits, x.bits)
    for distance in reversed(range(x.bits)):
        bit = extract(table, x, x.bits - 1 - distance if from_top else distance, 1)
        count = choose(table, bit, table.constant(distance, x.bits), count)
    return count


def reverse(table: TermTable, x: Term, unit: int) -> Term:
    """Reverse the order of units: bytes (8), or single bits (1)."""
    result = extract(table, x, x.bits - unit, unit)
    for low in range(x.bits - 2 * unit, -1, -unit):
        result = concat(table, extract(table, x, low, unit), result)
    return result


def funnel(table: TermTable, high: Term, low: Term, amount: Term, is_left: bool) -> Term:
    """fshl, fshr: the upper half of (high:low) shifted left, or its lower half shifted right, by amount % width."""
    width = table.constant(high.bits, high.bits)
    shift = apply(table, Op.UREM, amount, width)
    rest = apply(table, Op.SUB, width, shift)
    up, down = (shift, rest) if is_left else (rest, shift)
    # If the shift is 0, `rest` is the width, and a shift by the width yields 0.
    return apply(table, Op.OR, apply(table, Op.SHL, high, up), apply(table, Op.LSHR, low, down))


def extreme(table: TermTable, op: Op, x: Term, y: Term, is_largest: bool) -> Term:
    """The larger or the smaller one; `op` is ULT or SLT."""
    is_x = compare(table, op, y, x) if is_largest else compare(table, op, x, y)
    return choose(table, is_x, x, y)


# -- overflow


def fits(table: TermTable, op: Op, x: Term, y: Term, is_signed: bool) -> Term:
    """True where `x op y` (ADD, SUB or MUL) does not overflow."""
    if _always_fits(op, x, y, is_signed):
        return table.constant(1, 1)
    if op is Op.MUL:
        return _product_fits(table, x, y, is_signed)
    return _signed_sum_fits(table, op, x, y) if is_signed else _unsigned_sum_fits(table, op, x, y)


def _always_fits(op: Op, x: Term, y: Term, is_signed: bool) -> bool:
    if is_signed:
        one, other = signed_width(x), signed_width(y)
        return (one + other if op is Op.MUL else max(one, other) + 1) <= x.bits
    if op is Op.SUB:
        return False
    one, other = upper_bound(x), upper_bound(y)
    return (one * other if op is Op.MUL else one + other) < 1 << x.bits


def signed_width(term: Term, depth: int = _DEPTH) -> int:
    """An upper bound on the bits that a number needs, including its sign."""
    if term.op is Op.CONSTANT:
        value = signed(term.number, term.bits)
        return (~value if value < 0 else value).bit_length() + 1
    if term.op is Op.SIGN_EXTEND:
        return term.args[0].bits
    if depth and term.op is Op.ITE:
        return max(signed_width(term.args[1], depth - 1), signed_width(term.args[2], depth - 1))
    natural = upper_bound(term).bit_length() + 1
    if depth and term.op in (Op.ADD, Op.SUB, Op.MUL):
        one, other = (signed_width(each, depth - 1) for each in term.args)
        natural = min(natural, one + other if term.op is Op.MUL else max(one, other) + 1)
    return min(natural, term.bits)


def _unsigned_sum_fits(table: TermTable, op: Op, x: Term, y: Term) -> Term:
    if op is Op.SUB:
        return compare(table, Op.ULE, y, x)
    return compare(table, Op.ULE, x, complement(table, y))  # x <= MAX - y


def _signed_sum_fits(table: TermTable, op: Op, x: Term, y: Term) -> Term:
    """Overflow: x and y (of x + y), or x and not y (of x - y), have the same sign, and the result has the other."""
    if y.op is Op.CONSTANT:
        return _fits_with_constant(table, x, signed(y.number, y.bits) * (1 if op is Op.ADD else -1))
    if x.op is Op.CONSTANT:
        return _constant_fits(table, op, signed(x.number, x.bits), y)
    result, top = apply(table, op, x, y), x.bits - 1
    differs = apply(table, Op.XOR, x, result)
    other = apply(table, Op.XOR, y, result) if op is Op.ADD else apply(table, Op.XOR, x, y)
    return negate(table, extract(table, apply(table, Op.AND, differs, other), top, 1))


def _fits_with_constant(table: TermTable, x: Term, c: int) -> Term:
    """x + c does not overflow; c may be 2**(bits - 1)."""
    half = 1 << (x.bits - 1)
    if c > 0:
        return compare(table, Op.SLT, x, table.constant(half - c, x.bits))
    return compare(table, Op.SLE, table.constant(-half - c, x.bits), x)


def _constant_fits(table: TermTable, op: Op, c: int, y: Term) -> Term:
    """c + y or c - y does not overflow."""
    half = 1 << (y.bits - 1)
    if op is Op.ADD:
        return _fits_with_constant(table, y, c)
    if c >= 0:  # c - y <= half - 1
        return compare(table, Op.SLE, table.constant(c - half + 1, y.bits), y)
    return compare(table, Op.SLE, y, table.constant(c + half, y.bits))


def _product_fits(table: TermTable, x: Term, y: Term, is_signed: bool) -> Term:
    if x.op is Op.CONSTANT:
        x, y = y, x
    if y.op is Op.CONSTANT:
        return _multiple_fits(table, x, y.number, is_signed)
    if 2 * x.bits <= WIDEST:
        return _is_narrow(table, x, y, is_signed)
    return _divides_back(table, x, y, is_signed)


def _multiple_fits(table: TermTable, x: Term, number: int, is_signed: bool) -> Term:
    """x * c does not overflow: x lies between two numbers."""
    bits, half = x.bits, 1 << (x.bits - 1)
    c = signed(number, bits) if is_signed else number
    if c == 0:
        return table.constant(1, 1)
    if not is_signed:
        return compare(table, Op.ULE, x, table.constant(((1 << bits) - 1) // c, bits))
    if c > 0:
        least, most = -(half // c), (half - 1) // c
    else:
        least, most = -((half - 1) // -c), half // -c
    at_least = compare(table, Op.SLE, table.constant(least, bits), x)
    return both(table, at_least, compare(table, Op.SLE, x, table.constant(min(most, half - 1), bits)))


def _is_narrow(table: TermTable, x: Term, y: Term, is_signed: bool) -> Term:
    """The product, computed with twice the width, is an extension of its lower half."""
    wide = 2 * x.bits
    product = apply(table, Op.MUL, resize(table, x, wide, is_signed), resize(table, y, wide, is_signed))
    back = resize(table, extract(table, product, 0, x.bits), wide, is_signed)
    return compare(table, Op.EQ, product, back)


def _divides_back(table: TermTable, x: Term, y: Term, is_signed: bool) -> Term:
    """A product fits if division gives the factor back. MIN / -1 is MIN, which is excluded explicitly."""
    zero = table.constant(0, x.bits)
    quotient = apply(table, Op.SDIV if is_signed else Op.UDIV, apply(table, Op.MUL, x, y), x)
    is_same = compare(table, Op.EQ, quotient, y)
    if is_signed:
        is_minus_one = compare(table, Op.EQ, x, table.constant(-1, x.bits))
        is_lowest = compare(table, Op.EQ, y, table.constant(1 << (x.bits - 1), x.bits))
        is_same = both(table, is_same, negate(table, both(table, is_minus_one, is_lowest)))
    return either(table, compare(table, Op.EQ, x, zero), is_same)
