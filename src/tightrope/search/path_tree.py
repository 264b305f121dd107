"""All paths seen so far, as a tree of forks.

Each run adds its path to the tree; every side of a fork that no run has taken becomes a candidate.

    run 1:  a > 3? no                     fork A ──0── end          candidate (A, 1)
    run 2:  a > 3? yes, b? no             fork A ──1── fork B ──0── end          candidate (B, 1)

A *pin* (a value kept as it was in a run) is a fork with one side per value: the candidate asks for a value that was not
seen yet. An assumption that holds has no other side, because rejected runs are useless. A dereferenced input pointer
has none either, unless requested: with NULL, the run would end there.

What runs observe besides their paths (search/observed.py) becomes *aims*: candidates at places between two forks. Only
runs that are not rejected count: other runs to the same place may not satisfy the assumption.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from tightrope.coverage.verdict import Reason
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import EVENT_BYTES, FLAG_EVENTS_FULL, EventKind
from tightrope.running.runner import Trace
from tightrope.search.aim import CONDITION, Aim, JointAim
from tightrope.search.candidate import Candidate, Flip
from tightrope.search.constraints import Constraints
from tightrope.search.decode import Decoder, Step
from tightrope.search.fork import (
    CONCRETE,
    PIN,
    REJECTED,
    SWITCH,
    Fork,
    TreePlace,
    TreeWalk,
    rank_below,
    side_below,
    side_of,
)
from tightrope.search.observed import Observations
from tightrope.solving.path_condition import PathCondition

ASSUME, FOLLOW = int(EventKind.ASSUME), int(EventKind.FOLLOW)
MOST_EVENTS = 1 << 32
ANY_SLOTS = -1


class DivergenceError(Exception):
    """A run left the prefix that it was predicted to follow."""


class PathTree:
    """Grows by paths; returns new candidates."""

    def __init__(
        self,
        decoder: Decoder,
        constraints: Constraints,
        follows_null: bool = False,
        observations: Observations | None = None,
    ) -> None:
        self.decoder, self.constraints, self.observations = decoder, constraints, observations
        self.open_points = -1  # the points that aims may have; -1: any
        self.missed = 0  # of the run that is being added, see Fork
        self.most_fresh = sys.maxsize  # candidates of that run: what comes after them is left out, unless it has aims
        self.support = ANY_SLOTS  # on which the path of the last run that was added depends
        self.one_sided = frozenset({ASSUME} if follows_null else {ASSUME, FOLLOW})
        self.root: Fork | None = None
        self.empty = PathCondition.empty()
        self.paths = 0
        self.symbolic_sites: set[int] = set()  # branches that inputs can decide
        self.pinned: Counter[int] = Counter()  # pinned values per place

    def add_run(self, values: Input, trace: Trace) -> list[Candidate]:
        """Add a run that was not predicted."""
        return self._hang(values, trace, TreePlace(None, None, self.empty, 0), self.root, self.decoder.steps(trace), 0)

    def add_predicted(self, candidate: Candidate, values: Input, trace: Trace) -> list[Candidate]:
        """Add the run of a solved candidate below its place. Raises DivergenceError if it took another path."""
        if isinstance(candidate, Aim):
            return self._add_aimed(candidate, values, trace)
        if isinstance(candidate, JointAim):
            return self._add_at(candidate.place, values, trace)
        assert isinstance(candidate, Flip)
        fork, depth = candidate.fork, candidate.fork.depth
        end = depth * EVENT_BYTES
        if (trace.epoch != fork.epoch or trace.events[:end] != fork.events[:end]) and (
            self._walk(trace, depth)[2] is not fork
        ):
            raise DivergenceError
        steps = self.decoder.steps(trace, depth)
        self._check_first(fork, candidate.side, steps)
        if trace.observations and not fork.is_observed:
            return self.add_run(values, trace)
        place = TreePlace(None, None, fork.condition, depth, fork.relaxed)
        return self._hang(values, trace, place, fork, steps, depth + 1)  # what precedes the fork was observed with it

    def _add_at(self, place: TreePlace, values: Input, trace: Trace) -> list[Candidate]:
        """Add a run that must have come to this place."""
        end = place.depth * EVENT_BYTES
        if (trace.epoch != place.epoch or trace.events[:end] != place.events[:end]) and (
            self._walk(trace, place.depth)[:2] != (place.parent, place.taken)
        ):
            raise DivergenceError
        steps = self.decoder.steps(trace, place.depth)
        return self._hang(values, trace, place, self._next_fork(place), steps, place.depth)

    def _add_aimed(self, aim: Aim, values: Input, trace: Trace) -> list[Candidate]:
        fresh = self._add_at(aim.place, values, trace)
        if trace.outcome == REJECTED:
            return fresh + self._aim_again(aim, values, trace)
        was_hit = aim.step[0] != CONDITION and trace.points & aim.mask  # a covered label is not observed
        if not was_hit and aim.side not in aim.met:
            aim.obligation.doubt = aim.obligation.doubt or Reason.APPROXIMATE
        return fresh

    def _aim_again(self, aim: Aim, values: Input, trace: Trace) -> list[Candidate]:
        """The run of an aim was rejected: ask for the same with another side of its last fork, usually the assumption
        that failed. Not all continuations from the aim's place are tried, so nothing is proved.
        """
        aim.obligation.doubt = aim.obligation.doubt or Reason.RUNS_DIED
        fork, side, _ = self._walk(trace, len(trace.events) // EVENT_BYTES)
        if fork is None or fork.depth < aim.place.depth or fork.kind in (PIN, SWITCH) or fork.term is aim.step[2]:
            return []
        parent, taken, _ = self._walk(trace, fork.depth)
        place = TreePlace(parent, taken, fork.condition, fork.depth, fork.relaxed)
        place.base, place.events, place.epoch, place.rank = values, trace.events, trace.epoch, fork.rank
        chain = (*aim.chain, (*aim.step[:3], aim.side))
        step = (fork.kind, fork.site, fork.term, int(side == 1))
        return [Aim(aim.obligation, place, chain, step, 1 - step[3], mask=aim.mask, met={})]

    def _walk(self, trace: Trace, depth: int) -> tuple[Fork | None, int | Term | None, Fork | None]:
        """Follow so many events, comparing steps as terms, because the table of nodes is another one. Returns the last
        fork, the side taken there, and the next fork."""
        fork, parent, taken = self.root, None, None
        for step in self.decoder.steps(trace)[:depth]:
            if step[0] == CONCRETE:
                continue
            if fork is None or not fork.is_met_by(step):
                raise DivergenceError
            parent, taken = fork, side_of(step)
            fork = fork.children.get(taken)
        return parent, taken, fork

    def _hang(
        self, values: Input, trace: Trace, place: TreePlace, start: Fork | None, steps: list[Step], first: int
    ) -> list[Candidate]:
        """Add the steps after a place, where fork `start` is next; what was observed after so many events becomes
        aims."""
        fresh: list[Candidate] = []
        fork, parent, taken, depth = start, place.parent, place.taken, place.depth
        condition, relaxed = place.condition, place.relaxed
        for offset, step in enumerate(steps):
            if step[0] == CONCRETE:
                continue
            if fork is None:
                fork = Fork(step, condition, values, trace, depth + offset, rank_below(parent))
                fork.relaxed, fork.side_point, fork.missed = relaxed, side_below(parent, taken), self.missed
                if step[0] <= SWITCH:
                    self.symbolic_sites.add(step[1])
                self._attach(parent, taken, fork)
            elif not fork.is_met_by(step):
                raise DivergenceError
            parent, taken = fork, side_of(step)
            condition = self._open_sides(fork, step, fresh)
            if len(fresh) >= self.most_fresh and not trace.observations:
                break
            if relaxed is not None or step[0] == PIN:
                relaxed = self._relax(fork, step)
            fork = fork.children.get(taken)
        self.support = condition.support
        if parent is not None and taken is not None and taken not in parent.children:
            parent.children[taken] = None
            self.paths += 1
        elif parent is None and self.paths == 0:
            self.paths = 1
        if trace.observations and self.observations is not None and trace.outcome != REJECTED:
            walk = TreeWalk(place, start or self._next_fork(place), steps, condition, relaxed)
            fresh.extend(self._aims(values, trace, walk, first))
        return fresh

    def _next_fork(self, place: TreePlace) -> Fork | None:
        if place.parent is None or place.taken is None:
            return self.root
        return place.parent.children.get(place.taken)

    def _aims(self, values: Input, trace: Trace, walk: TreeWalk, first: int) -> Iterator[Aim]:
        """The aims from what the run observed, each at its place. After events that were cut off there are no
        places."""
        assert self.observations is not None
        end = len(trace.events) // EVENT_BYTES if trace.flags & FLAG_EVENTS_FULL else MOST_EVENTS
        place: TreePlace | None = None
        for position, number, chain in self.observations.chains(self.decoder.observations(trace), first):
            if position >= end:
                return
            if place is None or place.depth != position:
                place = walk.to(position)
                place.base, place.events, place.epoch = values, trace.events, trace.epoch
                place.rank = rank_below(place.parent)
            yield from self.observations.open(place, number, chain, self.open_points)

    def _relax(self, fork: Fork, step: Step) -> PathCondition:
        """The condition after this step, without pins."""
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

    def _open_sides(self, fork: Fork, step: Step, fresh: list[Candidate]) -> PathCondition:
        """Propose the sides that were not proposed yet; return the condition after this step."""
        kind, site, term, side = step
        assert term is not None
        if kind == PIN:
            return self._open_values(fork, term, fresh)
        if not fork.values:  # its first run: propose all other sides, once
            fork.values.append(fork.term)
            if kind == SWITCH:
                fresh.extend(Flip(fork, other) for other in self.constraints.sides(kind, site) if other != side)
                return fork.condition.extend_all(self.constraints.of(kind, site, term, side))
            if side == 0 or kind not in self.one_sided:
                fresh.append(Flip(fork, 1 - side))
        if kind == SWITCH:
            return fork.condition.extend_all(self.constraints.of(kind, site, term, side))
        return fork.condition.extend(self.constraints.literal(term, side))

    def _open_values(self, fork: Fork, value: Term, fresh: list[Candidate]) -> PathCondition:
        if value not in fork.values:
            fork.values.append(value)
            self.pinned[fork.site] += 1
            fresh.append(Flip(fork, 0))
        return fork.condition.extend(value)
