"""C as the user wrote it, for display: tokens, the text of an expression, the lines of a statement.

This is not a parser: directives and comments are skipped, macros are not expanded. No verdict depends on it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from tightrope.location import Location

STATEMENT_WORDS = frozenset(
    ("if", "else", "while", "do", "for", "switch", "case", "default", "return", "goto", "break", "continue")
)

WORD = re.compile(r"[A-Za-z_]\w*")  # a name or keyword, in text that need not be read token by token
_TOKEN = re.compile(
    r"""
      (?P<skip>    [ \t\r\f\v\n]+ | \\\r?\n | /\*.*?(?:\*/|\Z) | //(?:\\\r?\n|[^\n])* )
    | (?P<text>    (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"? )
    | (?P<char>    (?:u8|[uUL])?'(?:\\.|[^'\\\n])*'? )
    | (?P<number>  \.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])* )
    | (?P<word>    [A-Za-z_$\x80-\U0010ffff][\w$]* )
    | (?P<sign>    \.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|. )
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|/\*.*?\*/|[^\n])*", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # text, char, number, word, sign
    text: str
    start: int  # offset of the first character

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def ends_operand(self) -> bool:
        """True when an operator after this token would be binary (or postfix)."""
        if self.kind == "word":
            return self.text not in STATEMENT_WORDS and self.text != "sizeof"
        return self.kind != "sign" or self.text in (")", "]", "++", "--")


def read_tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a C text, without comments and preprocessor lines."""
    blank = _DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    return tuple(
        Token(found.lastgroup or "", found.group(), found.start())
        for found in _TOKEN.finditer(blank)
        if found.lastgroup != "skip"
    )


@lru_cache(maxsize=4)
def read_file_tokens(text: str) -> tuple[Token, ...]:
    """Those of a whole file, which every function of the file asks about."""
    return read_tokens(text)


def token_at(tokens: tuple[Token, ...], offset: int) -> int | None:
    """The index of the token that covers the offset."""
    index = bisect_right(tokens, offset, key=lambda token: token.start) - 1
    return index if index >= 0 and offset < tokens[index].end else None


_OPENING = {")": "(", "]": "[", "}": "{"}
_CLOSING = {opening: closing for closing, opening in _OPENING.items()}


def partner(tokens: tuple[Token, ...], index: int) -> int | None:
    """The index of the bracket that matches the one at `index`."""
    forward = tokens[index].text in _CLOSING
    other = _CLOSING[tokens[index].text] if forward else _OPENING[tokens[index].text]
    depth = 0
    for at in range(index, len(tokens) if forward else -1, 1 if forward else -1):
        if tokens[at].kind == "sign":
            depth += (tokens[at].text == tokens[index].text) - (tokens[at].text == other)
            if not depth:
                return at
    return None


def literal_value(text: str) -> int | None:
    """The number that a C integer or character literal (with signs) stands for."""
    sign, digits = (-1, text[1:].strip()) if text.startswith("-") else (1, text)
    if digits.startswith("'"):
        return _character_value(digits, sign)
    digits = digits.rstrip("uUlL")
    try:
        if re.fullmatch(r"0[0-7]+", digits):
            return sign * int(digits, 8)
        return sign * int(digits, 0) if digits[:1].isdigit() else None
    except ValueError:
        return None


_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}


def _character_value(text: str, sign: int) -> int | None:
    body = text[1:-1]
    if len(body) == 1:
        return sign * ord(body) if ord(body) < 128 else None
    if not body.startswith("\\"):
        return None
    if re.fullmatch(r"[0-7]{1,3}", body[1:]):
        return sign * int(body[1:], 8)
    if re.fullmatch(r"x[0-9a-fA-F]{1,2}", body[1:]):
        return sign * int(body[2:], 16)
    return sign * _ESCAPES.get(body[1], ord(body[1])) if len(body) == 2 else None


# --- the text of an expression: `x == NULL`, and not `x == ((void *)0)`

ReadLines = Callable[[str], list[bytes] | None]

_MOST_LINES = 40  # lines in which the arguments of a macro must end

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\\\r?\n", re.DOTALL)
_BRACKETS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[()\[\]{}]|\n[ \t]*#')


def own_words(start: Location, end: Location, is_macro: bool, read: ReadLines) -> str:
    """The text between two places of the user's file, on one line; `is_macro`: it ends with the name of a macro, whose
    arguments belong to it. '' if the text is not an expression, which macros can cause."""
    lines = read(start.file)
    if lines is None or not start.column or end.line > len(lines):
        return ""
    rest = [lines[end.line - 1][end.column - 1 :], *lines[end.line : end.line + _MOST_LINES]] if is_macro else []
    written = _cut(lines, start.line, start.column, end.line, end.column)
    text = written + _arguments(b"\n".join(rest).decode("utf-8", "replace"))
    return " ".join(_COMMENT.sub(" ", text).split()) if _is_whole(text) else ""


def _cut(lines: list[bytes], line: int, column: int, last_line: int, last_column: int) -> str:
    """From one place to just before the other. The compiler counts bytes."""
    chosen = lines[line - 1 : last_line]
    if not chosen:
        return ""
    chosen[-1] = chosen[-1][: last_column - 1]
    chosen[0] = chosen[0][column - 1 :]
    return b"\n".join(chosen).decode("utf-8", "replace")


def _arguments(rest: str) -> str:
    """`(a, b)` behind the name of a macro that has arguments."""
    if not rest.lstrip().startswith("("):
        return ""
    depth = 0
    for found in _BRACKETS.finditer(rest):
        depth += (found.group() == "(") - (found.group() == ")")
        if not depth:
            return rest[: found.end()]
    return ""


def _is_whole(text: str) -> bool:
    """Every bracket has its partner, and no directive is in between."""
    opened: list[str] = []
    for found in _BRACKETS.finditer(_COMMENT.sub(" ", text)):
        sign = found.group()
        if "#" in sign and sign[0] == "\n":
            return False
        if sign in "([{":
            opened.append(sign)
        elif sign in ")]}" and (not opened or opened.pop() != _OPENING[sign]):
            return False
    return bool(text.strip()) and not opened


# --- the lines of a statement

_HEADS = ("if", "while", "for", "switch")


@lru_cache(maxsize=4)
def first_lines(text: str) -> Mapping[int, int]:
    """Line -> the first line of the statement or head of a statement that it belongs to, for lines that continue one.

    Two compilers put the branches of `if (a &&` / `    b)` on different lines, but on lines of the same statement.
    """
    tokens = read_file_tokens(text)
    found: dict[int, int] = {}
    for first, last in _statements(tokens, _lines_of(text, tokens)):
        start = found.get(first, first)
        found |= dict.fromkeys(range(first + 1, last + 1), start)
    return MappingProxyType(found)


def _lines_of(text: str, tokens: tuple[Token, ...]) -> list[int]:
    """The line of each token."""
    lines, line, at = [], 1, 0
    for token in tokens:
        line += text.count("\n", at, token.start)
        at = token.start
        lines.append(line)
    return lines


def _statements(tokens: tuple[Token, ...], lines: list[int]) -> Iterator[tuple[int, int]]:
    """The first and last line of each statement, or of its head: `if (...)`, `else`, `{`."""
    first, at = 0, 0
    while at < len(tokens):
        if tokens[at].text in ("(", "["):
            is_head = at > 0 and tokens[at - 1].text in _HEADS
            at = partner(tokens, at) or len(tokens) - 1
        else:
            is_head = False
        if is_head or tokens[at].text in (";", "{", "}", "else", "do"):
            yield lines[first], lines[at]
            first = at + 1
        at += 1
