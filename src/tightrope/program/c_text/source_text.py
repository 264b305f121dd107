"""The user's C around a place: the condition of a branch, the labels of a switch, a line.

Used for display only. The compiler gives one place per expression: a binary operator's sign, or the
first token of anything else. From there the text of that expression is found by precedence:

    if (!flag || a[i] + 1 > limit) ...
         ^flag        ^ at `>`: left `a[i] + 1`, right `limit`; `||` binds less and ends both
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tightrope.location import Location
from tightrope.program.c_text.c_tokens import STATEMENT_WORDS, Token, literal_value, partner, read_file_tokens, token_at

_PRECEDENCE = {
    **dict.fromkeys(("*", "/", "%"), 13),
    **dict.fromkeys(("+", "-"), 12),
    **dict.fromkeys(("<<", ">>"), 11),
    **dict.fromkeys(("<", "<=", ">", ">="), 10),
    **dict.fromkeys(("==", "!="), 9),
    **dict.fromkeys(("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="), 2),
    **dict(zip(("&", "^", "|", "&&", "||", "?"), (8, 7, 6, 5, 4, 3), strict=True)),
    ",": 1,
}
_UNARY = frozenset(("-", "+", "!", "~", "*", "&", "++", "--", "sizeof"))
_WALLS = frozenset((";", "{", "}", ":")) | STATEMENT_WORDS
_LEFT_WALLS = _WALLS | {"(", "["}
_RIGHT_WALLS = _WALLS | {")", "]"}


@dataclass(frozen=True, slots=True)
class CaseLabel:
    """`case GREEN:` or `case 1 ... 5:`; `default:` has the text ''."""

    text: str
    location: Location


class CText:
    """One C file, as text that can be asked about places."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._lines = text.split("\n")

    @cached_property
    def _tokens(self) -> tuple[Token, ...]:
        return read_file_tokens(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    @cached_property
    def macros(self) -> Mapping[str, str]:
        """The object-like macros defined in this file: name -> replacement."""
        found = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]*)", self.text, re.MULTILINE)
        return {name: replacement.split("//")[0].split("/*")[0].strip() for name, replacement in found}

    def line(self, number: int) -> str:
        """The line as written, without its end; '' beyond the file."""
        return self._lines[number - 1].rstrip("\r") if 0 < number <= len(self._lines) else ""

    def condition(self, line: int, column: int) -> str:
        """The expression whose place the compiler gives as line:column; '' when there is none."""
        index = self._index(line, column)
        if index is None:
            return ""
        first, last = _expression(self._tokens, index)
        return self._show(first, last)

    def extent(self, line: int, column: int) -> tuple[int, int] | None:
        """Where in its line the expression stands whose place the compiler gives as line:column: characters from 0,
        up to the end of the line if it ends in another one. None if there is no expression."""
        index = self._index(line, column)
        if index is None:
            return None
        first, last = _expression(self._tokens, index)
        start, whole = self._starts[line - 1], len(self.line(line))
        begin, end = self._tokens[first].start - start, self._tokens[last].end - start
        return max(begin, 0), min(end, whole)

    def definition(self, function: str) -> int:
        """The line with the name of the function in its definition; 0 if there is none."""
        for at, token in enumerate(self._tokens):
            if token.text == function and token.kind == "word" and self._token_text(at + 1) == "(":
                closing = partner(self._tokens, at + 1)
                if closing is not None and self._token_text(closing + 1) == "{":
                    return self.text.count("\n", 0, token.start) + 1
        return 0

    def last_line(self, first: int) -> int:
        """The last line of the function that begins in this line; the same line if no end is found."""
        if not 0 < first <= len(self._lines):
            return first
        opening = bisect_left(self._tokens, self._starts[first - 1], key=lambda token: token.start)
        while self._token_text(opening) not in ("{", ""):
            opening += 1
        closing = partner(self._tokens, opening) if opening < len(self._tokens) else None
        return first if closing is None else self.text.count("\n", 0, self._tokens[closing].start) + 1

    def controlling(self, line: int, column: int) -> str:
        """The controlling expression of the loop or `if` whose branch sits at line:column."""
        index = self._index(line, column)
        if index is None:
            return ""
        if self._tokens[index].text not in ("while", "for", "if"):  # the end of a `do` body, or an operator
            following = self._tokens[index + 1 : index + 2]
            if not following or following[0].text != "while":
                return self.condition(line, column)
            index += 1
        return self._parenthesised(index)

    def negated(self, line: int, column: int) -> str:
        """The operand of the `!` at line:column, perhaps within brackets; '' if there is none."""
        index = self._index(line, column)
        if index is None:
            return ""
        first, last = _bare(self._tokens, index, _right_unary(self._tokens, index))
        if self._tokens[first].text != "!" or _right_unary(self._tokens, first) != last:
            return ""
        while self._tokens[first].text == "!" and first + 1 < len(self._tokens):
            first, last = _bare(self._tokens, first + 1, _right_unary(self._tokens, first + 1))
        return self._show(first, last)

    def chooser(self, line: int, column: int) -> str:
        """The condition of the `?:` that begins at line:column; '' when the text shows none there."""
        first = self._index(line, column)
        end = None if first is None else _question(self._tokens, first)
        return "" if first is None or end is None else self._show(*_bare(self._tokens, first, end - 1))

    def may_hold_conditional(self, line: int, column: int) -> bool:
        """False when the text shows that no `?:` begins at line:column. A word may be a macro that holds one."""
        index = self._index(line, column)
        return index is None or self._tokens[index].kind == "word" or _question(self._tokens, index) is not None

    def right_operand(self, line: int, column: int) -> tuple[Location, str] | None:
        """What stands to the right of the `&&` or `||` at line:column, and where."""
        index = self._index(line, column)
        if index is None or self._tokens[index].text not in ("&&", "||") or index + 1 >= len(self._tokens):
            return None
        last = _right_operand(self._tokens, index, _PRECEDENCE[self._tokens[index].text])
        first, last = _bare(self._tokens, index + 1, last)
        return self._location(self._tokens[first].start), self._show(first, last)

    def case_labels(self, line: int, column: int) -> tuple[CaseLabel, ...]:
        """The labels of the switch at line:column, in the order of the text, without inner switches."""
        index = self._index(line, column)
        if index is None or self._tokens[index].text != "switch":
            return ()
        labels: list[CaseLabel] = []
        at, end = self._body(index)
        while at < end:
            word = self._tokens[at]
            if word.text == "switch" and word.kind == "word":
                at = self._body(at)[1]
            elif word.kind == "word" and word.text in ("case", "default"):
                colon = self._colon(at + 1, end)
                text = self._show(at + 1, colon - 1) if word.text == "case" else ""
                labels.append(CaseLabel(text, self._location(word.start)))
                at = colon
            at += 1
        return tuple(labels)

    def _index(self, line: int, column: int) -> int | None:
        if not 0 < line <= len(self._lines) or column < 1:
            return None
        before = self._lines[line - 1].encode()[: column - 1].decode(errors="ignore")  # columns count bytes
        return token_at(self._tokens, self._starts[line - 1] + len(before))

    def _location(self, offset: int) -> Location:
        line = self.text.count("\n", 0, offset) + 1
        before = self.text[self._starts[line - 1] : offset]
        return Location(self.file, line, len(before.encode()) + 1)

    def _show(self, first: int, last: int) -> str:
        """The text from one token to another on one line, without comments."""
        shown, end = "", None
        for token in self._tokens[first : last + 1]:
            shown += (" " if end is not None and token.start > end else "") + token.text
            end = token.end
        return shown

    def _parenthesised(self, keyword: int) -> str:
        opening = keyword + 1
        if opening >= len(self._tokens) or self._tokens[opening].text != "(":
            return ""
        closing = partner(self._tokens, opening)
        if closing is None:
            return ""
        if self._tokens[keyword].text != "for":
            return self._show(opening + 1, closing - 1)
        ends = [at for at in range(opening, closing) if self._tokens[at].text == ";"]
        return self._show(ends[0] + 1, ends[1] - 1) if len(ends) == 2 else ""

    def _body(self, switch: int) -> tuple[int, int]:
        """The tokens between the braces of a switch."""
        closing = partner(self._tokens, switch + 1) if self._token_text(switch + 1) == "(" else None
        if closing is None or self._token_text(closing + 1) != "{":
            return switch + 1, switch + 1
        return closing + 2, partner(self._tokens, closing + 1) or len(self._tokens)

    def _token_text(self, index: int) -> str:
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _colon(self, at: int, end: int) -> int:
        """The colon that ends a label; the colon of a `? :` inside it does not."""
        questions = 0
        while at < end and (self._tokens[at].text != ":" or questions):
            questions += (self._tokens[at].text == "?") - (self._tokens[at].text == ":")
            at += 1
        return at


