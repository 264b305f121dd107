"""The words in which a test says what it expects: those of Tightrope's own macros, or of a framework.

A pattern is C with `{actual}` and `{expected}`; that of an array also knows `{count}` (elements) and `{bits}` (of one).
A framework that has no exact word for something (floating-point numbers, which are compared bit by bit) keeps ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.inputs.scalars import Scalar

_WIDE = 4  # bytes: more than that may not fit into an `int`


@dataclass(frozen=True, slots=True)
class Words:
    integer: str = "EXPECT_INT({actual}, {expected});"
    unsigned: str = "EXPECT_UINT({actual}, {expected});"
    real: str = "EXPECT_FLOAT({actual}, {expected});"
    integers: str = "EXPECT_INTS({actual}, {expected});"
    unsigneds: str = "EXPECT_UINTS({actual}, {expected});"
    reals: str = "EXPECT_FLOATS({actual}, {expected});"
    null: str = "EXPECT_NULL({actual});"
    not_null: str = "EXPECT_NOT_NULL({actual});"
    pointer: str = "EXPECT_POINTER({actual}, {expected});"
    text: tuple[str, ...] = ("EXPECT_STRING({actual}, {expected});",)
    wide_integer: str = ""  # of more than 32 bits; '': as others
    wide_unsigned: str = ""

    def same_number(self, scalar: Scalar, actual: str, expected: str) -> str:
        is_wide = scalar.size > _WIDE
        patterns = {
            "INT": (is_wide and self.wide_integer) or self.integer,
            "UINT": (is_wide and self.wide_unsigned) or self.unsigned,
            "FLOAT": self.real,
        }
        return patterns[_family(scalar)].format(actual=actual, expected=expected)

    def same_numbers(self, scalar: Scalar, actual: str, expected: str, count: int) -> str:
        patterns = {"INT": self.integers, "UINT": self.unsigneds, "FLOAT": self.reals}
        words = {"actual": actual, "expected": expected, "count": count, "bits": 8 * scalar.size}
        return patterns[_family(scalar)].format(**words)

    def no_pointer(self, actual: str) -> str:
        return self.null.format(actual=actual)

    def some_pointer(self, actual: str) -> str:
        return self.not_null.format(actual=actual)

    def same_pointer(self, actual: str, expected: str) -> str:
        return self.pointer.format(actual=actual, expected=expected)

    def same_text(self, actual: str, expected: str) -> Iterator[str]:
        return (line.format(actual=actual, expected=expected) for line in self.text)


PLAIN_WORDS = Words()


def _family(scalar: Scalar) -> str:
    if scalar.kind == "float":
        return "FLOAT"
    return "INT" if scalar.is_signed or scalar.kind in ("bool", "enum") else "UINT"
