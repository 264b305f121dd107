"""`tightrope generate`: all functions of a command, and one report.

    targets ─▶ jobs ─▶ known from the store? ──yes──▶ ┐
                          │ no                        ├─▶ rows of the report
                          └─▶ executor ─▶ stored ───▶ ┘

What goes wrong with one function of several is a row of the report and takes nothing from the others.
"""

from __future__ import annotations

import os
import pickle
import time
import traceback
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from tightrope.commands.generate.build_files import check_build_files, is_build_file
from tightrope.commands.generate.earlier_suite import SuitePlace, find_place, may_include_others
from tightrope.commands.generate.executors.executor import LOCAL, Executor, ThisProcess
from tightrope.commands.generate.executors.interrupts import finishing, interruptible
from tightrope.commands.generate.known_results import KnownResults, opened_results
from tightrope.commands.generate.old_results import OldResult
from tightrope.commands.generate.pipeline import walk_job
from tightrope.commands.generate.rounds import LEAST_SECONDS, Round, Rounds, count_decided
from tightrope.deadline import NEVER, Deadline
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.program.ir.gc_pause import Collector
from tightrope.report.model import INTERNAL_ERROR, NOT_TESTED, NOT_TRIED, Report, Tool, UnitReport
from tightrope.search.budget import StopReason
from tightrope.suite.case import file_stem
from tightrope.suite.folder import KeptFiles, kept_files, prepared_folder
from tightrope.suite.sources import read_sources
from tightrope.units.select_functions import (
    INTERNAL,
    FileOutline,
    FunctionJob,
    Selection,
    choose,
    make_outline,
    prepare_job,
    refuse_all,
)
from tightrope.version import __version__

# What processes that test functions import: once on each worker of a cluster.
NEEDED = (__name__, "tightrope.commands.generate.elsewhere", "tightrope.solving.backends.bitwuzla")
LEAST_FILES = 8  # for which it pays to start processes that look at them
_COLLECTOR = Collector()
TOO_LATE = "the time of all functions (--total-time) was over before its turn"
Listener = Callable[[UnitReport, int], None]  # a function that is done, and how many there are


def generate(options: Options, on_unit: Listener = lambda unit, total: None) -> Report:
    """Tests for every function asked for; one report. `on_unit` hears of each function as soon as it is done."""
    begin = time.monotonic()
    deadline = Deadline.after(options.time_limit)  # of the whole command, if there is one function
    until = Deadline.after(options.total_time) if options.total_time else NEVER
    with ExitStack() as stack:
        stack.enter_context(prepared_folder(options.output))
        known = stack.enter_context(opened_results(options))
        selection = choose(options, known, _look_at_files)
        check_build_files(options.output, options.builds, options.formats)
        read_sources(options.suites)  # what is wrong with them is wrong with the command
        for job in selection.jobs:
            _place_of(job, options)  # raises if somebody else's file is in the way
        report = _Campaign(selection, known, on_unit, deadline, until).report()
        return _timed(report, time.monotonic() - begin, selection.is_of_many)


def _timed(report: Report, seconds: float, is_of_many: bool) -> Report:
    """If there is one function, the time of the command is its time."""
    units = report.units if is_of_many else tuple(unit.with_time(seconds) for unit in report.units)
    return replace(report, units=units, seconds=seconds)


