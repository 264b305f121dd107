"""How another version of a file or project is compiled: as this one, but with the files that the other version has.

Headers that a build generated exist only in the project itself. They are still found, after all others:

    -Iinclude -Ibuild/gen   ->   -I OLD/include -I build/gen -idirafter include
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tightrope.source.compilation_database import NAME, CompilationDatabase, CompileCommand

_FOLDERS = ("-isystem", "-iquote", "-idirafter", "-I")
_WITH_PATH = ("-include", "-imacros", *_FOLDERS, "-L", "--sysroot=")  # none is the beginning of one that comes later


@dataclass(frozen=True, slots=True)
class Relocation:
    """Maps paths of the project, as in flags and databases, to another version of it. All paths are absolute."""

    home: Path | None = None  # the project's folder ...
    copy: Path | None = None  # ... and that of the other version
    files: Mapping[Path, Path] = field(default_factory=dict)  # single files that have another name there
    versioned: frozenset[str] | None = None  # files of the project that are under version control; None: all of them

    def find(self, path: Path) -> Path | None:
        """The path in the other version, or None if the file does not exist there."""
        if path in self.files:
            return self.files[path]
        inner = self._inner(path)
        moved = self.copy / inner if inner is not None and self.copy is not None else None
        return moved if moved is not None and moved.exists() else None

    def lacks(self, path: Path) -> bool:
        """Whether it is a file of the project that the other version does not have."""
        inner = self._inner(path)
        if inner is None or self.find(path):
            return False
        return self.versioned is None or inner.as_posix() in self.versioned

    def _inner(self, path: Path) -> Path | None:
        for one, folder in ((path, self.home), (path.resolve(), self.home and self.home.resolve())):
            if folder and one.is_relative_to(folder):
                return one.relative_to(folder)
        return None

    @property
    def prefix_maps(self) -> tuple[str, ...]:
        """Flags that make `__FILE__` the same in both versions: the folder of a version is not a change."""
        folders = ((self.copy, self.home),) if self.home and self.copy else ()
        moved = [(f"{there}{os.sep}", f"{here}{os.sep}") for there, here in folders]
        moved += [(str(there), str(here)) for here, there in self.files.items()]
        return tuple(f"-fmacro-prefix-map={there}={here}" for there, here in moved if there != here)


def relocate_flags(words: Sequence[str], folder: Path, where: Relocation) -> tuple[str, ...]:
    """The flags of a compiler that runs in `folder`, for the other version; all paths become absolute."""
    moved: list[str] = []
    behind: list[str] = []
    rest = iter(words)
    for word in rest:
        flag = next((each for each in _WITH_PATH if word.startswith(each)), "")
        value = next(rest, "") if word == flag else word[len(flag) :]
        path = Path(os.path.normpath(folder / value))
        if value and path.exists() and (flag or _is_object(word)):
            there = where.find(path)
            behind += ["-idirafter", str(path)] if there and flag in _FOLDERS else []
            value = str(there or path)
        moved += [flag + value] if word != flag else [word, value] if value else [word]
    return (*moved, *behind)


def _is_object(word: str) -> bool:
    return not word.startswith("-") and word.endswith((".o", ".a", ".so"))


def write_database(database: CompilationDatabase, where: Relocation, folder: Path) -> Path:
    """Write the database of the other version into this folder; files that it does not have are left out."""
    key = zlib.crc32(repr((database.path, where.copy, sorted(where.files.items()))).encode())
    path = folder / f"{key:08x}" / NAME
    if path.exists():
        return path
    path.parent.mkdir(parents=True)
    entries = [_entry(each, where) for each in database.commands if not where.lacks(each.file)]
    path.write_text(json.dumps(entries, indent=1), encoding="utf-8")
    return path


def _entry(command: CompileCommand, where: Relocation) -> dict[str, Any]:
    file, folder = where.find(command.file) or command.file, where.find(command.directory) or command.directory
    words = relocate_flags(tuple(_words(command)), command.directory, where)
    beside = ("-idirafter", str(command.file.parent)) if file.parent != command.file.parent else ()
    return {"directory": str(folder), "file": str(file), "arguments": ["cc", *words, *beside, "-c", str(file)]}


def _words(command: CompileCommand) -> Iterator[str]:
    """The sorted flags as words: files with flags are read already, and dropped flags are not reported twice."""
    flags = command.flags
    yield from (*flags.kept, *flags.link)
    if flags.width:
        yield flags.width
