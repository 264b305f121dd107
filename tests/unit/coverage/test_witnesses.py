"""Which runs, together, cover an objective."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.witnesses import bits, find_witnesses, is_covered
from tightrope.location import Location

ANY, ALL, PAIR, SEQUENCE = Relation.ANY, Relation.ALL, Relation.PAIR, Relation.SEQUENCE


def objective(relation: Relation, points: tuple[int, ...], pairs: tuple[tuple[int, int], ...] = ()) -> Objective:
    return Objective("f:x", "x", "", Location("f.c", 1), "", points, "", relation=relation, pairs=pairs)


PAIRS = objective(PAIR, (0, 1, 2, 3), ((0, 1), (2, 3)))


@pytest.mark.parametrize(
    ("asked", "points", "is_done"),
    [
        (objective(ANY, (0, 2)), 0b100, True),
        (objective(ANY, (0, 2)), 0b010, False),
        (objective(SEQUENCE, (1,)), 0b010, True),
        (objective(ALL, (0, 2)), 0b100, False),
        (objective(ALL, (0, 2)), 0b101, True),
        (objective(ALL, ()), 0b1, False),
        (PAIRS, 0b0011, True),
        (PAIRS, 0b1100, True),
        (PAIRS, 0b0110, False),
        (PAIRS, 0b1001, False),
        (objective(PAIR, (3,), ((3, 3),)), 0b1000, True),
    ],
)
def test_the_relation_says_how_many_points_it_takes(asked, points, is_done):
    assert is_covered(asked, points) is is_done
    assert bool(find_witnesses(asked, [points])) is is_done
    assert bool(find_witnesses(asked, [1 << point for point in bits(points)])) is is_done


def test_any_has_every_run_that_does_it_as_witness():
    assert find_witnesses(objective(ANY, (0, 2)), [0b001, 0b010, 0b110]) == (0, 2)


def test_all_has_every_run_with_a_part_as_witness():
    assert find_witnesses(objective(ALL, (0, 2)), [0b001, 0b010, 0b100]) == (0, 2)
    assert find_witnesses(objective(ALL, (0, 2)), [0b001, 0b010]) == ()


def test_a_pair_has_the_two_runs_that_come_first_in_the_order_of_the_pair():
    assert find_witnesses(PAIRS, [0b1000, 0b0010, 0b0001, 0b0100]) == (2, 1)
    assert find_witnesses(PAIRS, [0b0010, 0b1000, 0b0100, 0b0001]) == (2, 1)


def test_one_run_may_be_both_of_a_pair():
    assert find_witnesses(PAIRS, [0b0001, 0b1100]) == (1,)


@given(st.integers(0, 2**70))
def test_bits_are_those_that_are_set(mask):
    assert sum(1 << bit for bit in bits(mask)) == mask
    assert list(bits(mask)) == sorted(bits(mask))
