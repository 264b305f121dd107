"""Reads the tests of an old version as inputs of the new one: everything that `measure --suite` reads, and reports.

    inputs in JSON or CSV, tests of a report       by path (moved_inputs.py)
    C that Tightrope wrote                         the inputs of each test are recorded (recorded_inputs.py)
    other C                                        stays as it is, and is run on the new version (native_tests.py)

Every test appears: with an input, with what it covers as it is, or with the reason why it has neither.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from tightrope.commands.diff.old_tests.moved_inputs import InputMove, MovedInput, say_gone
from tightrope.commands.measure.measured_coverage import MEASURED
from tightrope.commands.measure.native_tests import NativeTest, run_natively
from tightrope.commands.measure.recorded_inputs import Inputs, WrittenInput, names_of_tests, record_inputs
from tightrope.errors import TightropeError
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json
from tightrope.report.model import Report
from tightrope.suite.read_inputs import GivenInput, GivenInputs, read_inputs
from tightrope.suite.sources import Sources, WrittenTests, is_report, read_sources
from tightrope.suite.writers.either_version import UNIT
from tightrope.units.choose_inputs import choose_inputs
from tightrope.units.prepared import PreparedFile, PreparedUnit

TELLS_APART = "it shows a difference between two versions, and is meant for these two only"


@dataclass(frozen=True, slots=True)
class OldTest:
    """A test of the old version. With an input it is run; a test that stays as it is has `hits`."""

    name: str  # unique; with an input, the name of the test in the new suite
    file: str  # of the test, as the user named it
    input: Input | None = None  # of the new version
    problem: str = ""  # why it has neither an input nor a run
    remarks: tuple[str, ...] = ()  # what has changed
    called: str = ""  # its name in its file
    hits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # of a native test: objective -> points hit
    is_native: bool = False
    aside: str = ""  # why it is ignored and stays as it is
    lines: tuple[int, ...] = ()  # of a native test: those that it executes


def read_old_suite(
    suites: Sequence[Path], unit: PreparedUnit, old: PreparedUnit, options: Options
) -> tuple[OldTest, ...]:
    """Read the tests of a function. `unit` and `options` are those of the new version."""
    if not suites:
        return ()
    name, own = unit.interface.name, options.for_function(unit.interface.name)
    versions = [(each.file, inputs) for each in (old, unit) for inputs in (choose_inputs(each.file, name, own), each)]
    reader = _OldSuiteReader(unit, old.file, tuple(versions), options)
    return tuple(_named(_merged(reader.read(read_sources(suites)))))


def list_lost(suites: Sequence[Path], function: str, files: Iterable[str], reason: str) -> tuple[OldTest, ...]:
    """The tests of a function that the new version does not have, or that cannot be tested there. `files` are possible
    names of its file."""
    sources, known = read_sources(suites), {Path(file).name for file in files}
    return tuple(_named(replace(test, problem=reason) for test in _listed(sources, function, known)))


def _listed(sources: Sources, function: str, files: set[str]) -> Iterator[OldTest]:
    for written in sources.written:
        if written.function == function and written.source in files:
            yield from (OldTest(name, str(written.file)) for name in names_of_tests(_text(written.file)))
    for given in sources.inputs:
        says_whose = given.function or _as_report(given) is not None
        own = _tests_in(given, function, files) if says_whose else None
        yield from (OldTest(each.name, str(given.file)) for each in own or ())


@dataclass(frozen=True, slots=True)
class _OldSuiteReader:
    unit: PreparedUnit
    old_file: PreparedFile
    versions: tuple[tuple[PreparedFile, Inputs], ...]  # for which a test may have been written
    options: Options

    @property
    def function(self) -> str:
        return self.unit.interface.name

    @property
    def files(self) -> set[str]:
        """Names that tests may use for the unit's file."""
        return {self.unit.file.path.name, self.old_file.path.name}

    def read(self, sources: Sources) -> Iterator[OldTest]:
        for written in sources.written:
            if written.function == self.function and written.source in self.files:
                yield from self._written(written)
        for given in sources.inputs:
            yield from self._given(given)
        for test in self._run([file for tests in sources.tests for file in tests.files]):
            yield _stays(test) if not test.problem or self._is_named_in(test.file) else _foreign(test, self.function)

    def _written(self, written: WrittenTests) -> Iterator[OldTest]:
        """A test that cannot be recorded is taken from the JSON file beside it, or else run as it is."""
        if f"#ifndef {UNIT}" in _text(written.file):
            names = names_of_tests(_text(written.file))
            yield from (OldTest(name, str(written.file), aside=TELLS_APART) for name in names)
            return
        rows = list(self._recorded(written))
        is_complete = all(test is not None for _, test in rows)
        natives = {} if is_complete else {test.name: test for test in self._run([written.file])}
        beside = written.file.with_suffix(".json")
        has_twins = not is_complete and beside.is_file()
        twins = {test.name: test for test in self._given(read_inputs(beside))} if has_twins else {}
        for row, test in rows:
            if test is not None:
                yield test
            elif row.name in twins:
                yield replace(twins[row.name], file=str(written.file))
            elif row.name in natives and not natives[row.name].problem:
                yield _stays(natives[row.name])
            else:
                yield OldTest(row.name, str(written.file), problem=row.problem)

    def _recorded(self, written: WrittenTests) -> Iterator[tuple[WrittenInput, OldTest | None]]:
        """The recorded input of each test; None if it cannot be recorded. A suite may already be of the new version,
        and tests of an earlier `diff` are written for the inputs of two versions."""
        rows: list[tuple[WrittenInput, Inputs]] = []
        for file, inputs in self.versions:
            if not rows or any(row.input is None for row, _ in rows):
                again = [(row, inputs) for row in record_inputs(written, file, inputs)]
                rows = [
                    one if one[0].input is not None else other for one, other in zip(rows or again, again, strict=True)
                ]
        for row, inputs in rows:
            move = InputMove(inputs.shape, self.unit.shape)
            found = None if row.input is None else _moved(row.name, written.file, partial(move.move, row.input))
            yield row, found

    def _given(self, given: GivenInputs) -> Iterator[OldTest]:
        move = InputMove(self.versions[0][1].shape, self.unit.shape)
        for each in _tests_in(given, self.function, self.files) or ():
            if not given.function and not move.knows_any(each.values):
                yield OldTest(each.name, str(given.file), problem=f"none of its values is an input of {self.function}")
            else:
                yield _moved(each.name, given.file, partial(move.move_given, each))

    def _is_named_in(self, file: Path) -> bool:
        """True if a C file mentions the function or includes its file."""
        text = _text(file)
        return any(re.search(rf"\b{re.escape(word)}", text) for word in (f"{self.function}(", *self.files))

    def _run(self, files: Sequence[Path]) -> tuple[NativeTest, ...]:
        own = self.options.for_function(self.function)
        return run_natively(files, self.unit.file.path, self.function, self.files, own)


