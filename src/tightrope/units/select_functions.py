"""Compiles the files of a command and selects the functions in each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.errors import TightropeError, UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target, choose_functions
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.units.sequences import prepare_sequences
from tightrope.units.target_files import expand_targets, output_stems

INTERNAL = 3  # exit code of an error that is our own
Chosen = list[tuple[PreparedFile, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file of several that cannot be compiled: its functions are not known."""

    target: Target
    problem: TightropeError

    @property
    def reason(self) -> str:
        """One line: what is wrong, and where."""
        told = [line for line in self.problem.diagnostics.splitlines() if "error: " in line]
        said = f"it does not compile: {told[0].replace('error: ', '', 1)}" if told else self.problem.message
        return said.replace(f"{Path.cwd()}{os.sep}", "").splitlines()[0]


@dataclass(frozen=True, slots=True)
class Selection:
    files: Chosen
    refused: tuple[RefusedFile, ...] = ()

    @property
    def functions(self) -> list[tuple[PreparedFile, str]]:
        return [(file, name) for file, names in self.files for name in names]


def choose(options: Options) -> Selection:
    """File by file, the functions asked for. Warnings of the compiler are printed as they come.

    One file of several that does not compile takes nothing from the others.
    """
    options = expand_targets(options)
    compiler = find_compiler(options.compiler)
    stems = output_stems([target.file for target in options.targets])
    prepared: list[tuple[Target, PreparedFile]] = []
    refused = []
    for target in options.targets:
        try:
            file = prepare_file(compiler, target.file, options, warn)
        except TightropeError as problem:
            if len(options.targets) == 1 or problem.exit_code == INTERNAL:
                raise
            refused.append(RefusedFile(target, problem))
        else:
            prepared.append((target, replace(file, output_stem=stems[target.file])))
    if not prepared:
        raise refused[0].problem
    if options.sequences:
        return Selection(_choose_sequences([file for _, file in prepared], options), tuple(refused))
    return Selection(_choose_functions(prepared, options), tuple(refused))


def _choose_functions(prepared: Sequence[tuple[Target, PreparedFile]], options: Options) -> Chosen:
    wanted = list(_with_functions(prepared, options))
    defined = [(target, file.functions) for target, file in wanted]
    chosen = choose_functions(defined, options.functions, [file.included_functions for _, file in wanted])
    return [(file, tuple(names)) for (_, file), (_, names) in zip(wanted, chosen, strict=True)]


def _with_functions(
    prepared: Sequence[tuple[Target, PreparedFile]], options: Options
) -> Iterator[tuple[Target, PreparedFile]]:
    """Without files that were only found: those that define nothing, or nothing that is asked for."""
    asked = {*options.functions}
    some = [each for each in prepared if not each[0].is_found or _defines_any(each[1], asked)]
    yield from some or prepared


def _defines_any(file: PreparedFile, asked: set[str]) -> bool:
    return bool(asked.intersection(file.functions)) if asked else bool(file.functions)


def _choose_sequences(files: Sequence[PreparedFile], options: Options) -> Chosen:
    """The sequences instead of the functions; a target may name one of them."""
    if "testcomp" in options.formats:
        message = "--sequence cannot be combined with --format testcomp, whose tests start `main`"
        raise UsageError(message, hint="use another format, such as plain", slug="sequence")
    prepared = prepare_sequences(files, options.sequences)
    named = [each.function for each in options.targets if each.function]
    wanted = {*named, *options.functions}
    chosen: Chosen = []
    for file in prepared:
        assert file.sequence is not None
        if not wanted or file.sequence.name in wanted:
            chosen.append((file, (file.sequence.name,)))
    known = [file.sequence.name for file in prepared if file.sequence]
    if not wanted.issubset(known):
        shown = ", ".join(known)
        missing = next(name for name in (*named, *options.functions) if name not in known)
        hint = f"with --sequence, tests are for sequences: leave `{missing}` out, or write {shown}"
        raise UsageError(f"`{missing}` is not the name of a sequence", hint=hint, slug="sequence")
    return chosen


def refuse_all(refusals: Iterable[tuple[str, str]]) -> UsageError:
    """None of several functions (name, reason) can be tested."""
    reasons = "\n".join(f"  {name}: {reason}" for name, reason in refusals)
    message, hint = "none of these functions can be tested", "name one to see all about it"
    return UsageError(message, diagnostics=reasons, slug="all-refused", hint=hint)


def warn(text: str) -> None:
    print(text, file=sys.stderr)
