"""The constraints of a large query at an input, and at others that differ from it in some slots.

    sum = x0 + x1 + ... + x999       at another x998: two additions; at others of all x: a thousand

Terms that mention no changed slot keep their values, and what constraints share is evaluated once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tightrope.expr.distance import Plan, follow, plan
from tightrope.expr.evaluate import MEANINGS
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk
from tightrope.solving.query import Query


class LargeQuery:
    """`values` is the input, `distance` the sum of what its constraints are from holding; `evaluated` counts terms."""

    def __init__(self, query: Query) -> None:
        self.constraints = query.constraints
        self.values = list(query.base)
        self.evaluated = 0
        self._order = [(term, MEANINGS.get(term.op)) for term in walk(*self.constraints)]
        self._known: dict[Term, int] = {}
        self._known = self._fresh(self.values, -1)
        self._plans: dict[Term, Plan] = {}
        self.distance = self._measured(self._known)

    @property
    def failing(self) -> list[Term]:
        """Constraints that do not hold, the target first."""
        return [term for term in reversed(self.constraints) if not self._known[term]]

    def at(self, term: Term) -> int:
        return self._known[term]

    def try_change(self, change: Mapping[int, int], *, always: bool = False) -> bool:
        """Give slots other values if that decreases the distance, or `always`."""
        values = list(self.values)
        changed = 0
        for slot, value in change.items():
            if values[slot] != value:
                values[slot] = value
                changed |= 1 << slot
        if not changed:
            return False
        fresh = self._fresh(values, changed)
        known = self._known | fresh
        distance = self._measured(known)
        if distance >= self.distance and not always:
            return False
        self.values, self._known, self.distance = values, known, distance
        return True

    def _fresh(self, values: Sequence[int], changed: int) -> dict[Term, int]:
        """The values of all terms that mention a changed slot; of all, if all are."""
        known, fresh = self._known, {}
        for term, meaning in self._order:
            if changed > 0 and not term.support & changed:
                continue
            if term.op is Op.INPUT:
                fresh[term] = values[term.number] & ((1 << term.bits) - 1)
            else:
                assert meaning is not None
                args = [fresh[arg] if arg in fresh else known[arg] for arg in term.args]
                fresh[term] = meaning(term, *args)
        self.evaluated += len(fresh)
        return fresh

    def _measured(self, known: Mapping[Term, int]) -> float:
        return sum(self._distance(term, known) for term in self.constraints if not known[term])

    def _distance(self, term: Term, known: Mapping[Term, int]) -> float:
        if term not in self._plans:
            self._plans[term] = plan(term)
        return follow(self._plans[term], known.__getitem__)[0]


def slots_like_most(query: Query) -> tuple[int, ...]:
    """Those of the target that are as wide as most of them: elements of arrays."""
    widths: dict[int, int] = {}
    for term in walk(query.target):
        if term.op is Op.INPUT:
            widths[term.number] = term.bits
    counts: dict[int, int] = {}
    for bits in widths.values():
        counts[bits] = counts.get(bits, 0) + 1
    most = max(counts, key=lambda bits: (counts[bits], bits), default=0)
    return tuple(sorted(slot for slot, bits in widths.items() if bits == most))
