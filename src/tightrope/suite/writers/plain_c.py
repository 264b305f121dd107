"""Tests as one C11 file that needs nothing but a compiler: it includes the unit's source, so that static functions
can be called, and reports in the Test Anything Protocol.

    static void test_classify__a_gt_3_T__b_T(void)
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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import PurePath

from tightrope.harness.assembly import define_instructions
from tightrope.harness.driver import define_away, define_constants, define_inline, define_undefined, undefine
from tightrope.harness.heap_stubs import define_allocators, define_free, redirect_free
from tightrope.harness.stubs import HIDES_CALLS, StubWriter, define_loose_data, define_loose_functions, define_missing
from tightrope.inputs.stub_answers import fails_at_last
from tightrope.library.libc_models import may_change_process
from tightrope.library.symbols import is_in_library
from tightrope.library.table import Fact, functions_with
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.declarations.stubs import CALLED_BY_MAIN, NEEDED_BY_TESTS
from tightrope.running.run_record import Outcome
from tightrope.suite.case import MOST_LINES, RISKS, Case, Suite, about_suite, describe_purpose, known_rows
from tightrope.suite.folder import head_of_tests
from tightrope.suite.kept_tests import write_block
from tightrope.suite.seal import ABOUT_SEAL
from tightrope.suite.writers.c_functions import FunctionWriter, left_out_calls
from tightrope.suite.writers.c_names import with_own_names
from tightrope.suite.writers.c_program import define_program_functions
from tightrope.suite.writers.c_registers import (
    define_barrier,
    define_registers,
    define_symbols,
    has_low_address,
    has_registers,
    symbols_of_registers,
)
from tightrope.suite.writers.c_values import keeps_something

_HEADER = re.compile(r"^#include <.*>$", re.MULTILINE)
_PARAMETERS = {"dup2": "int from, int to", "fclose": "FILE *stream"}
_LIBRARY_USED = frozenset((*NEEDED_BY_TESTS, *CALLED_BY_MAIN, "main"))
APART = "apart"  # after the number of a test: run it as in the whole suite
IN_PROCESS = "tightrope_run"
PRINTING = functions_with(Fact.OUTPUT)
_WEAK = "__attribute__((weak)) "
_VERBS = {Outcome.CRASHED: "crashes", Outcome.TIMED_OUT: "does not end", Outcome.EXITED: "exits"}


MOST_LATEST = 2
_latest: list[tuple[Suite, dict[str, str]]] = []


def write_plain_c(suite: Suite) -> dict[str, str]:
    """A suite is confirmed, judged and written: mostly the same one; without tests that crash, it is another one for
    the judge."""
    found = next((files for known, files in _latest if known == suite), None)
    if found is None:
        found = _write_plain_c(suite)
        _latest[:] = [(suite, found), *_latest][:MOST_LATEST]
    return dict(found)


def _write_plain_c(suite: Suite) -> dict[str, str]:
    writer = FunctionWriter.of(suite)
    functions = "\n".join(_function(suite, writer, case) for case in suite.cases)
    head = file_head(suite, _how_to_run(suite))
    parts = [
        head,
        support_functions(suite, head, functions),
        *register_parts(suite),
        functions,
        _table(suite),
        _ending(suite),
        write_block(known_rows(suite), about_suite(suite)),
    ]
    return {f"{suite.file_stem}.c": without_clashes(suite, "\n".join(parts))}


def without_clashes(suite: Suite, text: str) -> str:
    """The text with what keeps names of the unit apart from those that come after it: its macros are undefined, and
    headers of the library declare functions that it defines under other names. Names for other suites: `c_names.py`."""
    include = f'#include "{suite.include_path}"\n'
    before, _, after = text.partition(include)
    words = set(re.findall(r"\w+", after))
    undefined = "".join(f"#undef {name}\n" for name in suite.macros if name in words)
    own = [name for name in suite.ctypes.functions if is_in_library(name) and name not in _LIBRARY_USED]

    def protect(found: re.Match[str]) -> str:
        hidden = [f"#define {name} tightrope_library_{name}" for name in own]
        return "\n".join([*hidden, found[0], *(f"#undef {name}" for name in own)])

    whole = before + include + undefined + (_HEADER.sub(protect, after) if own else after)
    return with_own_names(suite, whole)


def _how_to_run(suite: Suite) -> Iterator[str]:
    yield "Build and run it in this folder, with any C11 compiler:"
    yield from then_run(build_commands(suite), suite.file_stem)
    yield f"One test only:  ./{suite.file_stem} 2        In a program of your own:  -DTIGHTROPE_NO_MAIN"
    yield from _about_endings(suite)


def file_head(suite: Suite, how_to_run: Iterable[str], headers: Iterable[str] = ()) -> str:
    """The file up to its stubs; `headers` are those of a framework."""
    lines = [
        head_of_tests(suite.subject, suite.source.name),
        f"   {ABOUT_SEAL}",
        "",
        *(f"   {comment(line)}" for line in how_to_run),
        "",
        "   The expected values are those that were observed when this file was written. Please check that they are",
        "   correct. */",
        "",
        f"#define main {UNIT_MAIN} /* the unit may define main */",
        *define_instructions(suite.interface.assembly),
        *_redirections(suite),
        *_define_away(suite),
        f'#include "{suite.include_path}"',
        *undefine(suite.interface.definitions),
        *_inline(suite),
        *_errno(suite),
        "#include <stdio.h>",
        *headers,
        "",
        *_defined_elsewhere(suite),
        *define_program_functions(suite, _WEAK),
        *_constants(suite),
        *define_allocators(suite.interface, is_driver=False),
        *_stubs(suite),
        *define_free(suite.interface, suite.shape, is_driver=False),
    ]
    return "\n".join(lines)


def _about_endings(suite: Suite) -> Iterator[str]:
    outcomes = {case.ending.outcome for case in suite.cases}
    if outcomes & {Outcome.CRASHED, Outcome.EXITED}:
        yield "Tests that crash or exit run in a process of their own. To debug one, run it alone."
    if Outcome.TIMED_OUT in outcomes:
        yield "Tests that do not end are skipped, unless run alone."


def build_commands(
    suite: Suite, ending: str = "", before: Sequence[str] = (), after: str = "", linker: Sequence[str] = ()
) -> Iterator[str]:
    """The commands that build the tests by hand, in their folder. Linked files with the unit's flags are on the same
    line; every other one has a command of its own before it. `ending` is what a framework adds to the name of the
    file, `before` and `after` what it adds to the command; a `linker` of its own makes the tests an object file."""
    stem = f"{suite.file_stem}{ending}"
    files = [f"{stem}.c"]
    for number, each in enumerate(suite.linked, 1):
        if each.flags == suite.flags:
            files.append(suite.path_to(each.source))
            continue
        files.append(f"{stem}_{number}.o")
        yield shlex.join(["cc", *each.flags, "-c", suite.path_to(each.source), "-o", files[-1]])
    compile_words = ["cc", *compiler_flags(suite), *before]
    if linker:
        yield shlex.join([*compile_words, "-c", *files[:1], "-o", f"{stem}.o"])
        files[0], compile_words = f"{stem}.o", list(linker)
    words = shlex.join([*compile_words, "-o", stem, *files, *suite.libraries])
    yield f"{words}{after and f' {after}'}"


def then_run(commands: Iterable[str], program: str) -> Iterator[str]:
    """The commands, indented; the last also runs what they build."""
    *others, last = commands
    yield from (f"    {command}" for command in (*others, f"{last} && ./{program}"))


def compiler_flags(suite: Suite) -> list[str]:
    """With which the tests are compiled."""
    standard = [] if any(each.startswith("-std=") for each in suite.flags) else ["-std=gnu11"]
    return [*standard, "-fwrapv", *suite.flags]


def _define_away(suite: Suite) -> Iterator[str]:
    if suite.interface.definitions:
        yield "/* Words of another compiler, which the unit uses. */"
        yield from define_away(suite.interface.definitions)


def _inline(suite: Suite) -> Iterator[str]:
    names = suite.interface.inline_functions
    if names:
        yield "/* The unit only defines these as `inline`: another declaration makes the compiler generate code. */"
        yield from define_inline(names)


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
    without = symbols_of_registers(suite.shape.stubs)
    defined = [*define_undefined(suite.interface, _WEAK, without), *missing]
    if defined:
        yield "/* The unit declares these, and other files of its program define them. If you link with those files,"
        yield from ("   their definitions are used. */", *defined, "")
    loose = [*define_loose_data(suite.interface, _WEAK), *define_loose_functions(suite.interface, _WEAK)]
    if loose:
        yield "/* Other files of this program need these from yet other files. These definitions do nothing. */"
        yield from (*loose, "")
    yield from define_symbols(without)


def _constants(suite: Suite) -> Iterator[str]:
    lines = list(define_constants(suite.ctypes, suite.interface))
    if lines:
        yield "/* Constants that the unit declares and other files define: each test sets their values. */"
        yield from (*lines, "")


def _stubs(suite: Suite) -> Iterator[str]:
    shown = suite.shown_calls
    shows = {stub.path: shown.statements(stub) for stub in shown.stubs}
    if any(suite.hides_calls(case) for case in suite.cases):
        shows = {path: _unless_hidden(lines) for path, lines in shows.items()}
    left_out = frozenset(name for case in suite.cases for name, _ in left_out_calls(suite, case))
    linked = suite.interface.linked_allocators
    writer = StubWriter(suite.ctypes, suite.shape.stubs, shows=shows, left_out=left_out, linked=linked)
    lines = list(writer.definitions())
    text = "\n".join(lines)
    lines = [part for words, part in c_parts("calls.c") if any(word in text for word in words)] + lines
    if lines:
        yield "/* Stubs of functions that the unit calls and that are not part of it. Each test sets their answers;"
        fails = any(fails_at_last(suite.ctypes, stub) for stub in suite.shape.stubs)
        but = ", or fail if they wait for something" * fails
        yield from (f"   later calls get the last answer again{but}. */", *lines, "")


def _unless_hidden(lines: tuple[str, ...]) -> tuple[str, ...]:
    return (f"if (!{HIDES_CALLS}) {{", *(f"    {line}" for line in lines), "}") if lines else ()


def register_parts(suite: Suite) -> Iterator[str]:
    stubs = suite.shape.stubs
    yield from ("\n".join([*lines, ""]) for lines in [list(define_barrier(suite))] if lines)
    if has_registers(stubs):
        kinds = {"trap", "low" if has_low_address(stubs) else "high"}
        support = [part for words, part in c_parts("registers.c") if kinds.intersection(words)]
        yield "\n".join([*define_registers(stubs), *support])


def comment(text: str) -> str:
    """The text without what would end a comment or look like the start of another."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def support_functions(suite: Suite, head: str, functions: str) -> str:
    """The support functions that the tests use: compilers warn about static functions that are not used."""
    has_calls = "EXPECT_CALLS(" in functions or "EXPECT_NO_CALLS(" in functions
    lines = " EXPECTED_REALS" if "tightrope_show_real(" in head else " EXPECTED_LINES"
    wanted = functions + lines * has_calls
    used = [
        with_library_names(suite, text) if "PROVIDE_INPUT" in words else text
        for words, text in c_parts("support.c")
        if not words or any(f" {word}" in wanted for word in words)
    ]
    return "\n".join(used).replace("FLOAT_TOLERANCE 0", f"FLOAT_TOLERANCE {suite.float_tolerance:g}")


