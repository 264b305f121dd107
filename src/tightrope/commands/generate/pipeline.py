"""The stages of `tightrope generate` for one function, from source to report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tightrope.commands.generate.conclude import conclude
from tightrope.commands.generate.earlier_suite import NO_EARLIER_SUITE, EarlierSuite, read_earlier
from tightrope.commands.generate.executors.interrupts import finishing
from tightrope.commands.generate.growing import GrowingExploration
from tightrope.commands.generate.native_coverage import (
    NativeCoverage,
    find_native_coverage,
    list_natives,
    with_native_tests,
)
from tightrope.commands.generate.old_results import NO_OLD_RESULT, OldResult
from tightrope.commands.generate.top_up import TopUp, growth_of, known_of, repeat_crashes
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Covered, Infeasible, Reason
from tightrope.deadline import NEVER, Deadline
from tightrope.inputs.stub_answers import callbacks_of
from tightrope.inputs.wishes import NO_GROWTH
from tightrope.options.options import Options
from tightrope.program.declarations.stub_choice import check_stub_names
from tightrope.report.model import UnitReport
from tightrope.report.progress import ProgressLine, Snapshot, choose_progress
from tightrope.running.runner import Worker
from tightrope.search.budget import StopReason
from tightrope.search.loop import Progress as Counts
from tightrope.units.choose_inputs import check_inputs
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile, PreparedUnit
from tightrope.units.sequences import prepare_longer

SHARE_OF_SHRINKING, SHARE_OF_CONFIRMING, MOST_OF_CONFIRMING = 0.05, 0.05, 0.25  # of the time limit
LEAST_OF_SEARCH = 0.2  # of it
LEAST_SECONDS = 1.0  # for a longer sequence
MUTATION = StrongMutation.name
GUIDES = ("branch", "wm", "statement")  # what the search covers, to find inputs that kill mutants
UNCHECKED = "tests of --suite whose inputs are not known count, although the assumptions may exclude these inputs"
BRIEF = "searched for a quarter of the time limit: before the code changed, the whole of it decided no more"
SHARE_BEFORE_MUTANTS = 0.35  # of the time limit, for that search


def walk_job(
    file: PreparedFile,
    name: str,
    options: Options,
    is_one_of_many: bool,
    deadline: Deadline | None = None,
    old: OldResult = NO_OLD_RESULT,
) -> UnitReport:
    """Test the function; a sequence whose length nobody asked for is made longer as long as more calls may help."""
    deadline = deadline or Deadline.after(options.time_limit)
    earlier = read_earlier(file, name, options).without(old.own)
    report = walk_function(file, name, options, is_one_of_many, deadline, old, earlier)
    while any(each.reason == Reason.MORE_CALLS.word for each in report.objectives):
        longer = prepare_longer(file)
        if longer is None or deadline.left < LEAST_SECONDS or report.stop_reason == StopReason.INTERRUPTED.value:
            break
        file = longer
        report = walk_function(file, name, replace(options, time_limit=deadline.left), is_one_of_many)
    return report


def walk_function(
    file: PreparedFile,
    name: str,
    options: Options,
    is_one_of_many: bool = False,
    deadline: Deadline | None = None,
    old: OldResult = NO_OLD_RESULT,
    earlier: EarlierSuite = NO_EARLIER_SUITE,
) -> UnitReport:
    """Test one function: instrument, search, reduce, confirm, write. The search goes on from an `old` result; `earlier`
    tests are kept."""
    deadline = deadline or Deadline.after(options.time_limit)
    with showing(options, name, deadline, is_one_of_many) as shown, started_worker() as worker:
        shown.stage("compiling")
        wants_mutants = MUTATION in options.criteria
        guided = _with_guides(options) if wants_mutants else options
        unit = prepare_unit(file, name, guided)
        if not is_one_of_many:  # one of several: the wish may be for another function
            check_inputs(unit, file.program)
            check_stub_names(unit.interface, options.about_stubs, unit.ctypes, callbacks_of(unit.shape))
        confirming = seconds_of_confirming(options.time_limit, deadline)
        seconds = min(guided.time_limit, seconds_of_search(options.time_limit, deadline))
        growth = growth_of(earlier.tests, unit.shape) or old.growth(unit.shape, options.grow_to)
        if growth != NO_GROWTH:
            unit = prepare_unit(file, name, guided, growth=growth)
        native = find_native_coverage(unit.objectives, [(each.name, each.hits) for each in earlier.natives])
        growing = GrowingExploration(
            file,
            name,
            replace(guided, time_limit=seconds),
            shown.tick,
            lambda unit: _without(_to_search(unit), native),
            growth,
            lambda unit: known_of(earlier, unit.shape, old.inputs_for(unit.shape)),
            decided_before=0 if wants_mutants or options.exhaustive else old.decided_in_time,
        )
        with growing.explore(unit, worker) as (unit, runner, found):
            whole = _wanted_of(unit, options)
            unit = _without(whole, native)
            repeat_crashes(earlier, unit.shape, runner, found.crashes)
            top_up = TopUp.of(earlier, unit, runner)
            with finishing(found.stop_reason is StopReason.INTERRUPTED) as interrupt:
                deadline = interrupt.hurry(deadline)
                if wants_mutants:
                    from tightrope.commands.generate.kill_mutants import kill_mutants  # a large room that few need

                    found = kill_mutants(unit, runner, found, options, shown.stage, deadline)
                report = conclude(
                    unit, runner, found, options, shown.stage, deadline=deadline, confirming=confirming, top_up=top_up
                )
                report = list_natives(with_native_tests(report, whole, native), earlier.natives, native)
                more = (UNCHECKED,) if native and unit.asked.assumptions else ()
                brief = (BRIEF,) if growing.was_brief else ()
                said = (*report.warnings, *earlier.warnings, *more), (*report.notes, *earlier.notes, *brief)
                report = replace(report, warnings=said[0], notes=said[1])
            return replace(report, stop_reason=StopReason.INTERRUPTED.value) if interrupt.is_true else report


def _with_guides(options: Options) -> Options:
    """The options for preparing a unit and for the search, if mutants are to be killed after it."""
    criteria = tuple(dict.fromkeys((*options.criteria, *GUIDES)))
    return replace(options, criteria=criteria, time_limit=SHARE_BEFORE_MUTANTS * options.time_limit)


def _to_search(unit: PreparedUnit) -> PreparedUnit:
    """The unit with what a search can cover."""
    return replace(unit, objectives=tuple(each for each in unit.objectives if each.criterion != MUTATION))


def _wanted_of(unit: PreparedUnit, options: Options) -> PreparedUnit:
    """The unit with what was asked for, without guides."""
    return replace(unit, objectives=tuple(each for each in unit.objectives if each.criterion in options.criteria))


def _without(unit: PreparedUnit, native: NativeCoverage) -> PreparedUnit:
    """The unit without what tests cover that stay as they are."""
    return replace(unit, objectives=tuple(each for each in unit.objectives if each.id not in native))


def seconds_of_search(limit: float, deadline: Deadline) -> float:
    """For the search, which leaves time to make tests of what it finds. It gets a share in any case, without which
    nothing is found."""
    concluding = SHARE_OF_SHRINKING * limit + seconds_of_confirming(limit, deadline)
    return min(limit, max(LEAST_OF_SEARCH * limit, deadline.left - concluding))


def seconds_of_confirming(limit: float, deadline: Deadline) -> float:
    """Tests are built as the function was: where preparing it took long, that takes long, too."""
    return max(SHARE_OF_CONFIRMING * limit, min(limit - deadline.left, MOST_OF_CONFIRMING * limit))


@contextmanager
def started_worker() -> Iterator[Worker]:
    """LLVM loads in the worker while the compiler works here."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


