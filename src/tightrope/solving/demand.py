"""What a term should be: the currency of `aim`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

Demand = tuple[Term, int]  # a term and the value it should have (a float's IEEE bits)
Step = Callable[[Term, int, Sequence[int]], list[Demand]]  # (term, wanted, base) -> demands on its operands


def value_at(term: Term, base: Sequence[int]) -> int:
    """What a term is at the base."""
    if term.op is Op.CONSTANT:
        return term.number
    return base[term.number] if term.op is Op.INPUT else evaluate(term, base)
