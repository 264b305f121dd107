"""Tests as one C11 file that needs nothing but a compiler: it includes the unit's source, so that static functions
can be called, and reports in the Test Anything Protocol.

    static void test_classify_line_7_true(void)
    {
        int a = 4;
        int b = 1;
        int result = classify(a, b);
        EXPECT_INT(result, 2);
    }
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import resources

from tightrope.harness.driver import define_constants, define_undefined
from tightrope.harness.heap_stubs import define_free, redirect_free
from tightrope.harness.stubs import StubWriter, define_loose_data, define_loose_functions, define_missing
from tightrope.library.libc_models import may_change_process
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.running.run_record import Outcome
from tightrope.suite.case import Case, Suite, describe_purpose
from tightrope.suite.folder import MARKER
from tightrope.suite.writers.c_functions import FunctionWriter
from tightrope.suite.writers.c_program import define_program_functions
from tightrope.suite.writers.c_values import keeps_something

_WEAK = "__attribute__((weak)) "
_VERBS = {Outcome.CRASHED: "crashes", Outcome.TIMED_OUT: "does not end", Outcome.EXITED: "exits"}


def write_plain_c(suite: Suite) -> dict[str, str]:
    writer = FunctionWriter.of(suite)
    functions = "\n".join(_function(suite, writer, case) for case in suite.cases)
    head = _head(suite)
    parts = [head, _support(suite, head, functions), functions, _table(suite), _ending(suite)]
    return {f"{suite.file_stem}.c": "\n".join(parts)}


def _head(suite: Suite) -> str:
    stem = suite.file_stem
    lines = [
        f"/* {MARKER}: tests of `{suite.function}` in {suite.source.name}. Generating again replaces this file.",
        "",
        "   Build and run it in this folder, with any C11 compiler:",
        *(f"       {comment(command)}" for command in _build_commands(suite)),
        f"   One test only:  ./{stem} 2        In a program of your own:  -DTIGHTROPE_NO_MAIN",
        "   Tests that crash, exit or do not end are skipped unless built with -DTIGHTROPE_RUN_CRASHING.",
        "",
        "   The expected values are those that were observed when this file was written. Please check that they are",
        "   correct. */",
        "",
        f"#define main {UNIT_MAIN} /* the unit may define main */",
        *_redirections(suite),
        f'#include "{suite.include_path}"',
        *_errno(suite),
        "#include <stdio.h>",
        "",
        *_defined_elsewhere(suite),
        *define_program_functions(suite, _WEAK),
        *_constants(suite),
        *_stubs(suite),
        *define_free(suite.interface, suite.shape, is_driver=False),
    ]
    return "\n".join(lines)


def _build_commands(suite: Suite) -> Iterator[str]:
    """The commands that build the tests by hand, in their folder. Linked files with the unit's flags are on the same
    line; every other one has a command of its own before it."""
    stem = suite.file_stem
    files = [f"{stem}.c"]
    for number, each in enumerate(suite.linked, 1):
        if each.flags == suite.flags:
            files.append(suite.path_to(each.source))
            continue
        files.append(f"{stem}_{number}.o")
        yield shlex.join(["cc", *each.flags, "-c", suite.path_to(each.source), "-o", files[-1]])
    yield f"{shlex.join(['cc', '-std=c11', *suite.flags, '-o', stem, *files])} && ./{stem}"


def _errno(suite: Suite) -> Iterator[str]:
    """Tests set errno; the unit may use it without including its header."""
    if "errno" in suite.interface.hidden_state:
        yield from ("#ifndef errno", "#include <errno.h>", "#endif")


def _redirections(suite: Suite) -> Iterator[str]:
    stubs = StubWriter(suite.ctypes, suite.shape.stubs)
    lines = [*stubs.redirections(), *redirect_free(suite.interface, suite.shape)]
    if lines:
        yield "/* The unit calls functions of this file in place of these; the library still calls its own. */"
        yield from lines


def _defined_elsewhere(suite: Suite) -> Iterator[str]:
    missing = define_missing(suite.ctypes, suite.interface, suite.shape.stubs, _WEAK)
    defined = [*define_undefined(suite.interface, _WEAK), *missing]
    if defined:
        yield "/* The unit declares these, and other files of its program define them. If you link with those files,"
        yield from ("   their definitions are used. */", *defined, "")
    loose = [*define_loose_data(suite.interface, _WEAK), *define_loose_functions(suite.interface, _WEAK)]
    if loose:
        yield "/* Other files of this program need these from yet other files. These definitions do nothing. */"
        yield from (*loose, "")


def _constants(suite: Suite) -> Iterator[str]:
    lines = list(define_constants(suite.ctypes, suite.interface))
    if lines:
        yield "/* Constants that the unit declares and other files define: each test sets their values. */"
        yield from (*lines, "")


def _stubs(suite: Suite) -> Iterator[str]:
    shown = suite.shown_calls
    shows = {stub.path: shown.statements(stub) for stub in shown.stubs}
    lines = list(StubWriter(suite.ctypes, suite.shape.stubs, shows=shows).definitions())
    text = "\n".join(lines)
    lines = [part for words, part in _parts("calls.c") if any(word in text for word in words)] + lines
    if lines:
        yield "/* Stubs of functions that the unit calls and that are not part of it. Each test sets their answers;"
        yield from ("   later calls get the last answer again. */", *lines, "")


def comment(text: str) -> str:
    """The text without what would end a comment or look like the start of another."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def _support(suite: Suite, head: str, functions: str) -> str:
    """The support functions that the tests use: compilers warn about static functions that are not used."""
    has_calls = "EXPECT_CALLS(" in functions or "EXPECT_NO_CALLS(" in functions
    lines = " EXPECTED_REALS" if "tightrope_show_real(" in head else " EXPECTED_LINES"
    wanted = functions + lines * has_calls
    used = [text for words, text in _parts("support.c") if not words or any(f" {word}" in wanted for word in words)]
    return "\n".join(used).replace("FLOAT_TOLERANCE 0", f"FLOAT_TOLERANCE {suite.float_tolerance:g}")


