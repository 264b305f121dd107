"""Fewest tests: which runs to keep so that everything covered stays covered.

Greedy set cover (V. Chvatal, 1979: at most ln n + 1 times the optimum); then runs are dropped whose objectives the
others cover too. An objective that needs a pair of runs counts half for the first of them:

    nothing of it hit   --one point of a pair-->   half   --the other point-->   covered

Runs that returned without signed overflow come first, then other runs that returned: the rest is kept only for what
these do not cover. Ties are broken by what a run tells (`Worth`), then by the input, so that the same runs always give
the same suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.witnesses import bits, pairs_of_runs
from tightrope.running.run_record import Outcome, RunRecord

MOST_COMPARED = 8  # runs that gain as much
MOST_WORK = 20_000  # runs times pairs, up to which they are compared


Worth = Callable[[RunRecord], int]
"""How much a run tells beside what it covers, for example how many mutants it kills: more is better."""


def _same_worth(run: RunRecord) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that becomes a test, with its obligations: masks of points, of which it must hit one each."""

    run: RunRecord
    obligations: tuple[int, ...]


def reduce_runs(
    runs: Iterable[RunRecord],
    objectives: Sequence[Objective],
    given: Sequence[RunRecord] = (),
    worth: Worth = _same_worth,
) -> tuple[Kept, ...]:
    """The runs to keep; among equals those that tell most, then the simplest. The `given` runs are all kept and come
    first; others are added only for what these do not cover."""
    wanted = _Wanted(objectives)
    candidates = sorted(_best_of_each(runs, objectives, worth), key=lambda run: _demerits(run, worth))
    rows, first = [_Row(run, wanted) for run in candidates], [_Row(run, wanted) for run in given]
    added: list[_Row] = []
    for level in _LEVELS:
        before = [row for row in first if row.level <= level]
        chosen = _choose_greedily([row for row in rows if row.level <= level], [*before, *added], wanted)
        added = chosen[len(before) :]
    kept = _drop_redundant([*first, *added], wanted, len(first), worth)
    return share_obligations([row.run for row in kept], objectives)


def drop_redundant(
    runs: Sequence[RunRecord], objectives: Sequence[Objective], given: int = 0, worth: Worth = _same_worth
) -> tuple[RunRecord, ...]:
    """The runs without those whose objectives the others cover too; unusual endings are dropped first, then runs that
    tell less, then long inputs. The first `given` runs stay.

    What runs that returned cover stays covered by runs that returned; the same for those without signed overflow.
    """
    wanted = _Wanted(objectives)
    return tuple(row.run for row in _drop_redundant([_Row(run, wanted) for run in runs], wanted, given, worth))


class _Wanted:
    """What is to be covered: *singles* (masks, of which some run must hit a point) and pairs of points."""

    def __init__(self, objectives: Sequence[Objective]) -> None:
        self.singles = _single_masks(objectives)
        self.pairs = [_Pairs(each) for each in objectives if each.relation is Relation.PAIR]


class _Pairs:
    """An objective that takes a pair of points."""

    def __init__(self, objective: Objective) -> None:
        self.points = objective.mask
        self._partners: dict[int, int] = {}  # point -> mask of the points that make a pair with it
        for one, other in objective.pairs:
            self._partners[one] = self._partners.get(one, 0) | 1 << other
            self._partners[other] = self._partners.get(other, 0) | 1 << one
        self._known: dict[int, bool] = {}

    def is_hit(self, points: int) -> bool:
        """True when a pair is among these points of ours."""
        if points not in self._known:
            self._known[points] = any(self._partners[point] & points for point in bits(points))
        return self._known[points]

    def useful(self, reachable: int) -> int:
        """The points that can make a pair when only these can be hit."""
        found = [point for point in bits(self.points & reachable) if self._partners[point] & reachable]
        return sum(1 << point for point in found)


_LEVELS = range(3)  # 0: returned; 1: another build may do something else; 2: ended otherwise


class _Row:
    """A run, with what it does for all that is wanted."""

    __slots__ = ("halves", "level", "run", "singles")

    def __init__(self, run: RunRecord, wanted: _Wanted) -> None:
        self.run = run
        self.level = 2 if run.ending.outcome is not Outcome.RETURNED else 1 if run.risk else 0
        self.singles = sum(1 << at for at, mask in enumerate(wanted.singles) if mask & run.points)
        found = enumerate(run.points & pair.points for pair in wanted.pairs)
        self.halves = {at: points for at, points in found if points}  # number of the pairs -> their points that it hits


class _State:
    """What some rows have covered so far; only points that can make a pair count for pairs."""

    def __init__(self, wanted: _Wanted, rows: Iterable[_Row], reachable: int = -1) -> None:
        self.wanted = wanted
        self.singles = 0  # bits of the singles that are covered
        self.halves: dict[int, int] = {}  # number of the pairs -> points of it that were hit
        self.useful = [pair.useful(reachable) for pair in wanted.pairs] if reachable != -1 else []
        for row in rows:
            self.add(row)

    def add(self, row: _Row) -> None:
        self.singles |= row.singles
        for at, points in row.halves.items():
            self.halves[at] = self.halves.get(at, 0) | points

    def gain(self, row: _Row) -> int:
        """What the row would add, in halves of an objective."""
        gained = 2 * (row.singles & ~self.singles).bit_count()
        return gained + sum(self._steps(at, points) for at, points in row.halves.items())

    def _steps(self, at: int, points: int) -> int:
        useful, before = self.useful[at], self.halves.get(at, 0)
        return self._distance(at, before & useful) - self._distance(at, (before | points) & useful)

    def _distance(self, at: int, points: int) -> int:
        """0: a pair is hit; 1: half of one is; 2: nothing of it."""
        if not points:
            return 2
        return 0 if self.wanted.pairs[at].is_hit(points) else 1

    def pairs(self) -> set[int]:
        """The numbers of the pairs that are covered."""
        return {at for at, points in self.halves.items() if self.wanted.pairs[at].is_hit(points)}


