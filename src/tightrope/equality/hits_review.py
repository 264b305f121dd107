"""HitsReview: takes back impacted objectives that a search has not decided, if a formula of both versions proves that
the same inputs hit them.

A search often decides everything sooner than a formula is made. So it has at first as much time as the formula
may take: then the formula at most doubles the time that was spent. A search that ends earlier and leaves
something open is followed by the formula, too, because the answer is better than an unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.coverage.objective import Objective
from tightrope.deadline import start_work_clock
from tightrope.equality.same_hits import SameHits, Twins
from tightrope.options.options import Options
from tightrope.search.review import Review, Reviewed
from tightrope.units.prepared import PreparedUnit

SHARE = 0.1  # of the time limit, for a formula about all objectives
LEAST_SECONDS = 1.0  # about what a formula takes on average (experiments, E5)


@dataclass(slots=True)
class HitsReview:
    """What it has found is in `alike`, what it has cost in `hits`."""

    old: PreparedUnit
    new: PreparedUnit
    doubtful: Sequence[Twins]
    options: Options
    alike: frozenset[str] = frozenset()  # ids in new
    hits: SameHits = field(init=False)

    def __post_init__(self) -> None:
        self.hits = SameHits(self.options)

    @property
    def review(self) -> Review | None:
        """None if there is nothing to take back."""
        if not self.doubtful:
            return None
        return Review(self.seconds, start_work_clock(), self._ask)

    @property
    def seconds(self) -> float:
        """For a formula, and for the search before. Of few doubtful objectives, little can be gained."""
        part = len(self.doubtful) / len(self.new.objectives)
        return max(LEAST_SECONDS, SHARE * self.options.time_limit * part)

    def _ask(self, objectives: Sequence[Objective], seconds_left: float) -> Reviewed:
        wanted = {each.id for each in objectives}
        twins = [each for each in self.doubtful if each[1].id in wanted]
        seconds = min(self.seconds, seconds_left)
        if not twins or seconds <= 0:
            return Reviewed()
        self.alike = self.hits.prove(self.old, self.new, twins, seconds)
        return Reviewed(self.alike, tuple(self.hits.inputs))
