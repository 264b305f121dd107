"""How close the path of a run came to missing sides: branch distances at its forks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tightrope.expr.distance import distance
from tightrope.search.candidate import LABEL, Candidate, Flip
from tightrope.search.fork import BRANCH
from tightrope.search.strategies.buckets import Key, key_of

FAR = 1.0  # further than any branch distance
MOST_MEASURED = 16  # forks with one side on one path: the last ones
FlipPlace = tuple[int, Key]  # of a flip: its place in the code, and its relation to what is missing
Near = tuple[float, int]  # branch distance, rank of the fork


def place_of(candidate: Candidate) -> FlipPlace:
    return candidate.site, key_of(candidate)


class PathFitness:
    """`near` has the sides that the run could have taken but did not, each with the least distance of its forks."""

    __slots__ = ("near",)

    def __init__(self, near: dict[FlipPlace, Near]) -> None:
        self.near = near

    def closest(self, missing: Mapping[FlipPlace, Candidate]) -> tuple[float, FlipPlace | None]:
        """The least distance to a side that is still missing, and that side."""
        found = ((distance, place) for place, (distance, _) in self.near.items() if place in missing)
        return min(found, default=(FAR, None), key=lambda each: each[0])

    def inherit(self, parent: PathFitness, rank: int) -> None:
        """Add what the path has in common with the one that it left at a fork of this rank."""
        for place, (apart, where) in parent.near.items():
            if where < rank and apart < self.near.get(place, (FAR, 0))[0]:
                self.near[place] = (apart, where)


def measure(candidates: Sequence[Candidate], missing: Mapping[FlipPlace, Candidate]) -> PathFitness:
    """The fitness of a run, from the flips that it yielded. A switch depends on a number and has no distances."""
    flips: dict[FlipPlace, list[Flip]] = {}
    for candidate in candidates:
        if isinstance(candidate, Flip) and candidate.fork.kind in (BRANCH, LABEL):
            place = place_of(candidate)
            if place in missing:
                flips.setdefault(place, []).append(candidate)
    return PathFitness({place: _nearest(each[-MOST_MEASURED:]) for place, each in flips.items()})


def _nearest(flips: Iterable[Flip]) -> Near:
    return min((distance(each.fork.term, bool(each.side), each.base), each.rank) for each in flips)
