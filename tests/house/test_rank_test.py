"""The rank tests of the experiments, against published values and plain enumeration."""

from __future__ import annotations

import itertools
from importlib import import_module

import pytest

MAIZE = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]  # Darwin's, from Fisher's book


@pytest.fixture
def tests():
    return import_module("experiments.rank_test")


def test_signed_ranks_have_the_published_value(tests):
    assert tests.wilcoxon(MAIZE) == pytest.approx(0.041259765625, abs=1e-12)
    assert tests.wilcoxon([1, 2, 3, 4, 5, 0, 0]) == 2 / 32
    assert tests.wilcoxon([0, 0]) == 1


def test_two_samples_have_the_published_value(tests):
    assert tests.mann_whitney([19, 22, 16, 29, 24], [20, 11, 17, 12]) == pytest.approx(1 / 9, abs=1e-12)
    assert tests.mann_whitney([1, 1], [1, 1]) == 1


@pytest.mark.parametrize("values", [[3, -1, 2, 2, -2], [1, 1, 1, -1], [5, -4, 4, -3, 3, 7]])
def test_signed_ranks_with_ties_by_enumeration(tests, values):
    ranks = tests.doubled_ranks([abs(each) for each in values])
    seen = abs(sum(rank if each > 0 else -rank for rank, each in zip(ranks, values, strict=True)))
    sums = [abs(sum(map(int.__mul__, signs, ranks))) for signs in itertools.product((1, -1), repeat=len(ranks))]
    assert tests.wilcoxon(values) == pytest.approx(sum(each >= seen for each in sums) / len(sums))


@pytest.mark.parametrize(("one", "other"), [([1, 2, 2], [2, 3, 4, 4]), ([7, 1], [2, 2, 9])])
def test_two_samples_with_ties_by_enumeration(tests, one, other):
    ranks = tests.doubled_ranks([*one, *other])
    middle = sum(ranks) * len(one) / len(ranks)
    far = [abs(sum(each) - middle) for each in itertools.combinations(ranks, len(one))]
    seen = abs(sum(ranks[: len(one)]) - middle)
    assert tests.mann_whitney(one, other) == pytest.approx(sum(each >= seen - 1e-9 for each in far) / len(far))


def test_equal_values_share_their_ranks(tests):
    assert tests.doubled_ranks([10, 20, 10, 30]) == [3, 6, 3, 8]


def test_an_interval_contains_the_ratio_and_is_a_point_where_nothing_varies(tests):
    assert tests.interval_of_ratio([(2.0, 1.0)] * 5) == (2.0, 2.0)
    low, high = tests.interval_of_ratio([(1.0, 1.0), (3.0, 1.0), (2.0, 1.0), (2.5, 1.0)])
    assert 1.0 <= low < 2.125 < high <= 3.0
