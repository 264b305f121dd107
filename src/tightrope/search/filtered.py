"""Path filtering (paper 001, Algorithm 2): candidates from which nothing missing is reachable are not tried.

Applied to new candidates, and again to all waiting ones after every run that hits something missing. Irrelevant
candidates stay irrelevant, with one exception: if a function ran that nothing seemed to call, all dropped candidates
come back.

A candidate may also cover what lies before its side: if the run that found it hit something missing there, but crashed,
did not end or was rejected, then another way on may end well.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import copy
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure, Relevance
from tightrope.search.strategy import Strategy

Groups = dict[Hashable, tuple[Candidate, int]]  # by what relevance depends on: a candidate, and how many there are


class Filtered:
    """Another strategy, without irrelevant candidates.

    That strategy cannot forget candidates, so it keeps those that became irrelevant until it picks them. It must not
    count its picks: some of them are never tried. What does (LateLast) stands around filters, not in one."""

    name: ClassVar[str] = "filtered"
    help: ClassVar[str] = "as another strategy, without candidates from which nothing missing is reachable"

    def __init__(self, others: Strategy, structure: CoverageStructure) -> None:
        self.others, self.structure = others, structure
        self.dropped: list[Candidate] = []
        self._waiting: Groups = {}
        self._stale: Groups = {}  # still in the strategy, but irrelevant
        self._count = 0  # of all candidates in the strategy
        self._version, self._surprises = structure.version, structure.surprises
        self._is_over = False

    @property
    def filtered(self) -> int:
        """The number of candidates that need not be tried."""
        self._recheck()
        return len(self.dropped) + len(self.others) - len(self)

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._recheck()
        relevance, waiting, relevant = self.structure.relevance, self._waiting, []
        for candidate in candidates:
            if relevance(candidate) is Relevance.IRRELEVANT:
                self.dropped.append(candidate)
            else:
                relevant.append(candidate)
                _put(waiting, candidate, 1)
        self._count += len(relevant)
        self.others.add(relevant)

    def pick(self) -> Candidate:
        self._recheck()
        while _key(candidate := self.others.pick()) not in self._waiting:
            _put(self._stale, candidate, -1)
            self.dropped.append(candidate)
        _put(self._waiting, candidate, -1)
        self._count -= 1
        return candidate

    def __len__(self) -> int:
        self._recheck()
        return self._count

    def stop_filtering(self) -> None:
        """What waits is all relevant from now on. What was dropped stays so."""
        for candidate, count in self._stale.values():
            _put(self._waiting, candidate, count)
        self._count, self._stale, self._is_over = len(self.others), {}, True

    def _is_relevant(self, candidate: Candidate) -> bool:
        return self.structure.relevance(candidate) is not Relevance.IRRELEVANT

    def _recheck(self) -> None:
        if self._is_over or self._version == self.structure.version:
            return
        self._version = self.structure.version
        self._sort()
        if self._surprises != self.structure.surprises:
            self._surprises = self.structure.surprises
            dropped, self.dropped = self.dropped, []
            self.add([copy(candidate) for candidate in dropped])  # the strategy may have had the original

    def _sort(self) -> None:
        """Sort the groups into relevant and irrelevant ones."""
        everything = [*self._waiting.values(), *self._stale.values()]
        self._waiting, self._stale = {}, {}
        for candidate, count in everything:
            _put(self._waiting if self._is_relevant(candidate) else self._stale, candidate, count)
        self._count = sum(count for _, count in self._waiting.values())


def _put(groups: Groups, candidate: Candidate, count: int) -> None:
    """Add `count`, which may be negative, to the group of the candidate."""
    key = _key(candidate)
    one, before = groups.get(key, (candidate, 0))
    if before + count:
        groups[key] = (one, before + count)
    else:
        groups.pop(key, None)


def _key(candidate: Candidate) -> Hashable:
    if candidate.is_aim:
        return candidate.mask, "aim"
    side, point, missed = candidate.side_point, candidate.point, candidate.missed
    return side if side == point and not missed else (side, point, missed)
