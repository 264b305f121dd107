"""Tests for GoogleTest: a C++ file with a TEST for each test, and a C file with what they do. The code under test is
part of the C file: most C is no C++."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.suite.case import Case, Suite
from tightrope.suite.folder import head_of_tests
from tightrope.suite.seal import ABOUT_SEAL
from tightrope.suite.writers.framework_file import Framework, write_framework_file
from tightrope.suite.writers.plain_c import build_commands, then_run
from tightrope.suite.writers.words import PLAIN_WORDS

ENDING = "_gtest"
_FAILURE = "tightrope_gtest_failure(const char *file, int line, const char *message)"
_SKIP = "tightrope_gtest_skip(const char *reason)"


def write_gtest(suite: Suite) -> dict[str, str]:
    files = write_framework_file(suite, _framework(suite))
    return {**files, f"{suite.file_stem}{ENDING}.cpp": "\n".join(_cpp(suite)) + "\n"}


def _framework(suite: Suite) -> Framework:
    function = f"void {_function(suite, '{name}')}(void)"
    return Framework(
        ending=ENDING,
        headers=(f"void {_FAILURE};", f"void {_SKIP};"),
        words=PLAIN_WORDS,
        fail="tightrope_gtest_failure(__FILE__, __LINE__, tightrope_message)",
        skip="do {{ tightrope_gtest_skip({reason}); return; }} while (0)",
        how_to_run=_how_to_run,
        list_tests=lambda _: iter(()),
        opening=f"{function};\n{function}",
    )


def _function(suite: Suite, name: str) -> str:
    """Its C function; other suites of the program may have cases of the same name."""
    return f"{suite.file_stem}__{name}"


def build_gtest(suite: Suite) -> Iterator[str]:
    """The commands that build it."""
    linker = ["c++", f"{suite.file_stem}{ENDING}.cpp"]
    return build_commands(suite, ENDING, (), "-lgtest -lgtest_main -pthread", linker)


def _how_to_run(suite: Suite) -> Iterator[str]:
    stem = f"{suite.file_stem}{ENDING}"
    yield f"What the tests in {stem}.cpp do. Build and run both in this folder:"
    yield from then_run(build_gtest(suite), f"{suite.file_stem}{ENDING}")
    yield "In one program with other suites:  -DTIGHTROPE_NO_MAIN"


def _cpp(suite: Suite) -> Iterator[str]:
    yield head_of_tests(suite.subject, suite.source.name)
    yield f"   {ABOUT_SEAL}"
    yield f"   What they do is in {suite.file_stem}{ENDING}.c. */"
    yield from ("#include <gtest/gtest.h>", "", 'extern "C" {', "#ifndef TIGHTROPE_GTEST", "#define TIGHTROPE_GTEST")
    yield "/* The C calls these. Each suite of a program defines them, all alike. */"
    yield from (f"__attribute__((weak)) void {_FAILURE}", "{", "    ADD_FAILURE_AT(file, line) << message;", "}")
    yield from (f"__attribute__((weak)) void {_SKIP}", "{", "    GTEST_SKIP() << reason;", "}")
    yield "#endif"
    yield from (f"void {_function(suite, case.name)}(void);" for case in suite.cases)
    yield from ("}", "")
    group = suite.file_stem.removeprefix("test_")
    for case in suite.cases:
        yield f"TEST({group}, {_short_name(suite, case)}) {{ {_function(suite, case.name)}(); }}"


def _short_name(suite: Suite, case: Case) -> str:
    """Without the name of the function, which the group has."""
    short = case.name.removeprefix(suite.function).lstrip("_")
    return short if short and not short[0].isdigit() else case.name