def _parts(name: str) -> Iterator[tuple[list[str], str]]:
    """A file beside this one, cut at its lines `/* --- WORDS */`."""
    text = resources.files("tightrope.suite.writers").joinpath(name).read_text(encoding="utf-8")
    first, *rest = re.split(r"^/\* --- (.*) \*/\n", text, flags=re.MULTILINE)
    yield [], first
    for words, part in zip(rest[::2], rest[1::2], strict=True):
        yield words.split(), part.rstrip("\n") + "\n"


def _function(suite: Suite, writer: FunctionWriter, case: Case) -> str:
    lines = [*_purpose(suite, case), f"static void test_{case.name}(void)", "{", *writer.body(case), "}", ""]
    return "\n".join(lines)


def _purpose(suite: Suite, case: Case) -> Iterator[str]:
    texts = describe_purpose(suite, case)
    if case.ending.outcome is not Outcome.RETURNED:
        texts.append(f"observed: {_why(case)}")
    if not texts:
        return
    lines = [comment(text) for text in texts]
    yield f"/* {lines[0]}{' */' if len(lines) == 1 else ''}"
    for line in lines[1:-1]:
        yield f"   {line}"
    if len(lines) > 1:
        yield f"   {lines[-1]} */"


def _why(case: Case) -> str:
    ending = case.ending
    place = f" at {ending.location}" if ending.location else ""
    return f"{_VERBS[ending.outcome]}: {ending.reason}{place}" if ending.reason else f"{_VERBS[ending.outcome]}{place}"


def _table(suite: Suite) -> str:
    rows = []
    for case in suite.cases:
        skip = "NULL" if case.ending.outcome is Outcome.RETURNED else c_string(_why(case))
        rows.append(f"    {{test_{case.name}, {c_string(case.name)}, {skip}}},")
    head = "static const struct { void (*run)(void); const char *name; const char *skip; } tightrope_tests[] = {"
    count = f"enum {{ TIGHTROPE_COUNT = {len(rows)} }};"
    return "\n".join([head, *(rows or ["    {NULL, NULL, NULL},"]), "};", count, ""])


def c_string(text: str) -> str:
    """A string literal; what is not printable becomes a question mark."""
    shown = "".join(letter if 32 <= ord(letter) < 127 else "?" for letter in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"').replace("??", '?""?') + '"'


def _ending(suite: Suite) -> str:
    kind = "own_process" if needs_isolation(suite) else "one_process"
    text = "\n".join(part for words, part in _parts("main.c") if kind in words)
    return text.replace("FUNCTION_NAME", suite.function)


def needs_isolation(suite: Suite) -> bool:
    """True when a call may change state that the next test cannot reset: then each test gets its own process."""
    interface = suite.interface
    ours = {each.name for each in interface.missing_functions} | {each.name for each in suite.shape.stubs}
    return (
        any(state != "errno" for state in interface.hidden_state)
        or any(keeps_something(root.shape) for root in suite.shape.globals if not root.answers_of)
        or any(may_change_process(name) for name in interface.undefined_functions if name not in ours)
    )
