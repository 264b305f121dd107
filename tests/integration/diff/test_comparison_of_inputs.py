"""Inputs of two versions of a function: which are the same, and what becomes of those that only one version has."""

from __future__ import annotations

from pathlib import Path

from .versions import comparing, input_of


def test_a_variable_that_only_one_version_has(tmp_path: Path) -> None:
    """It is what the program starts with: with another value, the old version would be given another input."""
    old = "int f(int a) { return a > 3; }"
    new = "static int limit = 3; int f(int a) { return a > limit; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"a": 4, "limit": 100})) is None
        assert comparer.remarks[0] == "limit exists only in the new version: it is 3 in every comparison"


def test_a_member_that_only_one_version_has(tmp_path: Path) -> None:
    old = "struct s { int a; }; int f(struct s *p) { return p->a; }"
    new = "struct s { int a, b; }; int f(struct s *p) { return p->b ? 0 : p->a; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"p->a": 4, "p->b": 1})) is None
        assert comparer.remarks[0] == "p->b exists only in the new version: it is 0 in every comparison"


def test_what_is_something_else_now_is_no_input(tmp_path: Path) -> None:
    """A value of one cannot be given to the other."""
    old = "int limit = 0; int f(int a) { return a > limit; }"
    new = "struct { int x, y; } limit = {0, 0}; int f(int a) { return a > limit.y; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"limit.y": -1})) is None
        assert comparer.compare_old(input_of(comparer.old, {"limit": -1})) is None
        assert comparer.inputs == 1
        assert "limit.y exists only in the new version: it is 0 in every comparison" in comparer.remarks


def test_a_union_with_another_largest_member(tmp_path: Path) -> None:
    old = "union u { int i; float x; }; int f(union u *p) { return p->i > 3; }"
    new = "union u { int i; float x; char c[8]; }; int f(union u *p) { return p->i > 4; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"p->c[0]": 9})) is None


def test_a_function_that_has_moved_to_another_file(tmp_path: Path) -> None:
    """Its stub may answer anything; the function that it was does not."""
    old = "static int twice(int a) { return 2 * a; } int f(int a) { return a > 3 ? twice(a) : a; }"
    new = "int twice(int a); int f(int a) { return a > 3 ? twice(a) : a; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"a": 4})) is None
        assert comparer.inputs == 0
        assert comparer.compare(input_of(comparer.new, {"a": 3})) is None
        assert comparer.inputs == 1
        assert comparer.remarks == ("twice() has no body in the new version: runs that call it are not compared",)


def test_an_array_that_is_longer_now(tmp_path: Path) -> None:
    old = "int t[2]; int f(int a) { return t[a & 1]; }"
    new = "int t[4]; int f(int a) { return t[a & 3]; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"a": 2, "t[2]": 9})) is None
        found = comparer.compare(input_of(comparer.new, {"a": 2, "t[0]": 9}))
        assert found is not None
        assert [(each.what, each.old, each.new) for each in found.observations] == [("result", 9, 0)]


def test_an_input_that_the_other_version_cannot_have(tmp_path: Path) -> None:
    """255 is no value of a signed char, so nothing is compared."""
    old = "struct s { signed char a; }; int f(struct s *p) { return p->a; }"
    new = "struct s { unsigned char a; }; int f(struct s *p) { return p->a; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"p->a": 255})) is None
        assert comparer.inputs == 0
        assert comparer.compare(input_of(comparer.new, {"p->a": 100})) is None
        assert comparer.inputs == 1


def test_inputs_go_there_and_back(tmp_path: Path) -> None:
    old = "enum e { A, B, C }; int f(enum e e, int *p, int *q) { return e + *p + *q; }"
    new = "enum e { C, B, A }; int f(enum e x, int *y, int *z) { return x + y[0] + z[1]; }"
    with comparing(tmp_path, old, new) as comparer:
        values = input_of(comparer.new, {"x": "A", "y": "an object", "z": "NULL"})
        other = comparer.to_old(values)
        assert other == input_of(comparer.old, {"e": "A", "p": "an object", "q": "NULL"})
        assert comparer.to_new(other) == values


def test_inputs_of_the_old_version_can_be_compared(tmp_path: Path) -> None:
    """It is in another file, and the new version does not mention it."""
    old = "extern int flag; int f(int a) { return a > 3 && !flag; }"
    new = "int f(int a) { return a > 3; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"a": 4})) is None
        found = comparer.compare_old(input_of(comparer.old, {"a": 4, "flag": 1}))
        assert found is not None
        assert [(each.what, each.old, each.new) for each in found.observations] == [("result", 0, 1)]


def test_what_is_not_compared_is_said(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint f(int a) { static int calls; calls++; printf("%d\\n", calls); return a; }'
    with comparing(tmp_path, text, text) as comparer:
        assert comparer.remarks == (
            "f::calls: its value after the call is not compared",
            "printed output is not compared",
        )


def test_inputs_that_are_rejected_are_not_compared(tmp_path: Path) -> None:
    text = "enum e { A = 1, B = 2 }; int f(enum e a) { return a; }"
    with comparing(tmp_path, text, text) as comparer:
        assert comparer.compare((3,)) is None
        assert comparer.inputs == 0


def test_a_function_with_more_parameters_is_not_compared(tmp_path: Path) -> None:
    with comparing(tmp_path, "int f(int a) { return a; }", "int f(int a, int b) { return a + b; }") as comparer:
        assert comparer.compare(input_of(comparer.new, {"b": 4})) is None
        assert comparer.inputs == 0
        assert comparer.remarks == (
            "the function has different parameters now: no input can be passed to both versions",
        )


def test_a_new_member_of_an_enum_is_no_input_of_the_old_version(tmp_path: Path) -> None:
    """Its number is that of another member there."""
    old = "enum e { A, B, C }; enum e f(enum e e) { return e; }"
    new = "enum e { A, N, B, C }; enum e f(enum e e) { return e == C ? N : e; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"e": "N"})) is None
        assert comparer.inputs == 0
        assert comparer.compare(input_of(comparer.new, {"e": "B"})) is None
        found = comparer.compare(input_of(comparer.new, {"e": "C"}))
        assert found is not None
        assert [(each.old, each.new) for each in found.observations] == [("C", "N")]


def test_a_member_with_another_name_is_the_same(tmp_path: Path) -> None:
    old = "enum e { A, B }; enum e f(enum e e) { return e; }"
    new = "enum e { A, BETTER }; enum e f(enum e e) { return e; }"
    with comparing(tmp_path, old, new) as comparer:
        assert comparer.compare(input_of(comparer.new, {"e": "BETTER"})) is None
        assert comparer.inputs == 1
