"""Tests for Check: one test case of one suite, and a `main` that runs it."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.suite.case import Suite
from tightrope.suite.writers.framework_file import Framework, write_framework_file
from tightrope.suite.writers.plain_c import build_commands, then_run
from tightrope.suite.writers.words import Words

ENDING = "_check"
SECONDS = 60  # for each test; Check allows 4 by default, which is too few on a busy machine

WORDS = Words(
    integer="ck_assert_int_eq({actual}, {expected});",
    unsigned="ck_assert_uint_eq({actual}, {expected});",
    integers="ck_assert_mem_eq({actual}, {expected}, sizeof({expected}));",
    unsigneds="ck_assert_mem_eq({actual}, {expected}, sizeof({expected}));",
    null="ck_assert_ptr_null((const void *){actual});",
    not_null="ck_assert_ptr_nonnull((const void *){actual});",
    pointer="ck_assert_ptr_eq((const void *)({actual}), (const void *)({expected}));",
    text=("ck_assert_str_eq((const char *){actual}, {expected});",),
)


def write_check(suite: Suite) -> dict[str, str]:
    return write_framework_file(suite, CHECK)


def build_check(suite: Suite) -> Iterator[str]:
    """The commands that build it."""
    return build_commands(suite, ENDING, (), "$(pkg-config --cflags --libs check)")


def _how_to_run(suite: Suite) -> Iterator[str]:
    yield "Build and run it in this folder:"
    yield from then_run(build_check(suite), f"{suite.file_stem}{ENDING}")
    yield "In one program with other suites:  -DTIGHTROPE_NO_MAIN"


def _list_tests(suite: Suite) -> Iterator[str]:
    name, group = f"tightrope_{suite.file_stem}", suite.file_stem.removeprefix("test_")
    yield from ("/* All tests, for a runner: srunner_add_suite. */", f"Suite *{name}(void);", f"Suite *{name}(void)")
    yield from ("{", f'    Suite *suite = suite_create("{group}");', f'    TCase *tests = tcase_create("{group}");')
    yield f"    tcase_set_timeout(tests, {SECONDS});"
    yield from (f"    tcase_add_test(tests, test_{case.name});" for case in suite.cases)
    yield from ("    suite_add_tcase(suite, tests);", "    return suite;", "}", "")
    yield from ("#ifndef TIGHTROPE_NO_MAIN", "#undef main", "int main(void)", "{")
    yield from (f"    SRunner *runner = srunner_create({name}());", "    int failed;")
    yield from ("    srunner_run_all(runner, CK_ENV);", "    failed = srunner_ntests_failed(runner);")
    yield from ("    srunner_free(runner);", "    return failed != 0;", "}", "#endif")


CHECK = Framework(
    ending=ENDING,
    headers=("#include <check.h>",),
    words=WORDS,
    fail='ck_abort_msg("%s", tightrope_message)',
    skip='do {{ printf("skipped: %s\\n", {reason}); return; }} while (0)',  # Check knows no skipped tests
    how_to_run=_how_to_run,
    list_tests=_list_tests,
    opening="START_TEST(test_{name})",
    closing=("END_TEST",),
)
