"""From what a search found to tests and a report: reduce, shrink, write, confirm, judge."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.commands.generate.confirmed_verdicts import (
    confirm_suite,
    covered_objectives,
    recount_suite,
    wants_recount,
)
from tightrope.commands.generate.unit_report import named_ending, report_unit
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.coverage.witnesses import find_witnesses
from tightrope.engines.explore import Exploration
from tightrope.options.choices import SIMPLE
from tightrope.options.options import Options
from tightrope.report.model import Confirmation, UnitReport
from tightrope.running.notes import forget_build
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.source.flags import rebase_flags
from tightrope.suite.case import NONE_CARRIED, Carried, Case, Companion, NamedRun, Suite, credit, name_cases
from tightrope.suite.folder import check_file, remove_others, write_file
from tightrope.suite.readability import leaf_of
from tightrope.suite.reduce import Kept, drop_redundant, reduce_runs
from tightrope.suite.shrink import shrink
from tightrope.suite.telling import count_computed_values, tell
from tightrope.suite.writers import WRITERS
from tightrope.units.linking import LinkedFile
from tightrope.units.prepared import PreparedUnit
from tightrope.version import __version__

Stage = Callable[[str], None]
SHRINK_RUNS = 3000  # per test
SHRINK_RUNS_OF_CRASHES = 300


def conclude(
    unit: PreparedUnit,
    runner: Runner,
    found: Exploration,
    options: Options,
    on_stage: Stage,
    carried: Carried = NONE_CARRIED,
) -> UnitReport:
    """Write the suite and report what it shows."""
    on_stage("shrinking")
    chosen = _choose_runs(unit, runner, found, carried, options.values)
    suite = _make_suite(unit, runner, chosen, found.ledger, options, carried.taken)
    _simplify_crashes(unit, runner, found)
    confirmation: Confirmation | None = None
    warnings: tuple[str, ...] = ()
    if suite.cases and not options.no_confirm:
        on_stage("confirming")
        suite, confirmation = confirm_suite(unit, suite, runner, found.ledger, options)
        if suite.cases and not confirmation.problem and wants_recount(options):
            suite, warnings = recount_suite(unit, suite, found.ledger, options)
    name_tests(found.ledger, suite)
    written = _write(suite, options)
    return report_unit(unit, suite, found, options, confirmation=confirmation, written=written, warnings=warnings)


def _choose_runs(
    unit: PreparedUnit, runner: Runner, found: Exploration, carried: Carried, values: str
) -> Sequence[NamedRun]:
    """The fewest runs that keep the coverage, with readable values; carried tests come first."""
    given = [each.run for each in carried.runs]
    for run in given:
        found.ledger.record(run.points, "a test")
    covered = covered_objectives(found.ledger)
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    kept = reduce_runs(found.runs, covered, given)[len(given) :]
    shrunk = [shrink(each, leaves, runner.record, SHRINK_RUNS) for each in kept]
    shown = shrunk if values == SIMPLE else _with_telling_values(unit, runner, kept, shrunk, covered)
    added = drop_redundant([*given, *shown], covered, len(given), count_computed_values)[len(given) :]
    return (*carried.runs, *(NamedRun("", run) for run in added))


def _with_telling_values(
    unit: PreparedUnit,
    runner: Runner,
    kept: Sequence[Kept],
    shrunk: Sequence[RunRecord],
    covered: Sequence[Objective],
) -> list[RunRecord]:
    same = 0
    for objective in covered:
        same |= objective.mask
    return [
        tell(replace(each, run=run), unit.shape, runner.record, same=same, start=at)
        for at, (each, run) in enumerate(zip(kept, shrunk, strict=True))
    ]


def _simplify_crashes(unit: PreparedUnit, runner: Runner, found: Exploration) -> None:
    """The same crashes, with readable values."""
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    for ending, values in found.crashes.items():
        record = runner.record(values)
        if record.ending == ending and ending.outcome is not Outcome.TIMED_OUT:
            found.crashes[ending] = shrink(Kept(record, ()), leaves, runner.record, SHRINK_RUNS_OF_CRASHES).input


def _make_suite(
    unit: PreparedUnit,
    runner: Runner,
    runs: Sequence[NamedRun],
    ledger: Ledger,
    options: Options,
    taken: Collection[str],
) -> Suite:
    cases = [_case(unit, runner, each) for each in runs]
    for case in cases:  # simpler values may cover more
        ledger.record(case.points, "a test")
    credited = credit(cases, covered_objectives(ledger))
    return Suite(
        ctypes=unit.ctypes,
        interface=unit.interface,
        shape=unit.shape,
        source=unit.file.path,
        folder=options.output,
        cases=name_cases(unit.interface.name, credited, taken),
        flags=rebase_flags(unit.file.flags.kept, unit.file.working_directory, options.output.absolute()),
        version=__version__,
        linked=tuple(_companion(each, options.output.absolute()) for each in unit.linked),
        program_hash=hashlib.sha256(unit.file.path.read_bytes()).hexdigest(),
        created=_source_date(),
        variables=unit.woven.variables,
        float_tolerance=options.float_tolerance,
    )


def _case(unit: PreparedUnit, runner: Runner, named: NamedRun) -> Case:
    run = named.run
    notes = runner.take_notes(run.input) if run.ending.outcome is Outcome.RETURNED else None
    notes = notes and forget_build(notes, os.fsencode(unit.file.path.resolve().parent))
    return Case(named.name, run.input, named_ending(unit, run.ending), run.outputs, points=run.points, notes=notes)


def _source_date() -> int:
    """The time in written files: SOURCE_DATE_EPOCH or none, so that the same input gives the same files."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _companion(file: LinkedFile, folder: Path) -> Companion:
    return Companion(file.path, rebase_flags(file.whole.flags, file.whole.recipe.folder, folder))


def name_tests(ledger: Ledger, suite: Suite) -> None:
    """Put the names of the tests in place of the runs; of a pair, both, in the order of the pair."""
    hits = [case.points for case in suite.cases]
    for objective in covered_objectives(ledger):
        names = [suite.cases[at].name for at in find_witnesses(objective, hits)]
        if names:
            ledger.name_tests(objective, names)
        else:
            ledger.withdraw(objective, Reason.NOT_CONFIRMED)


def _write(suite: Suite, options: Options) -> tuple[str, ...]:
    """Write all files or none: existing files of the user are detected before the first is written."""
    if not suite.cases:
        return ()
    files = {name: text for each in options.formats for name, text in WRITERS[each].write(suite).items()}
    for name in files:
        check_file(options.output / name)
    for name, text in files.items():
        (options.output / name).parent.mkdir(exist_ok=True)  # a suite may be a folder in the folder
        write_file(options.output / name, text)
    for folder in dict.fromkeys((options.output / name).parent for name in files if "/" in name):
        remove_others(folder, {options.output / name for name in files})
    return tuple(dict.fromkeys(str(options.output / name.split("/")[0]) for name in files))
