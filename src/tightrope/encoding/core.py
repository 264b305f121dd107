"""The fewest members of a set that contradict each other, and what each of them would have to do.

Smallest contradictions are found by implicit hitting sets (A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva,
"Smallest MUS extraction with minimal hitting set dualization", 2015):

    whatever can hold together leaves out some members: every contradiction has one of those in it
    the fewest members that meet all of these sets      either can hold together, which gives another such set
                                                        or contradict each other, and nothing smaller does

Before that, members are left out one by one for as long as the rest contradicts itself: that is the answer when time
runs out. Laws: the members found contradict each other, and without any one of them they do not (unless time ran out);
same question, same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tightrope.encoding.watched import Site, Watcher
from tightrope.expr import plain
from tightrope.expr.build import literal, negate
from tightrope.expr.compiled import compile_values
from tightrope.expr.terms import Term
from tightrope.solving.query import Answer, Model, Sat, Unsat

Ask = Callable[[Sequence[Term]], Answer]  # can these hold together?
HasTime = Callable[[], bool]
MOST_TRIED = 20_000  # sets of members that are held against what is known, for one answer
MOST_WAYS = 4  # to a goal, that are told apart


@dataclass(frozen=True, slots=True)
class Contradiction:
    members: tuple[int, ...]  # positions in the question, ascending
    is_smallest: bool  # else: no member can be left out, but other members may be fewer


def find_contradiction(ask: Ask, goal: Term, members: Sequence[Term], has_time: HasTime) -> Contradiction | None:
    """The fewest members that cannot hold together with the goal; None when they all can, or when nobody knows."""
    question = _Question(ask, goal, members)
    found = question.contradictory(range(len(members)))
    if found is None:
        return None
    found = _without_idle(question, found, has_time)
    smallest = _smallest(question, len(found), has_time) if len(found) else found
    best = found if smallest is None or len(smallest) == len(found) else smallest
    return Contradiction(tuple(sorted(best)), smallest is not None)


class _Question:
    """A goal with members that can be asked for in any choice."""

    def __init__(self, ask: Ask, goal: Term, members: Sequence[Term]) -> None:
        self.ask, self.goal, self.members = ask, goal, members
        self._numbers = {member: number for number, member in enumerate(members)}
        self._read = compile_values(members)
        self._slots = max((member.support.bit_length() for member in members), default=0)

    def contradictory(self, chosen: Iterable[int]) -> frozenset[int] | None:
        """A part of what was chosen that contradicts the goal; None when nothing of the kind was shown."""
        numbers = list(chosen)
        answer = self.ask([self.goal, *(self.members[number] for number in numbers)])
        if not isinstance(answer, Unsat):
            return None
        named = frozenset(self._numbers[term] for term in answer.core if term in self._numbers)
        return named & frozenset(numbers) if answer.core else frozenset(numbers)

    def left_out(self, chosen: frozenset[int]) -> frozenset[int] | None:
        """Members that some solution leaves out, though it has all that was chosen; None when there is none."""
        answer = self.ask([self.goal, *(self.members[number] for number in sorted(chosen))])
        if not isinstance(answer, Sat):
            return None
        held = self._read(_values(answer.model, self._slots))
        return frozenset(number for number, holds in enumerate(held) if not holds)


def _values(model: Model, slots: int) -> list[int]:
    """What was not asked about may be anything: 0."""
    values = [0] * max((slots, *(slot + 1 for slot in model)))
    for slot, value in model.items():
        values[slot] = value
    return values


def _without_idle(question: _Question, found: frozenset[int], has_time: HasTime) -> frozenset[int]:
    """Leave out one after the other. The last go first: what comes early in the C is most often what is meant."""
    for member in sorted(found, reverse=True):
        if member in found and has_time():
            fewer = question.contradictory(sorted(found - {member}))
            found = found if fewer is None else fewer
    return found


def _smallest(question: _Question, most: int, has_time: HasTime) -> frozenset[int] | None:
    """The fewest members that contradict the goal, when that can be told; `most` members are known to."""
    each_leaves_out: list[frozenset[int]] = []
    while has_time():
        chosen = _meet_all(each_leaves_out, most)
        if chosen is None or len(chosen) == most:
            return chosen
        left_out = question.left_out(chosen)
        if left_out is None:
            return chosen if question.contradictory(sorted(chosen)) is not None else None
        each_leaves_out.append(_fewest_left_out(question, left_out, has_time))
    return None


def _fewest_left_out(question: _Question, left_out: frozenset[int], has_time: HasTime) -> frozenset[int]:
    """Take back in what can be: the fewer are left out, the more is known."""
    everything = frozenset(range(len(question.members)))
    for member in sorted(left_out):
        if member in left_out and len(left_out) > 1 and has_time():
            fewer = question.left_out(everything - left_out | {member})
            left_out = left_out if fewer is None else fewer
    return left_out


def _meet_all(sets: Sequence[frozenset[int]], most: int) -> frozenset[int] | None:
    """The fewest members of which every set has one, at most `most` of them; None when too many would be tried."""
    members = sorted({member for each in sets for member in each})
    tried = 0
    for count in range(most):
        for chosen in combinations(members, count):
            tried += 1
            if all(not each.isdisjoint(chosen) for each in sets):
                return frozenset(chosen)
            if tried > MOST_TRIED:
                return None
    return frozenset(range(most))  # as many as are known: no fewer do


# --- what a site has to do -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Role:
    """What a condition does on the way to the goal when it is free: sides that it may take, and sides that it must
    take at one of its visits at least."""

    site: Site
    may: tuple[int, ...]
    must: tuple[int, ...]
    visits: int


def find_roles(ask: Ask, goal: Term, watcher: Watcher, sites: Sequence[Site]) -> tuple[Role, ...]:
    """For each of the sites, while the others do as the C says."""
    bonds = {site: watcher.bond(site) for site in sites}
    return tuple(
        _role(ask, watcher, [goal, *(bonds[other] for other in sites if other != site)], site) for site in sites
    )


def _role(ask: Ask, watcher: Watcher, others: Sequence[Term], site: Site) -> Role:
    goes = {side: watcher.goes(site, side) for side in watcher.sides(site)}
    may = tuple(side for side, term in goes.items() if not isinstance(ask([*others, term]), Unsat))
    must = tuple(side for side in may if isinstance(ask([*others, negate(watcher.table, goes[side])]), Unsat))
    return Role(site, may, must, len(watcher.visits(site)))


Way = tuple[Role, ...]  # what sites would have to do together, and cannot


def contradict_goal(
    ask: Ask, goal: Term, whole: Term, watcher: Watcher, has_time: HasTime
) -> tuple[Contradiction, tuple[Way, ...]] | None:
    """Why no input reaches the goal: the fewest sites whose conditions exclude it, and what they would have to do. That
    may depend on the way: `if (a || b) goal` needs one of two.

    `whole` is the goal, or leaving what is encoded: both are to be excluded, but it is the goal that people ask about.
    """
    sites, apart = watcher.sites, watcher.exclusive()
    goal, whole = (plain.all_of(watcher.table, (each, apart)) for each in (goal, whole))
    found = find_contradiction(ask, whole, [watcher.bond(site) for site in sites], has_time)
    if found is None:
        return None
    needed = [sites[number] for number in found.members]
    roles = find_roles(ask, goal, watcher, needed)
    if not all(role.may for role in roles):  # some are needed to stay within what is encoded
        others = {role.site: role for role in find_roles(ask, whole, watcher, needed)}
        return found, (tuple(role if role.may else others[role.site] for role in roles),)
    if _agree(ask, goal, watcher, roles):
        return found, (roles,)
    return found, _Ways(ask, goal, watcher, needed).find(has_time) or (roles,)


def _agree(ask: Ask, goal: Term, watcher: Watcher, roles: Sequence[Role]) -> bool:
    """Whether they could do it all at once, were they free."""
    needed = [watcher.goes(role.site, side) for role in roles for side in role.must]
    return all(role.must for role in roles) and not isinstance(ask([goal, *needed]), Unsat)


class _Ways:
    """The ways to a goal, told apart by the sides that sites take."""

    def __init__(self, ask: Ask, goal: Term, watcher: Watcher, sites: Sequence[Site]) -> None:
        self.ask, self.goal, self.watcher, self.sites = ask, goal, watcher, sites
        self._goes = {(site, side): watcher.goes(site, side) for site in sites for side in watcher.sides(site)}
        self._read = compile_values(list(self._goes.values()))
        self._slots = max((term.support.bit_length() for term in self._goes.values()), default=0)

    def find(self, has_time: HasTime) -> tuple[Way, ...]:
        """All of them, each by no more sites than contradict each other on it; none when they are too many to tell."""
        ways: list[Way] = []
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

    def _order(self, way: Way) -> list[tuple[int, tuple[int, ...]]]:
        """As sites come, and what is true first."""
        return [(self.sites.index(role.site), tuple(-side for side in role.may)) for role in way]

    def _way(self, model: Model, has_time: HasTime) -> Way | None:
        held = self._read(_values(model, self._slots))
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
        """The site takes these sides, and no other."""
        table = self.watcher.table
        own = ((side, term) for (other, side), term in self._goes.items() if other == site)
        return plain.all_of(table, (literal(table, term, side in sides) for side, term in own))
