"""The syntax of one function: clang's AST of the preprocessed text, where every node is a slice of that text.

Macros are expanded there, so that each condition has a text and a place of its own. The place in the user's file is
kept beside it: what comes out of a macro is where the macro was used. It is found in a second AST, of the text before
it was preprocessed; both have the same shape.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tightrope.location import Location
from tightrope.program.c_text.c_tokens import ReadLines, own_words
from tightrope.program.c_text.preprocessed import LineMarkers

Json = dict[str, Any]

RENAMED = "tightrope_dumped_{}"  # what a function may be called in the dump that gives places, by a macro of ours
Fold = Callable[[Sequence[tuple[int, int]]], Mapping[tuple[int, int], bool | None]]
"""The truth of slices of the text that are constants for the compiler, None for others; without those of which it could
not be asked."""

_COMMAND_LINE = "<built-in>"  # as clang names the file that options like -DNAME=VALUE are in


@dataclass(frozen=True, slots=True, eq=False)
class SyntaxNode:
    """A node of clang's AST. `text[start:end]` of the preprocessed text is the node."""

    kind: str  # 'BinaryOperator', 'IfStmt', 'DeclRefExpr' ...; 'Association' inside of _Generic
    start: int
    end: int
    location: Location  # in the user's file; where a macro was expanded, the place of that
    is_in_macro: bool  # the node starts in the expansion of a macro
    children: tuple[SyntaxNode | None, ...]  # as clang has them; None for a part that is absent (`for (;;)`)
    type: str = ""  # of an expression, desugared where clang tells: 'int', 'char *', '_Bool'
    name: str = ""  # the declaration that is referred to or declared; the member; `sizeof`
    opcode: str = ""  # of operators: '&&', '+=', '++'; of casts: 'IntegralCast'; 'selected' of an Association
    value: str = ""  # of literals, and of constant expressions where clang tells
    declares: str = ""  # DeclRefExpr: 'VarDecl', 'ParmVarDecl', 'EnumConstantDecl', 'FunctionDecl'
    declaration: str = ""  # clang's number of the declaration: tells variables of one name apart
    is_postfix: bool = False
    storage: str = ""  # of a VarDecl: 'static', 'extern', 'register'
    argument: str = ""  # the type that sizeof is asked about
    is_constexpr: bool = False
    end_location: Location | None = None  # behind its last token, in the user's file; None when that comes from a macro
    macro_end: Location | None = None  # behind the name of the macro that its last token, but not its first, comes from


def fold_nothing(spans: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bool | None]:
    """Without a compiler."""
    return dict.fromkeys(spans)


@dataclass(frozen=True, slots=True)
class FunctionSyntax:
    """One function definition."""

    name: str  # as the preprocessed text has it
    text: str  # the whole preprocessed text
    root: SyntaxNode  # the FunctionDecl
    read: ReadLines = field(default=lambda file: None, compare=False, repr=False)  # the user's files
    fold: Fold = field(default=fold_nothing, compare=False, repr=False)

    def slice(self, node: SyntaxNode) -> str:
        """The node's own C, macros expanded."""
        return self.text[node.start : node.end]

    def words(self, node: SyntaxNode) -> str:
        """What the user wrote for it, on one line, for people; where all of it is inside of one macro, its C."""
        end = node.end_location or node.macro_end
        words = own_words(node.location, end, node.end_location is None, self.read) if end else ""
        return words or " ".join(self.slice(node).split())


