"""Values of inputs and outputs, converted between the raw unsigned number of a slot, a readable value and a C literal.
The slots are defined in `inputs/shape.py`.

Laws: `encode(scalar, decode(scalar, raw)) == raw` for every raw number of the slot's width, except that the payload
of a NaN is lost; the C literal of a raw number, stored in an object of the scalar's type, has exactly its bits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from tightrope.errors import UsageError

Human = int | float | bool | str
Input = tuple[int, ...]  # one unsigned number per slot: a float's IEEE bits, a negative number in two's complement

_FLOAT_FORMATS = {32: ("<I", "<f"), 64: ("<Q", "<d")}
_ESCAPES = {0: "'\\0'", 9: "'\\t'", 10: "'\\n'", 13: "'\\r'", 39: "'\\''", 92: "'\\\\'"}
_READABLE_UNSIGNED = 1 << 16  # larger unsigned numbers are written in hexadecimal


@dataclass(frozen=True, slots=True)
class Scalar:
    """The nature of one leaf. `kind`: signed, unsigned, char, bool, float, enum, pointer (outputs only)."""

    kind: str
    bits: int
    size: int  # bytes that hold it; a bit-field: bytes of a temporary that can
    is_signed: bool = False
    members: tuple[tuple[str, int], ...] = ()  # of an enum, by value as C sees it

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1


@dataclass(frozen=True, slots=True)
class Slot:
    """One number of an input."""

    number: int
    path: str  # in C words: `cfg->table[2].name[0]`
    scalar: Scalar


@dataclass(frozen=True, slots=True)
class Output:
    """One number that is observed after the call."""

    number: int
    path: str
    scalar: Scalar


def decode(scalar: Scalar, raw: int) -> Human:
    """The readable value: 3, -3, 2.5, True, 'RED', 'x'; 'nan' and 'inf' are texts because JSON has no such numbers."""
    raw &= scalar.mask
    if scalar.kind == "bool":
        return bool(raw)
    if scalar.kind == "float":
        return _readable_float(bits_to_float(raw, scalar.bits), scalar.bits)
    number = signed_value(scalar, raw)
    if scalar.kind == "char" and 32 < number < 127:
        return chr(number)
    return _member_name(scalar, number) or number


def _readable_float(value: float, bits: int) -> Human:
    return float(shortest_digits(value, bits)) if math.isfinite(value) else str(value)


def encode(scalar: Scalar, value: Human, path: str = "") -> int:
    """The raw number of a readable value. Raises UsageError if it does not fit."""
    if isinstance(value, str):
        value = _from_word(scalar, value, path)
    if scalar.kind == "float":
        return float_to_bits(float(value), scalar.bits)
    if int(value) != value:
        raise UsageError(f"{path}: {value} is not a whole number", slug="input-value")
    low = -(1 << (scalar.bits - 1)) if scalar.is_signed else 0
    if not low <= value <= low + scalar.mask:
        raise UsageError(f"{path}: {value} does not fit in {scalar.bits} bits", slug="input-value")
    return int(value) & scalar.mask


def signed_value(scalar: Scalar, raw: int) -> int:
    """The whole number that C sees in these bits."""
    raw &= scalar.mask
    return raw - (1 << scalar.bits) if scalar.is_signed and raw >> (scalar.bits - 1) else raw


def first_input(slots: Sequence[Slot]) -> Input:
    """Zero for each slot; for an enum without a member that is zero, another member."""
    return tuple(_first_value(slot.scalar) for slot in slots)


def _first_value(scalar: Scalar) -> int:
    values = [value for _, value in scalar.members]
    return 0 if not values or 0 in values else values[0] & scalar.mask


def c_literal(scalar: Scalar, raw: int) -> str:
    """A C literal of exactly this value, which compilers accept without a warning."""
    raw &= scalar.mask
    if scalar.kind == "bool":
        return str(raw)
    if scalar.kind == "float":
        return _float_literal(raw, scalar.bits)
    number = signed_value(scalar, raw)
    if scalar.kind == "char":
        return _char_literal(number)
    return _member_name(scalar, number) or integer_literal(number, scalar.bits, scalar.is_signed)


def integer_literal(number: int, bits: int, is_signed: bool) -> str:
    """`(-2147483647 - 1)`: C has no literal for the smallest number, because its absolute value is too large."""
    suffix = ("LL" if is_signed else "ULL") if bits > 32 else ("" if is_signed or bits < 32 else "U")
    if number < 0 and bits >= 32 and number == -(1 << (bits - 1)):
        return f"({number + 1}{suffix} - 1)"
    if number >= _READABLE_UNSIGNED and not is_signed:
        return f"0x{number:x}{suffix}"
    needs_suffix = suffix == "U" or abs(number) > 0x7FFFFFFF
    return f"{number}{suffix if needs_suffix else ''}"


def bits_to_float(raw: int, bits: int) -> float:
    whole, real = _FLOAT_FORMATS[bits]
    value: float = struct.unpack(real, struct.pack(whole, raw))[0]
    return value


def float_to_bits(value: float, bits: int) -> int:
    whole, real = _FLOAT_FORMATS[bits]
    try:
        packed = struct.pack(real, value)
    except OverflowError:
        packed = struct.pack(real, math.copysign(math.inf, value))
    raw: int = struct.unpack(whole, packed)[0]
    return raw


def _member_name(scalar: Scalar, number: int) -> str:
    return next((name for name, value in scalar.members if value == number), "")


def _from_word(scalar: Scalar, word: str, path: str) -> int | float:
    for name, value in scalar.members:
        if name == word:
            return value
    if scalar.kind == "bool" and word in ("true", "false"):
        return word == "true"
    if scalar.kind == "char" and len(word) == 1:
        return ord(word) - (256 if scalar.is_signed and ord(word) > 127 else 0)
    try:
        return float(word) if scalar.kind == "float" else int(word, 0)
    except ValueError:
        names = ", ".join(name for name, _ in scalar.members)
        hint = f"one of {names}" if names else f"a {scalar.kind} value"
        raise UsageError(f"{path}: `{word}` is not a valid value", hint=hint, slug="input-value") from None


def _char_literal(number: int) -> str:
    if number in _ESCAPES:
        return _ESCAPES[number]
    return f"'{chr(number)}'" if 32 <= number < 127 else str(number)


def _float_literal(raw: int, bits: int) -> str:
    """A literal that needs no header: infinity is a quotient, NaN a builtin."""
    value, suffix = bits_to_float(raw, bits), "f" if bits == 32 else ""
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if math.isinf(value):
        return f"({sign}1.0{suffix} / 0.0{suffix})"
    if math.isnan(value):
        return _nan_literal(raw, bits, sign, suffix)
    return f"{shortest_digits(value, bits)}{suffix}"


def _nan_literal(raw: int, bits: int, sign: str, suffix: str) -> str:
    """Sign, payload and the quiet bit are part of the input: code may look at the bits."""
    fraction = 23 if bits == 32 else 52
    is_quiet, payload = raw >> (fraction - 1) & 1, raw & ((1 << (fraction - 1)) - 1)
    text = f'__builtin_nan{"" if is_quiet else "s"}{suffix}("{hex(payload) if payload else ""}")'
    return f"(-{text})" if sign else text


def shortest_digits(value: float, bits: int) -> str:
    """The fewest decimal digits that read back as the same float of this width."""
    if bits == 64:
        return repr(value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if float_to_bits(float(text), 32) == float_to_bits(value, 32):
            break
    return text if any(mark in text for mark in ".en") else f"{text}.0"
