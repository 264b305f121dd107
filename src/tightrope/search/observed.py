"""Turns what runs observed besides their paths into aims, each once.

At one place in the tree of paths, the chains of an obligation form a tree of their own: the first step is the same in
all runs that get there, the next one depends on the side that was taken, and so on. Each side of a step that no run has
taken becomes an aim, so that all possible chains at the place are found.

A chain of conditions is considered again at each place where one of them was evaluated: the path may fork between two
of them, and each side then has its own chains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.coverage.verdict import Reason
from tightrope.expr.terms import Term
from tightrope.running.memory_map import ONE_SIDED, WAS_APPROXIMATE, WAS_BOUND, EventKind
from tightrope.search.aim import CONDITION, LABEL, Aim, Chain, ChainStep, Obligation, Sides
from tightrope.search.constraints import PIN, SWITCH, Constraints
from tightrope.search.decode import Observation
from tightrope.search.fork import TreePlace

ASSUME, GUARD, FOLLOW = int(EventKind.ASSUME), int(EventKind.GUARD), int(EventKind.FOLLOW)
ONE_WAY = frozenset((ASSUME, PIN))  # steps whose other sides are never tried

Observed = tuple[int, int, Chain]  # position in the events, number of the obligation, chain


class Observations:
    """All chains seen so far, by place. `obligations` are numbered: `labels` labels, then the conditions."""

    def __init__(self, constraints: Constraints, obligations: Sequence[Obligation], labels: int) -> None:
        self.constraints, self.obligations, self.labels = constraints, tuple(obligations), labels
        self.sites: set[int] = set()  # branches in regions of labels that some input can decide
        self._met: dict[tuple[object, object, int], Sides] = {}

    def closed(self, open_points: int) -> int:
        """The obligations (bit: number) without an open point."""
        return sum(1 << n for n, each in enumerate(self.obligations) if not each.points & open_points)

    def chains(self, observations: Sequence[Observation], first: int = 0) -> Iterator[Observed]:
        """The chains of one run, in order, that were evaluated after its first events."""
        region: list[ChainStep] = []
        conditions: dict[int, Chain] = {}
        for number, (position, kind, site, term, side, previous) in enumerate(observations, 1):
            if kind == CONDITION:
                chain = conditions[number] = self._extend(conditions.get(previous, ()), site, term, side)
                if position >= first:
                    yield position, self.labels + chain[0][1], chain
            elif position < first:
                continue
            elif kind == LABEL:
                yield position, site, self._end_region(site, region, term, side)
                region = []
            else:
                region.append(_region_step(kind, site, term, side))

    def _extend(self, chain: Chain, condition: int, term: Term | None, side: int) -> Chain:
        if term is None:
            return chain
        self.obligations[self.labels + condition].was_decided = True
        return (*chain, (CONDITION, condition, term, side))

    def _end_region(self, label: int, region: list[ChainStep], term: Term | None, side: int) -> Chain:
        """The chain of a label. Other events in its region may prevent proofs about it."""
        obligation = self.obligations[label]
        if side & WAS_APPROXIMATE or any(kind == PIN for kind, *_ in region):
            obligation.doubt = obligation.doubt or Reason.APPROXIMATE
        elif side & WAS_BOUND:
            obligation.doubt = obligation.doubt or Reason.SHAPE
        self.sites.update(site for kind, site, *_ in region if kind <= SWITCH)
        if term is None:
            return tuple(region)
        obligation.was_decided = True
        return (*region, (LABEL, label, term, side & 1))

    def open(self, place: TreePlace, number: int, chain: Chain, open_points: int) -> Iterator[Aim]:
        """The aims that result from this chain, at a place on the path of the run that evaluated it."""
        met = self._met.setdefault((place.parent, place.taken, number), {})
        mask = -1
        for length, step in enumerate(chain):
            kind, site, term, side = step
            obligation = self.obligations[self.labels + site if kind == CONDITION else number]
            sides = met.get((kind, site, term))
            if sides is None:
                sides = met[kind, site, term] = {}
                for other in self._other_sides(step):
                    wanted = mask & obligation.when[other if kind == CONDITION else 1]
                    if wanted & open_points:
                        yield Aim(obligation, place, chain[:length], step, other, mask=wanted, met=sides)
            if kind == ASSUME:
                self._note_twins(met, site, term, side)
            mask &= obligation.when[side if kind == CONDITION else 1]
            met = sides.setdefault(side, {})

    def _note_twins(self, met: Sides, site: int, term: Term, side: int) -> None:
        """Note the side for a guard of the same condition, too: a run that stays in bounds records no such step."""
        for kind in (GUARD, FOLLOW):
            if (kind, site, term) in met:
                met[kind, site, term].setdefault(side, {})

    def _other_sides(self, step: ChainStep) -> Iterator[int]:
        kind, site, _, side = step
        if kind not in ONE_WAY:
            yield from (other for other in self.constraints.sides(kind, site) if other != side)


def _region_step(kind: int, site: int, term: Term | None, side: int) -> ChainStep:
    assert term is not None  # concrete steps are not recorded in a region
    if kind != SWITCH and side & ONE_SIDED:
        return ASSUME, site, term, side & ~ONE_SIDED
    return kind, site, term, side
