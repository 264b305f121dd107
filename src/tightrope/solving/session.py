"""A session: one large formula in one solver, and many queries about it, posed as assumptions.

    session = start_session()
    session.assert_always(precondition)
    session.ask([point])                     Sat(model) | Unsat(core) | SolverUnknown(reason)
    session.value(other_point)               under the model just found

Laws (tests/contracts/test_session.py), kept by every back end:
- a model satisfies everything asserted and assumed, and has a value for exactly the slots that these mention;
- `Unsat` is always correct; its core is a subset of the assumptions that contradicts the assertions. An empty core: the
  assertions contradict themselves;
- no exception for a query that is merely hard: the answer is `SolverUnknown`, and it does not affect the next query (a
new
  solver is created with the assertions).

The whole-unit encoding uses sessions; a search along paths uses a `Solver`, which is incremental along a path.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Protocol

from tightrope.expr.evaluate import MEANINGS
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, slots_of
from tightrope.solving.query import Answer, Model, Sat, SolverUnknown, Unsat

CALLS = 8  # of the solver for the wishes of one query, besides the first


class Session(Protocol):
    """See the module."""

    def assert_always(self, term: Term) -> None:
        """Assert `term` in every query from now on."""

    def ask(self, assumptions: Sequence[Term], time_limit: float | None = None) -> Answer:
        """Can all of these hold together with the assertions? `time_limit` in seconds, 0 for none; None: the session's
        own."""

    def ask_for_many(
        self, must: Sequence[Term], wished: Sequence[Term], time_limit: float | None = None, calls: int = CALLS
    ) -> Answer:
        """As `ask(must)`, with a model that satisfies many of `wished`, but not the maximum; at most `calls` more
        queries.

        It halves the number of models for all points of a unit, for three times the solver's time."""

    def value(self, term: Term) -> int | None:
        """The value of a term under the last model, with 0 for slots without a value; None if the last answer was not
        `Sat`."""


class SolverSession(ABC):
    """What the sessions of all back ends share: the assertions, the last model, and the restart."""

    def __init__(self, *, time_limit: float = 0.0) -> None:
        self._time_limit = time_limit
        self._asserted: list[Term] = []
        self._support = 0
        self._values: ModelValues | None = None

    def assert_always(self, term: Term) -> None:
        self._asserted.append(term)
        self._support |= term.support

    def ask(self, assumptions: Sequence[Term], time_limit: float | None = None) -> Answer:
        answer = self._decide(assumptions, self._time_limit if time_limit is None else time_limit)
        self._values = ModelValues(answer.model) if isinstance(answer, Sat) else None
        if isinstance(answer, SolverUnknown):
            self._restart()  # do not reuse the state of an interrupted check
        return answer

    def ask_for_many(
        self, must: Sequence[Term], wished: Sequence[Term], time_limit: float | None = None, calls: int = CALLS
    ) -> Answer:
        best = self.ask(must, time_limit)
        if isinstance(best, Sat):
            best = self._improve(best, must, wished, time_limit, calls)
            self._values = ModelValues(best.model)
        return best

    def value(self, term: Term) -> int | None:
        return None if self._values is None else self._values.value(term)

    @abstractmethod
    def _decide(self, assumptions: Sequence[Term], time_limit: float) -> Answer:
        """One query to the solver (created now if there is none), with all assertions."""

    @abstractmethod
    def _restart(self) -> None:
        """Drop the solver; the next query creates another."""

    def _slots(self, assumptions: Sequence[Term]) -> tuple[int, ...]:
        support = self._support
        for term in assumptions:
            support |= term.support
        return slots_of(support)

    def _improve(
        self, best: Sat, must: Sequence[Term], wished: Sequence[Term], time_limit: float | None, calls: int
    ) -> Sat:
        """Greedy: keep what the best model satisfies, and ask for all other wishes in addition. If that is
        unsatisfiable, drop a wish that alone contradicts what is kept; otherwise ask for half of them."""
        kept, open_wishes = _split(best, dict.fromkeys(wished))
        size = len(open_wishes)
        for _ in range(calls):
            if not open_wishes:
                break
            asked = open_wishes[:size]
            answer = self.ask([*must, *kept, *asked], time_limit)
            if isinstance(answer, Sat):
                best = answer
                kept, open_wishes = _split(best, [*kept, *open_wishes])
                size = len(open_wishes)
            else:
                blamed = [wish for wish in asked if isinstance(answer, Unsat) and wish in answer.core]
                if size == 1 or len(blamed) == 1:
                    open_wishes.remove(blamed[0] if blamed else asked[0])
                    size = min(size, len(open_wishes))
                else:
                    size //= 2
        return best


class ModelValues:
    """Values of terms under one model, each computed once.

    Evaluated here, not read from the solver: Bitwuzla evaluates each term it is asked for from its inputs up. The 52
    points of a loop of 40 steps (7,000 terms): 13 ms here, 160 ms there. To read the same terms under hundreds of
    models, `compile_values` is faster (84 ms once, then 0.2).
    """

    __slots__ = ("_known", "model")

    def __init__(self, model: Model) -> None:
        self.model = model
        self._known: dict[Term, int] = {}

    def value(self, root: Term) -> int:
        known, stack = self._known, [root]
        while stack:
            term = stack[-1]
            if term in known:
                stack.pop()
                continue
            missing = [arg for arg in term.args if arg not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[term] = self._computed(term)
        return known[root]

    def _computed(self, term: Term) -> int:
        if term.op is Op.INPUT:
            return self.model.get(term.number, 0) & ((1 << term.bits) - 1)
        known = self._known
        return MEANINGS[term.op](term, *[known[arg] for arg in term.args])


def _split(best: Sat, wished: Iterable[Term]) -> tuple[list[Term], list[Term]]:
    """The wishes that a model satisfies, and the others."""
    values = ModelValues(best.model)
    satisfied: list[Term] = []
    others: list[Term] = []
    for wish in wished:
        (satisfied if values.value(wish) else others).append(wish)
    return satisfied, others
