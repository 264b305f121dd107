"""Interleaved: several strategies take turns over the same candidates; and the strategies built in this way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Protocol, runtime_checkable

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.fitness import Fitness
from tightrope.search.strategies.min_distance import MinDistance
from tightrope.search.strategies.predictive_path import PredictivePath
from tightrope.search.strategies.random_path import RandomPath
from tightrope.search.strategy import Strategy

PICKS = 8  # in one turn, if no run follows


@runtime_checkable
class Learner(Protocol):
    """A strategy that is told what others picked, because it learns from the runs that follow."""

    def note_pick(self, candidate: Candidate) -> None: ...


class Interleaved:
    """Every strategy gets all candidates, and they pick in turns, as in KLEE: if one is stuck, the next one may not be.
    A turn ends with a run, or after a few picks without a run: with turns of one pick, one of two strategies could get
    all the infeasible candidates. The others skip what one has picked.

    Risks: each strategy has only its share of the picks, and one that follows a single path at a time is distracted."""

    name: ClassVar[str] = "interleaved"
    help: ClassVar[str] = "several strategies in turns"

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        self.strategies = strategies
        self._turn = self._picks = self._count = 0
        self._to_skip: dict[int, int] = {}  # by `id` of a picked candidate: how many strategies still have it

    def add(self, candidates: Sequence[Candidate]) -> None:
        for strategy in self.strategies:
            strategy.add(candidates)
        self._count += len(candidates)
        self._end_turn()

    def pick(self) -> Candidate:
        if self._picks == PICKS:
            self._end_turn()
        strategy = self.strategies[self._turn]
        self._picks += 1
        while id(candidate := strategy.pick()) in self._to_skip:
            self._skip(candidate)
        self._count -= 1
        if len(self.strategies) > 1:
            self._to_skip[id(candidate)] = len(self.strategies) - 1
        self._tell(strategy, candidate)
        return candidate

    def __len__(self) -> int:
        return self._count

    def _end_turn(self) -> None:
        self._turn, self._picks = (self._turn + 1) % len(self.strategies), 0

    def _skip(self, candidate: Candidate) -> None:
        """The last strategy to skip it removes the entry: the candidate may be deleted, and another one get its
        `id`."""
        left = self._to_skip.pop(id(candidate)) - 1
        if left:
            self._to_skip[id(candidate)] = left

    def _tell(self, picker: Strategy, candidate: Candidate) -> None:
        for strategy in self.strategies:
            if strategy is not picker and isinstance(strategy, Learner):
                strategy.note_pick(candidate)


class RpMd2u(Interleaved):
    """KLEE's default (C. Cadar et al., OSDI 2008), RP-MD2U in paper 001: `random-path` in turns with a random choice
    that prefers candidates near something missing: the weight is one over the square of the number of instructions in
    between.

    Risks: it returns again and again to near sides that no input can take."""

    name: ClassVar[str] = "rp-md2u"
    help: ClassVar[str] = "random-path, in turns with a random choice that prefers what is near something missing"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        super().__init__([RandomPath(structure, source), MinDistance(structure, source)])


class PpsFitness(Interleaved):
    """`pps` and `fitness` in turns, as T. Su et al. propose (paper 001, end of Section V.D): the first covers much with
    each run, the second works on one side that is hard to take. `fitness` learns from the runs of both.

    Risks: if nothing is hard, every second pick is one that `pps` would not have made."""

    name: ClassVar[str] = "pps+fitness"
    help: ClassVar[str] = "pps and fitness in turns"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        super().__init__([PredictivePath(structure, source), Fitness(structure, source)])
