"""How candidates stand to what is missing, on a small graph."""

from __future__ import annotations

import pytest
from fake_structure import flip, structure

from tightrope.search.coverage_structure import Relevance
from tightrope.search.filtered import Filtered
from tightrope.search.strategies.breadth_first import BreadthFirst
from tightrope.search.strategies.depth_first import DepthFirst
from tightrope.search.strategies.late_last import TURNS, LateLast

MUST, MAY, IRRELEVANT = Relevance.MUST, Relevance.MAY, Relevance.IRRELEVANT

# node 0 --0--> 1, --1--> 4 (end)     node 1 --2--> 2, --3--> 4     node 2 --4--> 1 (back), --5--> 4
LOOP = [[(0, 1), (1, 4)], [(2, 2), (3, 4)], [(4, 1), (5, 4)], [], []]


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (0b000010, [IRRELEVANT, MUST, IRRELEVANT, IRRELEVANT, IRRELEVANT, IRRELEVANT]),
        (0b100000, [MAY, IRRELEVANT, MAY, IRRELEVANT, MAY, MUST]),
        (0b001000, [MAY, IRRELEVANT, MAY, MUST, MAY, IRRELEVANT]),
        (0b000000, [IRRELEVANT] * 6),
    ],
)
def test_relevance(missing: int, expected: list[Relevance]) -> None:
    known = structure(LOOP, missing)
    assert [known.relevance(flip(side)) for side in range(6)] == expected


def test_what_only_runs_that_do_not_count_have_hit_may_be_covered_by_another_way_on() -> None:
    """Nothing missing is reachable from side 1, but 5 lies before it, and the run that found the fork crashed."""
    known = structure(LOOP, 0b100000)
    assert known.relevance(flip(1)) is IRRELEVANT
    assert known.relevance(flip(1, missed=0b100000)) is MAY
    pool = Filtered(BreadthFirst(), known)
    pool.add([flip(1, 1), flip(1, 2, missed=0b100000)])
    assert [pool.pick().rank for _ in range(len(pool))] == [2]
    known.update(0b000100)
    assert known.relevance(flip(1, missed=0b100000)) is IRRELEVANT


def test_contribution_counts_missing_points_so_many_choices_ahead() -> None:
    by_levels = [structure(LOOP, 0b111111, levels).contribution(flip(0)) for levels in range(4)]
    assert by_levels == [1, 3, 5, 5]  # 0; 2, 3; 4, 5; back at 2, 3
    assert structure(LOOP, 0b100000, 1).contribution(flip(0)) == 0


def test_distances_in_branches_and_instructions() -> None:
    known = structure(LOOP, 0b100000)
    assert [known.branches_to_missing(flip(side)) for side in (0, 2, 5)] == [2.0, 1.0, 0.0]
    assert known.branches_to_missing(flip(1)) == float("inf")
    assert known.instructions_to_missing(flip(0)) > known.instructions_to_missing(flip(2)) > 0


def test_answers_change_when_something_is_hit() -> None:
    known = structure(LOOP, 0b100010)
    before = known.version
    assert known.relevance(flip(1)) is MUST
    known.update(0b100010)
    assert known.version == before
    known.update(0b100000)
    assert known.version != before
    assert known.relevance(flip(1)) is IRRELEVANT


def test_what_became_irrelevant_is_not_picked() -> None:
    known = structure(LOOP, 0b101010)
    pool = Filtered(BreadthFirst(), known)
    pool.add([flip(1, 1), flip(3, 2), flip(5, 3), flip(1, 4)])
    assert len(pool) == 4
    known.update(0b100000)
    assert (len(pool), pool.filtered) == (1, 3)
    assert pool.pick().side_point == 5
    assert len(pool) == 0
    pool.add([flip(3, 2)])
    assert (len(pool), pool.filtered) == (0, 4)


def test_a_surprise_brings_everything_back() -> None:
    """A run hit point 9, which nothing leads to: nobody knows what else is behind what."""
    known = structure(LOOP, 0b100000)
    pool = Filtered(BreadthFirst(), known)
    pool.add([flip(1, 1), flip(3, 2), flip(5, 3)])
    assert len(pool) == 1
    known.update(0b100000, 1 << 9)
    assert len(pool) == 3
    assert sorted(pool.pick().side_point for _ in range(3)) == [1, 3, 5]


def test_a_surprise_brings_back_what_still_waits_below() -> None:
    known = structure(LOOP, 0b100010)
    pool = Filtered(BreadthFirst(), known)
    pool.add([flip(1, 1), flip(5, 3)])
    known.update(0b100000)
    assert len(pool) == 1
    known.update(0b100000, 1 << 9)
    assert sorted(pool.pick().side_point for _ in range(len(pool))) == [1, 5]
    assert len(pool) == pool.filtered == 0


def test_what_became_irrelevant_costs_no_turn_of_those_that_are_tried() -> None:
    """A late candidate is picked once in so many tries. With one filter around all of them, picks that are never tried
    counted too: among many irrelevant candidates nearly every try was a late one."""
    known = structure(LOOP, 0b101010)
    pool = LateLast(*(Filtered(DepthFirst(), known) for _ in range(3)))
    relevant, stale = [flip(5, rank) for rank in range(2 * TURNS)], [flip(1, rank) for rank in range(20 * TURNS)]
    mixed = [each for rank, one in enumerate(relevant) for each in (one, *stale[10 * rank : 10 * rank + 10])]
    pool.add([*mixed, *(flip(5, rank, late=True) for rank in range(2 * TURNS))])
    known.update(0b100000)
    picked = [pool.pick() for _ in range(2 * TURNS)]
    assert [each.is_late for each in picked] == [*[False] * (TURNS - 1), True] * 2
    assert all(each.side_point == 5 for each in picked)


def test_a_filter_that_is_over_gives_back_what_became_irrelevant() -> None:
    known = structure(LOOP, 0b101010)
    pool = Filtered(BreadthFirst(), known)
    pool.add([flip(1, 1), flip(3, 2), flip(5, 3)])
    known.update(0b100000)
    assert len(pool) == 1
    pool.stop_filtering()
    assert sorted(pool.pick().side_point for _ in range(len(pool))) == [1, 3, 5]
