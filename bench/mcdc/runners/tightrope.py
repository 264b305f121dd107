"""Tightrope, as a user calls it: the domain of the description becomes wishes and assumptions."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.mcdc.runners.contract import FoundTests, NotInstalledError, call, run_as_command, slowness
from bench.mcdc.subjects import FunctionUnderTest
from tightrope import __version__

_POINTER = re.compile(r"\*\s*(\w+)\s*=")
_ARRAY = re.compile(r"(\w+)\[(\d+)\]")
_ANSWER = re.compile(r"(\w+)#(\d+)")
_NUMBER = re.compile(r"[-+]?(?:\d.*|inf|nan)")
_BESIDE = 30.0  # it has no tests before its end: it may be late, which the table shows


def find(subject: FunctionUnderTest, seconds: float, folder: Path) -> FoundTests:
    words = [sys.executable, "-m", "tightrope", "generate", "-q", f"{subject.file}:{subject.function}"]
    words += [
        "-c",
        "mcdc,branch",
        "--time-limit",
        f"{search_seconds(seconds) * extension():g}",
        "--format",
        "json",
        "-o",
        "tests",
        "--no-cache",
        "--mcdc-form",
        "unique-cause",
    ]
    words += [] if subject.counted else ["--whole-program"]
    words += [word for wish in wishes(subject) for word in ("--input", wish)]
    words += [word for text in subject.preconditions for word in ("--assume", text)]
    words += [word for file in subject.also for word in ("--link", file)]
    most = max((count for _, _, count in subject.answers), default=0)
    words += ["--answers", str(most)] if most else []
    call([*words, "--", *subject.flags], folder, 4 * seconds + _BESIDE, may_fail=True)
    cases = [
        case for file in sorted((folder / "tests").glob("*.json")) for case in json.loads(file.read_text())["cases"]
    ]
    names = constants(subject, {name for case in cases for name in _names(case["inputs"].values())}, folder)
    tests = [{"inputs": _inputs(subject, case["inputs"], names)} for case in cases]
    return FoundTests(f"Tightrope {__version__}", tests)


def search_seconds(seconds: float) -> float:
    """Its limit is for the search and for confirming; starting comes before it, and it may be 10 % late."""
    return max(0.3, 0.85 * seconds - 1)


def extension() -> float:
    """Its limit is one of the clock, that of the benchmark is one of the processor. Not all that a loaded machine takes
    is given back: the load may fall."""
    return 1 + 0.5 * (slowness() - 1)


def wishes(subject: FunctionUnderTest) -> Iterator[str]:
    """Pointers of the call lead to the objects of the description, always."""
    for text in subject.objects:
        if pointer := _POINTER.search(text):
            yield f"{pointer[1]}=not-null, one"
        elif array := _ARRAY.search(text):
            yield f"{array[1]}=not-null, array {array[2]}"


def _inputs(subject: FunctionUnderTest, said: Mapping[str, Any], names: Mapping[str, int]) -> dict[str, Any]:
    """Without what the description has not: there it stays zero, and so it does for the judge."""
    known = frozenset(subject.leaves)
    found = {}
    for path, value in said.items():
        if answer := _ANSWER.fullmatch(path):
            path = f"{answer[1]}_answers[{int(answer[2]) - 1}]"
        if path in known:
            found[path] = _number(value, names)
    return found


def _names(values: Iterable[Any]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and len(value) > 1 and value.isidentifier())


def _number(value: Any, names: Mapping[str, int]) -> Any:
    if not isinstance(value, str):
        return value
    if value in names:
        return names[value]
    return ord(value) if len(value) == 1 else value


def constants(subject: FunctionUnderTest, names: set[str], folder: Path) -> dict[str, int]:
    """The values of enumerators, asked of a compiler."""
    wanted = sorted(name for name in names if not _NUMBER.fullmatch(name) and name != "NULL")
    if not wanted:
        return {}
    compiler = shutil.which("clang-19") or shutil.which("gcc")
    if compiler is None:
        raise NotInstalledError("names of constants need clang-19 or gcc")
    rows = "".join(f"long long constant_{name} = {name};\n" for name in wanted)
    (folder / "constants.c").write_text(f"{subject.prologue}{rows}")
    said = call([compiler, "-w", "-S", "-O0", *subject.flags, "constants.c", "-o", "-"], folder, 60)
    found = re.findall(r"^constant_(\w+):\s+\.(quad|zero)\s+(-?\d+)", said, re.MULTILINE)
    return {name: int(value) if kind == "quad" else 0 for name, kind, value in found}


if __name__ == "__main__":
    run_as_command(find)