def with_library_names(suite: Suite, text: str) -> str:
    """Support functions that call what the unit calls as a stub: they call the library's."""
    stubs = {stub.name for stub in suite.shape.stubs if stub.is_redirected}
    names = [name for name in ("dup2", "fclose") if name in stubs and f"{name}(" in text]
    after = [f"#undef {name}\n" for name in names]
    before = [f"{line}\n" for line in _name_library(names)]
    return "".join([*before, text, *after])


def _may_print(suite: Suite) -> bool:
    """True if the unit may write to standard output: a result then starts a new line."""
    return not PRINTING.isdisjoint(suite.interface.undefined_functions)


def c_parts(name: str) -> Iterator[tuple[list[str], str]]:
    """A file beside this one, cut at its lines `/* --- WORDS */`."""
    text = resources.files("tightrope.suite.writers").joinpath(name).read_text(encoding="utf-8")
    first, *rest = re.split(r"^/\* --- (.*) \*/\n", text, flags=re.MULTILINE)
    yield [], first
    for words, part in zip(rest[::2], rest[1::2], strict=True):
        yield words.split(), part.rstrip("\n") + "\n"


def _function(suite: Suite, writer: FunctionWriter, case: Case) -> str:
    opening = f"static void test_{case.name}(void)"
    kept = suite.kept.cut(f"{suite.file_stem}.c", case.name, opening)
    if kept is not None:
        return kept
    lines = [*purpose_lines(suite, case), opening, "{", *writer.body(case), "}", ""]
    return "\n".join(lines)


