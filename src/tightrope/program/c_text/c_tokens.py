"""C text -> tokens, for showing the user's own words back to them.

This is no parser: directives and comments are skipped, macros are not expanded. Nothing that is
decided about a program depends on it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

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
