"""Adds to the tests that are there, and leaves them as they are.

    run each earlier test ──> it can no longer be run      lost: its file is left alone, or loses it with --accept
                          ├─> an assumption excludes it    spare: it stays, and does not count
                          ├─> it behaves as it did         kept, byte by byte
                          └─> it behaves differently       a changed expectation: reported; rewritten with --accept

A test that stands in another file, or that is kept, counts like a new one: what it covers needs no search and no test.
If a kept test would not pass in the file that is to be written, that file is left alone, and new tests go to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest

from tightrope.commands.generate.confirmed_verdicts import confirm_text
from tightrope.commands.generate.earlier_suite import EarlierSuite, EarlierTest, free_number
from tightrope.commands.generate.unit_report import named_ending
from tightrope.engines.explore import Known
from tightrope.errors import TightropeError
from tightrope.inputs.growth import growth_for, join_growths
from tightrope.inputs.scalars import Input
from tightrope.inputs.shape import InputShape
from tightrope.inputs.wishes import Growth
from tightrope.options.options import Options
from tightrope.report.model import ChangedExpectation, ReportedTest, UnitReport
from tightrope.running.draw_limit import DrawLimit
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.search.kept_runs import failed_a_check
from tightrope.suite.case import Carried, Case, NamedRun, Suite, describe_case
from tightrope.suite.confirm import Agreement, Expected
from tightrope.suite.kept_tests import NO_KEPT_TESTS, KeptTests, Row
from tightrope.suite.read_inputs import GivenInput, to_input
from tightrope.units.prepared import PreparedUnit

AS_BUILT = "its checks"  # that do not pass, where all observed values are the same
NOTHING = "nothing"
PASSED = "they pass"
_BOUNDARY = re.compile(r"_boundary_\d+$")


# -- before the search


def growth_of(tests: Sequence[EarlierTest], shape: InputShape) -> Growth | None:
    """The growth that these tests need; None if the shape is large enough."""
    if all(_input_of(test.given, shape) is not None for test in tests):
        return None
    return join_growths(growth_for(test.given.values) for test in tests)


def known_of(earlier: EarlierSuite, shape: InputShape, others: Iterable[Input] = ()) -> Known:
    """What the search starts with: the inputs of tests, as far as the shape can have them, and others."""
    found = [_input_of(test.given, shape) for test in earlier.tests]
    inputs = tuple(dict.fromkeys((*(values for values in found if values is not None), *others)))
    return Known(inputs, is_of_same_code=bool(inputs) and earlier.is_of_same_source)


def _input_of(given: GivenInput, shape: InputShape) -> Input | None:
    try:
        return to_input(given, shape)
    except TightropeError:
        return None


# -- after it


def repeat_crashes(earlier: EarlierSuite, shape: InputShape, runner: Runner, crashes: dict[Ending, Input]) -> None:
    """Add run-time errors that were found before and are still there: a search that starts with tests may end before it
    comes to them."""
    for given in earlier.crashes:
        values = _input_of(given, shape)
        ending = runner.record(values).ending if values is not None else None
        if values is not None and ending is not None and ending.outcome not in (Outcome.RETURNED, Outcome.REJECTED):
            crashes.setdefault(ending, values)


@dataclass(slots=True)
class TopUp:
    """The earlier tests of one function, from their runs to their rows in the report."""

    earlier: EarlierSuite
    carried: Carried
    tests: Mapping[str, EarlierTest]  # by the name that the test has in this command
    lost: Mapping[str, str]  # test that stands in a file of ours -> why it can no longer be run
    spare: Mapping[str, Case]  # such a test that an assumption excludes
    warnings: tuple[str, ...] = ()
    changes: list[ChangedExpectation] = field(default_factory=list)
    is_apart: bool = False  # the earlier files are left alone

    @classmethod
    def of(cls, earlier: EarlierSuite, unit: PreparedUnit, runner: Runner) -> TopUp | None:
        """Run each earlier test. None if there is nothing to keep."""
        if earlier.is_empty and earlier.place.number == 1:
            return None
        runner.close_aims(0)  # a search makes runs skip labels that are covered
        limited = DrawLimit.of(runner, unit.shape)
        tests, runs, lost, warnings = dict[str, EarlierTest](), list[NamedRun](), dict[str, str](), list[str]()
        spare: dict[str, Case] = {}
        for test in earlier.tests:
            run, problem = _try(test, unit, runner, limited)
            if run is not None and run.ending.outcome is Outcome.REJECTED and _may_stay(test, earlier):
                spare[test.name] = Case(test.name, run.input, Ending(Outcome.RETURNED), run.outputs)
            elif run is not None and run.ending.outcome is not Outcome.REJECTED:
                name = _free_name(test.name, tests)
                tests[name] = test
                runs.append(NamedRun(name, run))
            elif test.is_held:
                lost[test.name] = problem
            else:
                warnings.append(f"{test.name} of {test.file} does not count: {problem}")
        taken = frozenset((*tests, *lost, *spare, *(each.name for each in earlier.natives)))
        boundaries = tuple(name for name in tests if _BOUNDARY.search(name))
        return cls(earlier, Carried(tuple(runs), taken, boundaries=boundaries), tests, lost, spare, tuple(warnings))

    def with_kept(self, suite: Suite) -> Suite:
        """The suite, in which the tests that behave as they did are written as they are."""
        for name, case, row in self._known(suite):
            changes = list(find_changes(row, describe_case(suite, case)))
            if changes:  # what is shown of arguments depends on the other tests of a file
                alone = replace(suite, cases=tuple(self._beside(name, suite)))
                again = list(find_changes(row, describe_case(alone, case)))
                self.is_apart |= self.tests[name].is_held and not again
                self._note(name, again)
        return replace(suite, kept=self._kept(), number=self.earlier.place.number)

    def _known(self, suite: Suite) -> Iterator[tuple[str, Case, Row]]:
        """The cases of which it is known what they expect."""
        cases = {case.name: case for case in suite.cases}
        for name, test in self.tests.items():
            if test.row is not None and name in cases:
                yield name, cases[name], test.row

    def _beside(self, name: str, suite: Suite) -> Iterator[Case]:
        """The cases that stand in the same file."""
        file = self.tests[name].file
        yield from (case for case in suite.cases if case.name in self.tests and self.tests[case.name].file == file)

    def _note(self, name: str, changes: Iterable[tuple[str, str, str]]) -> None:
        test = self.tests[name]
        self.changes += [ChangedExpectation(name, str(test.file), *change) for change in changes]

    def _kept(self, *, has_changed: bool = False) -> KeptTests:
        """The tests that are written as they are; `has_changed`: also those that behave differently."""
        held = {name: test for name, test in self.tests.items() if test.is_held}
        changed = {each.test for each in self.changes}
        names = frozenset((*self.spare, *(name for name in held if has_changed or name not in changed)))
        rows = {test.name: test.row for test in self.earlier.tests if test.is_held and test.row is not None}
        return KeptTests(names, self.earlier.place.texts, rows)

    def settle(self, unit: PreparedUnit, suite: Suite, options: Options) -> None:
        """After the tests were confirmed: those that did not pass as they are were written anew there. If they do not
        pass in their own file either, their behaviour has changed; if they do, that file is left alone. So it is if
        others, which nobody has built, do not compile."""
        doubtful = sorted(self._kept().names - suite.kept.names - self.spare.keys())
        unbuilt = self._kept(has_changed=not options.accepts).names - suite.kept.names
        text = self.earlier.place.texts.get(f"{suite.file_stem}.c", "")
        if not unbuilt or not text or options.no_confirm:
            return
        cases = {case.name: case for case in suite.cases}
        expected = [Expected(name, cases[name].ending) for name in doubtful if name in cases]
        found = confirm_text(unit, text, expected, options)
        failed = {each.name: each.detail for each in found.tests if each.agreement is not Agreement.SAME}
        for name in doubtful:
            if found.problem or name in failed:
                self._note(name, [(AS_BUILT, PASSED, found.problem or failed[name] or "they do not pass")])
        self.is_apart |= bool(found.problem) or len(failed) < len(doubtful)

    # -- writing

    def choose_written(self, suite: Suite, options: Options) -> Suite:
        """The suite with the cases that go into files of this command, and where they stand there already."""
        cases = [case for case in suite.cases if case.name not in self.tests or self.tests[case.name].is_held]
        own = [*self._in_place(cases), *(case for case in cases if case.name not in self.tests)]
        held = {test.name for test in self.earlier.tests if test.is_held}
        gone = held - {case.name for case in own}
        if (gone or self.is_apart) and not options.accepts:
            number = free_number(options, _stem(suite), suite.number)
            fresh = tuple(case for case in own if case.name not in held)
            return replace(suite, cases=fresh, number=number, kept=NO_KEPT_TESTS)
        kept = self._kept(has_changed=not options.accepts)
        if options.accepts:  # what did not pass as it is was written anew
            kept = replace(kept, names=kept.names & (suite.kept.names | self.spare.keys()))
        return replace(suite, cases=tuple(own), kept=kept)

    def _in_place(self, cases: Sequence[Case]) -> Iterator[Case]:
        """The cases that stand in the earlier files, and those that are spare, in the order of the first of these."""
        there = {**{case.name: case for case in cases}, **self.spare}
        yield from (there[test.name] for test in self.earlier.tests if test.is_held and test.name in there)

    def is_written(self, suite: Suite, files: Iterable[str]) -> bool:
        """True if these files of the suite are there, with exactly its cases, as they are."""
        held = {test.name for test in self.earlier.tests if test.is_held}
        texts, names = self.earlier.place.texts, {case.name for case in suite.cases}
        return names == held == suite.kept.names and all(
            file in texts and (file.endswith(".cpp") or all(f'"{name}"' in texts[file] for name in names))
            for file in files
        )

    # -- the report

    def complete(self, report: UnitReport, options: Options) -> UnitReport:
        """The report with what became of the earlier tests."""
        tests = tuple(self._named(test) for test in report.tests)
        rows = [*self.changes, *self._lost_rows()]
        changes = tuple(replace(each, is_accepted=options.accepts and self._is_held(each.test)) for each in rows)
        notes = report.notes
        if self.spare:
            tests_do = "1 earlier test does" if len(self.spare) == 1 else f"{len(self.spare)} earlier tests do"
            notes += (f"{tests_do} not satisfy the assumptions: kept, but not counted",)
        return replace(report, tests=tests, changes=changes, notes=notes, warnings=(*report.warnings, *self.warnings))

    def _lost_rows(self) -> Iterator[ChangedExpectation]:
        held = {test.name: test for test in self.earlier.tests if test.is_held}
        for name, problem in self.lost.items():
            yield ChangedExpectation(name, str(held[name].file), "its input", "an input of the function", problem)

    def _is_held(self, name: str) -> bool:
        return name in self.lost or self.tests[name].is_held

    def _named(self, test: ReportedTest) -> ReportedTest:
        known = self.tests.get(test.id)
        return replace(test, suite=str(known.file), is_kept=True) if known else test


def with_all_kept(report: UnitReport) -> UnitReport:
    """The report of the same command once more: all tests are there, and what was accepted is no change."""
    file = next((each for each in report.written if each.endswith((".c", ".json"))), "")
    tests = tuple(replace(test, is_kept=True, suite=test.suite or file) for test in report.tests)
    return replace(report, tests=tests, changes=tuple(each for each in report.changes if not each.is_accepted))


def _try(test: EarlierTest, unit: PreparedUnit, runner: Runner, limited: DrawLimit) -> tuple[RunRecord | None, str]:
    """Its run; None and the reason, if it cannot be a test of the function."""
    try:
        values = to_input(test.given, unit.shape)
    except TightropeError as problem:
        return None, problem.message.removeprefix(f"{test.given.name}: ")
    limited.trace(values)
    run = runner.record(values)
    if run.ending.outcome is Outcome.REJECTED:
        return run, f"an assumption rejects it: {run.ending.reason}"
    if failed_a_check(run.ending):
        return None, f"it fails a check: {named_ending(unit, run.ending).reason}"
    return run, ""


def _may_stay(test: EarlierTest, earlier: EarlierSuite) -> bool:
    """True if a test that does not count can be written as it is: then its text is all that must be known."""
    is_plain = test.row is not None and test.row["outcome"] == Outcome.RETURNED.value
    return test.is_held and earlier.place.is_complete and is_plain


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    """A name in C that no other test has."""
    wish = re.sub(r"\W+", "_", name)
    free, number = wish, 1
    while free in taken:
        number += 1
        free = f"{wish}_{number}"
    return free


def _stem(suite: Suite) -> str:
    return replace(suite, number=1).file_stem


def find_changes(before: Row, now: Row) -> Iterator[tuple[str, str, str]]:
    """What differs, before and now. What is only observed once is no change: that depends on the shape."""
    if before["outcome"] != now["outcome"]:
        yield "outcome", _ending_words(before), _ending_words(now)
        return
    seen = now["observed"]
    for path, value in before["observed"].items():
        if path in seen and seen[path] != value:
            yield path, _word(value), _word(seen[path])
    if before.get("calls") is not None and now.get("calls") is not None:
        pairs = zip_longest(before["calls"], now["calls"], fillvalue=NOTHING)
        changed = ((f"call {number}", *pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])
        yield from islice(changed, 1)  # those after it follow from it


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ending_words(row: Row) -> str:
    reason = row.get("reason")
    return f"{row['outcome'].replace('_', ' ')}{f': {reason}' if reason else ''}"
