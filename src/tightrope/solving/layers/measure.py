"""The two ends of a chain: counts queries at the top, and measures the time of the solver at the bottom."""

from __future__ import annotations

from time import perf_counter

from tightrope.solving.query import Answer, Query, Sat, Unsat
from tightrope.solving.solver import Solver, SolverStatistics


class Counted:
    __slots__ = ("_below", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        statistics = self.statistics
        statistics.queries += 1
        answer = self._below.ask(query)
        kind = type(answer)
        if kind is Sat:
            statistics.sat += 1
        elif kind is Unsat:
            statistics.unsat += 1
        else:
            statistics.unknown += 1
        return answer


class Timed:
    __slots__ = ("_below", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        start = perf_counter()
        answer = self._below.ask(query)
        self.statistics.solver_seconds += perf_counter() - start
        self.statistics.solver_queries += 1
        return answer
