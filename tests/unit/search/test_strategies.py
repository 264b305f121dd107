"""What each strategy picks first. That each picks everything once is in tests/contracts/strategy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from fake_structure import equals, flip, pin, structure

from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategies.depth_first import DepthFirst
from tightrope.search.strategies.interleaved import PICKS, Interleaved
from tightrope.search.strategies.min_distance import MinDistance
from tightrope.search.strategies.restarting import Restarting
from tightrope.search.strategy import Strategy

#   node 0 --0--> node 1 --2,3--> node 2 --4,5--> node 3 --6,7--> end
#          --1--> end
STAIRS = [[(0, 1), (1, 4)], [(2, 2), (3, 2)], [(4, 3), (5, 3)], [(6, 4), (7, 4)], []]


def make(name: str, known: CoverageStructure, seed: int = 0) -> Strategy:
    return STRATEGIES[name](known, random.Random(seed))


def stairs(missing: int = 0xFF, levels: int = 3) -> CoverageStructure:
    return structure(STAIRS, missing, levels)


def empty(strategy: Strategy) -> list[Candidate]:
    return [strategy.pick() for _ in range(len(strategy))]


def ranks(strategy: Strategy) -> list[int]:
    return [candidate.rank for candidate in empty(strategy)]


def points(strategy: Strategy) -> list[int | None]:
    return [candidate.point for candidate in empty(strategy)]


# --- two that look at the tree alone ---


def test_depth_first_takes_the_deepest_of_the_latest_path() -> None:
    strategy = make("dfs", stairs())
    strategy.add([flip(0, 1), flip(0, 7)])
    strategy.add([flip(0, 2), flip(0, 3)])
    assert ranks(strategy) == [3, 2, 7, 1]


def test_breadth_first_takes_the_shallowest_of_all() -> None:
    strategy = make("bfs", stairs())
    strategy.add([flip(0, 1), flip(0, 7)])
    strategy.add([flip(0, 2), flip(0, 3)])
    assert ranks(strategy) == [1, 2, 3, 7]


# --- random path ---


def share(first: Callable[[int], bool], count: int = 400) -> float:
    """Of so many seeds."""
    return sum(map(first, range(count))) / count


def test_random_path_halves_the_chance_with_each_fork() -> None:
    def is_short(seed: int) -> bool:
        strategy = make("random-path", stairs(), seed)
        strategy.add([flip(0, 4), flip(0, 6), flip(0, 6)])  # weights 4, 1, 1
        return strategy.pick().rank == 4

    assert 0.58 < share(is_short) < 0.75


def test_on_a_random_path_the_masses_of_a_loop_do_not_outvote_a_short_path() -> None:
    strategy = make("random-path", stairs())
    strategy.add([flip(0, 1), *(flip(0, 40) for _ in range(1000))])
    assert strategy.pick().rank == 1


# --- generational ---


def test_a_generation_is_tried_whole_and_shallow_first_before_its_children() -> None:
    strategy = make("generational", stairs())
    strategy.add([flip(0, 1), flip(0, 2), flip(0, 3)])
    assert strategy.pick().rank == 1
    strategy.add([flip(0, 11), flip(0, 12)])
    assert ranks(strategy) == [2, 3, 11, 12]


def test_the_generation_of_the_run_that_hit_most_comes_next() -> None:
    known = stairs(0b1111_1111)
    strategy = make("generational", known)
    strategy.add([flip(0, 1)])
    for missing, rank in ((0b1111_1110, 10), (0b1111_0000, 20), (0b1111_0000, 30), (0b1110_0000, 40)):
        known.update(missing)
        strategy.add([flip(0, rank), flip(0, rank + 1)])
    # hit: 10: one, 20: three, 30: none, 40: one, the first run none
    assert ranks(strategy) == [20, 21, 10, 11, 40, 41, 1, 30, 31]


# --- predictive path search ---

PPS = [  # missing, candidates as (point, rank), wanted order of points
    ("must before may", 0b1110, [(0, 1), (1, 9)], [1, 0]),  # 0 leads to more, but is no news itself
    ("more before less", 0b1111_1111, [(1, 1), (0, 9)], [0, 1]),
    ("nothing behind", 0b0000_0011, [(4, 1), (0, 9)], [0, 4]),
    ("shorter first", 0b1111_1111, [(2, 5), (2, 3), (3, 4)], [2, 3, 2]),
]


@pytest.mark.parametrize(("missing", "given", "wanted"), [case[1:] for case in PPS], ids=[case[0] for case in PPS])
def test_predictive_path_search(missing: int, given: list[tuple[int, int]], wanted: list[int]) -> None:
    strategy = make("pps", stairs(missing))
    strategy.add([flip(*each) for each in given])
    assert points(strategy) == wanted


@pytest.mark.parametrize(("levels", "first"), [(0, 2), (2, 0)])
def test_how_far_predictive_path_search_looks(levels: int, first: int) -> None:
    """6 and 7 are missing, two choices behind 0 and one behind 2."""
    known = structure([[(0, 1), (1, 4)], [(2, 4), (3, 2)], [(4, 3), (5, 4)], [(6, 4), (7, 4)], []], 0b1101_0101, levels)
    strategy = make("pps", known)
    strategy.add([flip(2, 1), flip(0, 9)])
    assert strategy.pick().point == first


def test_predictive_path_search_looks_again_when_something_was_hit() -> None:
    known = stairs(0b1111_1111)
    strategy = make("pps", known)
    strategy.add([flip(0, 1), flip(1, 2), flip(4, 3)])
    known.update(0b0000_0010)
    assert points(strategy) == [1, 0, 4]


def test_equal_candidates_of_predictive_path_search_are_left_to_chance() -> None:
    def first(seed: int) -> bool:
        strategy = make("pps", stairs(), seed)
        flips = [flip(2, 5), flip(2, 5)]
        strategy.add(flips)
        return strategy.pick() is flips[0]

    assert 0.4 < share(first) < 0.6


def test_patience_ends_with_a_side_that_brings_nothing() -> None:
    """Neither gets more than four picks ahead of the other."""
    strategy = make("pps-patient", stairs(0b1110))
    strategy.add([flip(1, rank) for rank in range(10)])
    strategy.add([flip(3, rank) for rank in range(10)])
    sides = [strategy.pick().side_point for _ in range(20)]
    assert [Counter(sides[:count]) for count in (8, 16)] == [Counter({1: 4, 3: 4}), Counter({1: 8, 3: 8})]


# --- nearest objective ---


def test_the_nearest_objective_first_then_the_shorter_path() -> None:
    strategy = make("nearest-objective", stairs(0b1000_0000))
    strategy.add([flip(1, 0), flip(0, 1), flip(2, 2), flip(4, 9), flip(4, 8), flip(7, 10), pin(99, 3, 4)])
    assert points(strategy) == [7, None, 4, 4, 2, 0, 1]


# --- minimal distance ---


def test_the_nearer_something_missing_is_the_likelier_its_side() -> None:
    """6 is at once, 0 three instructions away: 9 to 1."""

    def is_near(seed: int) -> bool:
        strategy = MinDistance(stairs(0b0100_0000), random.Random(seed))
        strategy.add([flip(0), flip(6)])
        return strategy.pick().point == 6

    assert 0.84 < share(is_near) < 0.96


# --- CFG-directed ---


def test_cfg_directed_goes_down_the_new_path_when_that_leads_nearer_and_back_when_not() -> None:
    strategy = make("cfg-directed", stairs(0b1000_0000))
    strategy.add([flip(1, 0), flip(0, 1), flip(2, 2)])
    assert strategy.pick().point == 2  # two branches away
    strategy.add([flip(3, 3), flip(4, 4)])  # 4 is nearer, 3 is not
    assert strategy.pick().point == 4
    strategy.add([flip(5, 5)])  # no nearer than 4 was: back to the first path
    assert strategy.pick().point == 0
    assert sorted(map(str, points(strategy))) == ["1", "3", "5"]


def test_cfg_directed_stays_on_the_path_that_hit_something_new() -> None:
    known = stairs(0b1100_0000)
    strategy = make("cfg-directed", known)
    strategy.add([flip(0, 1), flip(2, 2), flip(4, 3), flip(4, 9)])
    assert strategy.pick().rank == 3
    known.update(0b1000_0000)
    strategy.add([flip(5, 4)])
    assert [strategy.pick().rank for _ in range(3)] == [4, 2, 1]  # 9 is not on this path


def test_what_leads_to_nothing_is_picked_last_by_cfg_directed() -> None:
    strategy = make("cfg-directed", stairs(0b1000_0000))
    strategy.add([flip(1, 0), flip(1, 1), flip(0, 2)])
    strategy.add([flip(3, 5)])
    assert points(strategy)[-2:] == [1, 1]


# --- fitness ---


def run(known: Sequence[tuple[int, int]], x: int) -> list[Candidate]:
    """The flips of a run whose first input is x: the sides of plain branches, then the missing side 7: x == 6."""
    return [*(flip(point, rank, equals(1, 0), (x, 0)) for point, rank in known), flip(7, 50, equals(0, 6), (x, 0))]


def test_fitness_goes_on_from_the_run_that_came_closest() -> None:
    strategy = make("fitness", stairs(0b1000_0000))
    strategy.add(run([(2, 1)], x=0))
    strategy.add(run([(2, 9)], x=5))
    strategy.add(run([(2, 2)], x=3))
    assert [(c.point, c.base[0]) for c in empty(strategy)] == [(7, 5), (7, 3), (7, 0), (2, 5), (2, 3), (2, 0)]


def test_fitness_prefers_places_where_flips_brought_paths_closer() -> None:
    strategy = make("fitness", stairs(0b1000_0000))
    strategy.add(run([(2, 1), (4, 2)], x=3))
    assert strategy.pick().point == 7  # in vain
    assert strategy.pick().point == 4  # nearer to 7 in the code
    strategy.add(run([(4, 3), (2, 4)], x=0))  # x is further away now
    assert strategy.pick().point == 7
    assert strategy.pick().point == 2
    strategy.add(run([(4, 5), (2, 6)], x=4))
    assert strategy.pick().point == 7
    assert strategy.pick().rank == 6  # the latest run is closest, and 2 is better than 4 by now


def test_a_covered_side_makes_no_path_fit() -> None:
    known = structure([*STAIRS[:3], [(6, 4), (7, 4)], [(8, 5), (9, 5)], []], 0b10_1000_0000)
    strategy = make("fitness", known)
    strategy.add([flip(2, 1, base=(5, 0)), flip(7, 2, equals(0, 6), (5, 0))])
    strategy.add([flip(2, 3, base=(1, 0)), flip(9, 4, equals(0, 4), (1, 0))])
    known.update(0b10_0000_0000)
    assert [c.rank for c in empty(strategy)] == [4, 3, 2, 1]


def test_fitness_learns_in_turns_with_another_strategy() -> None:
    known = stairs(0b1000_0000)
    fitness = make("fitness", known)
    strategy = Interleaved([DepthFirst(known), fitness])
    strategy.add(run([(2, 1)], x=0))
    strategy.add([])  # a run: the turn is that of depth first
    assert strategy.pick().point == 7
    assert strategy.pick().point == 2
    strategy.add(run([(2, 2), (4, 3)], x=5))
    strategy.pick()
    assert strategy.pick().point == 2  # 4 is nearer in the code, but 2 was picked before, and x came closer


# --- wrappers ---


def test_a_turn_ends_with_a_run_or_with_a_few_picks() -> None:
    known = stairs()
    strategy = Interleaved([STRATEGIES["dfs"](known, random.Random(0)), STRATEGIES["bfs"](known, random.Random(0))])
    strategy.add([flip(0, rank) for rank in range(100)])
    assert [strategy.pick().rank for _ in range(3)] == [0, 1, 2]
    strategy.add([])
    assert [strategy.pick().rank for _ in range(PICKS + 1)] == [*range(99, 99 - PICKS, -1), 3]


def test_a_corner_without_anything_new_is_left_for_a_short_path() -> None:
    known = stairs()
    strategy = Restarting(lambda: DepthFirst(known), known, random.Random(0), patience=2)
    strategy.add([flip(0, 1), *(flip(0, rank) for rank in range(50, 60))])
    assert [strategy.pick().rank for _ in range(3)] == [59, 58, 1]
    strategy.add([flip(0, 2), flip(0, 3)])
    assert strategy.pick().rank == 3
    known.update(known.missing & ~1)
    assert strategy.pick().rank == 2
    assert strategy.restarts == 1
