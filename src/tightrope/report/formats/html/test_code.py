"""The code of tests, found in the files that hold them: a function, or a macro such as `TEST(suite, name) { ... }`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tightrope.program.c_text.c_tokens import partner, read_tokens
from tightrope.program.c_text.source_text import read_from_disk
from tightrope.report.model import UnitReport

_ENDINGS = (".c", ".cc", ".cpp", ".cxx")
_PREFIX = "test_"  # functions that Tightrope writes are called so, before the name of the test


@dataclass(frozen=True, slots=True)
class TestCode:
    file: str
    line: int
    text: str

    __test__ = False  # pytest would collect it


def find_test_code(unit: UnitReport) -> dict[str, TestCode]:
    """The code of the unit's tests, by id, as far as it is found."""
    named = (*unit.written, *unit.suites, *(test.suite for test in unit.tests if test.suite))
    return find_code_of([test.id for test in unit.tests], named)


def find_code_of(tests: Iterable[str], named: Iterable[str]) -> dict[str, TestCode]:
    """The code of tests by name, as far as it is in one of the files and folders."""
    wanted = {name: test for test in tests for name in (test, f"{_PREFIX}{test}")}
    found: dict[str, TestCode] = {}
    for file in _files(map(Path, dict.fromkeys(named))):
        for name, code in _definitions(str(file), read_from_disk(str(file)), wanted):
            found.setdefault(name, code)
    return found


def _files(named: Iterable[Path]) -> Iterator[Path]:
    for path in named:
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        yield from (file for file in inside if file.suffix in _ENDINGS and file.is_file())


def _definitions(file: str, text: str, wanted: Mapping[str, str]) -> Iterator[tuple[str, TestCode]]:
    tokens = read_tokens(text)
    for at, token in enumerate(tokens):
        if token.text not in wanted or token.kind != "word":
            continue
        after = (position for position in range(at + 1, len(tokens)) if tokens[position].text in ("{", ";", "}"))
        opening = next(after, None)
        closing = partner(tokens, opening) if opening is not None and tokens[opening].text == "{" else None
        if closing is not None:
            start = text.rfind("\n", 0, token.start) + 1
            code = TestCode(file, text.count("\n", 0, start) + 1, text[start : tokens[closing].end])
            yield wanted[token.text], code
