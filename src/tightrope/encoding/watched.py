"""Conditions that a caller of the encoder watches, so that it can ask what would be if they were free.

The encoder shows each condition that inputs decide to a `Watch`, once for each instance of its block, and goes on
with the term that it gets back. `Watcher` gives a fresh variable in place of each, and keeps what it stands for:

    if (x > 3)       branch on `x > 3`       encoded as a branch on b1        bond of the site:  b1 == (x > 3)
    while (i < n)    branch on `0 < n`                          on b2, b3                        b2 == (0 < n)
                     branch on `1 < n`                                                       and b3 == (1 < n)

Laws: with the bonds of all sites the formula says what it says without a watcher; without a site's bond, its
condition has whatever value one likes, each time anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.expr import plain
from tightrope.expr.build import literal, negate
from tightrope.expr.terms import Term, TermTable

# Who is watched: ('@f', block, side) of a branch (side 1) or of a case; ('@f', CONDITION, number of the condition),
# as the marks have it; ('@tightrope_drive', ASSUMPTION, its number).
Site = tuple[str, str, int]
CONDITION, ASSUMPTION = "(condition)", "(assume)"  # no blocks have such names
Fresh = Callable[[int], Term]  # bits -> an input of which nothing is known
Watch = Callable[[Site, Term, Term, Fresh], Term]  # site, when it is reached, condition -> what is used in its place
Branch = tuple[str, str]  # function, block


@dataclass(slots=True)
class Visit:
    """One instance of a site: when control comes there, and by side the variable that decides and what it is."""

    reach: Term
    sides: dict[int, tuple[Term, Term]] = field(default_factory=dict)


class Watcher:
    """A `Watch`. `tested` says which branch tests a condition of the marks: the two are one site."""

    def __init__(self, table: TermTable, tested: Mapping[Branch, int] | None = None) -> None:
        self.table = table
        self._tested = tested or {}
        self._visits: dict[Site, dict[Term, list[Visit]]] = {}  # by site and reach

    def __call__(self, site: Site, reach: Term, condition: Term, fresh: Fresh) -> Term:
        own, side = self.own_site(site)
        opposite = negate(self.table, condition)
        visit = self._visit(own, reach, side, (condition, opposite))
        if side not in visit.sides:
            visit.sides[side] = (fresh(1), condition)
        free, known = visit.sides[side]
        return free if known is condition else negate(self.table, free)

    @property
    def sites(self) -> tuple[Site, ...]:
        """In the order in which they were first seen."""
        return tuple(self._visits)

    def visits(self, site: Site) -> list[Visit]:
        return [visit for visits in self._visits.get(site, {}).values() for visit in visits]

    def sides(self, site: Site) -> tuple[int, ...]:
        """The sides that the site has: 0 when no condition holds, else the one that does."""
        return tuple(sorted({0, *(side for visit in self.visits(site) for side in visit.sides)}))

    def bond(self, site: Site) -> Term:
        """Every condition of the site is what the C says."""
        pairs = [pair for visit in self.visits(site) for pair in visit.sides.values()]
        return plain.all_of(self.table, (plain.equals(self.table, free, condition) for free, condition in pairs))

    def exclusive(self) -> Term:
        """Of the cases of a switch no two hold at once: that is no matter of what inputs are."""
        visits = (visit for site in self.sites for visit in self.visits(site))
        return plain.all_of(self.table, (term for visit in visits for term in self._apart(visit)))

    def _apart(self, visit: Visit) -> Iterator[Term]:
        before = self.table.constant(0, 1)
        for free, _ in visit.sides.values():
            both = plain.all_of(self.table, (before, free))
            yield negate(self.table, both)
            before = plain.any_of(self.table, (before, free))

    def own_site(self, site: Site) -> tuple[Site, int]:
        """The site that this belongs to, and its side there: all cases of a switch are one site, and so are a
        condition and the branch on it."""
        function, place, number = site
        if place in (CONDITION, ASSUMPTION):
            return site, 1
        tested = self._tested.get((function, place))
        return ((function, place, 0), number) if tested is None else ((function, CONDITION, tested), 1)

    def goes(self, site: Site, side: int) -> Term:
        """Some visit leaves the site by this side."""
        return plain.any_of(self.table, (self._leaves_by(visit, side) for visit in self.visits(site)))

    def _leaves_by(self, visit: Visit, side: int) -> Term:
        """This one and no other; of a side that the visit does not have, never."""
        if side and side not in visit.sides:
            return self.table.constant(0, 1)
        frees = (literal(self.table, free, at == side) for at, (free, _) in visit.sides.items())
        return plain.all_of(self.table, (visit.reach, *frees))

    def _visit(self, site: Site, reach: Term, side: int, either: tuple[Term, Term]) -> Visit:
        """The visit that a condition belongs to: one of which this is another side, or which has seen it or its
        opposite before; else a new one."""
        known = self._visits.setdefault(site, {}).setdefault(reach, [])
        for visit in known:
            if side not in visit.sides or visit.sides[side][1] in either:
                return visit
        known.append(Visit(reach))
        return known[-1]
