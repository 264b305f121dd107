"""A candidate: a place in the tree of paths and what should happen next there. Not yet solved.

A *flip* takes another side of a fork; an *aim* (search/aim.py) makes something true that is no part of the path.
"""

from __future__ import annotations

from typing import Protocol

from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import EventKind
from tightrope.search.constraints import Constraints
from tightrope.search.fork import BRANCH, PIN, SWITCH, Fork
from tightrope.solving.path_condition import PathCondition

GUARD, LABEL = int(EventKind.GUARD), int(EventKind.LABEL)
LATE = frozenset((GUARD, int(EventKind.FOLLOW), int(EventKind.PREFER)))


class Candidate(Protocol):
    """What strategies and the loop see of a flip or an aim."""

    @property
    def is_aim(self) -> bool: ...

    @property
    def mask(self) -> int:
        """The points that it is for: when none of them is open any more, it is of no use. 0: it is always of use."""
        ...

    @property
    def base(self) -> Input:
        """An input that meets the condition."""
        ...

    @property
    def relaxed(self) -> PathCondition | None:
        """The condition without what pins say; None where there are none."""
        ...

    @property
    def rank(self) -> int:
        """How far below the root it leads."""
        ...

    @property
    def is_late(self) -> bool:
        """True when it should wait until nothing better is left."""
        ...

    @property
    def is_error(self) -> bool:
        """True when it leads to a run-time error."""
        ...

    @property
    def is_risky(self) -> bool:
        """True when it leads to a run-time error, or may do so: another address, another length."""
        ...

    @property
    def site(self) -> int:
        """The place in the code, as events have it."""
        ...

    @property
    def point(self) -> int | None:
        """The point that it would hit at once, where that is known."""
        ...

    @property
    def side_point(self) -> int:
        """The point of the side of a branch that it takes, or else of the last one before it; ENTRY: none."""
        ...

    def condition(self, constraints: Constraints) -> PathCondition:
        """What leads to the place."""
        ...

    def target(self, constraints: Constraints) -> Term:
        """What the inputs must satisfy beside the condition."""
        ...


class Flip:
    """A fork of the tree and the side to take. A plain slotted class: hundreds of thousands are made.

    `point` is known where it is a branch or a switch, or a label that is one."""

    __slots__ = ("fork", "point", "side", "side_point")

    is_aim = False
    mask = 0

    def __init__(self, fork: Fork, side: int) -> None:
        self.fork, self.side = fork, side
        self.point: int | None = None
        if fork.kind in (BRANCH, SWITCH):
            self.point = self.side_point = fork.site + side
        else:
            self.side_point = fork.side_point
            if fork.kind == LABEL and side:
                self.point = fork.site

    def condition(self, constraints: Constraints) -> PathCondition:
        return self.fork.condition

    def target(self, constraints: Constraints) -> Term:
        fork = self.fork
        if fork.kind == PIN:
            return constraints.other_values(fork.values)
        if fork.kind == SWITCH:
            return constraints.target(fork.kind, fork.site, fork.term, self.side)
        return constraints.literal(fork.term, self.side)

    @property
    def base(self) -> Input:
        return self.fork.base

    @property
    def relaxed(self) -> PathCondition | None:
        return self.fork.relaxed

    @property
    def site(self) -> int:
        return self.fork.site

    @property
    def rank(self) -> int:
        """The further values of a pin lead ever further."""
        fork = self.fork
        return fork.rank + len(fork.values) if fork.kind == PIN else fork.rank

    @property
    def is_late(self) -> bool:
        """True when the side mostly ends the run at once: division by zero, an index out of bounds."""
        return self.fork.is_late or (self.side == 0 and self.fork.kind in LATE)

    @property
    def is_error(self) -> bool:
        return self.side == 0 and self.fork.kind == GUARD

    @property
    def is_risky(self) -> bool:
        return self.is_error or self.fork.kind == PIN
