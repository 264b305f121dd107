"""Words on the command line -> Options; messages and exit codes. No logic.

Standard output holds the result, standard error progress and messages.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

from tightrope.errors import TightropeError, UsageError
from tightrope.help_texts import (
    DESCRIPTION,
    EPILOG,
    EPILOG_OF_ANNOTATE,
    EPILOG_OF_DOCTOR,
    EPILOG_OF_EXPLAIN,
    EPILOG_OF_INPUTS,
    EPILOG_OF_MEASURE,
    EPILOG_OF_OBJECTIVES,
)
from tightrope.option_values import suggestion
from tightrope.options import OPTIONS, Options, command, merge, show_default
from tightrope.report.model import Report, Tool
from tightrope.spec import Spec, find_spec, read_spec
from tightrope.targets import check_target, read_target
from tightrope.version import __version__


class Exit(IntEnum):
    """Exit codes; errors carry their own (2 usage, 4 the C does not compile, 5 nothing matched)."""

    DONE = 0
    BELOW = 1
    USAGE = 2
    INTERNAL = 3
    NOT_COMPILED = 4
    INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, as an error of ours."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"{self.prog} --help lists the options", slug="usage")


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
        _parser().print_help(sys.stderr)
        return Exit.USAGE
    name, options = read_command(words)
    return COMMANDS[name].run(options)


def _generate(options: Options) -> int:
    from tightrope.pipeline import generate  # late: --help and bad usage must not wait for LLVM

    return show(generate(options), options)


def _inputs(options: Options) -> int:
    from tightrope.inputs import show_inputs
    from tightrope.report.as_inputs import print_inputs, write_inputs

    functions = show_inputs(options)
    if options.json:
        write_inputs(functions, Tool("tightrope", __version__), options.json)
    if options.json != "-" and not options.quiet:
        print_inputs(functions)
    return Exit.DONE


def _objectives(options: Options) -> int:
    from tightrope.list_objectives import list_functions
    from tightrope.report.as_listing import print_listing, write_listing

    functions = list_functions(options)
    if options.json:
        write_listing(functions, Tool("tightrope", __version__), options.json)
    if options.json != "-" and not options.quiet:
        print_listing(functions)
    return Exit.DONE


def _annotate(options: Options) -> int:
    from tightrope.annotate import annotate

    found = annotate(options)
    sys.stdout.buffer.write(found.text.encode("utf-8", errors="surrogateescape"))
    if not options.quiet:
        print(f"{len(found.written)} labels written, {len(found.unwritten)} not (listed at the end)", file=sys.stderr)
    return Exit.DONE


def _measure(options: Options) -> int:
    from tightrope.measure import measure
    from tightrope.report.as_json import write_json
    from tightrope.report.as_measured import print_measured

    report = measure(options)
    if options.json:
        write_json(report, options.json)
    if options.json != "-" and not options.quiet:
        print_measured(report)
    return Exit.BELOW if report.below(options.fail_under) else Exit.DONE


def _doctor(options: Options) -> int:
    from tightrope.doctor import examine
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
    from tightrope.explain import explain
    from tightrope.report.as_explanation import print_explanations, write_explanations

    found = explain(options, read_options)
    if options.json:
        write_explanations(found, Tool("tightrope", __version__), options.json)
    if options.json != "-" and not options.quiet:
        print_explanations(found)
    return Exit.DONE


@dataclass(frozen=True, slots=True)
class Command:
    """Every command takes all options, so that one may be put in another's place; its --help lists `shown`."""

    help: str
    run: Callable[[Options], int]
    targets: str = "what to test"
    nargs: str = "+"
    shown: tuple[str, ...] = tuple(OPTIONS)
    epilog: str = ""
    report: str = ""  # of a command that is not given C, but a report: what may follow it


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


def read_options(words: Sequence[str]) -> Options:
    """The options of a command, from the command line and the spec file."""
    return read_command(words)[1]