@dataclass(slots=True)
class _Campaign:
    """All functions of a command, and their rows, by the number of their job."""

    selection: Selection
    known: KnownResults
    on_unit: Listener
    deadline: Deadline  # of one function
    until: Deadline  # of all
    rows: dict[int, bytes] = field(default_factory=dict)  # packed: there may be thousands
    is_interrupted: bool = False
    cluster: Executor | None = None  # once it is in use: further rounds use it again
    opened: ExitStack = field(default_factory=ExitStack)

    def report(self) -> Report:
        with self.opened:
            try:
                self._test_all()
            except KeyboardInterrupt:
                self.is_interrupted = True
        return _report(self.selection, self.rows, self.is_interrupted, self.until.is_over)

    def _test_all(self) -> None:
        jobs, options = self.selection.jobs, self.selection.options
        rounds = Rounds(self.until, options.jobs, options.time_limit)
        for number, job in enumerate(jobs):
            unit = self.known.find_unit(job)
            if unit is not None:
                self.rows[number] = _pack(unit)
                rounds.record(number, LEAST_SECONDS, unit)
                self.on_unit(unit, len(jobs))
        left = [number for number in range(len(jobs)) if number not in self.rows]
        if self.until is NEVER:
            self._test(Round(tuple(left), options.time_limit), rounds)
            return
        if not left and self.known.is_over(jobs):
            return
        if any(not _needs_folder(jobs[number], options) for number in left):
            rounds.jobs = self._open_cluster() if options.cluster else options.jobs
        next_one: Round | None = rounds.first(left)
        while next_one is not None:
            self._test(next_one, rounds)
            next_one = rounds.next()
        self.known.note_over(jobs)

    def _test(self, this: Round, rounds: Rounds) -> None:
        """The functions of one round."""
        missing, is_given_up = {*this.numbers}, False
        for number, unit in self._work(this):
            missing.discard(number)
            with finishing() as interrupt:  # what is finished is kept
                is_news = rounds.record(number, this.limit, unit)
                if unit is not None:
                    self.rows[number] = _pack(unit)
                    self.known.keep_unit(self.selection.jobs[number], unit)
                    if is_news:
                        self.on_unit(unit, len(self.selection.jobs))
            is_given_up |= unit is not None and unit.stop_reason == StopReason.INTERRUPTED.value
            if interrupt.is_true or (is_given_up and self._is_alone):
                raise KeyboardInterrupt
            if self.until.is_over:
                return
        if missing or is_given_up:  # an executor has heard an interrupt: no further round
            raise KeyboardInterrupt

    def _open_cluster(self) -> int:
        """The number of functions that it tests at the same time."""
        self.cluster = _choose_executor(self.selection.options, 1)
        return self.opened.enter_context(self.cluster.opened())

    def _executor(self, jobs: int) -> Executor:
        return self.cluster if self.cluster and jobs else _choose_executor(self.selection.options, jobs)

    @property
    def _is_alone(self) -> bool:
        return self.selection.options.jobs == 1 and not self.selection.options.cluster

    def _work(self, this: Round) -> Iterator[tuple[int, UnitReport | None]]:
        """Results as they are finished; None if there was a better one before."""
        options, is_of_many = self.selection.options, self.selection.is_of_many
        own = None if is_of_many or self.until is not NEVER else self.deadline  # of several, each has its own
        given = [replace(self.selection.jobs[number], part=None) for number in this.numbers]  # it stays here
        old = [self._old_result(number) for number in this.numbers]
        limited = replace(options, time_limit=this.limit)
        jobs = [(job, limited, is_of_many, own, one) for job, one in zip(given, old, strict=True)]
        here = [at for at, job in enumerate(given) if _needs_folder(job, options)]
        there = [at for at in range(len(jobs)) if at not in here]
        begun = {at: KeptFiles.of(_own_files(each)) for at, each in enumerate(old) if each.written}
        try:
            for part, executor in ((there, self._executor(len(there))), (here, _local(options, len(here)))):
                sources = [given[at].file for at in part]
                with closing(executor.run(_do, [jobs[at] for at in part], sources)) as results:
                    for done in results:
                        at = part[done.number]
                        number = this.numbers[at]
                        lost = _refused(given[at], options, f"{INTERNAL_ERROR}{done.lost}") if done.lost else None
                        unit = done.result or lost
                        is_worse = number in self.rows and unit is not None and unit.was_refused
                        if not lost:
                            begun.pop(at, None)
                        yield number, None if is_worse else unit
        finally:
            for files in begun.values():  # of functions whose process was ended: it may have written other tests
                files.put_back()

    def _old_result(self, number: int) -> OldResult:
        if number not in self.rows:
            return self.known.old_result(self.selection.jobs[number])
        row = _unpack(self.rows[number])
        return OldResult.of(row, count_decided(row))


def _look_at_files(files: Sequence[Path], options: Options) -> Mapping[Path, FileOutline]:
    """What they define, by as many processes as test functions. Of one that does not compile, somebody else tells."""
    processes = _processes(options)
    if processes == 1 or len(files) < LEAST_FILES:
        return {}
    from tightrope.commands.generate.executors.local_processes import LocalProcesses  # as below

    jobs = [(file, replace(options, targets=(), only=None)) for file in files]
    done = list(LocalProcesses(processes).run(_look_at_file, jobs))
    if len(done) < len(jobs):
        raise KeyboardInterrupt
    return {files[each.number]: each.result for each in done if each.result is not None}


def _look_at_file(file: Path, options: Options) -> FileOutline | None:
    try:
        return make_outline(file, options, "", with_parts=True)
    except TightropeError:
        return None


