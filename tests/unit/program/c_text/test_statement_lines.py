"""Which lines belong together."""

from __future__ import annotations

from tightrope.program.c_text.statement_lines import first_lines

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
