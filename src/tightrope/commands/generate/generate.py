"""`tightrope generate`: all functions of a command, and one report.

    targets ─▶ jobs ─▶ known from the store? ──yes──▶ ┐
                          │ no                        ├─▶ rows of the report
                          └─▶ executor ─▶ stored ───▶ ┘

What goes wrong with one function of several is a row of the report and takes nothing from the others.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from tightrope.commands.generate.build_files import check_build_files
from tightrope.commands.generate.executors.executor import Executor, ThisProcess
from tightrope.commands.generate.executors.local_processes import LocalProcesses
from tightrope.commands.generate.known_results import KnownResults, opened_results
from tightrope.commands.generate.pipeline import walk_job
from tightrope.deadline import Deadline
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.report.model import INTERNAL_ERROR, NOT_TESTED, Report, Tool, UnitReport
from tightrope.search.budget import StopReason
from tightrope.suite.case import file_stem
from tightrope.suite.folder import prepared_folder
from tightrope.suite.writers import check_files
from tightrope.units.select_functions import INTERNAL, FunctionJob, Selection, choose, prepare_job, refuse_all
from tightrope.version import __version__

NOT_BEGUN = "interrupted before it began"
Listener = Callable[[UnitReport], None]


def generate(options: Options, on_unit: Listener = lambda unit: None) -> Report:
    """Tests for every function asked for; one report. `on_unit` hears of each function as soon as it is done."""
    deadline = Deadline.after(options.time_limit)  # of the whole command, if there is one function
    with ExitStack() as stack:
        stack.enter_context(prepared_folder(options.output))
        known = stack.enter_context(opened_results(options))
        selection = choose(options, known)
        check_build_files(options.output, options.builds, options.formats)
        for job in selection.jobs:
            check_files(options.output, file_stem(job.file, job.function, job.output_stem), options.formats)
        return _report(selection, dict(_rows(selection, known, on_unit, deadline)))


def _rows(
    selection: Selection, known: KnownResults, on_unit: Listener, deadline: Deadline
) -> Iterator[tuple[int, UnitReport]]:
    """Rows by the number of their job, as they are finished."""
    left = []
    for number, job in enumerate(selection.jobs):
        unit = known.find_unit(job)
        if unit is None:
            left.append(number)
        else:
            on_unit(unit)
            yield number, unit
    for number, unit in _work(selection, left, deadline):
        known.keep_unit(selection.jobs[number], unit)
        on_unit(unit)
        yield number, unit


def _work(selection: Selection, numbers: Sequence[int], deadline: Deadline) -> Iterator[tuple[int, UnitReport]]:
    options = selection.options
    own = None if selection.is_of_many else deadline  # each of several has the time limit from its own start
    jobs = [(selection.jobs[number], options, selection.is_of_many, own) for number in numbers]
    executor = _choose_executor(options, len(jobs))
    for done in executor.run(_do, jobs):
        job = jobs[done.number][0]
        unit = done.result or _refused(job, options, f"{INTERNAL_ERROR}{done.lost}")
        yield numbers[done.number], unit
        if unit.stop_reason == StopReason.INTERRUPTED.value and isinstance(executor, ThisProcess):
            return


def _choose_executor(options: Options, jobs: int) -> Executor:
    if options.cluster and jobs:
        from tightrope.commands.generate.elsewhere import Elsewhere  # few need it
        from tightrope.commands.generate.executors.dask_cluster import DaskCluster

        return Elsewhere(DaskCluster(options.cluster), options)
    return LocalProcesses(options.jobs) if options.jobs > 1 and jobs > 1 else ThisProcess()


def _do(job: FunctionJob, options: Options, is_one_of_many: bool, deadline: Deadline | None) -> UnitReport:
    """Test one function. What is wrong with it is an error if it is the only one, else a row."""
    try:
        file = prepare_job(job, options)
        own = options.for_function(job.function)
        deadline = deadline if own.time_limit == options.time_limit else None
        return walk_job(file, job.function, own, is_one_of_many, deadline)
    except TightropeError as problem:
        if not is_one_of_many:
            raise
        ours = INTERNAL_ERROR if problem.exit_code == INTERNAL else ""
        return _refused(job, options, f"{ours}{problem.message}")
    except Exception as problem:
        if not is_one_of_many:
            raise
        traceback.print_exc()
        return _refused(job, options, f"{INTERNAL_ERROR}{type(problem).__name__}: {problem}")


def _report(selection: Selection, rows: dict[int, UnitReport]) -> Report:
    options, jobs = selection.options, selection.jobs
    units = [rows[number] for number in sorted(rows)]
    if len(units) > 1 and all(unit.was_refused for unit in units):
        raise refuse_all((unit.function, unit.stop_reason.removeprefix(NOT_TESTED)) for unit in units)
    if jobs and not units:
        raise KeyboardInterrupt
    skipped = [_refused(job, options, NOT_BEGUN) for number, job in enumerate(jobs) if number not in rows]
    unread = [
        UnitReport.refused(str(each.target.file), "", options.criteria, each.reason, options.strategy, options.seed)
        for each in selection.refused
    ]
    is_interrupted = bool(skipped) or any(unit.stop_reason == StopReason.INTERRUPTED.value for unit in units)
    return Report(Tool("tightrope", __version__), (*units, *skipped, *unread), is_interrupted=is_interrupted)


def _refused(job: FunctionJob, options: Options, why: str) -> UnitReport:
    return UnitReport.refused(str(job.file), job.function, options.criteria, why, options.strategy, options.seed)
