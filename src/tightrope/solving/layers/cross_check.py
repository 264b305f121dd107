"""Paranoid mode: asks a second solver too; a sat against an unsat is an error of ours or of a solver."""

from __future__ import annotations

from tightrope.errors import InternalError
from tightrope.expr.show import show
from tightrope.solving.query import Answer, Query, Sat, Unsat
from tightrope.solving.solver import Solver, SolverStatistics


class CrossCheck:
    """The first solver's answer counts; where it has none, the second's does."""

    __slots__ = ("_first", "_second", "statistics")

    def __init__(self, first: Solver, second: Solver, statistics: SolverStatistics) -> None:
        self._first = first
        self._second = second
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        first, second = self._first.ask(query), self._second.ask(query)
        if {type(first), type(second)} == {Sat, Unsat}:
            constraints = " and ".join(show(term) for term in query.constraints)
            raise InternalError(f"two solvers disagree ({first} against {second}) on: {constraints}")
        return first if isinstance(first, Sat | Unsat) else second
