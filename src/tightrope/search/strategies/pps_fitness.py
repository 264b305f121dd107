"""Predictive path search and fitness in turns."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.fitness import Fitness
from tightrope.search.strategies.interleaved import Interleaved
from tightrope.search.strategies.predictive_path import PredictivePath


class PpsFitness(Interleaved):
    """`pps` and `fitness` in turns, as T. Su et al. propose (paper 001, end of Section V.D): the first covers much with
    each run, the second works on one side that is hard to take. `fitness` learns from the runs of both.

    Risks: where nothing is hard, every other pick is one that `pps` would not have made."""

    name: ClassVar[str] = "pps+fitness"
    help: ClassVar[str] = "pps and fitness in turns"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        super().__init__([PredictivePath(structure, source), Fitness(structure, source)])
