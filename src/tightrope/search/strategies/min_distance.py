"""Random choice weighted by the distance to what is missing: one half of KLEE's default."""

from __future__ import annotations

import bisect
import itertools
import operator
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.buckets import Key, key_of
from tightrope.search.strategies.random_path import take_any

FAR = 10_000.0  # in instructions, if nothing missing is reachable; as in KLEE


class MinDistance:
    """KLEE's `nurs:md2u`: a random choice, with a weight of one over the square of the number of instructions between
    the candidate's side and the nearest missing point. The time for a pick is proportional to the number of sides in
    the code.

    Risks: a near point that no input can reach keeps attracting picks."""

    name: ClassVar[str] = "md2u"
    help: ClassVar[str] = "at random, preferring what is near something missing"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        self.structure, self.source = structure, source
        self._buckets: dict[Key, list[Candidate]] = {}
        self._weights: dict[Key, float] = {}  # of one candidate in each bucket; the same keys in the same order
        self._version = structure.version
        self._count = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            key = key_of(candidate)
            if key not in self._buckets:
                self._buckets[key], self._weights[key] = [], self._weight(candidate)
            self._buckets[key].append(candidate)
        self._count += len(candidates)

    def pick(self) -> Candidate:
        if self._version != self.structure.version:
            self._version = self.structure.version
            self._weights = {key: self._weight(bucket[0]) for key, bucket in self._buckets.items()}
        key = self._draw()
        candidate = take_any(self._buckets[key], self.source)
        if not self._buckets[key]:
            del self._buckets[key], self._weights[key]
        self._count -= 1
        return candidate

    def __len__(self) -> int:
        return self._count

    def _draw(self) -> Key:
        counts = map(len, self._buckets.values())
        sums = list(itertools.accumulate(map(operator.mul, self._weights.values(), counts)))
        index = bisect.bisect(sums, self.source.random() * sums[-1], hi=len(sums) - 1)
        return next(itertools.islice(self._buckets, index, None))

    def _weight(self, candidate: Candidate) -> float:
        distance = self.structure.instructions_to_missing(candidate)
        return min(max(distance, 1.0), FAR) ** -2
