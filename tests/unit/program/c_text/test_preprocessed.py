"""Preprocessed text: where lines come from, what is a function body."""

from __future__ import annotations

import re

import pytest

from tightrope.location import Location
from tightrope.program.c_text.preprocessed import (
    LineMarkers,
    blank_other_bodies,
    counted_enumerators,
    find_bodies,
    on_one_line,
    repeated_enumerators,
)

MARKED = """# 1 "driver.c"
# 1 "<built-in>" 1
# 2 "driver.c" 2
# 1 "/a/unit.c" 1
int x;
# 7 "/a/unit.c"
int f(void) {
  return x;
}
# 3 "driver.c" 2
int last;
# 5 "with \\"quotes\\".c"
int more;
"""


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("int x", Location("/a/unit.c", 1)),
        ("return", Location("/a/unit.c", 8)),
        ("int last", Location("driver.c", 3)),
        ("int more", Location('with "quotes".c', 5)),
    ],
)
def test_where_a_line_comes_from(word: str, place: Location):
    assert LineMarkers(MARKED).locate(MARKED.index(word)) == place


def test_files_are_named_as_asked():
    assert LineMarkers(MARKED, lambda file: f"<{file}>").locate(MARKED.index("int x")).file == "</a/unit.c>"


BODIES = [
    # C, and what is between the braces of each function
    ("int f(void) { return 1; }", ["return 1;"]),
    ("int f(void);\nint g(int a) {}", [""]),
    ("struct s { int a; }; int f(struct s *p) { return p->a; }", ["return p->a;"]),
    ("struct s { int a; } f(void) { return x; }", ["return x;"]),
    ("struct __attribute__((packed)) s { int a; }; enum e { A = sizeof(int) };", []),
    ("int t[] = { 1, f(2) }; int (*p)(int) = g; struct q v = (struct q){ 1 };", []),
    ("int f(a, b) int a; char *b; { return a; } int g(void) { b; }", ["return a;", "b;"]),
    ("int (*f(void))(int) { x; }", ["x;"]),
    ("__attribute__((noinline)) int f(void) __attribute__((cold)) { x; }", ["x;"]),
    ("__typeof__(1) v = 2; __typeof__(v) f(void) { x; }", ["x;"]),
    ("int f(void) { if (a) { b; } c = \"}\"; d = '}'; }", ["if (a) { b; } c = \"}\"; d = '}';"]),
    ('__asm__("nop { "); int f(void) { x; }', ["x;"]),
    ('# 1 "strange {.c"\nint f(void) { x; }', ["x;"]),
    ('_Static_assert(sizeof(int) == 4, "{"); static inline int f(void) { x; }', ["x;"]),
]


@pytest.mark.parametrize(("text", "inside"), BODIES)
def test_function_bodies(text: str, inside: list[str]):
    assert [text[body.start + 1 : body.end - 1].strip() for body in find_bodies(text)] == inside


@pytest.mark.parametrize("ending", ["", " ", "\n", "\n}\n", '"', "}", ";\nint last(void) {\n", "int b; { x; }"])
def test_what_was_read_in_the_text_before_does_not_matter(ending: str):
    pieces = [text for text, _ in BODIES]
    whole = "\n".join(pieces)
    ends = [at for at in range(len(whole)) if whole[at] in '{}"\n']
    for at in ends:
        for other in (whole[:at] + ending, whole[:at] + ending + whole[at:], whole):
            find_bodies("")
            alone = find_bodies(other)
            find_bodies(whole[: at + 1] + ending[::-1])
            assert find_bodies(other) == alone


def test_other_bodies_become_blank_and_nothing_moves():
    text = "int g(int a) {\n  return a;\n}\nint f(int a) { return g(a); }\nint ff(void) { return 2; }\n"
    blank = blank_other_bodies(text, "f")
    assert re.sub(" +", " ", blank) == "int g(int a) {\n \n}\nint f(int a) { return g(a); }\nint ff(void) { }\n"
    assert len(blank) == len(text)


def test_several_functions_can_stay():
    text = "int g(void) { a; } int f(void) { b; } int h(void) { c; }"
    blank = blank_other_bodies(text, "f", "h")
    assert ("a;" in blank, "b;" in blank, "c;" in blank) == (False, True, True)


@pytest.mark.parametrize(
    "inlined",
    [
        "static inline __attribute__((always_inline)) int g(void) { a; }",
        "int g(void) __attribute__((__always_inline__));\nint g(void) { a; }",
    ],
)
def test_what_is_always_inlined_stays(inlined: str):
    blank = blank_other_bodies(f"{inlined}\nint h(void) {{ c; }}\nint f(void) {{ b; }}", "f")
    assert ("a;" in blank, "b;" in blank, "c;" in blank) == (True, True, False)


def test_members_of_more_than_one_enum():
    text = """enum { K = 1,
# 3 "a.h"
  M };
enum tag { A, B = (K << 2), C, } x;
int f(void) { enum other { M = K, Z } z = M; return z; }
enum __attribute__((packed)) last { A = 7 };
enum tag y;
"""
    assert repeated_enumerators(text) == {"M", "A"}


def test_values_of_members_that_the_text_tells():
    text = """enum { A, B = 4,
# 3 "a.h"
  C, D = -2, E, F = B + 1, G, H = 0x10, I, J = 010, K, L = 3000000000, M, N = 'a', O };
enum __attribute__((packed)) other { P = MOST(1, 2), Q, R = 1 } x;
"""
    assert counted_enumerators(text) == {"A": 0, "B": 4, "C": 5, "D": -2, "E": -1, "H": 16, "I": 17, "R": 1}


def test_members_of_an_enum_with_braces_inside_are_not_those_of_another_one():
    """Which value is meant depends on the place, and a value that is there may be none of the enum."""
    text = """enum { X = sizeof(struct { int a; }), Y, Z = ({ int q, V = 3; 1; }) };
enum __attribute__((packed, aligned(4))) { P = sizeof("{"), Q = 'x' };
int g(int b) { enum { X = 0, Y = 0, Q = 1 }; return X + b; }
"""
    assert {"X", "Y", "Q"} <= repeated_enumerators(text)
    assert "V" not in counted_enumerators(text)


def test_what_only_looks_like_an_enum_has_no_members():
    text = """enum way { LEFT, RIGHT };
static const char *words = "enum { LEFT = 7, NONE = 8 }";
static const enum way ways[] = { RIGHT, LEFT };
enum way pick(int a) { return a > 2, RIGHT; }
"""
    assert counted_enumerators(text) == {"LEFT": 0, "RIGHT": 1}
    assert not repeated_enumerators(text)


def test_on_one_line_strings_stay_as_they_are():
    assert on_one_line('  a ==\n# 7 "unit.c"\n  "x  y\\"  z"  + \'  \'\n') == 'a == "x  y\\"  z" + \'  \''
    assert on_one_line("a  b") == "a  b"