def _expression(tokens: tuple[Token, ...], index: int) -> tuple[int, int]:
    """The first and last token of the expression that the compiler places at `index`."""
    token = tokens[index]
    is_binary = token.text in _PRECEDENCE and token.kind == "sign" and index and tokens[index - 1].ends_operand
    if is_binary:
        return _left_operand(tokens, index), _right_operand(tokens, index, _PRECEDENCE[token.text])
    if token.text in ("++", "--") and index and tokens[index - 1].ends_operand:
        return _left_postfix(tokens, index - 1), index
    first = _left_postfix(tokens, index) if index and tokens[index - 1].text in (".", "->") else index
    return first, _right_unary(tokens, index)


def _strength(token: Token) -> int:
    """How tightly a binary operator binds; more than any of them for what is no binary operator."""
    return _PRECEDENCE.get(token.text, 99)


def _left_operand(tokens: tuple[Token, ...], operator: int) -> int:
    """Where the left operand of the binary operator begins."""
    strength, at = _PRECEDENCE[tokens[operator].text], operator - 1
    while at >= 0:
        token = tokens[at]
        if token.kind == "sign" and token.text in (")", "]"):
            opening = partner(tokens, at)
            if opening is None or (opening and tokens[opening - 1].text in ("if", "while", "for", "switch")):
                break
            at = opening
        elif token.text in _LEFT_WALLS or (at and tokens[at - 1].ends_operand and _strength(token) < strength):
            break
        at -= 1
    return at + 1


