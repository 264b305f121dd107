"""The table of strategies: name -> class. `--strategy`, its help and the docs read it."""

from __future__ import annotations

from tightrope.search.strategies.breadth_first import BreadthFirst
from tightrope.search.strategies.depth_first import DepthFirst
from tightrope.search.strategy import Strategy

STRATEGIES: dict[str, type[Strategy]] = {each.name: each for each in (DepthFirst, BreadthFirst)}
