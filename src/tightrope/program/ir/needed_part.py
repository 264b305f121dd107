"""The part of a module that matters to some of its functions: a unit does not pay for the other functions of its file.

Left out is what could as well be in another file of the program: a function that no kept code mentions, and that itself
mentions no variable and no static function that is kept. It can neither be called in a run, nor change what a kept
function finds, nor add to what is known about the callers of a static function. Nothing is left out that mentions a
function without calling it: so the functions whose addresses are taken stay the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tightrope.program.ir.lexer import NAME

_MENTIONED = re.compile(rf"@({NAME})(\(?)")
_DEFINED = re.compile(r"^(?:define [^\n]*\{$.*?^\}$|@[^\n]*$)", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(rf"^declare [^\n]*?@({NAME})\(", re.MULTILINE)
_STATIC = re.compile(r"\b(?:internal|private)\b")
_CONSTANT = re.compile(rf"@{NAME} = (?:(?!global )[a-z_]+(?:\(\w+\))? )*constant ")  # no text or name with this word


@dataclass(slots=True)
class _Part:
    """A definition: where it is in the text, and the names in it. `is_shared`: whoever mentions it matters."""

    name: str
    start: int
    end: int
    mentions: frozenset[str]
    taken: frozenset[str]  # mentioned not only in front of arguments
    is_function: bool
    is_shared: bool


def needed_part(text: str, wanted: Collection[str], prefix: str, constants: Collection[str] = ()) -> str:
    """The text of a module without the functions that the wanted ones (without sigil), and those whose names start with
    `prefix`, have nothing to do with. `constants`: data that the C declares as such, although it can be written here
    (a driver gives values to tables of other files)."""
    parts = {each.name: each for each in _read_parts(text, constants)}
    functions = {*(name for name, each in parts.items() if each.is_function), *_DECLARED.findall(text)}
    kept = _keep(parts, functions, [name for name in parts if name in wanted or name.startswith(prefix)])
    idle = [each for each in parts.values() if each.is_function and each.name not in kept]
    pieces, at = [], 0
    for each in idle:
        pieces.append(text[at : each.start])
        at = each.end
    return "".join((*pieces, text[at:])) if idle else text


@dataclass(frozen=True, slots=True)
class NeededNames:
    """Of one function, without sigils: definitions that are kept for it, and all names that these mention."""

    kept: frozenset[str]
    mentioned: frozenset[str]


def needed_names(text: str, functions: Iterable[str]) -> Mapping[str, NeededNames]:
    """What `needed_part` keeps for each of these functions alone."""
    parts = {each.name: each for each in _read_parts(text)}
    known = {*(name for name, each in parts.items() if each.is_function), *_DECLARED.findall(text)}
    users = _users(parts)
    always = _spread(parts, users, [each.name for each in parts.values() if _is_root(each, known)], set())
    found = {name: frozenset(_spread(parts, users, [name], always)) for name in functions if name in parts}
    mentions = {name: frozenset().union(*(parts[each].mentions for each in kept)) for name, kept in found.items()}
    return {name: NeededNames(kept, mentions[name]) for name, kept in found.items()}


def _keep(parts: dict[str, _Part], functions: Collection[str], wanted: Collection[str]) -> set[str]:
    roots = [each.name for each in parts.values() if _is_root(each, functions)]
    return _spread(parts, _users(parts), [*wanted, *roots], set())


def _users(parts: dict[str, _Part]) -> dict[str, list[str]]:
    users = defaultdict[str, list[str]](list)
    for each in parts.values():
        for name in each.mentions:
            users[name].append(each.name)
    return users


def _spread(
    parts: dict[str, _Part], users: dict[str, list[str]], wanted: Collection[str], known: Collection[str]
) -> set[str]:
    """What is known to be kept, the wanted ones, and all that these have to do with."""
    waiting = [name for name in wanted if name not in known]
    kept = {*known, *waiting}
    while waiting:
        part = parts[waiting.pop()]
        near = {*part.mentions, *(users[part.name] if part.is_shared else ())}
        fresh = [name for name in near if name in parts and name not in kept]
        kept.update(fresh)
        waiting += fresh
    return kept


def _is_root(part: _Part, functions: Collection[str]) -> bool:
    """Whether it mentions a function without calling it, or is a list of LLVM's own (constructors)."""
    return part.name.startswith("llvm.") or not part.taken.isdisjoint(functions)


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
