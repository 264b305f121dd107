"""Candidates in buckets: those with the same relation to what is missing wait together, shorter ones first.

    bucket of side 7     rank 2, rank 5, rank 5       front: (score of the bucket, 2, ...)
    bucket of side 9     rank 1                       front: (score of the bucket, 1, ...)

What is missing affects the scores of buckets, but never the order within one: after a run that hits something new, the
number of scores to compute is the number of sides in the code, however many candidates wait. Picks and additions take
logarithmic time.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure

Key = tuple[int, int, int | None]
Score = tuple[float, ...]  # the least is the best
Entry = tuple[Score, int, Candidate]  # order in the bucket, age
Front = tuple[Score, Score, int, Key]  # score of the bucket; order and age of its first entry


def key_of(candidate: Candidate) -> Key:
    """Everything on which relevance, contribution and distances of a candidate depend."""
    return candidate.mask, candidate.side_point, candidate.point


class Bucketed(ABC):
    """A strategy that only has to score buckets.

    `_fronts` is a heap of the first entries of all buckets; one that is no longer the first of its bucket is
    ignored."""

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        self.structure, self.source = structure, source
        self._buckets: dict[Key, list[Entry]] = {}
        self._scores: dict[Key, Score] = {}
        self._fronts: list[Front] = []
        self._version = structure.version
        self._count = self._age = 0

    @abstractmethod
    def _score(self, candidate: Candidate) -> Score:
        """The score of its bucket: the same for all candidates in it, until something missing is hit."""

    def _order(self, candidate: Candidate) -> Score:
        """Orders candidates with the same score; the older one comes first if this is equal, too. It never changes."""
        return (candidate.rank,)

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._refresh()
        buckets, push = self._buckets, heapq.heappush
        for candidate in candidates:
            key = key_of(candidate)
            bucket = buckets.setdefault(key, [])
            self._age += 1
            push(bucket, (self._order(candidate), self._age, candidate))
            if bucket[0][2] is candidate:
                self._show(key, bucket)
        self._count += len(candidates)

    def pick(self) -> Candidate:
        self._refresh()
        key = self._best()
        bucket = self._buckets[key]
        candidate = heapq.heappop(bucket)[2]
        if bucket:
            self._show(key, bucket)
        else:
            del self._buckets[key]
        self._count -= 1
        return candidate

    def __len__(self) -> int:
        return self._count

    def _best(self) -> Key:
        while True:
            *_, age, key = heapq.heappop(self._fronts)
            bucket = self._buckets.get(key)
            if bucket and bucket[0][1] == age:
                return key

    def _show(self, key: Key, bucket: list[Entry]) -> None:
        order, age, candidate = bucket[0]
        score = self._scores.get(key)
        if score is None:
            score = self._scores[key] = self._score(candidate)
        heapq.heappush(self._fronts, (score, order, age, key))

    def _refresh(self) -> None:
        if self._version == self.structure.version:
            return
        self._version = self.structure.version
        self._scores, self._fronts = {}, []
        for key, bucket in self._buckets.items():
            self._show(key, bucket)