def _processes(options: Options) -> int:
    """Of this machine."""
    cluster = options.cluster or ""
    return int(cluster.removeprefix(LOCAL)) if cluster.startswith(LOCAL) else options.jobs


def _choose_executor(options: Options, jobs: int) -> Executor:
    if options.cluster and jobs:
        from tightrope.commands.generate.elsewhere import Elsewhere  # few need it
        from tightrope.commands.generate.executors.dask_cluster import DaskCluster

        return Elsewhere(DaskCluster(options.cluster, NEEDED), options)
    return _local(options, jobs)


def _local(options: Options, jobs: int) -> Executor:
    if options.jobs == 1 or jobs < 2:
        return ThisProcess()
    from tightrope.commands.generate.executors.local_processes import LocalProcesses  # few commands have several

    return LocalProcesses(options.jobs)


def _needs_folder(job: FunctionJob, options: Options) -> bool:
    """Whether it must be tested here although there is a cluster: earlier tests may need files that are here."""
    if not options.cluster:
        return False
    is_linked = options.output.resolve() != Path(os.path.abspath(options.output))  # names there mean others elsewhere
    return is_linked or may_include_others(_place_of(job, options), read_sources(options.suites))


def _place_of(job: FunctionJob, options: Options) -> SuitePlace:
    stem = file_stem(job.file, job.function, job.output_stem)
    return find_place(options, job.file, "" if job.sequence else job.function, stem)


def _do(
    job: FunctionJob, options: Options, is_one_of_many: bool, deadline: Deadline | None, old: OldResult
) -> UnitReport | None:
    """Test one function. What is wrong with it is an error if it is the only one, else a row. None if the old result is
    better: its tests stay."""
    begin = time.monotonic()
    _COLLECTOR.collect_if_grown()
    try:
        file = prepare_job(job, options)
        own = options.for_function(job.function)
        deadline = deadline if own.time_limit == options.time_limit else None
        own = replace(own, time_limit=min(own.time_limit, options.time_limit)) if options.total_time else own
        with interruptible(), kept_files(_own_files(old)) as put_back:
            unit = walk_job(file, job.function, own, is_one_of_many, deadline, old)
            if count_decided(unit) >= old.decided:
                return unit.with_time(time.monotonic() - begin)
            put_back()
            return None
    except TightropeError as problem:
        if not is_one_of_many and not old.decided:
            raise
        ours = INTERNAL_ERROR if problem.exit_code == INTERNAL else ""
        return None if old.decided else _refused(job, options, f"{ours}{problem.about(job.function)}")
    except Exception as problem:
        if not is_one_of_many and not old.decided:
            raise
        traceback.print_exc()
        why = f"{INTERNAL_ERROR}{type(problem).__name__}: {problem}"
        return None if old.decided else _refused(job, options, why)


def _own_files(old: OldResult) -> list[str]:
    """Its tests, without files that others write to, too."""
    return [name for name in old.written if not is_build_file(Path(name).name)]


def _pack(unit: UnitReport) -> bytes:
    """A row takes a tenth of its memory until all are put together."""
    return zlib.compress(pickle.dumps(unit), 1)


def _unpack(packed: bytes) -> UnitReport:
    unit: UnitReport = pickle.loads(zlib.decompress(packed))
    return unit


def _report(selection: Selection, rows: dict[int, bytes], is_interrupted: bool, is_late: bool) -> Report:
    options, jobs = selection.options, selection.jobs
    units = [_unpack(rows[number]) for number in sorted(rows)]
    if len(units) > 1 and all(unit.was_refused for unit in units):
        raise refuse_all((unit.function, unit.stop_reason.removeprefix(NOT_TESTED)) for unit in units)
    why = TOO_LATE if is_late and not is_interrupted else NOT_TRIED
    skipped = [_refused(job, options, why) for number, job in enumerate(jobs) if number not in rows]
    unread = [
        _refused(FunctionJob(each.target.file, ""), options, f"{INTERNAL_ERROR * each.is_our_fault}{each.reason}")
        for each in selection.refused
    ]
    is_interrupted |= (bool(skipped) and not is_late) or any(
        unit.stop_reason == StopReason.INTERRUPTED.value for unit in units
    )
    return Report(Tool("tightrope", __version__), (*units, *skipped, *unread), is_interrupted=is_interrupted)


def _refused(job: FunctionJob, options: Options, why: str) -> UnitReport:
    return UnitReport.refused(str(job.file), job.function, options.criteria, why, options.strategy, options.seed)
