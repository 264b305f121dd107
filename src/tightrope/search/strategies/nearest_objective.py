"""Nearest objective: the fewest branches to anything that is missing."""

from __future__ import annotations

from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.strategies.buckets import Bucketed, Score


class NearestObjective(Bucketed):
    """The candidate with the fewest branches between its side and anything missing; then the fewest instructions; then
    the shortest path; then the oldest. As the greedy half of CREST and KLEE, without their chance.

    Risks: the nearest thing may be one that no input can reach; every path gets its turn there before anything else."""

    name: ClassVar[str] = "nearest-objective"
    help: ClassVar[str] = "the fewest branches to anything that is missing"

    def _score(self, candidate: Candidate) -> Score:
        return self.structure.branches_to_missing(candidate), self.structure.instructions_to_missing(candidate)
