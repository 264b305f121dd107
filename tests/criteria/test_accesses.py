"""Definitions and uses of variables, in snippets of C: what is found, in which order, and what is given up."""

import pytest

from tightrope.program.marks.accesses import find_accesses
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax


def accesses(text: str) -> str:
    """`+x` for a definition, `x` for a use, `?` behind one that is not followed; positions are separated by `|`."""
    syntax = find_syntax(find_compiler(None), text, ["f"])["f"]
    found = find_accesses(syntax, "@f")
    assert all(syntax.text[each.start : each.end] for each in found)
    shown, before = "", None
    for each in found:
        if before is not None and (each.start, each.end) != before:
            shown += "| "
        before = (each.start, each.end)
        shown += f"{'+' * each.is_definition}{each.name}{'?' * bool(each.problem)} "
    return shown.strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(int a) { return a; }", "+a a"),
        ("int f(int a) { int x = a; return x; }", "+a a +x | x"),
        ("int f(int a) { int x; x = x + a; return x * x; }", "+a | x a +x | x"),
        ("int f(int a) { a++; --a; a += a; return 0; }", "+a a +a | a +a | a +a"),
        ("int f(int a) { if (a) a = 1; else return a; return 0; }", "+a | a | +a | a"),
        ("int f(int a, int b) { return a && b ? a : b; }", "+a +b a | b | a | b"),
        ("int f(int a, int b) { if (a > 1 && !(b || a)) return 1; return 0; }", "+a +b | a | b | a"),
        ("int f(int a) { int y; y = a ? y : 0; return y; }", "+a | a +y | y | y"),
        ("int f(int n) { for (int i = 0; i < n; i++) n--; return n; }", "+n +i | i n | i +i | n +n | n"),
        ("int f(int n) { int i; for (i = 0; i < n; ) i += n; return i; }", "+n | +i | i n | n i +i | i"),
        ("int f(int n) { do n--; while (n > 0); return n; }", "+n | n +n | n | n"),
        ("int f(int a) { switch (a) { case 1: a = 2; break; default: return a; } return 0; }", "+a | a | +a | a"),
        ("int f(int *p, int i) { p[i] = *p; return 0; }", "+p +i p i"),
        ("struct s { int m; }; int f(struct s *q) { q->m = 1; return q->m; }", "+q q | q"),
        ("struct s { int m; }; int f(struct s q) { q.m = 1; return q.m; }", ""),
        ("int f(int a) { return sizeof a; }", "+a"),
        ("int g(int *); int f(int a) { int b = g(&a); return a + b; }", "+b | b"),
        ("int f(int a) { static int s; s = a; return s; }", "+a | a"),
        ("int f(int a) { volatile int v = a; return v; }", "+a a"),
        ("int f(int a) { int t[2] = {a, 1}; return t[a]; }", "+a a | a"),
        ("int f(int a) { int a1 = 1; { int a1 = a; a = a1; } return a1; }", "+a +a1 | a +a1 | a1 +a | a1"),
    ],
)
def test_found_in_order(text: str, expected: str):
    assert accesses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "int f(int a) { int x; x = 1, a = x; return x; }",  # the use is behind the definition, in one statement
        "int f(int a) { while ((a = 2) && (a > 1 || a)) a--; return (a = 1) + a; }",
        "int f(int a) { int x = 0; while ((a && (x = 1)), x < 1) a--; return x; }",  # a position in that of the use
        "int f(int a) { int x = 0; a = ({ x = 5; 1; }) ? ({ x = 6; 2; }), x : a; return x + a; }",
        "int f(int a) { int x = 0, y; y = (({ x = 5; 1; }), x); return y + a; }",
    ],
)
def test_what_cannot_be_put_in_order_is_given_up(text: str):
    assert "?" in accesses(text)


def test_a_variable_is_given_up_as_a_whole():
    shown = accesses("int f(int a) { int x; x = 1, a = x; return x; }")
    assert "x" in shown
    assert all(word.endswith("?") for word in shown.split() if word.lstrip("+").startswith("x"))


def test_two_runs_of_the_compiler_give_the_same():
    text = "int f(int a, int b) { int c = a; return c + b; }"
    syntax = [find_syntax(find_compiler(None), text, ["f"])["f"] for _ in range(2)]
    assert find_accesses(syntax[0], "@f") == find_accesses(syntax[1], "@f")
