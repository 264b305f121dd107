"""The commands: what each calls and prints; messages and exit codes. No logic.

Standard output holds the result, standard error progress and messages.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from enum import IntEnum

from tightrope.command_line.arguments import Command, make_parser, read_words
from tightrope.command_line.help_texts import (
    EPILOG,
    EPILOG_OF_ANNOTATE,
    EPILOG_OF_DIFF,
    EPILOG_OF_DOCTOR,
    EPILOG_OF_EXPLAIN,
    EPILOG_OF_INPUTS,
    EPILOG_OF_MEASURE,
    EPILOG_OF_OBJECTIVES,
)
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.report.difference_model import DifferenceReport
from tightrope.report.model import Report, Tool
from tightrope.version import __version__


class Exit(IntEnum):
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
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except Exception:
        traceback.print_exc()
        print("tightrope: internal error: this is a bug of Tightrope, please report it", file=sys.stderr)
        return Exit.INTERNAL


def _run(words: list[str]) -> int:
    if not words:
        make_parser(COMMANDS).print_help(sys.stderr)
        return Exit.USAGE
    name, options = read_command(words)
    return COMMANDS[name].run(options)


def _generate(options: Options) -> int:
    from tightrope.commands.generate.pipeline import generate  # late: --help and bad usage must not wait for LLVM

    return show(generate(options), options)


def _inputs(options: Options) -> int:
    from tightrope.commands.show_inputs import show_inputs
    from tightrope.report.as_inputs import print_inputs, write_inputs

    functions = show_inputs(options)
    if options.json:
        write_inputs(functions, Tool("tightrope", __version__), options.json)
    if options.json != "-" and not options.quiet:
        print_inputs(functions)
    return Exit.DONE


def _objectives(options: Options) -> int:
    from tightrope.commands.objectives import list_functions
    from tightrope.report.as_listing import print_listing, write_listing

    functions = list_functions(options)
    if options.json:
        write_listing(functions, Tool("tightrope", __version__), options.json)
    if options.json != "-" and not options.quiet:
        print_listing(functions)
    return Exit.DONE


def _annotate(options: Options) -> int:
    from tightrope.commands.annotate import annotate

    found = annotate(options)
    sys.stdout.buffer.write(found.text.encode("utf-8", errors="surrogateescape"))
    if not options.quiet:
        print(f"{len(found.written)} labels written, {len(found.unwritten)} not (listed at the end)", file=sys.stderr)
    return Exit.DONE


def _measure(options: Options) -> int:
    from tightrope.commands.measure.measure import measure
    from tightrope.report.formats import write_report
    from tightrope.report.formats.text import print_text

    report = measure(options)
    if options.json:
        write_report(report, "json", options.json)
    if options.json != "-" and not options.quiet:
        print_text(report)
    return Exit.BELOW if report.below(options.fail_under) else Exit.DONE


def _diff(options: Options) -> int:
    from tightrope.commands.diff.diff import diff

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
        return Exit.USAGE
    return Exit.DONE if all(file.are_good for file in files) else Exit.NOT_COMPILED


def _explain(options: Options) -> int:
    from tightrope.commands.explain.explain import explain
    from tightrope.report.as_explanation import print_explanations, write_explanations

    found = explain(options, read_options)
    if options.json:
        write_explanations(found, Tool("tightrope", __version__), options.json)
    if options.json != "-" and not options.quiet:
        print_explanations(found)
    return Exit.DONE


COMMANDS = {
    "generate": Command("write tests that cover C functions", _generate, epilog=EPILOG),
    "inputs": Command(
        "show the inputs of C functions, and how to change them",
        _inputs,
        targets="whose inputs",
        shown=(
            "functions", "assumptions", "wishes", "string_length", "array_length", "depth", "buffer_size",
            "max_elements", "enum", "stubs", "no_stubs", "stub_writes", "answers", "link", "spec", "json", "build_dir",
            "compiler",
        ),
        epilog=EPILOG_OF_INPUTS,
    ),
    "objectives": Command(
        "list what there is to cover in C functions: decisions, conditions, vectors, labels",
        _objectives,
        targets="whose objectives",
        shown=(
            "functions", "criteria", "mcdc_form", "instrumentation", "whole_program", "link", "spec", "json",
            "build_dir", "compiler", "quiet",
        ),
        epilog=EPILOG_OF_OBJECTIVES,
    ),
    "annotate": Command(
        "write C with labels for what there is to cover",
        _annotate,
        targets="what to annotate",
        shown=(
            "functions", "criteria", "mcdc_form", "partitions", "instrumentation", "spec", "build_dir", "compiler",
            "quiet",
        ),
        epilog=EPILOG_OF_ANNOTATE,
    ),
    "measure": Command(
        "say what existing tests cover",
        _measure,
        targets="what is tested",
        shown=(
            "suites", "criteria", "mcdc_form", "functions", "tests", "merge", "json", "fail_under", "link",
            "time_limit", "run_time_limit", "memory_limit", "wishes", "spec", "build_dir", "compiler", "quiet",
        ),
        epilog=EPILOG_OF_MEASURE,
    ),
    "diff": Command(
        "write tests for what a change may have broken, and for where two versions differ",
        _diff,
        targets="the versions: two C files, two folders, or one or two revisions of git",
        versions="VERSION",
        shown=(
            "functions", "criteria", "mcdc_form", "suites", "deciders", "prove_equal", "listing", "fail_on_difference",
            "fail_under", "output", "formats", "json", "strategy", "engine", "time_limit", "max_runs", "seed",
            "run_time_limit", "memory_limit", "assumptions", "wishes", "stubs", "no_stubs", "link", "spec", "build_dir",
            "compiler", "no_confirm", "quiet",
        ),
        epilog=EPILOG_OF_DIFF,
    ),
    "explain": Command(
        "say why an objective is covered, infeasible or unknown, in words of the C",
        _explain,
        targets="what --json of `generate` wrote",
        report="an objective in it; may be repeated",
        shown=("functions", "time_limit", "json", "quiet"),
        epilog=EPILOG_OF_EXPLAIN,
    ),
    "doctor": Command(
        "say what was found on this machine and about C files, and what is missing",
        _doctor,
        targets="a file to look at",
        nargs="*",
        shown=("solver", "link", "spec", "json", "build_dir", "compiler", "quiet"),
        epilog=EPILOG_OF_DOCTOR,
    ),
}  # fmt: skip


def read_command(words: Sequence[str]) -> tuple[str, Options]:
    """The name of a command and its options, from the command line and the spec file."""
    return read_words(COMMANDS, words)


def read_options(words: Sequence[str]) -> Options:
    """The options alone."""
    return read_command(words)[1]


def show(report: Report, options: Options) -> int:
    """Print the report and answer the exit code."""
    from tightrope.report.formats import write_report
    from tightrope.report.formats.text import print_text

    if options.json:
        write_report(report, "json", options.json)
    if options.json != "-" and not options.quiet:
        print_text(report)
    if report.is_interrupted:
        return Exit.INTERRUPTED
    return Exit.BELOW if report.below(options.fail_under) else Exit.DONE


def show_difference(report: DifferenceReport, options: Options) -> int:
    """The same for two versions. That they differ is no failure, unless it was asked to be one."""
    from tightrope.report.as_difference import print_difference
    from tightrope.report.as_json import write_json
    from tightrope.report.difference_listing import print_difference_listing

    if options.json:
        write_json(report, options.json)
    if options.json != "-":
        print_difference(report, is_quiet=options.quiet)
    if options.listing and options.json != "-":
        print_difference_listing(report, is_alone=options.quiet)
    if report.is_interrupted:
        return Exit.INTERRUPTED
    units = tuple(each.unit for each in report.functions if each.unit)
    is_below = Report(report.tool, units).below(options.fail_under)
    differs = options.fail_on_difference and any(each.differences for each in report.functions)
    return Exit.BELOW if is_below or differs else Exit.DONE


def _complain(problem: TightropeError) -> None:
    """What, where in the C, what to do next."""
    print(f"tightrope: error: {problem}", file=sys.stderr)
