"""Compile C: to bitcode for analysis, to an object for the worker, to a program for the confirmed tests.

Every result is first written to a temporary folder, so that no incomplete file is left behind. Messages of the compiler
are shown verbatim.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import CompileError, LinkError, ToolchainError, UnknownFlagError, UsageError
from tightrope.location import Location
from tightrope.source.flags import Flags, without
from tightrope.source.process import Finished, run_command
from tightrope.source.toolchain import (
    Compiler,
    builds_its_runtime_when_linking,
    compiler_environment,
    targets_the_host_cpu,
    zeroes_small_locals,
)

INCLUDE = Path(__file__).parent.parent / "include"  # holds tightrope.h
TIME_LIMIT = 120.0  # seconds; an amalgamation of 250,000 lines takes some 10

Listener = Callable[[str], None]

# The same in every build, instrumented or not, so that all builds have the same behaviour: signed overflow wraps as
# with gcc -O0, products and sums are rounded separately, calls are `call` (`cleanup` and -fexceptions make them
# `invoke`).
MEANING = (
    *("-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"),
    *("-fno-sanitize=undefined", "-fno-stack-protector", "-fno-exceptions"),
)
# gcc up to 13 accepts these with a warning, clang from 16 on rejects them; much existing C needs them.
_LENIENT = tuple(
    f"-Wno-error={warning}"
    for warning in (
        "implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types",
        "incompatible-function-pointer-types", "return-type", "unknown-warning-option", "parentheses",
    )
)  # fmt: skip
_READABLE = ("-Xclang", "-disable-O0-optnone", "-fno-discard-value-names")  # passes may run, names stay
# If a variable is uninitialised on one path, an optimiser may assume that it has the value of the other path. So the
# compiler stores zeros. Reading the IR drops zeros that are stored to memory: the runtime does that.
_ZEROED = ("-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init-max-size=4096")
# `-O0 -g` comes after the user's flags, so that it takes precedence.
_UNOPTIMISED = ("-O0", "-g")
_OPTIMISED = ("-O2",)


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
) -> None:
    """A program from C files and objects, without instrumentation: the user's flags and -O0.

    zig would first build its runtime library (seconds on a cold cache), which few programs need. So the
    first attempt is without it, and a second one with it follows if the linker misses a symbol.
    """
    request = CompileRequest(compiler, flags.kept, working_directory, None, time_limit)
    with temporary_folder() as folder:
        target = folder / "program"
        words = (*_named(files, working_directory), *flags.link, *_UNOPTIMISED, "-lm", "-o", str(target))
        quick = ("-nostdlib", "-lc") if builds_its_runtime_when_linking(compiler) else ()
        done = request.run((*words, *quick), folder)
        if quick and done.status and "undefined symbol" in done.messages:
            done = request.run(words, folder)
        request.check(done, target, folder, _describe(files))
        try:
            shutil.move(target, output)
        except OSError as problem:
            raise UsageError(f"cannot write {output}: {problem.strerror}", slug="output-file") from None


def list_dependencies(
    compiler: Compiler, file: Path, flags: Sequence[str] = (), *, working_directory: Path | None = None
) -> tuple[str, ...]:
    """Every file that a C file includes; one that the compiler does not find is listed as it is written."""
    request = CompileRequest(compiler, tuple(flags), working_directory, None, TIME_LIMIT)
    with temporary_folder() as folder:
        done = request.run(("-M", "-MG", *_named([file], working_directory)), folder)
    _, _, listed = done.output.replace("\\\n", " ").partition(": ")
    return tuple(dict.fromkeys(word.replace("\\ ", " ") for word in re.split(r"(?<!\\)\s+", listed) if word))[1:]


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


def clean_messages(text: str, folder: Path) -> str:
    """The compiler's messages without what does not concern the user: its program name, our temporary folder."""
    lines = text.replace(f"{folder}{os.sep}", "").splitlines()
    return "\n".join(line for line in lines if not line.startswith("zig: warning:")).strip("\n")


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """What stays the same in repeated calls of a compiler."""

    compiler: Compiler
    flags: tuple[str, ...]
    working_directory: Path | None
    on_warning: Listener | None
    time_limit: float

    def compile(self, source: Path | str, name: str, last: tuple[str, ...], product: str) -> bytes:
        with temporary_folder() as folder:
            if isinstance(source, str):
                file = folder / name
                file.write_text(source, encoding="utf-8", errors="surrogateescape")
                # the folder's name must not reach the debug information: same C, same bytes
                last = (*last, f"-ffile-prefix-map={folder}{os.sep}=")
                named, shown = str(file), name
            else:
                (named,) = _named([source], self.working_directory)
                shown = str(source)
            target = folder / product
            done = self.run(("-c", *last, "-x", "c", named, "-o", str(target)), folder)
            self.check(done, target, folder, shown)
            return target.read_bytes()

    def run(self, words: Sequence[str], folder: Path, output_limit: int | None = None) -> Finished:
        cpu = ("-mcpu=baseline",) if targets_the_host_cpu(self.compiler) else ()
        quiet = () if self.on_warning else ("-w",)
        own = (*cpu, *MEANING, *_LENIENT, *quiet, "-Qunused-arguments", "-idirafter", str(INCLUDE))
        command = (*self.compiler.command, *self.flags, *own, *words)
        environment = {**compiler_environment(self.compiler, scratch=folder / "cache"), "TMPDIR": str(folder)}
        try:
            return run_command(
                command,
                time_limit=self.time_limit,
                folder=self.working_directory,
                environment=environment,
                output_limit=output_limit,
            )
        except OSError as problem:
            raise _cannot_start(self, problem) from None

    def check(self, done: Finished, target: Path, folder: Path, shown: str) -> None:
        """Raise the right error, or report the warnings."""
        said = clean_messages(done.messages, folder)
        if done.was_stopped:
            hint = "try a smaller file, or try again when the machine is less busy"
            raise CompileError(
                f"{shown}: the compiler took longer than {self.time_limit:g} s", hint=hint, slug="compiler-time"
            )
        if done.status < 0:
            hint = "try another compiler with --cc"
            message = f"{shown}: the compiler crashed (signal {-done.status})"
            raise CompileError(message, diagnostics=said, hint=hint, slug="compiler-crash")
        if done.status or not target.is_file():
            raise explain_failure(said, shown)
        if said and self.on_warning:
            self.on_warning(said)


