"""Predictive path search: where the most is missing nearby."""

from __future__ import annotations

from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import Relevance
from tightrope.search.strategies.buckets import Bucketed, Score

ORDER = {Relevance.MUST: 0, Relevance.MAY: 1, Relevance.IRRELEVANT: 2}


class PredictivePath(Bucketed):
    """PPS of T. Su et al. (paper 001, Section IV.C): candidates that hit something missing at once come before those
    from which something missing is reachable; then those with more missing points within `--pps-depth` choices after
    the side (the paper's PotentialContr); then shorter paths; then a random choice. The order is updated whenever
    something new is hit.

    Risks: the prediction considers the code, not the values. If a side needs several things to happen before
    (`if (v[i] == 3) x++;` four times before `x == 6`), all candidates look the same, and only chance helps."""

    name: ClassVar[str] = "pps"
    help: ClassVar[str] = "where the most missing points are nearby (predictive path search)"

    def _score(self, candidate: Candidate) -> Score:
        return ORDER[self.structure.relevance(candidate)], -self.structure.contribution(candidate)

    def _order(self, candidate: Candidate) -> Score:
        return candidate.rank, self.source.random()
