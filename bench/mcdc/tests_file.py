"""The tests of a tool, as it writes them: a JSON file that names a value for some inputs of each test."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.mcdc.subjects import FunctionUnderTest

SCHEMA = 1
_REAL = re.compile(r"[-+]?(?:0[xX][\da-fA-F]+(?:\.[\da-fA-F]*)?p[-+]?\d+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|nan)")


class BadTestsError(Exception):
    """What is wrong with the file as a whole, as a sentence."""


@dataclass(frozen=True, slots=True)
class GivenTest:
    """`values`: lvalue -> kind and value. `problem`: why it is no test of this subject; then it does not count."""

    seconds: float  # since the tool was started
    values: Mapping[str, str]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class GivenTests:
    tool: str
    is_anytime: bool  # each test says when it was found, whatever the limit was
    tests: tuple[GivenTest, ...]


def write_tests(file: Path, tool: str, tests: list[dict[str, Any]], *, anytime: bool) -> None:
    """For runners in Python. Each test: {"seconds": 0.1, "inputs": {...}}"""
    said = {"schema": SCHEMA, "tool": tool, "anytime": anytime, "tests": tests}
    file.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


def read_tests(file: Path, subject: FunctionUnderTest, seconds: float = 0.0) -> GivenTests:
    """`seconds`: what a test that does not say when it was found gets."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadTestsError(f"{file.name} cannot be read as JSON: {problem}") from None
    if not isinstance(said, dict) or said.get("schema") != SCHEMA or not isinstance(said.get("tests"), list):
        raise BadTestsError(f'{file.name} must be an object with "schema": {SCHEMA} and a list "tests"')
    known = frozenset(subject.leaves)
    tests = tuple(_test(each, known, seconds) for each in said["tests"])
    return GivenTests(str(said.get("tool", "")), bool(said.get("anytime")), tests)


def _test(said: Any, known: frozenset[str], seconds: float) -> GivenTest:
    if not isinstance(said, dict) or not isinstance(said.get("inputs"), dict):
        return GivenTest(seconds, {}, 'a test must be an object with "inputs"')
    at = said.get("seconds", seconds)
    if not isinstance(at, int | float) or isinstance(at, bool) or at < 0:
        return GivenTest(seconds, {}, '"seconds" must be a number')
    values: dict[str, str] = {}
    for path, value in said["inputs"].items():
        for lvalue, scalar in _scalars(path, value):
            if lvalue not in known:
                return GivenTest(at, {}, f"{lvalue} is no input of this subject")
            constant = _constant(scalar)
            if constant is None:
                return GivenTest(at, {}, f"{lvalue} has a value that is no number of C: {scalar!r}")
            values[lvalue] = constant
    return GivenTest(at, values)


def _scalars(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        for place, each in enumerate(value):
            yield from _scalars(f"{path}[{place}]", each)
    else:
        yield path, value


def _constant(value: Any) -> str | None:
    """As the judge's driver reads it: `i 12`, or `r` and a real in decimal or hexadecimal."""
    if isinstance(value, int):
        return f"i {int(value)}" if -(2**63) <= value < 2**64 else None
    if isinstance(value, float):
        return f"r {value!r}"
    if isinstance(value, str) and _REAL.fullmatch(value):
        return f"r {value}"
    return None
