"""Compile C: to bitcode for analysis, to an object for the worker, to a program for the confirmed tests.

Every result is first written to a temporary folder, so that no incomplete file is left behind. Messages of the compiler
are shown verbatim.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.errors import CompileError, UnknownFlagError, UsageError
from tightrope.source.compile_request import (
    TIME_LIMIT,
    CompileJob,
    CompileRequest,
    Listener,
    names_of,
    temporary_folder,
)
from tightrope.source.compiler_messages import clean_messages
from tightrope.source.flags import Flags, without
from tightrope.source.toolchain import (
    Compiler,
    builds_its_runtime_when_linking,
    says_what_it_calls,
    zeroes_small_locals,
)
from tightrope.source.translations import read_rule

_READABLE = ("-Xclang", "-disable-O0-optnone", "-fno-discard-value-names")  # passes may run, names stay
# If a variable is uninitialised on one path, an optimiser may assume that it has the value of the other path. So the
# compiler stores zeros. Reading the IR drops zeros that are stored to memory: the runtime does that.
_ZEROED = ("-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init-max-size=4096")
# `-O0 -g` comes after the user's flags, so that it takes precedence.
_UNOPTIMISED = ("-O0", "-g")
_OPTIMISED = ("-O2",)
_WITHOUT_RUNTIME = ("-nostdlib", "-lc")


def compile_to_bitcode(
    compiler: Compiler,
    source: Path | str,
    flags: Sequence[str] = (),
    *,
    working_directory: Path | None = None,
    name: str = "driver.c",
    on_warning: Listener | None = None,
    is_optimised: bool = False,
    marks_overflow: bool = False,
    time_limit: float = TIME_LIMIT,
) -> bytes:
    """LLVM bitcode of a C file (a Path) or of C text (a string, called `name` in messages).

    `__TIGHTROPE__` is defined, and <tightrope.h> is found. Warnings go to `on_warning`. Without a
    listener, warnings are disabled: a unit is compiled more than once, and the user should see
    them once. `marks_overflow` marks arithmetic that must not overflow (`nsw`); the marks must be removed before the
    code is run.
    """
    last = _OPTIMISED if is_optimised else (*_READABLE, *_UNOPTIMISED)
    last = (*last, "-fno-wrapv") if marks_overflow else last
    last = (*last, *_ZEROED) if zeroes_small_locals(compiler) and not is_optimised else last
    request = CompileRequest(compiler, tuple(flags), working_directory, on_warning, time_limit)
    return request.compile(source, name, ("-emit-llvm", "-D__TIGHTROPE__=1", *last), "unit.bc")


def compile_to_object(
    compiler: Compiler,
    source: Path | str,
    flags: Sequence[str] = (),
    *,
    working_directory: Path | None = None,
    name: str = "source.c",
    on_warning: Listener | None = None,
    is_optimised: bool = True,
    time_limit: float = TIME_LIMIT,
) -> bytes:
    """A position-independent object file, optimised unless told otherwise."""
    last = ("-fPIC", *(_OPTIMISED if is_optimised else _UNOPTIMISED))
    request = CompileRequest(compiler, tuple(flags), working_directory, on_warning, time_limit)
    return request.compile(source, name, last, "unit.o")


def link_program(
    compiler: Compiler,
    files: Sequence[Path],
    flags: Flags,
    output: Path,
    *,
    working_directory: Path | None = None,
    time_limit: float = TIME_LIMIT,
    are_movable: bool = False,
) -> None:
    """A program from C files and objects, without instrumentation: the user's flags and -O0. `are_movable`: the C files
    mean the same in every folder, since they name no other file by a path that starts there.

    zig would first build its runtime library (seconds on a cold cache), which few programs need. So the
    first attempt is without it, and a second one with it follows if the linker misses a symbol.
    """
    request = CompileRequest(compiler, flags.kept, working_directory, None, time_limit)
    with temporary_folder() as folder:
        target = folder / "program"
        if flags.link or not _link_parts(request, files, target, folder, are_movable):
            _link_at_once(request, files, flags, target, folder)
        try:
            shutil.move(target, output)
        except OSError as problem:
            raise UsageError(f"cannot write {output}: {problem.strerror}", slug="output-file") from None


def _link_parts(request: CompileRequest, files: Sequence[Path], target: Path, folder: Path, are_movable: bool) -> bool:
    """Whether the program could be made of parts, each of them quick or known. If not, nobody has been told why."""
    if not says_what_it_calls(request.compiler):
        return False
    objects = []
    for number, file in enumerate(files):
        if file.suffix == ".c":
            source = file.read_text(encoding="utf-8", errors="surrogateescape") if are_movable else file
            made = request.translate(CompileJob(source, file.name, ("-c", *_UNOPTIMISED), "part.o"))
            if made.content is None:
                return False
            objects.append(folder / f"{number}.o")
            objects[-1].write_bytes(made.content)
        else:
            objects.append(file.absolute())
    return request.link(objects, (*_UNOPTIMISED, "-lm", *_WITHOUT_RUNTIME), target, folder)


def _link_at_once(request: CompileRequest, files: Sequence[Path], flags: Flags, target: Path, folder: Path) -> None:
    words = (*names_of(files, request.working_directory), *flags.link, *_UNOPTIMISED, "-lm", "-o", str(target))
    quick = _WITHOUT_RUNTIME if builds_its_runtime_when_linking(request.compiler) else ()
    done = request.run((*words, *quick), folder)
    if quick and done.status and "undefined symbol" in done.messages:
        done = request.run(words, folder)
    clean = replace(done, messages=clean_messages(done.messages, folder))
    request.check(clean, b"" if target.is_file() else None, _describe(files))


def list_dependencies(
    compiler: Compiler, file: Path, flags: Sequence[str] = (), *, working_directory: Path | None = None
) -> tuple[str, ...]:
    """Every file that a C file includes; one that the compiler does not find is listed as it is written."""
    request = CompileRequest(compiler, tuple(flags), working_directory, None, TIME_LIMIT)
    with temporary_folder() as folder:
        done = request.run(("-M", "-MG", *names_of([file], working_directory)), folder)
    return read_rule(done.output)[1:]


def drop_unknown_flags(compiler: Compiler, flags: Flags, *, working_directory: Path | None = None) -> Flags:
    """The flags without those that this compiler rejects, for flags that were meant for another one
    (a compilation database). Costs one compile of an empty file, and one more for each rejected flag."""
    while True:
        try:
            compile_to_object(compiler, "", flags.kept, working_directory=working_directory)
            return flags
        except UnknownFlagError as problem:
            fewer = without(flags, problem.flag)
            if fewer is None:
                raise
            flags = fewer
        except CompileError:  # for example `-include config.h`: the compile of the real file will report it
            return flags


def _describe(files: Sequence[Path]) -> str:
    return files[0].name if len(files) == 1 else f"the program of {', '.join(each.name for each in files)}"
