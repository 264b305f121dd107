"""Predictive path search: where most is missing nearby."""

from __future__ import annotations

from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import Relevance
from tightrope.search.strategies.buckets import Bucketed, Score

ORDER = {Relevance.MUST: 0, Relevance.MAY: 1, Relevance.IRRELEVANT: 2}


class PredictivePath(Bucketed):
    """PPS of T. Su et al. (paper 001, Section IV.C): what hits something missing at once goes before what may come to
    it; then the more is missing within `--pps-depth` choices behind the side (the paper's PotentialContr), the better;
    then shorter paths; then chance. All of it is looked up again whenever something new is hit.

    Risks: the prediction looks at the code, not at the values. Where a side needs several things to have happened
    before (`if (v[i] == 3) x++;` four times before `x == 6`), all candidates look alike, and only chance helps."""

    name: ClassVar[str] = "pps"
    help: ClassVar[str] = "where most of what is missing lies nearby (predictive path search)"

    def _score(self, candidate: Candidate) -> Score:
        return ORDER[self.structure.relevance(candidate)], -self.structure.contribution(candidate)

    def _order(self, candidate: Candidate) -> Score:
        return candidate.rank, self.source.random()
