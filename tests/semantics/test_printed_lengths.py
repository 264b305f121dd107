"""What is said about the lengths of printed text, against the C library of this machine."""

from __future__ import annotations

import ctypes
import itertools

import pytest

from tightrope.encoding.loose.printed_lengths import printed_length

FLAGS = ("", "-", "+", " ", "#", "0", "+#", "-#", "+0#")
WIDTHS = ("", "1", "7", "40")
PRECISIONS = ("", ".", ".0", ".1", ".6", ".15", ".17", ".30", ".340")
SIZES = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
INTEGERS = (0, 1, -1, 5, 127, 128, 255, 256, 32767, 32768, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, -(2**63))
REALS = (
    0.0, -0.0, 1.0, -1.0, 0.1, -0.0001, -0.00012345678901234567, 9.5, 99999.5, 999999.5, 123456789.123456789, 1e15, 1e16,
    -1e17, -1.7976931348623157e308, 5e-324, -2.2250738585072014e-308, -1.2345678901234567e-308, float("inf"),
    -float("inf"), float("nan"), -float("nan"),
)  # fmt: skip


def print_one(form: str, value: object) -> int:
    libc = ctypes.CDLL(None)
    return int(libc.snprintf(None, 0, form.encode(), value))


@pytest.mark.parametrize("letter", "diouxX")
def test_integers(letter: str) -> None:
    for flags, width, precision, size in itertools.product(FLAGS, WIDTHS, PRECISIONS, SIZES):
        form = f"%{flags}{width}{precision}{size}{letter}"
        least, most = limits(form)
        for value in INTEGERS:
            given = ctypes.c_int64(value) if SIZES[size] == 64 else ctypes.c_int32(value)
            assert least <= print_one(form, given) <= most, (form, value)


@pytest.mark.parametrize("letter", "fFeEgG")
def test_reals(letter: str) -> None:
    for flags, width, precision, size in itertools.product(FLAGS, WIDTHS, PRECISIONS, ("", "l")):
        form = f"%{flags}{width}{precision}{size}{letter}"
        least, most = limits(form)
        for value in REALS:
            assert least <= print_one(form, ctypes.c_double(value)) <= most, (form, value)


def test_texts() -> None:
    for flags, width in itertools.product(("", "-"), WIDTHS):
        for text, precision in itertools.product(("", "a", "abcdef"), ("0", "3", "50")):
            least, most = limits(f"%{flags}{width}.{precision}s")
            assert least <= print_one(f"%{flags}{width}.{precision}s", text.encode()) <= most
        assert limits(f"%{flags}{width}c") == (print_one(f"%{flags}{width}c", 65),) * 2


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("", (0, 0)),
        ("100%%", (4, 4)),
        ("%02X:%c", (4, 10)),
        ("%1.17g", (1, 25)),
        ("a%db%5uc", (9, 24)),
    ],
)
def test_sums(form: str, expected: tuple[int, int]) -> None:
    assert printed_length(form.encode()) == expected


@pytest.mark.parametrize(
    "form",
    [
        "%s",
        "%*d",
        "%.*f",
        "%ls",
        "%lc",
        "%p",
        "%n",
        "%a",
        "%Lf",
        "%'d",
        "%1$d",
        "%",
        "%d%",
        "%q",
        "%5",
        "%2147483647d%d",
    ],
)
def test_nothing_is_said(form: str) -> None:
    assert printed_length(form.encode()) is None


def limits(form: str) -> tuple[int, int]:
    found = printed_length(form.encode())
    assert found is not None, form
    return found
