"""First inputs: those that need no solver."""

from __future__ import annotations

from tightrope.execution.trace import Input


def first_inputs(slots: int) -> list[Input]:
    """All zeros: the plainest input there is."""
    return [(0,) * slots]