def _moved(name: str, file: Path, move: Callable[[], MovedInput]) -> OldTest:
    try:
        moved = move()
    except TightropeError as problem:
        return OldTest(name, str(file), problem=problem.message.removeprefix(f"{name}: "))
    gone = say_gone(moved.gone)
    return OldTest(name, str(file), moved.input, remarks=(gone,) if gone else ())


def _stays(test: NativeTest) -> OldTest:
    remarks = (f"it {test.ending}",) if test.ending else ()
    found = OldTest(test.name, str(test.file), None, test.problem, remarks, lines=test.lines)
    return replace(found, hits=test.hits, is_native=not test.problem)


def _foreign(test: NativeTest, function: str) -> OldTest:
    return OldTest(test.name, str(test.file), aside=f"it does not mention {function}, and it cannot be run")


def _tests_in(given: GivenInputs, function: str, files: set[str]) -> list[GivenInput] | None:
    """The inputs of this function in a file; None if the file is about other functions."""
    report = _as_report(given)
    if report is not None:
        units = [one for one in report.units if one.function == function and Path(one.file).name in files]
        own = [one for one in units if one.stop_reason != MEASURED]
        return [GivenInput(test.id, test.inputs) for one in own for test in one.tests]
    if given.function and given.function != function:
        return None
    return list(given.inputs) if not given.source or Path(given.source).name in files else None


def _as_report(given: GivenInputs) -> Report | None:
    if not is_report(given):
        return None
    try:
        return report_from_json(json.loads(_text(given.file)))
    except ValueError:
        return None


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


# -- all together


def _merged(tests: Iterable[OldTest]) -> Iterator[OldTest]:
    """Merge duplicates: a test that appears twice, in C and in a report, is one test. Tests with the same name and
    different values are different."""
    seen: set[tuple[str, Input]] = set()
    found = list(tests)
    named = {test.name for test in found if test.input is not None}
    for test in found:
        if test.input is not None and (test.name, test.input) not in seen:
            seen.add((test.name, test.input))
            yield test
        elif test.input is None and (test.is_native or test.name not in named):
            yield test


def _named(tests: Iterable[OldTest]) -> Iterator[OldTest]:
    """Give the tests unique names that are valid in C."""
    taken: set[str] = set()
    for test in tests:
        wish = re.sub(r"\W+", "_", test.name) if test.input is not None else test.name
        name, number = wish, 1
        while name in taken:
            number += 1
            name = f"{wish}_{number}"
        taken.add(name)
        yield replace(test, name=name, called=test.name)
