"""The sides of branches in words of the C: `a > 3 is true`, `case GREEN (5)`."""

from __future__ import annotations

from tightrope.coverage.criteria.branch import Branch
from tightrope.coverage.criterion import Subject
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.flow.points import number_points
from tightrope.program.ir.model import Function
from tightrope.program.marks.regions import label_blocks


def read_sides(function: Function, source: SourceText) -> dict[tuple[str, int], tuple[Location, str]]:
    """By block and side: where the branch is, and what is so when this side is taken, as the criterion `branch` has
    it. Branches that are no objectives are not there."""
    points = number_points([function])
    places = {number: (block, side) for (_, block, side), number in points.numbers.items() if side is not None}
    subject = Subject(function, points, source, label_blocks=label_blocks(function))
    return {places[each.points[0]]: (each.location, each.text) for each in Branch().find_objectives(subject)}
