"""A C file of tests for a framework: the tests of the plain format, in the framework's own words.

    void test_classify_line_7_true(void)             Unity
    {
        int a = 4;
        int b = 1;

        int result = classify(a, b);

        TEST_ASSERT_EQUAL_INT(2, result);
    }

What the framework has no exact word for (floating-point numbers bit by bit, calls of stubs) is said in ours, and fails
in the framework's way. Most frameworks run all tests in one process. So a test that must crash or exit, and every test
of a unit with state that no test can reset, has a process of its own here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tightrope.running.run_record import Outcome
from tightrope.suite.case import Case, Suite, about_suite, known_rows
from tightrope.suite.kept_tests import write_block
from tightrope.suite.writers.c_functions import FunctionWriter
from tightrope.suite.writers.c_registers import has_registers
from tightrope.suite.writers.plain_c import (
    c_parts,
    c_string,
    describe_ending,
    file_head,
    needs_isolation,
    purpose_lines,
    register_parts,
    support_functions,
    without_clashes,
)
from tightrope.suite.writers.words import PLAIN_WORDS, Words

_MACRO = re.compile(r"^#define ((?:EXPECT|PROVIDE)_\w+\([^)]*\)) ((?:.*\\\n)*.*)$", re.MULTILINE)
_PRELUDE = "static int tightrope_failures; /* of the current test */\n"


@dataclass(frozen=True, slots=True)
class Framework:
    """What differs between frameworks. `{name}` stands for the name of a case, `{reason}` for a C expression."""

    ending: str  # of the name of the file, without `.c`
    headers: tuple[str, ...]
    words: Words
    fail: str  # C that ends the test with what `tightrope_message` says
    skip: str  # C that ends the test, which is skipped for a reason
    how_to_run: Callable[[Suite], Iterator[str]]  # for the comment at the top
    list_tests: Callable[[Suite], Iterator[str]]  # C after the tests
    opening: str = "static void test_{name}(void)"
    closing: tuple[str, ...] = ()


def write_framework_file(suite: Suite, framework: Framework) -> dict[str, str]:
    """File name -> text."""
    words = PLAIN_WORDS if needs_isolation(suite) else framework.words
    writer = FunctionWriter.of(suite, words)
    tests = "\n".join(line for case in suite.cases for line in _test(suite, framework, writer, case))
    head = file_head(suite, framework.how_to_run(suite), framework.headers)
    registers = "\n".join(register_parts(suite))
    support = support_functions(suite, head, tests)
    parts = [head, *_support(suite, framework, support, registers, tests), tests, *framework.list_tests(suite), ""]
    text = "\n".join([*parts, write_block(known_rows(suite), about_suite(suite))])
    return {f"{suite.file_stem}{framework.ending}.c": without_clashes(suite, text)}


def _test(suite: Suite, framework: Framework, writer: FunctionWriter, case: Case) -> Iterator[str]:
    """The lines of one test; if it has a process of its own, what that does is a function before it."""
    opening = framework.opening.format(name=case.name)
    kept = suite.kept.cut(f"{suite.file_stem}{framework.ending}.c", case.name, opening, framework.closing)
    if kept is not None:
        yield kept
        return
    connect = ["    CONNECT_REGISTERS();"] * has_registers(suite.shape.stubs)
    disconnect = ["    EXPECT_KNOWN_REGISTERS();"] * bool(connect)
    is_apart = case.ending.outcome is not Outcome.RETURNED or needs_isolation(suite)
    body = [*writer.body(case), *disconnect]
    if is_apart:
        yield from (f"static void body_of_{case.name}(void)", "{", *body, "}", "")
        body = list(_run_apart(framework, case))
    yield from purpose_lines(suite, case)
    yield from (opening, "{", *connect, *body, "}", *framework.closing, "")


def _run_apart(framework: Framework, case: Case) -> Iterator[str]:
    ending, body = case.ending, f"body_of_{case.name}"
    status = ending.status
    if ending.outcome is Outcome.RETURNED:
        yield f"    RUN_APART({body});"
    elif ending.outcome is Outcome.TIMED_OUT:
        reason = c_string(describe_ending(case))
        yield from (f"    (void){body};", f"    {framework.skip.format(reason=reason)};")
    elif ending.is_error or status is None:
        yield f"    EXPECT_CRASH({body}, {-status if status is not None and status < 0 else 'TIGHTROPE_ANY'});"
    elif status < 0:
        yield f"    EXPECT_SIGNAL({body}, {-status});"
    else:
        yield f"    EXPECT_EXIT({body}, {status});"


def _support(suite: Suite, framework: Framework, support: str, registers: str, tests: str) -> Iterator[str]:
    """What the tests need, in an order in which everything is declared before it is used."""
    support = _reworded(support.replace(_PRELUDE, ""))
    is_apart = re.search(r"\b(RUN_APART|EXPECT_EXIT|EXPECT_SIGNAL|EXPECT_CRASH)\(", tests) is not None
    is_isolated = "RUN_APART(" in tests
    wanted = {
        "message": "TIGHTROPE_REPORT" in support or is_apart or bool(registers),
        "symbols": is_apart,
        "child": is_isolated,
        "here": not is_isolated and ("TIGHTROPE_REPORT" in support or "CONNECT_REGISTERS" in tests),
        "apart": is_apart,
    }
    parts = {words[0]: text for words, text in c_parts("framework.c") if words}
    chosen = [name for name in ("message", "symbols", "child", "here") if wanted[name]]
    yield from (_filled(framework, parts[name], suite, is_isolated) for name in chosen)
    yield from (support, _reworded(registers))
    later = [name for name in parts if name.endswith("(") and name in tests]
    yield from (_filled(framework, parts[name], suite, is_isolated) for name in ["apart"] * is_apart + later)


def _filled(framework: Framework, text: str, suite: Suite, is_isolated: bool) -> str:
    words = {
        "FAIL_WORD": framework.fail,
        "SKIP_WORD(tightrope_reason)": framework.skip.format(reason="tightrope_reason"),
        "OPEN_CHANNEL": "tightrope_pipe(tightrope_channel) != 0 ? -1 :" if is_isolated else "",
        "HEAR;": "tightrope_hear(status);" if is_isolated else "",
        "HAS_FAILED": "tightrope_failed != 0" if is_isolated else "0",
        "CONNECT;": "tightrope_connect();" if has_registers(suite.shape.stubs) else "",
    }
    for word, meaning in words.items():
        text = re.sub(rf"\n +{re.escape(word)}\n", "\n", text) if not meaning else text.replace(word, meaning)
        text = text.replace(f"{word} ", "")
    return text


def _reworded(text: str) -> str:
    """Support of the plain format, which prints remarks and counts failures: it composes the message instead."""
    text = text.replace("tightrope_failures++;", "tightrope_begin();")
    text = re.sub(r'\bprintf\("# ', 'tightrope_say("', text)
    text = re.sub(r"\bprintf\(", "tightrope_say(", text)
    text = re.sub(r"^.*\btightrope_say\(.*$", lambda found: found[0].replace('\\n"', '"'), text, flags=re.MULTILINE)
    return _MACRO.sub(lambda found: f"#define {found[1]} TIGHTROPE_REPORT({found[2]})", text)
