"""Tests that tell two versions apart: they are confirmed without probes, and readable."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tightrope.commands.diff.comparing.difference_tests import (
    WrittenDifferences,
    choose_differences,
    write_difference_tests,
)
from tightrope.errors import UsageError
from tightrope.inputs.scalars import Human
from tightrope.source.compile import link_program
from tightrope.source.flags import Flags
from tightrope.source.toolchain import find_compiler

from .versions import comparing, input_of, options_for

Given = dict[str, Human]


def tell(
    folder: Path, old: str, new: str, *inputs: Given, no_confirm: bool = False, has_file: bool = True
) -> WrittenDifferences:
    """The tests for differences on these inputs of the new version."""
    options = replace(options_for(folder), no_confirm=no_confirm)
    with comparing(folder, old, new) as comparer:
        found = [comparer.compare(input_of(comparer.new, each)) for each in inputs]
        old_name = str(folder / "old" / "unit.c") if has_file else "HEAD~1:unit.c"
        return write_difference_tests(comparer, [each for each in found if each], options, old_name)


TOLD: dict[str, tuple[str, str, Given, tuple[str, str, str]]] = {
    "the result": (
        "int f(int a) { return a > 3; }",
        "int f(int a) { return a > 5; }",
        {"a": 5},
        ("new", "old", "result: expected 0, got 1"),
    ),
    "a global that only the old version writes": (
        "int g; int f(int a) { g = 3; return a; }",
        "int g; int f(int a) { return a; }",
        {},
        ("new", "old", "g: expected 0, got 3"),
    ),
    "a variable of another file that only the new version reads": (
        "int f(int a) { return a > 3; }",
        "extern int flag; int f(int a) { return a > 3 && !flag; }",
        {"a": 4, "flag": 1},
        ("new", "old", "result: expected 0, got 1"),
    ),
    "a stub that only the old version calls": (
        "int emit(int); int f(int a) { emit(a); return 0; }",
        "int f(int a) { return 0; }",
        {},
        ("new", "old", "calls of emit differs from the new version"),
    ),
    "a stub that only the new version calls": (
        "int f(int a) { return 0; }",
        "int emit(int); int f(int a) { emit(a); return 0; }",
        {},
        ("new", "old", "tightrope_calls_emit: expected 1, got 0"),
    ),
    "what does not call a function that only the old version defines": (
        "static int emit(int a) { return a; } int f(int a) { return a > 3 ? emit(a) : 1; }",
        "int emit(int a); int f(int a) { return a > 3 ? emit(a) : 2; }",
        {},
        ("new", "old", "result: expected 2, got 1"),
    ),
    "a function of the library that only the old version calls": (
        "#include <time.h>\nint f(int a) { return time(0) > a; }",
        "int f(int a) { return 0; }",
        {"a": -4},
        ("new", "old", "result: expected 0, got 1; calls of time differs from the new version"),
    ),
    "what a stub is called with": (
        "void emit(int, double); void f(int a) { emit(a, 0.5); }",
        "void emit(int, double); void f(int a) { emit(a, 1.5); }",
        {},
        ("new", "old", "tightrope_arguments_emit_2[0]: expected 1.5, got 0.5"),
    ),
    "a function behind a pointer that is not called any more": (
        "int f(int (*call)(void)) { if (call) call(); return 0; }",
        "int f(int (*call)(void)) { return 0; }",
        {},
        ("new", "old", "calls of call differs from the new version"),
    ),
    "a crash that is gone": (
        "int f(int a) { return 10 / a; }",
        "int f(int a) { return a ? 10 / a : 0; }",
        {},
        ("new", "old", "ended by signal 8"),
    ),
    "a crash that is new": (
        "int f(int *p) { return p ? *p : 0; }",
        "int f(int *p) { return *p; }",
        {"p": "NULL"},
        ("old", "new", "ended by signal 11"),
    ),
    "no end": (
        "int f(int a) { return a; }",
        "int f(int a) { while (a == 3) a = 3; return a; }",
        {"a": 3},
        ("old", "new", "did not end in time"),
    ),
    "an exit": (
        "int f(int a) { return a; }",
        "void exit(int); int f(int a) { if (a == 3) exit(0); return a; }",
        {"a": 3},
        ("old", "new", "ended with status 0"),
    ),
    "another exit status": (
        "void exit(int); void f(int a) { exit(a); }",
        "void exit(int); void f(int a) { exit(a + 1); }",
        {"a": 2},
        ("", "", "new: ended with status 1; old: ended with status 0"),
    ),
    "a crash that only probes notice": (
        "int f(int a) { int x[4] = {0}; return a & x[3]; }",
        "int f(int a) { int x[4] = {0}; return a & x[a + 4]; }",
        {},
        ("old", "", "new: crashed only in the instrumented build"),
    ),
    "a local that has lost its value": (
        "int f(int a) { int x = 5; if (a == 1) x = 1; return x; }",
        "int f(int a) { int x; if (a == 1) x = 1; return x; }",
        {},
        ("old", "new", "result: expected 5, got 0"),
    ),
    "a variable that only the new version has": (
        "int f(int a) { return a > 3; }",
        "static int limit = 3; int f(int a) { return a >= limit; }",
        {"a": 3, "limit": 3},
        ("new", "old", "result: expected 1, got 0"),
    ),
    "a member that only the new version has": (
        "struct s { int a; }; int f(struct s *p) { return p->a; }",
        "struct s { int b, a; }; int f(struct s *p) { p->b = 1; return -p->a; }",
        {"p->a": 3},
        ("new", "old", "result: expected -1, got 1"),
    ),
}


@pytest.mark.parametrize("what", TOLD)
def test_versions_are_told_apart(what: str, tmp_path: Path) -> None:
    old, new, given, expected = TOLD[what]
    found = tell(tmp_path, old, new, given)
    (one,) = found.reported
    assert (one.passes_on, one.fails_on, one.detail) == expected
    assert found.remarks == ()
    assert found.written == (str(tmp_path / "tests" / "test_unit_f_differences.c"),)


WITHDRAWN: dict[str, tuple[str, str, Given]] = {
    "addresses": (
        "unsigned long f(int *p) { return (unsigned long)p; }",
        "int other; unsigned long f(int *p) { other = 0; return (unsigned long)p + 0; }",
        {"p": "an object"},
    ),
    "long, but not endless": (
        "int f(int a) { return a; }",
        "int f(int a) { volatile int i = 0; while (a == 3 && i < 20000000) i++; return a; }",
        {"a": 3},
    ),
}


@pytest.mark.parametrize("what", WITHDRAWN)
def test_what_only_probes_see_is_no_difference(what: str, tmp_path: Path) -> None:
    """With probes, these differ or may differ; nobody is told so."""
    found = tell(tmp_path, *WITHDRAWN[what])
    assert found.reported == ()
    assert found.written == ()
    assert list((tmp_path / "tests").iterdir()) == []


def test_values_are_readable(tmp_path: Path) -> None:
    old = "int f(int a, int b, const char *s) { return a > 1000 && b == 7 && s && s[0] == 'x'; }"
    new = "int f(int a, int b, const char *s) { return a > 1000 && s && s[0] == 'x'; }"
    given: Given = {"a": 918273, "b": -555555, "s": "an object", "s[0]": "x", "s[1]": "q", "s[2]": "r"}
    (one,) = tell(tmp_path, old, new, given).reported
    assert {path: value for path, value in one.inputs.items() if value} == {
        "a": 1001,
        "s": "an object",
        "s[0]": "x",
    }
    assert [(each.what, each.old, each.new) for each in one.observations] == [("result", 0, 1)]


def test_one_test_for_each_kind_of_difference(tmp_path: Path) -> None:
    old = "int f(int a, int *p) { if (p) *p = a; return a < 10; }"
    new = "int f(int a, int *p) { if (p) *p = a + (a == 4); return a < 12; }"
    found = tell(tmp_path, old, new, {"a": 10}, {"a": 11}, {"a": 4}, {"a": 10, "p": "NULL"}, {"a": 4})
    assert [each.test for each in found.reported] == ["f_difference_1", "f_difference_2"]
    assert [each.observations[0].what for each in found.reported] == ["result", "*p"]
    assert all((each.passes_on, each.fails_on) == ("new", "old") for each in found.reported)


def test_what_other_tests_show_already_needs_none(tmp_path: Path) -> None:
    """Of `a` and `b` alone, and both together, the third is left out."""
    old = "void f(int a, int b, int *p, int *q) { *p = a; *q = b; }"
    new = "void f(int a, int b, int *p, int *q) { *p = a + (a == 4); *q = b - (b == 4); }"
    found = tell(tmp_path, old, new, {"a": 4, "b": 4}, {"a": 4}, {"b": 4})
    assert [[each.what for each in one.observations] for one in found.reported] == [["*p"], ["*q"]]


def test_a_crash_does_not_hide_the_other_tests(tmp_path: Path) -> None:
    old = "int f(int a) { return a; }"
    new = "int f(int a) { return a == 3 ? a / 0 : a + (a == 5); }"
    found = tell(tmp_path, old, new, {"a": 3}, {"a": 5})
    assert [(each.test, each.passes_on, each.fails_on) for each in found.reported] == [
        ("f_difference_1", "new", "old"),
        ("f_difference_2", "old", "new"),
    ]


def test_without_confirmation_nothing_is_claimed(tmp_path: Path) -> None:
    text = "int f(int a) { return a + %d; }"
    (one,) = tell(tmp_path, text % 1, text % 2, {}, no_confirm=True).reported
    assert (one.passes_on, one.fails_on) == ("", "")
    assert one.detail == "not built and run without instrumentation (--no-confirm)"


def test_no_difference_no_file(tmp_path: Path) -> None:
    text = "int f(int a) { return a; }"
    assert tell(tmp_path, text, text, {"a": 3}) == WrittenDifferences()


def test_people_can_build_the_file_with_either_version(tmp_path: Path) -> None:
    """As the comment in it says."""
    old = "extern int flag; int emit(int); int f(int a) { return emit(a) && !flag; }"
    new = "extern int flag; int f(int a) { return flag; }"
    found = tell(tmp_path, old, new, {"flag": 1})
    text = Path(found.written[0]).read_text()
    assert "-DTIGHTROPE_OLD -DTIGHTROPE_UNIT='\"../old/unit.c\"' */" in text
    flags = {"new": (), "old": ("-DTIGHTROPE_OLD", '-DTIGHTROPE_UNIT="../old/unit.c"')}
    for version, status in (("new", 0), ("old", 1)):
        program = tmp_path / version / "program"
        link_program(find_compiler(), [Path(found.written[0])], Flags(flags[version]), program)
        assert subprocess.run([program], capture_output=True, check=False).returncode == status


def test_a_version_that_is_in_no_file_must_be_checked_out(tmp_path: Path) -> None:
    text = "int f(int a) { return a + %d; }"
    (file,) = tell(tmp_path, text % 1, text % 2, {}, has_file=False).written
    assert "       check out HEAD~1 */" in Path(file).read_text()


def test_a_file_of_the_user_is_left_alone(tmp_path: Path) -> None:
    text, mine = "int f(int a) { return a + %d; }", tmp_path / "tests" / "test_unit_f_differences.c"
    mine.parent.mkdir()
    mine.write_text("mine\n")
    with pytest.raises(UsageError, match="was not written by Tightrope"):
        tell(tmp_path, text % 1, text % 2, {})
    assert mine.read_text() == "mine\n"


def test_differences_are_chosen_in_the_order_in_which_they_were_found(tmp_path: Path) -> None:
    with comparing(tmp_path, "int f(int a) { return a; }", "int f(int a) { return a + 1; }") as comparer:
        found = [comparer.compare(input_of(comparer.new, {"a": a})) for a in (5, 4)]
        assert choose_differences([each for each in found if each]) == [found[0]]
