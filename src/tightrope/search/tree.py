"""All paths seen so far, as a tree of forks.

Each run hangs its path into the tree; every side of a fork that no run has taken becomes a candidate.

    run 1:  a > 3? no                     fork A ──0── end          candidate (A, 1)
    run 2:  a > 3? yes, b? no             fork A ──1── fork B ──0── end          candidate (B, 1)

A *pin* (a value kept as it was in a run) is a fork with one side per value: the candidate asks for a value
that was not seen yet. An assumption that holds has no other side: nobody wants a rejected run. A pointer that the
input chose and that is *followed* has none either, unless asked for: with NULL the run would end at that place.
"""

from __future__ import annotations

from collections import Counter

from tightrope.execution.memory_map import EVENT_BYTES, EventKind
from tightrope.execution.runner import Trace
from tightrope.execution.trace import Input
from tightrope.expr.terms import Term
from tightrope.search.candidate import Candidate
from tightrope.solving.condition import Condition
from tightrope.symbolic.constraints import Constraints
from tightrope.symbolic.decode import Decoder, Step

ASSUME, PIN, SWITCH, CONCRETE, FOLLOW = (
    int(EventKind.ASSUME),
    int(EventKind.PIN),
    int(EventKind.SWITCH),
    int(EventKind.CONCRETE),
    int(EventKind.FOLLOW),
)


LATE_PIN = 2  # the side of a pin whose other values are tried last


class Fork:
    """A step of a path that could go another way. `base` and `events` belong to the run that found it;
    `depth` is the step's index in that run's events, `rank` the number of forks above it, where the n-th value
    of a pin counts n: a pin has values without end. `relaxed` is the condition without the pins above; None where
    there are none."""

    __slots__ = (
        "base", "children", "condition", "depth", "epoch", "events", "is_late", "kind", "rank", "relaxed", "site",
        "term", "values",
    )  # fmt: skip

    def __init__(self, step: Step, condition: Condition, base: Input, trace: Trace, depth: int, rank: int) -> None:
        self.kind, self.site, term, side = step
        assert term is not None
        self.term: Term = term
        self.condition, self.base, self.rank = condition, base, rank
        self.relaxed: Condition | None = None
        self.is_late = self.kind == PIN and side == LATE_PIN
        self.events, self.epoch, self.depth = trace.events, trace.epoch, depth
        self.children: dict[int | Term, Fork | None] = {}  # by side (a pin: by value); None: a path ended here
        self.values: list[Term] = []  # pinned so far

    def is_met_by(self, step: Step) -> bool:
        """Whether the step is this fork again; a pin may be met with another value."""
        kind, site, term, _ = step
        return kind == self.kind and site == self.site and (term is self.term or kind == PIN)


class DivergenceError(Exception):
    """A run left the prefix that it was predicted to follow."""


