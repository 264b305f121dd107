"""Nearest objective: the fewest branches to anything that is missing."""

from __future__ import annotations

from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.strategies.buckets import Bucketed, Score


class NearestObjective(Bucketed):
    """The candidate with the fewest branches between its side and anything missing; then the fewest instructions; then
    the shortest path; then the oldest. The greedy part of CREST and KLEE, without their randomness.

    Risks: the nearest missing point may be infeasible; then every path to it is tried before anything else."""

    name: ClassVar[str] = "nearest-objective"
    help: ClassVar[str] = "the fewest branches to anything that is missing"

    def _score(self, candidate: Candidate) -> Score:
        return self.structure.branches_to_missing(candidate), self.structure.instructions_to_missing(candidate)
