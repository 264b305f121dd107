"""CFG-directed: along the path of the latest run, closer and closer to something missing."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.random_path import take_any

TRIES = 250  # picks without anything new before it starts elsewhere, as in CREST
FAR = float("inf")
Entry = tuple[float, int, int, Candidate]  # branches to something missing, rank, age


class CfgDirected:
    """J. Burnim and K. Sen (CREST, ASE 2008): of the untried sides of the current path, the one with the fewest
    branches between it and something missing. Its run becomes the current path if it hits something new; or, below the
    side that was taken, if that leads even closer. Otherwise it returns to the next best side of the previous path. If
    nothing is left there, or after too many tries, it starts elsewhere: CREST with a random input, Tightrope with the
    untried sides of some earlier run.

        current path   a ── b ── c ── d           c' is nearest: take it
                                 └─ e ── f        f' is nearer than c' was: take it, otherwise return to a', b', d'

    Risks: it considers only the code; if the nearest missing point needs certain values, it tries every path there
    first."""

    name: ClassVar[str] = "cfg-directed"
    help: ClassVar[str] = "along the current path, the fewest branches to something missing (CREST)"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        self.structure, self.source = structure, source
        self._frames: list[list[Entry]] = []  # heaps: sides of a path, of the path a pick led to, ...
        self._forks: list[int] = []  # the ranks of these picks, and of the latest one
        self._distance = FAR  # of the latest pick
        self._elsewhere: list[list[Candidate]] = []  # by run
        self._hopeless: list[Candidate] = []  # nothing missing is reachable from them
        self._version, self._tries, self._most_tries = structure.version, 0, TRIES
        self._count = self._age = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._count += len(candidates)
        if self._version != self.structure.version:
            self._follow(candidates)
        else:
            self._descend(candidates)

    def pick(self) -> Candidate:
        if self._version != self.structure.version:
            self._follow(())
        self._count -= 1
        self._tries += 1
        if self._tries > self._most_tries and self._elsewhere:
            self._leave()
        while self._frames and not self._frames[-1]:
            self._drop_frame()
        while not self._frames and self._elsewhere:
            self._start_elsewhere()
        if not self._frames:
            self._distance = FAR
            return self._hopeless.pop()
        self._distance, rank, _, candidate = heapq.heappop(self._frames[-1])
        self._forks[-1] = rank
        return candidate

    def __len__(self) -> int:
        return self._count

    def _follow(self, fresh: Sequence[Candidate]) -> None:
        """The latest run hit something new: its whole path becomes the current one."""
        self._version, self._tries = self.structure.version, 0
        on_path: list[Candidate] = []
        for frame, rank in zip(self._frames, self._forks, strict=True):
            on_path += [entry[3] for entry in frame if entry[1] < rank or not fresh]
            self._put_elsewhere([entry[3] for entry in frame if entry[1] >= rank and fresh])
        self._frames, self._forks = [], []
        self._open_frame([*on_path, *fresh])

    def _descend(self, fresh: Sequence[Candidate]) -> None:
        """Continue only with sides that are nearer than the one that was taken; at the start, with any."""
        if not self._frames and self._distance == FAR:
            return self._open_frame(fresh)
        distances = [self.structure.branches_to_missing(candidate) for candidate in fresh]
        pairs = list(zip(distances, fresh, strict=True))
        nearer = [candidate for distance, candidate in pairs if distance < self._distance]
        self._put_elsewhere([candidate for distance, candidate in pairs if distance >= self._distance])
        if nearer:
            self._open_frame(nearer)

    def _open_frame(self, candidates: Sequence[Candidate]) -> None:
        frame: list[Entry] = []
        for candidate in candidates:
            distance = self.structure.branches_to_missing(candidate)
            if distance == FAR:
                self._hopeless.append(candidate)
            else:
                self._age += 1
                frame.append((distance, candidate.rank, self._age, candidate))
        heapq.heapify(frame)
        if frame and not self._frames:  # leaving a path takes time proportional to its length: not too often
            self._most_tries = max(TRIES, len(frame) // 2)
        if frame:
            self._frames.append(frame)
            self._forks.append(0)

    def _drop_frame(self) -> None:
        self._frames.pop()
        self._forks.pop()

    def _leave(self) -> None:
        for frame in self._frames:
            self._put_elsewhere([entry[3] for entry in frame])
        self._frames, self._forks, self._tries = [], [], 0

    def _put_elsewhere(self, candidates: list[Candidate]) -> None:
        if candidates:
            self._elsewhere.append(candidates)

    def _start_elsewhere(self) -> None:
        run = take_any(self._elsewhere, self.source)
        self._open_frame(run)
