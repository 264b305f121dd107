"""Searches for a model itself if the solver gave up: floats, products, hash-like mixing of bits.

An input is moved downhill on the branch distances of the query (package `local_search`). The search starts at the base,
then at earlier models, then at random inputs.

For queries with float arithmetic, it also searches briefly before the solver is asked: a solver expands a float
operator into thousands of gates, and needs seconds for what a few steps downhill often find in milliseconds.

It can only find models, never refute. Its budget is a part of the solver's time limit, counted in operators and not in
seconds, and random inputs depend only on the seed: the same query with the same history gets the same answer. Queries
with so many operators that only few inputs could be tried are skipped, and after some unsuccessful searches there are
no more.
"""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.deadline import NEVER, Deadline
from tightrope.expr.evaluate import holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.solving.local_search.constraint_distances import ConstraintDistances
from tightrope.solving.local_search.descent import Effort
from tightrope.solving.local_search.find_model import find_model
from tightrope.solving.query import Answer, Query, Sat, SolverUnknown, overlay, restrict
from tightrope.solving.solver import Solver, SolverStatistics

CALCULATIONS = frozenset(op for op in Op if Op.F_ADD <= op <= Op.F_FMA or Op.F_RESIZE <= op <= Op.F_TO_UNSIGNED)
OPERATORS_PER_SECOND = 200_000  # of the solver's time limit: uses about a fifth of that time
WITHOUT_LIMIT = 5.0  # seconds assumed for a solver without a time limit
BRIEF = 20_000  # operators before the solver is asked: at most about twenty milliseconds
TRIES, TRIES_PER_HIT = 8, 4  # unsuccessful searches allowed: at first, and more for each success
FEWEST_INPUTS = 100  # that must be affordable: otherwise the query is skipped
KEPT = 4  # earlier models to start from


class Patience:
    """Ends after some unsuccessful searches: local search does not suit the program."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = TRIES

    @property
    def is_over(self) -> bool:
        return self._left <= 0

    def note(self, is_hit: bool) -> None:
        if not self.is_over:
            self._left = min(TRIES, self._left + TRIES_PER_HIT) if is_hit else self._left - 1


class Calculations:
    """Which terms contain float arithmetic, not only comparisons.

    Each term is visited once, however many targets contain it, and only a part of a huge target: a search without
    floats must not be slowed down. `most` is the largest number of terms in a target: one with more counts as without
    arithmetic.
    """

    __slots__ = ("_calculating", "_most", "_others")

    def __init__(self, most: int) -> None:
        self._most = most
        self._calculating: set[Term] = set()
        self._others: set[Term] = set()

    def are_in(self, target: Term) -> bool:
        if target in self._others or target in self._calculating:
            return target in self._calculating
        seen, stack = {target}, [target]
        while stack and len(seen) <= self._most:
            term = stack.pop()
            if term.op in CALCULATIONS:
                self._calculating.add(target)
                return True
            fresh = [arg for arg in term.args if arg not in seen and arg not in self._others]
            seen.update(fresh)
            stack.extend(fresh)
        self._others |= {target} if stack else seen
        return False


class LocalSearch:
    __slots__ = (
        "_before",
        "_below",
        "_calculations",
        "_deadline",
        "_distances",
        "_effort",
        "_recent",
        "_seed",
        "_usual",
        "statistics",
    )

    def __init__(
        self,
        below: Solver,
        statistics: SolverStatistics,
        *,
        time_limit: float,
        seed: int = 0,
        deadline: Deadline = NEVER,
    ) -> None:
        self._deadline = deadline
        self._below = below
        self.statistics = statistics
        self._effort = int((time_limit or WITHOUT_LIMIT) * OPERATORS_PER_SECOND)
        self._seed = seed
        self._distances = ConstraintDistances()
        self._recent: list[Sequence[int]] = []
        self._calculations = Calculations(BRIEF // FEWEST_INPUTS)
        self._before, self._usual = Patience(), Patience()  # with searches before the solver, and after it

    def ask(self, query: Query) -> Answer:
        answer = self._found_briefly(query) or self._below.ask(query)
        if isinstance(answer, SolverUnknown):
            answer = self._found(query, self._effort, self._usual) or answer
        if isinstance(answer, Sat):
            self._recent = [*self._recent[1 - KEPT :], overlay(query.base, answer.model)]
        return answer

    def _found_briefly(self, query: Query) -> Sat | None:
        if self._before.is_over or not self._calculations.are_in(query.target):
            return None
        return self._found(query, min(BRIEF, self._effort), self._before)

    def _found(self, query: Query, effort: int, patience: Patience) -> Sat | None:
        effort = int(min(effort, max(0.0, self._deadline.left) * OPERATORS_PER_SECOND))
        constraints = (
            None if patience.is_over else self._distances.of_all(reversed(query.constraints), effort // FEWEST_INPUTS)
        )
        if constraints is None:
            return None
        self.statistics.local_searches += 1
        starts = [query.base, *(values for values in reversed(self._recent) if len(values) == len(query.base))]
        values = find_model(query, constraints, starts, Effort(effort), self._seed)
        is_hit = values is not None and all(holds(term, values) for term in query.constraints)
        patience.note(is_hit)
        self.statistics.local_search_hits += is_hit
        return Sat(restrict(values, query.slots)) if values is not None and is_hit else None