def purpose_lines(suite: Suite, case: Case) -> Iterator[str]:
    observed = [] if case.ending.outcome is Outcome.RETURNED else [f"observed: {describe_ending(case)}"]
    observed += [f"undefined, but only sanitizers notice: {RISKS}"] * case.is_risky
    texts = [*describe_purpose(suite, case, MOST_LINES - len(observed)), *observed]
    if not texts:
        return
    lines = [comment(text) for text in texts]
    yield f"/* {lines[0]}{' */' if len(lines) == 1 else ''}"
    for line in lines[1:-1]:
        yield f"   {line}"
    if len(lines) > 1:
        yield f"   {lines[-1]} */"


def describe_ending(case: Case) -> str:
    ending = case.ending
    at = ending.location
    place = f" at {replace(at, file=PurePath(at.file).name)}" if at else ""  # as the user named it, it may be absolute
    return f"{_VERBS[ending.outcome]}: {ending.reason}{place}" if ending.reason else f"{_VERBS[ending.outcome]}{place}"


def _table(suite: Suite) -> str:
    """The tests; how they end is listed if some of them do not return."""
    members, rows, has_endings = "void (*run)(void); const char *name;", [], _has_endings(suite)
    for case in suite.cases:
        row = [f"test_{case.name}", c_string(case.name), *(_ending_of(case) if has_endings else ())]
        rows.append(f"    {{{', '.join(row)}}},")
    if has_endings:
        members += " const char *ending; int status, is_undefined, is_endless;"
    return "\n".join(
        [
            *["enum { TIGHTROPE_ANY = 1000 };"] * has_endings,
            f"static const struct {{ {members} }} tightrope_tests[] = {{",
            *(rows or ["    {NULL, NULL},"]),
            "};",
            f"enum {{ TIGHTROPE_COUNT = {len(rows)} }};",
            "",
        ]
    )


