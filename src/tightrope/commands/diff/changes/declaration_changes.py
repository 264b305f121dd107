"""Finds changes outside of functions: globals and types.

Types are compared if both versions have them. The debug information contains only types that are used, so a type in
only one version is part of another change, and not a change of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.declared_types import DeclaredType, read_types, type_words
from tightrope.commands.diff.changes.file_text import FileText, show, show_both
from tightrope.commands.diff.changes.name_meanings import NameMeanings, read_meanings
from tightrope.location import Location
from tightrope.program.c_text.c_tokens import WORD
from tightrope.program.declarations.c_types import CGlobal, CTypes
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Global, Program

_SYMBOL = re.compile(rf"@{NAME}")
_NAMELESS = re.compile(r"%(struct|union)\.anon(?:\.\d+)?")
_MOST_ENTRIES = 8  # of a type, that are shown


@dataclass(frozen=True)
class Declarations:
    """The declarations of one version."""

    program: Program
    ctypes: CTypes
    text: FileText = field(default_factory=lambda: FileText(""))

    @cached_property
    def meanings(self) -> NameMeanings:
        return read_meanings(self.ctypes)

    @cached_property
    def types(self) -> Mapping[str, DeclaredType]:
        return read_types(self.ctypes)

    @cached_property
    def globals(self) -> Mapping[str, CGlobal]:
        """The globals of the file, by their names in C; others belong to functions."""
        return {each.name: each for each in self.ctypes.globals.values() if not each.owner}

    def type_of(self, variable: CGlobal) -> str:
        storage = "thread local " if self._global(variable).is_thread_local else ""
        return storage + type_words(self.ctypes, self.meanings, variable.type)

    def _global(self, variable: CGlobal) -> Global:
        return self.program.globals[variable.ir_name]

    def initialiser(self, variable: CGlobal) -> str:
        """The compiled initialiser, with constants that the compiler numbers per file replaced by their contents."""
        return self._resolve(self._global(variable).initializer, 0)

    def _resolve(self, text: str, depth: int) -> str:
        def answer(symbol: re.Match[str]) -> str:
            known = self.program.globals.get(symbol.group())
            if known is None or symbol.group() in self.ctypes.globals or not known.is_internal or depth > 10:
                return symbol.group()
            return f"({self._resolve(known.initializer, depth + 1)})"

        return _SYMBOL.sub(answer, _NAMELESS.sub(r"%\1.anon", text))

    def mentioned_by(self, name: str) -> frozenset[str]:
        """The names that the declaration of a global or type uses."""
        words: set[str] = set()
        if name in self.globals:
            variable = self.globals[name]
            words.update(WORD.findall(self.type_of(variable)))
            words.update(each[1:] for each in _SYMBOL.findall(self.initialiser(variable)))
        for each in (name, f"struct {name}", f"union {name}", f"enum {name}"):
            words.update(self.types[each].words if each in self.types else ())
        return frozenset(words)


def compare_declarations(
    old: Declarations, new: Declarations, used: Collection[str] | None = None
) -> tuple[Change, ...]:
    """Changes of the declarations that the names in `used` depend on, or of all."""
    names = None if used is None else _reach(old, new, used)
    types = tuple(_compare_types(old, new, names))
    return (*_compare_globals(old, new, names, types), *types)


def _reach(old: Declarations, new: Declarations, used: Collection[str]) -> frozenset[str]:
    """The names, and all names that their declarations use, transitively."""
    order = list(dict.fromkeys(used))
    seen = set(order)
    for name in order:  # grows during iteration
        fresh = (old.mentioned_by(name) | new.mentioned_by(name)) - seen
        order += sorted(fresh)
        seen |= fresh
    return frozenset(seen)


# -- globals


def _compare_globals(
    old: Declarations, new: Declarations, names: Collection[str] | None, types: Collection[Change]
) -> Iterator[Change]:
    for name in dict.fromkeys((*new.globals, *old.globals)):
        if names is not None and name not in names:
            continue
        if name in old.globals and name in new.globals:
            yield from _compare_global(old, new, name, types)
        elif name in new.globals and not old.text.declares(name):
            yield _describe_global(ChangeKind.GLOBAL, None, new, name)
        elif name in old.globals and not new.text.declares(name):
            yield _describe_global(ChangeKind.GLOBAL, old, None, name)


def _compare_global(old: Declarations, new: Declarations, name: str, types: Collection[Change]) -> Iterator[Change]:
    """Compare a global. If only the contents of its type changed, that is reported for the type."""
    mine, theirs = old.globals[name], new.globals[name]
    if old.type_of(mine) != new.type_of(theirs):
        yield _describe_global(ChangeKind.GLOBAL, old, new, name)
    elif old.initialiser(mine) != new.initialiser(theirs):
        is_written_alike = old.text.expanded(name) == new.text.expanded(name) != ()
        if not (types and is_written_alike):
            yield _describe_global(ChangeKind.INITIALISER, old, new, name)


def _describe_global(kind: ChangeKind, old: Declarations | None, new: Declarations | None, name: str) -> Change:
    places = [each.text.with_column(each.globals[name].location, name) if each else None for each in (old, new)]
    written = [
        each.text.written(name, each.globals[name].location) or each.text.expanded(name) if each else ()
        for each in (old, new)
    ]
    if old and new and written[0] == written[1]:
        written = [old.text.expanded(name), new.text.expanded(name)]
    texts = show_both(*written) if old and new else (show(written[0]), show(written[1]))
    return Change(kind, "", name, places[0], places[1], None, None, *texts)


# -- types


def _compare_types(old: Declarations, new: Declarations, names: Collection[str] | None) -> Iterator[Change]:
    """Compare types. If the layout changed only because a type inside it changed, that is not a change of its own."""
    changed = {
        name: (old.types[name], each) for name, each in new.types.items() if _is_other(old.types.get(name), each)
    }
    inner = {name.split()[-1] for name in changed}
    for name, (mine, theirs) in changed.items():
        is_used = names is None or name.split()[-1] in names or bool(theirs.entries.keys() & set(names))
        follows = mine.said == theirs.said and bool((theirs.words - {name.split()[-1]}) & inner)
        if is_used and not follows:
            places = [each.text.locate(name) or Location("", 0) for each in (old, new)]
            texts = _differing(mine, theirs), _differing(theirs, mine)
            yield Change(ChangeKind.TYPE, "", name, places[0], places[1], None, None, *texts)


def _is_other(old: DeclaredType | None, new: DeclaredType) -> bool:
    return old is not None and (old.entries, old.bytes) != (new.entries, new.bytes)


def _differing(one: DeclaredType, other: DeclaredType) -> str:
    """The entries that differ from the other type; if all have the same text, those at other offsets."""
    said = [words for key, (words, _) in one.entries.items() if other.entries.get(key, ("",))[0] != words]
    if set(one.said) == set(other.said):
        moved = {key: place for key, (_, place) in one.entries.items() if other.entries[key][1] != place}
        said = [f"{one.entries[key][0]} at bit {place}" for key, place in moved.items()] or [f"{one.bytes} bytes"]
    shown = [*said[:_MOST_ENTRIES], *(["…"] if len(said) > _MOST_ENTRIES else [])]
    return (", " if "=" in "".join(said) else "; ").join(shown)
