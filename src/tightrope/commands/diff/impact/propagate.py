"""Propagates changes to everything that they may affect, in both versions at once.

    old                       new
    x = a + 1   (removed)                          a seed of the old version
       | data
    if (x > b)   <------->   if (x > b)            affected in one version, therefore in both
                                | control
                             limit = 3

An instruction that is not affected has a partner, reads the same values, is decided by the same branches and finds the
same memory in both versions: it does the same for the same inputs. (S. Horwitz, J. Prins, T. Reps, "On the Adequacy of
Program Dependence Graphs for Representing Programs", 1988.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.impact.alignment import Alignment, agree, changed_globals, check, is_compared
from tightrope.commands.diff.impact.dependence import Dependence
from tightrope.commands.diff.impact.impact import How
from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.commands.diff.impact.points_to import EVERYTHING


@dataclass(frozen=True, slots=True)
class ImpactStep:
    """Why a place is affected: `source` is None for a seed."""

    source: VersionPlace | None
    how: How
    name: str = ""  # of the memory in between; for a seed, the changed global


VersionPlace = tuple[bool, int]  # True for the old version, and the place's number there


@dataclass(frozen=True, slots=True)
class Seed:
    """Something that changed."""

    spot: VersionPlace
    name: str = ""  # of the changed global, if there is one
    is_harmless: bool = False  # it ends the same runs as its partner


@dataclass(frozen=True, slots=True)
class AffectedCode:
    """All places that changes may affect, each with the first step found, which is on the shortest chain."""

    alignment: Alignment
    old: Dependence
    new: Dependence
    steps: Mapping[VersionPlace, ImpactStep]
    behind: frozenset[VersionPlace] = frozenset()  # places after something affected that may end the run


def propagate(alignment: Alignment, old: Dependence, new: Dependence, seeds: Sequence[Seed]) -> AffectedCode:
    propagation = _Propagation(alignment, old, new)
    propagation.run(seeds)
    return AffectedCode(alignment, old, new, propagation.steps, frozenset(propagation._behind))


@dataclass(slots=True)
class _Propagation:
    alignment: Alignment
    old: Dependence
    new: Dependence
    steps: dict[VersionPlace, ImpactStep] = field(default_factory=dict)
    _waiting: deque[VersionPlace] = field(default_factory=deque)
    _valued: set[VersionPlace] = field(default_factory=set)  # affected places whose value may differ
    _behind: dict[VersionPlace, ImpactStep] = field(default_factory=dict)  # places after something that may end a run
    _late: dict[bool, frozenset[int]] = field(default_factory=dict)
    _ended: dict[bool, int] = field(
        default_factory=lambda: {True: 0, False: 0}
    )  # segments after a possible end of the run

    def run(self, seeds: Sequence[Seed]) -> None:
        self._late = {is_old: self._later(is_old, seeds) for is_old in (True, False)}
        for seed in seeds:
            side, at = self._side(seed.spot[0]), seed.spot[1]
            self._add(seed.spot, ImpactStep(None, How.CHANGED, seed.name), True)
            if not seed.is_harmless and (side.may_end(at) or side.ends_inside(at)):
                self._end(seed.spot, seed.spot)
        while self._waiting:
            spot = self._waiting.popleft()
            self._cross(spot)
            side = self._side(spot[0])
            has_value = spot in self._valued
            for place, how, name in side.affected(spot[1], has_value, has_value and not self._is_fresh(spot)):
                self._add(
                    (spot[0], place), ImpactStep(spot, how, name), how is How.DATA or self._is_chosen(spot, place)
                )
                if side.is_block(place) and (spot[0], place) in self.steps:
                    self._endanger((spot[0], place), spot[1] if side.decides(spot[1], place) else None)
                if name and side.is_outside(place):  # unknown code may do anything with what it reads
                    self._end((spot[0], place), spot)
            for place in side.endangered(spot[1], has_value):
                self._end((spot[0], place), spot)
        self.steps = self.steps | {spot: step for spot, step in self._behind.items() if spot not in self.steps}

    def _later(self, is_old: bool, seeds: Sequence[Seed]) -> frozenset[int]:
        """The instructions executed at or after a change. Both versions do the same before, so nothing else is
        affected."""
        side, found, starts = self._side(is_old), set[int](), set[int]()
        for place in sorted({side.code.first_of(seed.spot[1]) for seed in seeds if seed.spot[0] == is_old}):
            segment = side.order.segment_of[place]
            if segment not in starts:  # the first instruction of a segment precedes the others
                starts.add(segment)
                found.add(place)
                found.update(side.behind(place))
        return frozenset(found)

    def _is_late(self, spot: VersionPlace) -> bool:
        is_old, place = spot
        partner = self._partner(spot)
        if self._side(is_old).code.first_of(place) in self._late[is_old]:
            return True
        return partner is not None and self._side(not is_old).code.first_of(partner) in self._late[not is_old]

    def _partner(self, spot: VersionPlace) -> int | None:
        return (self.alignment.new_of if spot[0] else self.alignment.old_of).get(spot[1])

    def _side(self, is_old: bool) -> Dependence:
        return self.old if is_old else self.new

    def _is_fresh(self, spot: VersionPlace) -> bool:
        """True if only one version has it."""
        return self.steps[spot].source is None and self._partner(spot) is None

    def _is_chosen(self, spot: VersionPlace, place: int) -> bool:
        """True if the place is a phi node and the spot a branch before it; blocks do not decide values."""
        return max(spot[1], place) < len(self._side(spot[0]).code.instructions)

    def _add(self, spot: VersionPlace, step: ImpactStep, has_value: bool) -> None:
        """Add an affected place. One that is already affected may get another value in addition."""
        is_news = spot not in self.steps or (has_value and spot not in self._valued)
        if is_news and (step.source is None or self._is_late(spot)):
            self.steps.setdefault(spot, step)
            self._waiting.append(spot)
            if has_value:
                self._valued.add(spot)

    def _cross(self, spot: VersionPlace) -> None:
        """The partner is affected, too, for the same reason."""
        partner, step = self._partner(spot), self.steps[spot]
        if partner is not None:
            self._add((not spot[0], partner), ImpactStep(spot, step.how, step.name), spot in self._valued)

    def _end(self, spot: VersionPlace, cause: VersionPlace) -> None:
        """Everything that may follow is affected: by the spot, if it is affected itself, otherwise by its cause. No
        further propagation is needed, because what depends on later code is later, too."""
        cause = spot if spot in self.steps else cause
        side = self._side(spot[0])
        segment = side.order.segment_of[spot[1]]
        fresh = side.order.behind[segment] & ~self._ended[spot[0]]
        if fresh or not self._ended[spot[0]] >> segment & 1:
            self._ended[spot[0]] |= side.order.behind[segment]
            for place in side.behind(spot[1]):
                self._mark((spot[0], place), cause)
                if side.code.starts[side.code.block_of[place]] == place:  # the whole block follows it
                    self._mark((spot[0], side.code.block_of_place(place)), cause)

    def _endanger(self, block: VersionPlace, branch: int | None) -> None:
        """The block may be executed differently, because of this branch, or for another reason. Its partner is, too: if
        the partner of the branch decides that, that is found there."""
        for place in self._side(block[0]).endangered_in(block[1], branch):
            self._end((block[0], place), block)
        is_old, partner = not block[0], self._partner(block)
        twin = self._partner((block[0], branch)) if branch is not None else None
        is_known = twin is not None and partner is not None and self._side(is_old).decides(twin, partner)
        if partner is not None and not (is_known and (is_old, twin) in self.steps):
            for place in self._side(is_old).endangered_in(partner, None):
                self._end((is_old, place), block)

    def _mark(self, spot: VersionPlace, cause: VersionPlace) -> None:
        """It follows something that may end a run, and so does its partner."""
        partner = self._partner(spot)
        if not self._is_late(spot):
            return
        self._behind.setdefault(spot, ImpactStep(cause, How.ENDS))
        if partner is not None:
            self._behind.setdefault((not spot[0], partner), ImpactStep(spot, How.ENDS))


def find_seeds(alignment: Alignment, old: Dependence, new: Dependence) -> Iterator[Seed]:
    """Everything that differs between the versions."""
    for is_old, side, partners in ((True, old, alignment.new_of), (False, new, alignment.old_of)):
        yield from (Seed((is_old, place)) for place in _without_partner(side.code, partners))
    for before, after in check(alignment):
        yield from (Seed((True, before)), Seed((False, after)))
    for before, after in alignment.altered.items():
        is_harmless = agree(alignment, before, after)
        yield from (Seed((True, before), is_harmless=is_harmless), Seed((False, after), is_harmless=is_harmless))
    for before_it, after_it in changed_globals(alignment):
        has_type = alignment.old.type(before_it.type) == alignment.new.type(after_it.type)
        yield from _of_global(True, old, before_it.name, has_type)
        yield from _of_global(False, new, after_it.name, has_type)


def _of_global(is_old: bool, side: Dependence, name: str, has_same_type: bool) -> Iterator[Seed]:
    """The instructions that read it; if its type changed, all that mention it."""
    number = side.objects.number(name)
    readers = side.readers.get(number, ()) if number is not None else ()
    for place in dict.fromkeys((*readers, *side.readers.get(EVERYTHING, ()))):
        yield Seed((is_old, place), name, is_harmless=True)
    if not has_same_type:
        for place, each in enumerate(side.code.instructions):
            if name in each.text:
                yield Seed((is_old, place), name)


def _without_partner(code: NumberedCode, partners: Mapping[int, int]) -> Iterator[int]:
    yield from (place for place in range(len(code.instructions)) if place not in partners and is_compared(code, place))
    first = len(code.instructions) + len(code.blocks)
    yield from (place for place in range(first, first + len(code.parameters)) if place not in partners)
