"""Structs, unions, enums and typedefs, described so that those of two versions can be compared.

Each description is one level deep: types inside a type have names, and their own descriptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.commands.diff.changes.name_meanings import NameMeanings, read_meanings
from tightrope.program.c_text.c_tokens import WORD
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CFunctionType,
    CPointer,
    CQualified,
    CRecord,
    CTypedef,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.debug_info import UnspellableError, spell


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """`entries`: members or enumerators by name, each with its text and its offset or value."""

    name: str  # 'struct point', 'enum colour', 'word_t'; one for each member of an enum without a name
    entries: Mapping[str, tuple[str, object]]
    bytes: int

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(words for words, _ in self.entries.values())

    @property
    def words(self) -> frozenset[str]:
        """All names in it: other types, and its enumerators."""
        every = (self.name, *self.said)
        return frozenset(word for words in every for word in WORD.findall(words))


def read_types(ctypes: CTypes) -> dict[str, DeclaredType]:
    """The types by name; structs that are only declared are omitted."""
    reader = _TypeDescriber(ctypes, read_meanings(ctypes))
    found: dict[str, DeclaredType] = {}
    for number, kind in ctypes.types.items():
        for declared in reader.describe(number, kind):
            found.setdefault(declared.name, declared)
    return found


def type_words(ctypes: CTypes, meanings: NameMeanings, number: TypeId, name: str = "") -> str:
    """The text of a type, comparable even if it contains unnamed types."""
    return _TypeDescriber(ctypes, meanings).words(number, name)


@dataclass(frozen=True, slots=True)
class _TypeDescriber:
    ctypes: CTypes
    meanings: NameMeanings

    def describe(self, number: TypeId, kind: object) -> Iterator[DeclaredType]:
        if isinstance(kind, CRecord) and kind.tag and kind.is_complete:
            yield self._record(f"{kind.kind} {kind.tag}", kind)
        elif isinstance(kind, CEnum) and kind.tag:
            yield self._enum(f"enum {kind.tag}", kind)
        elif isinstance(kind, CEnum):
            yield from (self._enum(member[0], replace(kind, members=(member,))) for member in kind.members)
        elif isinstance(kind, CTypedef):
            yield self._typedef(kind)

    def _typedef(self, kind: CTypedef) -> DeclaredType:
        target = self.ctypes.types[kind.target]
        if isinstance(target, CRecord) and not target.tag:
            return self._record(kind.name, target)
        if isinstance(target, CEnum) and not target.tag:
            return self._enum(kind.name, target)
        return DeclaredType(kind.name, {"": (self.words(kind.target), None)}, 0)

    def _record(self, name: str, kind: CRecord) -> DeclaredType:
        entries: dict[str, tuple[str, object]] = {}
        for at, member in enumerate(kind.members):
            width = f" : {member.bit_size}" if member.bit_size is not None else ""
            words = self.words(member.type, member.name) + width
            entries[member.name or f"member {at}"] = (words, member.bit_offset)
        return DeclaredType(name, entries, kind.size)

    def _enum(self, name: str, kind: CEnum) -> DeclaredType:
        entries = {member: (f"{member} = {value}", value) for member, value in kind.members}
        return DeclaredType(name, entries, kind.size if kind.is_signed else -kind.size)

    def words(self, number: TypeId, name: str = "", depth: int = 0) -> str:
        try:
            return self.meanings.type(spell(self.ctypes, number, name))
        except UnspellableError:
            return self._deep(number, name, depth)

    def _deep(self, number: TypeId, name: str, depth: int) -> str:
        """The text of a type without a name in C: its contents, in a fixed order."""
        kind = self.ctypes.types[number]
        match kind:
            case CPointer(target):
                return self.words(target, f"(*{name})", depth)
            case CArray(element, count):
                return self.words(element, f"{name}[{'' if count is None else count}]", depth)
            case CQualified(qualifier, target):
                return f"{qualifier} {self.words(target, name, depth)}"
            case CFunctionType(result, parameters):
                inside = ", ".join(self.words(each, "", depth) for each in parameters)
                return self.words(result, f"{name}({inside})", depth)
            case CRecord(how, _, _, members) if depth < 10:
                inside = " ".join(f"{self.words(each.type, each.name, depth + 1)};" for each in members)
                return f"{how} {{ {inside} }} {name}".strip()
            case CEnum(_, _, _, named):
                return f"enum {{ {', '.join(f'{each} = {value}' for each, value in named)} }} {name}".strip()
        return f"{type(kind).__name__} {name}"