_IN_SOURCE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: ", re.MULTILINE)
_LINKER = re.compile(
    r"undefined (?:reference to|symbol)|duplicate symbol|multiple definition|cannot find -l|unable to find .* library"
)
# zig: error: unknown clang option: "-fnope"      clang: error: unknown argument: '-fnope'
_REFUSED = re.compile(
    r"""error:\ (?:unknown\ clang\ option:|unknown\ argument:?|unsupported\ option|unsupported\ argument
        |unsupported\ (?:linker|preprocessor)\ arg:|invalid\ value\ '[^']*'\ in|unknown\ target\ CPU|unknown\ CPU:
        |argument\ to|invalid\ argument|unable\ to\ load\ plugin|unknown\ target\ triple|invalid\ integral\ value)
        \ *["']?(?P<flag>[^"'\s;]*)""",
    re.VERBOSE,
)


def explain_failure(said: str, shown: str) -> CompileError | UnknownFlagError:
    """The error that explains why the compiler failed on the file `shown`, from its messages.

    A place in a source file means that the C is wrong (exit 4). Without one, a rejected flag means a
    wrong command line or database (exit 2): the compiler has not read the C at all.
    """
    place = _IN_SOURCE.search(said)
    if place:
        location = Location(place["file"], int(place["line"]), int(place["column"]))
        hint = _next_step(said)
        return CompileError(f"{shown} does not compile", diagnostics=said, location=location, hint=hint)
    refused = _REFUSED.search(said)
    if refused:
        hint = "check the flags after `--` or in the compilation database; they must be flags of clang"
        message = f"the compiler rejects the flag {refused['flag']}"
        return UnknownFlagError(message, flag=refused["flag"], hint=hint, diagnostics=said)
    if _LINKER.search(said):
        hint = "give the missing library or object after `--`, as in `-- -lfoo helper.o`"
        return LinkError(f"{shown} does not link", diagnostics=said, hint=hint)
    return CompileError(f"{shown} does not compile", diagnostics=said or "the compiler gave no reason")


def _next_step(said: str) -> str:
    if re.search(r"^ *\d+ \| .*\w +@ *(?:0x|\w|\")", said, re.MULTILINE):
        macro = "#define AT(place) @ place"
        return f"`@ ADDRESS` is no C: write `{macro}` under `#ifndef AT`, and ignore it with --define-away 'AT(...)'"
    missing = re.search(r"error: '([^']+)' file not found", said)
    if missing:
        return f"tell where {missing[1]} is: `-- -I FOLDER`, or `-p FOLDER` with the project's compile_commands.json"
    return "compile it with the flags of its own build: after `--`, or from compile_commands.json with -p"


def _named(files: Sequence[Path], working_directory: Path | None) -> tuple[str, ...]:
    """The names of the files for the compiler: as the user named them, unless it runs in another folder."""
    if working_directory is None:
        return tuple(str(each) for each in files)
    return tuple(str(each.absolute()) for each in files)


def _describe(files: Sequence[Path]) -> str:
    return files[0].name if len(files) == 1 else f"the program of {', '.join(each.name for each in files)}"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    try:
        folder = tempfile.TemporaryDirectory(prefix="tightrope-")
    except OSError as problem:
        hint = "set TMPDIR to a writable folder"
        raise UsageError(f"cannot make a temporary folder: {problem}", hint=hint, slug="no-temporary-folder") from None
    with folder as name:
        yield Path(name).resolve()


def _cannot_start(request: CompileRequest, problem: OSError) -> UsageError:
    folder = request.working_directory
    if folder is not None and not folder.is_dir():
        hint = "the compilation database names it; build the project first"
        return UsageError(f"cannot compile in {folder}: there is no such folder", hint=hint, slug="no-such-folder")
    message = f"the compiler {request.compiler.command[0]} cannot be started: {problem.strerror}"
    return ToolchainError(message, hint="choose another compiler with --cc", slug="no-compiler")
