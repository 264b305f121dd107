"""Breadth first: the shallowest untried side of all paths."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure


class BreadthFirst:
    """A heap by rank, then by age: short paths first, so that it cannot get stuck in a loop or a pin.

    Risks: the number of paths doubles with each fork, so deep code is never reached."""

    name: ClassVar[str] = "bfs"
    help: ClassVar[str] = "the shallowest untried side of all paths first"

    def __init__(self, structure: CoverageStructure | None = None, source: Random | None = None) -> None:
        self._heap: list[tuple[int, int, Candidate]] = []
        self._age = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            self._age += 1
            heapq.heappush(self._heap, (candidate.rank, self._age, candidate))

    def pick(self) -> Candidate:
        return heapq.heappop(self._heap)[2]

    def __len__(self) -> int:
        return len(self._heap)
