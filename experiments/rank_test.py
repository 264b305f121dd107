"""Rank tests with exact p-values: of pairs (Wilcoxon's signed ranks) and of two samples (Mann and Whitney).

Both count, among all assignments that are equally likely if there is no difference, those that are at least as far
from the middle as what was seen. Equal values share the mean of their ranks; ranks are doubled, so that they are
integers and counts by sum are a small table. Nothing is approximated, whatever ties there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random


def wilcoxon(differences: Sequence[float]) -> float:
    """Two-sided: how likely signs this uneven are by chance. Pairs without a difference are left out."""
    unequal = [each for each in differences if each]
    ranks = doubled_ranks([abs(each) for each in unequal])
    counts = Counter({0: 1})  # by the sum of the ranks with a positive sign
    for rank in ranks:
        counts.update({total + rank: count for total, count in list(counts.items())})
    seen = sum(rank for rank, each in zip(ranks, unequal, strict=True) if each > 0)
    return _two_sided(counts, seen, Fraction(sum(ranks), 2))


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """Two-sided: how likely samples this far apart are, if both come from the same source."""
    ranks = doubled_ranks([*one, *other])
    counts: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in one)]  # by size and sum of ranks
    for rank in ranks:
        for size in range(len(one), 0, -1):
            counts[size].update({total + rank: count for total, count in counts[size - 1].items()})
    return _two_sided(counts[-1], sum(ranks[: len(one)]), Fraction(sum(ranks) * len(one), max(1, len(ranks))))


def doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, from 1 on; equal ones share the mean."""
    below, counts, first = {}, Counter(values), 1
    for value in sorted(counts):
        below[value] = 2 * first + counts[value] - 1
        first += counts[value]
    return [below[value] for value in values]


def _two_sided(counts: Counter[int], seen: int, middle: Fraction) -> float:
    far = abs(seen - middle)
    return float(Fraction(sum(n for total, n in counts.items() if abs(total - middle) >= far), counts.total()))


def interval_of_ratio(
    pairs: Sequence[tuple[float, float]], share: float = 0.95, draws: int = 2000
) -> tuple[float, float]:
    """Confidence interval of the ratio of sums, by drawing pairs again (percentile bootstrap); the same every time."""
    source, ratios = Random(0), []
    for _ in range(draws):
        drawn = source.choices(pairs, k=len(pairs))
        below = sum(second for _, second in drawn)
        ratios.append(sum(first for first, _ in drawn) / below if below else 1.0)
    ratios.sort()
    cut = round(draws * (1 - share) / 2)
    return ratios[cut], ratios[-1 - cut]
