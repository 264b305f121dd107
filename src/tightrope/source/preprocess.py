"""Preprocess C, and ask clang for the syntax of one function.

Both see the C as `compile_to_bitcode` does: same flags, same folder, `__TIGHTROPE__` defined, <tightrope.h> found.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tightrope.errors import CompileError
from tightrope.source.compile import TIME_LIMIT, CompileRequest, clean_messages, explain_failure, temporary_folder
from tightrope.source.flags import without_preprocessing
from tightrope.source.toolchain import Compiler

# clang indents by the depth: 600 times `else if` are 170 MB, and 3 s
MOST_BYTES = 300_000_000
_DEFINED = "-D__TIGHTROPE__=1"
_DUMP = ("-Xclang", "-ast-dump=json", "-Xclang")


def preprocess(
    compiler: Compiler,
    text: str,
    flags: Sequence[str] = (),
    *,
    working_directory: Path | None = None,
    name: str = "driver.c",
    time_limit: float = TIME_LIMIT,
) -> str:
    """The text with every macro expanded; line markers (`# 7 "file.c" 2`) say where its lines come from.

    Bytes that are not UTF-8 (a string literal in Latin-1) become surrogates, and bytes again when the text is compiled.
    """
    request = CompileRequest(compiler, tuple(flags), working_directory, None, time_limit)
    with temporary_folder() as folder:
        target = folder / "preprocessed.c"
        mapped = f"-ffile-prefix-map={folder}{os.sep}="
        words = ("-E", _DEFINED, mapped, "-x", "c", _write(folder, name, text), "-o", str(target))
        request.check(request.run(words, folder), target, folder, name)
        written = target.read_text(encoding="utf-8", errors="surrogateescape")
        return written.replace(f'"{folder}{os.sep}', '"')


def preprocess_file(
    compiler: Compiler, file: Path, flags: Sequence[str] = (), *, working_directory: Path | None = None
) -> str:
    """The same for a file."""
    request = CompileRequest(compiler, tuple(flags), working_directory, None, TIME_LIMIT)
    with temporary_folder() as folder:
        target = folder / "preprocessed.c"
        words = ("-E", _DEFINED, "-x", "c", str(file.absolute()), "-o", str(target))
        request.check(request.run(words, folder), target, folder, str(file))
        return target.read_text(encoding="utf-8", errors="surrogateescape")


def dump_syntax(
    compiler: Compiler,
    text: str,
    function: str,
    flags: Sequence[str] = (),
    *,
    working_directory: Path | None = None,
    name: str = "driver.c",
    is_preprocessed: bool = False,
    time_limit: float = TIME_LIMIT,
) -> str:
    """clang's JSON of every declaration whose name contains `function`, one document after the other.

    With -E, zig expects no object file, and the option for clang itself still makes it parse and dump.
    """
    kept = without_preprocessing(flags) if is_preprocessed else tuple(flags)
    request = CompileRequest(compiler, kept, working_directory, None, time_limit)
    with temporary_folder() as folder:
        words = ("-E", _DEFINED, *_DUMP, f"-ast-dump-filter={function}", "-x", "c", _write(folder, name, text))
        done = request.run(words, folder, MOST_BYTES)
        if done.was_stopped:
            raise CompileError(
                f"{function}: its syntax tree is too large",
                hint="use a criterion that needs no decisions: `-c branch` or `-c line`",
                slug="syntax-size",
            )
        if done.status:
            raise explain_failure(clean_messages(done.messages, folder), name)
        return done.output.replace(f"{folder}{os.sep}", "")


def _write(folder: Path, name: str, text: str) -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    return str(file)
