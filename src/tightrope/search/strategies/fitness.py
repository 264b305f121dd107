"""Fitness-guided: continue from the runs that came closest to taking a missing side."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure, Relevance
from tightrope.search.strategies.path_fitness import FAR, FlipPlace, PathFitness, measure, place_of

Entry = tuple[float, int, int, PathFitness, Candidate]  # last known fitness of the path; rank; age


@dataclass(frozen=True, slots=True)
class Picked:
    """A candidate, and the path that it leaves: how close that path came to a missing side, and to which one."""

    candidate: Candidate
    path: PathFitness
    apart: float
    side: FlipPlace | None


class Gain:
    """The average improvement of path fitness by flips at one place."""

    __slots__ = ("average", "count")

    def __init__(self) -> None:
        self.average, self.count = 0.0, 0

    def note(self, value: float) -> None:
        self.count += 1
        self.average += (value - self.average) / self.count


class Fitness:
    """T. Xie, N. Tillmann, J. de Halleux, W. Schulte (Fitnex, DSN 2009): the fitness of a path is the least branch
    distance of its run to a missing side: for `x == 6`, how far `x` was from 6. If flips at a place have improved the
    fitness by some *gain*, they are expected to do so again: candidates are ordered by fitness minus the average gain
    of the place, the least first. Candidates that take a missing side at once come before all others; if no path came
    close to a missing side, the nearest code comes first.

        if (v[i] == 3) x++;     a flip here makes x larger ...
        if (x == 6) ...         ... and the next path is one closer: continue from that path with such flips

    Risks: it needs a gradient. A path is measured only at branches that depend on the inputs, so a counter that is
    compared with a constant gives no information. Hash-like conditions mislead it, and so do several missing sides at
    once; it is best in turns with another strategy (`pps+fitness`)."""

    name: ClassVar[str] = "fitness"
    help: ClassVar[str] = "from the runs that came closest to a missing side (branch distance)"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        self.structure = structure
        self._buckets: dict[FlipPlace, list[Entry]] = {}  # heaps
        self._fronts: list[tuple[tuple[float, ...], int, FlipPlace]] = []  # a heap: score of a bucket, stamp
        self._stamps: dict[FlipPlace, int] = {}  # of the current front
        self._sides: dict[FlipPlace, Candidate] = {}  # missing sides that some run could have taken, each with a flip
        self._gains: dict[FlipPlace, Gain] = {}
        self._steps: dict[FlipPlace, float] = {}  # branches from the place to something missing
        self._fitness: dict[PathFitness, float] = {}
        self._paths: dict[int, PathFitness] = {}  # by `id` of a waiting candidate
        self._latest: Picked | None = None  # without a result so far
        self._version = structure.version
        self._count = self._age = self._stamp = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._refresh()
        self._find_sides(candidates)
        path = measure(candidates, self._sides)
        if self._latest is not None:
            self._learn(path, self._latest, candidates)
        for candidate in candidates:
            self._hang(place_of(candidate), path, candidate)
        self._count += len(candidates)

    def _hang(self, place: FlipPlace, path: PathFitness, candidate: Candidate) -> None:
        self._age += 1
        self._paths[id(candidate)] = path
        bucket = self._buckets.setdefault(place, [])
        heapq.heappush(bucket, (self._fitness_of(path), candidate.rank, self._age, path, candidate))
        if bucket[0][4] is candidate:
            self._show(place)

    def pick(self) -> Candidate:
        self._refresh()
        place = self._best()
        candidate = heapq.heappop(self._buckets[place])[4]
        self._show(place)
        self._count -= 1
        self.note_pick(candidate)
        del self._paths[id(candidate)]
        return candidate

    def note_pick(self, candidate: Candidate) -> None:
        """Some strategy picked it: candidates that follow belong to its run."""
        self._refresh()
        path = self._paths[id(candidate)]
        self._latest = Picked(candidate, path, *path.closest(self._sides))

    def __len__(self) -> int:
        return self._count

    def _best(self) -> FlipPlace:
        while True:
            _, stamp, place = heapq.heappop(self._fronts)
            if self._stamps.get(place) == stamp:
                return place

    def _show(self, place: FlipPlace) -> None:
        """Insert the bucket among the fronts with its current score; earlier entries become invalid."""
        if not self._buckets[place]:
            del self._buckets[place], self._stamps[place]
            return
        self._stamp += 1
        self._stamps[place] = self._stamp
        heapq.heappush(self._fronts, (self._score(place), self._stamp, place))

    def _score(self, place: FlipPlace) -> tuple[float, ...]:
        bucket = self._buckets[place]
        fitness, rank, age, path, candidate = bucket[0]
        while fitness != self._fitness_of(path):  # a side was taken since then: the fitness only gets worse
            heapq.heapreplace(bucket, (self._fitness_of(path), rank, age, path, candidate))
            fitness, rank, age, path, candidate = bucket[0]
        gain = self._gains.get(place)
        expected = fitness - gain.average if gain else fitness
        return place not in self._sides, expected, self._steps_from(place, candidate), rank

    def _steps_from(self, place: FlipPlace, candidate: Candidate) -> float:
        steps = self._steps.get(place)
        if steps is None:
            steps = self._steps[place] = self.structure.branches_to_missing(candidate)
        return steps

    def _fitness_of(self, path: PathFitness) -> float:
        fitness = self._fitness.get(path)
        if fitness is None:
            fitness = self._fitness[path] = path.closest(self._sides)[0]
        return fitness

    def _find_sides(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            place = place_of(candidate)
            if place not in self._steps:  # a new place since something was last hit
                self._steps_from(place, candidate)
                if self._is_missing(candidate):
                    self._sides[place] = candidate

    def _is_missing(self, candidate: Candidate) -> bool:
        return self.structure.relevance(candidate) is Relevance.MUST

    def _learn(self, path: PathFitness, latest: Picked, fresh: Sequence[Candidate]) -> None:
        """Learn from the run of the last picked candidate; the run of an aim or a late candidate may be shorter."""
        self._latest = None
        if fresh and fresh[0].rank <= latest.candidate.rank:
            return
        path.inherit(latest.path, latest.candidate.rank)
        if latest.side is not None:
            after = path.near.get(latest.side, (FAR, 0))[0] if latest.side in self._sides else 0.0
            self._note_gain(place_of(latest.candidate), latest.apart - after)

    def _note_gain(self, place: FlipPlace, gain: float) -> None:
        self._gains.setdefault(place, Gain()).note(gain)
        if place in self._buckets:
            self._show(place)

    def _refresh(self) -> None:
        if self._version == self.structure.version:
            return
        self._version = self.structure.version
        self._steps, self._fitness = {}, {}
        self._sides = {place: each for place, each in self._sides.items() if self._is_missing(each)}
        self._fronts, self._stamps = [], {}
        for place in self._buckets:
            self._show(place)
