"""Which functions a command is about: the files of its targets are compiled, and functions chosen in each.

A job names one function and is small, so that many can wait and other processes can take them; the file is compiled
where the job is done.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Protocol

from tightrope.errors import InternalError, NothingMatchedError, TightropeError, UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target, choose_functions
from tightrope.program.declarations.sequence import CallSequence
from tightrope.source.toolchain import find_compiler
from tightrope.suite.case import file_stem
from tightrope.units.asked_objectives import has_asked_part
from tightrope.units.choose_inputs import read_source
from tightrope.units.code_parts import CodePart, find_code_parts
from tightrope.units.linking import forget_files, undefined_names
from tightrope.units.output_stems import output_stems
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.units.sequences import prepare_sequence, prepare_sequences
from tightrope.units.target_files import expand_targets

ChosenFunction = tuple[Path, str]  # a file, and a function in it
INTERNAL = 3  # exit code of an error that is our own
_KEPT = 2  # compiled files: the one at work, and the next


@dataclass(frozen=True, slots=True)
class FileOutline:
    """What a file defines and needs."""

    functions: tuple[str, ...]
    included: tuple[str, ...]  # further ones, of files that it includes
    missing: tuple[str, ...]  # names that it uses and does not define
    parts: Mapping[str, CodePart] = field(default_factory=dict)  # of functions, if somebody keeps the outline


class Outlines(Protocol):
    """Outlines that are known from earlier commands."""

    @property
    def are_kept(self) -> bool: ...

    def find(self, file: Path) -> FileOutline | None: ...

    def keep(self, file: Path, outline: FileOutline) -> None: ...


class NoOutlines:
    are_kept = False

    def find(self, file: Path) -> FileOutline | None:
        return None

    def keep(self, file: Path, outline: FileOutline) -> None: ...


@dataclass(frozen=True, slots=True)
class FunctionJob:
    """One function, or one sequence, of a file."""

    file: Path  # as the user named it
    function: str
    output_stem: str = ""  # see PreparedFile
    sequence: CallSequence | None = None
    missing: tuple[str, ...] = ()  # of the file's outline
    part: CodePart | None = None  # what its result depends on in the file; None: on all of it
    command: str = ""  # a file that was compiled for one command is not used by the next: it may have changed


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file of several that cannot be compiled, or that we cannot read: its functions are not known."""

    target: Target
    problem: TightropeError

    @property
    def reason(self) -> str:
        return first_error(self.problem)

    @property
    def is_our_fault(self) -> bool:
        return self.problem.exit_code == INTERNAL


def first_error(problem: TightropeError) -> str:
    """One line: what is wrong with a file, and where."""
    told = [line for line in problem.diagnostics.splitlines() if "error: " in line]
    said = f"it does not compile: {told[0].replace('error: ', '', 1)}" if told else problem.message
    return said.replace(f"{Path.cwd()}{os.sep}", "").splitlines()[0]


@dataclass(frozen=True, slots=True)
class Selection:
    """`options` have one target for each file."""

    options: Options
    jobs: tuple[FunctionJob, ...]
    refused: tuple[RefusedFile, ...] = ()

    @property
    def is_of_many(self) -> bool:
        """False if there is one function, so that what is wrong with it is wrong with the command."""
        return len(self.jobs) > 1 or bool(self.refused)

    def functions(self) -> Iterator[tuple[PreparedFile, str]]:
        """Each function with its file, compiled when its turn comes."""
        for job in self.jobs:
            yield prepare_job(job, self.options), job.function

    def files(self) -> Iterator[tuple[PreparedFile, tuple[str, ...]]]:
        """The same, file by file."""
        for _, jobs in groupby(self.jobs, lambda job: (job.file, job.sequence)):
            together = tuple(jobs)
            yield prepare_job(together[0], self.options), tuple(job.function for job in together)


Look = Callable[[Sequence[Path], Options], Mapping[Path, FileOutline]]


def _look_at_none(files: Sequence[Path], options: Options) -> Mapping[Path, FileOutline]:
    return {}


