"""Witnesses: which runs together cover an objective. A run is represented by its points, as a bit mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.coverage.objective import Objective, Relation


def is_covered(objective: Objective, points: int) -> bool:
    """True when runs that together hit these points cover the objective."""
    if objective.relation is Relation.ALL:
        return bool(objective.points) and objective.mask & ~points == 0
    if objective.relation is Relation.PAIR:
        return any(points >> one & points >> other & 1 for one, other in objective.pairs)
    return bool(objective.mask & points)


def find_witnesses(objective: Objective, hits: Sequence[int]) -> tuple[int, ...]:
    """Positions in `hits` of the runs that cover the objective; none when they do not.

    For ANY and ALL, every run that covers it or a part of it; for a pair, the first two runs (perhaps the same run
    twice), in the order of the pair.
    """
    if objective.relation is Relation.PAIR:
        found = min(pairs_of_runs(objective, hits), key=lambda pair: (max(pair[1]), min(pair[1])), default=None)
        return tuple(dict.fromkeys(found[1])) if found else ()
    union = 0
    for points in hits:
        union |= points
    mask = objective.mask
    return tuple(at for at, points in enumerate(hits) if points & mask) if is_covered(objective, union) else ()


def pairs_of_runs(objective: Objective, hits: Sequence[int]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Each pair of the objective whose points were hit, with the position of the first run that hit each of them."""
    first: dict[int, int] = {}
    for at, points in enumerate(hits):
        for point in bits(points & objective.mask):
            first.setdefault(point, at)
    for one, other in objective.pairs:
        if one in first and other in first:
            yield (one, other), (first[one], first[other])


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def is_refuted(objective: Objective, refuted: int) -> bool:
    """Whether nothing covers the objective if no run hits these points."""
    if not objective.points:
        return False
    if objective.relation is Relation.PAIR:
        return all(refuted >> one & 1 or refuted >> other & 1 for one, other in objective.pairs)
    if objective.relation is Relation.ALL:
        return bool(objective.mask & refuted)
    return not objective.mask & ~refuted
