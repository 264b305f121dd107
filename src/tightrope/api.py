"""The commands as functions of Python: `tightrope.generate("sort.c", criterion="branch")`.

Keywords are the long options of the command, with `_` for `-`. They are translated to words of a command line and
parsed as usual: messages about wrong values and the effect of the spec file are the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AnySet
from numbers import Number
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from tightrope.command_line.arguments import read_options, unknown_option
from tightrope.errors import UsageError
from tightrope.options.option import Option
from tightrope.options.options import DEFAULTS, OPTIONS, Options
from tightrope.version import __version__

if TYPE_CHECKING:  # each is imported when it is needed
    from tightrope.report.difference_model import DifferenceReport
    from tightrope.report.listing import ListedFunction
    from tightrope.report.model import Report

Answer = TypeVar("Answer")
File = str | os.PathLike[str]
Files = File | Sequence[File]
Names = str | Sequence[str]  # one, several with commas, or several
Texts = str | Sequence[str]  # one, or several
Rows = str | Sequence[str] | Mapping[str, str | int | float | Sequence[str]]  # 'PATH=WISH', or {PATH: WISH}
Seconds = float | str  # 60, '60s' or '5m'

# They only affect the exit status of the command, and what it prints.
NOT_OF_PYTHON = ("fail_under", "allow_refused", "fail_on_difference", "fail_on_change", "verbose")


class CommonOptions(TypedDict, total=False):
    """Keywords of all functions."""

    function: Names
    criterion: Names
    mcdc_form: str
    decisions: str
    path_length: int
    instrumentation: str
    partition: Rows
    whole_program: bool
    json: File
    quiet: bool  # default True: no progress on standard error
    spec: File
    build_dir: File
    define_away: Names
    link: Files
    cc: str


class ObjectivesOptions(CommonOptions, total=False):
    sequence: Texts
    changed: str
    exclude: Names


class RunOptions(CommonOptions, total=False):
    """Keywords of the commands that run the function."""

    html: File
    report: Rows
    check: Names
    time_limit: Seconds
    run_time_limit: Seconds
    memory_limit: int
    allow_files: Files
    assume: Names
    input: Rows
    string_length: int
    array_length: int
    depth: int
    buffer_size: int
    max_elements: int
    enum: str
    stub: Names
    no_stub: Names
    stub_writes: Names
    answers: int


class MeasureOptions(RunOptions, total=False):
    sequence: Texts
    changed: str
    exclude: Names
    suite: Files
    tests: Names
    merge: Files


class SearchOptions(RunOptions, total=False):
    """Keywords of the commands that search for inputs."""

    engine: str
    strategy: str
    seed: int
    exhaustive: bool
    no_filter: bool
    no_fuzzing: bool
    pps_depth: int
    restart_after: int
    label_deletion: int
    solver: str
    cross_check: bool
    keep_proofs: File
    max_runs: int
    solver_time_limit: Seconds
    unroll_limit: int
    index_limit: int
    output: File
    format: Names
    no_confirm: bool
    float_tolerance: float


class GenerateOptions(SearchOptions, total=False):
    objective: Texts
    loop_bound: int
    search_depth: int
    lines: Names
    cache: File
    no_cache: bool
    sequence: Texts
    changed: str
    exclude: Names
    jobs: int
    total_time: Seconds
    cluster: str
    grow_to: int
    build: Names
    evidence: File
    values: str
    suite: Files
    tests: Names
    replace: bool
    accept: bool


class DiffOptions(SearchOptions, total=False):
    exclude: Names
    suite: Files
    tests: Names
    prove_equal: bool
    deciders: bool
    listing: bool  # the report contains the text of the new version


def generate(*targets: File, flags: Sequence[str] = (), **options: Unpack[GenerateOptions]) -> Report:
    """Write tests for `FILE.c` or `FILE.c:FUNCTION`, as `tightrope generate` does. `flags` are for the compiler."""
    from tightrope.commands.generate.generate import generate as run
    from tightrope.report.formats import check_outputs, write_reports

    read = _read("generate", targets, options, ("--", *_flags(flags)))
    check_outputs(read)
    if read.evidence is None:
        report = _in_session(run, read)
    else:
        from tightrope.commands.evidence.pack import generate_with_evidence

        report, _ = _in_session(lambda options: generate_with_evidence(options, run), read)
    write_reports(report, read)
    return report


def measure(*targets: File, flags: Sequence[str] = (), **options: Unpack[MeasureOptions]) -> Report:
    """What existing tests cover of `FILE.c` or `FILE.c:FUNCTION`, as `tightrope measure` reports it."""
    from tightrope.commands.measure.measure import measure as run
    from tightrope.report.formats import check_outputs, write_reports

    read = _read("measure", targets, options, ("--", *_flags(flags)))
    check_outputs(read)
    report = _in_session(run, read)
    write_reports(report, read)
    return report


def objectives(
    *targets: File, flags: Sequence[str] = (), **options: Unpack[ObjectivesOptions]
) -> tuple[ListedFunction, ...]:
    """What there is to cover in `FILE.c` or `FILE.c:FUNCTION`, function by function."""
    from tightrope.commands.objectives import list_functions
    from tightrope.report.as_listing import write_listing
    from tightrope.report.model import Tool

    read = _read("objectives", targets, options, ("--", *_flags(flags)))
    listed = _in_session(list_functions, read)
    if read.json:
        write_listing(listed, Tool("tightrope", __version__), read.json)
    return listed


def diff(
    *versions: File, files: Sequence[File] = (), flags: Sequence[str] = (), **options: Unpack[DiffOptions]
) -> DifferenceReport:
    """Tests for the effects of a change, as `tightrope diff` writes them. The old version comes first; `files` limits
    the files of revisions or folders that are compared."""
    from tightrope.commands.diff.diff import diff as run
    from tightrope.report.formats import check_outputs, write_reports

    named = [_word(file) for file in _list("files", files)]
    read = _read("diff", versions, options, ("--", *named, "--", *_flags(flags)))
    check_outputs(read)
    report = _in_session(run, read)
    write_reports(report, read)
    return report


def _in_session(run: Callable[[Options], Answer], options: Options) -> Answer:
    from tightrope.running.session import session_folder

    with session_folder():
        if options.changed is not None:  # what compares versions takes long to import
            from tightrope.commands.diff.changed_functions import choose_changed

            options = choose_changed(options)
        return run(options)


def _read(command: str, operands: Sequence[File], given: Mapping[str, object], behind: Sequence[str]) -> Options:
    """The options that the command line would have."""
    words = [word for name, value in {"quiet": True, **given}.items() for word in _option_words(command, name, value)]
    return read_options([command, *map(_word, operands), *words, *behind])


def _word(operand: File) -> str:
    """The word for a command line, where no file may begin with a dash."""
    text: object = os.fspath(operand) if isinstance(operand, str | os.PathLike) else operand
    if not isinstance(text, str):
        hint = "files are separate arguments, each a str or a Path: 'a.c', 'b.c'"
        raise UsageError(f"`{operand!r}` is not the name of a file", hint=hint, slug="usage")
    return f"./{text}" if text.startswith("-") else text


def _flags(given: Sequence[str]) -> Iterator[str]:
    for flag in _list("flags", given):
        text: object = os.fspath(flag) if isinstance(flag, str | os.PathLike) else flag
        if not isinstance(text, str):
            hint = "write flags=['-DX=1']"
            raise UsageError(f"flags: `{flag!r}` is not a string", hint=hint, slug="option-value")
        yield text


def _list(keyword: str, value: Sequence[Any]) -> Sequence[Any]:
    """A list, but not a single string, which would be taken letter by letter."""
    if _is_list(value):
        return value
    example = f": {keyword}=[{value!r}]" if isinstance(value, str) else ""
    raise UsageError(f"{keyword} is a list{example}", hint=f"`{value!r}` is not one", slug="option-value")


def _option_words(command: str, keyword: str, value: Any) -> Iterator[str]:
    """`time_limit=30` -> `--time-limit=30`. None means that it is not given."""
    name = _NAMES.get(keyword)
    if name is None:
        raise unknown_option(f"--{keyword.replace('_', '-')}", command)
    option = OPTIONS[name]
    if name in NOT_OF_PYTHON:
        hint = "look at the report: report.score(criterion).covered"
        raise UsageError(f"{option.flag} is about the exit status of a command", hint=hint, slug="unknown-option")
    if option.is_switch and value not in (None, True, False):
        raise UsageError(f"{option.flag}: `{value}` is neither true nor false", slug="option-value")
    if option.is_switch:
        yield from [option.flag] if value else []
    elif value is not None:
        yield from (f"{option.flag}={text}" for text in _texts(name, value))


_NAMES = {option.key.replace("-", "_"): name for name, option in OPTIONS.items()}


def _texts(name: str, value: Any) -> Iterator[str]:
    """A value as the option's reader takes it; several when it may be repeated."""
    option = OPTIONS[name]
    if isinstance(value, Mapping) and _takes_rows(option):
        yield from (f"{key}={_row(name, part)}" for key, part in value.items())
    elif not _is_list(value) or not _takes_several(name):
        yield _text(name, value)
    elif option.repeats:
        yield from (text for part in value for text in ([_text(name, part)] if _is_list(part) else _texts(name, part)))
    else:
        yield ",".join(_text(name, part) for part in value)


def _row(name: str, value: Any) -> str:
    """What follows `=` in `--partition=sign=a < 0; a >= 0`."""
    between = OPTIONS[name].joins
    return between.join(_text(name, part) for part in value) if between and _is_list(value) else _text(name, value)


def _text(name: str, value: Any) -> str:
    """One value. True and bytes have texts too, which nobody wants as the name of a folder."""
    if not isinstance(value, bool) and isinstance(value, Number):
        return str(value)
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else value
    if isinstance(text, str):
        return text
    option = OPTIONS[name]
    expected = "a string, a path or a number"
    expected += ", or a list of them" if _takes_several(name) else ""
    expected += ", or a dict" if _takes_rows(option) else ""
    is_set = isinstance(value, AnySet)
    hint = "a set has no order: write a list" if is_set else f"the value is that of {option.flag} {option.metavar}"
    raise UsageError(f"{option.flag}: `{value!r}` is not {expected}", hint=hint, slug="option-value")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)


def _takes_several(name: str) -> bool:
    """True if the option may be repeated or is a list with commas."""
    return isinstance(DEFAULTS[name], tuple)


def _takes_rows(option: Option) -> bool:
    """True for `--input PATH=WISH` and the like."""
    return option.repeats and "=" in option.metavar
