"""Parses the command line into the name of a command and its Options. Of what the words name, only C files are checked:
they must exist."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tightrope.command_line.commands import COMMANDS, DESCRIPTION, Command
from tightrope.errors import UsageError
from tightrope.options.config_file import Spec, find_spec, read_spec
from tightrope.options.option import Group, Option
from tightrope.options.option_values import suggestion
from tightrope.options.options import OPTIONS, Options, command, merge, show_default
from tightrope.options.targets import check_target, is_pattern, read_target
from tightrope.version import __version__

# A command with more options than fit on a screen shows these with --help, and all with --help-all.
_COMMON = frozenset(
    "functions criteria sequences suites prove_equal fail_on_difference engine seed time_limit total_time max_runs jobs"
    " assumptions wishes stubs no_stubs output formats builds json html reports evidence fail_under quiet verbose spec"
    " build_dir exclude changed cache link compiler".split()
)
_MOST_AT_ONCE = 36
# These options only say where results go, how they are shown, and which functions are tested.
_NOT_REPEATED = frozenset(
    "functions output json html reports evidence quiet verbose jobs cluster fail_under changed total_time".split()
)


def read_command(words: Sequence[str]) -> tuple[str, Options]:
    """The name of the command and its options, from the command line and the spec file."""
    own, behind = _split(list(words))
    if own[:1] == ["help"]:
        own = [*own[1:2], "--help"]
    name = _name_of_command(own)
    own = list(_with_values(own))
    one = COMMANDS[name]
    given, unknown = _parse(name, own[1:])
    if one.operand:  # operands may also stand behind options
        given.operands += [word for word in unknown if not word.startswith("-")]
        unknown = [word for word in unknown if word.startswith("-")]
    if unknown and not unknown[0].startswith("-"):
        hint = f"leave out {unknown[0]}: tightrope {name}"
        raise UsageError(f"`{name}` takes no arguments", hint=hint, slug="usage")
    if unknown:
        raise unknown_option(unknown[0], name)
    if behind and not one.is_about_c and not one.is_about_versions:
        hint = f"leave out {' '.join(('--', *behind))}"
        raise UsageError(f"`{name}` takes nothing after --: it compiles no C", hint=hint, slug="usage")
    if one.if_missing and not given.operands:
        hint = f"tightrope {name} --help shows examples"
        raise UsageError(one.if_missing, hint=hint, slug="usage")
    chosen = {option: value for option, value in vars(given).items() if option in OPTIONS}
    if not one.is_about_c and not one.is_about_versions:
        return name, command(Options((), subjects=tuple(given.operands)), chosen)
    return name, _with_spec(one, given, chosen, behind)


def read_options(words: Sequence[str]) -> Options:
    """The options alone."""
    return read_command(words)[1]


def _parse(name: str, words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    try:
        return make_parser(name).parse_known_args(words)
    except argparse.ArgumentError as problem:
        flag = max((problem.argument_name or "").split("/"), key=len)
        needs_value = any(option.flag == flag and not option.is_switch for option in OPTIONS.values())
        said = f"{flag} needs a value" if needs_value else f"{flag} takes no value"
        raise UsageError(said, hint=f"tightrope {name} --help lists the options", slug="usage") from None


def _with_spec(one: Command, given: argparse.Namespace, chosen: dict[str, Any], behind: tuple[str, ...]) -> Options:
    files, flags = _split_files(behind) if one.is_about_versions else ((), behind)
    spec = _spec(chosen.get("spec"))
    subjects = (*given.operands, *(("--", *files) if files else ())) if one.is_about_versions else ()
    targets = () if one.is_about_versions else tuple(read_target(text) for text in given.operands)
    for target in targets:
        check_target(target, may_be_many=one.takes_folders)
    words = (*getattr(given, "words", ()), *(("--", *flags) if flags else ()))
    flags = (*spec.flags, *flags)
    base = Options(targets, flags=flags, per_function=spec.per_function, words=words, subjects=subjects)
    options = command(merge(base, spec.given), chosen)
    _check_thresholds(options)
    return options


def _check_thresholds(options: Options) -> None:
    """A threshold for a criterion that nobody asks for would always be reached."""
    asked = {*options.criteria, *(name for one in options.per_function.values() for name in one.get("criteria", ()))}
    for name, _ in options.fail_under:
        if name and name not in asked:
            hint = f"add it: -c {','.join((*options.criteria, name))}"
            raise UsageError(f"--fail-under {name}=...: `{name}` is not among the criteria", hint=hint, slug="usage")


def _name_of_command(words: Sequence[str]) -> str:
    """The command, which is the first word; without one, only --version and --help are possible."""
    if words and words[0] in COMMANDS:
        return words[0]
    make_main_parser().parse_known_args(words)
    if words and words[0].startswith("-"):
        raise UsageError(f"{words[0]} comes before the command", hint=_COMMANDS_ARE_LISTED, slug="usage")
    said = f"unknown command {words[0]}{suggestion(words[0], COMMANDS)}" if words else "no command is given"
    raise UsageError(said, hint=_COMMANDS_ARE_LISTED, slug="usage")


_COMMANDS_ARE_LISTED = "tightrope --help lists the commands"


def _split(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in words:
        return words, ()
    at = words.index("--")
    return words[:at], tuple(words[at + 1 :])


def _with_values(words: Sequence[str]) -> Iterator[str]:
    """Options that may stand without a value get one: `--changed src` is about the folder src, `--changed main` about
    the revision main."""
    bare = {option.flag: option.if_bare for option in OPTIONS.values() if option.if_bare}
    left = list(words)
    while left:
        word = left.pop(0)
        if word not in bare:
            yield word
            continue
        has_value = bool(left) and not left[0].startswith("-") and not _is_target(left[0])
        yield f"{word}={left.pop(0) if has_value else bare[word]}"


def _is_target(word: str) -> bool:
    file = read_target(word).file
    return file.exists() or is_pattern(file) or file.suffix == ".c"


def _split_files(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What follows `--` in `diff`: files, then flags, which start at a second `--` or at the first dash."""
    at = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    flags = tuple(words[at + 1 :] if words[at : at + 1] == ("--",) else words[at:])
    ours = [word for word in flags if word.split("=")[0] in _FLAGS_NOBODY_ELSE_HAS]
    if ours:
        message = f"{ours[0].split('=')[0]} comes after --, where only files and flags for the compiler may be"
        raise UsageError(message, hint="options come before --", slug="usage")
    return tuple(words[:at]), flags


