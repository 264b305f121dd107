"""Paranoid mode: asks a second solver, too. If one says sat and the other unsat, we or a solver have a bug."""

from __future__ import annotations

from tightrope.errors import InternalError
from tightrope.expr.show import show
from tightrope.solving.query import Answer, Query, Sat, Unsat
from tightrope.solving.solver import Solver, SolverStatistics


class CrossCheck:
    """The first solver's answer counts; if it has none, the second's."""

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
