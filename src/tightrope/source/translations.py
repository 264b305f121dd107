"""Results of the compiler, kept by content: the same C, read with the same headers by the same call, gives the same.

The key is the call of clang itself (recorded_calls.py: flags, folders of headers, target, compiler) and the text.
Stored beside the result is what it was read from, and all of that must still be so:

    files of the user     the digest of each
    files of the system   size and date of each, and the dates of their folders
    files that were not there, but would have been found first if they had been

C that asks for more than that (`__has_include`, `__TIME__`, `.incbin`) is not kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.source.cache import are_current, cache_key, open_cache, stamp_of
from tightrope.source.toolchain import is_of_system

LARGEST = 8 << 20  # bytes of a result that is kept
_FOLDER_OPTIONS = ("-I", "-isystem", "-iquote", "-idirafter", "-internal-isystem", "-internal-externc-isystem")
_ASKS_FOR_MORE = re.compile(rb"__has_include|__has_embed|__DATE__|__TIME__|__TIMESTAMP__|incbin|#\s*embed")


@dataclass(frozen=True, slots=True)
class TranslationKey:
    """What a result depends on, beside the files that are read: `words` of the call, the C, the current folder."""

    words: tuple[str, ...]
    text: str
    here: str

    @property
    def digest(self) -> str:
        return cache_key("translation", *self.words, self.here, self.text.encode("utf-8", "surrogateescape"))


def recall_translation(key: TranslationKey) -> bytes | None:
    """The stored result, if nothing has changed since."""
    stored = open_cache("compiled").get(key.digest)
    if stored is None:
        return None
    head, _, content = stored.partition(b"\n")
    kept = json.loads(head)
    is_same = (
        are_current(kept["system"])
        and all(_digest(file) == digest for file, digest in kept["user"])
        and not any(os.path.lexists(file) for file in kept["absent"])
    )
    return content if is_same else None


def keep_translation(key: TranslationKey, content: bytes, dependencies: str, folder: str) -> None:
    """Store a result. `dependencies`: the rule for make that the compiler wrote; `folder`: of its temporary files."""
    files = [os.path.join(key.here, each) for each in read_rule(dependencies)]
    read = [each for each in dict.fromkeys(files) if not each.startswith(f"{folder}{os.sep}")]
    system = [each for each in read if is_of_system(Path(each))]
    user = [each for each in read if not is_of_system(Path(each))]
    if len(content) > LARGEST or _ASKS_FOR_MORE.search(key.text.encode("utf-8", "surrogateescape")):
        return
    try:
        if any(_ASKS_FOR_MORE.search(Path(each).read_bytes()) for each in user):
            return
    except OSError:
        return
    searched = [os.path.join(key.here, each) for each in searched_folders(key.words)]
    places = dict.fromkeys(each for each in searched if is_of_system(Path(each)))
    kept = {
        "system": [stamp_of(each) for each in (*places, *system)],
        "user": [(each, _digest(each)) for each in user],
        "absent": list(dict.fromkeys(_found_first(read, searched, user))),
    }
    open_cache("compiled").put(key.digest, json.dumps(kept).encode() + b"\n" + content)


def read_rule(text: str) -> tuple[str, ...]:
    """The files behind the colon of a rule for make."""
    _, _, listed = text.replace("\\\n", " ").partition(": ")
    words = (word for word in re.split(r"(?<!\\)\s+", listed) if word)
    return tuple(dict.fromkeys(re.sub(r"\\([ #])|\$(\$)", r"\1\2", word) for word in words))


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
            elif option == "-I" and word.startswith(option) and word != option:
                yield word[len(option) :]


def _digest(file: str) -> str:
    """Of the content of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""
