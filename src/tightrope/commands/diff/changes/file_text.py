"""The preprocessed text of a file: its declarations, their places, and how they are written.

Mostly for display. The only decision based on it is whether two texts have the same tokens.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from tightrope.location import Location
from tightrope.program.c_text.c_tokens import WORD, ReadLines, read_tokens
from tightrope.program.c_text.preprocessed import LineMarkers, find_bodies

Tokens = tuple[str, ...]

_SIGNS = re.compile(r"""^[ \t]*\#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}();]""", re.MULTILINE)
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[^\n]*", re.MULTILINE)
_LONGEST = 100  # characters of a text that is shown completely


@dataclass(frozen=True)
class FileText:
    """The preprocessed text of one version. `read` returns the lines of the user's files."""

    text: str
    folder: str = ""
    read: ReadLines = lambda file: None

    @cached_property
    def functions(self) -> dict[str, Tokens]:
        """The definition of each function. `int f(int g(int)) {` is added for `g`, too, because it could define
        either."""
        found: dict[str, Tokens] = {}
        for body in find_bodies(self.text):
            tokens = _tokens(self.text[body.declaration : body.end])
            head = tokens[: tokens.index("{")] if "{" in tokens else tokens
            for name in {before for before, sign in pairwise(head) if sign == "(" and WORD.fullmatch(before)}:
                found[name] = (*tokens, *found.get(name, ()))
        return found

    @cached_property
    def outside(self) -> Tokens:
        """Everything except the bodies of functions."""
        parts, at = [], 0
        for body in find_bodies(self.text):
            parts.append(self.text[at : body.start])
            at = body.end
        return _tokens(" ".join((*parts, self.text[at:])))

    @cached_property
    def declared(self) -> tuple[Tokens, ...]:
        """Every declaration of the file, in the order of the text, and the heads of its functions."""
        heads = (_tokens(self.text[body.declaration : body.start]) for body in find_bodies(self.text))
        return (*(_tokens(self.text[start:end]) for start, end in self._stretches()), *heads)

    @cached_property
    def _declarations(self) -> dict[str, list[tuple[int, int]]]:
        """Ranges between semicolons at file level, by the words in them."""
        found: dict[str, list[tuple[int, int]]] = {}
        for start, end in self._stretches():
            for word in set(WORD.findall(self.text, start, end)):
                found.setdefault(word, []).append((start, end))
        return found

    def _stretches(self) -> Iterator[tuple[int, int]]:
        bodies = {body.start: body.end for body in find_bodies(self.text)}
        depth = at = skip = 0
        for sign in _SIGNS.finditer(self.text):
            if sign.start() < skip:
                continue
            if sign.start() in bodies:
                at = skip = bodies[sign.start()]
            elif sign.group() in "{(":
                depth += 1
            elif sign.group() in "})":
                depth -= 1
            elif sign.group() == ";" and not depth:
                yield at, sign.start()
                at = sign.end()

    def words_with(self, function: str) -> frozenset[str]:
        """The words of a function's declarations."""
        stretches = self._declarations.get(function, [])
        return frozenset(word for start, end in stretches for word in WORD.findall(self.text, start, end))

    def declares(self, name: str) -> bool:
        return name in self._declarations

    def locate(self, name: str) -> Location | None:
        """The place of the definition of `struct s`, `enum e`, a typedef or a variable."""
        stretches = self._declarations.get(name.split()[-1], [])
        for start, end in sorted(stretches, key=lambda each: not self._is_definition(name, *each)):
            found = self._find(name, start, end)
            if found is not None:
                place = LineMarkers(self.text, self._absolute).locate(found)
                return self.with_column(place, name.split()[-1])
        return None

    def _is_definition(self, name: str, start: int, end: int) -> bool:
        words = self.text[start:end].split()
        return words[:1] != ["extern"] and (words[:1] == ["typedef"]) == (words[-1].strip("[])0123456789") == name)

    def _find(self, name: str, start: int, end: int) -> int | None:
        keyword, _, tag = name.rpartition(" ")
        pattern = rf"\b{keyword}\b[^;{{}}()]*\b{tag}\s*\{{" if keyword else rf"\b{tag}\b"
        found = re.compile(pattern).search(self.text, start, end)
        return found.start() if found else None

    def _absolute(self, file: str) -> str:
        return file if file.startswith("<") else posixpath.normpath(posixpath.join(self.folder, file))

    def with_column(self, place: Location, word: str) -> Location:
        """The place, with the column of the word in the line."""
        lines = self.read(place.file) or []
        line = lines[place.line - 1] if 0 < place.line <= len(lines) else b""
        found = re.search(rf"\b{re.escape(word)}\b".encode(), line)
        return replace(place, column=found.start() + 1 if found else 0)

    def expanded(self, name: str) -> Tokens:
        """A variable's declaration, macros expanded; the one with an initialiser, if there is one."""
        every = [_tokens(self.text[start:end]) for start, end in self._declarations.get(name, [])]
        own = [tokens for tokens in every if name in tokens and tokens[:1] != ("extern",)]
        return ([tokens for tokens in own if "=" in tokens] or own or [()])[-1]

    def written(self, name: str, place: Location) -> Tokens:
        """The declaration as the user wrote it; the debug information has the line of the name."""
        lines = (self.read(place.file) or [])[max(place.line - 1, 0) :]
        statement: list[str] = []
        depth = 0
        for token in read_tokens(b"\n".join(lines).decode("utf-8", "replace")):
            depth += (token.text in ("{", "(")) - (token.text in ("}", ")"))
            if token.text == ";" and depth <= 0:
                if name in statement:
                    return tuple(statement)
                statement = []
            else:
                statement.append(token.text)
        return ()


def _tokens(text: str) -> Tokens:
    """The tokens of a text, without line markers."""
    return (*(token.text for token in read_tokens(text)), *(" ".join(each.split()) for each in _PRAGMA.findall(text)))


_TIGHT_BEFORE = frozenset((",", ";", ")", "]", "[", ".", "->", "++", "--"))
_TIGHT_AFTER = frozenset(("(", "[", ".", "->", "!", "~"))


def show(tokens: Tokens) -> str:
    """The tokens with usual spacing."""
    shown = ""
    for before, token in zip(("", *tokens), tokens, strict=False):
        is_call = token == "(" and bool(WORD.fullmatch(before))
        is_pointer = before == "*" and "=" not in shown
        is_tight = not shown or token in _TIGHT_BEFORE or before in _TIGHT_AFTER or is_call or is_pointer
        shown += token if is_tight else f" {token}"
    return shown


def show_both(old: Tokens, new: Tokens) -> tuple[str, str]:
    """The texts of two declarations; of long ones, the differing part between the common start and end."""
    if max(len(show(old)), len(show(new))) <= _LONGEST:
        return show(old), show(new)
    shorter, first, last = min(len(old), len(new)), 0, 0
    while first < shorter and old[first] == new[first]:
        first += 1
    while last < shorter - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return _middle(old, first, last), _middle(new, first, last)


def _middle(tokens: Tokens, first: int, last: int) -> str:
    """The start up to `=`, and the differing part with two tokens around it."""
    start = tokens.index("=") + 1 if "=" in tokens[:first] else min(first, 8)
    low, high = max(start, first - 2), min(len(tokens), len(tokens) - last + 2)
    gap = ("…",) if low > start else ()
    return show((*tokens[:start], *gap, *tokens[low:high], *(("…",) if high < len(tokens) else ())))
