"""Writes each query and its answer as one line. Can stand anywhere in the chain."""

from __future__ import annotations

from collections.abc import Callable

from tightrope.expr.show import show
from tightrope.solving.query import Answer, Query, Sat, Unsat
from tightrope.solving.solver import Solver, SolverStatistics


class Log:
    __slots__ = ("_below", "_write", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics, write: Callable[[str], object]) -> None:
        self._below = below
        self._write = write
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        answer = self._below.ask(query)
        constraints = " and ".join(show(term) for term in query.condition.constraints) or "nothing"
        self._write(f"{_spelled(answer)}  {show(query.target)}  given {constraints}")
        return answer


def _spelled(answer: Answer) -> str:
    if isinstance(answer, Sat):
        return f"sat {dict(sorted(answer.model.items()))}"
    return "unsat" if isinstance(answer, Unsat) else f"unknown ({answer.reason.sentence})"
