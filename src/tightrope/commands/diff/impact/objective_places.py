"""The places in the code that decide an objective: what a run does there determines whether it covers the objective.

branch, statement        the end of its block, the blocks of its line
decisions                the marks of all conditions of the decision, because together they form a vector
labels                   the code of the predicate
definition and use       the marks of all definitions and uses of the variable
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.coverage.objective import Objective
from tightrope.program.flow.points import Points
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH, Marks


@dataclass(slots=True)
class ObjectivePlaces:
    """The places of the objectives of one version."""

    code: NumberedCode
    points: Points
    marks: Marks
    _of_point: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _own: dict[int, tuple[int, ...]] = field(default_factory=dict)  # of blocks and flows: the distinguishing places

    def __post_init__(self) -> None:
        for (function, block, side), point in self.points.numbers.items():
            if function in self.code.first_block:
                number = self.code.flows[function].numbers[block]
                end, whole = self.code.last(function, number), self.code.block(function, number)
                self._of_point[point] = (
                    (whole, end) if side is None else (end,)
                )  # a block counts if completely executed
                if side is None:
                    self._own[point] = (whole,)
        marks, regions = self._marks(), self._regions()
        for number, points in enumerate(self.points.vectors):
            first = self.marks.first_condition(number)
            count = len(self.marks.decisions[number].conditions)
            places = tuple(place for each in range(first, first + count) for place in marks.get((CONDITION, each), ()))
            self._of_point.update(dict.fromkeys(points, places))
        for number, point in enumerate(self.points.labels):
            self._of_point[point] = tuple(regions.get(number, ()))
        for flow, point in zip(self.marks.flows, self.points.flows, strict=True):
            variable = self.marks.accesses[flow.use].variable
            numbers = [at for at, each in enumerate(self.marks.accesses) if each.variable == variable]
            self._of_point[point] = tuple(place for each in numbers for place in marks.get((REACH, each), ()))
            both = (flow.definition, flow.use)
            self._own[point] = tuple(place for each in both for place in marks.get((REACH, each), ()))

    def own(self, objective: Objective) -> frozenset[int] | None:
        """The places that distinguish it from other objectives."""
        if self.of(objective) is None:
            return None
        places = [self._own.get(point, self._of_point[point]) for point in objective.points]
        return frozenset(place for each in places for place in each)

    def of(self, objective: Objective) -> frozenset[int] | None:
        """Its places; None if they are not known."""
        if any(not self._of_point.get(point) for point in objective.points):
            return None
        return frozenset(place for point in objective.points for place in self._of_point[point])

    def _marks(self) -> dict[tuple[str, int], list[int]]:
        found: dict[tuple[str, int], list[int]] = {}
        for place, each in enumerate(self.code.instructions):
            if each.callee in (CONDITION, REACH):
                found.setdefault((each.callee, int(each.arguments[0].value.text)), []).append(place)
        return found

    def _regions(self) -> dict[int, list[int]]:
        """A region with branches spans several blocks; its end has the result."""
        found: dict[int, list[int]] = {}
        for place, (label, each) in enumerate(zip(self.code.labels, self.code.instructions, strict=True)):
            if each.callee in (LABEL_BEGIN, LABEL_END):
                label = int(each.arguments[0].value.text)
            if label is not None:
                found.setdefault(label, []).append(place)
        return found
