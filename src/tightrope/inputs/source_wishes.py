"""Wishes in the C source for one function, in comments or in a macro of <tightrope.h>.

    /* Reads one record.
     * tightrope: buffer = array 16, length n; out = not-null
     * tightrope: assume n <= 16
     */
    int read_record(const char *buffer, size_t n, struct record *out)
    {
        TIGHTROPE_INPUT("out->next = null");       // tightrope: out->name = string 12

A comment applies to the function that it stands above, or in. A line that ends with `;` or `,`, or has nothing after
the colon, continues in the next line of the comment. This module only finds the texts; it does not interpret them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.location import Location

MACRO = "TIGHTROPE_INPUT"

_PIECE = re.compile(
    rf"""
      (?P<comment>   /\*.*?(?:\*/|\Z) | //(?:\\\r?\n|[^\n])* )
    | (?P<macro>     \b{MACRO}\b(?:\s*\((?:(?P<said>(?:\s*"(?:\\.|[^"\\\n])*")*)|[^;{{}}]*?)\s*\)\s*;?)? )
    | (?P<literal>   "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<directive> ^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|(?!//)[^\n])* )
    | (?P<word>      [^\W\d][\w$]* )
    | (?P<sign>      [;{{}}] )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_TRANSPARENT = re.compile(r"\s*#\s*(?:if|ifdef|ifndef|elif|else|endif|pragma|line)\b")
_MARK = re.compile(r"(?:[\s*/!<]|\*/)*tightrope:(.*)", re.DOTALL)
_BEFORE = re.compile(r"\s*(?:\*+(?=\s|$)|//[/!<]*)?\s*")  # `*p` is no decoration
_AFTER = re.compile(r"\s*(?:\*+/\s*)?$")
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')


@dataclass(frozen=True, slots=True)
class SourceWish:
    """One text, such as `buffer = array 16` or `assume n <= 16`, and where it stands."""

    text: str
    location: Location


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str
    line: int
    said: str | None = None

    @property
    def last_line(self) -> int:
        return self.line + self.text.count("\n")


def find_source_wishes(source: str, function: str, place: Location) -> tuple[SourceWish, ...]:
    """All wishes in the text for the function whose name is at `place`, in the order of the text."""
    if "tightrope:" not in source and MACRO not in source:
        return ()
    pieces = _read_pieces(source)
    names = [at for at, one in enumerate(pieces) if one.line == place.line and one.text == function]
    if not names:
        return ()  # the name comes out of a macro, or the text is not the one that was compiled
    own = [*_above(pieces, names[0]), *_inside(pieces, names[0])]
    return tuple(SourceWish(text, Location(place.file, line)) for one in own for line, text in _said(one))


def _read_pieces(source: str) -> list[_Piece]:
    pieces, line, at = [], 1, 0
    for found in _PIECE.finditer(source):
        line, at = line + source.count("\n", at, found.start()), found.start()
        kind = "macro" if found["macro"] else found.lastgroup or ""
        pieces.append(_Piece(kind, found.group(), line, found["said"]))
    return pieces


def _above(pieces: list[_Piece], name: int) -> list[_Piece]:
    """Pieces after the end of the declaration before the function; what is on the same line belongs to that one."""
    first = name
    while first and not _is_end(pieces[first - 1]):
        first -= 1
    end = pieces[first - 1].last_line if first else 0
    return [one for one in pieces[first:name] if one.kind == "macro" or one.line > end]


def _is_end(piece: _Piece) -> bool:
    if piece.kind == "directive":
        return not _TRANSPARENT.match(piece.text)
    return piece.kind == "sign"


def _inside(pieces: list[_Piece], name: int) -> list[_Piece]:
    """Pieces from the name to the end of the body, and those on the line where it ends."""
    end = _end_of_body(pieces, name)
    beside = [one for one in pieces[end + 1 :] if one.line == pieces[end].line]
    return [*pieces[name : end + 1], *beside]


def _end_of_body(pieces: list[_Piece], name: int) -> int:
    """The index of the closing brace. Each part of `#if ... #else ...` begins at the nesting depth of the `#if`."""
    depth, outside = 0, [0]
    for at in range(name, len(pieces)):
        one = pieces[at]
        depth += (one.text == "{") - (one.text == "}")
        if one.text == "}" and depth <= 0:
            return at
        if one.kind == "directive":
            depth = _at_directive(one.text, depth, outside)
    return len(pieces) - 1


def _at_directive(text: str, depth: int, outside: list[int]) -> int:
    word = re.sub(r"\W", "", text.replace("#", " ").split()[0]) if text.strip("# \t") else ""
    if word in ("if", "ifdef", "ifndef"):
        outside.append(depth)
    elif word in ("else", "elif"):
        return outside[-1]
    elif word == "endif" and len(outside) > 1:
        outside.pop()
    return depth


def _said(piece: _Piece) -> Iterator[tuple[int, str]]:
    if piece.kind == "macro":
        text = " ".join(_LITERAL.findall(piece.said or ""))
        yield from ((piece.line, part) for part in _parts(re.sub(r"\\(.)", r"\1", text)))
    if piece.kind == "comment":
        for line, text in _marked_lines(piece):
            yield from ((line, part) for part in _parts(text))


def _parts(text: str) -> list[str]:
    """Texts between semicolons; one empty text if there is none, so that its reader reports an error."""
    return [part.strip() for part in text.split(";") if part.strip()] or [""]


def _marked_lines(comment: _Piece) -> Iterator[tuple[int, str]]:
    """What follows `tightrope:`, joined with its continuation lines."""
    begun: tuple[int, str] | None = None
    for number, line in enumerate(comment.text.split("\n"), comment.line):
        mark, plain = _MARK.match(line), _AFTER.sub("", _BEFORE.sub("", line, count=1))
        if begun and (mark or not plain or begun[1][-1:] not in ("", ";", ",")):
            yield begun
            begun = None
        if mark:
            begun = number, _AFTER.sub("", mark[1]).strip()
        elif begun:
            begun = begun[0], f"{begun[1]} {plain}".strip()
    if begun:
        yield begun