def read_command(words: Sequence[str]) -> tuple[str, Options]:
    """The name of the command and its options."""
    own, flags = _split_flags(list(words))
    given, unknown = _parser().parse_known_args(own)
    one = COMMANDS[given.command]
    if one.report:  # ids may also stand behind options
        given.targets += [*given.ids, *(word for word in unknown if not word.startswith("-"))]
        unknown = [word for word in unknown if word.startswith("-")]
    if unknown:
        raise _unknown_option(unknown[0])
    chosen = {name: value for name, value in vars(given).items() if name in OPTIONS}
    if one.report:
        return given.command, command(Options((), subjects=tuple(given.targets)), chosen)
    spec = _spec(chosen.get("spec"))
    targets = tuple(read_target(text) for text in given.targets)
    for target in targets:
        check_target(target)
    words = (*getattr(given, "words", ()), *(("--", *flags) if flags else ()))
    base = Options(targets, flags=(*spec.flags, *flags), per_function=spec.per_function, words=words)
    return given.command, command(merge(base, spec.given), chosen)


def show(report: Report, options: Options) -> int:
    """Print the report and answer the exit code."""
    from tightrope.report.as_json import write_json
    from tightrope.report.as_text import print_report

    if options.json:
        write_json(report, options.json)
    if options.json != "-":
        print_report(report, is_quiet=options.quiet)
    if report.is_interrupted:
        return Exit.INTERRUPTED
    return Exit.BELOW if report.below(options.fail_under) else Exit.DONE


def _split_flags(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in words:
        return words, ()
    at = words.index("--")
    return words[:at], tuple(words[at + 1 :])


def _spec(given: Path | None) -> Spec:
    file = given or find_spec(Path.cwd())
    return read_spec(file) if file else Spec()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="tightrope", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"tightrope {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser, dest="command")
    for name, one in COMMANDS.items():
        below = commands.add_parser(
            name,
            help=one.help,
            description=one.help[0].upper() + one.help[1:] + ".",
            epilog=one.epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if one.report:
            below.add_argument("targets", nargs=1, metavar="REPORT", help=one.targets)
            below.add_argument("ids", nargs="*", metavar="ID", help=one.report)
        else:
            below.add_argument("targets", nargs=one.nargs, metavar="FILE.c[:FUNCTION]", help=one.targets)
        for option in OPTIONS:
            _add_option(below, option, is_shown=option in one.shown)
    return parser


def _add_option(parser: argparse.ArgumentParser, name: str, is_shown: bool) -> None:
    option, default = OPTIONS[name], show_default(name)
    shown = (option.help + (f" (default: {default})" if default else "")).replace("%", "%%")
    shown = shown if is_shown else argparse.SUPPRESS
    rest: dict[str, Any] = {"dest": name, "default": argparse.SUPPRESS, "help": shown}
    if option.is_switch:
        parser.add_argument(*option.flags, action=_switching(name), nargs=0, **rest)
        return
    action = "extend" if option.repeats else "store"
    parser.add_argument(*option.flags, action=_reading(action, name), metavar=option.metavar, **rest)


# What says where results go and how they are shown has no part in what they are.
_NOT_REPEATED = ("functions", "output", "json", "quiet", "jobs", "fail_under")


def _remember(namespace: Any, name: str, *words: str) -> None:
    """Keep the words, for whoever wants to do the same again."""
    if name not in _NOT_REPEATED:
        namespace.words = (*getattr(namespace, "words", ()), *words)


def _switching(name: str) -> type[argparse.Action]:
    class Switch(argparse.Action):
        def __call__(self, parser: Any, namespace: Any, values: Any, flag: str | None = None) -> None:
            setattr(namespace, name, True)
            _remember(namespace, name, flag or "")

    return Switch


def _reading(action: str, name: str) -> type[argparse.Action]:
    """An argparse action that reads a value with the option's own reader."""

    class Read(argparse.Action):
        def __call__(self, parser: Any, namespace: Any, values: Any, flag: str | None = None) -> None:
            try:
                value = OPTIONS[name].read(values)
            except ValueError as problem:
                raise UsageError(f"{flag}: {problem}", slug="option-value") from None
            before = getattr(namespace, name, ()) if action == "extend" else None
            setattr(namespace, name, value if before is None else (*before, *value))
            _remember(namespace, name, flag or "", values)

    return Read


def _unknown_option(word: str) -> UsageError:
    known = [flag for option in OPTIONS.values() for flag in option.flags if flag.startswith("--")]
    near = suggestion(word.split("=")[0], known) if word.startswith("-") else ""
    hint = "tightrope generate --help lists the options; flags for the compiler go after --"
    return UsageError(f"unknown option {word}{near}", hint=hint, slug="unknown-option")


def _complain(problem: TightropeError) -> None:
    """What, where in the C, what to do next."""
    print(f"tightrope: error: {problem}", file=sys.stderr)
