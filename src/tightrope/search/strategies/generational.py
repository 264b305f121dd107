"""Generational: all children of the run that hit the most points."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure


class Generational:
    """P. Godefroid, M. Levin, D. Molnar (SAGE, NDSS 2008): one run yields a generation: every untried side of its path
    is tried, shallow ones first, before any child of these. Next comes the run with the best score: the number of
    missing points that it hit; the older run if these are equal.

    Risks: it is made for long paths and slow runs, where all children of one run are worth a try; in a loop, each
    generation is as large as the path is long, although its members are very similar."""

    name: ClassVar[str] = "generational"
    help: ClassVar[str] = "all untried sides of the run that hit the most new points"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        self.structure = structure
        self._missing = structure.missing
        self._generation: deque[Candidate] = deque()
        self._runs: list[tuple[int, int, Sequence[Candidate]]] = []  # score (less is better), age, children
        self._count = self._age = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        hit = (self._missing & ~self.structure.missing).bit_count()
        self._missing = self.structure.missing
        if candidates:
            self._age += 1
            heapq.heappush(self._runs, (-hit, self._age, candidates))
        self._count += len(candidates)

    def pick(self) -> Candidate:
        if not self._generation:
            self._generation.extend(heapq.heappop(self._runs)[2])
        self._count -= 1
        return self._generation.popleft()

    def __len__(self) -> int:
        return self._count
