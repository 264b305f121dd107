"""From what changed to all that it may affect, in both versions at once.

    old                       new
    x = a + 1   (removed)                          a seed of the old version
       | data
    if (x > b)   <------->   if (x > b)            affected in one version, so in both
                                | control
                             limit = 3

What is not affected has a partner, reads the same values, is decided by the same branches and finds the same memory in
both versions: it does the same for the same inputs. (S. Horwitz, J. Prins, T. Reps, "On the Adequacy of Program
Dependence Graphs for Representing Programs", 1988.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.changes.alignment import Alignment, agree, check, is_jump
from tightrope.changes.code import Code
from tightrope.changes.dependence import Dependence
from tightrope.changes.impact import How
from tightrope.program.model import Global


@dataclass(frozen=True, slots=True)
class Step:
    """How a place came to be affected: `source` is None for a seed."""

    source: Spot | None
    how: How
    name: str = ""  # of the memory that it went through; of a seed, the global that changed


Spot = tuple[bool, int]  # is it of the old version, place


@dataclass(frozen=True, slots=True)
class Seed:
    """Something that changed."""

    spot: Spot
    name: str = ""  # of the global that changed, if it is by that
    is_harmless: bool = False  # it ends no other runs than its partner does


@dataclass(slots=True)
class Spread:
    """All that is affected, each with the first step that was found: the shortest way from a change."""

    alignment: Alignment
    old: Dependence
    new: Dependence
    steps: dict[Spot, Step] = field(default_factory=dict)
    _waiting: deque[Spot] = field(default_factory=deque)
    _ended: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})  # segments behind what may end a run

    def spread(self, seeds: Iterable[Seed]) -> Spread:
        for seed in seeds:
            self._add(seed.spot, Step(None, How.CHANGED, seed.name))
            if not seed.is_harmless and self._side(seed.spot[0]).may_end(seed.spot[1]):
                self._end(seed.spot, seed.spot)
        while self._waiting:
            spot = self._waiting.popleft()
            self._cross(spot)
            side = self._side(spot[0])
            for place, how, name in side.affected(spot[1]):
                self._add((spot[0], place), Step(spot, how, name))
                if name and side.is_outside(place):  # who knows what it does with what it reads
                    self._end((spot[0], place), spot)
            for place in side.endangered(spot[1]):
                self._end((spot[0], place), spot)
        return self

    def _side(self, is_old: bool) -> Dependence:
        return self.old if is_old else self.new

    def _add(self, spot: Spot, step: Step) -> None:
        if spot not in self.steps:
            self.steps[spot] = step
            self._waiting.append(spot)

    def _cross(self, spot: Spot) -> None:
        """The partner is affected, too; how is told by this one."""
        is_old, place = spot
        partners = self.alignment.new_of if is_old else self.alignment.old_of
        if place in partners:
            self._add((not is_old, partners[place]), self._translated(spot))

    def _translated(self, spot: Spot) -> Step:
        return Step(spot, self.steps[spot].how, self.steps[spot].name)

    def _end(self, spot: Spot, cause: Spot) -> None:
        """All that may follow is affected: by what stands there, if that is itself, else by what endangers it."""
        cause = spot if spot in self.steps else cause
        side = self._side(spot[0])
        segment = side.order.segment_of[spot[1]]
        fresh = side.order.behind[segment] & ~self._ended[spot[0]]
        if fresh or not self._ended[spot[0]] >> segment & 1:
            self._ended[spot[0]] |= side.order.behind[segment]
            for place in side.behind(spot[1]):
                self._add((spot[0], place), Step(cause, How.ENDS))
                if side.code.starts[side.code.block_of[place]] == place:  # all of the block is behind it
                    self._add((spot[0], side.code.block_of_place(place)), Step(cause, How.ENDS))


def find_seeds(alignment: Alignment, old: Dependence, new: Dependence) -> Iterator[Seed]:
    """What is not the same in both versions."""
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
    """What reads it; where its type is another, all that mentions it."""
    number = side.objects.number(name)
    for place in side.readers.get(number, ()) if number is not None else ():
        yield Seed((is_old, place), name, is_harmless=True)
    if not has_same_type:
        for place, each in enumerate(side.code.instructions):
            if name in each.text:
                yield Seed((is_old, place), name)


def _without_partner(code: Code, partners: Mapping[int, int]) -> Iterator[int]:
    yield from (place for place in range(len(code.instructions)) if place not in partners and is_compared(code, place))
    first = len(code.instructions) + len(code.blocks)
    yield from (place for place in range(first, first + len(code.parameters)) if place not in partners)


def is_compared(code: Code, place: int) -> bool:
    """Whether it matters that an instruction has no partner."""
    each = code.instructions[place]
    return not is_jump(each) and each.callee != "@tightrope_output" and code.is_reached(place)


def changed_globals(alignment: Alignment) -> list[tuple[Global, Global]]:
    """Globals that have another type or start with something else now. Those of the compiler's own, which are numbered,
    are known by what they hold."""
    old, new = alignment.old.globals(), alignment.new.globals()
    pairs = [(old[name], one) for name, one in new.items() if name in old]
    return [pair for pair in pairs if alignment.old.global_key(pair[0]) != alignment.new.global_key(pair[1])]
