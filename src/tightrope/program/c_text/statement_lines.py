"""Which lines of a C file belong to one statement.

Two compilers put the branches of `if (a &&` / `    b)` on different lines, but on lines of the same statement.
Like everything that only looks at the text, this decides nothing about a program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tightrope.program.c_text.c_tokens import Token, partner, read_tokens

_HEADS = ("if", "while", "for", "switch")


def first_lines(text: str) -> Mapping[int, int]:
    """Line -> the first line of what it belongs to, for lines that go on with something begun above them."""
    tokens = read_tokens(text)
    found: dict[int, int] = {}
    for first, last in _pieces(tokens, _lines(text, tokens)):
        start = found.get(first, first)
        found |= dict.fromkeys(range(first + 1, last + 1), start)
    return found


def _lines(text: str, tokens: tuple[Token, ...]) -> list[int]:
    """The line of each token."""
    lines, line, at = [], 1, 0
    for token in tokens:
        line += text.count("\n", at, token.start)
        at = token.start
        lines.append(line)
    return lines


def _pieces(tokens: tuple[Token, ...], lines: list[int]) -> Iterator[tuple[int, int]]:
    """The first and last line of each statement, head of a loop and so on."""
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
