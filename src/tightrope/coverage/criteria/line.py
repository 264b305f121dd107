"""Line coverage: every line with code is executed.

Counted as gcov counts it: several statements on one line are one objective, which any of them covers, and a statement
over several lines is several. The closing brace has code where control comes together or the function ends.
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.coverage.criterion import NO_MARKS, Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.location import Location


class Line:
    """One objective per source line with code in the function; any block with that line covers it."""

    name: ClassVar[str] = "line"
    help: ClassVar[str] = "every source line with code is executed, as gcov counts lines"
    needs: ClassVar[frozenset[Need]] = NO_MARKS

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        lines = _points_by_line(subject)
        return number_equals(_objective(subject, place, points) for place, points in sorted(lines.items()))


def _points_by_line(subject: Subject) -> dict[Location, list[int]]:
    """The points of the blocks with code of each line."""
    lines: dict[Location, list[int]] = {}
    for block in subject.function.blocks:
        places = block.places
        if not places and block.name not in subject.label_blocks:
            places = tuple(each.location for each in block.instructions if each.location)
        for place in {Location(place.file, place.line) for place in places if place.line}:
            lines.setdefault(place, []).append(subject.point(block.name))
    return lines


def _objective(subject: Subject, place: Location, points: list[int]) -> Objective:
    shown = subject.source.line(place).strip()
    return Objective(
        id=f"{subject.name}:line:{relative_place(place, subject.first)}",
        criterion=Line.name,
        kind="line",
        location=place,
        text=shown or f"line {place.line}",
        points=tuple(points),
        sentence=f"no test executes line {place.line}",
    )