def walk(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """The node and everything below it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [each for each in reversed(node.children) if each is not None]


def read_syntax(name: str, text: str, dump: str, plain_dump: str = "", folder: str = "") -> FunctionSyntax | None:
    """The function's syntax from the dump of the preprocessed text and, for places, of the text before it.

    None when the dump has no definition of the function. Without `plain_dump`, or when its tree has another shape, the
    places come from line markers: they then have no column. Files are named relative to `folder`.
    """
    found, renamed = _find_definition(dump, name), RENAMED.format(name)
    plain = _find_definition(plain_dump, renamed) or _find_definition(plain_dump, name)
    if not found:
        return None
    tree, plain_tree = json.loads(found), json.loads(plain or "{}")
    absolute = partial(_absolute, folder)
    places = _PlaceReader(name, absolute)
    if _same_shape(tree, plain_tree):
        places.read(plain_tree)
    known = iter(places.places) if places.places else None
    reader = _SyntaxReader(_position_of_byte(text), LineMarkers(text, absolute), known, places.is_renumbered)
    return FunctionSyntax(name, text, reader.read(tree))


def has_definition(dump: str, name: str) -> bool:
    return bool(_find_definition(dump, name))


def _find_definition(dump: str, name: str) -> str:
    """The document that defines the function, among those of all declarations with a similar name; '' without one.

    clang indents by two: what stands at the margin, and one and three steps from it, is told apart without parsing.
    """
    marks = (
        f'\n  "name": {json.dumps(name, ensure_ascii=False)},',
        '\n  "kind": "FunctionDecl"',
        '\n      "kind": "CompoundStmt"',
    )
    found = [text for text in dump.split("\n}") if all(mark in text for mark in marks)]
    return found[-1][found[-1].index("{") :] + "\n}" if found else ""


def _same_shape(one: Json, other: Json) -> bool:
    if one.get("kind") != other.get("kind"):
        return False
    mine, theirs = _parts(one), _parts(other)
    return len(mine) == len(theirs) and all(map(_same_shape, mine, theirs))


def _absolute(folder: str, file: str) -> str:
    """As debug information has it: `t/../unit.c` is `unit.c`, and starts with the compiler's folder."""
    return file if file.startswith("<") else posixpath.normpath(posixpath.join(folder, file))


def _parts(node: Json) -> list[Json]:
    """What a node is made of, without comments: the preprocessed text has none."""
    return [part for part in _written_parts(node) if not _is_comment(part)]


def _written_parts(node: Json) -> list[Json]:
    """The elements of an array that is filled up stand in another list, behind the filler."""
    parts: list[Json] = node.get("inner") or node.get("array_filler") or []
    return parts


def _is_comment(node: Json) -> bool:
    kind: str = node.get("kind", "")
    return kind.endswith("Comment")


def _position_of_byte(text: str) -> Callable[[int], int]:
    """clang counts bytes."""
    if text.isascii():
        return lambda offset: offset
    positions: list[int] = []
    for at, character in enumerate(text):
        positions += [at] * len(character.encode("utf-8", errors="surrogateescape"))
    positions.append(len(text))
    return positions.__getitem__


@dataclass(frozen=True, slots=True)
class _Place:
    location: Location
    is_in_macro: bool = False
    end: Location | None = None
    macro_end: Location | None = None


@dataclass(frozen=True, slots=True)
class _SyntaxReader:
    """Nodes from JSON, in the order of the document."""

    position: Callable[[int], int]
    markers: LineMarkers
    places: Iterator[_Place | None] | None
    is_renumbered: bool  # the user's file has #line: markers know the lines that it wants, clang tells them in part

    def read(self, node: Json) -> SyntaxNode:
        start, end = self._slice(node)
        place = next(self.places) if self.places is not None else None
        if place is None or self.is_renumbered:
            column, is_in_macro = (place.location.column, place.is_in_macro) if place else (0, False)
            place = _Place(replace(self.markers.locate(start), column=column), is_in_macro)
        return _make(node, start, end, place, tuple(self._read_part(each) for each in _parts(node)))

    def _read_part(self, part: Json) -> SyntaxNode | None:
        """clang writes an absent part as `{}`."""
        if "kind" in part or "associationKind" in part:
            return self.read(part)
        if self.places is not None:
            next(self.places)
        return None

    def _slice(self, node: Json) -> tuple[int, int]:
        """Where there is no macro, a range has plain offsets; what is implicit has an empty one."""
        begin, end = node.get("range", {}).get("begin", {}), node.get("range", {}).get("end", {})
        if "offset" not in begin or "offset" not in end:
            return 0, 0
        return self.position(begin["offset"]), self.position(end["offset"] + end.get("tokLen", 0))


def _make(node: Json, start: int, end: int, place: _Place, children: tuple[SyntaxNode | None, ...]) -> SyntaxNode:
    declared = node.get("referencedDecl", {})
    return SyntaxNode(
        node.get("kind", "Association"),
        start,
        end,
        place.location,
        place.is_in_macro,
        children,
        type=_type_of(node.get("type", {})),
        name=declared.get("name", "") or node.get("name", ""),
        opcode=node.get("opcode", "") or node.get("castKind", "") or ("selected" if node.get("selected") else ""),
        value=str(node.get("value", "")),
        declares=declared.get("kind", ""),
        declaration=declared.get("id", "") or node.get("referencedMemberDecl", "") or node.get("id", ""),
        is_postfix=node.get("isPostfix", False),
        storage=node.get("storageClass", ""),
        argument=_type_of(node.get("argType", {})),
        is_constexpr=node.get("constexpr", False),
        end_location=place.end,
        macro_end=place.macro_end,
    )


def _type_of(described: Json) -> str:
    name: str = described.get("desugaredQualType", "") or described.get("qualType", "")
    return name


@dataclass(frozen=True, slots=True)
class _Token:
    """The first or last token of a node; of one that a macro makes, the name of the macro."""

    start: Location
    length: int
    is_in_macro: bool

    @property
    def end(self) -> Location:
        return replace(self.start, column=self.start.column + self.length)


class _PlaceReader:
    """Where each node starts and ends, in the order of the document; None for what is absent.

    clang leaves out a file and a line that equal those of the place before, wherever that was written, even if it was
    in a comment.
    """

    def __init__(self, name: str, absolute: Callable[[str], str]) -> None:
        self._absolute = absolute
        self._name_length = len(name.encode())
        self._file, self._line = "", 0
        self.is_renumbered = False  # some file has #line
        self.places: list[_Place | None] = []

    def read(self, node: Json) -> None:
        self._follow(node.get("loc", {}))
        covered = node.get("range", {})
        first, last = self._follow(covered.get("begin", {})), self._follow(covered.get("end", {}))
        if not _is_comment(node):
            self.places.append(_make_place(first, last) if first else None)
        for each in _written_parts(node):
            self.read(each)

    def _follow(self, place: Json) -> _Token | None:
        if "expansionLoc" in place:
            self._follow(place["spellingLoc"])
            spelt = self._file
            used = self._follow(place["expansionLoc"])
            is_ours = spelt == _COMMAND_LINE and used is not None and used.length == self._name_length
            return used and replace(used, is_in_macro=not is_ours)  # ours is the one that gave the function its name
        if "offset" not in place:
            return None
        if "file" in place:
            self._file = self._absolute(place["file"])
        self._line = place.get("line", self._line)
        self.is_renumbered = self.is_renumbered or ("presumedLine" in place and self._file != _COMMAND_LINE)
        return _Token(Location(self._file, self._line, place.get("col", 0)), place.get("tokLen", 0), False)


def _make_place(first: _Token, last: _Token | None) -> _Place:
    if last is None or last.start.file != first.start.file:
        return _Place(first.start, first.is_in_macro)
    if not last.is_in_macro:
        return _Place(first.start, first.is_in_macro, end=last.end)
    is_other = not first.is_in_macro or last.start != first.start
    return _Place(first.start, first.is_in_macro, macro_end=last.end if is_other else None)
