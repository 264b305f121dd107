"""C as the user wrote it: its tokens, what stands between two places, which lines belong together."""

from __future__ import annotations

import pytest

from tightrope.location import Location
from tightrope.program.c_text.c_tokens import first_lines, literal_value, own_words, read_tokens


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("0x1fUL", 31), ("017", 15), ("-3", -3), ("'\\n'", 10), ("'\\x41'", 65), ("'\\0'", 0), ("0", 0)]
    + [("1.5", None), ("N", None), ("''", None), ("'ab'", None), ("0b101", 5)],
)
def test_literal_value(text: str, value: int | None) -> None:
    assert literal_value(text) == value


def test_tokens_skip_comments_and_directives() -> None:
    text = "#define A(x) \\\n  (x\na /* b */ + // c\n'\\''\"d//\" >>= 1.e-3"
    assert [token.text for token in read_tokens(text)] == ["a", "+", "'\\''", '"d//"', ">>=", "1.e-3"]


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


TEXT = """\
int f(int a,
      int b)
{
    if (a &&
        b)
        a++;
    else
        b = a
            ? 1
            : 2;
    for (int i = 0;
         i < 3; i++) { a++; }
    do a--; while (a
                   || b); a++; if (a) b++;
#define X 1 + \\
    2
    return /* a
       comment */ a;
}
"""


def test_lines_of_one_statement() -> None:
    assert first_lines(TEXT) == {2: 1, 3: 1, 5: 4, 9: 8, 10: 8, 12: 11, 14: 13, 18: 17}


def test_statements_that_share_a_line_belong_together() -> None:
    assert first_lines("x = a +\n b; y = c +\n d;") == {2: 1, 3: 1}


def test_text_that_never_ends_its_brackets_is_no_problem() -> None:
    assert first_lines("if (a\n&& b") == {2: 1} or first_lines("if (a\n&& b") == {}
    assert first_lines("") == {}
