"""Places as numbers of tokens: two preprocessed texts of one function may differ in white space, never in tokens."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|^#.*$|\S', re.MULTILINE)
_BEFORE_BODY = re.compile(r"\s*(?!;)[\w\s,;*\[\]]*\{")  # an old-style definition declares its parameters there
_WORD = re.compile(r"TIGHTROPE_MARK_(\d+)(?:_(\d+))?$|TIGHTROPE_MARK_END$")

Span = tuple[int, int]  # number of the first token, and of the first one behind


@dataclass(frozen=True)
class Tokens:
    """The tokens of one stretch of a text."""

    words: tuple[str, ...]
    starts: tuple[int, ...]  # where each one starts in the text

    def number_at(self, position: int) -> int:
        """The first token that starts at the position or behind it."""
        return bisect_left(self.starts, position)

    def span(self, start: int, end: int) -> Span:
        return self.number_at(start), self.number_at(end)


def read_tokens(text: str, start: int, end: int) -> Tokens:
    found = [each for each in _TOKEN.finditer(text, start, end) if not each[0].startswith("#")]
    words = ('""' if each[0].startswith('"') else each[0] for each in found)  # __FILE__ depends on who asks
    return Tokens(tuple(words), tuple(each.start() for each in found))


def body_of(text: str, function: str) -> tuple[int, int]:
    """From the function's opening brace to behind its closing one, in a preprocessed text."""
    for head in re.finditer(rf"\b{re.escape(function)}\s*\(", text):
        close = _matching(text, head.end() - 1, "()")
        opening = _BEFORE_BODY.match(text, close)
        if opening:
            return opening.end() - 1, _matching(text, opening.end() - 1, "{}")
    raise ValueError(f"{function} is not defined in the text")


def _matching(text: str, opening: int, pair: str) -> int:
    """Behind the bracket that closes the one at `opening`."""
    depth = 0
    for token in _TOKEN.finditer(text, opening):
        depth += (token[0] == pair[0]) - (token[0] == pair[1])
        if not depth:
            return token.end()
    raise ValueError("a bracket is not closed")


def without_marks(tokens: Tokens) -> tuple[tuple[str, ...], dict[tuple[int, int | None], Span]]:
    """The words without the marks, and the spans that the marks enclose, by decision and condition."""
    words: list[str] = []
    spans: dict[tuple[int, int | None], Span] = {}
    opened: list[tuple[tuple[int, int | None], int]] = []
    for word in tokens.words:
        mark = _WORD.match(word)
        if not mark:
            words.append(word)
        elif mark[1]:
            opened.append(((int(mark[1]), int(mark[2]) if mark[2] else None), len(words)))
        else:
            key, start = opened.pop()
            spans[key] = (start, len(words))
    return tuple(words), spans
