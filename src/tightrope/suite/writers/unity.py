"""Tests for Unity, as Ceedling expects them: functions `test_...` that a runner calls, `setUp` and `tearDown`, and no
`main`. Built with -DTIGHTROPE_MAIN, the file has one and needs no other runner."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.suite.case import Suite
from tightrope.suite.writers.framework_file import Framework, write_framework_file
from tightrope.suite.writers.plain_c import build_commands, then_run
from tightrope.suite.writers.words import Words

ENDING = "_unity"

WORDS = Words(
    integer="TEST_ASSERT_EQUAL_INT({expected}, {actual});",
    unsigned="TEST_ASSERT_EQUAL_UINT({expected}, {actual});",
    wide_integer="TEST_ASSERT_EQUAL_INT64({expected}, {actual});",
    wide_unsigned="TEST_ASSERT_EQUAL_UINT64({expected}, {actual});",
    integers="TEST_ASSERT_EQUAL_INT{bits}_ARRAY({expected}, {actual}, {count});",
    unsigneds="TEST_ASSERT_EQUAL_UINT{bits}_ARRAY({expected}, {actual}, {count});",
    null="TEST_ASSERT_NULL({actual});",
    not_null="TEST_ASSERT_NOT_NULL({actual});",
    pointer="TEST_ASSERT_EQUAL_PTR({expected}, {actual});",
    text=("TEST_ASSERT_EQUAL_STRING({expected}, {actual});",),
)

_LINKAGE = (  # a declaration that starts with `void` would be another test to Ceedling
    "#ifdef TIGHTROPE_NO_MAIN",
    "#define TIGHTROPE_TEST static",
    "#else",
    "#define TIGHTROPE_TEST extern",
    "#endif",
)


def write_unity(suite: Suite) -> dict[str, str]:
    return write_framework_file(suite, UNITY)


def build_unity(suite: Suite) -> Iterator[str]:
    """The commands that build it."""
    return build_commands(suite, ENDING, ["-DTIGHTROPE_MAIN"], '-I"$UNITY" "$UNITY"/unity.c')


def _how_to_run(suite: Suite) -> Iterator[str]:
    yield "For a runner such as that of Ceedling. Without one, in this folder, where UNITY is the folder of unity.c:"
    yield from then_run(build_unity(suite), f"{suite.file_stem}{ENDING}")
    yield "In one program with other suites:  -DTIGHTROPE_NO_MAIN"


def _list_tests(suite: Suite) -> Iterator[str]:
    yield from ("/* Of all tests of the program. */", "__attribute__((weak)) void setUp(void) { }")
    yield from ("__attribute__((weak)) void tearDown(void) { }", "")
    yield "/* Runs all tests, between UNITY_BEGIN() and UNITY_END(). */"
    yield from (f"void tightrope_{suite.file_stem}(void);", f"void tightrope_{suite.file_stem}(void)", "{")
    yield from ("    Unity.TestFile = __FILE__;", *(f"    RUN_TEST(test_{case.name});" for case in suite.cases), "}")
    yield from ("", "#ifdef TIGHTROPE_MAIN", "#undef main", "int main(void)", "{", "    UNITY_BEGIN();")
    yield from (f"    tightrope_{suite.file_stem}();", "    return UNITY_END();", "}", "#endif")


UNITY = Framework(
    ending=ENDING,
    headers=('#include "unity.h"', *_LINKAGE),
    words=WORDS,
    fail="TEST_FAIL_MESSAGE(tightrope_message)",
    skip="TEST_IGNORE_MESSAGE({reason})",
    how_to_run=_how_to_run,
    list_tests=_list_tests,
    opening="TIGHTROPE_TEST void test_{name}(void);\nvoid test_{name}(void)",
)
