"""The Strategy protocol: picks the next candidate. Knows nothing of criteria, solvers or programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from tightrope.search.candidate import Candidate


class Strategy(Protocol):
    """Laws (tests/contracts/strategy): every candidate added is picked exactly once; `pick` is only called
    when `len` is positive; the order depends on nothing but the calls made and the seed."""

    name: ClassVar[str]
    help: ClassVar[str]

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Take the candidates of one path, shallow ones first."""
        ...

    def pick(self) -> Candidate: ...

    def __len__(self) -> int: ...
