"""Words on the command line -> the name of a command and its Options. What the words name is not looked at here, except
that C files have to be there."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tightrope.command_line.help_texts import DESCRIPTION
from tightrope.errors import UsageError
from tightrope.options.config_file import Spec, find_spec, read_spec
from tightrope.options.option_values import suggestion
from tightrope.options.options import OPTIONS, Options, command, merge, show_default
from tightrope.options.targets import check_target, read_target
from tightrope.version import __version__


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
    versions: str = ""  # of a command that is given two versions of C: how they are called


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, as an error of ours."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"{self.prog} --help lists the options", slug="usage")


def read_words(commands: Mapping[str, Command], words: Sequence[str]) -> tuple[str, Options]:
    """The name of the command and its options, from the command line and the spec file."""
    own, behind = _split(list(words))
    given, unknown = make_parser(commands).parse_known_args(own)
    one = commands[given.command]
    if one.report or one.versions:  # what they name may also stand behind options
        given.targets += [*getattr(given, "ids", ()), *(word for word in unknown if not word.startswith("-"))]
        unknown = [word for word in unknown if word.startswith("-")]
    if unknown:
        raise _unknown_option(unknown[0])
    chosen = {name: value for name, value in vars(given).items() if name in OPTIONS}
    if one.report:
        return given.command, command(Options((), subjects=tuple(given.targets)), chosen)
    files, flags = _split_files(behind) if one.versions else ((), behind)
    spec = _spec(chosen.get("spec"))
    subjects = (*given.targets, *(("--", *files) if files else ())) if one.versions else ()
    targets = () if one.versions else tuple(read_target(text) for text in given.targets)
    for target in targets:
        check_target(target)
    words = (*getattr(given, "words", ()), *(("--", *flags) if flags else ()))
    flags = (*spec.flags, *flags)
    base = Options(targets, flags=flags, per_function=spec.per_function, words=words, subjects=subjects)
    return given.command, command(merge(base, spec.given), chosen)


def _split(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in words:
        return words, ()
    at = words.index("--")
    return words[:at], tuple(words[at + 1 :])


def _split_files(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`src/x.c -- -Iinclude`: files, as git has them behind `--`, and flags behind another one, or behind none."""
    at = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    flags = tuple(words[at + 1 :] if words[at : at + 1] == ("--",) else words[at:])
    ours = [word for word in flags if word.split("=")[0] in _FLAGS_NOBODY_ELSE_HAS]
    if ours:
        message = f"{ours[0].split('=')[0]} stands behind --, where files and flags for the compiler stand"
        raise UsageError(message, hint="options stand before --", slug="usage")
    return tuple(words[:at]), flags


_FLAGS_NOBODY_ELSE_HAS = {flag for option in OPTIONS.values() for flag in option.flags if flag[:2] == "--"} | {"-f"}


def _spec(given: Path | None) -> Spec:
    file = given or find_spec(Path.cwd())
    return read_spec(file) if file else Spec()


def make_parser(commands: Mapping[str, Command]) -> argparse.ArgumentParser:
    parser = _Parser(prog="tightrope", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"tightrope {__version__}")
    below = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser, dest="command")
    for name, one in commands.items():
        _add_words(
            below.add_parser(
                name,
                help=one.help,
                description=one.help[0].upper() + one.help[1:] + ".",
                epilog=one.epilog,
                formatter_class=argparse.RawDescriptionHelpFormatter,
                allow_abbrev=False,
            ),
            one,
        )
    return parser


def _add_words(parser: argparse.ArgumentParser, one: Command) -> None:
    if one.report:
        parser.add_argument("targets", nargs=1, metavar="REPORT", help=one.targets)
        parser.add_argument("ids", nargs="*", metavar="ID", help=one.report)
    else:
        parser.add_argument("targets", nargs=one.nargs, metavar=one.versions or "FILE.c[:FUNCTION]", help=one.targets)
    for option in OPTIONS:
        _add_option(parser, option, is_shown=option in one.shown)


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
_NOT_REPEATED = (
    *("functions", "output", "json", "quiet", "jobs", "fail_under"),
    *("suites", "deciders", "prove_equal", "fail_on_difference", "listing"),
)


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
