"""Predictive path search that deprioritises sides which yield nothing."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.buckets import Key, Score, key_of
from tightrope.search.strategies.predictive_path import PredictivePath

PATIENCE = 4  # picks from one bucket before the others get as many


class PatientPredictivePath(PredictivePath):
    """`pps`, but after every few picks that yield nothing new, a bucket moves behind those with fewer picks; within a
    bucket, the choice is random. A side that no input can take stays missing forever, so `pps` itself tries it on every
    path before anything else.

    Risks: in a long loop where every iteration is needed, the persistence of `pps` is better."""

    name: ClassVar[str] = "pps-patient"
    help: ClassVar[str] = "as pps, but sides that were tried without success wait for the others"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        super().__init__(structure, source)
        self._picks: Counter[Key] = Counter()  # since something missing was hit

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
