"""Answers queries by evaluating known inputs instead of solving.

Two sources, cheapest first:
- inputs *known* to satisfy all of a group (bases and models of earlier queries about it); only the target has to be
  evaluated on them;
- *variations* of the base: one slot of the target set to a value that the target itself suggests (`guess_values`).

It can only find models, never refute.
"""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.expr.compiled import Predicates
from tightrope.solving.local_search.guesses import guess_values
from tightrope.solving.path_condition import Conjunction
from tightrope.solving.query import Answer, Query, Sat, overlay, restrict
from tightrope.solving.solver import Solver, SolverStatistics

KEPT = 8  # known inputs per group; evaluating more rarely pays off


class Reuse:
    __slots__ = ("_below", "_known", "_predicates", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics
        self._predicates = Predicates()
        self._known: dict[Conjunction, list[Sequence[int]]] = {}

    def ask(self, query: Query) -> Answer:
        values = self._recalled(query) or self._varied(query)
        if values is not None:
            self.statistics.reuse_hits += 1
            return Sat(restrict(values, query.slots))
        answer = self._below.ask(query)
        if isinstance(answer, Sat):
            self._remember(query.condition, overlay(query.base, answer.model))
        return answer

    def _recalled(self, query: Query) -> Sequence[int] | None:
        known = self._known.get(query.condition)
        if known is None:
            self._known[query.condition] = [query.base]
            return None
        holds, target = self._predicates.holds, query.target
        for values in known:
            if holds(target, values):
                return values
        return None

    def _varied(self, query: Query) -> Sequence[int] | None:
        for slot, value in guess_values(query.target, query.base):
            values = list(query.base)
            values[slot] = value
            if self._satisfies(query, values, 1 << slot):
                self._remember(query.condition, values)
                return values
        return None

    def _satisfies(self, query: Query, values: Sequence[int], changed: int) -> bool:
        """True if the base with some changed slots is a model; constraints on other slots still hold."""
        holds = self._predicates.holds
        return bool(holds(query.target, values)) and all(
            holds(term, values) for term in query.condition.constraints if term.support & changed
        )

    def _remember(self, condition: Conjunction, values: Sequence[int]) -> None:
        known = self._known.setdefault(condition, [])
        known.append(values)
        if len(known) > KEPT:
            del known[0]
