"""Groups: constraints that are connected by shared slots.

Laws: a group is interned by the *set* of its constraints, so equal groups reached on different paths are one object
and its identity can be a cache key; it lists its constraints in the order of the path that formed it first (any
order has the same meaning; a stable one suits an incremental solver).

A path through a long loop creates one group per iteration, each larger than the last, so a group must not hold its
constraints: it holds the group that it was extended from, and a bit per constraint (their table numbers them). The list
is built on request and cached for a while.
"""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, slots_of

MOST_LISTED = 200_000  # constraints in cached lists, all groups together


class ConstraintGroup:
    """One set of constraints. Only `GroupTable` creates groups."""

    __slots__ = ("_extended", "_grown_by", "_grown_from", "_merged", "members", "slots", "support", "table")

    def __init__(
        self,
        table: GroupTable,
        members: int,
        support: int,
        grown_from: ConstraintGroup | None,
        grown_by: ConstraintGroup | Term | None,
    ) -> None:
        self.table = table
        self.members = members  # bit n: constraint number n of the table
        self.support = support
        self.slots: tuple[int, ...] = ()
        if grown_from is not None:
            self.slots = grown_from.slots if grown_from.support == support else slots_of(support)
        self._grown_from = grown_from
        self._grown_by = grown_by
        self._extended: dict[Term, ConstraintGroup] | None = None
        self._merged: dict[ConstraintGroup, ConstraintGroup] | None = None

    @property
    def constraints(self) -> tuple[Term, ...]:
        return self.table.listed(self)

    def extended(self, term: Term) -> ConstraintGroup:
        """This group with one more constraint."""
        memo = self._extended
        if memo is None:
            memo = self._extended = {}
        group = memo.get(term)
        if group is None:
            members = self.members | self.table.bit(term)
            group = memo[term] = self.table.intern(members, self.support | term.support, self, term)
        return group

    def merged(self, other: ConstraintGroup) -> ConstraintGroup:
        """Both groups' constraints as one group."""
        memo = self._merged
        if memo is None:
            memo = self._merged = {}
        group = memo.get(other)
        if group is None:
            support = self.support | other.support
            group = memo[other] = self.table.intern(self.members | other.members, support, self, other)
        return group

    def slice(self, support: int) -> ConstraintGroup:
        """Itself, or an empty group if it has none of these slots."""
        return self if support & self.support else self.table.nothing

    def includes(self, term: Term) -> bool:
        return bool(self.members & self.table.bit_if_known(term))

    def refutes(self, term: Term) -> bool:
        """True if the negation of `term` is one of the constraints."""
        return bool(self.members & self.table.bit_of_opposite(term))

    def grown(self) -> tuple[ConstraintGroup | None, ConstraintGroup | Term | None]:
        """The group that it was extended from first, and the extension."""
        return self._grown_from, self._grown_by

    def __repr__(self) -> str:
        return f"<group of {self.members.bit_count()} constraints on slots {self.slots}>"


class GroupTable:
    """Owns the groups of one search, and numbers the constraints in them."""

    __slots__ = ("_bits", "_groups", "_listed", "_listed_size", "_opposites", "nothing")

    def __init__(self) -> None:
        self._bits: dict[Term, int] = {}
        self._opposites: dict[Term, int] = {}  # term -> bit of NOT(term)
        self._groups: dict[int, ConstraintGroup] = {}
        self._listed: dict[ConstraintGroup, tuple[Term, ...]] = {}
        self._listed_size = 0
        self.nothing = self._groups[0] = ConstraintGroup(self, 0, 0, None, None)

    def intern(
        self, members: int, support: int, grown_from: ConstraintGroup, grown_by: ConstraintGroup | Term
    ) -> ConstraintGroup:
        group = self._groups.get(members)
        if group is None:
            group = self._groups[members] = ConstraintGroup(self, members, support, grown_from, grown_by)
        return group

    def formed(self, terms: Iterable[Term]) -> ConstraintGroup:
        """The group of these constraints. If it is new, it lists them in this order; groups on the way are not kept,
        because paths may form them in another order."""
        terms = tuple(dict.fromkeys(terms))
        members, group = self.mask(terms), self.nothing
        found = self._groups.get(members)
        if found is not None:
            return found
        for term in terms:
            bits, support = group.members | self.bit(term), group.support | term.support
            group = ConstraintGroup(self, bits, support, group, term)
        return self._groups.setdefault(members, group)

    def bit(self, term: Term) -> int:
        """The bit of a constraint, assigned now if it has none."""
        bit = self._bits.get(term)
        if bit is None:
            bit = self._bits[term] = 1 << len(self._bits)
            if term.op is Op.NOT:
                self._opposites[term.args[0]] = bit
        return bit

    def bit_if_known(self, term: Term) -> int:
        """The bit of a constraint; 0 for a term that is in no group yet."""
        return self._bits.get(term, 0)

    def bit_of_opposite(self, term: Term) -> int:
        return self._bits.get(term.args[0], 0) if term.op is Op.NOT else self._opposites.get(term, 0)

    def mask(self, terms: Iterable[Term]) -> int:
        """The bits of several constraints: a group has them all if `group.members & mask == mask`."""
        mask = 0
        for term in terms:
            mask |= self.bit(term)
        return mask

    def listed(self, group: ConstraintGroup) -> tuple[Term, ...]:
        """The constraints of a group, in the order of the path that formed it."""
        found = self._listed.get(group)
        if found is None:
            found = tuple(dict.fromkeys(reversed(_backwards(group))))
            if self._listed_size > MOST_LISTED:
                self._listed.clear()
                self._listed_size = 0
            self._listed[group] = found
            self._listed_size += len(found)
        return found


def _backwards(group: ConstraintGroup) -> list[Term]:
    """The constraints from the last to the first; one that was in both of two merged groups appears twice."""
    terms: list[Term] = []
    pending: list[ConstraintGroup | Term | None] = [group]
    while pending:
        part = pending.pop()
        if isinstance(part, Term):
            terms.append(part)
        elif part is not None:
            pending.extend(part.grown())
    return terms
