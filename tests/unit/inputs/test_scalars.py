import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.errors import UsageError
from tightrope.inputs.scalars import (
    Scalar,
    Slot,
    bits_to_float,
    c_literal,
    decode,
    encode,
    first_input,
    float_to_bits,
    integer_literal,
    shortest_digits,
)

INT = Scalar("signed", 32, 4, True)
LONG = Scalar("signed", 64, 8, True)
UINT = Scalar("unsigned", 32, 4)
ULONG = Scalar("unsigned", 64, 8)
BYTE = Scalar("unsigned", 8, 1)
CHAR = Scalar("char", 8, 1, True)
BOOL = Scalar("bool", 1, 1)
FLOAT = Scalar("float", 32, 4)
DOUBLE = Scalar("float", 64, 8)
COLOR = Scalar("enum", 32, 4, True, (("RED", -1), ("GREEN", 5)))
FIELD = Scalar("signed", 3, 1, True)
ALL = (INT, LONG, UINT, ULONG, BYTE, CHAR, BOOL, FLOAT, DOUBLE, COLOR, FIELD)


@given(st.sampled_from(ALL), st.integers(0, 2**64 - 1))
def test_what_people_read_can_be_written_back(scalar, raw):
    raw &= scalar.mask
    value = decode(scalar, raw)
    if value not in ("nan", "-nan"):
        assert encode(scalar, value) == raw


@pytest.mark.parametrize(
    ("scalar", "raw", "value"),
    [
        (INT, 0xFFFFFFFD, -3),
        (BYTE, 200, 200),
        (CHAR, 97, "a"),
        (CHAR, 200, -56),
        (CHAR, 10, 10),
        (BOOL, 1, True),
        (COLOR, 0xFFFFFFFF, "RED"),
        (COLOR, 4, 4),
        (FIELD, 7, -1),
        (DOUBLE, 0x4004000000000000, 2.5),
        (FLOAT, 0x3DCCCCCD, 0.1),
        (FLOAT, 0x7F800000, "inf"),
        (FLOAT, 0x7FC00000, "nan"),
    ],
)
def test_decode(scalar, raw, value):
    assert decode(scalar, raw) == value


@pytest.mark.parametrize(
    ("scalar", "value", "raw"),
    [
        (COLOR, "GREEN", 5),
        (BOOL, "true", 1),
        (INT, "-1", 0xFFFFFFFF),
        (INT, "0x10", 16),
        (CHAR, "5", 53),
        (FLOAT, 1, 0x3F800000),
    ],
)
def test_encode_words(scalar, value, raw):
    assert encode(scalar, value) == raw


@pytest.mark.parametrize(
    ("scalar", "value"), [(BYTE, 256), (BYTE, -1), (FIELD, 4), (COLOR, "PINK"), (INT, 1.5), (INT, "x")]
)
def test_encode_refuses_what_does_not_fit(scalar, value):
    with pytest.raises(UsageError, match="speed"):
        encode(scalar, value, "speed")


@pytest.mark.parametrize(
    ("scalar", "raw", "text"),
    [
        (INT, 0x80000000, "(-2147483647 - 1)"),
        (INT, 0xFFFFFFFF, "-1"),
        (LONG, 1 << 63, "(-9223372036854775807LL - 1)"),
        (LONG, 5, "5"),
        (LONG, 1 << 40, "1099511627776LL"),
        (UINT, 5, "5U"),
        (UINT, 0xFFFFFFFF, "0xffffffffU"),
        (ULONG, 7, "7"),
        (ULONG, (1 << 64) - 1, "0xffffffffffffffffULL"),
        (BYTE, 255, "255"),
        (CHAR, 97, "'a'"),
        (CHAR, 39, "'\\''"),
        (CHAR, 92, "'\\\\'"),
        (CHAR, 0, "'\\0'"),
        (CHAR, 255, "-1"),
        (BOOL, 1, "1"),
        (COLOR, 5, "GREEN"),
        (COLOR, 7, "7"),
        (FLOAT, 0x3DCCCCCD, "0.1f"),
        (FLOAT, 0x3F800000, "1.0f"),
        (FLOAT, 0x80000000, "-0.0f"),
        (FLOAT, 1, "1e-45f"),
        (DOUBLE, 0x3FB999999999999A, "0.1"),
        (DOUBLE, 0xFFF0000000000000, "(-1.0 / 0.0)"),
        (DOUBLE, 0x7FF8000000000000, '__builtin_nan("")'),
        (FLOAT, 0xFFC00003, '(-__builtin_nanf("0x3"))'),
        (DOUBLE, 0x7FF0000000000001, '__builtin_nans("0x1")'),
    ],
)
def test_c_literal(scalar, raw, text):
    assert c_literal(scalar, raw) == text


@given(st.integers(0, 2**32 - 1))
def test_the_shortest_float_is_the_same_float(raw):
    value = bits_to_float(raw, 32)
    if math.isfinite(value):
        assert float_to_bits(float(shortest_digits(value, 32)), 32) == raw


@given(st.integers(1, 64), st.booleans(), st.data())
def test_integer_literals_have_their_value(bits, is_signed, data):
    low = -(1 << (bits - 1)) if is_signed else 0
    number = data.draw(st.integers(low, low + (1 << bits) - 1))
    text = integer_literal(number, bits, is_signed)
    assert eval(text.replace("U", "").replace("L", "")) == number


def test_the_first_input_is_zero_or_a_member():
    slots = (Slot(0, "n", INT), Slot(1, "c", COLOR))
    assert first_input(slots) == (0, 0xFFFFFFFF)
    assert [decode(slot.scalar, raw) for slot, raw in zip(slots, first_input(slots), strict=True)] == [0, "RED"]
