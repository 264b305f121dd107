"""The arithmetic types of C as the random program generator needs them, with C's conversion rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One arithmetic type of an LP64 target; `rank` orders types as the usual arithmetic conversions do."""

    name: str
    bits: int
    is_signed: bool
    rank: int
    is_float: bool = False

    @property
    def identifier(self) -> str:
        """The name as part of a C identifier."""
        return self.name.strip("_").replace(" ", "_").lower()


BOOL = Kind("_Bool", 8, False, 0)
INT = Kind("int", 32, True, 3)
UNSIGNED = Kind("unsigned int", 32, False, 3)
LONG = Kind("long", 64, True, 4)
UNSIGNED_LONG = Kind("unsigned long", 64, False, 4)
FLOAT = Kind("float", 32, True, 6, True)
DOUBLE = Kind("double", 64, True, 7, True)

INTEGERS = (
    Kind("char", 8, True, 1),
    Kind("signed char", 8, True, 1),
    Kind("unsigned char", 8, False, 1),
    Kind("short", 16, True, 2),
    Kind("unsigned short", 16, False, 2),
    INT,
    UNSIGNED,
    LONG,
    UNSIGNED_LONG,
    Kind("long long", 64, True, 5),
    Kind("unsigned long long", 64, False, 5),
)
KINDS = (BOOL, *INTEGERS, FLOAT, DOUBLE)


def promote(kind: Kind) -> Kind:
    """The integer promotions: whatever is narrower than int becomes int."""
    return INT if kind.rank < INT.rank else kind


def common(left: Kind, right: Kind) -> Kind:
    """The usual arithmetic conversions of two operands (C11 6.3.1.8), on LP64."""
    left, right = promote(left), promote(right)
    if left.is_signed == right.is_signed or left.is_float or right.is_float:
        return max(left, right, key=lambda kind: kind.rank)
    unsigned, signed = (right, left) if left.is_signed else (left, right)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return Kind(f"unsigned {signed.name}", signed.bits, False, signed.rank)
