"""Preprocess C, and ask clang for the syntax of one function.

Both see the C as `compile_to_bitcode` does: same flags, same folder, `__TIGHTROPE__` defined, <tightrope.h> found.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tightrope.errors import CompileError
from tightrope.source.compile_request import TIME_LIMIT, CompileJob, CompileRequest
from tightrope.source.compiler_messages import explain_failure
from tightrope.source.flags import without_preprocessing
from tightrope.source.toolchain import Compiler

# clang indents by the depth: 600 times `else if` are 170 MB, and 3 s
MOST_BYTES = 300_000_000
_DEFINED = "-D__TIGHTROPE__=1"
_DUMP = ("-ast-dump=json",)


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
    job = CompileJob(text, name, ("-E", _DEFINED), "preprocessed.c", is_text=True)
    made = request.translate(job)
    return request.check(made.done, made.content, name).decode("utf-8", "surrogateescape")


def preprocess_file(
    compiler: Compiler, file: Path, flags: Sequence[str] = (), *, working_directory: Path | None = None
) -> str:
    """The same for a file."""
    request = CompileRequest(compiler, tuple(flags), working_directory, None, TIME_LIMIT)
    made = request.translate(CompileJob(file, file.name, ("-E", _DEFINED), "preprocessed.c", is_text=True))
    return request.check(made.done, made.content, str(file)).decode("utf-8", "surrogateescape")


def dump_syntax(
    compiler: Compiler,
    text: str,
    function: str,
    flags: Sequence[str] = (),
    *,
    working_directory: Path | None = None,
    name: str = "driver.c",
    defined: Sequence[str] = (),
    is_preprocessed: bool = False,
    time_limit: float = TIME_LIMIT,
) -> str:
    """clang's JSON of every declaration whose name contains `function`, one document after the other. `defined`:
    further macros, as `NAME=VALUE`.

    With -E, zig expects no object file, and the option for clang itself still makes it parse and dump.
    """
    kept = without_preprocessing(flags) if is_preprocessed else tuple(flags)
    request = CompileRequest(compiler, kept, working_directory, None, time_limit)
    to_clang = (*_DUMP, f"-ast-dump-filter={function}", *(word for each in defined for word in ("-D", each)))
    job = CompileJob(text, name, ("-E", _DEFINED), to_clang=to_clang, is_text=True, output_limit=MOST_BYTES)
    made = request.translate(job)
    if made.done.was_stopped:
        raise CompileError(
            f"{function}: its syntax tree is too large",
            hint="use a criterion that needs no decisions: `-c branch` or `-c line`",
            slug="syntax-size",
        )
    if made.content is None:
        raise explain_failure(made.done.messages, name)
    return made.content.decode("utf-8", "replace")
