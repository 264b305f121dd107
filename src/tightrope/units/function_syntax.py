"""The syntax of functions, from the C text that holds them: preprocess, dump, read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from tightrope.errors import CompileError
from tightrope.program.c_text.folding import VALUE, Span, question_text, read_answers
from tightrope.program.c_text.preprocessed import blank_other_bodies
from tightrope.program.c_text.syntax import RENAMED, FunctionSyntax, has_definition, read_syntax
from tightrope.source.preprocess import dump_syntax, preprocess
from tightrope.source.toolchain import Compiler

_DEEPEST = 20_000  # recursion depth for walking a tree: 600 times `else if` are 1800 nodes deep


def find_syntax(
    compiler: Compiler,
    text: str,
    functions: Sequence[str],
    flags: Sequence[str] = (),
    *,
    working_directory: Path | None = None,
    name: str = "driver.c",
) -> dict[str, FunctionSyntax]:
    """The syntax of each function that the text (after its #includes) defines; all share one preprocessed text.

    `functions` are the names after preprocessing, `name` is what the text is called in messages.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    dump = partial(dump_syntax, compiler, working_directory=working_directory, name=name)
    with ThreadPoolExecutor(max_workers=3) as pool:
        plain = {each: pool.submit(_dump_plain, dump, text, each, tuple(flags)) for each in functions}
        preprocessed = preprocess(compiler, text, flags, working_directory=working_directory, name=name)
        dumps = {each: pool.submit(_dump_alone, dump, preprocessed, each, flags) for each in functions}
        folder = str((working_directory or Path()).absolute())
        found = {
            each: read_syntax(each, preprocessed, dumps[each].result(), plain[each].result(), folder) for each in dumps
        }
    read = lru_cache(maxsize=None)(partial(_read_lines, working_directory or Path()))
    fold = partial(_fold, dump, preprocessed, tuple(flags))
    return {
        each: replace(syntax, read=read, fold=partial(fold, each))
        for each, syntax in found.items()
        if syntax is not None
    }


def _read_lines(folder: Path, file: str) -> list[bytes] | None:
    """A file as the compiler names it."""
    try:
        return (folder / file).read_bytes().split(b"\n")
    except OSError:
        return None


def _dump_plain(dump: partial[str], text: str, function: str, flags: tuple[str, ...]) -> str:
    """The dump of the function, renamed so that no other name contains its name: the filter `f` would match half of the
    file. Without a dump there are only fewer places."""
    for name in (RENAMED.format(function), function):
        rename = (f"{function}={name}",) if name != function else ()
        try:
            found: str = dump(text, name, flags, defined=rename)
        except CompileError:
            continue
        if has_definition(found, name):
            return found
    return ""


def _dump_alone(dump: partial[str], preprocessed: str, function: str, flags: Sequence[str]) -> str:
    """The text without the bodies of other functions, if that parses: where bodies are is only a guess."""
    try:
        small = dump(blank_other_bodies(preprocessed, function), function, flags, is_preprocessed=True)
    except CompileError:
        small = ""
    return small if has_definition(small, function) else dump(preprocessed, function, flags, is_preprocessed=True)


def _fold(
    dump: partial[str], preprocessed: str, flags: Sequence[str], function: str, spans: Sequence[Span]
) -> dict[Span, bool | None]:
    """Ask about all slices at once, and about halves of them where some cannot be asked about."""
    for text in (blank_other_bodies(preprocessed, function), preprocessed):
        try:
            return read_answers(dump(question_text(text, spans), VALUE, flags, is_preprocessed=True), spans)
        except CompileError:
            continue
    if len(spans) == 1:
        return {}
    middle = len(spans) // 2
    ask = partial(_fold, dump, preprocessed, flags, function)
    return ask(spans[:middle]) | ask(spans[middle:])
