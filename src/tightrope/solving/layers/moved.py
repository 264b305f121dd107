"""Answers queries about many inputs by moving inputs together, before a solver is asked.

A checksum over a thousand bytes, or the energy of a filtered signal, is tens of thousands of operators, which take a
solver seconds or more; but often some slot can simply have what a condition wants, or all samples another value
(`local_search/moves_together.py`).

It can only find models, never refute, and each is evaluated before it counts. After some unsuccessful searches there
are no more.
"""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.expr.evaluate import ValuesAt
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.solving.local_search.moves_together import LEAST_SLOTS, find_model_together
from tightrope.solving.query import Answer, Query, Sat, restrict
from tightrope.solving.solver import Solver, SolverStatistics

LARGE = 2_000  # operators of a query that is worth it; those that are slow for solvers count as more
SLOW = 30
SLOW_FLOATS = tuple(op for op in Op if Op.F_ADD <= op <= Op.F_FMA)
COST = dict.fromkeys((Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, *SLOW_FLOATS), SLOW)
EFFORT = 600_000  # terms evaluated
TRIES, TRIES_PER_HIT = 8, 4  # unsuccessful searches allowed: at first, and more for each success


class Moved:
    __slots__ = ("_below", "_left", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self._left = TRIES
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        return self._found(query) or self._below.ask(query)

    def _found(self, query: Query) -> Sat | None:
        support = query.condition.support | query.target.support
        if self._left <= 0 or support.bit_count() < LEAST_SLOTS or not is_large(reversed(query.constraints)):
            return None
        values = find_model_together(query, EFFORT)
        is_hit = values is not None and all(map(ValuesAt(values), query.constraints))
        self._left = min(TRIES, self._left + TRIES_PER_HIT) if is_hit else self._left - 1
        self.statistics.moved_hits += is_hit
        return Sat(restrict(values, query.slots)) if values is not None and is_hit else None


def is_large(terms: Iterable[Term]) -> bool:
    """Whether they have so many operators together; of large ones, not all are looked at."""
    seen: set[Term] = set()
    left = LARGE
    for root in terms:
        stack = [] if root in seen else [root]
        seen.add(root)
        while stack and left >= 0:
            term = stack.pop()
            left -= COST.get(term.op, 1)
            fresh = [arg for arg in dict.fromkeys(term.args) if arg not in seen]
            seen.update(fresh)
            stack.extend(fresh)
        if left < 0:
            return True
    return False
