"""Which compiler is used, and how it differs from others.

The bundled compiler is `zig cc` of the PyPI package `ziglang`: a clang that pip installs. For each difference between
compilers there is a function here, with the evidence; no other code looks at the kind or version of a compiler.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tightrope.errors import ToolchainError
from tightrope.running.session import lasting_folder
from tightrope.source.process import run_command

OLDEST_CLANG = 15  # the first with opaque pointers, which the normal form is written in
NEWEST_CLANG = 22  # llvmlite 0.50 holds LLVM 22.1 and cannot promise to read what a later LLVM writes
_PATIENCE = 20.0  # seconds, for `--version`
_SYSTEM = ("/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/local/include/", "/usr/local/lib/")
_OF_CLANG = re.compile(r"/lib(?:64)?/clang/\d[^/]*/include/")


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler that writes LLVM bitcode."""

    command: tuple[str, ...]
    kind: str  # 'zig' or 'clang'
    version: str  # of the package ziglang, or of clang
    is_bundled: bool
    notes: tuple[str, ...] = ()  # what the user should know about the choice

    def __str__(self) -> str:
        return f"bundled zig cc {self.version}" if self.is_bundled else f"{shlex.join(self.command)} ({self.version})"


@dataclass(frozen=True, slots=True)
class Gcc:
    """gcc with its gcov: an independent measurement of branch coverage."""

    gcc: str
    gcov: str
    version: str


# --- facts, as questions ---------------------------------------------------------------------


def targets_the_host_cpu(compiler: Compiler) -> bool:
    """Without -mcpu, does it emit code for the exact CPU of this machine?

    zig 0.17 on a Zen 4: `zig cc -S -emit-llvm` says "target-cpu"="znver4" and AVX-512 features;
    with `-mcpu=baseline` "x86-64". clang 19: "x86-64" from the start, and refuses that option on x86.
    """
    return compiler.kind == "zig"


def builds_its_runtime_when_linking(compiler: Compiler) -> bool:
    """Does a link on a cold cache first compile a runtime library?

    zig 0.17, empty cache, 2 cores: `zig cc p.c` 18.0 s (libubsan_rt and libcompiler_rt),
    with `-fno-sanitize=undefined` 3.8 s (libcompiler_rt), with `-nostdlib -lc` 0.05 s; without any
    system compiler 0.25 s, as zig then also assembles the stubs of libc.
    """
    return compiler.kind == "zig"


def needs_a_cache_folder(compiler: Compiler) -> bool:
    """Does it refuse to work without a folder of its own to write to?

    zig 0.17: HOME unset: "unable to resolve zig cache directory: AppDataDirUnavailable"; HOME below
    a file: "unable to open global cache directory ... NotDir"; HOME in /proc: never ends.
    """
    return compiler.kind == "zig"


def says_what_it_calls(compiler: Compiler) -> bool:
    """Does `-###` show the words for clang and for the linker, and can these be called with them?

    zig 0.17, a small file: `zig cc -c x.c` takes 32 ms of processor time, 11 of them for five processes `cc`, which
    find the C library (there are none with ZIG_LIBC set; but `zig libc` itself is compiled at its first use, for 4 s).
    `zig cc -c x.c -###` shows `zig -cc1 ...`; `zig clang -cc1 ...` takes 11 ms and writes the same bitcode.
    `zig cc x.o` takes 35 ms, `zig ld.lld ...` 14. A zig that a script or an interpreter starts is not taken apart.
    """
    return compiler.kind == "zig" and len(compiler.command) == 2 and Path(compiler.command[0]).stem == "zig"


def zeroes_small_locals(compiler: Compiler) -> bool:
    """Can it initialise small locals with zero, and leave large ones uninitialised?

    -ftrivial-auto-var-init=zero is in clang from 8 on, -ftrivial-auto-var-init-max-size (llvm-project pull request
    74777, December 2023) from 18 on. zig 0.17, clang 22: `int x;` becomes `store i32 0, ptr %x, !annotation !20`.
    """
    return compiler.kind == "zig" or int(_major(compiler.version) or 0) >= 18


def is_of_system(file: Path) -> bool:
    """Does the file come with the machine or the compiler, and not with the program?

    Headers of a Debian are in /usr/include and /usr/lib.
    """
    return str(file).startswith(_SYSTEM) or is_of_compiler(file)