def _right_operand(tokens: tuple[Token, ...], operator: int, strength: int) -> int:
    """Where the right operand of the binary operator ends."""
    weakest, at = strength + (strength != 2), operator + 1  # assignments are read from the right
    while at < len(tokens):
        token = tokens[at]
        if token.text in _RIGHT_WALLS:
            break
        if token.text in ("(", "["):
            at = partner(tokens, at) or len(tokens)
        elif at > operator + 1 and tokens[at - 1].ends_operand and _strength(token) < weakest:
            break
        at += 1
    return at - 1


def _question(tokens: tuple[Token, ...], at: int) -> int | None:
    """The `?` whose condition begins at `at`."""
    while at < len(tokens) and tokens[at].text != "?":
        token = tokens[at]
        if token.text in _RIGHT_WALLS or (token.kind == "sign" and _strength(token) < _PRECEDENCE["?"]):
            return None
        at = (partner(tokens, at) or len(tokens)) if token.text in ("(", "[") else at
        at += 1
    return at if at < len(tokens) else None


def _bare(tokens: tuple[Token, ...], first: int, last: int) -> tuple[int, int]:
    """The same expression without brackets around all of it."""
    while first < last and tokens[first].text == "(" and partner(tokens, first) == last:
        first, last = first + 1, last - 1
    return first, last


def _left_postfix(tokens: tuple[Token, ...], at: int) -> int:
    """Where the postfix expression that ends at `at` begins: `list->next[2].size`."""
    while at > 0:
        if tokens[at].text in (")", "]"):
            at = partner(tokens, at) or 0
            if tokens[at].text == "(" and not (tokens[at - 1].kind == "word" and tokens[at - 1].ends_operand):
                return at
            at -= 1
        elif tokens[at - 1].text in (".", "->"):
            at -= 2
        else:
            return at
    return at


def _right_unary(tokens: tuple[Token, ...], at: int) -> int:
    """Where the unary or postfix expression that begins at `at` ends."""
    while tokens[at].text in _UNARY and at + 1 < len(tokens):
        at += 1
    if tokens[at].text == "(":
        at = partner(tokens, at) or at
        following = tokens[at + 1] if at + 1 < len(tokens) else tokens[at]
        if following.text == "(" or (following.kind != "sign" and following.ends_operand):  # a cast
            return _right_unary(tokens, at + 1)
    while at + 1 < len(tokens):
        following = tokens[at + 1]
        if following.text in ("(", "["):
            at = partner(tokens, at + 1) or len(tokens) - 1
        elif following.text in (".", "->"):
            at = min(at + 2, len(tokens) - 1)
        elif following.text in ("++", "--"):
            at += 1
        else:
            break
    return at


def read_from_disk(file: str) -> str:
    """The text of a file, or '' when it cannot be read: then nothing is shown."""
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """The texts of all files that locations may name, read when first asked for."""

    read: Callable[[str], str] = read_from_disk
    enumerators: Mapping[str, int] = field(default_factory=dict)  # from the debug information
    _files: dict[str, CText] = field(default_factory=dict)

    def file(self, name: str) -> CText:
        if name not in self._files:
            self._files[name] = CText(name, self.read(name))
        return self._files[name]

    def line(self, place: Location) -> str:
        return self.file(place.file).line(place.line)

    def rest_of_line(self, place: Location) -> str:
        """The line from this column on."""
        return self.line(place)[max(place.column - 1, 0) :]

    def condition(self, place: Location) -> str:
        """The expression at a place; the whole line when none is found."""
        found = self.file(place.file).condition(place.line, place.column)
        return found or self.line(place).strip()

    def controlling(self, place: Location) -> str:
        found = self.file(place.file).controlling(place.line, place.column)
        return found or self.line(place).strip()

    def negated(self, place: Location) -> str:
        return self.file(place.file).negated(place.line, place.column)

    def chooser(self, place: Location) -> str:
        return self.file(place.file).chooser(place.line, place.column)

    def may_hold_conditional(self, place: Location) -> bool:
        return self.file(place.file).may_hold_conditional(place.line, place.column)

    def right_operand(self, place: Location) -> tuple[Location, str] | None:
        return self.file(place.file).right_operand(place.line, place.column)

    def case_labels(self, place: Location) -> tuple[CaseLabel, ...]:
        return self.file(place.file).case_labels(place.line, place.column)

    def value(self, label: str, file: str) -> int | None:
        """The number that a case label stands for, where the text tells."""
        for _ in range(8):  # macros that name macros
            bare = re.sub(r"^\((.*)\)$", r"\1", label.strip())
            value = literal_value(bare)
            if value is None:
                value = self.enumerators.get(bare)
            if value is not None or bare not in self.file(file).macros:
                return value
            label = self.file(file).macros[bare]
        return None