def choose(options: Options, outlines: Outlines | None = None, look: Look = _look_at_none) -> Selection:
    """The functions asked for, in the order of the files. Warnings of the compiler are printed as they come. `look`
    makes outlines of several files at the same time, as far as it can.

    One file of several that does not compile takes nothing from the others.
    """
    options = expand_targets(options)
    command = uuid.uuid4().hex
    _begin(command)
    stems = output_stems([target.file for target in options.targets], options.output)
    if options.only is not None:  # the others are not even compiled
        files = {file for file, _ in options.only}
        options = replace(
            options, targets=tuple(one for one in options.targets if Path(os.path.abspath(one.file)) in files)
        )
        if not options.targets:
            return Selection(options, ())
    listed: list[tuple[Target, FileOutline]] = []
    refused = []
    known = outlines or NoOutlines()
    _look_at_all([target.file for target in options.targets], options, known, look)
    for target in options.targets:
        try:
            outline = _outline(target.file, options, known, command)
        except Exception as problem:
            if len(options.targets) == 1:
                raise
            refused.append(RefusedFile(target, _as_ours(problem)))
        else:
            listed.append((target, outline))
    if not listed:
        raise refused[0].problem
    chosen = _choose_sequences if options.sequences else _choose_functions
    jobs = [
        replace(
            job,
            output_stem=stems[job.file],
            missing=outline.missing,
            part=None if job.sequence else outline.parts.get(job.function),
            command=command,
        )
        for job, outline in chosen(listed, options, command)
    ]
    return Selection(options, tuple(_with_own_names(jobs)), tuple(refused))


def _as_ours(problem: Exception) -> TightropeError:
    return problem if isinstance(problem, TightropeError) else InternalError(f"{type(problem).__name__}: {problem}")


def _with_own_names(jobs: Iterable[FunctionJob]) -> Iterator[FunctionJob]:
    """can.c:rx_init and can_rx.c:init would both have test_can_rx_init.c: the second gets test_can_rx_c_init.c."""
    taken: set[str] = set()
    for job in jobs:
        own = job
        while (name := file_stem(own.file, own.function, own.output_stem)) in taken:
            own = replace(own, output_stem=f"{own.output_stem}_c")
        taken.add(name)
        yield own


def prepare_job(job: FunctionJob, options: Options) -> PreparedFile:
    """The file of the job, compiled; the last ones are kept for further functions of the same file."""
    file = replace(_prepared(job.command, job.file, options, _be_silent), output_stem=job.output_stem)
    return prepare_sequence(file, job.sequence) if job.sequence else file


def refuse_all(refusals: Iterable[tuple[str, str]]) -> UsageError:
    """None of several functions (name, reason) can be tested."""
    reasons = "\n".join(f"  {name}: {reason}" for name, reason in refusals)
    message, hint = "none of these functions can be tested", "name one to see all about it"
    return UsageError(message, diagnostics=reasons, slug="all-refused", hint=hint)


def warn(text: str) -> None:
    print(text, file=sys.stderr)


# -- compiling


CompileOptions = tuple[str | None, Path | None, tuple[str, ...], tuple[str, ...]]


def _compile_options(options: Options) -> CompileOptions:
    return options.compiler, options.build_dir, options.flags, options.define_away


_recent: dict[tuple[str, Path, CompileOptions], PreparedFile] = {}
_commands = [""]  # the one that this process works for


def _begin(command: str) -> None:
    """One process may work for several commands, and files may change between them."""
    if command != _commands[-1]:
        _commands[:] = [command]
        forget_files()
        read_source.cache_clear()


def _prepared(command: str, file: Path, options: Options, tell: Callable[[str], None]) -> PreparedFile:
    _begin(command)
    compiler, build_dir, flags, define_away = given = _compile_options(options)
    key = (command, file, given)
    if key not in _recent:
        while len(_recent) >= _KEPT:
            del _recent[next(iter(_recent))]
        own = Options((), flags=flags, build_dir=build_dir, define_away=define_away)
        _recent[key] = prepare_file(find_compiler(compiler), file, own, tell)
    return _recent[key]


def _be_silent(warning: str) -> None:
    """The compiler has said it already, or it is not asked for."""


