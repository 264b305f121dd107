"""What is known about the points of one unit, and what it proves about an objective that no run covers.

Both methods that prove an objective infeasible use it. They differ in what they know:

                    hit                               sites, obligations
    exhaustion      points that runs have hit         branches, labels and conditions that inputs decided in some run
    formula         points that are not refuted       those that inputs decide in the formula
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.coverage.witnesses import is_covered
from tightrope.program.flow.control_flow import BlockId
from tightrope.soundness.deciders import find_deciders
from tightrope.soundness.doubts import OF_OBJECTIVE, ObjectiveFacts, ProofKind, UnitDoubts, find_reason
from tightrope.soundness.shape_limits import may_share_objects
from tightrope.soundness.unexplored import unexplored_blocks
from tightrope.soundness.unfinished import unfinished_evaluations, unfinished_points
from tightrope.weaving.mark_table import points_of_obligations


@dataclass(frozen=True)
class Evidence:
    """`seen`: masks of the points that runs have hit. There are several masks if it is not known which of several ways
    the runs took. Sites are points of side 0; obligations are numbered, labels first."""

    doubts: UnitDoubts
    hit: int
    has_died: bool  # some run ends before it returns
    seen: Collection[int]
    path_sites: Collection[int]  # branches that inputs decide, except those in predicates of labels
    sites: frozenset[int]
    obligations: frozenset[int]

    def doubt_about(
        self, objective: Objective, *, is_lost: bool = False, observed: Reason | None = None
    ) -> Reason | None:
        """Why an objective that no run covers must not be called infeasible; None if it is infeasible."""
        is_reached = self.doubts.proof is ProofKind.EXHAUSTION and is_covered(objective, self.hit)
        facts = ObjectiveFacts(is_lost, self._is_unfinished(objective), observed, is_reached)
        found = find_reason(OF_OBJECTIVE, facts, self.doubts.proof)
        if found is None and self.doubts.about_undecided and not self._is_decided(objective):
            return self.doubts.about_undecided
        return found

    def _is_unfinished(self, objective: Objective) -> bool:
        """True if some run starts it, but none completes it."""
        blocks, evaluations = self._unfinished
        return bool(objective.mask & blocks) or any(not mask & ~objective.mask for mask in evaluations)

    @cached_property
    def _unfinished(self) -> tuple[int, tuple[int, ...]]:
        """Points of blocks, and vectors of evaluations as masks."""
        unit = self.doubts.unit
        points, marks = unit.woven.points, unit.marks
        when = points_of_obligations(marks, points)[len(marks.labels) :]
        masks = unfinished_evaluations(unit.program, points, marks, when, self.hit, self.has_died)
        return unfinished_points(unit.program, unit.function.name, points, self.hit), tuple(masks)

    def _is_decided(self, objective: Objective) -> bool:
        """True if inputs alone decide whether its points are hit. If two pointers could alias an object that is
        written, everything may depend on that."""
        if self._may_share_objects:
            return False
        unit = self.doubts.unit
        found = find_deciders(unit.program, unit.woven.points, unit.marks, objective.points)
        if not found.is_known or not (found.sites or found.obligations):
            return False
        is_by_inputs = found.sites <= self.sites and found.obligations <= self.obligations
        return is_by_inputs and not found.blocks & self._unexplored

    @cached_property
    def _may_share_objects(self) -> bool:
        return may_share_objects(self.doubts.unit)

    @cached_property
    def _unexplored(self) -> frozenset[BlockId]:
        """Blocks reachable from untaken sides of branches that no input decides."""
        unit, found = self.doubts.unit, frozenset[BlockId]()
        for seen in self.seen:
            found |= unexplored_blocks(unit.program, unit.function.name, unit.woven.points, seen, self.path_sites)
        return found
