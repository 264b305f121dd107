"""Depth first: the deepest other side of the latest path."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure


class DepthFirst:
    """A stack, as in DART and CUTE (P. Godefroid, N. Klarlund, K. Sen, 2005). Neighbouring queries share a long prefix,
    which suits an incremental solver.

    Risks: it can get stuck in a loop forever."""

    name: ClassVar[str] = "dfs"
    help: ClassVar[str] = "the deepest untried side of the latest path first"

    def __init__(self, structure: CoverageStructure | None = None, source: Random | None = None) -> None:
        self._stack: list[Candidate] = []

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._stack.extend(candidates)

    def pick(self) -> Candidate:
        return self._stack.pop()

    def __len__(self) -> int:
        return len(self._stack)