def _shows_warnings(options: Options) -> bool:
    """Those of a project would hide everything else."""
    return options.verbose or (len(options.targets) == 1 and not options.quiet)


def _look_at_all(files: Sequence[Path], options: Options, outlines: Outlines, look: Look) -> None:
    if outlines.are_kept:
        unknown = [file for file in dict.fromkeys(files) if outlines.find(file) is None]
        for file, outline in look(unknown, options).items() if len(unknown) > 1 else ():
            outlines.keep(file, outline)


def _outline(file: Path, options: Options, outlines: Outlines, command: str) -> FileOutline:
    known = outlines.find(file)
    if known is None:
        known = make_outline(file, options, command, with_parts=outlines.are_kept)
        outlines.keep(file, known)
    return known


def make_outline(file: Path, options: Options, command: str, *, with_parts: bool) -> FileOutline:
    """Compile the file, and see what it defines."""
    prepared = _prepared(command, file, options, warn if _shows_warnings(options) else _be_silent)
    missing = tuple(sorted(undefined_names(prepared.program)))
    parts = find_code_parts(prepared) if with_parts else {}
    return FileOutline(prepared.functions, prepared.included_functions, missing, parts)


# -- choosing

Listed = Sequence[tuple[Target, FileOutline]]


def _choose_functions(listed: Listed, options: Options, command: str) -> Iterator[tuple[FunctionJob, FileOutline]]:
    wanted = [each for each in listed if not each[0].is_found or _defines_any(each[1], options.functions)] or listed
    defined = [(target, outline.functions) for target, outline in wanted]
    chosen = choose_functions(defined, options.functions, [outline.included for _, outline in wanted])
    found = [
        (FunctionJob(target.file, name), outline)
        for (target, outline), (_, names) in zip(wanted, chosen, strict=True)
        for name in _with_asked_part(target, names, options, command)
        if options.only is None or (Path(os.path.abspath(target.file)), name) in options.only
    ]
    if not found and (options.objective_ids or options.lines):
        hint = "the first word of an id is its function; lines count from 1 in the file that is named"
        raise NothingMatchedError(
            "no function has what --objective or --lines asks for", hint=hint, slug="no-such-part"
        )
    yield from found


def _with_asked_part(target: Target, names: Sequence[str], options: Options, command: str) -> Sequence[str]:
    """Of these functions, those of which a part is asked for; usually all."""
    if not options.objective_ids and not options.lines:
        return names
    program = _prepared(command, target.file, options, _be_silent).program
    return [name for name in names if has_asked_part(name, program, options)]


def _defines_any(outline: FileOutline, asked: Sequence[str]) -> bool:
    """A file that was only found is left out if it defines nothing, or nothing that is asked for."""
    return bool({*asked}.intersection(outline.functions)) if asked else bool(outline.functions)


def _choose_sequences(listed: Listed, options: Options, command: str) -> Iterator[tuple[FunctionJob, FileOutline]]:
    """The sequences instead of the functions; a target may name one of them."""
    if "testcomp" in options.formats:
        message = "--sequence cannot be combined with --format testcomp, whose tests start `main`"
        raise UsageError(message, hint="use another format, such as plain", slug="sequence")
    outlines = {target.file: outline for target, outline in listed}
    files = [_prepared(command, target.file, options, _be_silent) for target, _ in listed]
    prepared = prepare_sequences(files, options.sequences)
    found = {(file.path, file.sequence.name): file.sequence.sequence for file in prepared if file.sequence}
    named = [each.function for each in options.targets if each.function]
    wanted = {*named, *options.functions}
    known = [name for _, name in found]
    if not wanted.issubset(known):
        shown = ", ".join(known)
        missing = next(name for name in (*named, *options.functions) if name not in known)
        hint = f"with --sequence, tests are for sequences: leave `{missing}` out, or write {shown}"
        raise UsageError(f"`{missing}` is not the name of a sequence", hint=hint, slug="sequence")
    for (path, name), sequence in found.items():
        if not wanted or name in wanted:
            yield FunctionJob(path, name, sequence=sequence), outlines[path]
