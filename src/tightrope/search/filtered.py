"""Path filtering (paper 001, Algorithm 2): candidates behind which nothing is missing are not tried.

Applied when candidates come, and again to all that wait after every run that hit something missing. What is irrelevant
stays so, but for one case: a function ran that nothing seemed to call. Then all that was dropped comes back.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import copy
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure, Relevance
from tightrope.search.strategy import Strategy

Groups = dict[Hashable, tuple[Candidate, int]]  # by what relevance depends on: how many candidates, and one of them


class Filtered:
    """Another strategy without what is irrelevant.

    That strategy cannot be asked to forget, so it keeps what became irrelevant until it picks it."""

    name: ClassVar[str] = "filtered"
    help: ClassVar[str] = "as another strategy, without candidates behind which nothing is missing"

    def __init__(self, others: Strategy, structure: CoverageStructure) -> None:
        self.others, self.structure = others, structure
        self.dropped: list[Candidate] = []
        self._waiting: Groups = {}
        self._stale: Groups = {}  # what is still in it, but irrelevant
        self._count = 0  # of all in it
        self._version, self._surprises = structure.version, structure.surprises

    @property
    def filtered(self) -> int:
        """How many candidates need not be tried."""
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

    def _is_relevant(self, candidate: Candidate) -> bool:
        return self.structure.relevance(candidate) is not Relevance.IRRELEVANT

    def _recheck(self) -> None:
        if self._version == self.structure.version:
            return
        self._version = self.structure.version
        self._sort()
        if self._surprises != self.structure.surprises:
            self._surprises = self.structure.surprises
            dropped, self.dropped = self.dropped, []
            self.add([copy(candidate) for candidate in dropped])  # a strategy may have had it before

    def _sort(self) -> None:
        """What is relevant now, and what is not."""
        everything = [*self._waiting.values(), *self._stale.values()]
        self._waiting, self._stale = {}, {}
        for candidate, count in everything:
            _put(self._waiting if self._is_relevant(candidate) else self._stale, candidate, count)
        self._count = sum(count for _, count in self._waiting.values())


def _put(groups: Groups, candidate: Candidate, count: int) -> None:
    """So many more of its group, or fewer."""
    key = _key(candidate)
    one, before = groups.get(key, (candidate, 0))
    if before + count:
        groups[key] = (one, before + count)
    else:
        groups.pop(key, None)


def _key(candidate: Candidate) -> Hashable:
    if candidate.is_aim:
        return candidate.mask, "aim"
    side, point = candidate.side_point, candidate.point
    return side if side == point else (side, point)
