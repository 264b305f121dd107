"""Paranoid mode: evaluates every model on every constraint before it is used."""

from __future__ import annotations

from tightrope.errors import InternalError
from tightrope.expr.evaluate import holds
from tightrope.expr.show import show
from tightrope.solving.query import Answer, Query, Sat, overlay
from tightrope.solving.solver import Solver, SolverStatistics


class Validate:
    __slots__ = ("_below", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        answer = self._below.ask(query)
        if isinstance(answer, Sat):
            values = overlay(query.base, answer.model)
            for term in query.constraints:
                if not holds(term, values):
                    raise InternalError(f"the solver's model {dict(answer.model)} does not satisfy {show(term)}")
        return answer
