"""The same input on two versions of a function: what is a difference, and what is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tightrope.inputs.scalars import Human

from .versions import comparing, input_of

Given = dict[str, Human]

DIFFERENT: dict[str, tuple[str, str, Given, dict[str, tuple[Any, Any]]]] = {
    "the result": ("int f(int a) { return a > 3; }", "int f(int a) { return a > 5; }", {"a": 4}, {"result": (1, 0)}),
    "of a parameter with another name": (
        "int f(int a, int b) { return a - b; }",
        "int f(int x, int a) { return a - x; }",
        {"x": 5, "a": 3},
        {"result": (2, -2)},
    ),
    "a member of the result": (
        "struct s { int a, b; }; struct s f(int a) { struct s r = {a, a}; return r; }",
        "struct s { int a, b; }; struct s f(int a) { struct s r = {a, a + 1}; return r; }",
        {"a": 7},
        {"result.b": (7, 8)},
    ),
    "what a pointer leads to": (
        "void f(int *p) { *p = 3; }",
        "void f(int *p) { *p += 3; }",
        {"p": "an object", "*p": 1},
        {"*p": (3, 4)},
    ),
    "where a pointer leads": (
        "char *f(char *s) { return s + 1; }",
        "char *f(char *s) { return s + 2; }",
        {},
        {"result": ("s + 1", "s + 2")},
    ),
    "a pointer that is NULL": (
        "int *f(int *p) { return p; }",
        "int *f(int *p) { return 0; }",
        {"p": "an object"},
        {"result": ("p", "NULL")},
    ),
    "a global that only the new version writes": (
        "int g; int f(int a) { return a; }",
        "int g; int f(int a) { g = 3; return a; }",
        {},
        {"g": (0, 3)},
    ),
    "a global that only the old version writes": (
        "int g; int f(int a) { g = 3; return a; }",
        "int g; int f(int a) { return a; }",
        {"g": 2},
        {"g": (3, 2)},
    ),
    "a global that only the old version reads": (
        "int g; int f(int a) { return a > 3 && !g; }",
        "int g; int f(int a) { return a > 3; }",
        {"a": 4, "g": 1},
        {"result": (0, 1)},
    ),
    "a member that is only written": (
        "struct s { int a, b, c; }; int f(struct s *p) { return p->b; }",
        "struct s { int a, b, c; }; int f(struct s *p) { p->c = 0; return p->b; }",
        {"p->c": 7},
        {"p->c": (7, 0)},
    ),
    "a pointer that is only written": (
        "struct s { int a; struct s *next; }; int f(struct s *p) { return p->a; }",
        "struct s { int a; struct s *next; }; int f(struct s *p) { p->next = 0; return p->a; }",
        {"p->next": "an object"},
        {"p->next": ("p->next", "NULL")},
    ),
    "a record that is written as a whole": (
        "struct s { int a, b, c; }; void f(struct s *p) { (void)p; }",
        "struct s { int a, b, c; }; void f(struct s *p) { *p = (struct s){0}; }",
        {"p->b": 1},
        {"p->b": (1, 0)},
    ),
    "an element that only the old version reads": (
        "int f(int *p) { return p[0] + p[2]; }",
        "int f(int *p) { return p[0]; }",
        {"p[2]": 7},
        {"result": (7, 0)},
    ),
    "a bit-field": (
        "struct s { unsigned a : 3, b : 5; }; void f(struct s *p) { p->b = 9; }",
        "struct s { unsigned a : 3, b : 5; }; void f(struct s *p) { p->b = 10; }",
        {},
        {"p->b": (9, 10)},
    ),
    "the sign of zero": (
        "double f(int a) { return a * 0.0; }",
        "double f(int a) { return a * -0.0; }",
        {"a": 1},
        {"result": (0.0, -0.0)},
    ),
    "how often a stub is called": (
        "int emit(int); void f(int a) { emit(a); }",
        "int emit(int); void f(int a) { emit(a); emit(a); }",
        {},
        {"calls of emit": (1, 2), "emit::argument_1#2": (None, 0)},
    ),
    "a stub that only the old version calls": (
        "int emit(int); int f(int a) { emit(a); return 0; }",
        "int emit(int); int f(int a) { return 0; }",
        {},
        {"calls of emit": (1, 0)},
    ),
    "what a stub is called with": (
        "int emit(int, const char *); int f(int a) { return emit(a, 0); }",
        'int emit(int, const char *); int f(int a) { return emit(a + 1, "x"); }',
        {"a": 3},
        {"emit::argument_1#1": (3, 4), "emit::argument_2#1": ("NULL", "not NULL")},
    ),
    "what a stub without an answer is called with": (
        "void put(int); void f(int a) { put(a); put(2); }",
        "void put(int); void f(int a) { put(a); put(3); }",
        {},
        {"put::argument_1#2": (2, 3)},
    ),
    "what a function behind a pointer is called with": (
        "int f(int (*call)(int)) { return call ? call(1) : 0; }",
        "int f(int (*back)(int)) { return back ? back(2) : 0; }",
        {},
        {"back::argument_1#1": (1, 2)},
    ),
    "another answer that is used": (
        "int get(void); int f(void) { get(); return get(); }",
        "int get(void); int f(void) { int a = get(); get(); return a; }",
        {"get#1": 1, "get#2": 2},
        {"result": (2, 1)},
    ),
    "what is drawn": (
        "int __VERIFIER_nondet_int(void); int f(void) { return __VERIFIER_nondet_int() > 3; }",
        "int __VERIFIER_nondet_int(void); int f(void) { return __VERIFIER_nondet_int() > 4; }",
        {"__VERIFIER_nondet_int#1": 4},
        {"result": (1, 0)},
    ),
    "how much is drawn": (
        "int __VERIFIER_nondet_int(void); void f(void) { __VERIFIER_nondet_int(); }",
        "int __VERIFIER_nondet_int(void); void f(void) { __VERIFIER_nondet_int(); __VERIFIER_nondet_int(); }",
        {},
        {"nondet#2": (None, "__VERIFIER_nondet_int"), "number of draws": (1, 2)},
    ),
    "members of an enum": (
        "enum e { RED, GREEN }; enum e f(int a) { return a ? GREEN : RED; }",
        "enum e { GREEN, RED }; enum e f(int a) { return a ? RED : RED; }",
        {"a": 1},
        {"result": ("GREEN", "RED")},
    ),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_a_difference(what: str, tmp_path: Path) -> None:
    old, new, given, expected = DIFFERENT[what]
    with comparing(tmp_path, old, new) as comparer:
        found = comparer.compare(input_of(comparer.new, given))
        assert found is not None
        seen = {each.what: (each.old, each.new) for each in found.observations}
        assert {path: str(pair) for path, pair in seen.items()} == {path: str(pair) for path, pair in expected.items()}
        assert comparer.inputs == 1
        assert comparer.remarks == ()


CRASHES: dict[str, tuple[str, str, Given, str, str]] = {
    "a crash that is gone": (
        "int f(int a) { return 10 / a; }",
        "int f(int a) { return a ? 10 / a : 0; }",
        {},
        "crashed: division by zero, line 1",
        "returned",
    ),
    "a crash that is new": (
        "int f(int *p) { return p ? *p : 0; }",
        "int f(int *p) { return *p; }",
        {"p": "NULL"},
        "returned",
        "crashed: null pointer dereferenced, which comes from the input, line 1",
    ),
    "no end": (
        "int f(int a) { return a; }",
        "int f(int a) { for (;;) a++; return a; }",
        {},
        "returned",
        "timed out",
    ),
    "another exit status": (
        "void exit(int); void f(int a) { exit(a); }",
        "void exit(int); void f(int a) { exit(a + 1); }",
        {"a": 2},
        "exited: exit status 2, line 1",
        "exited: exit status 3, line 1",
    ),
    "abort where something undefined happened": (
        "int f(int *p) { return *p; }",
        "void abort(void); int f(int *p) { if (!p) abort(); return *p; }",
        {"p": "NULL"},
        "crashed: null pointer dereferenced, which comes from the input, line 1",
        "crashed: abort, line 1",
    ),
}


@pytest.mark.parametrize("what", CRASHES)
def test_another_outcome(what: str, tmp_path: Path) -> None:
    old, new, given, before, now = CRASHES[what]
    with comparing(tmp_path, old, new) as comparer:
        found = comparer.compare(input_of(comparer.new, given))
        assert found is not None
        (one,) = found.observations
        assert one.what == "outcome"
        assert one.old.startswith(before)
        assert one.new.startswith(now)


ALIKE: dict[str, tuple[str, str, Given]] = {
    "another name for a parameter": ("int f(int a) { return a; }", "int f(int b) { return b; }", {"b": 4}),
    "what stands between members": (
        "struct s { char a; int b; }; struct s f(int a) { struct s r; r.a = 1; r.b = a; return r; }",
        "struct s { char a; int b; }; struct s f(int a) { struct s r = {1, a}; return r; }",
        {"a": 9},
    ),
    "locals without a value": (
        "int f(int a) { int x; if (a) x = a; return x; }",
        "int f(int a) { int y[9]; int x; y[0] = 3; if (a == y[1]) x = a; return a ? a : x; }",
        {},
    ),
    "bytes of a heap block without a value": (
        "#include <stdlib.h>\nint f(int a) { int *p = malloc(8); if (p) a = p[1]; return a; }",
        "#include <stdlib.h>\nint f(int a) { free(malloc(64)); int *p = malloc(8); if (p) a = p[1]; return a; }",
        {"a": 3},
    ),
    "where new memory is": (
        "#include <stdlib.h>\nvoid *f(int a) { return malloc(8); }",
        "#include <stdlib.h>\nvoid *f(int a) { free(malloc(100)); return malloc(8); }",
        {},
    ),
    "where variables are": (
        "int g; int *f(int a) { return &g; }",
        "int other[99] = {1}; int g; int *f(int a) { g = g + other[4]; return &g; }",
        {},
    ),
    "a member that is elsewhere now": (
        "struct s { int x, y; }; int *f(struct s *p) { return &p->y; }",
        "struct s { int z, x, y; }; int *f(struct s *p) { return &p->y; }",
        {},
    ),
    "the first member that is not the first any more": (
        "struct s { int x, y; }; int *f(struct s *p) { return &p->x; }",
        "struct s { int z, x, y; }; int *f(struct s *p) { return &p->x; }",
        {},
    ),
    "larger elements": (
        "struct s { int x; }; struct s *f(struct s p[3]) { return p + 2; }",
        "struct s { int x; long y; }; struct s *f(struct s p[3]) { return p + 2; }",
        {},
    ),
    "other numbers of an enum": (
        "enum e { RED, GREEN }; enum e f(enum e a) { return a; }",
        "enum e { GREEN, RED }; enum e f(enum e a) { return a; }",
        {"a": "GREEN"},
    ),
    "another type of the same value": ("int f(int a) { return a; }", "long f(int a) { return a; }", {"a": -1}),
    "NaN and NaN": (
        "double f(double a) { return a - a; }",
        "double f(double a) { return -(a - a); }",
        {"a": "inf"},
    ),
    "one crash and another": (
        "int f(int *p) { return *p; }",
        "int f(int *p) { return 3 / (p != 0) + *p; }",
        {"p": "NULL"},
    ),
    "both without an end": (
        "int f(int a) { for (;;) a++; return a; }",
        "int f(int a) { for (;;) a--; return a; }",
        {},
    ),
    "a crash in another line": ("int f(int a) { return 1 / a; }", "\n\nint f(int a) { return 1 / a; }", {}),
    "code that is elsewhere": (
        "static int g(int a) { return a; } int f(int a) { return g(a); }",
        "static int g(int a); int f(int a) { return g(a); } static int g(int a) { return a; }",
        {"a": 3},
    ),
}


@pytest.mark.parametrize("what", ALIKE)
def test_no_difference(what: str, tmp_path: Path) -> None:
    old, new, given = ALIKE[what]
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, given)) is None
        assert comparer.inputs == 1
