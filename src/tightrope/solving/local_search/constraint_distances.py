"""How far constraints are from holding, measured for many inputs.

Preparing a measurement pays off only if it is repeated often, and a path may have thousands of constraints over the
same huge terms: so the cost of each, in operators, is determined before anything is prepared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tightrope.expr.compiled import Reading, compile_values
from tightrope.expr.distance import Pair, Plan, compared, follow, operands_of, plan
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

MOST_KEPT = 10_000  # prepared distances
COMPILING = 10  # compiling an operator takes as long as evaluating this many
SLOW = {Op.F_FMA: 20, Op.F_FROM_SIGNED: 10, Op.F_FROM_UNSIGNED: 10}  # count as this many operators
CALLING = 3  # the overhead of a measurement, in operators


class ConstraintDistance:
    """How far one constraint is from holding."""

    __slots__ = ("_is_one_comparison", "_operands", "_plan", "_reading", "size", "term")

    def __init__(self, term: Term, size: int = 0) -> None:
        self.term = term
        self.size = size  # operators, where it matters what a measurement costs
        self._plan: Plan = ()
        self._operands: tuple[Term, ...] = ()
        self._reading: Reading | None = None
        self._is_one_comparison = False  # of different numbers: as most are

    @property
    def cost(self) -> int:
        """The cost of the next measurement, in operators."""
        return CALLING + (self.size if self._reading else self.size * COMPILING)

    def at(self, values: Sequence[int]) -> float:
        return self.pair_at(values)[0]

    def pair_at(self, values: Sequence[int]) -> Pair:
        """How far from being true, and from being false."""
        reading = self._reading or self._prepare()
        if self._is_one_comparison:
            return compared(self.term, *reading(values))
        known = dict(zip(self._operands, reading(values), strict=True))
        return follow(self._plan, known.__getitem__)

    def _prepare(self) -> Reading:
        self._plan = plan(self.term)
        self._operands = operands_of(self._plan)
        self._is_one_comparison = len(self._plan) == 1 and self._operands == self.term.args
        self._reading = compile_values(self._operands)
        return self._reading


class ConstraintDistances:
    """The distances of all constraints seen so far; paths share most of theirs."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Term, ConstraintDistance] = {}

    def of_all(self, terms: Iterable[Term], most: int) -> list[ConstraintDistance] | None:
        """One for each constraint; None if they have more than `most` operators together, which is detected early."""
        found, left = [], most
        for term in terms:
            distance = self._of(term, left)
            if distance is None or distance.size > left:
                return None
            left -= distance.size
            found.append(distance)
        return found

    def _of(self, term: Term, most: int) -> ConstraintDistance | None:
        distance = self._known.get(term)
        if distance is None:
            size = count_operators(term, most)
            if size > most:
                return None
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            distance = self._known[term] = ConstraintDistance(term, size)
        return distance


def count_operators(root: Term, most: int) -> int:
    """The number of operators in a term; counting stops at `most`, so that huge terms cost no more."""
    seen, stack, size = {root}, [root], 0
    while stack and size <= most:
        term = stack.pop()
        size += SLOW.get(term.op, 1)
        fresh = [arg for arg in dict.fromkeys(term.args) if arg not in seen]
        seen.update(fresh)
        stack.extend(fresh)
    return size
