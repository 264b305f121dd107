"""Values of an input for which the sides of a comparison become equal, or neighbours."""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Scalar, bits_to_float, float_to_bits

MOST_SLOTS = 4  # of one side of a comparison that are changed
FLOAT_COMPARISONS = (Op.F_EQ, Op.F_LT, Op.F_LE)
_SIGNED = (Op.SLT, Op.SLE)


def moved_values(comparison: Term, scalar: Scalar, raw: int, mine: int, theirs: int) -> Iterable[int]:
    """Values of an input for which its side of the comparison would equal the other, or be next to it."""
    bits = comparison.args[0].bits
    if comparison.op in FLOAT_COMPARISONS:
        gap = bits_to_float(theirs, bits) - bits_to_float(mine, bits)
        if scalar.kind == "float":
            return (float_to_bits(bits_to_float(raw, scalar.bits) + gap, scalar.bits),)
        return tuple((raw + int(gap) + step) & scalar.mask for step in (0, 1, -1)) if abs(gap) < 1 << 62 else ()
    if scalar.kind == "float":
        return ()
    is_signed = comparison.op in _SIGNED
    gap = signed(theirs, bits) - signed(mine, bits) if is_signed else signed((theirs - mine) & (1 << bits) - 1, bits)
    number = signed(raw, scalar.bits) if scalar.is_signed else raw
    low = -(1 << (scalar.bits - 1)) if scalar.is_signed else 0
    may_wrap = not is_signed and scalar.bits == bits  # (unsigned)a < 5, where a is -11
    moved = (number + sign * gap + step for sign in (1, -1) for step in (0, 1, -1))
    fitting = (each for each in moved if may_wrap or low <= each < low + (1 << scalar.bits))
    return tuple(each & scalar.mask for each in fitting if scalar.kind != "char" or chr(each & 0xFF).isprintable())
