"""Words on the command line -> Options; messages and exit codes. No logic.

Standard output holds the result, standard error progress and messages.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

from tightrope.errors import TightropeError, UsageError
from tightrope.options import OPTIONS, Options, merge, show_default, suggestion
from tightrope.report.model import Report
from tightrope.spec import Spec, find_spec, read_spec
from tightrope.targets import check_target, read_target
from tightrope.version import __version__


class Exit(IntEnum):
    """Exit codes; errors carry their own (2 usage, 4 the C does not compile, 5 nothing matched)."""

    DONE = 0
    BELOW = 1
    USAGE = 2
    INTERNAL = 3
    INTERRUPTED = 130


DESCRIPTION = "Generates unit tests for C functions that satisfy a coverage criterion."
EPILOG = """\
FILE.c alone means every function defined in it. What stands after -- is given to the compiler:
  tightrope generate src/sort.c:merge -c branch -o tests -- -Iinclude -DDEBUG
Exit status: 0 done, 1 below --fail-under, 2 usage or bad input, 3 internal error,
4 the C does not compile, 5 nothing matched, 130 interrupted (what was found is kept)."""


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
    options = read_options(words)
    from tightrope.pipeline import generate  # late: --help and bad usage must not wait for LLVM

    report = generate(options)
    return show(report, options)


def read_options(words: Sequence[str]) -> Options:
    """The options of `generate`, from the command line and the spec file."""
    own, flags = _split_flags(list(words))
    given, unknown = _parser().parse_known_args(own)
    if unknown:
        raise _unknown_option(unknown[0])
    chosen = {name: value for name, value in vars(given).items() if name in OPTIONS}
    spec = _spec(chosen.get("spec"))
    targets = tuple(read_target(text) for text in given.targets)
    for target in targets:
        check_target(target)
    base = Options(targets, flags=(*spec.flags, *flags), per_function=spec.per_function)
    return merge(merge(base, spec.given), chosen)


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
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    commands_help = "write tests that cover C functions"
    generate = commands.add_parser(
        "generate",
        help=commands_help,
        description=commands_help[0].upper() + commands_help[1:] + ".",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    generate.add_argument("targets", nargs="+", metavar="FILE.c[:FUNCTION]", help="what to test")
    for name in OPTIONS:
        _add_option(generate, name)
    return parser


def _add_option(parser: argparse.ArgumentParser, name: str) -> None:
    option, default = OPTIONS[name], show_default(name)
    shown = (option.help + (f" (default: {default})" if default else "")).replace("%", "%%")
    rest: dict[str, Any] = {"dest": name, "default": argparse.SUPPRESS, "help": shown}
    if option.is_switch:
        parser.add_argument(*option.flags, action="store_true", **rest)
        return
    action = "extend" if option.repeats else "store"
    parser.add_argument(*option.flags, action=_reading(action, name), metavar=option.metavar, **rest)


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

    return Read


def _unknown_option(word: str) -> UsageError:
    known = [flag for option in OPTIONS.values() for flag in option.flags if flag.startswith("--")]
    near = suggestion(word.split("=")[0], known) if word.startswith("-") else ""
    hint = "tightrope generate --help lists the options; flags for the compiler go after --"
    return UsageError(f"unknown option {word}{near}", hint=hint, slug="unknown-option")


def _complain(problem: TightropeError) -> None:
    """What, where in the C, what to do next."""
    print(f"tightrope: error: {problem}", file=sys.stderr)
