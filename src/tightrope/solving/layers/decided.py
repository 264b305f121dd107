"""Answers trivial queries: the target is a constant, a constraint, or the negation of one."""

from __future__ import annotations

from tightrope.expr.operators import Op
from tightrope.solving.group import ConstraintGroup
from tightrope.solving.query import UNSAT, Answer, Query, Sat, restrict
from tightrope.solving.solver import Solver, SolverStatistics


class Decided:
    __slots__ = ("_below", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics

    def ask(self, query: Query) -> Answer:
        verdict = _verdict(query)
        if verdict is None:
            return self._below.ask(query)
        self.statistics.decided += 1
        return Sat(restrict(query.base, query.slots)) if verdict else UNSAT


def _verdict(query: Query) -> bool | None:
    group, target = query.condition, query.target
    if target.op is Op.CONSTANT:
        return target.number == 1
    if not isinstance(group, ConstraintGroup):
        return None
    if group.includes(target):
        return True
    return False if group.refutes(target) else None
