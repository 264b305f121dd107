"""The laws of search/strategy.py, held by every entry of the table, alone and in every wrapper, whatever is hit meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from fake_structure import flip, pin, structure

from tightrope.search.aim import PATIENCE, Aim, Obligation
from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure, Relevance
from tightrope.search.filtered import Filtered
from tightrope.search.fork import TreePlace
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategies.aims_first import TURNS, AimsFirst
from tightrope.search.strategies.breadth_first import BreadthFirst
from tightrope.search.strategies.interleaved import Interleaved
from tightrope.search.strategies.late_last import LateLast
from tightrope.search.strategies.min_distance import MinDistance
from tightrope.search.strategies.restarting import Restarting
from tightrope.search.strategy import Strategy

Make = Callable[[CoverageStructure, random.Random], Strategy]
CHOICES = 30


def chain() -> CoverageStructure:
    """Choices in a row; the second side of each skips one, the last one leads back: a loop."""
    choices = [[(2 * node, node + 1), (2 * node + 1, min(node + 2, CHOICES))] for node in range(CHOICES)]
    return structure([*choices, [(2 * CHOICES, 0), (2 * CHOICES + 1, CHOICES + 1)], []])


def candidates(source: random.Random, count: int) -> list[Candidate]:
    """Of one path: shallow ones first."""
    return [any_candidate(rank, source) for rank in sorted(source.sample(range(100), count))]


def any_candidate(rank: int, source: random.Random) -> Candidate:
    point = source.randrange(2 * CHOICES)
    chance = source.random()
    if chance < 0.7:
        return flip(point, rank, base=(source.randrange(4),), late=source.random() < 0.1)
    return pin(100 + point, rank, point) if chance < 0.8 else make_aim(rank, Obligation((1 << point, 1 << point)))


def make_aim(rank: int, obligation: Obligation) -> Aim:
    place = TreePlace(None, None, None, 0)  # type: ignore[arg-type]
    place.rank = rank
    return Aim(obligation, place, (), (9, rank, None, 0), 1, mask=obligation.points, met={})  # type: ignore[arg-type]


def aims_first() -> Strategy:
    return AimsFirst(BreadthFirst())


WRAPPERS: dict[str, Callable[[Make], Make]] = {
    "alone": lambda make: make,
    "aims-first": lambda make: lambda *parts: AimsFirst(make(*parts)),
    "late-last": lambda make: lambda *parts: LateLast(make(*parts), make(*parts), make(*parts)),
    "interleaved": lambda make: lambda *parts: Interleaved([make(*parts), BreadthFirst(*parts), make(*parts)]),
    "restarting": lambda make: lambda *parts: Restarting(lambda: make(*parts), *parts, patience=3),
    "interleaved-restarting": lambda make: (
        lambda *parts: Interleaved([Restarting(lambda: make(*parts), *parts, patience=3), make(*parts)])
    ),
}
KINDS: dict[str, Make] = {**STRATEGIES, "md2u": MinDistance}


def play(make: Make, seed: int) -> tuple[list[Candidate], list[Candidate]]:
    """Add and pick as a search would: what was added, what was picked."""
    source, missing = random.Random(seed), chain()
    strategy = make(missing, random.Random(seed))
    added: list[Candidate] = []
    picked: list[Candidate] = []
    for _ in range(150):
        if source.random() < 0.1:
            missing.update(missing.missing & ~(1 << source.randrange(2 * CHOICES)))
        if len(strategy) and source.random() < 0.6:
            picked.append(strategy.pick())
        else:
            fresh = candidates(source, source.randrange(6))
            strategy.add(fresh)
            added += fresh
        assert len(strategy) == len(added) - len(picked)
    while len(strategy):
        picked.append(strategy.pick())
    return added, picked


@pytest.fixture(params=KINDS.values(), ids=KINDS.keys())
def kind(request: pytest.FixtureRequest) -> Make:
    return request.param


@pytest.fixture(params=WRAPPERS.values(), ids=WRAPPERS.keys())
def make(request: pytest.FixtureRequest, kind: Make) -> Make:
    return request.param(kind)


def test_a_new_one_has_nothing(make: Make) -> None:
    assert len(make(chain(), random.Random(0))) == 0


@pytest.mark.parametrize("seed", range(3))
def test_every_candidate_is_picked_exactly_once(make: Make, seed: int) -> None:
    added, picked = play(make, seed)
    assert len(added) > 50
    assert sorted(map(id, added)) == sorted(map(id, picked))


def test_the_order_depends_on_the_calls_and_the_seed_alone(make: Make) -> None:
    orders = [[(c.rank, c.site) for c in play(make, 3)[1]] for _ in range(2)]
    assert orders[0] == orders[1]


@pytest.mark.parametrize("seed", range(3))
def test_filtered_it_picks_what_is_relevant_and_nothing_else(kind: Make, seed: int) -> None:
    source, missing = random.Random(seed), chain()
    strategy = Filtered(kind(missing, random.Random(seed)), missing)
    left: dict[int, Candidate] = {}
    for _ in range(40):
        fresh = candidates(source, 6)
        strategy.add(fresh)
        left.update((id(each), each) for each in fresh)
        missing.update(missing.missing & ~(1 << source.randrange(2 * CHOICES)))
        if len(strategy):
            candidate = left.pop(id(strategy.pick()))
            assert missing.relevance(candidate) is not Relevance.IRRELEVANT
    missing.update(missing.missing & 0b1111)
    relevant = {key for key, each in left.items() if missing.relevance(each) is not Relevance.IRRELEVANT}
    assert {id(strategy.pick()) for _ in range(len(strategy))} == relevant


def test_the_table_is_named_and_explained() -> None:
    assert all(name == kind.name and kind.help and not kind.help.endswith(".") for name, kind in STRATEGIES.items())
    assert all(kind.__doc__ for kind in STRATEGIES.values())


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
