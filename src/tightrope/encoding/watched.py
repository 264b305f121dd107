"""Watched conditions: a caller of the encoder can ask what happens if they are unconstrained, and which values they
need on a path to a goal.

The encoder passes each condition that inputs decide to a `Watch`, once for each instance of its block, and continues
with the term that it gets back. `Watcher` returns a fresh variable for each condition, and keeps its meaning:

    if (x > 3)       branch on `x > 3`       encoded as a branch on b1        bond of the site:  b1 == (x > 3)
    while (i < n)    branch on `0 < n`                          on b2, b3                        b2 == (0 < n)
                     branch on `1 < n`                                                       and b3 == (1 < n)

Laws: with the bonds of all sites, the formula is equivalent to the one without a watcher. Without a site's bond, its
condition is unconstrained at each visit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.expr import plain
from tightrope.expr.build import literal, negate
from tightrope.expr.compiled import compile_values
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.query import Model, Sat, Unsat
from tightrope.solving.unsat_core import Ask, Contradiction, HasTime, find_contradiction, read_values

# What is watched: ('@f', block, side) of a branch (side 1) or of a case; ('@f', CONDITION, number of the condition),
# as the marks have it; ('@tightrope_drive', ASSUMPTION, its number).
Site = tuple[str, str, int]
CONDITION, ASSUMPTION = "(condition)", "(assume)"  # no blocks have such names
Fresh = Callable[[int], Term]  # bits -> an unconstrained input
Watch = Callable[[Site, Term, Term, Fresh], Term]  # site, reach, condition -> its replacement
Branch = tuple[str, str]  # function, block
MOST_WAYS = 4  # to a goal, that are distinguished


@dataclass(slots=True)
class Visit:
    """One instance of a site: its reach, and by side the deciding variable and its meaning."""

    reach: Term
    sides: dict[int, tuple[Term, Term]] = field(default_factory=dict)


class Watcher:
    """A `Watch`. `tested` says which branch tests a condition of the marks: both are one site."""

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
        """The sides of the site: 0 if no condition holds, otherwise the one whose condition holds."""
        return tuple(sorted({0, *(side for visit in self.visits(site) for side in visit.sides)}))

    def bond(self, site: Site) -> Term:
        """True if every condition of the site has its real value."""
        pairs = [pair for visit in self.visits(site) for pair in visit.sides.values()]
        return plain.all_of(self.table, (plain.equals(self.table, free, condition) for free, condition in pairs))

    def exclusive(self) -> Term:
        """True if at most one case of each switch holds, which is so for all inputs."""
        visits = (visit for site in self.sites for visit in self.visits(site))
        return plain.all_of(self.table, (term for visit in visits for term in self._apart(visit)))

    def _apart(self, visit: Visit) -> Iterator[Term]:
        before = self.table.constant(0, 1)
        for free, _ in visit.sides.values():
            both = plain.all_of(self.table, (before, free))
            yield negate(self.table, both)
            before = plain.any_of(self.table, (before, free))

    def own_site(self, site: Site) -> tuple[Site, int]:
        """The site that this one belongs to, and its side there. All cases of a switch are one site; so are a condition
        and the branch on it."""
        function, place, number = site
        if place in (CONDITION, ASSUMPTION):
            return site, 1
        tested = self._tested.get((function, place))
        return ((function, place, 0), number) if tested is None else ((function, CONDITION, tested), 1)

    def goes(self, site: Site, side: int) -> Term:
        """True if some visit takes this side."""
        return plain.any_of(self.table, (self._leaves_by(visit, side) for visit in self.visits(site)))

    def _leaves_by(self, visit: Visit, side: int) -> Term:
        """True if the visit takes this side and no other; false if it does not have the side."""
        if side and side not in visit.sides:
            return self.table.constant(0, 1)
        frees = (literal(self.table, free, at == side) for at, (free, _) in visit.sides.items())
        return plain.all_of(self.table, (visit.reach, *frees))

    def _visit(self, site: Site, reach: Term, side: int, either: tuple[Term, Term]) -> Visit:
        """The visit that a condition belongs to: one that lacks this side, or that already has the condition or its
        negation; otherwise a new one."""
        known = self._visits.setdefault(site, {}).setdefault(reach, [])
        for visit in known:
            if side not in visit.sides or visit.sides[side][1] in either:
                return visit
        known.append(Visit(reach))
        return known[-1]


# --- roles of sites


@dataclass(frozen=True, slots=True)
class Role:
    """The sides that an unconstrained condition may take on a path to the goal, and those that it must take at least
    once."""

    site: Site
    may: tuple[int, ...]
    must: tuple[int, ...]
    visits: int


def find_roles(ask: Ask, goal: Term, watcher: Watcher, sites: Sequence[Site]) -> tuple[Role, ...]:
    """The role of each site, while the others have their real values."""
    bonds = {site: watcher.bond(site) for site in sites}
    return tuple(
        _role(ask, watcher, [goal, *(bonds[other] for other in sites if other != site)], site) for site in sites
    )


def _role(ask: Ask, watcher: Watcher, others: Sequence[Term], site: Site) -> Role:
    goes = {side: watcher.goes(site, side) for side in watcher.sides(site)}
    may = tuple(side for side, term in goes.items() if not isinstance(ask([*others, term]), Unsat))
    must = tuple(side for side in may if isinstance(ask([*others, negate(watcher.table, goes[side])]), Unsat))
    return Role(site, may, must, len(watcher.visits(site)))


Roles = tuple[Role, ...]  # roles of sites that contradict each other


def contradict_goal(
    ask: Ask, goal: Term, whole: Term, watcher: Watcher, has_time: HasTime
) -> tuple[Contradiction, tuple[Roles, ...]] | None:
    """Why no input reaches the goal: a minimal set of sites whose conditions exclude it, and their roles. There may be
    several ways: `if (a || b) goal` needs one of two conditions.

    `whole` is the goal or a departure. A proof excludes both, but users ask about the goal.
    """
    sites, apart = watcher.sites, watcher.exclusive()
    goal, whole = (plain.all_of(watcher.table, (each, apart)) for each in (goal, whole))
    found = find_contradiction(ask, whole, [watcher.bond(site) for site in sites], has_time)
    if found is None:
        return None
    needed = [sites[number] for number in found.members]
    roles = find_roles(ask, goal, watcher, needed)
    if not all(role.may for role in roles):  # some sites only exclude departures
        others = {role.site: role for role in find_roles(ask, whole, watcher, needed)}
        return found, (tuple(role if role.may else others[role.site] for role in roles),)
    if _agree(ask, goal, watcher, roles):
        return found, (roles,)
    return found, _Ways(ask, goal, watcher, needed).find(has_time) or (roles,)


def _agree(ask: Ask, goal: Term, watcher: Watcher, roles: Sequence[Role]) -> bool:
    """True if all roles are possible together when the sites are unconstrained."""
    needed = [watcher.goes(role.site, side) for role in roles for side in role.must]
    return all(role.must for role in roles) and not isinstance(ask([goal, *needed]), Unsat)


class _Ways:
    """The ways to a goal, distinguished by the sides that sites take."""

    def __init__(self, ask: Ask, goal: Term, watcher: Watcher, sites: Sequence[Site]) -> None:
        self.ask, self.goal, self.watcher, self.sites = ask, goal, watcher, sites
        self._goes = {(site, side): watcher.goes(site, side) for site in sites for side in watcher.sides(site)}
        self._read = compile_values(list(self._goes.values()))
        self._slots = max((term.support.bit_length() for term in self._goes.values()), default=0)

    def find(self, has_time: HasTime) -> tuple[Roles, ...]:
        """All ways, each with a minimal set of contradicting sites; none if there are too many ways."""
        ways: list[Roles] = []
        others = self.goal
        while has_time():
            answer = self.ask([others])
            if isinstance(answer, Unsat):
                return tuple(sorted(ways, key=self._order))
            way = self._way(answer.model, has_time) if isinstance(answer, Sat) and len(ways) < MOST_WAYS else None
            if way is None:
                return ()
            ways.append(way)
            done = plain.all_of(self.watcher.table, (self._takes(role.site, role.may) for role in way))
            others = plain.all_of(self.watcher.table, (others, negate(self.watcher.table, done)))
        return ()

    def _order(self, way: Roles) -> list[tuple[int, tuple[int, ...]]]:
        """Sort key: the order of the sites, true sides first."""
        return [(self.sites.index(role.site), tuple(-side for side in role.may)) for role in way]

    def _way(self, model: Model, has_time: HasTime) -> Roles | None:
        held = self._read(read_values(model, self._slots))
        taken = [key for key, is_taken in zip(self._goes, held, strict=True) if is_taken]
        sides = {site: tuple(side for other, side in taken if other == site) for site in self.sites}
        table = self.watcher.table
        members = [plain.all_of(table, (self.watcher.bond(s), self._takes(s, sides[s]))) for s in self.sites]
        found = find_contradiction(self.ask, self.goal, members, has_time)
        if found is None:
            return None
        chosen = [self.sites[number] for number in found.members]
        return tuple(Role(site, sides[site], sides[site], len(self.watcher.visits(site))) for site in chosen)

    def _takes(self, site: Site, sides: Collection[int]) -> Term:
        """True if the site takes these sides and no others."""
        table = self.watcher.table
        own = ((side, term) for (other, side), term in self._goes.items() if other == site)
        return plain.all_of(table, (literal(table, term, side in sides) for side, term in own))