_FLAGS_NOBODY_ELSE_HAS = {flag for option in OPTIONS.values() for flag in option.flags if flag[:2] == "--"} | {"-f"}


def _spec(given: Path | None) -> Spec:
    file = given or find_spec(Path.cwd())
    return read_spec(file) if file else Spec()


# -- parsers


class _Parser(argparse.ArgumentParser):
    """Reports errors as a UsageError with one sentence."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"{self.prog} --help lists the options", slug="usage")


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """One line for an option: `-c, --criterion NAME   what to cover`."""

    def __init__(self, prog: str) -> None:
        width = max(78, min(100, shutil.get_terminal_size().columns - 2))
        super().__init__(prog, max_help_position=34, width=width)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        return f"{', '.join(action.option_strings)} {action.metavar}"

    def _expand_help(self, action: argparse.Action) -> str:
        return action.line if isinstance(action, _Given) else super()._expand_help(action)


def make_main_parser() -> argparse.ArgumentParser:
    """For `tightrope --help` and `tightrope --version`."""
    rows = "\n".join(f"  {name:12}{one.help}" for name, one in COMMANDS.items())
    parser = _Parser(
        prog="tightrope",
        usage="tightrope COMMAND ...",
        description=DESCRIPTION,
        epilog=f"commands (tightrope COMMAND --help says more):\n{rows}",
        formatter_class=_HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tightrope {__version__}")
    return parser


def make_parser(name: str, shows_all: bool = False) -> argparse.ArgumentParser:
    """The parser of one command. It knows the options of other commands only to say which command takes them."""
    one = COMMANDS[name]
    own = [each for each, option in OPTIONS.items() if name in option.commands]
    shown = own if shows_all or len(own) <= _MOST_AT_ONCE else [each for each in own if each in _COMMON]
    rest = f"\n`tightrope {name} --help-all` lists all {len(own)} options." if len(shown) < len(own) else ""
    parser = _Parser(
        prog=f"tightrope {name}",
        usage=f"tightrope {name} {one.usage}".rstrip(),
        description=one.help[0].upper() + one.help[1:] + ".",
        epilog=one.epilog + rest,
        formatter_class=_HelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )
    parser.add_argument("--help-all", action=_HelpAll, command=name, help="show all options and exit")
    parser.set_defaults(operands=[])
    if one.operand:
        parser.add_argument("operands", nargs="*", metavar=one.operand, help=one.about_operand)
    for group in Group:
        below = parser.add_argument_group(group.value)
        for option in (each for each, known in OPTIONS.items() if known.group is group):
            _add_option(below, option, name, option in shown)
    return parser


class _HelpAll(argparse.Action):
    """Prints the help with the options that are rarely needed."""

    def __init__(self, *, command: str, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help)
        self.command = command

    def __call__(self, parser: Any, namespace: Any, values: Any, flag: str | None = None) -> None:
        make_parser(self.command, shows_all=True).print_help()
        parser.exit()


def _add_option(parser: argparse._ArgumentGroup, name: str, command: str, is_shown: bool) -> None:
    option = OPTIONS[name]
    is_own = command in option.commands
    parser.add_argument(
        *option.flags,
        action=_Given,
        command=command,
        dest=name,
        default=argparse.SUPPRESS,
        nargs=0 if option.is_switch else None if is_own else "?",
        metavar=option.metavar or None,
        help=option.help if is_shown else argparse.SUPPRESS,
    )


class _Given(argparse.Action):
    """Reads the value of an option, unless the option belongs to other commands."""

    def __init__(self, *, command: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.command = command

    def __call__(self, parser: Any, namespace: Any, values: Any, flag: str | None = None) -> None:
        option = OPTIONS[self.dest]
        if self.command not in option.commands:
            raise _option_of_others(flag or "", option, self.command)
        value: Any = True if option.is_switch else self._read(values, flag)
        if option.repeats:
            value = (*getattr(namespace, self.dest, ()), *value)
        setattr(namespace, self.dest, value)
        if self.dest not in _NOT_REPEATED and "generate" in option.commands:  # to repeat the command
            words = [flag] if option.is_switch else [f"{flag}={values}"] if values[:1] == "-" else [flag, values]
            namespace.words = (*getattr(namespace, "words", ()), *words)

    def _read(self, text: str, flag: str | None) -> Any:
        try:
            return OPTIONS[self.dest].read(text)
        except ValueError as problem:
            raise UsageError(f"{flag}: {problem}", slug="option-value") from None

    @property
    def line(self) -> str:
        """The help of an option. It is made only when shown, because tables of choices are slow to load."""
        option = OPTIONS[self.dest]
        default = COMMANDS[self.command].defaults.get(self.dest, show_default(self.dest))
        notes = [f"default: {default}"] if default else ["repeatable"] if option.repeats else []
        return option.short_help + "".join(f" ({note})" for note in notes)


# -- mistakes


def unknown_option(word: str, command: str) -> UsageError:
    """Near names of the command's own options come first."""
    name = word.split("=")[0]
    own = [option.flag for option in OPTIONS.values() if command in option.commands]
    others = [option.flag for option in OPTIONS.values() if command not in option.commands]
    near = suggestion(name, own) or suggestion(name, others)
    hint = f"tightrope {command} --help-all lists the options"
    hint += "; flags for the compiler go after --" if COMMANDS[command].operand not in ("", "REPORT") else ""
    return UsageError(f"unknown option {word}{near}", hint=hint, slug="unknown-option")


def _option_of_others(flag: str, option: Option, command: str) -> UsageError:
    *names, last = (f"`{name}`" for name in option.commands)
    whose = f"{', '.join(names)} and {last}" if names else last
    hint = f"tightrope {command} --help-all lists the options of `{command}`"
    return UsageError(f"{flag} is an option of {whose}, not of `{command}`", hint=hint, slug="unknown-option")
