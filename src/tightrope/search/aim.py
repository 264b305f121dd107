"""Aims: candidates for what paths do not decide, namely labels and conditions without a branch.

An *obligation* is one of these, by number: labels first, then conditions. A run evaluates it somewhere along its path,
by a *chain* of steps that do not belong to the path:

    pc_label(a && b)     region of the label   a: branch, 1      b: end of the label, 0
    x = (a > 1) ^ b      the decision          a > 1: 0          b: 1

An aim keeps the first steps of a chain and takes another side of the next one. No step becomes part of the path
condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from tightrope.coverage.verdict import Reason
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import EventKind
from tightrope.search.candidate import Candidate
from tightrope.search.constraints import Constraints
from tightrope.search.fork import TreePlace, side_below
from tightrope.solving.path_condition import PathCondition

LABEL, CONDITION = int(EventKind.LABEL), int(EventKind.CONDITION)
PATIENCE = 3  # unsuccessful queries, after which the aims of an obligation are late

ChainStep = tuple[int, int, Term, int]  # kind, site, condition, side
Chain = tuple[ChainStep, ...]
Sides = dict[Any, Any]  # of steps seen: (kind, site, condition) -> side -> the same for the steps that follow


class Obligation:
    """`when` has the points that a run may hit because of it, by its value; a label has the same for both values."""

    __slots__ = ("doubt", "in_vain", "points", "was_decided", "when")

    def __init__(self, when: tuple[int, int]) -> None:
        self.when, self.points = when, when[0] | when[1]
        self.in_vain = 0
        self.was_decided = False  # by inputs, in some run
        self.doubt: Reason | None = None  # why nothing may be proved about it


class Aim:
    """Side `side` of `step`, after `chain`, at `place`. `met`: the sides of the step that runs have taken there."""

    __slots__ = ("chain", "mask", "met", "obligation", "place", "side", "step")

    is_aim = True
    is_error = is_risky = False
    point = None
    missed = 0

    def __init__(
        self,
        obligation: Obligation,
        place: TreePlace,
        chain: Chain,
        step: ChainStep,
        side: int,
        *,
        mask: int,
        met: Sides,
    ) -> None:
        self.obligation, self.place, self.chain, self.step = obligation, place, chain, step
        self.side, self.mask, self.met = side, mask, met

    def condition(self, constraints: Constraints) -> PathCondition:
        return self._extend(self.place.condition, constraints)

    def _extend(self, condition: PathCondition, constraints: Constraints) -> PathCondition:
        for kind, site, term, side in self.chain:
            condition = condition.extend_all(constraints.of(kind, site, term, side))
        return condition

    def target(self, constraints: Constraints) -> Term:
        kind, site, term, _ = self.step
        return (
            constraints.literal(term, self.side) if kind == LABEL else constraints.target(kind, site, term, self.side)
        )

    @property
    def base(self) -> Input:
        return self.place.base

    @property
    def relaxed(self) -> PathCondition | None:
        return None if self.chain else self.place.relaxed

    @property
    def site(self) -> int:
        return self.step[1]

    @property
    def rank(self) -> int:
        return self.place.rank

    @property
    def observed(self) -> int:
        return self.place.depth

    @property
    def is_late(self) -> bool:
        """True if too many aims at the obligation were unsuccessful, so that others should come first."""
        return self.obligation.in_vain >= PATIENCE

    @property
    def is_met(self) -> bool:
        """True if a run has already taken this side of the step, after another aim: what follows is known."""
        return self.step[0] != LABEL and self.side in self.met

    @property
    def side_point(self) -> int:
        return side_below(self.place.parent, self.place.taken)

    @property
    def joins(self) -> bool:
        """True if it may be asked together with others: it hardly has a solution, and the predicate of its label is all
        that it asks for. A condition with pins may be relaxed, which is worth a try for each label."""
        return self.is_late and self.step[0] == LABEL and not self.chain and self.place.relaxed is None


class JointAim:
    """Late aims at labels of one place, as one query: is there an input for any of them? Most have none, and then one
    answer is enough for all. Where some have one, a query for each is easier to answer."""

    __slots__ = ("aims", "mask", "place")

    is_aim = True
    is_late = True
    is_error = is_risky = False
    point = relaxed = None
    missed = 0

    def __init__(self, aims: Iterable[Aim]) -> None:
        self.aims, self.mask = tuple(aims), 0
        for aim in self.aims:
            self.mask |= aim.mask
        self.place = self.aims[0].place

    def narrowed(self, open_points: int) -> Aim | JointAim | None:
        """Without the aims that have no open point."""
        aims = [aim for aim in self.aims if aim.mask & open_points]
        if len(aims) == len(self.aims):
            return self
        return JointAim(aims) if len(aims) > 1 else aims[0] if aims else None

    def condition(self, constraints: Constraints) -> PathCondition:
        return self.place.condition

    def target(self, constraints: Constraints) -> Term:
        return constraints.any_of(tuple(aim.target(constraints) for aim in self.aims))

    @property
    def base(self) -> Input:
        return self.place.base

    @property
    def site(self) -> int:
        return self.aims[0].site

    @property
    def rank(self) -> int:
        return self.place.rank

    @property
    def observed(self) -> int:
        return self.place.depth

    @property
    def side_point(self) -> int:
        return self.aims[0].side_point


def join_aims(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates, those aims as one that ask for labels at one place."""
    for place, group in groupby(candidates, key=_joint_place):
        some = list(group)
        aims = [each for each in some if isinstance(each, Aim)]
        if place is None or len(aims) == 1:
            yield from some
        else:
            yield JointAim(aims)


def _joint_place(candidate: Candidate) -> TreePlace | None:
    return candidate.place if isinstance(candidate, Aim) and candidate.joins else None
