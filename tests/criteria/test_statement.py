"""Which objectives `statement` asks for."""

from __future__ import annotations

import pytest
from criteria_check import mark_functions, objectives_in

CASES = {
    "on one line": ("if (a && (b || a)) return 1; else return 2;", ["if (a && (b || a))", "return 1", "return 2"]),
    "nested": ("if (a) { b++; if (b) { } else a--; } return a;", ["if (a)", "b++", "if (b)", "a--", "return a"]),
    "for": ("for (int i = 0; i < a; i++) b += i; return b;", ["for (int i = 0; i < a; i++)", "b += i", "return b"]),
    "for ever": ("for (;;) if (a++ > 9) break; return a;", ["for (;;)", "if (a++ > 9)", "break", "return a"]),
    "loops": (
        "while (a > 3) { a--; continue; } do { b--; } while (b > 3); return a;",
        ["while (a > 3)", "a--", "continue", "do", "b--", "return a"],
    ),
    "declarations": (
        "int x = a, y; int z; static int s = 4; const int t[2] = {b, 1}; y = z = s; return x + y + z + t[0];",
        ["int x = a, y", "const int t[2] = {b, 1}", "y = z = s", "return x + y + z + t[0]"],
    ),
    "labels": (
        "switch (a) { case 1: case 2: b++; break; default: again: b--; } if (b) goto again; return b;",
        ["switch (a)", "b++", "break", "b--", "if (b)", "goto again", "return b"],
    ),
    "nothing": ("; { } ; {;} return 0;", ["return 0"]),
    "macro": ("SWAP(a, b); return a;", ["do", "int t = a", "a = b", "b = t", "return a"]),
    "statement expression": (
        "int x = ({ int y = a; if (y) y++; y; }); return x;",
        ["int x = ({ int y = a; if (y) y++; y; })", "int y = a", "if (y)", "y++", "y", "return x"],
    ),
    "behind return": ("return a; b = 3;", ["return a", "b = 3  !"]),
    "constant": (
        "if (0) a = 1; while (0) a = 2; return a;",
        ["if (0)", "a = 1  !", "while (0)", "a = 2  !", "return a"],
    ),
    "endless": ("for (;;) a++; return a;", ["for (;;)", "a++", "return a  !"]),
    "before the first case": (
        "switch (a) { int x = 1; case 1: b = 3; } return b;",
        ["switch (a)", "int x = 1  !", "b = 3", "return b"],
    ),
    "assembly": ('__asm__ volatile("" : "+r"(a)); return a;', ['__asm__ volatile("" : "+r"(a))', "return a"]),
}
HEAD = "#define SWAP(x, y) do { int t = x; x = y; y = t; } while (0)\n"


@pytest.mark.parametrize("name", CASES)
def test_statements(name: str) -> None:
    body, expected = CASES[name]
    subject = mark_functions(f"{HEAD}int f(int a, int b) {{ {body} }}\n", ["f"], "statement")["f"]
    found = objectives_in(subject, "statement")
    assert not any(each.problem for each in found)
    assert [f"{each.text}{'  !' if each.is_constant else ''}" for each in found] == expected


def test_places_and_ids() -> None:
    text = f"{HEAD}int f(int a, int b)\n{{\n    if (a) return b;\n    SWAP(a, b);\n    return a;\n}}\n"
    found = objectives_in(mark_functions(text, ["f"], "statement")["f"], "statement")
    places = [(each.location.line, each.location.column) for each in found]
    assert places == [(4, 5), (4, 12), (5, 5), (5, 5), (5, 5), (5, 5), (6, 5)]
    assert [each.id.partition("#")[2] for each in found] == ["", "", "", "2", "3", "4", ""]
    assert found[1].sentence == "no test executes `return b` at line 4"


def test_an_assertion_is_one_statement() -> None:
    """What it is made of is not the user's, and nobody wants a test that calls __assert_fail()."""
    text = "#include <assert.h>\nint f(int a)\n{\n    assert(a > 3);\n    return a;\n}\n"
    found = objectives_in(mark_functions(text, ["f"], "statement")["f"], "statement")
    assert [each.location.line for each in found] == [4, 5]
