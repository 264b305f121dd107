"""Objective: what the report counts. Plain data; its verdict is in the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import PurePath

from tightrope.location import Location


class Relation(Enum):
    """How the obligations of an objective, each a point that a run can hit, make it covered."""

    ANY = "any"  # one run hits one of the points
    ALL = "all"  # every point is hit, each by any run
    PAIR = "pair"  # both points of one of the pairs are hit, by two runs or by one
    SEQUENCE = "sequence"  # one run does one thing and then another: a point is hit when both are done


@dataclass(frozen=True, slots=True)
class Objective:
    """Something that a test should do.

    Its id stays the same when the file is edited elsewhere: it holds the place relative to the first
    line of the function, never a running number over the file.
    """

    id: str  # 'grade:branch:+2.19:true'
    criterion: str
    kind: str  # branch: 'true', 'false', 'case', 'default'; statement: 'line'
    location: Location
    text: str  # 'a > 3 is true', 'case GREEN (5)', 'default', 'line 12'
    points: tuple[int, ...]  # what runs can hit; the relation says how many of them are needed
    sentence: str  # what is missing while it is not covered
    is_constant: bool = False  # a constant condition excludes it: no run can cover it
    relation: Relation = Relation.ANY
    pairs: tuple[tuple[int, int], ...] = ()  # of a PAIR; `points` holds their points
    problem: str = ""  # why runs cannot show whether it is covered; then it has no points
    is_error: bool = False  # a run-time error: only for these, runs that crash count
    change: tuple[str, str] = ("", "")  # of a mutant: lines of C, and what they are in the mutant; '' inside of a macro

    @property
    def mask(self) -> int:
        """The points as a bit mask."""
        return sum(1 << point for point in set(self.points))


def relative_place(place: Location, first: Location) -> str:
    """`place` as seen from the first line of its function: '+2.19', or 'body.inc.7.3' in another file."""
    column = f".{place.column}" if place.column else ""
    if place.file != first.file:
        return f"{PurePath(place.file).name}.{place.line}{column}"
    return f"{place.line - first.line:+d}{column}"


def number_equals(objectives: Iterable[Objective]) -> tuple[Objective, ...]:
    """The same objectives with an ordinal (`#2`, `#3`, ...) where ids are equal.

    All conditions of one macro expansion share one place; they come in evaluation order.
    """
    seen: Counter[str] = Counter()
    numbered = []
    for objective in objectives:
        seen[objective.id] += 1
        ordinal = seen[objective.id]
        numbered.append(replace(objective, id=f"{objective.id}#{ordinal}") if ordinal > 1 else objective)
    return tuple(numbered)
