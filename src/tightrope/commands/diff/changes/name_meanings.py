"""The meaning of enumerators, typedefs and types in one version: clang's syntax tree has only their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tightrope.program.c_text.c_tokens import WORD
from tightrope.program.declarations.c_types import CEnum, CRecord, CTypedef, CTypes
from tightrope.program.declarations.debug_info import UnspellableError, spell

# `struct (unnamed at /x/y.c:3:1)`: the place of an unnamed type is not part of its meaning
_NAMELESS = re.compile(r"\((?:unnamed|anonymous)(?: (?:struct|union|enum))? at .*?:\d+:\d+\)")
_TAGGED = re.compile(r"\b(?:struct|union|enum) (\w+)")
_DEEPEST = 20  # typedefs of typedefs


@dataclass(frozen=True, slots=True)
class NameMeanings:
    """The meanings in one version. Other names stand for themselves."""

    enumerators: Mapping[str, int] = field(default_factory=dict)
    typedefs: Mapping[str, str] = field(default_factory=dict)  # name -> the type it stands for, in C
    sizes: Mapping[str, int] = field(default_factory=dict)  # 'struct point' -> bytes

    def type(self, words: str) -> str:
        """The name of a type for comparison: without typedefs, and without the places of unnamed types."""
        words = _NAMELESS.sub("(unnamed)", words)
        for _ in range(_DEEPEST):
            expanded = WORD.sub(self._expand, words)
            if expanded == words:
                break
            words = expanded
        return words

    def _expand(self, word: re.Match[str]) -> str:
        is_tag = word.string[: word.start()].endswith(("struct ", "union ", "enum "))
        return word.group() if is_tag else self.typedefs.get(word.group(), word.group())

    def size(self, words: str) -> str:
        """The size of a type if records determine it; otherwise ''."""
        if words.endswith("*"):
            return ""
        known = (self.sizes.get(found.group()) for found in _TAGGED.finditer(words))
        return ",".join(str(size) for size in known if size is not None)


NOTHING = NameMeanings()


def read_meanings(ctypes: CTypes) -> NameMeanings:
    return NameMeanings(read_enumerators(ctypes), _read_typedefs(ctypes), _read_sizes(ctypes))


def read_enumerators(ctypes: CTypes) -> dict[str, int]:
    """Values of enumerators; without names that have several values in different functions."""
    every = {member for kind in ctypes.types.values() if isinstance(kind, CEnum) for member in kind.members}
    times = Counter(name for name, _ in every)
    return {name: value for name, value in sorted(every) if times[name] == 1}


def _read_typedefs(ctypes: CTypes) -> dict[str, str]:
    """Typedefs of named types; pointers to arrays and functions keep the typedef's name."""
    found: dict[str, str] = {}
    for kind in ctypes.types.values():
        if isinstance(kind, CTypedef):
            try:
                words = spell(ctypes, kind.target)
            except UnspellableError:
                continue
            if not set(words) & set("([") and kind.name not in WORD.findall(_TAGGED.sub("", words)):
                found[kind.name] = words
    return found


def _read_sizes(ctypes: CTypes) -> dict[str, int]:
    records = (kind for kind in ctypes.types.values() if isinstance(kind, CRecord) and kind.tag and kind.is_complete)
    return {f"{kind.kind} {kind.tag}": kind.size for kind in records}
