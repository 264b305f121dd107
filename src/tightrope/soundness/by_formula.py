"""When a formula without a solution proves that an objective is infeasible, and when the unit forbids it.

The formula is about *this shape of inputs*. Where a caller could do more than the shape does (see domain.py), what no
input of ours decides may still happen: this is the counterpart of exhausted.py for the whole-unit encoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.encoding.encoded import Encoding
from tightrope.library.verifier_functions import ASSUME
from tightrope.program.flow.control_flow import Node
from tightrope.soundness.decided import find_deciders
from tightrope.soundness.shape_limits import depends_on_more, is_whole_domain, may_share_objects, reads_volatile
from tightrope.soundness.unexplored import unexplored_blocks
from tightrope.soundness.unfinished import unfinished_evaluations, unfinished_points
from tightrope.units.prepared import PreparedUnit
from tightrope.weaving.obligations import points_of_obligations

UNDER_ASSUMPTIONS = "under these assumptions, the formula of the whole function has no solution that does it"


class Doubts:
    """What may be proved about one unit."""

    def __init__(self, unit: PreparedUnit, has_checks: bool) -> None:
        self.unit, self._has_checks = unit, has_checks
        self._unfinished: dict[tuple[int, bool], tuple[int, tuple[int, ...]]] = {}  # the last one

    @cached_property
    def _doubt_about_all(self) -> Reason | None:
        if reads_volatile(self.unit):
            return Reason.VOLATILE
        return Reason.SHAPE if depends_on_more(self.unit) else None

    @cached_property
    def _is_faithful(self) -> bool:
        return is_whole_domain(self.unit)

    @cached_property
    def sentence(self) -> str:
        unit = self.unit
        is_free = not unit.driver.assumptions and ASSUME not in unit.interface.undefined_functions
        return "" if self._is_faithful and is_free else UNDER_ASSUMPTIONS

    def doubt(
        self, objective: Objective, possible: int, seen: int, encoding: Encoding, may_end_early: bool
    ) -> Reason | None:
        """Why nothing is proved about an objective whose points no run of this shape hits; None: it is proved.
        `possible`: the points that are not refuted; `seen`: those that some run has hit."""
        if self._doubt_about_all is not None:
            return self._doubt_about_all
        if self._has_checks and may_end_early:
            return Reason.CHECK
        if self._is_unfinished(objective, possible, may_end_early):
            return Reason.RUNS_DIED
        if self._is_faithful:
            return None
        is_decided = not may_share_objects(self.unit) and self._was_decided(objective, seen, encoding)
        return None if is_decided else Reason.SHAPE

    def _is_unfinished(self, objective: Objective, possible: int, has_died: bool) -> bool:
        """What some run may begin, though none comes to its end."""
        key = possible, has_died
        if key not in self._unfinished:
            self._unfinished = {key: self._find_unfinished(possible, has_died)}
        blocks, evaluations = self._unfinished[key]
        return bool(objective.mask & blocks) or any(not mask & ~objective.mask for mask in evaluations)

    def _find_unfinished(self, possible: int, has_died: bool) -> tuple[int, tuple[int, ...]]:
        """Points of blocks, and vectors of evaluations as masks."""
        unit = self.unit
        points, marks = unit.woven.points, unit.marks
        when = points_of_obligations(marks, points)[len(marks.labels) :]
        masks = unfinished_evaluations(unit.program, points, marks, when, possible, has_died)
        return unfinished_points(unit.program, unit.function.name, points, possible), tuple(masks)

    def _was_decided(self, objective: Objective, seen: int, encoding: Encoding) -> bool:
        """True when inputs, and nothing else, decide whether these points are hit."""
        unit = self.unit
        found = find_deciders(unit.program, unit.woven.points, unit.marks, objective.points)
        if not found.is_known or not (found.sites or found.obligations) or not found.sites <= encoding.sites:
            return False
        if not found.obligations <= encoding.decided:
            return False
        return not found.blocks & self._unexplored(seen, encoding)

    def _unexplored(self, seen: int, encoding: Encoding) -> frozenset[Node]:
        """What lies behind sides that no run has taken of branches that no input decides; and behind all sides of
        those that no run has come to, though the formula has them: as if first one side were known, then another."""
        unit, found = self.unit, frozenset[Node]()
        first, last = seen, seen
        for points in self._unmet(seen, encoding):
            first, last = first | 1 << points[0], last | 1 << points[-1]
        for known in dict.fromkeys((first, last)):
            found |= unexplored_blocks(unit.program, unit.function.name, unit.woven.points, known, encoding.sites)
        return found

    def _unmet(self, seen: int, encoding: Encoding) -> Iterator[list[int]]:
        """The sides of each such branch."""
        sides: dict[Node, list[int]] = {}
        numbers = self.unit.woven.points.numbers
        for (function, block, side), point in numbers.items():
            if side is not None:
                sides.setdefault((function, block), []).append(point)
        for node, points in sides.items():
            is_met = any(seen >> point & 1 for point in points) or points[0] in encoding.sites
            if not is_met and numbers[(*node, None)] in encoding.points:
                yield points
