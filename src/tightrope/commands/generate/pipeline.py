"""The stages of `tightrope generate`, from source to report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tightrope.commands.generate.conclude import conclude
from tightrope.commands.generate.growing import GrowingExploration
from tightrope.commands.generate.interrupts import finishing
from tightrope.commands.generate.kill_mutants import kill_mutants, to_search, wanted_of, wants_mutants, with_guides
from tightrope.commands.generate.parallel import run_parallel
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Covered, Infeasible, Reason
from tightrope.deadline import Deadline
from tightrope.errors import TightropeError
from tightrope.inputs.stub_answers import callbacks_of
from tightrope.options.options import Options
from tightrope.program.declarations.stub_choice import check_stub_names
from tightrope.report.model import NOT_TESTED, Report, Tool, UnitReport
from tightrope.report.progress import ProgressLine, Snapshot, choose_progress
from tightrope.running.runner import Worker
from tightrope.search.budget import StopReason
from tightrope.search.loop import Progress as Counts
from tightrope.suite.case import file_stem
from tightrope.suite.folder import prepared_folder
from tightrope.suite.writers import check_files
from tightrope.units.choose_inputs import check_inputs
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile
from tightrope.units.select_functions import INTERNAL, RefusedFile, choose, refuse_all
from tightrope.units.sequences import prepare_longer
from tightrope.version import __version__

SHARE_OF_CONCLUDING, SHARE_OF_SEARCH = 0.1, 0.6  # of the time limit
NOT_BEGUN = "interrupted before it began"
LEAST_SECONDS = 1.0  # for a longer sequence


def generate(options: Options) -> Report:
    """Tests for every function asked for; one report."""
    with prepared_folder(options.output):
        return _generate(options)


def _generate(options: Options) -> Report:
    selection = choose(options)
    jobs = selection.functions
    for file, name in jobs:
        check_files(options.output, file_stem(file.path, name, file.output_stem), options.formats)
    units = tuple(_walk_all(jobs, options, bool(selection.refused)))
    if len(units) > 1 and all(unit.was_refused for unit in units):
        raise refuse_all((unit.function, unit.stop_reason.removeprefix(NOT_TESTED)) for unit in units)
    if jobs and not units:
        raise KeyboardInterrupt
    begun = {(unit.file, unit.function) for unit in units}
    skipped = tuple(
        _refused(str(file.path), name, options, NOT_BEGUN) for file, name in jobs if (str(file.path), name) not in begun
    )
    unread = tuple(_refused_file(each, options) for each in selection.refused)
    is_interrupted = len(units) < len(jobs) or any(unit.stop_reason == StopReason.INTERRUPTED.value for unit in units)
    return Report(Tool("tightrope", __version__), (*units, *skipped, *unread), is_interrupted=is_interrupted)


def _walk_all(jobs: list[tuple[PreparedFile, str]], options: Options, has_others: bool) -> Iterator[UnitReport]:
    """Test the functions in order. One that cannot be tested is an error if it is the only one, else a note."""
    if options.jobs > 1 and len(jobs) > 1:
        yield from run_parallel(_walk_or_remark, [(file, name, options, True) for file, name in jobs], options.jobs)
        return
    for file, name in jobs:
        try:
            unit = _walk_or_remark(file, name, options, has_others or len(jobs) > 1)
        except KeyboardInterrupt:  # the functions before it have their tests
            return
        yield unit
        if unit.stop_reason == StopReason.INTERRUPTED.value:
            return


def _walk_or_remark(file: PreparedFile, name: str, options: Options, is_one_of_many: bool) -> UnitReport:
    try:
        return _walk_longer(file, name, options.for_function(name), is_one_of_many)
    except TightropeError as problem:
        if not is_one_of_many or problem.exit_code == INTERNAL:
            raise
        return _refused(str(file.path), name, options, problem.message)


def _walk_longer(file: PreparedFile, name: str, options: Options, is_one_of_many: bool) -> UnitReport:
    """Test the function; a sequence whose length nobody asked for is made longer as long as more calls may help."""
    deadline = Deadline.after(options.time_limit)
    report = walk_function(file, name, options, is_one_of_many)
    while any(each.reason == Reason.MORE_CALLS.word for each in report.objectives):
        longer = prepare_longer(file)
        if longer is None or deadline.left < LEAST_SECONDS or report.stop_reason == StopReason.INTERRUPTED.value:
            break
        file = longer
        report = walk_function(file, name, replace(options, time_limit=deadline.left), is_one_of_many)
    return report


def walk_function(file: PreparedFile, name: str, options: Options, is_one_of_many: bool = False) -> UnitReport:
    """Test one function: instrument, search, reduce, confirm, write."""
    deadline = Deadline.after(options.time_limit)
    with showing(options, name) as shown, started_worker() as worker:
        shown.stage("compiling")
        guided = with_guides(options) if wants_mutants(options) else options
        unit = prepare_unit(file, name, guided)
        if not is_one_of_many:  # one of several: the wish may be for another function
            check_inputs(unit, file.program)
            check_stub_names(unit.interface, options.about_stubs, unit.ctypes, callbacks_of(unit.shape))
        growing = GrowingExploration(file, name, leaving_time(guided, deadline), shown.tick, to_search)
        with growing.explore(unit, worker) as (unit, runner, found):
            unit = wanted_of(unit, options)
            with finishing() as interrupt:
                if wants_mutants(options):
                    found = kill_mutants(unit, runner, found, options, shown.stage, deadline)
                report = conclude(unit, runner, found, options, shown.stage, deadline=deadline)
            return replace(report, stop_reason=StopReason.INTERRUPTED.value) if interrupt.is_true else report


def leaving_time(options: Options, deadline: Deadline) -> Options:
    """The options of a search that leaves time to make tests of what it finds. Preparing the function may have taken
    more than its share: the search gets most of the time in any case."""
    limit = options.time_limit
    left = deadline.left - SHARE_OF_CONCLUDING * limit
    return replace(options, time_limit=min(limit, max(SHARE_OF_SEARCH * limit, left)))


def _refused_file(one: RefusedFile, options: Options) -> UnitReport:
    """A row for a file whose functions are not known, because it does not compile."""
    return _refused(str(one.target.file), "", options, one.reason)


def _refused(file: str, name: str, options: Options, why: str) -> UnitReport:
    return UnitReport.refused(file, name, options.criteria, why, options.strategy, options.seed)


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

    def stage(self, name: str) -> None:
        self.display.show(Snapshot(self.function, name, seconds=time.monotonic() - self.start))

    def tick(self, ledger: Ledger, counts: Counts) -> None:
        snapshot = Snapshot(
            self.function,
            "searching",
            covered=ledger.count(Covered),
            infeasible=ledger.count(Infeasible),
            total=len(ledger.objectives),
            runs=counts.runs,
            candidates=counts.candidates,
            seconds=time.monotonic() - self.start,
        )
        self.display.show(snapshot)


@contextmanager
def showing(options: Options, name: str) -> Iterator[Shown]:
    display = choose_progress(is_quiet=options.quiet)
    try:
        yield Shown(display, name, time.monotonic())
    finally:
        display.close()
