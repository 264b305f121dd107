"""Compiles the files of a command and selects the functions in each."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.options.targets import choose_functions
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.units.sequences import prepare_sequences

Chosen = list[tuple[PreparedFile, tuple[str, ...]]]


def choose(options: Options) -> Chosen:
    """File by file, the functions asked for. Warnings of the compiler are printed as they come."""
    compiler = find_compiler(options.compiler)
    files = [prepare_file(compiler, target.file, options, warn) for target in options.targets]
    if options.sequences:
        return _choose_sequences(files, options)
    defined = [(target, file.functions) for target, file in zip(options.targets, files, strict=True)]
    chosen = choose_functions(defined, options.functions, [file.included_functions for file in files])
    return [(file, tuple(names)) for file, (_, names) in zip(files, chosen, strict=True)]


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


def choose_each(options: Options) -> list[tuple[PreparedFile, str]]:
    """The same, function by function."""
    return [(file, name) for file, names in choose(options) for name in names]


def refuse_all(refusals: Iterable[tuple[str, str]]) -> UsageError:
    """None of several functions (name, reason) can be tested."""
    reasons = "\n".join(f"  {name}: {reason}" for name, reason in refusals)
    message, hint = "none of these functions can be tested", "name one to see all about it"
    return UsageError(message, diagnostics=reasons, slug="all-refused", hint=hint)


def warn(text: str) -> None:
    print(text, file=sys.stderr)
