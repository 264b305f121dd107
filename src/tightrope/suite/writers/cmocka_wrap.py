"""Tests for CMocka whose stubs are mocks: the linker sends calls of `hal_read` to `__wrap_hal_read`
(`--wrap=hal_read`), and each test says with `will_return` what they return.

    will_return(__wrap_hal_read, 3);            in place of    tightrope_answers_hal_read[0] = 3;

A test says exactly as many answers as there were calls: CMocka fails it where one is missing or left over. An answer
that `will_return` cannot carry (a float, a pointer, a struct, a type with a name of its own) and what a stub writes
stay as in the other formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from tightrope.suite.case import Suite, describe_calls
from tightrope.suite.writers.cmocka import CMOCKA
from tightrope.suite.writers.framework_file import write_framework_file
from tightrope.suite.writers.plain_c import build_commands, then_run

ENDING = "_cmocka_wrap"
_ANSWERS = re.compile(r"^static (?P<type>[^\n;]*?) tightrope_answers_(?P<name>\w+)\[(?P<count>\d+)\];\n", re.MULTILINE)
_INTEGER = re.compile(
    r"(?:const |volatile )*(?:(?:un)?signed|_Bool|bool|char|short|int|long|u?int\d+_t|size_t|enum \w+| )+"
)


def write_cmocka_wrap(suite: Suite) -> dict[str, str]:
    ((name, text),) = write_framework_file(suite, CMOCKA_WRAP).items()
    return {name: _with_mocks(suite, text)}


def build_cmocka_wrap(suite: Suite) -> Iterator[str]:
    """The commands that build it."""
    words = " ".join((*wrap_flags(suite), "$(pkg-config --cflags --libs cmocka)"))
    return build_commands(suite, ENDING, (), words)


def wrap_flags(suite: Suite) -> list[str]:
    """For the linker: whose calls go to the mocks."""
    ((_, text),) = write_framework_file(suite, CMOCKA).items()
    return [f"-Wl,--wrap={name}" for name in _wrapped(suite, text)]


def _how_to_run(suite: Suite) -> Iterator[str]:
    yield "Build and run it in this folder:"
    yield from then_run(build_cmocka_wrap(suite), f"{suite.file_stem}{ENDING}")
    yield "A program has one mock for each function: other suites are programs of their own."


CMOCKA_WRAP = replace(CMOCKA, ending=ENDING, how_to_run=_how_to_run)


def _head(name: str) -> re.Pattern[str]:
    """The first line of a stub that other files could call, too."""
    return re.compile(rf"^(?P<type>(?!static\b)\w[^\n;=]*?)\({name}\)(?=\([^\n]*\)$)", re.MULTILINE)


def _wrapped(suite: Suite, text: str) -> list[str]:
    return [
        stub.name for stub in suite.shape.stubs if re.fullmatch(r"\w+", stub.name) and _head(stub.name).search(text)
    ]


def _with_mocks(suite: Suite, text: str) -> str:
    names = _wrapped(suite, text)
    for name in names:
        text = _head(name).sub(rf"\g<type>__wrap_{name}", text)
        text = re.sub(
            rf"^#define {name} {name}_in_\w+\n", "", text, flags=re.MULTILINE
        )  # the linker knows it by its name
    mocked = {found["name"]: found for found in _ANSWERS.finditer(text) if _INTEGER.fullmatch(found["type"])}
    for name in (each for each in names if each in mocked):
        text = _mock(text, mocked[name]["type"], name)
    for case in suite.cases:
        calls = describe_calls(suite, case)
        for name in reversed([each for each in names if each in mocked]):  # each goes before the others
            made = None if calls is None else sum(line.startswith(f"{name}(") for line in calls)
            text = _say_answers(text, case.name, name, int(mocked[name]["count"]), made)
    return text


def _mock(text: str, kind: str, name: str) -> str:
    """The stub returns what the test said last."""
    text = re.sub(rf"^static [^\n;]* tightrope_answers_{name}\[\d+\];\n", "", text, flags=re.MULTILINE)
    text = re.sub(rf"^ *__builtin_memset\(tightrope_answers_{name}, [^\n]*\n", "", text, flags=re.MULTILINE)
    return text.replace(f"return tightrope_answers_{name}[tightrope_call];", f"return ({kind})mock();")


def _say_answers(text: str, case: str, name: str, most: int, made: int | None) -> str:
    """The answers of one test. `made`: how many calls there were; None: it does not return, and nothing checks them."""
    start = re.search(rf"^[^\n]*\b(?:body_of|test)_{case}\([^\n]*\)\n\{{\n", text, re.MULTILINE)
    if start is None:
        return text
    end = text.index("\n}", start.end())
    body = text[start.end() : end]
    if f"(__wrap_{name}," in body:  # a test that was there before: it says its answers already
        return text
    given = re.compile(rf"^ *tightrope_answers_{name}\[(\d+)\] = ([^\n]*);\n", re.MULTILINE)
    values = {int(number): value for number, value in given.findall(body)}
    count = made if made is not None else most
    said = [values.get(min(number, most - 1), "0") for number in range(count)]
    lines = "".join(_will_return(name, value, len(list(group))) for value, group in groupby(said))
    before, marker, after = given.sub("", body).partition("    tightrope_forget_answers();\n")
    return text[: start.end()] + (before + marker + lines + after if marker else lines + before) + text[end:]


def _will_return(name: str, value: str, times: int) -> str:
    if times == 1:
        return f"    will_return(__wrap_{name}, {value});\n"
    return f"    will_return_count(__wrap_{name}, {value}, {times});\n"
