"""Runs the commands: calls, output, messages and exit codes. No other logic.

Results go to standard output, progress and messages to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from tightrope.command_line.arguments import make_main_parser, read_command
from tightrope.errors import TightropeError
from tightrope.options.choices import criteria, strategies
from tightrope.options.options import Options
from tightrope.version import __version__

if TYPE_CHECKING:  # commands import what they need themselves, so that --help and usage errors are fast
    from tightrope.report.as_rows import RowPrinter
    from tightrope.report.difference_model import DifferenceReport
    from tightrope.report.model import Report, Tool, UnitReport


class ExitStatus(IntEnum):
    """Exit codes; errors carry their own (2 usage, 4 the C does not compile, 5 nothing matched)."""

    DONE = 0
    BELOW = 1
    USAGE = 2
    INTERNAL = 3
    NOT_COMPILED = 4
    INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of `tightrope ARGUMENTS`."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _run(words)
    except TightropeError as problem:
        _complain(problem)
        return problem.exit_code
    except KeyboardInterrupt:
        print("tightrope: interrupted", file=sys.stderr)
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:  # the reader of our output has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.DONE
    except Exception:
        import traceback

        traceback.print_exc()
        print("tightrope: internal error: this is a bug in Tightrope, please report it", file=sys.stderr)
        return ExitStatus.INTERNAL


def _run(words: list[str]) -> int:
    if not words:
        make_main_parser().print_help(sys.stderr)
        return ExitStatus.USAGE
    name, options = read_command(words)
    from tightrope.running.session import session_folder

    with session_folder():
        return RUN[name](_only_changed(options))


def _only_changed(options: Options) -> Options:
    """The options with the functions that --changed leaves."""
    if options.changed is None:
        return options
    from tightrope.commands.diff.changed_functions import choose_changed

    chosen = choose_changed(options)
    if not chosen.only and not options.quiet:
        print(f"tightrope: no function is impacted by changes since {options.changed}", file=sys.stderr)
    return chosen


def _generate(options: Options) -> int:
    from tightrope.commands.generate.generate import generate
    from tightrope.report.formats import check_outputs

    check_outputs(options)
    rows = _row_printer(options)
    on_unit = rows.show if rows else _say_nothing
    if options.evidence is None:
        return show(generate(options, on_unit), options, rows)
    from tightrope.commands.evidence.pack import generate_with_evidence

    report, pack = generate_with_evidence(options, lambda asked: generate(asked, on_unit))
    status = show(report, options, rows)
    if pack is not None and not options.quiet and not _prints_report(options):
        print(pack)
    return status


def _inputs(options: Options) -> int:
    from tightrope.commands.show_inputs import show_inputs
    from tightrope.report.as_inputs import print_inputs, write_inputs

    functions = show_inputs(options)
    if options.json:
        write_inputs(functions, _tool(), options.json)
    if options.json != "-" and not options.quiet:
        print_inputs(functions)
    return ExitStatus.DONE


def _objectives(options: Options) -> int:
    from tightrope.commands.objectives import list_functions
    from tightrope.report.as_listing import print_listing, write_listing

    functions = list_functions(options)
    if options.json:
        write_listing(functions, _tool(), options.json)
    if options.json != "-" and not options.quiet:
        print_listing(functions)
    return ExitStatus.DONE


def _annotate(options: Options) -> int:
    from tightrope.commands.annotate import annotate

    found = annotate(options)
    sys.stdout.buffer.write(found.text.encode("utf-8", errors="surrogateescape"))
    if not options.quiet:
        print(f"{len(found.written)} labels written, {len(found.unwritten)} not (listed at the end)", file=sys.stderr)
    return ExitStatus.DONE


def _measure(options: Options) -> int:
    from tightrope.commands.measure.measure import measure
    from tightrope.report.formats import check_outputs

    check_outputs(options)
    report, rows = measure(options), _row_printer(options)
    if rows:
        for unit in report.units:
            rows.show(unit, len(report.units))
    return show(report, options, rows)


def _diff(options: Options) -> int:
    from tightrope.commands.diff.diff import diff
    from tightrope.report.formats import check_outputs

    check_outputs(options)
    return show_difference(diff(options), options)


def _doctor(options: Options) -> int:
    from tightrope.commands.doctor import examine
    from tightrope.report.as_findings import print_findings, write_findings

    machine, *files = examine(options)
    if options.json:
        write_findings((machine, *files), options.json)
    if options.json != "-" and not options.quiet:
        print_findings((machine, *files))
    if not machine.are_good:
        return ExitStatus.USAGE
    return ExitStatus.DONE if all(file.are_good for file in files) else ExitStatus.NOT_COMPILED


def _list(choices: Mapping[str, str]) -> int:
    width = max(map(len, choices)) + 2
    print("\n".join(f"{name:{width}}{text}" for name, text in choices.items()))
    return ExitStatus.DONE


def _explain(options: Options) -> int:
    from tightrope.commands.explain.explain import explain
    from tightrope.report.as_explanation import print_explanations, write_explanations

    found = explain(options)
    if options.json:
        write_explanations(found, _tool(), options.json)
    if options.json != "-" and not options.quiet:
        print_explanations(found)
    return ExitStatus.DONE


def _status(options: Options) -> int:
    from tightrope.commands.stored_results import find_status
    from tightrope.report.as_status import print_status, write_status

    status = find_status(options)
    if options.json:
        write_status(status, options.json)
    if options.json != "-" and not options.quiet:
        print_status(status)
    return ExitStatus.DONE


def _cache(options: Options) -> int:
    from tightrope.commands.stored_results import use_cache

    print(use_cache(options))
    return ExitStatus.DONE


RUN: dict[str, Callable[[Options], int]] = {
    "generate": _generate,
    "inputs": _inputs,
    "objectives": _objectives,
    "annotate": _annotate,
    "measure": _measure,
    "diff": _diff,
    "explain": _explain,
    "doctor": _doctor,
    "status": _status,
    "cache": _cache,
    "criteria": lambda _: _list(criteria()),
    "strategies": lambda _: _list(strategies()),
}


def _row_printer(options: Options) -> RowPrinter | None:
    """What prints functions as they finish, if anything is to be printed."""
    if _is_silent(options):
        return None
    from tightrope.report.as_rows import RowPrinter

    return RowPrinter(has_details=options.verbose)


def _is_silent(options: Options) -> bool:
    return options.quiet or _prints_report(options)


def _say_nothing(unit: UnitReport, total: int) -> None:
    pass


def show(report: Report, options: Options, rows: RowPrinter | None = None) -> int:
    """Print the report, or a summary if its functions were printed as rows, and return the exit code."""
    from tightrope.report.formats import write_reports

    write_reports(report, options)
    if rows and (rows.count or sum(bool(unit.function) for unit in report.units) > 1):
        rows.close(report)
    elif not _is_silent(options):
        from tightrope.report.formats.text import print_text

        print_text(report)
    if report.is_interrupted:
        left, every = report.not_tried, sum(bool(unit.function) for unit in report.units)
        print(f"tightrope: interrupted: {left} of {every} functions were not tried", file=sys.stderr)
        return ExitStatus.INTERRUPTED
    return ExitStatus.INTERNAL if any(unit.has_failed for unit in report.units) else _judge(report, options)


def _prints_report(options: Options) -> bool:
    """True if standard output is for a report in one of the formats."""
    from tightrope.report.formats import outputs_of

    return any(to == "-" for _, to in outputs_of(options))


def _judge(report: Report, options: Options) -> int:
    """Whether the gates hold; those that do not are told, even to users who asked for quiet."""
    missed = report.below(options.fail_under, allows_refused=options.allow_refused)
    for sentence in missed:
        print(f"tightrope: --fail-under: {sentence}", file=sys.stderr)
    changed = [unit for unit in report.units if any(not each.is_accepted for each in unit.changes)]
    if changed and options.fail_on_change:
        for unit in changed:
            print(f"tightrope: --fail-on-change: tests of {unit.function} expect something else", file=sys.stderr)
        missed = (*missed, "changes")
    if missed:
        return ExitStatus.BELOW
    return ExitStatus.NOT_COMPILED if report.has_uncompiled and not options.allow_refused else ExitStatus.DONE


def show_difference(report: DifferenceReport, options: Options) -> int:
    """The same for two versions. A difference is a failure only with --fail-on-difference."""
    from tightrope.report.as_difference import print_difference
    from tightrope.report.difference_listing import print_difference_listing
    from tightrope.report.formats import write_reports

    write_reports(report, options)
    if not _prints_report(options):
        print_difference(report, is_quiet=options.quiet)
    if options.listing and not _prints_report(options):
        print_difference_listing(report, is_alone=options.quiet)
    if report.is_interrupted:
        return ExitStatus.INTERRUPTED
    differs = options.fail_on_difference and any(each.differences for each in report.functions)
    is_incomplete = report.has_uncompiled and not options.allow_refused
    failed = _judge(report.tested, options) or (ExitStatus.BELOW if differs else ExitStatus.DONE)
    return failed or (ExitStatus.NOT_COMPILED if is_incomplete else ExitStatus.DONE)


def _tool() -> Tool:
    from tightrope.report.model import Tool

    return Tool("tightrope", __version__)


def _complain(problem: TightropeError) -> None:
    """Print an error: what happened, where in the C, what to do next."""
    print(f"tightrope: error: {problem}", file=sys.stderr)