def _has_endings(suite: Suite) -> bool:
    return any(case.ending.outcome is not Outcome.RETURNED for case in suite.cases)


def _ending_of(case: Case) -> tuple[str, ...]:
    ending = case.ending
    if ending.outcome is Outcome.RETURNED:
        return "NULL", "0", "0", "0"
    status = "TIGHTROPE_ANY" if ending.status is None else str(ending.status)
    return (
        c_string(describe_ending(case)),
        status,
        str(int(ending.is_error)),
        str(int(ending.outcome is Outcome.TIMED_OUT)),
    )


def find_tests_of_errors(text: str) -> frozenset[str]:
    """In a written file: the tests that end by undefined behaviour."""
    return frozenset(_ROW_OF_ERROR.findall(text))


_ROW_OF_ERROR = re.compile(r'^ *\{(test_\w+), "[^"]*", "(?:[^"\\]|\\.)*", [-\w]+, 1, 0\},$', re.MULTILINE)


def c_string(text: str) -> str:
    """A string literal; what is not printable becomes a question mark."""
    shown = "".join(letter if 32 <= ord(letter) < 127 else "?" for letter in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"').replace("??", '?""?') + '"'


def _ending(suite: Suite) -> str:
    kind = "endings" if _has_endings(suite) else "own_process" if needs_isolation(suite) else "one_process"
    text = "\n".join(part for words, part in c_parts("main.c") if kind in words)
    alone = f"count > 2 ? tightrope_run_apart : {IN_PROCESS}" if kind == "endings" else IN_PROCESS  # see APART
    text = _connect(text, has_registers(suite.shape.stubs))
    text = text.replace("SUITE_NAME", suite.file_stem).replace("RUN_ALONE", alone)
    text = text.replace("NEW_LINE", "\\n" if _may_print(suite) else "")
    return "\n".join([*_library_names(suite, text), text])


def _connect(text: str, has_any: bool) -> str:
    """Where there can be no registers, no test can run: the file says so instead of crashing."""
    skip = 'printf("1..0 # SKIP %s\\n", reason);'
    lines = ("const char *reason = tightrope_connect();", "if (reason != NULL) {", f"    {skip}", "    return 0;", "}")
    for mark, indent in (("CONNECT_ONE", "        "), ("CONNECT", "    ")):
        text = text.replace(f"{indent}{mark}\n", "".join(f"{indent}{line}\n" for line in lines) if has_any else "")
    return text


def _library_names(suite: Suite, text: str) -> Iterator[str]:
    """For what the unit calls as a stub, and the rest of the file as it is: other names."""
    stubs = {stub.name for stub in suite.shape.stubs if stub.is_redirected}
    names = [name for name in CALLED_BY_MAIN if name in stubs and f"int {name}(" in text]
    yield from _name_library(names)


def _name_library(names: Sequence[str]) -> Iterator[str]:
    if names:
        yield "/* The unit calls stubs of these. What follows calls those of the library. */"
        yield "#define TIGHTROPE_TEXT(word) #word"
        yield "#define TIGHTROPE_SYMBOL(prefix, name) TIGHTROPE_TEXT(prefix) name"
    for name in names:
        own = f"tightrope_library_{name}"
        yield f'int {own}({_PARAMETERS.get(name, "")}) __asm__(TIGHTROPE_SYMBOL(__USER_LABEL_PREFIX__, "{name}"));'
        yield f"#define {name} {own}"


def needs_isolation(suite: Suite) -> bool:
    """True when a call may change state that the next test cannot reset: then each test gets its own process."""
    interface = suite.interface
    ours = {each.name for each in interface.missing_functions} | {each.name for each in suite.shape.stubs}
    return (
        any(state != "errno" for state in interface.hidden_state)
        or any(keeps_something(root.shape) for root in suite.shape.globals if not root.answers_of)
        or any(may_change_process(name) for name in interface.undefined_functions if name not in ours)
    )
