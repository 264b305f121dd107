"""Results of the compiler, kept by content: the same C, read with the same headers by the same call, gives the same.

The key is the call of clang itself (recorded_calls.py: flags, folders of headers, target, compiler) and the text.
Stored beside the result is a description of the files that it was read from (read_files.py), which must still hold.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass

from tightrope.source.cache import cache_key, open_cache
from tightrope.source.read_files import ReadFiles, asks_for_more, searched_folders

LARGEST = 8 << 20  # bytes of a result that is kept


@dataclass(frozen=True, slots=True)
class TranslationKey:
    """What a result depends on, beside the files that are read: `words` of the call, the C, the current folder."""

    words: tuple[str, ...]
    text: str
    here: str

    @property
    def digest(self) -> str:
        words = cache_key(*self.words, self.here)  # hundreds of them, in most cases without a byte that is not ASCII
        return cache_key("translation", words, self.text.encode("utf-8", "surrogateescape"))


def recall_translation(key: TranslationKey) -> bytes | None:
    """The stored result, if nothing has changed since."""
    stored = open_cache("compiled").get(key.digest)
    if stored is None:
        return None
    head, _, content = stored.partition(b"\n")
    return content if ReadFiles().are_as(json.loads(head)) else None


def keep_translation(key: TranslationKey, content: bytes, dependencies: str, folder: str) -> None:
    """Store a result. `dependencies`: the rule for make that the compiler wrote; `folder`: of its temporary files."""
    files = [os.path.join(key.here, each) for each in read_rule(dependencies)]
    read = [each for each in files if not each.startswith(f"{folder}{os.sep}")]
    if len(content) > LARGEST or asks_for_more(key.text.encode("utf-8", "surrogateescape")):
        return
    searched = [os.path.join(key.here, each) for each in searched_folders(key.words)]
    described = ReadFiles().describe(read, searched)
    if described is not None:
        open_cache("compiled").put(key.digest, json.dumps(described).encode() + b"\n" + content)


def read_rule(text: str) -> tuple[str, ...]:
    """The files behind the colon of a rule for make."""
    _, _, listed = text.replace("\\\n", " ").partition(": ")
    words = (word for word in re.split(r"(?<!\\)\s+", listed) if word)
    return tuple(dict.fromkeys(re.sub(r"\\([ #])|\$(\$)", r"\1\2", word) for word in words))
