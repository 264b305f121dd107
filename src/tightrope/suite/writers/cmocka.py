"""Tests for CMocka: a group of unit tests, and a `main` that runs it."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.suite.case import Suite
from tightrope.suite.writers.framework_file import Framework, write_framework_file
from tightrope.suite.writers.plain_c import build_commands, then_run
from tightrope.suite.writers.words import Words

ENDING = "_cmocka"

WORDS = Words(
    integer="assert_int_equal({actual}, {expected});",
    unsigned="assert_int_equal({actual}, {expected});",
    integers="assert_memory_equal({actual}, {expected}, sizeof({expected}));",
    unsigneds="assert_memory_equal({actual}, {expected}, sizeof({expected}));",
    null="assert_null({actual});",
    not_null="assert_non_null({actual});",
    pointer="assert_ptr_equal({actual}, {expected});",
    text=("assert_non_null({actual});", "assert_string_equal({actual}, {expected});"),
)


def write_cmocka(suite: Suite) -> dict[str, str]:
    return write_framework_file(suite, CMOCKA)


def build_cmocka(suite: Suite) -> Iterator[str]:
    """The commands that build it."""
    return build_commands(suite, ENDING, (), "$(pkg-config --cflags --libs cmocka)")


def _how_to_run(suite: Suite) -> Iterator[str]:
    yield "Build and run it in this folder:"
    yield from then_run(build_cmocka(suite), f"{suite.file_stem}{ENDING}")
    yield "In one program with other suites:  -DTIGHTROPE_NO_MAIN"


def _list_tests(suite: Suite) -> Iterator[str]:
    yield "/* Runs all tests and returns the number of failures. */"
    yield from (f"int tightrope_{suite.file_stem}(void);", f"int tightrope_{suite.file_stem}(void)", "{")
    yield "    const struct CMUnitTest tests[] = {"
    yield from (f"        cmocka_unit_test(test_{case.name})," for case in suite.cases)
    group = suite.file_stem.removeprefix("test_")
    yield from ("    };", f'    return cmocka_run_group_tests_name("{group}", tests, NULL, NULL);', "}", "")
    yield from ("#ifndef TIGHTROPE_NO_MAIN", "#undef main")
    yield from (f"int main(void) {{ return tightrope_{suite.file_stem}(); }}", "#endif")


CMOCKA = Framework(
    ending=ENDING,
    headers=tuple(f"#include <{name}.h>" for name in ("stdarg", "stddef", "stdint", "setjmp", "cmocka")),
    words=WORDS,
    fail='fail_msg("%s", tightrope_message)',
    skip='do {{ print_message("%s\\n", {reason}); skip(); }} while (0)',
    how_to_run=_how_to_run,
    list_tests=_list_tests,
    opening="static void test_{name}(void **state __attribute__((unused)))",
)