@dataclass(slots=True)
class Shown:
    """Tells the progress display where we are."""

    display: ProgressLine
    function: str
    start: float
    deadline: Deadline = NEVER

    @property
    def seconds(self) -> float:
        """Since its start."""
        return time.monotonic() - self.start

    def stage(self, name: str) -> None:
        self.display.show(Snapshot(self.function, name, seconds=self.seconds, left=self.deadline.left))

    def tick(self, ledger: Ledger, counts: Counts) -> None:
        snapshot = Snapshot(
            self.function,
            "searching",
            covered=ledger.count(Covered),
            infeasible=ledger.count(Infeasible),
            total=len(ledger.objectives),
            runs=counts.runs,
            candidates=counts.candidates,
            seconds=self.seconds,
            left=self.deadline.left,
        )
        self.display.show(snapshot)


@contextmanager
def showing(options: Options, name: str, deadline: Deadline = NEVER, is_one_of_many: bool = False) -> Iterator[Shown]:
    """Of one of many, few lines: it gets one when it is done."""
    is_parallel, is_terse = is_one_of_many and options.jobs > 1, is_one_of_many and not options.verbose
    display = choose_progress(is_quiet=options.quiet, is_terse=is_terse, is_parallel=is_parallel)
    try:
        yield Shown(display, name, time.monotonic(), deadline)
    finally:
        display.close()
