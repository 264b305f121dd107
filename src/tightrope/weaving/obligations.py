"""Which points a run may hit because of a label, or of the value that a condition has."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.program.decisions.boolean_tree import Vector, vectors
from tightrope.program.decisions.decisions import Decision
from tightrope.program.flow.points import Points
from tightrope.program.marks.marks import Marks


def points_of_obligations(marks: Marks, points: Points) -> tuple[tuple[int, int], ...]:
    """Masks by number of the obligation (labels first, then the conditions of all decisions): when it is false, and
    when it is true. A label has its one point in both."""
    labels = [(1 << point, 1 << point) for point in points.labels]
    decisions = zip(marks.decisions, points.vectors, strict=True)
    return (*labels, *(masks for decision, numbers in decisions for masks in _of_conditions(decision, numbers)))


def _of_conditions(decision: Decision, points: range) -> Iterator[tuple[int, int]]:
    found = list(zip(vectors(decision.tree, decision.constants), points, strict=True)) if points else []
    for condition in range(len(decision.conditions)):
        yield _mask(found, condition, False), _mask(found, condition, True)


def _mask(found: list[tuple[Vector, int]], condition: int, value: bool) -> int:
    return sum(1 << point for vector, point in found if vector.values[condition] is value)
