"""The whole walk, source to report."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from tightrope.conclude import conclude
from tightrope.errors import TightropeError
from tightrope.execution.runner import Worker
from tightrope.explore import explore
from tightrope.objectives.ledger import Ledger
from tightrope.objectives.verdict import Covered, Infeasible
from tightrope.options import Options
from tightrope.prepare import PreparedFile, prepare_file, prepare_unit, start
from tightrope.report.model import Report, Tool, UnitReport
from tightrope.report.progress import Progress, Snapshot, choose_progress
from tightrope.search.budget import StopReason
from tightrope.search.loop import Progress as Counts
from tightrope.source.toolchain import find_compiler
from tightrope.suite.folder import prepare_folder
from tightrope.targets import choose_functions
from tightrope.version import __version__


def generate(options: Options) -> Report:
    """Tests for every function asked for; one report."""
    prepare_folder(options.output)
    compiler = find_compiler(options.compiler)
    files = [prepare_file(compiler, target.file, options, _warn) for target in options.targets]
    chosen = choose_functions(
        [(target, file.functions) for target, file in zip(options.targets, files, strict=True)], options.functions
    )
    jobs = [(file, name) for file, (_, names) in zip(files, chosen, strict=True) for name in names]
    units = tuple(_walk_all(jobs, options))
    is_interrupted = any(unit.stop_reason == StopReason.INTERRUPTED.value for unit in units)
    return Report(Tool("tightrope", __version__), units, is_interrupted=is_interrupted)


def _walk_all(jobs: list[tuple[PreparedFile, str]], options: Options) -> Iterator[UnitReport]:
    """In order. A function that cannot be tested is an error when it is the only one, else a remark."""
    if options.jobs > 1 and len(jobs) > 1:
        with ProcessPoolExecutor(min(options.jobs, len(jobs)), get_context("spawn")) as pool:
            yield from pool.map(
                _walk_or_remark, *zip(*[(file, name, options, True) for file, name in jobs], strict=True)
            )
        return
    for file, name in jobs:
        unit = _walk_or_remark(file, name, options, len(jobs) > 1)
        yield unit
        if unit.stop_reason == StopReason.INTERRUPTED.value:
            return


def _walk_or_remark(file: PreparedFile, name: str, options: Options, is_one_of_many: bool) -> UnitReport:
    try:
        return walk_function(file, name, options.for_function(name))
    except TightropeError as problem:
        if not is_one_of_many or problem.exit_code == 3:
            raise
        return _refused(file, name, options, problem)


def walk_function(file: PreparedFile, name: str, options: Options) -> UnitReport:
    """One function: weave, search, reduce, confirm, write."""
    with _showing(options, name) as shown, _started_worker() as worker:
        shown.stage("compiling")
        unit = prepare_unit(file, name, options)
        with start(unit, worker, options) as runner:
            found = explore(unit, runner, options, shown.tick)
            return conclude(unit, runner, found, options, shown.stage)


def _refused(file: PreparedFile, name: str, options: Options, problem: TightropeError) -> UnitReport:
    return UnitReport(
        str(file.path), name, options.criteria, options.strategy, options.seed, f"not tested: {problem.message}", (), ()
    )


def _warn(text: str) -> None:
    print(text, file=sys.stderr)


@contextmanager
def _started_worker() -> Iterator[Worker]:
    """LLVM loads in the worker while the compiler works here."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


@dataclass(slots=True)
class _Shown:
    """Tells the progress display where we are."""

    display: Progress
    function: str
    start: float

    def stage(self, name: str) -> None:
        self.display.show(Snapshot(self.function, name, seconds=time.monotonic() - self.start))

    def tick(self, ledger: Ledger, counts: Counts) -> None:
        if counts.runs % 64:
            return
        snapshot = Snapshot(
            self.function,
            "searching",
            ledger.count(Covered),
            ledger.count(Infeasible),
            len(ledger.objectives),
            counts.runs,
            counts.candidates,
            0,
            time.monotonic() - self.start,
        )
        self.display.show(snapshot)


@contextmanager
def _showing(options: Options, name: str) -> Iterator[_Shown]:
    display = choose_progress(is_quiet=options.quiet)
    try:
        yield _Shown(display, name, time.monotonic())
    finally:
        display.close()
