"""What the user wrote between two places."""

from __future__ import annotations

import pytest

from tightrope.location import Location
from tightrope.program.c_text.own_words import own_words

CASES = [
    # the text with < before the first place and > at the last, whether it ends in a macro's name, what is shown
    ("if (<a > 3>) x;", False, "a > 3"),
    ("if (<p == NULL>) x;", True, "p == NULL"),
    ("if (<x > MAX>(a, (b))) x;", True, "x > MAX(a, (b))"),
    ("if (<x > MAX> (a,\n  b) && c) x;", True, "x > MAX (a, b)"),
    ("if (<a\n   && b>) x;", False, "a && b"),
    ("if (<a /* why */ && // because\n b>) x;", False, "a && b"),
    ("if (<a && \\\n b>) x;", False, "a && b"),
    ("if (é && <c == 'é'>) x;", False, "c == 'é'"),
    ("if (<f(a> && b)) x;", False, ""),  # a macro has opened what is closed here
    ("if (<a\n#ifdef X\n && b\n#endif\n>) x;", False, ""),
    ("if (<')' == c>) x;", False, "')' == c"),
]


@pytest.mark.parametrize(("marked", "is_macro", "shown"), CASES)
def test_own_words(marked: str, is_macro: bool, shown: str):
    start = marked.index("<")
    end = marked.rindex(">") - 1
    text = marked[:start] + marked[start + 1 : end + 1] + marked[end + 2 :]
    assert own_words(place(text, start), place(text, end), is_macro, lambda file: text.encode().split(b"\n")) == shown


def place(text: str, offset: int) -> Location:
    before = text[:offset]
    return Location("x.c", before.count("\n") + 1, len(before[before.rfind("\n") + 1 :].encode()) + 1)


def test_a_file_that_cannot_be_read():
    assert own_words(Location("x.c", 1, 1), Location("x.c", 1, 3), False, lambda file: None) == ""


def test_a_place_without_a_column():
    assert own_words(Location("x.c", 1), Location("x.c", 1, 3), False, lambda file: [b"abc"]) == ""
