"""Asks only about the constraints that share slots with the target, directly or through others.

The others already hold for `query.base` and are not affected: the model is overlaid on that input.
"""

from __future__ import annotations

from tightrope.solving.query import Answer, Query
from tightrope.solving.solver import Solver, SolverStatistics


class Independent:
    __slots__ = ("_below", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        target = query.target
        return self._below.ask(Query(query.condition.slice(target.support), target, query.base))
