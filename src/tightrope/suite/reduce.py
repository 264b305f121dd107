"""Fewest tests: which runs to keep so that everything covered stays covered.

Greedy set cover (V. Chvatal, 1979: at most ln n + 1 times the optimum), then runs whose share the others
cover too are dropped. An objective that takes a pair of runs counts half for the first of them:

    nothing of it hit   --one point of a pair-->   half   --the other point-->   covered

Runs that returned come first: another ending is kept only for what no returning runs cover. Ties are broken
by the input alone, so that the same runs always give the same suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tightrope.execution.trace import Outcome, RunRecord
from tightrope.objectives.objective import Objective, Relation
from tightrope.objectives.witnesses import bits, is_covered, pairs_of_runs

MOST_COMPARED = 8  # runs that gain as much


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that becomes a test. It is kept for its obligations: masks of points, of each of which it hits one."""

    run: RunRecord
    obligations: tuple[int, ...]


def reduce_runs(runs: Iterable[RunRecord], objectives: Sequence[Objective]) -> tuple[Kept, ...]:
    """The runs worth keeping, simplest first among equals."""
    candidates = _simplest_of_each(runs, objectives)
    chosen = _choose_greedily([run for run in candidates if _returned(run)], objectives, [])
    chosen = _choose_greedily(candidates, objectives, chosen)
    return share_obligations(drop_redundant(chosen, objectives), objectives)


def drop_redundant(runs: Sequence[RunRecord], objectives: Sequence[Objective]) -> tuple[RunRecord, ...]:
    """The runs without those whose share the others cover too; unusual endings and long inputs go first.

    What runs that returned cover stays covered by runs that returned.
    """
    kept = list(runs)
    by_returned = _covered_by(filter(_returned, runs), objectives)
    served = {objective.id for objective in by_returned}
    by_others = [objective for objective in _covered_by(runs, objectives) if objective.id not in served]
    for run in sorted(runs, key=_awkwardness, reverse=True):
        others = [other for other in kept if other is not run]
        is_served = not _returned(run) or _covers(filter(_returned, others), by_returned)
        if is_served and _covers(others, by_others):
            kept = others
    return tuple(kept)


def _returned(run: RunRecord) -> bool:
    return run.ending.outcome is Outcome.RETURNED


def _union(runs: Iterable[RunRecord]) -> int:
    points = 0
    for run in runs:
        points |= run.points
    return points


def _covers(runs: Iterable[RunRecord], objectives: Sequence[Objective]) -> bool:
    points = _union(runs)
    return all(is_covered(objective, points) for objective in objectives)


def _covered_by(runs: Iterable[RunRecord], objectives: Sequence[Objective]) -> list[Objective]:
    points = _union(runs)
    return [objective for objective in objectives if is_covered(objective, points)]


def share_obligations(runs: Sequence[RunRecord], objectives: Sequence[Objective]) -> tuple[Kept, ...]:
    """Make runs responsible for each objective: the first that covers it; of a pair, two that have least to add."""
    shares: list[dict[int, None]] = [{} for _ in runs]
    hits = [run.points for run in runs]
    for mask in _single_masks(objectives):
        owner = next((at for at, points in enumerate(hits) if points & mask), None)
        if owner is not None:
            shares[owner][mask] = None
    for objective in objectives:
        _share_pair(objective, hits, shares)
    return tuple(Kept(run, tuple(share)) for run, share in zip(runs, shares, strict=True))


