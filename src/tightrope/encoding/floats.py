"""Floats as terms: comparisons, classes, bits and signs, and conversion to integers.

A NaN has many bit patterns, but a term has only one. So the bits of a float are known only if it was made from bits,
and what depends on the bits of a computed NaN is unknown.
"""

from __future__ import annotations

from tightrope.expr import ieee, plain
from tightrope.expr.build import fold, negate
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, choose, either
from tightrope.expr.terms import Term, TermTable

KNOWN_DEPTH = 8

# LLVM's predicate -> (operator, operands are swapped, the result is negated). An unordered one is the negation of an
# ordered one.
_PREDICATES = {
    "oeq": (Op.F_EQ, False, False),
    "ogt": (Op.F_LT, True, False),
    "oge": (Op.F_LE, True, False),
    "olt": (Op.F_LT, False, False),
    "ole": (Op.F_LE, False, False),
    "ugt": (Op.F_LE, False, True),
    "uge": (Op.F_LT, False, True),
    "ult": (Op.F_LE, True, True),
    "ule": (Op.F_LT, True, True),
    "une": (Op.F_EQ, False, True),
}

# Classes of LLVM's `is.fpclass` that do not distinguish quiet from signalling NaN, by their bits in the mask.
NAN, NEGATIVE_ZERO, ZEROS, INFINITIES, FINITE = 3, 32, 96, 516, 504


def test(table: TermTable, op: Op, *args: Term) -> Term:
    """A condition on floats."""
    return fold(table, table.make(op, 1, args))


def is_nan(table: TermTable, x: Term) -> Term:
    return test(table, Op.F_IS_NAN, x)


def number(table: TermTable, value: float, bits: int) -> Term:
    return table.float_constant(ieee.from_python(value, bits), bits)


def compare_floats(table: TermTable, predicate: str, x: Term, y: Term) -> Term | None:
    """LLVM's `fcmp`; None for `true` and `false`, which C cannot express."""
    if predicate in ("ord", "uno"):
        unordered = either(table, is_nan(table, x), is_nan(table, y))
        return unordered if predicate == "uno" else negate(table, unordered)
    if predicate in ("one", "ueq"):
        differ = either(table, test(table, Op.F_LT, x, y), test(table, Op.F_LT, y, x))
        return differ if predicate == "one" else negate(table, differ)
    if predicate not in _PREDICATES:
        return None
    op, is_swapped, is_negated = _PREDICATES[predicate]
    answer = test(table, op, *((y, x) if is_swapped else (x, y)))
    return negate(table, answer) if is_negated else answer


def from_bits(table: TermTable, pattern: Term) -> Term:
    """The float with these bits. `known_bits` returns them again, even those of a NaN."""
    if pattern.op is Op.CONSTANT and not ieee.is_nan(pattern.number, pattern.bits):
        return table.float_constant(pattern.number, pattern.bits)
    return table.make(Op.F_FROM_BITS, pattern.bits, (pattern,), 0, True)


def known_bits(table: TermTable, x: Term, depth: int = KNOWN_DEPTH) -> Term | None:
    """The bits of a float that was made from bits, by changes of sign and choices only; None for others."""
    if x.op is Op.F_FROM_BITS:
        return x.args[0]
    if x.op is Op.CONSTANT:  # a NaN may be computed, without its original pattern
        return None if ieee.is_nan(x.number, x.bits) else table.constant(x.number, x.bits)
    if not depth or x.op not in (Op.F_NEG, Op.F_ABS, Op.ITE):
        return None
    parts = [known_bits(table, each, depth - 1) for each in x.args if each.is_float]
    if parts[0] is None or parts[-1] is None:
        return None
    if x.op is Op.ITE:
        return choose(table, x.args[0], parts[0], parts[-1])
    sign = ieee.SIGN[x.bits]
    if x.op is Op.F_NEG:
        return apply(table, Op.XOR, parts[0], table.constant(sign, x.bits))
    return apply(table, Op.AND, parts[0], table.constant(sign - 1, x.bits))


