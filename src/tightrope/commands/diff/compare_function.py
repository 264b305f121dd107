"""One function in two versions: impact, directed search, the old tests, behaviour on both, tests, a row of the report.

The search is directed by what it is asked for: objectives that are not impacted are not there, so that the path filter
drops every candidate behind which nothing impacted is missing (paper 000, Fig. 5), whatever the strategy and criterion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tightrope.commands.diff.changed_rows import ChangeRows
from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.find_changes import find_changes
from tightrope.commands.diff.comparing.comparison import Comparer, Difference
from tightrope.commands.diff.comparing.difference_tests import WrittenDifferences, write_difference_tests
from tightrope.commands.diff.equality.equality_proof import Sought, seek_difference
from tightrope.commands.diff.impact.code import number_code
from tightrope.commands.diff.impact.impacted import Impacted, find_impact, with_deciders
from tightrope.commands.diff.old_tests.fates import (
    choose_carried,
    find_native_coverage,
    judge_old_tests,
    remember_files,
    replaced_files,
    save_lost,
    suites_in_the_way,
    try_old_tests,
    with_native_tests,
)
from tightrope.commands.diff.old_tests.old_suite import read_old_suite
from tightrope.commands.diff.versions import Version, about
from tightrope.commands.generate.conclude import conclude
from tightrope.commands.generate.pipeline import Shown, showing, started_worker
from tightrope.coverage.objective import Objective
from tightrope.engines.explore import explore
from tightrope.inputs.input_paths import any_number
from tightrope.inputs.scalars import Input, first_input
from tightrope.inputs.shape import objects_of
from tightrope.options.options import Options
from tightrope.report.difference_model import FunctionDifference, ReportedEquality, ReportedOldTest
from tightrope.report.model import UnitReport
from tightrope.running.runner import Runner, Trace
from tightrope.units.choose_inputs import look_beside
from tightrope.units.prepare import prepare_unit, start
from tightrope.units.prepared import PreparedFile, PreparedUnit

MOST_COMPARED = 3000  # inputs of a search that are run on both versions
SECONDS_TO_DIFFER = 10.0  # for a formula of both versions, unless a proof was asked for
OLD_SHARE = 0.25  # of the time: for what only the old version has


@dataclass(frozen=True, slots=True)
class Both:
    """The file that a function is in, in both versions."""

    old: PreparedFile
    new: PreparedFile
    old_version: Version
    new_version: Version


@dataclass(frozen=True, slots=True)
class ChangedUnit:
    """A function of both versions, prepared, and what its changes may affect."""

    old: PreparedUnit
    new: PreparedUnit
    changes: tuple[Change, ...]
    impact: Impacted

    @property
    def is_comparable(self) -> bool:
        """Whether both can be called alike."""
        name = self.new.interface.name
        return not any(each.kind is ChangeKind.SIGNATURE and each.function == name for each in self.changes)

    @property
    def impacted(self) -> tuple[Objective, ...]:
        return tuple(each for each in self.new.objectives if each.id in self.impact.new)

    @property
    def lost(self) -> tuple[Objective, ...]:
        """Impacted objectives of the old version that the new one has not."""
        twins = set(self.impact.twins.values())
        return tuple(each for each in self.old.objectives if each.id in self.impact.old and each.id not in twins)


def compare_function(both: Both, name: str) -> FunctionDifference:
    with showing(both.new_version.options, name) as shown:
        shown.stage("compiling")
        unit, options = prepare_both(both, name)
        rows = ChangeRows(both.old_version.in_words, both.new_version.in_words, unit.changes)
        if unit.impact.are_same:
            return _same(unit, name, rows)
        found = _Walk(unit, options, both, shown).walk()
        return found.row(name, rows)


def prepare_both(both: Both, name: str) -> tuple[ChangedUnit, Options]:
    old_options, options = (each.options.for_function(name) for each in (both.old_version, both.new_version))
    with about(both.old_version, "old"):
        beside = look_beside(both.old, name, old_options)
    with about(both.new_version, "new"):
        new = prepare_unit(both.new, name, options, beside)
        beside = look_beside(both.new, name, options)
    with about(both.old_version, "old"):
        old = prepare_unit(both.old, name, old_options, beside)
    changes = find_changes(both.old, both.new, _called(old), _called(new))
    impact = find_impact(old, new, changes, bool(options.checks))
    return ChangedUnit(old, new, changes, with_deciders(impact) if options.deciders else impact), options


def _called(unit: PreparedUnit) -> tuple[str, ...]:
    """The unit and what it may call, as far as it is defined in the file or in its headers."""
    own = set(unit.file.ctypes.functions)
    called = [each.name[1:] for each in number_code(unit.program).functions]
    return tuple(dict.fromkeys((unit.interface.name, *(name for name in called if name in own))))


def _same(unit: ChangedUnit, name: str, rows: ChangeRows) -> FunctionDifference:
    sentence, state = "the compiler makes the same code of both versions", "unchanged"
    equality = ReportedEquality("equal", sentence, proof="same code")
    if not unit.is_comparable:
        sentence, state = f"it is declared differently, and {sentence}", "signature"
        equality = ReportedEquality("not-compared", sentence)
    return FunctionDifference(
        name, state, sentence, rows.all_alike(), objectives=len(unit.new.objectives), equality=equality
    )


def in_user_words(report: UnitReport, version: Version) -> UnitReport:
    """Without temporary folders: what is in them is gone by the time that it is read."""
    words = version.in_words
    return replace(
        report,
        file=words(report.file),
        command=tuple(map(words, report.command)),
        objectives=tuple(replace(each, file=words(each.file)) for each in report.objectives),
        decisions=tuple(replace(each, file=words(each.file)) for each in report.decisions),
        crashes=tuple(replace(each, file=words(each.file)) for each in report.crashes),
        concretisations=tuple(replace(each, file=words(each.file)) for each in report.concretisations),
    )


@dataclass(slots=True)
class _Noted:
    """A runner that remembers which inputs it ran."""

    runner: Runner
    inputs: dict[Input, None] = field(default_factory=dict)

    def trace(self, values: Input) -> Trace:
        if len(self.inputs) < MOST_COMPARED:
            self.inputs.setdefault(values)
        return self.runner.trace(values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)


@dataclass(slots=True)
class _Walk:
    """The work on one function, and what came of it."""

    unit: ChangedUnit
    options: Options
    both: Both
    shown: Shown
    differences: list[Difference] = field(default_factory=list)

    def walk(self) -> _Found:
        new = replace(self.unit.new, objectives=self.unit.impacted)
        tests = read_old_suite(suites_in_the_way(new, self.options), new, self.unit.old, self.options)
        native = find_native_coverage(new.objectives, tests)
        left = replace(new, objectives=tuple(each for each in new.objectives if each.id not in native))
        with _started(left, self.options) as runner, _started(self.unit.old, self.old_options) as old_runner:
            noted = _Noted(runner)
            comparer = Comparer(self.unit.old, old_runner, self.unit.new, runner)
            tried = try_old_tests(tests, left, cast(Runner, noted))
            seeds = [*(each.input for each in tests if each.input is not None), first_input(left.driver.slots)]
            found = explore(left, cast(Runner, noted), self.options, self.shown.tick, first=seeds)
            self.shown.stage("comparing")
            self._compare(comparer.compare, noted.inputs)
            self._compare_lost(comparer, old_runner)
            written, sought = self._tell_apart(comparer)
            replaced = replaced_files(new, self.options)
            before = remember_files(replaced)
            carried = choose_carried(tried, found.runs, new.objectives, replaced)
            report = conclude(left, runner, found, self.options, self.shown.stage, carried=carried)
        report = with_native_tests(report, new, native)
        rows = judge_old_tests(tried, carried, report, native)
        return _Found(self, report, written, sought, comparer.inputs, comparer.remarks, rows, save_lost(before, rows))

    @property
    def old_options(self) -> Options:
        return self.both.old_version.options.for_function(self.unit.old.interface.name)

    @property
    def names(self) -> tuple[str, str]:
        return self.both.old_version.name, self.both.new_version.name

    def _compare(self, compare: Callable[[Input], Difference | None], inputs: Iterable[Input]) -> None:
        """As long as a search may take: runs that do not end take a second each, in both versions."""
        end = time.perf_counter() + self.options.time_limit
        for values in inputs:
            difference = compare(values)
            self.differences += [difference] if difference is not None else []
            if time.perf_counter() > end:
                return

    def _compare_lost(self, comparer: Comparer, old_runner: Runner) -> None:
        """Inputs that reach what only the old version has."""
        if not self.unit.lost or self.differences:
            return
        options = replace(self.old_options, time_limit=max(1.0, OLD_SHARE * self.options.time_limit))
        noted, first = _Noted(old_runner), [first_input(self.unit.old.driver.slots)]
        unit = replace(self.unit.old, objectives=self.unit.lost)
        explore(unit, cast(Runner, noted), options, self.shown.tick, first=first, looks_for_errors=False)
        self._compare(comparer.compare_old, noted.inputs)

    def _tell_apart(self, comparer: Comparer) -> tuple[WrittenDifferences, Sought | None]:
        """Tests for the differences; when none is left that can be shown, a formula of both versions is asked."""
        written, sought = self._write(comparer), None
        if not written.reported and self.unit.is_comparable:
            remarks, self.differences = written.remarks, []
            sought = self._seek(comparer)
            written = self._write(comparer)
            written = replace(written, remarks=(*remarks, *written.remarks))
        return written, sought

    def _write(self, comparer: Comparer) -> WrittenDifferences:
        return write_difference_tests(comparer, self.differences, self.options, self.names)

    def _seek(self, comparer: Comparer) -> Sought:
        def differs(values: Input) -> bool:
            before = len(self.differences)
            self._compare(comparer.compare, [values])
            return len(self.differences) > before

        limit = self.options.time_limit
        seconds = limit if self.options.prove_equal else min(SECONDS_TO_DIFFER, limit)
        return seek_difference(self.unit.old, self.unit.new, self.options, seconds, differs)


@contextmanager
def _started(unit: PreparedUnit, options: Options) -> Iterator[Runner]:
    with started_worker() as worker, start(unit, worker, options) as runner:
        yield runner


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of one function."""

    walk: _Walk
    report: UnitReport
    written: WrittenDifferences
    sought: Sought | None
    inputs: int  # run on both versions
    remarks: tuple[str, ...]
    old_tests: tuple[ReportedOldTest, ...]
    warnings: tuple[str, ...]

    def row(self, name: str, rows: ChangeRows) -> FunctionDifference:
        unit, count = self.walk.unit, len(self.walk.unit.impacted)
        sentence = f"{count} of {len(unit.new.objectives)} objectives may behave differently"
        return FunctionDifference(
            name,
            "compared" if unit.is_comparable else "signature",
            sentence,
            rows.changes(unit.impact),
            rows.impacts(unit.new.objectives, unit.impact),
            len(unit.new.objectives),
            self._report(),
            self.written.reported,
            self._equality(),
            self.old_tests,
            (*self.warnings, *self.remarks, *self.written.remarks),
            rows.deciding(unit.new.objectives, unit.impact),
        )

    def _report(self) -> UnitReport:
        written = (*self.report.written, *self.written.written)
        return in_user_words(replace(self.report, written=written), self.walk.both.new_version)

    def _equality(self) -> ReportedEquality:
        ran = f"{self.inputs} inputs were run" if self.inputs != 1 else "1 input was run"
        ran += " on both versions"
        if self.written.reported:
            return ReportedEquality("different", f"the versions behave differently; {ran}", self.inputs)
        if not self.walk.unit.is_comparable:
            return ReportedEquality("not-compared", "the function is declared differently", self.inputs)
        sought, initials = self.sought, self.walk.unit.impact.initials
        if sought is not None and sought.verdict == "equal" and not initials:
            but = "".join(f"; {each}" for each in (_about_lengths(self.walk.unit.new), sought.reason) if each)
            sentence = f"the versions behave alike for all inputs{but}"
            return ReportedEquality("equal", sentence, self.inputs, "unsatisfiable", sought.formula)
        reason = _about_initials(initials) if initials else (sought.reason if sought is not None else "")
        return ReportedEquality("alike", f"{ran}; {self.report.stop_reason}", self.inputs, reason=reason)


def _about_lengths(unit: PreparedUnit) -> str:
    """A caller may give less, and one version may then read what is not there where the other does not."""
    lengths = [f"{any_number(each.path)} {each.count}" for each in objects_of(unit.shape) if each.count > 1]
    listed = ", ".join(dict.fromkeys(lengths))
    return f"callers give at least so many elements: {listed}" if lengths else ""


def _about_initials(names: tuple[str, ...]) -> str:
    listed = ", ".join(f"`{name}`" for name in names)
    return f"{listed} {'starts' if len(names) == 1 else 'start'} with something else now, and tests set what they need"
