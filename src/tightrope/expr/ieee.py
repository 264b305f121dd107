"""IEEE 754 numbers of 32 and 64 bits as their bit patterns, with Python's double as the calculator.

Law: a result that is not a number always has the pattern `NOT_A_NUMBER[bits]`, whatever the operands' patterns
were (the solver's float theory has one NaN too). So equal patterns mean the same value, and only then.

Python has no 32-bit floats. For + - * / and the square root, computing in double and rounding once more gives the
correctly rounded 32-bit result, because 53 >= 2 * 24 + 2 (Figueroa 1995). It does not for a fused multiply-add or
for a 64-bit integer; those go through `from_fraction`, which rounds an exact rational once.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

NOT_A_NUMBER = {32: 0x7FC0_0000, 64: 0x7FF8_0000_0000_0000}
INFINITY = {32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}
SIGN = {32: 1 << 31, 64: 1 << 63}
FRACTION_BITS = {32: 23, 64: 52}
EXPONENT_BITS = {32: 8, 64: 11}
LOWEST_EXPONENT = {32: -126, 64: -1022}  # of a normal number

_FORMATS = {32: (struct.Struct("<I"), struct.Struct("<f")), 64: (struct.Struct("<Q"), struct.Struct("<d"))}


def is_nan(pattern: int, bits: int) -> bool:
    return pattern & (SIGN[bits] - 1) > INFINITY[bits]


def canonical(pattern: int, bits: int) -> int:
    """The same value, a NaN with its one pattern."""
    return NOT_A_NUMBER[bits] if is_nan(pattern, bits) else pattern


def to_python(pattern: int, bits: int) -> float:
    """The value of a pattern; exact."""
    as_integer, as_float = _FORMATS[bits]
    value: float = as_float.unpack(as_integer.pack(pattern))[0]
    return value


def from_python(value: float, bits: int) -> int:
    """The pattern nearest to a double, ties to even."""
    if value != value:
        return NOT_A_NUMBER[bits]
    as_integer, as_float = _FORMATS[bits]
    try:
        pattern: int = as_integer.unpack(as_float.pack(value))[0]
    except OverflowError:  # struct refuses what C rounds to infinity
        return INFINITY[bits] | (SIGN[bits] if value < 0 else 0)
    return pattern


def from_fraction(value: Fraction, bits: int) -> int:
    """The pattern nearest to an exact rational, ties to even; zero is +0."""
    if value == 0:
        return 0
    sign = SIGN[bits] if value < 0 else 0
    magnitude = abs(value)
    exponent = max(_exponent(magnitude), LOWEST_EXPONENT[bits])
    unit = Fraction(2) ** (exponent - FRACTION_BITS[bits])
    # A subnormal has biased exponent 0 and no hidden bit: both fall out of adding instead of or-ing, and so does
    # the carry of a significand that rounds up to the next power of two.
    significand = round(magnitude / unit)
    pattern = significand + ((exponent - LOWEST_EXPONENT[bits]) << FRACTION_BITS[bits])
    return sign | min(pattern, INFINITY[bits])


def _exponent(magnitude: Fraction) -> int:
    """The e with 2**e <= magnitude < 2**(e + 1)."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if magnitude >= Fraction(2) ** guess else guess - 1


def divide(left: float, right: float) -> float:
    """`left / right` with IEEE's answers for a zero divisor, which Python refuses."""
    if right != 0 or right != right:
        return left / right
    if left == 0 or left != left:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def square_root(value: float) -> float:
    return value if value == 0 else math.sqrt(value) if value > 0 else math.nan


def multiply_add(left: int, right: int, addend: int, bits: int) -> int:
    """`left * right + addend` rounded once, patterns in and out."""
    a, b, c = to_python(left, bits), to_python(right, bits), to_python(addend, bits)
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        if math.isfinite(a) and math.isfinite(b):
            return from_python(c, bits)  # the product is finite however large, so the addend decides
        return from_python(a * b + c, bits)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return from_fraction(exact, bits)
    # An exact zero is +0, unless both the product and the addend are themselves -0.
    product_is_negative = math.copysign(1.0, a) != math.copysign(1.0, b)
    is_negative = (a == 0 or b == 0) and product_is_negative and math.copysign(1.0, c) < 0
    return SIGN[bits] if is_negative else 0


def to_integral(value: float, rounding: Callable[[float], int]) -> float:
    """Rounded to an integral value; the sign of a zero result is the operand's."""
    return math.copysign(float(rounding(value)), value) if math.isfinite(value) else value


def half_away(value: float) -> int:
    """C's `round`: to the nearest integer, halves away from zero (Python's `round` takes halves to even)."""
    whole = math.trunc(value)
    return whole + (int(math.copysign(1, value)) if abs(value - whole) >= 0.5 else 0)