def is_of_compiler(file: Path) -> bool:
    """Is it a header of a clang or zig?

    Those of clang are in lib/clang/19/include (lib64 on Fedora), those of zig in ziglang/lib with its zig.h. Projects
    may have folders called lib/clang or ziglang/lib, too.
    """
    text = str(file)
    if _OF_CLANG.search(text):
        return True
    folder, found, _ = text.rpartition("/ziglang/lib/")
    return bool(found) and _has_zig(f"{folder}{found}")


@lru_cache
def _has_zig(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "zig.h"))


# --- finding -----------------------------------------------------------------------------------


def find_compiler(option: str | None = None, environment: Mapping[str, str] | None = None) -> Compiler:
    """The compiler of `--cc`; else the one CC names, if it is a clang we can use; else the bundled one.

    A wrong `--cc` is an error, because it is meant for Tightrope. A wrong CC is only a note: it is
    meant for other programs, and `CC=gcc` is common.
    """
    if option:
        return _ask(option, "--cc")
    wanted = (os.environ if environment is None else environment).get("CC", "").strip()
    if not wanted:
        return _bundled()
    try:
        return _ask(wanted, "CC")
    except ToolchainError as problem:
        return _bundled((f"CC is not used: {problem.message}",))


def find_gcc(name: str = "gcc") -> Gcc | None:
    """gcc and the gcov of the same version, or None. A clang that is called gcc (macOS) does not count."""
    gcc = shutil.which(name)
    said = _version_line(gcc) if gcc else None
    if gcc is None or said is None or "clang" in said:
        return None
    version = _last_number(said)
    gcov = next((found for each in _gcov_names(name, version) if (found := shutil.which(each))), None)
    if gcov is None or _major(_last_number(_version_line(gcov) or "")) != _major(version):
        return None
    return Gcc(gcc, gcov, version)


def find_tool(name: str) -> str | None:
    """The version of a program on PATH, such as `14.0.6`; '' if it shows none, None if there is no such program."""
    path = shutil.which(name)
    if path is None:
        return None
    try:
        done = run_command((path, "--version"), time_limit=_PATIENCE, environment={**os.environ, "LC_ALL": "C"})
    except OSError:
        return None
    found = re.search(r"\d+\.\d+(?:\.\d+)*", done.output)
    return found[0] if found else ""


def compiler_environment(
    compiler: Compiler, environment: Mapping[str, str] | None = None, *, scratch: Path | None = None
) -> dict[str, str]:
    """The environment to start the compiler in: as it is, plus the cache folders that zig needs.

    zig keeps every object it ever made in its local cache, 60 KB a compile: with `scratch`, that one
    goes there and can be thrown away (a repeated compile then takes 30 ms instead of 17).
    """
    given = dict(os.environ if environment is None else environment)
    if not needs_a_cache_folder(compiler):
        return given
    usual = given.get("ZIG_GLOBAL_CACHE_DIR") or _usual_cache(given)
    if usual is None or not can_write(Path(usual)):
        usual = str(private_folder("zig"))
    local = str(scratch) if scratch else given.get("ZIG_LOCAL_CACHE_DIR") or usual
    return {**given, "ZIG_GLOBAL_CACHE_DIR": usual, "ZIG_LOCAL_CACHE_DIR": local}


@lru_cache(maxsize=16)
def can_write(folder: Path) -> bool:
    """Whether files can be created there; a missing folder is created."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def private_folder(purpose: str) -> Path:
    """A private folder for temporary files that outlive one run: `tightrope-1000-zig`, where 1000 is the user."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = lasting_folder() / f"tightrope-{user}-{purpose}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        is_ours = not folder.is_symlink() and (not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid())
    except OSError:
        is_ours = False
    return folder if is_ours else Path(tempfile.mkdtemp(prefix=f"tightrope-{purpose}-"))


# --- private -------------------------------------------------------------------------------------


