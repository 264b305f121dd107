import re

import pytest

from tightrope.harness.fill import is_set_of_flags, membership


@pytest.mark.parametrize(
    "members", [[0, 1, 2], [0], [-3, -2, 7], [-1, 0, 1, 5, 9, 10], [-(2**31), 2**31 - 1], [3, 2**31]]
)
def test_membership_is_true_for_members_only(members):
    text = membership("v", members)
    assert "&&" not in text
    assert "||" not in text
    near = {number + step for number in members for step in (-1, 0, 1)}
    for value in sorted(near):
        assert evaluate(text, value) == (value in members), (text, value)


def evaluate(text, value):
    """C on 64 bits, in Python: only the unsigned subtraction wraps."""
    text = text.replace("(unsigned long long)v - ", f"{value} - ").replace("(unsigned long long)v", str(value))
    text = text.replace("ULL", "").replace("LL", "")
    wrapped = re.sub(r"\(([^()<]+) <= (\d+)\)", lambda m: str(eval(m[1]) % 2**64 <= int(m[2])), text)
    return bool(eval(wrapped.replace("v", f"({value})")))


def test_flags_may_be_joined():
    assert membership("(long long)f", [1, 2, 4]) == "((long long)f & ~7LL) == 0"


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([1, 2, 4], True),
        ([0, 1, 2, 4, 8], True),
        ([0, 1, 2, 4, 7], True),
        ([0, 1, 2], False),
        ([0, 1, 2, 3, 4], False),
        ([0, 1, 2, 3, 4, 5, 6, 8], False),
        ([-1, 1, 2, 4], False),
        ([1, 2, 4, 100], False),
    ],
)
def test_what_looks_like_flags(numbers, expected):
    assert is_set_of_flags(numbers) is expected
