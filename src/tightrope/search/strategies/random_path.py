"""Random path: like a walk from the root that chooses a random side at each fork."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from random import Random
from typing import ClassVar, TypeVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure

T = TypeVar("T")
NEGLIGIBLE = 64  # ranks below the shortest: such candidates are negligible, however many wait


class RandomPath:
    """C. Cadar et al. (KLEE, OSDI 2008): walk down the tree of paths with equal probability for each side; a candidate
    with *n* forks above it has the weight 2 to the power of *-n* (as in paper 001). Loops, which yield many long paths,
    cannot outweigh short ones. KLEE's own walk skips sides with nothing left below, so it slightly favours isolated
    candidates.

    Risks: it ignores the code: a candidate below a hundred forks is practically never tried while anything shorter
    waits."""

    name: ClassVar[str] = "random-path"
    help: ClassVar[str] = "at random; each further fork halves the probability"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        self.source = source
        self._by_rank: dict[int, list[Candidate]] = {}
        self._ranks: list[int] = []  # of `_by_rank`, ascending
        self._count = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            rank = candidate.rank
            if rank not in self._by_rank:
                bisect.insort(self._ranks, rank)
                self._by_rank[rank] = []
            self._by_rank[rank].append(candidate)
        self._count += len(candidates)

    def pick(self) -> Candidate:
        rank = self._draw_rank()
        waiting = self._by_rank[rank]
        candidate = take_any(waiting, self.source)
        if not waiting:
            del self._by_rank[rank]
            self._ranks.remove(rank)
        self._count -= 1
        return candidate

    def __len__(self) -> int:
        return self._count

    def _draw_rank(self) -> int:
        shortest = self._ranks[0]
        end = bisect.bisect(self._ranks, shortest + NEGLIGIBLE)
        ranks = self._ranks[:end]
        weights = [len(self._by_rank[rank]) << (NEGLIGIBLE + shortest - rank) for rank in ranks]
        drawn = self.source.randrange(sum(weights))
        for rank, weight in zip(ranks, weights, strict=True):
            drawn -= weight
            if drawn < 0:
                return rank
        raise AssertionError("drawn below the sum of all weights")


def take_any(waiting: list[T], source: Random) -> T:
    """Remove and return a random one; the last one takes its place."""
    index = source.randrange(len(waiting))
    waiting[index], waiting[-1] = waiting[-1], waiting[index]
    return waiting.pop()
