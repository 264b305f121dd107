"""The laws of search/strategy.py, held by every entry of the table."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from tightrope.search.aim import PATIENCE, Aim, Obligation, Place
from tightrope.search.candidate import Candidate, Flip
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategies.aims_first import TURNS, AimsFirst
from tightrope.search.strategies.breadth_first import BreadthFirst
from tightrope.search.strategy import Strategy


def candidates(source: random.Random, count: int) -> list[Candidate]:
    """Of one path: shallow ones first."""
    ranks = sorted(source.sample(range(100), count))
    forks = [SimpleNamespace(kind=1, site=rank, rank=rank, depth=rank, values=[]) for rank in ranks]
    return [flip_or_aim(fork, source) for fork in forks]


def flip_or_aim(fork: SimpleNamespace, source: random.Random) -> Candidate:
    if source.random() < 0.7:
        return Flip(fork, source.randrange(2))  # type: ignore[arg-type]
    return make_aim(fork.site, Obligation((1, 1)))


def make_aim(rank: int, obligation: Obligation) -> Aim:
    place = Place(None, None, None, 0)  # type: ignore[arg-type]
    place.rank = rank
    return Aim(obligation, place, (), (9, rank, None, 0), 1, 1, {})  # type: ignore[arg-type]


def aims_first() -> Strategy:
    return AimsFirst(BreadthFirst())


def play(strategy: Strategy, seed: int) -> tuple[list[Candidate], list[Candidate]]:
    """Add and pick as a search would: what was added, what was picked."""
    source = random.Random(seed)
    added: list[Candidate] = []
    picked: list[Candidate] = []
    for _ in range(200):
        if len(strategy) and source.random() < 0.7:
            picked.append(strategy.pick())
        elif len(added) < 300:
            fresh = candidates(source, source.randrange(6))
            strategy.add(fresh)
            added += fresh
        assert len(strategy) == len(added) - len(picked)
    while len(strategy):
        picked.append(strategy.pick())
    return added, picked


@pytest.fixture(params=[*STRATEGIES.values(), aims_first], ids=[*STRATEGIES.keys(), "aims-first"])
def kind(request: pytest.FixtureRequest) -> type[Strategy]:
    return request.param


def test_a_new_one_has_nothing(kind: type[Strategy]) -> None:
    assert len(kind()) == 0


@pytest.mark.parametrize("seed", range(5))
def test_every_candidate_is_picked_exactly_once(kind: type[Strategy], seed: int) -> None:
    added, picked = play(kind(), seed)
    assert sorted(map(id, added)) == sorted(map(id, picked))


def test_the_order_depends_on_the_calls_alone(kind: type[Strategy]) -> None:
    orders = [[(c.rank, c.site) for c in play(kind(), 3)[1]] for _ in range(2)]
    assert orders[0] == orders[1]


def test_the_table_is_named_and_explained() -> None:
    assert all(name == kind.name and kind.help and not kind.help.endswith(".") for name, kind in STRATEGIES.items())


def test_depth_first_takes_the_deepest_of_the_latest_path() -> None:
    strategy = STRATEGIES["dfs"]()
    fresh = candidates(random.Random(1), 5)
    strategy.add(fresh)
    assert strategy.pick() is fresh[-1]


def test_breadth_first_takes_the_shallowest_of_all() -> None:
    strategy = STRATEGIES["bfs"]()
    source = random.Random(1)
    fresh = [one for _ in range(4) for one in candidates(source, 5)]
    strategy.add(fresh)
    assert strategy.pick().rank == min(one.rank for one in fresh)


def test_aims_come_first_but_those_in_vain_only_now_and_then() -> None:
    strategy, source = aims_first(), random.Random(1)
    obligation = Obligation((1, 1))
    flips = [one for one in candidates(source, 40) if not one.is_aim]
    aims = [make_aim(rank, obligation) for rank in range(5)]
    strategy.add([*flips, *aims])
    assert strategy.pick() is aims[0]
    obligation.in_vain = PATIENCE
    picked = [strategy.pick().is_aim for _ in range(2 * TURNS)]
    assert picked == [*[False] * (TURNS - 1), True] * 2
    while len(strategy):
        picked.append(strategy.pick().is_aim)
    assert picked.count(True) == len(aims) - 1
