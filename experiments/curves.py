"""Coverage over iterations: from the run that covered each objective to curves, their sums and means.

A curve has one number for each iteration, from the first on: how much is covered after it. If a search ends earlier,
its curve continues with the last value.
"""

from __future__ import annotations

from collections.abc import Sequence

Curve = tuple[float, ...]


def curve_of(covered_at: Sequence[int], iterations: int) -> Curve:
    """`covered_at`: for each objective that was covered, the run that did it, counted from 1."""
    fresh = [0] * (iterations + 1)
    for run in covered_at:
        if run <= iterations:
            fresh[run] += 1
    height, curve = 0, []
    for count in fresh[1:]:
        height += count
        curve.append(float(height))
    return tuple(curve)


def mean_of(curves: Sequence[Curve]) -> Curve:
    """Of repetitions."""
    return tuple(sum(heights) / len(curves) for heights in zip(*curves, strict=True))


def sum_of(curves: Sequence[Curve]) -> Curve:
    """Of units."""
    return tuple(sum(heights) for heights in zip(*curves, strict=True))


def area(curve: Curve) -> float:
    """Under the curve, where each iteration is one wide."""
    return sum(curve)
