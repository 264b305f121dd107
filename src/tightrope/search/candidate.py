"""A candidate: a fork of the tree and the side to take next. Not yet solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.execution.memory_map import EventKind
from tightrope.expr.terms import Term
from tightrope.symbolic.constraints import PIN, SWITCH, Constraints

if TYPE_CHECKING:
    from tightrope.search.tree import Fork

BRANCH, GUARD = int(EventKind.BRANCH), int(EventKind.GUARD)
LATE = frozenset((GUARD, int(EventKind.FOLLOW), int(EventKind.PREFER)))


class Candidate:
    """A plain slotted class: hundreds of thousands are made."""

    __slots__ = ("fork", "side")

    def __init__(self, fork: Fork, side: int) -> None:
        self.fork = fork
        self.side = side

    def target(self, constraints: Constraints) -> Term:
        """What the inputs must satisfy beside the fork's condition."""
        fork = self.fork
        if fork.kind == PIN:
            return constraints.other_values(fork.values)
        if fork.kind == SWITCH:
            return constraints.target(fork.kind, fork.site, fork.term, self.side)
        return constraints.literal(fork.term, self.side)

    @property
    def rank(self) -> int:
        """How far below the root it leads; the further values of a pin ever further."""
        fork = self.fork
        return fork.rank + len(fork.values) if fork.kind == PIN else fork.rank

    @property
    def is_late(self) -> bool:
        """True when the side mostly ends the run at once: division by zero, an index out of bounds."""
        return self.fork.is_late or (self.side == 0 and self.fork.kind in LATE)

    @property
    def is_error(self) -> bool:
        """True when the side is a run-time error."""
        return self.side == 0 and self.fork.kind == GUARD

    @property
    def point(self) -> int | None:
        """The point that this side would hit at once, where it is a branch or a switch."""
        return self.fork.site + self.side if self.fork.kind in (BRANCH, SWITCH) else None
