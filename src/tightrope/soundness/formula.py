"""When a formula without a solution proves that an objective is infeasible, and what prevents the proof.

The formula is about *this shape of inputs*. What a caller could do beyond the shape is in the table of doubts, and so
are the departures: places where runs leave the formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.encoding.encoding import Departure, Encoding, EncodingLimits, WhyDeparted
from tightrope.harness.driver import is_driver
from tightrope.library.libc_models import is_model
from tightrope.program.flow.control_flow import BlockId
from tightrope.soundness.doubts import NO_ANSWER, OF_DEPARTURE, ProofKind, RunFacts, UnitDoubts
from tightrope.soundness.evidence import Evidence
from tightrope.units.prepared import PreparedUnit

FOR_EVERY_CALLER = "the code alone excludes it, whatever a caller passes and memory holds"
UNDER_ASSUMPTIONS = "under these assumptions, the formula of the whole function has no solution that covers it"
WhyOpen = tuple[Reason, str]  # the sentence is '' if the reason's own is enough
# Without the row's own sentence: in a report, the one of the reason says more about an objective ("... on paths that
# lead there"). The sentence of NO_ANSWER is for comparisons of two versions.
UNANSWERED: WhyOpen = (NO_ANSWER.why_open[0], "")
_ORDER = tuple(row.reason for row in OF_DEPARTURE)


def explain_departures(departed: Sequence[Departure], limits: EncodingLimits) -> WhyOpen:
    """What prevents the proof, and where. Of several departures, one that no larger formula would cure."""
    ranked = [(rank, each) for each in departed for rank, row in enumerate(OF_DEPARTURE) if row.holds(each)]
    rank, first = min(ranked, key=lambda each: each[0])
    reason, _ = OF_DEPARTURE[rank].why_open
    is_users = first.place is not None and not (is_driver(first.place) or is_model(first.place.file))
    line = first.place.line if first.place is not None and is_users else 0
    if first.why is WhyDeparted.BOUND:
        loops, calls = f"{limits.iterations} iterations of the loop", f"{limits.recursion} calls of the recursion"
        return reason, f"not within {loops if first.what == 'loop' else calls}{f' at line {line}' if line else ''}"
    if first.why is WhyDeparted.NOT_ENCODED:
        where = f" (line {line})" if line else ""
        why = f"nothing is proved, because the encoding does not support {first.what}{where}"
        return reason, f"no run was found that covers it; {why}"
    return reason, ""


def choose_reason(found: Sequence[WhyOpen]) -> WhyOpen:
    """The reason of an objective, given those of its points."""
    return min(Counter(found), key=lambda each: _ORDER.index(each[0]) if each[0] in _ORDER else -1)


class CodeDoubts:
    """What a loose formula may prove about one unit."""

    def __init__(self, unit: PreparedUnit) -> None:
        self._doubts = UnitDoubts(unit, ProofKind.CODE)
        self._last: Evidence | None = None  # made once for all objectives about which the same is known

    def doubt_about(self, objective: Objective, refuted: int) -> Reason | None:
        """Why nothing is proved about an objective whose points are refuted. Runs may end anywhere."""
        if doubt := self._doubts.about_all(RunFacts()):
            return doubt
        if self._last is None or self._last.hit != ~refuted:
            self._last = Evidence(
                self._doubts,
                hit=~refuted,
                has_died=True,
                seen=(),
                path_sites=(),
                sites=frozenset(),
                obligations=frozenset(),
            )
        return self._last.doubt_about(objective)


class FormulaDoubts:
    """What formulas may prove about one unit."""

    def __init__(self, unit: PreparedUnit, has_checks: bool, is_for_all_calls: bool = False) -> None:
        self.unit, self._has_checks = unit, has_checks
        self._doubts = UnitDoubts(unit, ProofKind.FORMULA, is_for_all_calls)
        self._last: tuple[Encoding, tuple[int, int, bool], Evidence] | None = (
            None  # the evidence, and what it was made from
        )

    @cached_property
    def sentence(self) -> str:
        return "" if self._doubts.is_unconditional else UNDER_ASSUMPTIONS

    def doubt_about(
        self, objective: Objective, encoding: Encoding, *, possible: int, seen: int, may_end_early: bool
    ) -> Reason | None:
        """Why nothing is proved about an objective whose points no run of this shape hits; None if it is proved.
        `possible`: the points that are not refuted; `seen`: those that some run has hit."""
        doubt = self._doubts.about_all(RunFacts(fails_a_check=self._has_checks and may_end_early))
        return doubt or self._evidence(encoding, possible, seen, may_end_early).doubt_about(objective)

    def _evidence(self, encoding: Encoding, possible: int, seen: int, may_end_early: bool) -> Evidence:
        key = (possible, seen, may_end_early)
        if self._last is None or self._last[0] is not encoding or self._last[1] != key:
            walks, sites = frozenset(self._possible_walks(seen, encoding)), encoding.sites
            made = Evidence(
                self._doubts,
                hit=possible,
                has_died=may_end_early,
                seen=walks,
                path_sites=sites,
                sites=sites,
                obligations=encoding.decided,
            )
            self._last = encoding, key, made
        return self._last[2]

    def _possible_walks(self, seen: int, encoding: Encoding) -> tuple[int, int]:
        """`seen` and assumed sides of branches that are in the formula, but that no input decides and no run reached.
        Nothing is known of these: assume that runs took the first side of each, or the last one."""
        first = last = seen
        for points in self._unmet_branches(seen, encoding):
            first, last = first | 1 << points[0], last | 1 << points[-1]
        return first, last

    def _unmet_branches(self, seen: int, encoding: Encoding) -> Iterator[list[int]]:
        """The sides of each such branch."""
        sides: dict[BlockId, list[int]] = {}
        numbers = self.unit.woven.points.numbers
        for (function, block, side), point in numbers.items():
            if side is not None:
                sides.setdefault((function, block), []).append(point)
        for node, points in sides.items():
            is_met = any(seen >> point & 1 for point in points) or points[0] in encoding.sites
            if not is_met and numbers[(*node, None)] in encoding.points:
                yield points
