"""A bound on what the search changes: the first branches of a path, the first iterations of its loops.

Runs are never cut: a run goes on to its end, but nobody asks for another side behind the bound. What is left out is
counted, because then a search that has nothing left to do proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.running.memory_map import EVENT_BYTES
from tightrope.search.candidate import Candidate, Flip
from tightrope.search.fork import BRANCH, SWITCH, Fork

_WORDS = EVENT_BYTES // 4  # of an event: condition, site, and side with kind
_SITE, _KIND = 1, 2


@dataclass(frozen=True, slots=True)
class PathBound:
    """`depth`: forks of a path that may be changed, `iterations`: evaluations of the same branch on one path. 0 stands
    for no bound."""

    depth: int = 0
    iterations: int = 0

    def __bool__(self) -> bool:
        return bool(self.depth or self.iterations)

    def allows(self, candidate: Candidate) -> bool:
        if self.depth and candidate.rank >= self.depth:
            return False
        if not self.iterations or not isinstance(candidate, Flip) or candidate.fork.kind not in (BRANCH, SWITCH):
            return True
        return earlier_evaluations(candidate.fork) < self.iterations


NO_BOUND = PathBound()


def earlier_evaluations(fork: Fork) -> int:
    """How often the path to the fork has evaluated its branch before."""
    words = memoryview(fork.events)[: fork.depth * EVENT_BYTES].cast("I")
    sites, kinds = words[_SITE::_WORDS].tolist(), words[_KIND::_WORDS].tolist()
    return sum(site == fork.site and kind >> 16 == fork.kind for site, kind in zip(sites, kinds, strict=True))
