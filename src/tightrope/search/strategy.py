"""The Strategy protocol: picks the next candidate. Knows nothing of criteria, solvers or programs.

The strategies of the table (search/strategies) get a coverage structure, which tells how candidates relate to what is
missing, and a source of random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Protocol

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure


class Strategy(Protocol):
    """Laws (tests/contracts/strategy): every candidate added is picked exactly once; `pick` is only called
    when `len` is positive; the order depends only on the calls and the seed."""

    name: ClassVar[str]
    help: ClassVar[str]

    def __init__(self, structure: CoverageStructure, source: Random) -> None: ...

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Take the candidates of one path, shallow ones first."""
        ...

    def pick(self) -> Candidate: ...

    def __len__(self) -> int: ...
