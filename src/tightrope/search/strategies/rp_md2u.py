"""Random path and minimal distance in turns: KLEE's default."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies.interleaved import Interleaved
from tightrope.search.strategies.min_distance import MinDistance
from tightrope.search.strategies.random_path import RandomPath


class RpMd2u(Interleaved):
    """What KLEE does by default (C. Cadar et al., OSDI 2008), RP-MD2U in paper 001: `random-path`, and in turn with it
    a choice by chance that is the more likely the nearer something missing is: one over the square of the instructions
    on the way.

    Risks: chance is patient: it comes back again and again to near sides that no input can take."""

    name: ClassVar[str] = "rp-md2u"
    help: ClassVar[str] = "random-path, in turns with the nearer to something missing the likelier"

    def __init__(self, structure: CoverageStructure, source: Random) -> None:
        super().__init__([RandomPath(structure, source), MinDistance(structure, source)])
