"""Calls of a compiler with the same flags: by its driver, or, where nothing has to be found out again, quicker.

translate a C file ──kept──▶ the result of the same translation before      translations.py
                   ──else──▶ clang, with words that were recorded           recorded_calls.py
                   ──else, and when that fails──▶ the driver, with its messages
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.errors import CompileError, ToolchainError, UsageError
from tightrope.source.cache import open_cache
from tightrope.source.compiler_messages import clean_messages, explain_failure
from tightrope.source.mirror import mirror_flags
from tightrope.source.process import Finished, run_command
from tightrope.source.recorded_calls import CompilerCall, RecordedCall, find_call, identify, link_key, recall_call
from tightrope.source.toolchain import Compiler, compiler_environment, targets_the_host_cpu
from tightrope.source.translations import TranslationKey, keep_translation, recall_translation

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


@dataclass(frozen=True, slots=True)
class CompileJob:
    """One C file (a Path), or C text that is called `name`, and the words for what is to be made of it."""

    source: Path | str
    name: str
    words: tuple[str, ...]
    product: str = ""  # the name of the file that is made; without one, the result is what is printed
    to_clang: tuple[str, ...] = ()  # words for clang itself
    is_text: bool = False  # the result may name the temporary folder, which is removed from it
    output_limit: int | None = None

    @property
    def shown(self) -> str:
        return self.name if isinstance(self.source, str) else str(self.source)


@dataclass(frozen=True, slots=True)
class CompileResult:
    done: Finished  # with clean messages
    content: bytes | None  # None if nothing was made


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """What stays the same in repeated calls of a compiler."""

    compiler: Compiler
    flags: tuple[str, ...]
    working_directory: Path | None
    on_warning: Listener | None
    time_limit: float

    def compile(self, source: Path | str, name: str, last: tuple[str, ...], product: str) -> bytes:
        """A file of this name, made of the C. Raises the right error, or reports the warnings."""
        job = CompileJob(source, name, ("-c", *last), product)
        made = self.translate(job)
        return self.check(made.done, made.content, job.shown)

    def translate(self, job: CompileJob) -> CompileResult:
        kept = self._recall(job)
        if kept is not None:
            return CompileResult(Finished(0, "", ""), kept)
        with temporary_folder() as folder:
            call = self._call(job, folder)
            if isinstance(job.source, str):
                Path(call.files[0]).write_text(job.source, encoding="utf-8", errors="surrogateescape")
            recorded = self._recorded(call, folder)
            key = self._key(job, call, recorded) if recorded else None
            if recorded and key:
                made = self._call_clang(job, call, recorded, folder)
                if made.content is not None and not made.done.messages:
                    rule = folder / _RULE
                    if rule.is_file():
                        text = rule.read_text(encoding="utf-8", errors="surrogateescape")
                        keep_translation(key, made.content, text, str(folder))
                    return made
                if made.done.was_stopped:
                    return made
            further = tuple(word for each in job.to_clang for word in ("-Xclang", each))
            command = replace(call, words=(*call.words, *further)).command
            return _result(job, self._start(command, folder, job.output_limit), call, folder)

    def _recall(self, job: CompileJob) -> bytes | None:
        """What the same call has made before. It needs no folder: what it would be called makes no difference."""
        call = self._call(job, Path(tempfile.gettempdir()) / "tightrope-no-folder")
        recorded = recall_call(self.compiler, call, os.environ)
        return recall_translation(self._key(job, call, recorded)) if recorded else None

    def _call(self, job: CompileJob, folder: Path) -> CompilerCall:
        words = (*self.compiler.command, *self.flags, *self._own, *job.words)
        if isinstance(job.source, str):
            named = str(folder / job.name)
            if not job.is_text:  # the folder's name must not reach the debug information: same C, same bytes
                words = (*words, f"-ffile-prefix-map={folder}{os.sep}=")
        else:
            (named,) = names_of([job.source], self.working_directory)
        output = str(folder / job.product) if job.product else "-"
        return CompilerCall(words, (named,), output, str(folder), self._here())

    def _key(self, job: CompileJob, call: CompilerCall, recorded: RecordedCall) -> TranslationKey:
        text = job.source if isinstance(job.source, str) else ""
        named = job.name if isinstance(job.source, str) else call.files[0]
        words = (*identify(self.compiler), *recorded.words, *job.to_clang, named, job.product)
        return TranslationKey(words, text, call.here)

    def _call_clang(self, job: CompileJob, call: CompilerCall, recorded: RecordedCall, folder: Path) -> CompileResult:
        rule = ("-dependency-file", str(folder / _RULE), "-MT", "it", "-sys-header-deps")
        words = recorded.fill(call, (*rule, *job.to_clang))
        done = self._start((self.compiler.command[0], "clang", *words), folder, job.output_limit)
        return _result(job, done, call, folder)

    def link(self, objects: Sequence[Path], words: Sequence[str], output: Path, folder: Path) -> bool:
        """Whether a program could be linked of these objects without asking the driver."""
        named = tuple(map(str, objects))
        driver = (*self.compiler.command, *self.flags, *self._own, *words)
        call = CompilerCall(driver, named, str(output), str(folder), self._here(), is_link=True)
        recorded = self._recorded(call, folder)
        if recorded is None:
            return False
        kept, key = open_cache("compiled"), link_key(recorded, (each.read_bytes() for each in objects))
        program = kept.get(key)
        if program is not None:
            output.write_bytes(program)
            output.chmod(0o755)
            return True
        done = self._start((self.compiler.command[0], "ld.lld", *recorded.fill(call)), folder)
        is_linked = not done.status and not done.messages and output.is_file()
        if is_linked:
            kept.put(key, output.read_bytes())
        return is_linked

    def run(self, words: Sequence[str], folder: Path) -> Finished:
        """Call the driver with whatever words."""
        command = (*self.compiler.command, *self.flags, *self._own, *words)
        return self._start(command, folder)

    # -- what every call has

    @property
    def _own(self) -> tuple[str, ...]:
        cpu = ("-mcpu=baseline",) if targets_the_host_cpu(self.compiler) else ()
        quiet = () if self.on_warning else ("-w",)
        return (*cpu, *MEANING, *_LENIENT, *quiet, "-Qunused-arguments", "-idirafter", str(INCLUDE), *mirror_flags())

    def _here(self) -> str:
        """The current folder of the compiler, as it calls it: by PWD, if that is right."""
        folder, named = self.working_directory or Path(), os.environ.get("PWD", "")
        try:
            return named if os.path.isabs(named) and os.path.samefile(named, folder) else str(folder.resolve())
        except OSError:
            return str(folder.absolute())

    def _recorded(self, call: CompilerCall, folder: Path) -> RecordedCall | None:
        return find_call(self.compiler, call, os.environ, lambda command: self._start(command, folder))

    def _start(self, command: Sequence[str], folder: Path, output_limit: int | None = None) -> Finished:
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

    def check(self, done: Finished, content: bytes | None, shown: str) -> bytes:
        """The content; or raise the right error. Reports the warnings."""
        if done.was_stopped:
            hint = "try a smaller file, or try again when the machine is less busy"
            raise CompileError(
                f"{shown}: the compiler took longer than {self.time_limit:g} s", hint=hint, slug="compiler-time"
            )
        if done.status < 0:
            hint = "try another compiler with --cc"
            message = f"{shown}: the compiler crashed (signal {-done.status})"
            raise CompileError(message, diagnostics=done.messages, hint=hint, slug="compiler-crash")
        if done.status or content is None:
            raise explain_failure(done.messages, shown)
        if done.messages and self.on_warning:
            self.on_warning(done.messages)
        return content


_RULE = "read.d"  # the file that lists what clang has read


def _result(job: CompileJob, done: Finished, call: CompilerCall, folder: Path) -> CompileResult:
    """What the call has made, if it has."""
    content: bytes | None = None
    if not job.product:
        content = done.output.encode("utf-8", "surrogateescape")
    elif os.path.isfile(call.output):
        content = Path(call.output).read_bytes()
    if content is not None and job.is_text:
        content = content.replace(os.fsencode(f"{folder}{os.sep}"), b"")
    clean = replace(done, messages=clean_messages(done.messages, folder))
    return CompileResult(clean, None if done.status or done.was_stopped else content)


def names_of(files: Sequence[Path], working_directory: Path | None) -> tuple[str, ...]:
    """The names of the files for the compiler: as the user named them, unless it runs in another folder."""
    if working_directory is None:
        return tuple(str(each) for each in files)
    return tuple(str(each.absolute()) for each in files)


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