def is_negative(table: TermTable, x: Term) -> Term:
    """The sign bit of a float that is not NaN."""
    below = test(table, Op.F_LT, x, number(table, 0.0, x.bits))
    return either(table, below, test(table, Op.F_SAME, x, number(table, -0.0, x.bits)))


def with_sign(table: TermTable, x: Term, is_set: Term) -> Term:
    """|x|, or -|x| where `is_set`."""
    magnitude = plain.apply(table, Op.F_ABS, x)
    return choose(table, is_set, plain.apply(table, Op.F_NEG, magnitude), magnitude)


def may_signal(x: Term) -> bool:
    """True if x may be a signalling NaN; arithmetic yields quiet ones."""
    if x.op is Op.CONSTANT:
        return ieee.is_nan(x.number, x.bits) and not x.number >> (ieee.FRACTION_BITS[x.bits] - 1) & 1
    return x.op in (Op.F_FROM_BITS, Op.F_NEG, Op.F_ABS, Op.ITE)


def is_of_class(table: TermTable, x: Term, mask: int) -> Term | None:
    """LLVM's `is.fpclass`; None if it distinguishes quiet from signalling NaN."""
    if mask & NAN not in (0, NAN):
        return None
    magnitude = plain.apply(table, Op.F_ABS, x)
    infinity = table.float_constant(ieee.INFINITY[x.bits], x.bits)
    if mask == FINITE:
        return test(table, Op.F_LT, magnitude, infinity)
    result = is_nan(table, x) if mask & NAN else table.constant(0, 1)
    for negative, positive, condition in _magnitudes(table, magnitude, infinity):
        if mask & (negative | positive):
            result = either(table, result, _of_sign(table, x, mask, negative, positive, condition))
    return result


def _magnitudes(table: TermTable, magnitude: Term, infinity: Term) -> list[tuple[int, int, Term]]:
    """(mask of the negative ones, of the positive ones, condition on |x|)."""
    bits = magnitude.bits
    least = table.float_constant(1 << ieee.FRACTION_BITS[bits], bits)  # normal number
    zero, is_normal = number(table, 0.0, bits), test(table, Op.F_LE, least, magnitude)
    is_finite = test(table, Op.F_LT, magnitude, infinity)
    below, above = test(table, Op.F_LT, magnitude, least), test(table, Op.F_LT, zero, magnitude)
    return [
        (4, 512, test(table, Op.F_EQ, magnitude, infinity)),
        (8, 256, both(table, is_finite, is_normal)),
        (16, 128, both(table, below, above)),
        (32, 64, test(table, Op.F_EQ, magnitude, zero)),
    ]


def _of_sign(table: TermTable, x: Term, mask: int, negative: int, positive: int, condition: Term) -> Term:
    if mask & negative and mask & positive:
        return condition
    sign = is_negative(table, x)
    return both(table, condition, sign if mask & negative else negate(table, sign))


def fits_integer(table: TermTable, x: Term, bits: int, is_signed: bool) -> Term:
    """The truncated value fits: lowest - 1 < x < highest + 1, or lowest <= x if lowest - 1 is not a float."""
    above = float(1 << (bits - 1 if is_signed else bits))
    lowest = -above if is_signed else 0.0
    digits = ieee.FRACTION_BITS[x.bits] + 1
    if is_signed and bits > digits:
        low = test(table, Op.F_LE, number(table, lowest, x.bits), x)
    else:
        low = test(table, Op.F_LT, number(table, lowest - 1, x.bits), x)
    return both(table, low, test(table, Op.F_LT, x, number(table, above, x.bits)))


def fraction(table: TermTable, x: Term) -> Term:
    """What modf returns: x without its integral part. A zero has the sign of x."""
    zero, minus_zero = number(table, 0.0, x.bits), number(table, -0.0, x.bits)
    whole = plain.apply(table, Op.F_TRUNC, x)
    nothing = choose(table, test(table, Op.F_LT, zero, x), zero, x)
    nothing = choose(table, test(table, Op.F_LT, x, zero), minus_zero, nothing)
    return choose(table, test(table, Op.F_EQ, x, whole), nothing, plain.apply(table, Op.F_SUB, x, whole))
