"""Which terms calculate with floats, and do not only compare them.

Each term is looked at once, however many targets it is a part of, and of a huge target only a part: a search without
floats must not pay for them.
"""

from __future__ import annotations

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

CALCULATIONS = frozenset(op for op in Op if Op.F_ADD <= op <= Op.F_FMA or Op.F_RESIZE <= op <= Op.F_TO_UNSIGNED)


class Calculations:
    """`most` is the number of terms that a target may have: one with more counts as without calculations."""

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
