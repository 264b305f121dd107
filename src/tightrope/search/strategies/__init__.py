"""The table of strategies: name -> class. `--strategy`, its help and the docs read it."""

from __future__ import annotations

from tightrope.search.strategies.breadth_first import BreadthFirst
from tightrope.search.strategies.cfg_directed import CfgDirected
from tightrope.search.strategies.depth_first import DepthFirst
from tightrope.search.strategies.fitness import Fitness
from tightrope.search.strategies.generational import Generational
from tightrope.search.strategies.interleaved import PpsFitness, RpMd2u
from tightrope.search.strategies.nearest_objective import NearestObjective
from tightrope.search.strategies.pps_patient import PatientPredictivePath
from tightrope.search.strategies.predictive_path import PredictivePath
from tightrope.search.strategies.random_path import RandomPath
from tightrope.search.strategy import Strategy

STRATEGIES: dict[str, type[Strategy]] = {
    each.name: each
    for each in (
        DepthFirst,
        BreadthFirst,
        RandomPath,
        Generational,
        CfgDirected,
        RpMd2u,
        PredictivePath,
        PatientPredictivePath,
        Fitness,
        PpsFitness,
        NearestObjective,
    )
}
