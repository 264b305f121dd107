"""Moves one input, slot by slot, towards satisfying all constraints of a query.

    constraints       x * y == 12      x < y           sum
    input x 1, y 9    3 apart          holds           of the (squashed) distances: not 0
          x 2, y 6    holds            holds           0: a model

A move is kept if it makes the sum smaller. Only constraints that contain the moved slot are measured again, and only
until it is clear that a move is bad. The cost is counted in operators, not in seconds: the same query must always give
the same result.
"""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.expr.terms import slots_of
from tightrope.solving.local_search.constraint_distances import ConstraintDistance

NOT_MEASURED = 1.0  # the largest distance


class Effort:
    """What may still be spent, in operators evaluated."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    @property
    def is_spent(self) -> bool:
        return self.left <= 0

    def spend(self, operators: int) -> None:
        self.left -= operators


class Descent:
    __slots__ = ("_by_slot", "_constraints", "_distances", "_failing", "effort", "values")

    def __init__(self, constraints: Sequence[ConstraintDistance], effort: Effort) -> None:
        self._constraints = constraints  # those that reject the most moves should come first
        self._by_slot: dict[int, list[int]] = {}
        for number, constraint in enumerate(self._constraints):
            for slot in slots_of(constraint.term.support):
                self._by_slot.setdefault(slot, []).append(number)
        self.effort = effort
        self.values: list[int] = []
        self._distances: list[float] = []
        self._failing = 0

    def start(self, values: Sequence[int]) -> None:
        self.values = list(values)
        self._distances = [self._measured(constraint) for constraint in self._constraints]
        self._failing = sum(1 for far in self._distances if far)

    @property
    def is_model(self) -> bool:
        """True if every constraint holds."""
        return not self._failing

    @property
    def is_over(self) -> bool:
        return self.effort.is_spent or self.is_model

    @property
    def failing(self) -> list[ConstraintDistance]:
        """The constraints that do not hold yet."""
        return [constraint for constraint, far in zip(self._constraints, self._distances, strict=True) if far]

    def try_move(self, slot: int, value: int) -> bool:
        """Set a slot to a value if that decreases the sum; False: nothing changed."""
        before = self.values[slot]
        if value == before or self.is_over:
            return False
        self.values[slot] = value
        fresh = self._measured_again(self._by_slot[slot])
        if fresh is None:
            self.values[slot] = before
            return False
        for number, far in zip(self._by_slot[slot], fresh, strict=True):
            self._failing += bool(far) - bool(self._distances[number])
            self._distances[number] = far
        return True

    def _measured_again(self, numbers: Sequence[int]) -> list[float] | None:
        """The new distances of these constraints; None as soon as their sum is not smaller than before."""
        distances, constraints = self._distances, self._constraints
        left = sum([distances[number] for number in numbers])
        fresh = []
        for number in numbers:
            far = self._measured(constraints[number])
            fresh.append(far)
            left -= far
            if left <= 0:
                return None
        return fresh

    def _measured(self, constraint: ConstraintDistance) -> float:
        """The distance of a constraint; not measured when the effort is spent, which may happen even in the first pass
        over many constraints."""
        if self.effort.is_spent:
            return NOT_MEASURED
        self.effort.spend(constraint.cost)
        return constraint.at(self.values)
