"""Random edits of C programs, by operators like those of mutation testing, for what is said about two versions of a program.

An operator lists every edit of its kind; one operator is drawn, then one of its edits, now and then two at once. Most change
what the program does, those of edits_harmless.py do not.
"""

from __future__ import annotations

import itertools
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
TWICE = 0.25
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
    names = [name for name, edits in found.items() if edits]
    while names:
        name, other = random.choice(names), random.choice(names)
        pieces, more = random.choice(found[name]), random.choice(found[other])
        if random.random() < TWICE and not _overlap((*pieces, *more)):
            name, pieces = f"{name} and {other}", (*pieces, *more)
        yield make_edit(source, name, pieces)


def make_edit(source: Source, name: str, pieces: Sequence[Piece]) -> Edit:
    assert not _overlap(pieces), (name, pieces)
    text = source.text
    for start, end, new in sorted(pieces, reverse=True):
        text = text[:start] + new + text[end:]
    words = [f"`{source.text[start:end]}` -> `{new}`" for start, end, new in pieces[:4]]
    lines = [str(source.text.count("\n", 0, start) + 1) for start, _, _ in pieces[:4]]
    return Edit(name, text, f"{name}, line {' and '.join(dict.fromkeys(lines))}: {', '.join(words)}")


def _overlap(pieces: Sequence[Piece]) -> bool:
    return any(one[1] > other[0] or one[:2] == other[:2] for one, other in itertools.pairwise(sorted(pieces)))
