"""Review: a question about what is still wanted, asked once, after the search has had some time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tightrope.coverage.objective import Objective
from tightrope.inputs.scalars import Input


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The answer."""

    dropped: frozenset[str] = frozenset()  # ids of objectives that are no longer wanted
    inputs: tuple[Input, ...] = ()  # may cover others


@dataclass(frozen=True, slots=True)
class Review:
    """Asked for the objectives that are open after so many seconds of work, or at the end of the search if that comes
    first. Where nothing is open, it is not asked. The other argument of `ask` is how many seconds are left."""

    seconds: float
    worked: Callable[[], float]  # seconds, so far
    ask: Callable[[Sequence[Objective], float], Reviewed]
