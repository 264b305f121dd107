"""Makes a program smaller as long as it is still of interest: whole functions first, then statements, then conditions.

Only for texts with marks (tests/agreement/twin.py), where `cvise` and `creduce` are not installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_START = re.compile(r"[{};]\s*")


def reduce_text(text: str, is_interesting: Callable[[str], bool], most_trials: int = 200) -> str:
    """Try to leave out each piece, the longest first, again and again until nothing can be left out."""
    trials, has_changed = 0, True
    while has_changed:
        has_changed = False
        for start, end, instead in sorted(find_pieces(text), key=lambda piece: piece[0] - piece[1]):
            shorter = text[:start] + instead + text[end:]
            if trials >= most_trials:
                return text
            trials += 1
            if is_interesting(shorter):
                text, has_changed = shorter, True
                break
    return text


def find_pieces(text: str) -> Iterator[tuple[int, int, str]]:
    """Statements, definitions and blocks, each with what may stand in its place; marks in them are balanced."""
    for found in _START.finditer(text):
        end = _statement_end(text, found.end())
        if end > found.end() and _is_balanced(text[found.end() : end]):
            yield found.end(), end, ""
            opening = text.find("{", found.end(), end)
            if 0 <= opening < end and text[found.end() :].startswith("if"):
                yield found.end(), end, text[opening:end]  # the block alone


def _statement_end(text: str, start: int) -> int:
    """Behind the `;` or the closing brace of what starts here; `else` belongs to it."""
    depth = 0
    for at in range(start, len(text)):
        letter = text[at]
        depth += (letter in "({[") - (letter in ")}]")
        if depth < 0:
            return start
        if depth == 0 and (letter == ";" or (letter == "}" and not re.match(r"\s*(else|while|;)", text[at + 1 :]))):
            return at + 1
    return start


def _is_balanced(piece: str) -> bool:
    depth = 0
    for letter in piece:
        depth += (letter == "«") - (letter == "»")
        if depth < 0:
            return False
    return depth == 0