def _bundled(notes: tuple[str, ...] = ()) -> Compiler:
    """The version comes from the package's metadata: asking the program would cost a process."""
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        raise ToolchainError(
            "the bundled compiler (package ziglang) is not installed",
            hint="run `pip install ziglang`, or choose a clang with --cc",
            slug="no-compiler",
        )
    program = Path(found.origin).parent / ("zig.exe" if os.name == "nt" else "zig")
    direct = (str(program), "cc")  # `python -m ziglang` only starts this; 13 ms saved each time
    command = direct if program.is_file() else (sys.executable, "-m", "ziglang", "cc")
    return Compiler(command, "zig", _version_of_package(program.parents[1], "ziglang"), is_bundled=True, notes=notes)


def _version_of_package(folder: Path, name: str) -> str:
    """Of a package in this folder: as the folder of its metadata is called, which takes less time than to read them."""
    found = [each.name for each in folder.glob(f"{name}-*.dist-info")]
    if len(found) == 1:
        return found[0].removeprefix(f"{name}-").removesuffix(".dist-info")
    from importlib.metadata import version

    return version(name)


def _ask(words: str, origin: str) -> Compiler:
    """The compiler that a command such as `clang-19` or `ccache clang` starts, with its version."""
    command = _split(words, origin)
    said = _first_line((*command, "--version"))
    if said is None:
        raise ToolchainError(
            f"{origin}: `{words}` cannot be run", hint="check its name and that it is on PATH", slug="no-compiler"
        )
    found = re.search(r"clang version (\d+)(?:\.\d+)*", said)
    if found is None:
        raise _unusable(f"{origin}: `{words}` is not clang (its version text is: {said})")
    major = int(found[1])
    if major < OLDEST_CLANG:
        raise _unusable(f"{origin}: `{words}` is clang {major}; at least {OLDEST_CLANG} is needed")
    late = f"{words} is clang {major}, newer than the LLVM {NEWEST_CLANG} that reads its bitcode: if reading fails, "
    notes = (late + "leave out the option to use the bundled compiler",) if major > NEWEST_CLANG else ()
    kind = "zig" if _is_zig(command) else "clang"
    return Compiler(command, kind, found[0].removeprefix("clang version "), is_bundled=False, notes=notes)


def _unusable(message: str) -> ToolchainError:
    hint = f"choose clang {OLDEST_CLANG} to {NEWEST_CLANG}, or leave the option out to use the bundled compiler"
    return ToolchainError(message, hint=hint, slug="unusable-compiler")


def _split(words: str, origin: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(words))
    except ValueError as problem:
        raise _unusable(f"{origin}: `{words}`: {problem}") from None
    if not command:
        raise _unusable(f"{origin} is empty")
    return command


def _is_zig(command: tuple[str, ...]) -> bool:
    """`zig cc` answers --version as clang does, so only its name tells."""
    return command[-1] == "cc" and any(Path(word).stem in ("zig", "ziglang") for word in command[:-1])


def _version_line(program: str) -> str | None:
    """What a program on PATH says about its version; asked once per process, unless the program changes."""
    found = os.stat(program)
    return _said_version(program, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=16)
def _said_version(program: str, size: int, changed: int) -> str | None:
    return _first_line((program, "--version"))


def _first_line(command: tuple[str, ...]) -> str | None:
    """The first line that a program prints; None if it cannot be run, fails or prints nothing."""
    try:
        done = run_command(command, time_limit=_PATIENCE, environment={**os.environ, "LC_ALL": "C"})
    except OSError:
        return None
    lines = done.output.strip().splitlines()
    return lines[0] if lines and done.status == 0 else None


def _gcov_names(gcc: str, version: str) -> tuple[str, ...]:
    return (gcc.replace("gcc", "gcov", 1), f"gcov-{_major(version)}", "gcov")


def _last_number(line: str) -> str:
    """`gcc (Debian 12.2.0-14) 12.2.0` -> `12.2.0`; a trailing `20240101 (Red Hat 13.2.1-6)` is passed over."""
    plain = re.findall(r"(?:^|\s)(\d+\.\d+(?:\.\d+)?)(?=\s|$|-)", re.sub(r"\([^)]*\)", " ", line))
    return plain[-1] if plain else ""


def _major(version: str) -> str:
    return version.split(".", maxsplit=1)[0]


def _usual_cache(environment: Mapping[str, str]) -> str | None:
    base = environment.get("XDG_CACHE_HOME") or (environment.get("HOME") and f"{environment['HOME']}/.cache")
    return f"{base}/zig" if base else None