def _share_pair(objective: Objective, hits: Sequence[int], shares: Sequence[dict[int, None]]) -> None:
    """One of the pairs that the runs make: each of the two must go on hitting its point of that pair."""

    def effort(pair: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
        points, runs = pair
        added = sum(1 << point not in shares[run] for point, run in zip(points, runs, strict=True))
        return added, max(runs)

    pairs = pairs_of_runs(objective, hits) if objective.relation is Relation.PAIR else ()
    best = min(pairs, key=effort, default=None)
    for point, run in zip(*best, strict=True) if best else ():
        shares[run][1 << point] = None


def _single_masks(objectives: Iterable[Objective]) -> list[int]:
    """What single runs must hit a point of; every point of an `all` is one such thing."""
    masks: dict[int, None] = {}
    for objective in objectives:
        if objective.relation is Relation.ALL:
            masks.update(dict.fromkeys(1 << point for point in objective.points))
        elif objective.relation is not Relation.PAIR:
            masks[objective.mask] = None
    return list(masks)


def _choose_greedily(
    runs: Sequence[RunRecord], objectives: Sequence[Objective], chosen: Sequence[RunRecord]
) -> list[RunRecord]:
    """`chosen` and as many of the runs as it takes to cover all that they can."""
    runs, found, hit = sorted(runs, key=_awkwardness), list(chosen), _union(chosen)
    distance = _Distance(objectives, hit | _union(runs))
    while True:
        distance.forget_covered(hit)
        now = distance.after(hit)
        gains = [now - distance.after(hit | run.points) for run in runs]
        if not any(gains):
            return found
        best = [run for run, gain in zip(runs, gains, strict=True) if gain == max(gains)]
        found.append(_far_sighted(best, runs, hit, distance))
        hit |= found[-1].points


def _far_sighted(equals: Sequence[RunRecord], runs: Sequence[RunRecord], hit: int, distance: _Distance) -> RunRecord:
    """Of runs that gain as much, the one after which the next run can gain most: half a pair is worth what the other
    half is. The simplest where that does not tell."""
    if not distance.pairs or len(equals) == 1:
        return equals[0]

    def rest(run: RunRecord) -> int:
        return min(distance.after(hit | run.points | other.points) for other in runs)

    return min(equals[:MOST_COMPARED], key=rest)


class _Distance:
    """How much is left to be covered, in halves of an objective; only what these points can cover counts."""

    def __init__(self, objectives: Sequence[Objective], reachable: int) -> None:
        self.singles = [mask for mask in _single_masks(objectives) if mask & reachable]
        pairs = [_Pairs(each, reachable) for each in objectives if each.relation is Relation.PAIR]
        self.pairs = [each for each in pairs if each.points]

    def forget_covered(self, hit: int) -> None:
        self.singles = [mask for mask in self.singles if not mask & hit]
        self.pairs = [each for each in self.pairs if each.distance(hit & each.points)]

    def after(self, hit: int) -> int:
        singles = sum(1 for mask in self.singles if not mask & hit)
        return 2 * singles + sum(each.distance(hit & each.points) for each in self.pairs)


class _Pairs:
    """An objective that takes a pair of runs, as far as points that can be hit make one."""

    def __init__(self, objective: Objective, reachable: int) -> None:
        self.partners: dict[int, int] = {}  # point -> mask of the points that make a pair with it
        for one, other in objective.pairs:
            if reachable >> one & reachable >> other & 1:
                self.partners[one] = self.partners.get(one, 0) | 1 << other
                self.partners[other] = self.partners.get(other, 0) | 1 << one
        self.points = sum(1 << point for point in self.partners)
        self._known = {0: 2}

    def distance(self, hit: int) -> int:
        """0: a pair is hit; 1: half of one is; 2: nothing of it."""
        if hit not in self._known:
            self._known[hit] = 0 if any(self.partners[point] & hit for point in bits(hit)) else 1
        return self._known[hit]


def _simplest_of_each(runs: Iterable[RunRecord], objectives: Sequence[Objective]) -> list[RunRecord]:
    """One run per set of points that matter (the simplest), without rejected runs."""
    matter = 0
    for objective in objectives:
        matter |= objective.mask
    best: dict[int, RunRecord] = {}
    for run in runs:
        share = run.points & matter
        if not share or run.ending.outcome is Outcome.REJECTED:
            continue
        if share not in best or _awkwardness(run) < _awkwardness(best[share]):
            best[share] = run
    return list(best.values())


_ENDINGS = {outcome: rank for rank, outcome in enumerate(Outcome)}


def _awkwardness(run: RunRecord) -> tuple[int, int, int, tuple[int, ...]]:
    """Smaller is simpler: the ending, then bits set in the input, then its length, then the input itself."""
    bits_set = sum(value.bit_count() for value in run.input)
    length = sum(value.bit_length() for value in run.input)
    return _ENDINGS[run.ending.outcome], bits_set, length, run.input
