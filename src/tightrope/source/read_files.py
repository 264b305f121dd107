"""The files that a compiler has read, described so that it can be told later whether it would read the same again:

    files of the user     the digest of each
    files of the system   size and date of each, and the dates of their folders
    files that were not there, but would have been found first if they had been

C that asks for more than that (`__has_include`, `__TIME__`, `.incbin`) is not described.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from tightrope.source.cache import Stamp, stamp_of
from tightrope.source.toolchain import is_of_system

_FOLDER_OPTIONS = ("-I", "-isystem", "-iquote", "-idirafter", "-internal-isystem", "-internal-externc-isystem")
_ASKS_FOR_MORE = re.compile(rb"__has_include|__has_embed|__DATE__|__TIME__|__TIMESTAMP__|incbin|#\s*embed")


class ReadDescription(TypedDict):
    system: list[Stamp]
    user: list[tuple[str, str]]
    absent: list[str]


def asks_for_more(content: bytes) -> bool:
    """Whether what the C means depends on more than the files that it includes."""
    return _ASKS_FOR_MORE.search(content) is not None


@dataclass(slots=True)
class ReadFiles:
    """Looks at each file once: make a new one where files may have changed since."""

    _digests: dict[str, str] = field(default_factory=dict)
    _stamps: dict[str, Stamp] = field(default_factory=dict)
    _are_there: dict[str, bool] = field(default_factory=dict)

    def describe(self, read: Iterable[str], searched: Sequence[str]) -> ReadDescription | None:
        """`read`: the files; `searched`: the folders of headers. None where that says too little."""
        every = list(dict.fromkeys(read))
        system = [each for each in every if is_of_system(Path(each))]
        user = [each for each in every if not is_of_system(Path(each))]
        try:
            if any(asks_for_more(Path(each).read_bytes()) for each in user):
                return None
        except OSError:
            return None
        places = dict.fromkeys(each for each in searched if is_of_system(Path(each)))
        return {
            "system": [self._stamp(each) for each in (*places, *system)],
            "user": [(each, self.digest(each)) for each in user],
            "absent": list(dict.fromkeys(_found_first(every, searched, user))),
        }

    def are_as(self, described: ReadDescription) -> bool:
        return (
            all(self.digest(file) == digest for file, digest in described["user"])
            and all(self._stamp(str(each[0])) == tuple(each) for each in described["system"])
            and not any(self._is_there(file) for file in described["absent"])
        )

    def digest(self, file: str) -> str:
        """Of the content of a file; empty if it cannot be read."""
        if file not in self._digests:
            try:
                self._digests[file] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
            except OSError:
                self._digests[file] = ""
        return self._digests[file]

    def _stamp(self, file: str) -> Stamp:
        if file not in self._stamps:
            self._stamps[file] = stamp_of(file)
        return self._stamps[file]

    def _is_there(self, file: str) -> bool:
        if file not in self._are_there:
            self._are_there[file] = os.path.lexists(file)
        return self._are_there[file]


def _found_first(read: Iterable[str], searched: Sequence[str], user: Iterable[str]) -> Iterator[str]:
    """Files that do not exist: the names of those that were read, in other folders of the user that are searched."""
    given = (each for each in searched if not is_of_system(Path(each)))
    own = list(dict.fromkeys([*given, *map(os.path.dirname, user)]))
    for file in read:
        for folder in dict.fromkeys([*searched, *own]):
            if file.startswith(f"{folder}{os.sep}"):
                rest = file[len(folder) + 1 :]
                yield from (other for each in own if not os.path.lexists(other := os.path.join(each, rest)))


def searched_folders(words: Sequence[str]) -> Iterator[str]:
    """The folders of headers in the words for clang."""
    for at, word in enumerate(words):
        for option in _FOLDER_OPTIONS:
            if word == option and at + 1 < len(words):
                yield words[at + 1]
            elif word.startswith(option) and word != option:
                yield word[len(option) :]
