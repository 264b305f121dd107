"""The part of a module that matters to some of its functions: a unit does not pay for the other functions of its file.

Left out is what no kept code mentions: it can neither be called in a run, nor change what a kept function finds there,
because variables of the file are inputs, or start with their initial values, whoever else writes them. That holds for
calls through pointers, too: an address that neither the code nor the driver nor data of theirs mentions is in no
pointer of a run, although code that is left out may take it. Data that mentions such code is left out with it.

Who asks about the whole file (what a call through a pointer may reach, by type) sees more: `needed_names` can be told.

For a sequence, code that cannot be called matters: who may hold the address of a static variable says whether others
could change it between two calls. Then *users* stay, too: functions that mention a variable or a static function that
is kept (which may return an address); and *takers*: what mentions a function without calling it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tightrope.program.ir.lexer import NAME

_MENTIONED = re.compile(rf"@({NAME})(\(?)")
_DEFINED = re.compile(r"^(?:define [^\n]*\{$.*?^\}$|@[^\n]*$)", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(rf"^declare [^\n]*?@({NAME})\(", re.MULTILINE)
_STATIC = re.compile(r"\b(?:internal|private)\b")
_CONSTANT = re.compile(rf"@{NAME} = (?:(?!global )[a-z_]+(?:\(\w+\))? )*constant ")  # no text or name with this word


@dataclass(slots=True)
class _Part:
    """A definition: where it is in the text, and the names in it. `is_shared`: its users stay, for a sequence."""

    name: str
    start: int
    end: int
    mentions: frozenset[str]
    taken: frozenset[str]  # mentioned not only in front of arguments
    is_function: bool
    is_shared: bool


def needed_part(
    text: str, wanted: Collection[str], prefix: str, constants: Collection[str] = (), *, with_users: bool = False
) -> str:
    """The text of a module without the functions that the wanted ones (without sigil), and those whose names start with
    `prefix`, have nothing to do with. `constants`: data that the C declares as such, although it can be written here
    (a driver gives values to tables of other files)."""
    parts = {each.name: each for each in _read_parts(text, constants)}
    roots = _takers(parts, text) if with_users else _lists(parts)
    users = _users(parts)
    near = {name: found for name, found in users.items() if name in parts and parts[name].is_shared}
    starts = [*(name for name in parts if name in wanted or name.startswith(prefix)), *roots]
    kept = _spread(parts, near if with_users else {}, starts, set())
    idle = _find_idle(parts, users, kept)
    pieces, at = [], 0
    for each in parts.values():
        if each.name in idle:
            pieces.append(text[at : each.start])
            at = each.end
    return "".join((*pieces, text[at:])) if idle else text


def _find_idle(parts: Mapping[str, _Part], users: Mapping[str, Sequence[str]], kept: Collection[str]) -> set[str]:
    """Functions that are not kept, and data that mentions one of them."""
    waiting = [each.name for each in parts.values() if each.is_function and each.name not in kept]
    idle = {*waiting}
    while waiting:
        fresh = [name for name in users.get(waiting.pop(), ()) if name not in idle and name not in kept]
        idle.update(fresh)
        waiting += fresh
    return idle


TAKERS = "what takes addresses"  # beside the names of functions: all that mentions one without calling it


@dataclass(frozen=True, slots=True)
class NeededNames:
    """Of one function, without sigils: definitions that are kept for it, and all names that these mention."""

    kept: frozenset[str]
    mentioned: frozenset[str]


def needed_names(
    text: str, functions: Iterable[str], callees: Mapping[str, Collection[str]] = MappingProxyType({})
) -> Mapping[str, NeededNames]:
    """What `needed_part` keeps for each of these functions alone, which is no sequence; and for `TAKERS`. `callees`:
    with sigils, what else a function may reach."""
    parts = {each.name: each for each in _read_parts(text)}
    further = {name[1:]: [each[1:] for each in found] for name, found in callees.items()}
    always = _spread(parts, further, _lists(parts), set())
    found = {name: frozenset(_spread(parts, further, [name], always)) for name in functions if name in parts}
    found[TAKERS] = frozenset(_spread(parts, further, _takers(parts, text), always))
    mentions = {name: frozenset().union(*(parts[each].mentions for each in kept)) for name, kept in found.items()}
    return {name: NeededNames(kept, mentions[name]) for name, kept in found.items()}


def _users(parts: Mapping[str, _Part]) -> Mapping[str, list[str]]:
    users = defaultdict[str, list[str]](list)
    for each in parts.values():
        for name in each.mentions:
            users[name].append(each.name)
    return users


def _spread(
    parts: Mapping[str, _Part], near: Mapping[str, Sequence[str]], wanted: Iterable[str], known: Collection[str]
) -> set[str]:
    """What is known to be kept, the wanted ones, and all that these have to do with: what they mention, and what is
    `near` them."""
    waiting = [name for name in wanted if name not in known]
    kept = {*known, *waiting}
    while waiting:
        part = parts[waiting.pop()]
        every = {*part.mentions, *near.get(part.name, ())}
        fresh = [name for name in every if name in parts and name not in kept]
        kept.update(fresh)
        waiting += fresh
    return kept


def _lists(parts: Mapping[str, _Part]) -> list[str]:
    """Those of LLVM's own: constructors, what must stay."""
    return [name for name in parts if name.startswith("llvm.")]


def _takers(parts: Mapping[str, _Part], text: str) -> list[str]:
    functions = {*(name for name, each in parts.items() if each.is_function), *_DECLARED.findall(text)}
    found = [each.name for each in parts.values() if not each.taken.isdisjoint(functions)]
    return list(dict.fromkeys((*_lists(parts), *found)))


def _read_parts(text: str, constants: Collection[str] = ()) -> Iterator[_Part]:
    """In the order of the text. LLVM prints a definition from the start of a line to a brace at the start of a line."""
    for found in _DEFINED.finditer(text):
        part = _part(found, is_function=found[0].startswith("define"))
        if part.name in constants and not part.is_function:
            part.is_shared = False
        yield part


def _part(found: re.Match[str], *, is_function: bool) -> _Part:
    mentioned = set(_MENTIONED.findall(found[0]))
    mentions = frozenset(name for name, _ in mentioned)
    taken = frozenset(name for name, brace in mentioned if not brace)
    head = found[0].partition("\n")[0]
    is_shared = bool(_STATIC.search(head)) if is_function else not _CONSTANT.match(head)
    first = _MENTIONED.search(head)
    assert first is not None  # that of the definition
    return _Part(first[1], found.start(), found.end(), mentions, taken, is_function, is_shared)