def _choose_greedily(rows: Sequence[_Row], chosen: Sequence[_Row], wanted: _Wanted) -> list[_Row]:
    """`chosen` and as many of the rows as it takes to cover all that they can. Rows come simplest first."""
    state = _State(wanted, chosen, _union(row.run for row in (*rows, *chosen)))
    found = list(chosen)
    while True:
        gains = [state.gain(row) for row in rows]
        most = max(gains, default=0)
        if not most:
            return found
        best = [row for row, gain in zip(rows, gains, strict=True) if gain == most]
        found.append(_far_sighted(best, rows, found, state))
        state.add(found[-1])


def _far_sighted(equals: Sequence[_Row], rows: Sequence[_Row], chosen: Sequence[_Row], state: _State) -> _Row:
    """Of rows with equal gain, the one after which the next row can gain most: half a pair is worth what its other half
    adds. The simplest one if that is equal too, or if there is too much to compare."""
    if len(equals) == 1 or not any(row.halves for row in equals) or len(rows) * len(state.wanted.pairs) > MOST_WORK:
        return equals[0]

    def next_gain(row: _Row) -> int:
        after = _State(state.wanted, [*chosen, row])
        after.useful = state.useful
        return max(after.gain(other) for other in rows)

    return max(equals[:MOST_COMPARED], key=next_gain)


def _drop_redundant(rows: Sequence[_Row], wanted: _Wanted, given: int, worth: Worth) -> list[_Row]:
    kept = list(rows)
    whole = [_State(wanted, [row for row in rows if row.level <= level]) for level in _LEVELS]
    for row in sorted(rows[given:], key=lambda each: _demerits(each.run, worth), reverse=True):
        others = [other for other in kept if other is not row]
        if all(
            _does_as_much([each for each in others if each.level <= level], whole[level], row)
            for level in _LEVELS[row.level :]
        ):
            kept = others
    return kept


def _does_as_much(rows: Sequence[_Row], whole: _State, without: _Row) -> bool:
    """True when the rows cover all that `whole` covers. Of pairs, only those of the other row are looked at."""
    state = _State(whole.wanted, rows)
    if whole.singles & ~state.singles:
        return False
    pairs = whole.wanted.pairs
    lost = (at for at in without.halves if pairs[at].is_hit(whole.halves[at]))
    return all(pairs[at].is_hit(state.halves.get(at, 0)) for at in lost)


def _union(runs: Iterable[RunRecord]) -> int:
    points = 0
    for run in runs:
        points |= run.points
    return points


def share_obligations(runs: Sequence[RunRecord], objectives: Sequence[Objective]) -> tuple[Kept, ...]:
    """Assign each objective to runs: the first that covers it; for a pair, the two with the fewest new obligations."""
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
    """Choose one of the pairs that the runs form: each of the two must keep hitting its point of that pair."""

    def effort(pair: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
        points, runs = pair
        added = sum(1 << point not in shares[run] for point, run in zip(points, runs, strict=True))
        return added, max(runs)

    pairs = pairs_of_runs(objective, hits) if objective.relation is Relation.PAIR else ()
    best = min(pairs, key=effort, default=None)
    for point, run in zip(*best, strict=True) if best else ():
        shares[run][1 << point] = None


def _single_masks(objectives: Iterable[Objective]) -> list[int]:
    """Masks of which a single run must hit a point; every point of an `all` is one mask."""
    masks: dict[int, None] = {}
    for objective in objectives:
        if objective.relation is Relation.ALL:
            masks.update(dict.fromkeys(1 << point for point in objective.points))
        elif objective.relation is not Relation.PAIR:
            masks[objective.mask] = None
    return list(masks)


def _best_of_each(runs: Iterable[RunRecord], objectives: Sequence[Objective], worth: Worth) -> list[RunRecord]:
    """One run per set of points that matter (that which tells most, then the simplest), without rejected runs."""
    matter = 0
    for objective in objectives:
        matter |= objective.mask
    best: dict[int, RunRecord] = {}
    for run in runs:
        share = run.points & matter
        if not share or run.ending.outcome is Outcome.REJECTED:
            continue
        if share not in best or _demerits(run, worth) < _demerits(best[share], worth):
            best[share] = run
    return list(best.values())


_ENDINGS = {outcome: rank for rank, outcome in enumerate(Outcome)}


def _demerits(run: RunRecord, worth: Worth) -> tuple[int, int, int, int, int, tuple[int, ...]]:
    """Smaller is better: the ending, the risk, what it tells, bits set in the input, its length, the input."""
    bits_set = sum(value.bit_count() for value in run.input)
    length = sum(value.bit_length() for value in run.input)
    return _ENDINGS[run.ending.outcome], run.risk, -worth(run), bits_set, length, run.input
