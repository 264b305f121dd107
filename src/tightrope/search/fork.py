"""Forks of the tree of paths, and places between two of them."""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input
from tightrope.program.marks.point_graph import ENTRY
from tightrope.running.memory_map import EventKind, OutcomeCode
from tightrope.running.runner import Trace
from tightrope.search.decode import Step
from tightrope.solving.path_condition import PathCondition

BRANCH, SWITCH, PIN, CONCRETE = (
    int(EventKind.BRANCH),
    int(EventKind.SWITCH),
    int(EventKind.PIN),
    int(EventKind.CONCRETE),
)
REJECTED = int(OutcomeCode.REJECTED)
LATE_PIN = 2  # the side of a pin whose other values are tried last


class Fork:
    """A step of a path that could take another side. `base` and `events` belong to the run that found it; `depth` is
    the step's index in that run's events, `rank` the number of forks above it, where the n-th value of a pin counts n,
    because the number of its values is unlimited. `relaxed` is the condition without the pins above; None if there are
    none. `side_point` is the point of the last side before it. `is_observed`: a run that was not rejected has observed
    everything above. `missed`: points that the run that found it hit without covering them, because it crashed, did not
    end or was rejected: another run through here may cover those above."""

    __slots__ = (
        "base", "children", "condition", "depth", "epoch", "events", "is_late", "is_observed", "kind", "missed", "rank",
        "relaxed", "side_point", "site", "term", "values",
    )  # fmt: skip

    def __init__(self, step: Step, condition: PathCondition, base: Input, trace: Trace, depth: int, rank: int) -> None:
        self.kind, self.site, term, side = step
        assert term is not None
        self.term: Term = term
        self.condition, self.base, self.rank = condition, base, rank
        self.relaxed: PathCondition | None = None
        self.side_point = ENTRY
        self.is_late = self.kind == PIN and side == LATE_PIN
        self.is_observed = trace.outcome != REJECTED
        self.missed = 0
        self.events, self.epoch, self.depth = trace.events, trace.epoch, depth
        self.children: dict[int | Term, Fork | None] = {}  # by side (a pin: by value); None: a path ended here
        self.values: list[Term] = []  # pinned so far

    def is_met_by(self, step: Step) -> bool:
        """True if the step is this fork; a pin may have another value."""
        kind, site, term, _ = step
        return kind == self.kind and site == self.site and (term is self.term or kind == PIN)


class TreePlace:
    """A place after side `taken` of `parent`, before the next fork; usually where an obligation was evaluated. The
    other fields belong to the run that got there first; `depth` counts its events before the place."""

    __slots__ = ("base", "condition", "depth", "epoch", "events", "parent", "rank", "relaxed", "taken")

    def __init__(
        self,
        parent: Fork | None,
        taken: int | Term | None,
        condition: PathCondition,
        depth: int,
        relaxed: PathCondition | None = None,
    ) -> None:
        self.parent, self.taken, self.condition, self.depth, self.relaxed = parent, taken, condition, depth, relaxed
        self.base: Input = ()
        self.events = b""
        self.epoch = self.rank = 0


class TreeWalk:
    """Walks again along the steps of a path in the tree, from one place to the next."""

    __slots__ = ("condition", "depth", "fork", "offset", "parent", "relaxed", "steps", "taken")

    def __init__(
        self,
        start: TreePlace,
        fork: Fork | None,
        steps: Sequence[Step],
        condition: PathCondition,
        relaxed: PathCondition | None,
    ) -> None:
        """`condition` and `relaxed` are those at the end of the path."""
        self.parent, self.taken, self.depth, self.offset = start.parent, start.taken, start.depth, 0
        self.fork, self.steps, self.condition, self.relaxed = fork, steps, condition, relaxed

    def to(self, position: int) -> TreePlace:
        """The place after so many events."""
        while self.depth + self.offset < position:
            step = self.steps[self.offset]
            self.offset += 1
            if step[0] != CONCRETE:
                assert self.fork is not None
                self.parent, self.taken = self.fork, side_of(step)
                self.fork = self.fork.children.get(self.taken)
        if self.fork is None:
            return TreePlace(self.parent, self.taken, self.condition, position, self.relaxed)
        return TreePlace(self.parent, self.taken, self.fork.condition, position, self.fork.relaxed)


def rank_below(parent: Fork | None) -> int:
    if parent is None:
        return 0
    return parent.rank + (len(parent.values) if parent.kind == PIN else 1)


def side_of(step: Step) -> int | Term:
    if step[0] == PIN:
        assert step[2] is not None
        return step[2]
    return step[3]


def side_below(parent: Fork | None, taken: int | Term | None) -> int:
    """The point of the last branch side on the path through this side of a fork."""
    if parent is None:
        return ENTRY
    return parent.site + taken if parent.kind <= SWITCH and isinstance(taken, int) else parent.side_point
