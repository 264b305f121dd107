"""The laws of search/strategy.py, held by every entry of the table."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from tightrope.search.candidate import Candidate
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategy import Strategy


def candidates(source: random.Random, count: int) -> list[Candidate]:
    """Of one path: shallow ones first."""
    ranks = sorted(source.sample(range(100), count))
    forks = [SimpleNamespace(kind=1, site=rank, rank=rank, depth=rank, values=[]) for rank in ranks]
    return [Candidate(fork, source.randrange(2)) for fork in forks]  # type: ignore[arg-type]


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


@pytest.fixture(params=STRATEGIES.values(), ids=STRATEGIES.keys())
def kind(request: pytest.FixtureRequest) -> type[Strategy]:
    return request.param


def test_a_new_one_has_nothing(kind: type[Strategy]) -> None:
    assert len(kind()) == 0


@pytest.mark.parametrize("seed", range(5))
def test_every_candidate_is_picked_exactly_once(kind: type[Strategy], seed: int) -> None:
    added, picked = play(kind(), seed)
    assert sorted(map(id, added)) == sorted(map(id, picked))


def test_the_order_depends_on_the_calls_alone(kind: type[Strategy]) -> None:
    orders = [[(c.fork.rank, c.side) for c in play(kind(), 3)[1]] for _ in range(2)]
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
