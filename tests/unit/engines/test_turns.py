"""Search and encoding get the same share of the work, counted in steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tightrope.engines import turns
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.search.budget import StopReason, Turn

STEPS_OF_FORMULA = 1200


class Unit:
    """A search that needs so many steps, and an encoding that decides nothing. Only the search's last step decides."""

    def __init__(self, needed: int, is_proved_by_paths: bool = True, objectives: int = 1) -> None:
        self.needed, self.is_proved_by_paths, self.deeds = needed, is_proved_by_paths, list[str]()
        self.ledger = SimpleNamespace(open_objectives=["one"] * objectives, is_done=False, count=lambda kind: 1)
        self.pace, self.parts = SimpleNamespace(steps=0, last_news=0), SimpleNamespace(fuzzer=None)
        self.strategy, self.most_steps = range(0), math.inf  # of a turn, until the clock ends it
        self.seconds_left, self.seconds_spent, self.has_long_runs = 8.0, 0.0, False
        self.most_runs = math.inf
        self.seconds_given = list[float]()
        self.trials_given = list[float]()
        self.steps, self.counts, self.is_finished, self.has_settled_all = 0, SimpleNamespace(seconds=0.0), False, False

    def explore_while_new(self, seeds: Any, turn: Turn) -> StopReason | None:
        self.deeds.append("search")
        self.pace.last_news = self.pace.steps
        self.pace.steps += int(min(turn.patience, turn.steps, self.needed, self.most_steps))
        self.trials_given.append(turn.trials)
        return StopReason.EXHAUSTED if self.pace.steps >= self.needed else None

    def work(self, turn: Turn, seconds: float, *, is_after_search: bool) -> None:
        self.deeds.append("prove" if turn == turns.NO_TURN else "encode")
        self.seconds_given.append(seconds)
        self.steps += STEPS_OF_FORMULA

    @property
    def share_spent(self) -> float:
        return self.pace.steps / self.most_runs

    def conclude(self) -> None:
        self.deeds.append("conclude")
        if self.is_proved_by_paths:
            self.ledger.is_done, self.ledger.open_objectives = True, []

    def finish(self) -> None:
        pass


def explore(unit: Unit, has_alternative: Callable[[], bool] | None = None, share_of_shape: float = 1.0) -> StopReason:
    both: Any = unit
    options = Options((Target("unit.c"),), criteria=("branch",))  # type: ignore[arg-type]
    return turns.take_turns(
        both, both, (), options, has_alternative=has_alternative, conclude=unit.conclude, share_of_shape=share_of_shape
    )


def test_the_search_catches_up_with_a_formula_that_decided_nothing() -> None:
    unit = Unit(needed=turns.STEPS_OF_SEARCH * STEPS_OF_FORMULA)
    explore(unit)
    assert unit.deeds.count("encode") == 1 and unit.deeds[-1] == "conclude"


def test_the_encoding_gets_as_much_as_the_search() -> None:
    unit = Unit(needed=20 * turns.STEPS_OF_SEARCH * STEPS_OF_FORMULA)
    explore(unit)
    share = turns.STEPS_OF_SEARCH * STEPS_OF_FORMULA * unit.deeds.count("encode") / unit.pace.steps
    assert 0.3 < share < 2


def test_the_search_goes_on_as_long_as_asking_for_all_would_take() -> None:
    """With many open objectives, a formula must be worth many queries."""
    unit = Unit(needed=100 * 200, objectives=100)
    explore(unit)
    assert "encode" not in unit.deeds and unit.deeds[-1] == "conclude"
    unit = Unit(needed=100 * 200, objectives=3)
    explore(unit)
    assert "encode" in unit.deeds


def test_a_search_that_the_clock_ends_goes_on_if_it_will_soon_be_through() -> None:
    for waiting, is_soon in ((900, True), (1100, False)):
        unit = Unit(needed=3000, objectives=100)
        unit.strategy, unit.most_steps = range(waiting), 1000
        explore(unit)
        assert ("encode" not in unit.deeds) is is_soon


def test_a_search_that_will_soon_be_through_has_no_more_than_half_of_the_time() -> None:
    unit = Unit(needed=10**6, objectives=100)
    unit.most_steps, unit.seconds_left = 1000, 1.5
    explore(unit)
    assert unit.deeds.index("encode") == 2, "a turn and its prolongation, and no further one"


def test_paths_prove_what_the_code_alone_does_not_and_then_no_formula_is_made() -> None:
    unit = Unit(needed=10)
    assert explore(unit) is StopReason.DONE
    assert unit.deeds == ["search", "prove", "conclude"]


def test_the_code_is_asked_even_if_the_search_has_used_all_of_the_time() -> None:
    unit = Unit(needed=10)
    unit.explore_while_new = lambda seeds, turn: StopReason.TIME_LIMIT  # type: ignore[method-assign]
    assert explore(unit) is StopReason.TIME_LIMIT
    assert unit.deeds == ["prove"]


def test_what_paths_leave_open_is_asked_of_a_formula() -> None:
    unit = Unit(needed=10, is_proved_by_paths=False)
    explore(unit)
    assert unit.deeds == ["search", "prove", "conclude", "encode"]


def test_a_waiting_shape_keeps_turns_short() -> None:
    unit = Unit(needed=10**6)
    assert explore(unit, lambda: True) is StopReason.STUCK
    assert unit.pace.steps < 10_000


def test_a_waiting_shape_keeps_turns_of_fuzzing_short() -> None:
    unit = Unit(needed=10**6)
    explore(unit, lambda: True)
    assert unit.trials_given == sorted(unit.trials_given) and unit.trials_given[-1] < 100_000
    unit = Unit(needed=10**6)
    explore(unit)
    assert set(unit.trials_given) == {math.inf}


def test_a_waiting_shape_does_not_wait_for_ever_although_each_turn_decides_something() -> None:
    for has_alternative, reason in ((lambda: True), StopReason.STUCK), ((lambda: False), StopReason.EXHAUSTED):
        unit = Unit(needed=50_000, objectives=10_000)
        unit.most_runs, usual = 10_000, unit.explore_while_new

        def explore_while_new(
            seeds: Any, turn: Turn, unit: Unit = unit, usual: Callable[..., StopReason | None] = usual
        ) -> StopReason | None:
            unit.ledger.open_objectives.pop()
            return usual(seeds, turn)

        unit.explore_while_new = explore_while_new  # type: ignore[method-assign]
        found = explore(unit, has_alternative, share_of_shape=0.4)
        assert (found is StopReason.STUCK) is (reason is StopReason.STUCK)
        assert (unit.pace.steps < 0.5 * unit.most_runs) is (reason is StopReason.STUCK)


def test_a_formula_of_a_shape_that_may_change_gets_a_part_of_the_time() -> None:
    for has_alternative, seconds in ((lambda: True), 2.0), (None, 8.0):
        unit = Unit(needed=10**6)
        explore(unit, has_alternative)
        assert set(unit.seconds_given) == {seconds}


def test_a_formula_of_long_runs_gets_a_part_of_the_time() -> None:
    unit = Unit(needed=10**6)
    usual = unit.explore_while_new

    def explore_while_new(seeds: Any, turn: Turn) -> StopReason | None:
        unit.has_long_runs = True  # which is known after the first runs
        return usual(seeds, turn)

    unit.explore_while_new = explore_while_new  # type: ignore[method-assign]
    explore(unit)
    assert unit.seconds_given[0] == 8.0 * turns.SHARE_BESIDE_LONG_RUNS
