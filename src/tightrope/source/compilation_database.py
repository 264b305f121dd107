"""Read compile_commands.json: how a project's own build compiles each file.

Producers differ: bear writes an `arguments` list, CMake a `command` string, Meson a `command` string
and a `file` relative to `directory`. A file may be compiled several times; all entries are kept, in
the order of the database, and the first is used.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from tightrope.errors import NothingMatchedError, UsageError
from tightrope.location import Location
from tightrope.source.flags import Flags, sort_flags

NAME = "compile_commands.json"
_LAUNCHERS = frozenset("ccache sccache distcc icecc buildcache gomacc colorgcc fastcc env".split())
_SOURCES = (".c", ".i", ".h", ".s", ".S", ".cc", ".cpp", ".cxx", ".C", ".m")


@dataclass(frozen=True, slots=True)
class CompileCommand:
    """How one file is compiled: in which folder, and with which arguments."""

    file: Path  # absolute
    directory: Path  # where the compiler runs: relative -I and -include start there
    words: tuple[str, ...]

    @property
    def flags(self) -> Flags:
        return sort_flags(self.words, self._is_source, self.directory)

    def _is_source(self, word: str) -> bool:
        return word.endswith(_SOURCES) or _absolute(Path(word), self.directory) == self.file


@dataclass(frozen=True, slots=True)
class CompilationDatabase:
    path: Path
    commands: tuple[CompileCommand, ...]
    _by_file: dict[Path, list[CompileCommand]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.commands:
            self._by_file.setdefault(each.file, []).append(each)

    def find(self, file: Path) -> tuple[CompileCommand, ...]:
        """All commands that compile this file, at least one."""
        found = self._search(file)
        if not found:
            raise self._not_compiled(file)
        return found

    def knows(self, file: Path) -> bool:
        return bool(self._search(file))

    @property
    def files(self) -> tuple[Path, ...]:
        """Every C file, once, in the order of the database."""
        return tuple(dict.fromkeys(each.file for each in self.commands if each.file.suffix == ".c"))

    def _search(self, file: Path) -> tuple[CompileCommand, ...]:
        wanted = _absolute(file, Path.cwd())
        found = self._by_file.get(wanted)
        return tuple(found) if found else tuple(each for each in self.commands if _is_same(each.file, wanted))

    def _not_compiled(self, file: Path) -> NothingMatchedError:
        alike = sorted({str(each.file) for each in self.commands if each.file.name == file.name})
        return NothingMatchedError(
            f"{self.path} has no entry for {file}",
            hint=f"it has an entry for {alike[0]}" if alike else "leave out -p and give the flags after `--`",
            slug="not-in-database",
        )


def read_database(place: Path) -> CompilationDatabase:
    """`place` is the folder that holds compile_commands.json (usually the build folder), or the file."""
    path = place / NAME if place.is_dir() else place
    try:
        return _read(path, path.read_text(encoding="utf-8"), Path.cwd())
    except FileNotFoundError:
        hint = "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, make with `bear -- make`"
        raise UsageError(f"there is no {path}", hint=hint, slug="no-such-file") from None
    except json.JSONDecodeError as problem:
        place_in_file = Location(str(path), problem.lineno, problem.colno)
        raise UsageError(f"not valid JSON: {problem.msg}", location=place_in_file, slug="bad-database") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path} cannot be read: {problem}", slug="unreadable") from None


@lru_cache(maxsize=8)  # each file of a project asks for it, and to split hundreds of commands takes a while
def _read(path: Path, text: str, here: Path) -> CompilationDatabase:
    """`here`: paths may be relative to it."""
    entries = json.loads(text)
    if not isinstance(entries, list):
        raise _bad(path, "it must be a list of entries")
    return CompilationDatabase(path, tuple(_read_entry(path, number, each) for number, each in enumerate(entries, 1)))


def _read_entry(path: Path, number: int, entry: Any) -> CompileCommand:
    if not isinstance(entry, Mapping):
        raise _bad(path, f"entry {number} is not an object")
    file = _text(path, number, entry, "file")
    directory = _absolute(Path(entry.get("directory") or "."), path.parent.absolute())
    return CompileCommand(_absolute(Path(file), directory), directory, _after_compiler(_words(path, number, entry)))


def _words(path: Path, number: int, entry: Mapping[str, Any]) -> Sequence[str]:
    """`arguments` is taken as it is; `command` is quoted for a shell."""
    arguments = entry.get("arguments")
    if isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        return arguments
    if arguments is not None:
        raise _bad(path, f"entry {number}: `arguments` is not a list of strings")
    try:
        return shlex.split(_text(path, number, entry, "command"))
    except ValueError as problem:
        raise _bad(path, f"entry {number}: `command`: {problem}") from None


def _text(path: Path, number: int, entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        other = " (nor `arguments`)" if key == "command" else ""
        raise _bad(path, f"entry {number} has no `{key}`{other}")
    return value


def _after_compiler(words: Sequence[str]) -> tuple[str, ...]:
    """Leave out the compiler, and what starts it: `ccache gcc -c x.c` -> `-c x.c`."""
    start = 0
    while start < len(words) and (Path(words[start]).stem in _LAUNCHERS or (start and "=" in words[start])):
        start += 1
    return tuple(words[start + 1 :])


def _absolute(path: Path, folder: Path) -> Path:
    """The path without `..`. Symbolic links stay, because users name files by the path that they know."""
    return Path(os.path.normpath(folder / path))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.name == other.name and one.samefile(other)
    except OSError:
        return False


def _bad(path: Path, what: str) -> UsageError:
    return UsageError(f"{path} is not a compilation database: {what}", hint="see -p in the help", slug="bad-database")
