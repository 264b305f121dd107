"""Why an objective stays open although the whole unit was encoded: what stands in the way, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tightrope.coverage.verdict import Reason
from tightrope.encoding.encoding import Departure, WhyDeparted
from tightrope.harness.driver import is_driver

_REASONS = {
    WhyDeparted.SHAPE: Reason.SHAPE,
    WhyDeparted.NOT_ENCODED: Reason.NOT_ENCODED,
    WhyDeparted.BUDGET: Reason.TOO_LARGE,
    WhyDeparted.BOUND: Reason.NOT_WITHIN,
}
_ORDER = (*_REASONS.values(),)


def find_reason(departed: Sequence[Departure], iterations: int, calls: int) -> tuple[Reason, str]:
    """What stands in the way, and where: of several, what no larger bound would cure."""
    first = min(departed, key=lambda each: _ORDER.index(_REASONS[each.why]))
    reason = _REASONS[first.why]
    place = first.place
    line = place.line if place is not None and not is_driver(place) else 0
    if first.why is WhyDeparted.BOUND:
        what = f"{iterations} iterations of the loop" if first.what == "loop" else f"{calls} calls of the recursion"
        return reason, f"not within {what}{f' at line {line}' if line else ''}"
    if first.why is WhyDeparted.NOT_ENCODED:
        return (
            reason,
            f"no run found does it; nothing is proved because of {first.what}{f' (line {line})' if line else ''}",
        )
    return reason, ""


def choose_reason(found: Sequence[tuple[Reason, str]]) -> tuple[Reason, str]:
    counted = Counter(found)
    return min(counted, key=lambda each: _ORDER.index(each[0]) if each[0] in _ORDER else -1)
