"""Restarting: leave an area where nothing new is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.random_path import RandomPath
from tightrope.search.strategy import Strategy


class Restarting:
    """Another strategy that restarts elsewhere after many picks in a row without anything new. Its candidates are set
    aside; it continues from one of those set aside, chosen as by `random-path`, and with what is found from there.

        start ~~~~~~~~~ nothing new: aside
                 \\~~~~~~~~~ nothing new: aside
             \\~~~~~ ...

    A candidate is set aside at most once, so leaving costs little. Risks: what one more pick would have found has lost
    its place, and waits for a random choice."""

    name: ClassVar[str] = "restarting"
    help: ClassVar[str] = "as another strategy, but it restarts elsewhere if nothing new is found"

    def __init__(
        self, make: Callable[[], Strategy], structure: CoverageStructure, source: Random, patience: int
    ) -> None:
        self.make, self.structure, self.patience = make, structure, patience
        self.restarts = 0
        self._here = make()
        self._aside = RandomPath(structure, source)
        self._version, self._tries = structure.version, 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._here.add(candidates)

    def pick(self) -> Candidate:
        if self._version != self.structure.version:
            self._version, self._tries = self.structure.version, 0
        self._tries += 1
        if self._tries <= self.patience and len(self._here):
            return self._here.pick()
        return self._start_anew()

    def __len__(self) -> int:
        return len(self._here) + len(self._aside)

    def _start_anew(self) -> Candidate:
        self._aside.add([self._here.pick() for _ in range(len(self._here))])
        self._here, self._tries = self.make(), 0
        self.restarts += 1
        return self._aside.pick()
