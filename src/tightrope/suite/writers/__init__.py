"""Formats in which a suite can be written. A writer is a function from a suite to files: name -> text.

To add one: a file here with such a function, and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tightrope.suite.case import Suite
from tightrope.suite.writers.as_json import write_json_suite
from tightrope.suite.writers.check import build_check, write_check
from tightrope.suite.writers.cmocka import build_cmocka, write_cmocka
from tightrope.suite.writers.cmocka_wrap import ENDING as WRAP_ENDING
from tightrope.suite.writers.cmocka_wrap import build_cmocka_wrap, write_cmocka_wrap
from tightrope.suite.writers.gtest import build_gtest, write_gtest
from tightrope.suite.writers.plain_c import build_commands, write_plain_c
from tightrope.suite.writers.testcomp import FOLDER_ENDING, METADATA, write_testcomp
from tightrope.suite.writers.unity import build_unity, write_unity


@dataclass(frozen=True, slots=True)
class Writer:
    help: str  # one sentence
    endings: tuple[str, ...]  # of the names of the files that it writes
    write: Callable[[Suite], dict[str, str]]
    build: Callable[[Suite], Iterable[str]] | None = None  # the commands that make a program of it, for a shell


WRITERS: Mapping[str, Writer] = {
    "plain": Writer("C11 without any dependency, TAP on standard output", (".c",), write_plain_c, build_commands),
    "unity": Writer(
        "Unity, as Ceedling expects it: no main unless built with -DTIGHTROPE_MAIN",
        ("_unity.c",),
        write_unity,
        build_unity,
    ),
    "cmocka": Writer("CMocka", ("_cmocka.c",), write_cmocka, build_cmocka),
    "cmocka-wrap": Writer(
        "CMocka, with stubs as __wrap_ functions and will_return",
        (f"{WRAP_ENDING}.c",),
        write_cmocka_wrap,
        build_cmocka_wrap,
    ),
    "check": Writer("Check", ("_check.c",), write_check, build_check),
    "gtest": Writer(
        "GoogleTest: a C++ file, and the code under test in a C file",
        ("_gtest.c", "_gtest.cpp"),
        write_gtest,
        build_gtest,
    ),
    "json": Writer("inputs and observed values by path, for other tools", (".json",), write_json_suite),
    "testcomp": Writer(
        "a folder in the exchange format of Test-Comp", (f"{FOLDER_ENDING}/{METADATA}",), write_testcomp
    ),
}


def program_name(suite: Suite, format: str) -> str:
    """The program that is made of the suite in this format."""
    return f"{suite.file_stem}{WRITERS[format].endings[0].removesuffix('.c')}"


def build_all(suite: Suite, formats: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Each program of the suite, with the commands that build it in the folder of the tests."""
    builders = ((name, WRITERS[name].build) for name in formats if suite.cases)
    return {program_name(suite, name): tuple(build(suite)) for name, build in builders if build}
