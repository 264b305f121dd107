"""C tests whose inputs cannot be read: they are built with the new version and run, and stay where they are.

A test file may include the old version, or the file of that name in the working tree. Copies of the tests that include
the new version instead are measured as by `tightrope measure`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.commands.measure.measure import measure
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.report.model import ReportedTest
from tightrope.source.project import short_path
from tightrope.suite.folder import HEAD, anchor_includes

_INCLUDE = re.compile(r'^(\s*#\s*include\s*")([^"]*)(")', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NativeTest:
    """A test that was run on the new version; if it could not be run, `problem` says why."""

    name: str
    file: Path
    hits: Mapping[str, tuple[int, ...]]  # objective -> which of its points
    problem: str = ""
    ending: str = ""  # '' if it returned
    lines: tuple[int, ...] = ()  # that it executes


def run_natively(
    files: Sequence[Path], unit: Path, function: str, names: Collection[str], options: Options
) -> tuple[NativeTest, ...]:
    """Measure the tests on the new version. `unit` is its file; `names` are those by which tests may include it."""
    if not files:
        return ()
    try:
        return _measure(files, unit, function, names, options)
    except TightropeError as problem:
        if len(files) == 1:
            return (NativeTest(files[0].name, files[0], {}, _why(problem)),)
    alone = [run_natively([file], unit, function, names, options) for file in files]  # the files may not build together
    return tuple(test for tests in alone for test in tests)


def _measure(
    files: Sequence[Path], unit: Path, function: str, names: Collection[str], options: Options
) -> tuple[NativeTest, ...]:
    with tempfile.TemporaryDirectory(prefix="tightrope-native-") as place:
        copies = {_copy(file, Path(place), at, unit, names): file for at, file in enumerate(files)}
        own = replace(options, suites=(Path(place),), targets=(Target(unit, function),), functions=(), merge=())
        found = [_test(test, copies) for test in measure(own).units[0].tests]
    return tuple(found)


def _copy(file: Path, folder: Path, number: int, unit: Path, names: Collection[str]) -> Path:
    """A copy that includes the new version; all other includes refer to the original places."""
    text = anchor_includes(file.read_text(encoding="utf-8", errors="replace"), file.parent)

    def put(found: re.Match[str]) -> str:
        return f"{found[1]}{unit.resolve()}{found[3]}" if Path(found[2]).name in names else found[0]

    text = HEAD.sub(rf"\g<1>{unit.name}\g<4>", _INCLUDE.sub(put, text), count=1)
    copy = folder / f"{number}_{file.name}"
    copy.write_text(text, encoding="utf-8")
    return copy


def _test(test: ReportedTest, copies: Mapping[Path, Path]) -> NativeTest:
    """The test with its original file: measuring names whole programs and suites after the copies."""
    shown = {short_path(copy.resolve()): file for copy, file in copies.items()}
    file = shown.get(test.id) or _file_of(test, copies)
    name = file.name if test.id in shown else test.id
    ending = "" if test.outcome == "returned" else f"{test.outcome.replace('_', ' ')}: {test.reason}"
    return NativeTest(name, file, test.hits, ending=ending, lines=test.lines)


def _file_of(test: ReportedTest, copies: Mapping[Path, Path]) -> Path:
    """The file of a test. For a test that Tightrope wrote, the suite is a folder: look for the file that defines it."""
    named = [file for copy, file in copies.items() if str(copy) == test.suite]
    function = re.compile(rf"\b(?:test_)?{re.escape(test.id.rsplit(':', 1)[-1])}\s*\(")
    texts = ((file, file.read_text(encoding="utf-8", errors="replace")) for file in copies.values())
    return (named or [file for file, text in texts if function.search(text)] or list(copies.values()))[0]


def _why(problem: TightropeError) -> str:
    """The first error."""
    errors = re.findall(r"error: (.*)", problem.diagnostics)
    if problem.slug == "no-tests":
        return "it has neither a `main` nor tests"
    return f"it does not build with the new version: {errors[0]}" if errors else problem.message
