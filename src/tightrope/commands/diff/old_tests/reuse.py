"""Decides which tests of the old version are reused. No test is dropped silently: each is kept, not needed, or lost.

    kept         it covers an impacted objective of the new version; it keeps its name and its input
    not needed   it covers none; it stays where it is, also if its file is rewritten
    lost         the new version cannot have its input, or its run can no longer be a test

compare_function.py calls these in order: before the search, before the suite is written, after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.commands.diff.old_tests.old_suite import OldTest
from tightrope.commands.generate.native_coverage import NativeCoverage
from tightrope.commands.generate.unit_report import named_ending
from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.witnesses import is_covered
from tightrope.options.options import Options
from tightrope.report.difference_model import ReportedOldTest
from tightrope.report.model import UnitReport
from tightrope.running.draw_limit import DrawLimit
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.search.kept_runs import failed_a_check
from tightrope.suite.case import Carried, NamedRun, file_stem
from tightrope.suite.folder import check_file, write_file
from tightrope.suite.writers import WRITERS
from tightrope.units.prepared import PreparedUnit

_VERBS = {Outcome.CRASHED: "crashes", Outcome.TIMED_OUT: "does not end", Outcome.EXITED: "exits"}


@dataclass(frozen=True, slots=True)
class TriedTest:
    """An old test, and what it does in the new version."""

    test: OldTest
    run: RunRecord | None = None  # of a test with an input
    problem: str = ""  # why it cannot be a test of the new version
    remarks: tuple[str, ...] = ()


# -- before the search


def suites_in_the_way(unit: PreparedUnit, options: Options) -> tuple[Path, ...]:
    """The suites of --suite, and files of ours that the new suite will replace: their tests are carried over. Raises
    UsageError if Tightrope did not write such a file, or somebody edited it."""
    named = {path.resolve() for path in options.suites}
    files = [file for file in replaced_files(unit, options) if _holds_tests(file)]
    fresh = [file for file in files if not {file.resolve(), file.resolve().parent} & named]
    both = {file.stem for file in fresh if file.suffix == ".c"}  # a suite that was also written as C counts once
    return (*options.suites, *(file for file in fresh if file.suffix == ".c" or file.stem not in both))


def _holds_tests(file: Path) -> bool:
    check_file(file, has_seal=True)
    return file.is_file() and file.stat().st_size > 0 and file.suffix in (".c", ".json")


def replaced_files(unit: PreparedUnit, options: Options) -> tuple[Path, ...]:
    """The files that the new suite is written to."""
    stem = file_stem(unit.file.path, unit.interface.name, unit.file.output_stem)
    endings = [ending for each in options.formats for ending in WRITERS[each].endings]
    return tuple(options.output / f"{stem}{ending}" for ending in endings)


def try_old_tests(tests: Iterable[OldTest], unit: PreparedUnit, runner: Runner) -> tuple[TriedTest, ...]:
    """Run each test with an input on the new version. Must precede the search, which makes runs skip covered labels."""
    limited = DrawLimit.of(runner, unit.shape)
    return tuple(_try(test, unit, runner, limited) for test in tests)


def _try(test: OldTest, unit: PreparedUnit, runner: Runner, limited: DrawLimit) -> TriedTest:
    if test.input is None:
        return TriedTest(test, None, test.problem, test.remarks)
    limited.trace(test.input)
    run = runner.record(test.input)
    ending = named_ending(unit, run.ending)
    place = f" at line {ending.location.line}" if ending.location else ""
    if ending.outcome is Outcome.REJECTED:
        return TriedTest(test, None, _rejection(unit, run), test.remarks)
    if failed_a_check(run.ending):
        return TriedTest(test, None, f"it fails a check: {ending.reason}{place}", test.remarks)
    verb = _VERBS.get(ending.outcome)
    remarks = (*test.remarks, f"it {verb}: {ending.reason}{place}") if verb else test.remarks
    return TriedTest(test, run, "", remarks)


def _rejection(unit: PreparedUnit, run: RunRecord) -> str:
    """The sentence for a rejected input, which quotes the assumption."""
    number = next((int(word) for word in run.ending.reason.split() if word.isdigit()), 0)
    known = unit.driver.assumptions[number - 1] if 0 < number <= len(unit.driver.assumptions) else ""
    return f"an assumption rejects its input: {known or run.ending.reason}"


# -- before the suite is written


def choose_carried(
    tried: Sequence[TriedTest],
    runs: Iterable[RunRecord],
    objectives: Sequence[Objective],
    replaced: Collection[Path] = (),
) -> Carried:
    """The old tests that go into the new suite: those that serve an objective, and all tests of a file that is
    rewritten. `runs` are those of the search, with which they may form pairs."""
    ran = [NamedRun(each.test.name, each.run) for each in tried if each.run is not None]
    reachable = 0
    for run in (*runs, *(each.run for each in ran)):
        reachable |= run.points
    serves = {
        each.name: tuple(one.id for one in objectives if _serves(one, each.run.points, reachable)) for each in ran
    }
    files = {path.resolve() for path in replaced}
    goes_on = {each.test.name for each in tried if Path(each.test.file).resolve() in files}
    kept = tuple(each for each in ran if serves[each.name] or each.name in goes_on)
    return Carried(kept, frozenset(each.test.name for each in tried), serves)


def _serves(objective: Objective, points: int, reachable: int) -> bool:
    """True if the points are part of covering the objective, which other tests may complete."""
    if not objective.mask & points:
        return False
    if objective.relation is not Relation.PAIR:
        return is_covered(objective, reachable)
    pairs = (1 << one | 1 << other for one, other in objective.pairs)
    return any(pair & points and not pair & ~reachable for pair in pairs)


# -- after it


def _using(native: NativeCoverage, tests: Iterable[OldTest]) -> Iterator[tuple[OldTest, tuple[str, ...]]]:
    """Tests that stay as they are, with the objectives that they cover."""
    for test in tests:
        covers = tuple(key for key, names in native.items() if test.is_native and test.name in names)
        if covers:
            yield test, covers


def judge_old_tests(
    tried: Sequence[TriedTest], carried: Carried, report: UnitReport, native: NativeCoverage
) -> tuple[ReportedOldTest, ...]:
    """One row for each old test. `report` has the tests that were written, and what is covered."""
    covered = {row.id for row in report.objectives if row.verdict == "covered"}
    serves = {name: tuple(each for each in ids if each in covered) for name, ids in carried.serves.items()}
    serves |= {test.name: ids for test, ids in _using(native, [each.test for each in tried])}
    names = {each.name for each in carried.runs}
    return tuple(_judge(each, serves.get(each.test.name, ()), each.test.name in names, report) for each in tried)


def _judge(each: TriedTest, covers: tuple[str, ...], is_carried: bool, report: UnitReport) -> ReportedOldTest:
    test, fate = each.test, "kept" if covers else "not-needed"
    if each.problem:
        return _row(each, "lost", each.problem)
    if test.aside:
        return _row(each, "not-needed", test.aside)
    if test.is_native:
        return _row(each, fate, f"{_how_much(covers)}; it stays as it is", covers)
    if is_carried and test.name not in {one.id for one in report.tests}:
        return _row(each, "lost", _unconfirmed(test.name, report))
    stays = "; it stays in its file" if is_carried and not covers else ""
    return _row(each, fate, _how_much(covers) + stays, covers)


def _row(each: TriedTest, fate: str, reason: str, covers: tuple[str, ...] = ()) -> ReportedOldTest:
    test = each.test
    called = (f"named {test.called} in its file",) if test.called not in ("", test.name) else ()
    return ReportedOldTest(test.name, test.file, fate, "; ".join((reason, *called, *each.remarks)), covers)


def _how_much(covers: Sequence[str]) -> str:
    many = len(covers)
    return f"it covers {many or 'no'} impacted objective{'' if many in (0, 1) else 's'}"


def _unconfirmed(name: str, report: UnitReport) -> str:
    found = report.confirmation
    details = dict(zip(found.different, found.details, strict=False)) if found else {}
    detail = f": {details[name]}" if details.get(name) else ""
    return f"it behaves differently in a build without instrumentation{detail}"


# -- nothing is overwritten


def remember_files(files: Iterable[Path]) -> dict[Path, str]:
    """The contents of the files before they are written."""
    return {file: file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()}


def save_lost(before: Mapping[Path, str], rows: Sequence[ReportedOldTest]) -> tuple[str, ...]:
    """Keep a copy of each rewritten file that lost tests; return sentences that say so."""
    said = []
    for file, text in before.items():
        after = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        own = [row for row in rows if Path(row.file).resolve() == file.resolve()]
        is_c = file.suffix == ".c"
        lost = [row for row in own if row.fate == "lost" or (is_c and f"test_{row.test}(" not in after)]
        if after != text and lost:
            copy = _free(file)
            write_file(copy, text)
            said.append(f"{file} was rewritten without {len(lost)} of its tests; the original is {copy}")
    return tuple(said)


def _free(file: Path) -> Path:
    """An unused name: `test_x.c.old`, which neither a compiler nor --suite takes for tests."""
    copy, number = Path(f"{file}.old"), 1
    while copy.exists():
        number += 1
        copy = Path(f"{file}.old{number}")
    return copy