class Tree:
    """Grows by paths; hands out candidates."""

    def __init__(self, decoder: Decoder, constraints: Constraints, follows_null: bool = False) -> None:
        self.decoder, self.constraints = decoder, constraints
        self.one_sided = frozenset({ASSUME} if follows_null else {ASSUME, FOLLOW})
        self.root: Fork | None = None
        self.empty = Condition.empty()
        self.paths = 0
        self.symbolic_sites: set[int] = set()  # branches that some input can decide
        self.pinned: Counter[int] = Counter()  # values seen per place that pins one

    def add_run(self, values: Input, trace: Trace) -> list[Candidate]:
        """Hang in a run that was not predicted."""
        return self._hang(values, trace, None, 0, 0)

    def add_predicted(self, candidate: Candidate, values: Input, trace: Trace) -> list[Candidate]:
        """Hang in the run of a solved candidate, below its fork. Raises DivergenceError when it went elsewhere."""
        fork, depth = candidate.fork, candidate.fork.depth
        end = depth * EVENT_BYTES
        if trace.epoch != fork.epoch or trace.events[:end] != fork.events[:end]:
            self._check_slowly(candidate, trace)
        return self._hang(values, trace, fork, depth, candidate.side)

    def _check_slowly(self, candidate: Candidate, trace: Trace) -> None:
        """The table of nodes is another one: compare step by step, as terms."""
        fork: Fork | None = self.root
        for step in self.decoder.steps(trace)[: candidate.fork.depth]:
            if step[0] == CONCRETE:
                continue
            if fork is None or not fork.is_met_by(step):
                raise DivergenceError
            fork = fork.children.get(_side_of(step))
        if fork is not candidate.fork:
            raise DivergenceError

    def _hang(self, values: Input, trace: Trace, start: Fork | None, depth: int, side: int) -> list[Candidate]:
        steps = self.decoder.steps(trace, depth)
        if start is not None:
            self._check_first(start, side, steps)
        fresh: list[Candidate] = []
        fork, parent, taken = (start or self.root), None, None
        condition = start.condition if start else self.empty
        relaxed = start.relaxed if start else None
        for offset, step in enumerate(steps):
            if step[0] == CONCRETE:
                continue
            if fork is None:
                fork = Fork(step, condition, values, trace, depth + offset, _rank_below(parent))
                fork.relaxed = relaxed
                if step[0] <= SWITCH:
                    self.symbolic_sites.add(step[1])
                self._attach(parent, taken, fork)
            elif not fork.is_met_by(step):
                raise DivergenceError
            parent, taken = fork, _side_of(step)
            condition = self._open_sides(fork, step, fresh)
            if relaxed is not None or step[0] == PIN:
                relaxed = self._relax(fork, step)
            fork = fork.children.get(taken)
        if parent is not None and taken is not None and taken not in parent.children:
            parent.children[taken] = None
            self.paths += 1
        elif parent is None and self.paths == 0:
            self.paths = 1
        return fresh

    def _relax(self, fork: Fork, step: Step) -> Condition:
        """The condition after this step without what pins say."""
        kind, site, term, side = step
        before = fork.condition if fork.relaxed is None else fork.relaxed
        if kind == PIN or term is None:
            return before
        return before.extend_all(self.constraints.of(kind, site, term, side))

    def _attach(self, parent: Fork | None, taken: int | Term | None, fork: Fork) -> None:
        if parent is None:
            self.root = fork
        else:
            assert taken is not None
            parent.children[taken] = fork

    def _check_first(self, fork: Fork, side: int, steps: list[Step]) -> None:
        if not steps or steps[0][1] != fork.site or steps[0][0] != fork.kind:
            raise DivergenceError
        if fork.kind == PIN:
            if steps[0][2] in fork.values:
                raise DivergenceError
        elif steps[0][2] is not fork.term or steps[0][3] != side:
            raise DivergenceError

    def _open_sides(self, fork: Fork, step: Step, fresh: list[Candidate]) -> Condition:
        """Propose the sides that nobody proposed yet; return the condition after this step."""
        kind, site, term, side = step
        assert term is not None
        if kind == PIN:
            return self._open_values(fork, term, fresh)
        if not fork.values:  # its first run: propose all other sides, once
            fork.values.append(fork.term)
            if kind == SWITCH:
                fresh.extend(Candidate(fork, other) for other in self.constraints.sides(kind, site) if other != side)
                return fork.condition.extend_all(self.constraints.of(kind, site, term, side))
            if side == 0 or kind not in self.one_sided:
                fresh.append(Candidate(fork, 1 - side))
        if kind == SWITCH:
            return fork.condition.extend_all(self.constraints.of(kind, site, term, side))
        return fork.condition.extend(self.constraints.literal(term, side))

    def _open_values(self, fork: Fork, value: Term, fresh: list[Candidate]) -> Condition:
        if value not in fork.values:
            fork.values.append(value)
            self.pinned[fork.site] += 1
            fresh.append(Candidate(fork, 0))
        return fork.condition.extend(value)


def _rank_below(parent: Fork | None) -> int:
    if parent is None:
        return 0
    return parent.rank + (len(parent.values) if parent.kind == PIN else 1)


def _side_of(step: Step) -> int | Term:
    if step[0] == PIN:
        assert step[2] is not None
        return step[2]
    return step[3]
