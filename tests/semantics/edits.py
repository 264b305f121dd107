"""Random edits of C programs, by operators like those of mutation testing, for what is said about two versions of a program.

An operator lists every edit of its kind; one operator is drawn, then one of its edits. Most change what the program does,
those of edits_harmless.py do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from edit_sites import Source
from edits_flow import FLOW
from edits_harmless import HARMLESS
from edits_inside import INSIDE, Edits, Piece
from edits_outside import OUTSIDE

Operators = Mapping[str, Callable[[Source], Edits]]
CHANGING: Operators = {**INSIDE, **FLOW, **OUTSIDE}
__all__ = ["CHANGING", "HARMLESS", "Edit", "Operators", "Source", "draw_edits"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited text."""

    operator: str
    text: str
    words: str  # what became what, for people


def draw_edits(source: Source, random: Random, operators: Operators) -> Iterator[Edit]:
    """Without end, in a random order. Some are no C."""
    found = {name: list(make(source)) for name, make in operators.items()}
    names = [name for name, pieces in found.items() if pieces]
    while names:
        name = random.choice(names)
        yield make_edit(source, name, random.choice(found[name]))


def make_edit(source: Source, name: str, pieces: Sequence[Piece]) -> Edit:
    text, ahead = source.text, len(source.text) + 1
    for start, end, new in sorted(pieces, reverse=True):
        assert end <= ahead, "pieces overlap"
        text, ahead = text[:start] + new + text[end:], start
    words = [f"`{source.text[start:end]}` -> `{new}`" for start, end, new in pieces[:2]]
    line = source.text.count("\n", 0, pieces[0][0]) + 1 if pieces else 0
    return Edit(name, text, f"{name}, line {line}: {', '.join(words)}")
