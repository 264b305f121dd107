"""A candidate: a place in the tree of paths, and what should happen next there; not yet solved.

A *flip* takes another side of a fork; an *aim* (search/aim.py) makes something true that is not part of the path.
"""

from __future__ import annotations

from typing import Protocol

from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import EventKind
from tightrope.search.constraints import Constraints
from tightrope.search.fork import PIN, SWITCH, Fork
from tightrope.solving.path_condition import PathCondition

GUARD, LABEL = int(EventKind.GUARD), int(EventKind.LABEL)
LATE = frozenset((GUARD, int(EventKind.FOLLOW), int(EventKind.PREFER)))


class Candidate(Protocol):
    """What strategies and the loop see of a flip or an aim."""

    @property
    def is_aim(self) -> bool: ...

    @property
    def mask(self) -> int:
        """The points that it aims at; it is useless when none of them is open. 0: it is always useful."""
        ...

    @property
    def base(self) -> Input:
        """An input that satisfies the condition."""
        ...

    @property
    def relaxed(self) -> PathCondition | None:
        """The condition without pins; None if there are none."""
        ...

    @property
    def rank(self) -> int:
        """Its depth below the root."""
        ...

    @property
    def missed(self) -> int:
        """Points that it may cover although they lie before its side: only runs that do not count have hit them."""
        ...

    @property
    def observed(self) -> int:
        """On so many first events of its path, an earlier run that was not rejected has evaluated the labels."""
        ...

    @property
    def is_late(self) -> bool:
        """True if it should wait until nothing better is left."""
        ...

    @property
    def is_error(self) -> bool:
        """True if it leads to a run-time error."""
        ...

    @property
    def is_risky(self) -> bool:
        """True if it leads, or may lead, to a run-time error: another address, another length."""
        ...

    @property
    def site(self) -> int:
        """The place in the code, as in events."""
        ...

    @property
    def point(self) -> int | None:
        """The point that it would hit at once, if known."""
        ...

    @property
    def side_point(self) -> int:
        """The point of the branch side that it takes, otherwise of the last one before it; ENTRY if there is none."""
        ...

    def condition(self, constraints: Constraints) -> PathCondition:
        """The path condition of the place."""
        ...

    def target(self, constraints: Constraints) -> Term:
        """What the inputs must satisfy besides the condition."""
        ...


class Flip:
    """A fork of the tree and the side to take. A plain slotted class, because hundreds of thousands are created.

    `point` is known for a branch or a switch, or a label that is one."""

    __slots__ = ("fork", "point", "side", "side_point")

    is_aim = False
    mask = 0

    def __init__(self, fork: Fork, side: int) -> None:
        self.fork, self.side = fork, side
        self.point: int | None = None
        if fork.kind <= SWITCH:  # or a branch
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
        """The depth; each further value of a pin adds one."""
        fork = self.fork
        return fork.rank + len(fork.values) if fork.kind == PIN else fork.rank

    @property
    def missed(self) -> int:
        return self.fork.missed

    @property
    def observed(self) -> int:
        return self.fork.depth + 1 if self.fork.is_observed else 0

    @property
    def is_late(self) -> bool:
        """True if the side usually ends the run at once: division by zero, an index out of bounds."""
        return self.fork.is_late or (self.side == 0 and self.fork.kind in LATE)

    @property
    def is_error(self) -> bool:
        return self.side == 0 and self.fork.kind == GUARD

    @property
    def is_risky(self) -> bool:
        return self.is_error or self.fork.kind == PIN
