"""The files that a suite is built from, and their places in the pack.

/home/me/door/src/door.c            tree/src/door.c
/home/me/door/include/door.h   ──▶  tree/include/door.h        the places relative to each other stay the same,
/home/me/door/tests/test_door.c     tree/tests/test_door.c     so the commands that build it do too
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import TightropeError
from tightrope.report.model import Report, UnitReport
from tightrope.source.compile import list_dependencies
from tightrope.source.toolchain import Compiler

_SYSTEM = ("/usr/", "/opt/", "/lib/", "/Library/", "/Applications/")
_WITH_VALUE = ("-o", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-D", "-U", "-L", "-l")


@dataclass(frozen=True, slots=True)
class NeededFiles:
    """`root`: the folder whose places are kept. `kept`: absolute path -> what it is (source, header, suite).
    `outside`: headers of the system and of the compiler, which are not copied."""

    root: Path
    kept: Mapping[Path, str]
    outside: tuple[Path, ...]

    def place(self, file: Path) -> str:
        return f"tree/{Path(os.path.relpath(file, self.root)).as_posix()}"


def find_needed_files(report: Report, compiler: Compiler) -> NeededFiles:
    kept: dict[Path, str] = {}
    outside: dict[Path, None] = {}
    units = [unit for unit in report.units if not unit.was_refused]
    for unit in units:
        kept.update(dict.fromkeys(_written_files(unit), "suite"))
        kept[Path(unit.file).resolve()] = "source"
    for file in _includes(units, compiler):
        if file in kept:
            continue
        if _is_of_the_system(file):
            outside[file] = None
        else:
            kept[file] = "source" if file.suffix == ".c" else "header"
    return NeededFiles(_root(kept), dict(sorted(kept.items())), tuple(sorted(outside)))


def folder_of(unit: UnitReport) -> Path:
    """The folder with its tests, in which the commands that build them run."""
    return Path(unit.written[0]).parent.resolve()


def _written_files(unit: UnitReport) -> Iterator[Path]:
    for name in unit.written:
        path = Path(name).parent.resolve() / Path(name).name
        yield from (file for file in sorted(path.rglob("*")) if file.is_file()) if path.is_dir() else [path]


def _includes(units: Iterable[UnitReport], compiler: Compiler) -> Iterator[Path]:
    """What the compiler reads when it builds the suites, each file as it is found from the folder of the tests."""
    known: set[tuple[str, ...]] = set()
    for unit in units:
        for command in (each for commands in unit.builds.values() for each in commands):
            flags, sources = _compiled(command)
            for source in sources:
                key = (str(folder_of(unit)), source, *flags)
                if key in known:
                    continue
                known.add(key)
                yield from _dependencies(compiler, folder_of(unit), source, flags)


def _dependencies(compiler: Compiler, folder: Path, source: str, flags: list[str]) -> Iterator[Path]:
    try:
        found = list_dependencies(compiler, folder / source, flags, working_directory=folder)
    except TightropeError:  # a flag that only the user's compiler knows: what it reads is what is named
        found = (source,)
    for name in found:
        path = Path(os.path.normpath(folder / name))
        if path.is_file():  # a header of a framework may be missing here
            yield path


def _compiled(command: str) -> tuple[list[str], list[str]]:
    """The flags of a command for compiling, and the C files that it compiles."""
    words = iter(shlex.split(command.partition("$(")[0]))
    next(words)
    flags: list[str] = []
    sources: list[str] = []
    for word in words:
        value = [next(words, "")] if word in _WITH_VALUE else []
        if word.endswith(".c") and not word.startswith("-"):
            sources.append(word)
        elif word.startswith("-") and word not in ("-o", "-c") and not word.startswith(("-l", "-L", "-Wl,")):
            flags += [word, *value]
    return flags, sources


def _is_of_the_system(file: Path) -> bool:
    """Headers of the C library and of the bundled compiler."""
    return str(file).startswith(_SYSTEM) or file.is_relative_to(sys.prefix) or "ziglang" in file.parts


def _root(files: Iterable[Path]) -> Path:
    """The current folder, if everything is in it: the paths are then those of the report."""
    here = Path.cwd().resolve()
    found = list(files)
    if not found or all(file.is_relative_to(here) for file in found):
        return here
    return Path(os.path.commonpath([file.parent for file in found]))
