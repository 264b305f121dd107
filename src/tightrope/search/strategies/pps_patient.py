"""Predictive path search that loses patience with sides which bring nothing."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.buckets import Key, Score, key_of
from tightrope.search.strategies.predictive_path import PredictivePath

PATIENCE = 4  # picks from one bucket, until the others are to have as many


class PatientPredictivePath(PredictivePath):
    """`pps`, but every few picks from a bucket that bring nothing new put it behind those that were picked from less
    often; and in a bucket, chance decides. A side that no input can take is missing for ever, so that `pps` itself
    tries it on every path before anything else.

    Risks: in a long loop where every turn is needed, `pps` is more stubborn, and rightly so."""

    name: ClassVar[str] = "pps-patient"
    help: ClassVar[str] = "as pps, but sides that were tried in vain wait for the others"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        super().__init__(structure, source)
        self._picks: Counter[Key] = Counter()  # since something was hit that was missing

    def _score(self, candidate: Candidate) -> Score:
        return self._picks[key_of(candidate)] // PATIENCE, *super()._score(candidate)

    def _order(self, candidate: Candidate) -> Score:
        return (self.source.random(),)

    def _best(self) -> Key:
        key = super()._best()
        self._picks[key] += 1
        if not self._picks[key] % PATIENCE:
            self._scores.pop(key, None)
        return key

    def _refresh(self) -> None:
        if self._version != self.structure.version:
            self._picks.clear()
        super()._refresh()
