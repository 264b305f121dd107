"""Bits counted, swapped, rotated: the intrinsics behind C's `__builtin_popcount` and its kin, as terms."""

from __future__ import annotations

from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, choose, compare, concat, extract, zero_extend
from tightrope.expr.terms import Term, TermTable


def population(table: TermTable, x: Term) -> Term:
    """How many bits are set."""
    total = table.constant(0, x.bits)
    for index in range(x.bits):
        total = apply(table, Op.ADD, total, zero_extend(table, extract(table, x, index, 1), x.bits))
    return total


def zeros(table: TermTable, x: Term, from_top: bool) -> Term:
    """How many bits are 0 before the first 1; the width when there is none."""
    count = table.constant(x.bits, x.bits)
    for distance in reversed(range(x.bits)):
        bit = extract(table, x, x.bits - 1 - distance if from_top else distance, 1)
        count = choose(table, bit, table.constant(distance, x.bits), count)
    return count


def reverse(table: TermTable, x: Term, unit: int) -> Term:
    """Units of bits in opposite order: bytes (8), or single bits (1)."""
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
    # Where the shift is 0, `rest` is the width, and what is shifted by that is 0.
    return apply(table, Op.OR, apply(table, Op.SHL, high, up), apply(table, Op.LSHR, low, down))


def extreme(table: TermTable, op: Op, x: Term, y: Term, is_largest: bool) -> Term:
    """The larger or the smaller one; `op` is ULT or SLT."""
    is_x = compare(table, op, y, x) if is_largest else compare(table, op, x, y)
    return choose(table, is_x, x, y)
