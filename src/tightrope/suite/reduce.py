"""Fewest tests: which runs to keep so that everything covered stays covered.

Greedy set cover (V. Chvatal, 1979: at most ln n + 1 times the optimum), then runs whose share the others
cover too are dropped. Runs that returned come first: another ending is kept only for what no returning
run covers. Ties are broken by the input alone, so that the same runs always give the same suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tightrope.execution.trace import Outcome, RunRecord


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that becomes a test. `needs` are the objectives (as masks of points) that it is kept for."""

    run: RunRecord
    needs: tuple[int, ...]


def reduce_runs(runs: Iterable[RunRecord], needs: Sequence[int]) -> tuple[Kept, ...]:
    """The runs worth keeping, simplest first among equals.

    `needs` holds one mask per objective: a run covers it when it hit any of its points.
    """
    candidates = _simplest_of_each(runs, needs)
    chosen: list[RunRecord] = []
    open_needs = _covered_by(candidates, needs)
    for returned in (True, False):
        able = [run for run in candidates if _returned(run) is returned]
        picked, open_needs = _choose_greedily(able, open_needs)
        chosen += picked
    return share_needs(drop_redundant(chosen, needs), needs)


def drop_redundant(runs: Sequence[RunRecord], needs: Sequence[int]) -> tuple[RunRecord, ...]:
    """The runs without those whose share the others cover too; unusual endings and long inputs go first.

    What runs that returned cover stays covered by runs that returned.
    """
    kept = list(runs)
    by_returned = _covered_by([run for run in runs if _returned(run)], needs)
    by_others = [need for need in _covered_by(runs, needs) if need not in by_returned]
    for run in sorted(runs, key=_awkwardness, reverse=True):
        others = [other for other in kept if other is not run]
        returned = [other for other in others if _returned(other)]
        if _covers(returned, by_returned) and _covers(others, by_others):
            kept = others
    return tuple(kept)


def _returned(run: RunRecord) -> bool:
    return run.ending.outcome is Outcome.RETURNED


def _covers(runs: Sequence[RunRecord], needs: Sequence[int]) -> bool:
    return all(any(need & run.points for run in runs) for need in needs)


def share_needs(runs: Sequence[RunRecord], needs: Sequence[int]) -> tuple[Kept, ...]:
    """Make one run responsible for each objective: the first that covers it."""
    shares: list[list[int]] = [[] for _ in runs]
    for need in needs:
        owner = next((number for number, run in enumerate(runs) if need & run.points), None)
        if owner is not None:
            shares[owner].append(need)
    return tuple(Kept(run, tuple(share)) for run, share in zip(runs, shares, strict=True))


def _choose_greedily(runs: Sequence[RunRecord], needs: Sequence[int]) -> tuple[list[RunRecord], list[int]]:
    """Runs that cover as much of `needs` as all of them do, and what is left."""
    left, chosen = list(needs), []
    while left and runs:
        best = min(runs, key=lambda run: (-_count(run, left), _awkwardness(run)))
        if not _count(best, left):
            break
        chosen.append(best)
        left = [need for need in left if not need & best.points]
    return chosen, left


def _count(run: RunRecord, needs: Sequence[int]) -> int:
    return sum(1 for need in needs if need & run.points)


def _covered_by(runs: Sequence[RunRecord], needs: Sequence[int]) -> list[int]:
    return [need for need in dict.fromkeys(needs) if any(need & run.points for run in runs)]


def _simplest_of_each(runs: Iterable[RunRecord], needs: Sequence[int]) -> list[RunRecord]:
    """One run per set of points that matter (the simplest), without rejected runs."""
    matter = 0
    for need in needs:
        matter |= need
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
    bits = sum(value.bit_count() for value in run.input)
    length = sum(value.bit_length() for value in run.input)
    return _ENDINGS[run.ending.outcome], bits, length, run.input
