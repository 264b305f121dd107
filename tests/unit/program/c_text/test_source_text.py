"""The user's own words: what is shown for a place that the compiler gives."""

from __future__ import annotations

import pytest

from tightrope.location import Location
from tightrope.program.c_text.source_text import CText, SourceText

CONDITIONS = [
    # the line, with @ before the place that the compiler gives; what is shown
    ("if (a @> 3 && b) x++;", "a > 3"),
    ("if (a > 3 && @b) x++;", "b"),
    ("if (!@flag) x++;", "flag"),
    ("if (!@p->flag) x++;", "p->flag"),
    ("if (!(a @+ b)) x++;", "a + b"),
    ("if (@-a) x++;", "-a"),
    ("if (@*s) x++;", "*s"),
    ("if (a@++) x++;", "a++"),
    ("if (@p->next->a[2]) x++;", "p->next->a[2]"),
    ("if (q.@member) x++;", "q.member"),
    ("if (@BOTH(a, b)) x++;", "BOTH(a, b)"),
    ("if (@(bool)a) x++;", "(bool)a"),
    ("if (!(a @== 1) || (b & 4)) x++;", "a == 1"),
    ("if ((k = a + 1) @!= 3) k++;", "(k = a + 1) != 3"),
    ("if (k @= b) k++;", "k = b"),
    ("if (!a @== 1) k++;", "!a == 1"),
    ("z = a[0] @> 1 && s[0] == 'x';", "a[0] > 1"),
    ("z = a[0] > 1 && s[0] @== 'x';", "s[0] == 'x'"),
    ("if (x) a @> 3 ? f() : g();", "a > 3"),
    ("for (i = 0; i @< n; i++) f();", "i < n"),
    ("return -a[2] * 2 @> (int)b ? 1 : 0;", "-a[2] * 2 > (int)b"),
    ("if (a - b - c @> d) f();", "a - b - c > d"),
    ("if (a @- b) f();", "a - b"),
    ("if (c @== '\"' || c == ')') f();", "c == '\"'"),
    ("if (a /* > 1 */ @> 3) f();", "a > 3"),
    ("case 3: if (f(a, b) @< 2) g();", "f(a, b) < 2"),
    ('if (strcmp(s, "a;b") @== 0) g();', 'strcmp(s, "a;b") == 0'),
    ("if (a < b @== c) g();", "a < b == c"),
    ("if (é @> 3) g();", "é > 3"),
]


@pytest.mark.parametrize(("marked", "shown"), CONDITIONS)
def test_condition(marked: str, shown: str) -> None:
    before, _, after = marked.partition("@")
    text = CText("x.c", f"int before;\n{before}{after}\n")
    assert text.condition(2, len(before.encode()) + 1) == shown


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("@while (a && b > 2) f();", "a && b > 2"),
        ("do { f(); @} while (a || b);", "a || b"),
        ("do f()@; while (a || b);", "a || b"),
        ("@for (int i = 0; i < 3 && b; i++) f();", "i < 3 && b"),
        ("@if (a && b) f();", "a && b"),
        ("x = a @&& b;", "a && b"),
    ],
)
def test_controlling_expression(marked: str, shown: str) -> None:
    before, _, after = marked.partition("@")
    assert CText("x.c", before + after).controlling(1, len(before) + 1) == shown


def test_condition_over_several_lines_is_shown_on_one() -> None:
    text = CText("x.c", "if (first >\n      second // why\n    + 1)\n  f();\n")
    assert text.condition(1, 11) == "first > second + 1"


def test_place_outside_any_token_falls_back_to_the_line() -> None:
    source = SourceText(lambda name: "  if (a) f();\n")
    assert source.condition(Location("x.c", 1, 1)) == "if (a) f();"
    assert source.condition(Location("x.c", 9, 1)) == ""


def test_missing_file_shows_nothing(tmp_path) -> None:
    assert SourceText().line(Location(str(tmp_path / "gone.c"), 3)) == ""


SWITCH = """\
#define LIMIT 40
switch (c) {
case RED: break;
case 'x': case GREEN: { switch (d) { case 9: break; default: break; } }
case a ? 1 : 2: break;
case LIMIT: break;
default: break;
}
"""


def test_case_labels_leave_out_inner_switches() -> None:
    source = SourceText(lambda name: SWITCH, {"RED": 0, "GREEN": 5})
    labels = source.case_labels(Location("x.c", 2, 1))
    assert [label.text for label in labels] == ["RED", "'x'", "GREEN", "a ? 1 : 2", "LIMIT", ""]
    assert [(label.location.line, label.location.column) for label in labels][:3] == [(3, 1), (4, 1), (4, 11)]
    assert [source.value(label.text, "x.c") for label in labels[:5]] == [0, 120, 5, None, 40]


def test_unfinished_text_never_raises() -> None:
    for length in range(len(SWITCH)):
        text = CText("x.c", SWITCH[:length])
        for line in range(1, 9):
            for column in (1, 5, 9):
                text.condition(line, column)
                text.controlling(line, column)
                text.case_labels(line, column)


def place(marked: str) -> tuple[CText, int]:
    before, _, after = marked.partition("@")
    return CText("x.c", before + after), len(before.encode()) + 1


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("x = @c ? 4 : 5;", "c"),
        ("x = @c & 1 ? 4 : 5;", "c & 1"),
        ("f(a, @p->x[i] > 3 ? 4 : 5);", "p->x[i] > 3"),
        ("return @(c & 1) ? 4 : 5;", "c & 1"),
        ("return @(a) && (b) ? 4 : 5;", "(a) && (b)"),
        ("x = a ? @(b, c) ? 1 : 2 : 3;", "b, c"),
        ("x = a ? 1 : @b ? 2 : 3;", "b"),
        ("x = a ? @1 : b ? 2 : 3;", ""),
        ("@x = c ? 4 : 5;", ""),
        ("f(@a, c ? 4 : 5);", ""),
        ("f(@a) + b;", ""),
        ("@", ""),
    ],
)
def test_condition_of_a_conditional(marked: str, shown: str) -> None:
    text, column = place(marked)
    assert text.chooser(1, column) == shown


def test_where_a_conditional_may_be() -> None:
    for marked, answer in [
        ("x = @-c ? 4 : 5;", True),
        ("x = @MACRO(c);", True),
        ("x = @-c;", False),
        ("x = @3;", False),
    ]:
        text, column = place(marked)
        assert text.may_hold_conditional(1, column) is answer
    assert CText("x.c", "").may_hold_conditional(7, 3)  # nothing to read: no reason to doubt the compiler


@pytest.mark.parametrize(
    ("marked", "column", "shown"),
    [
        ("while (a @&& b) f();", 13, "b"),
        ("while (a @|| (b & 1)) f();", 14, "b & 1"),
        ("while (a @&& p->next && c) f();", 13, "p->next"),
        ("while (a @&& b == 2 || c) f();", 13, "b == 2"),
        ("x = a @&& b ? 4 : 5;", 10, "b"),
    ],
)
def test_right_operand(marked: str, column: int, shown: str) -> None:
    text, at = place(marked)
    assert text.right_operand(1, at) == (Location("x.c", 1, column), shown)


def test_only_short_circuits_have_a_right_operand() -> None:
    for marked in ("x = a @& b;", "x = @a && b;", "x = a @&&"):
        text, column = place(marked)
        assert text.right_operand(1, column) is None
