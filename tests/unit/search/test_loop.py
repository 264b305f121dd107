from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from fake_structure import structure
from fake_unit import FakeRunner, Program, Run, TryAll, make_tree, objective

from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered
from tightrope.inputs.scalars import Input, Scalar, Slot
from tightrope.inputs.texts import NO_TEXTS
from tightrope.program.flow.unit_constants import UnitConstants
from tightrope.running.memory_map import OutcomeCode
from tightrope.search.budget import Budget, StopReason, Turn
from tightrope.search.dictionary import make_dictionary
from tightrope.search.fuzzing import Fuzzer, Ingredients
from tightrope.search.kept_runs import RunWorth
from tightrope.search.loop import Search, SearchParts
from tightrope.search.review import Review, Reviewed
from tightrope.search.strategies import STRATEGIES


def maze(run: Run) -> None:
    """Points 20, 21: b below 3 on the way where a is 5; 30 and 31 on the other; 40 is never hit."""
    if run.branch(10, run.equal(run.input(0), 5)):
        run.branch(20, run.below(run.input(1), 3))
    elif run.branch(30, run.below(run.add(run.input(0), run.input(1)), 9)) and run.equal(run.input(0), 5)[1]:
        run.hit(40)


MAZE = [[(10, 2), (11, 1)], [(20, 3), (21, 3)], [(30, 3), (31, 3)], []]  # its sides, and where they lead


def search(
    program: Program, *points: int, strategy: str = "dfs", hard: tuple[int, ...] = (), **further: object
) -> Search:
    runner = FakeRunner(program)
    ticks = iter(range(1_000_000))
    parts = {
        "ledger": Ledger([objective(point) for point in points]),
        "budget": Budget(1e9),
        "clock": lambda: float(next(ticks)),
        **further,
    }
    chosen = STRATEGIES[strategy](structure(MAZE), Random(0))
    return Search(SearchParts(runner, TryAll(hard), chosen, make_tree(runner), **parts))  # type: ignore[arg-type]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_everything_is_covered(strategy: str) -> None:
    made = search(maze, 10, 11, 20, 21, 30, 31, strategy=strategy)
    assert made.explore([(0, 0)]) is StopReason.DONE
    assert made.ledger.count(Covered) == 6


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_nobody_can_do_is_left_over_when_all_paths_are_walked(strategy: str) -> None:
    made = search(maze, 40, strategy=strategy)
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.is_complete and made.tree.paths == 4
    assert [each.points for each in made.ledger.open_objectives] == [(40,)]


def test_an_exhaustive_search_goes_on_when_everything_is_covered() -> None:
    made = search(maze, 10, is_exhaustive=True)
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.tree.paths == 4
    made = search(maze, 10)
    assert made.explore([(0, 0)]) is StopReason.DONE
    assert made.progress.runs == 1


def test_budgets() -> None:
    made = search(maze, 40, budget=Budget(1e9, 2))
    assert made.explore([(0, 0)]) is StopReason.RUN_LIMIT
    assert made.progress.runs == 2 and not made.is_complete
    made = search(maze, 40, budget=Budget(3))
    assert made.explore([(0, 0)]) is StopReason.TIME_LIMIT


def test_an_interruption_is_a_reason_to_stop() -> None:
    def stop(values: object, trace: object) -> bool:
        raise KeyboardInterrupt

    made = search(maze, 40, on_run=stop)
    assert made.explore([(0, 0)]) is StopReason.INTERRUPTED
    assert not made.is_complete


def test_what_lies_behind_a_query_without_answer_is_lost() -> None:
    made = search(maze, 40, hard=(1,))
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.progress.unknown and made.lost == -1  # nobody says what lies where
    made = search(maze, 40, hard=(1,), structure=structure(MAZE))
    made.explore([(0, 0)])
    assert made.lost == 1 << 20 | 1 << 30


def test_an_approximate_run_leaves_the_search_incomplete() -> None:
    def program(run: Run) -> None:
        if run.branch(10, run.equal(run.input(0), 5)):
            run.concrete(3)

    made = search(program, 40)
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.progress.approximate == 1 and not made.is_complete


def test_a_run_that_timed_out_leaves_the_search_incomplete() -> None:
    def program(run: Run) -> None:
        if run.branch(10, run.equal(run.input(0), 5)):
            run.outcome = int(OutcomeCode.TIMED_OUT)

    made = search(program, 40)
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.progress.timed_out == 1 and not made.is_complete


def test_a_seed_that_times_out_does_not_end_the_seeds() -> None:
    def program(run: Run) -> None:
        if run.input(0)[1]:
            run.hit(40)
        else:
            run.outcome = int(OutcomeCode.TIMED_OUT)

    made = search(program, 41, budget=Budget(1e9, 3))
    made.explore([(0, 0), (0, 1), (5, 0), (6, 0)])
    assert made.progress.seeds == 2 and made.findings.seen >> 40 & 1
    made = search(program, 41, budget=Budget(4))  # the clock of these tests counts how often it is read
    made.explore([(0, 0), (0, 1), (5, 0), (6, 0)])
    assert made.progress.seeds < 3


def with_fuzzer(clock: Callable[[], float]) -> tuple[Search, list[Input]]:
    """Of a unit without texts; the inputs are those of its trials."""
    tried: list[Input] = []

    def try_input(values: Input) -> tuple[int, int, int, int]:
        tried.append(values)
        return 0, 0, 0, 0

    slots = [Slot(number, f"x{number}", Scalar("unsigned", 8, 1)) for number in range(2)]
    fuzzer = Fuzzer(NO_TEXTS, lambda: Ingredients(make_dictionary(UnitConstants()), {}, slots), try_input, 0)
    return search(maze, 40, fuzzer=fuzzer, clock=clock), tried


def test_numbers_are_fuzzed_when_the_solver_is_slow() -> None:
    ticks = iter(range(1_000_000))
    made, tried = with_fuzzer(lambda: float(next(ticks)))
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.progress.trials == len(tried) > 0 and len(set(tried)) > 1
    made, tried = with_fuzzer(lambda: 0.0)  # every query takes no time
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert not tried


def test_numbers_are_fuzzed_before_the_first_query_if_runs_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tightrope.search.loop.MANY_NODES", 1)
    made, tried = with_fuzzer(lambda: 0.0)
    made.explore_while_new([(0, 0)], Turn(math.inf, 2, math.inf))
    assert tried and made.progress.trials == len(tried)
    before = len(tried)
    assert made.explore([]) is StopReason.EXHAUSTED
    assert len(tried) == before  # once


def test_a_turn_may_have_few_trials() -> None:
    ticks = iter(range(1_000_000))
    made, tried = with_fuzzer(lambda: float(next(ticks)))
    made.explore_while_new([(0, 0)], Turn(math.inf, math.inf, math.inf, trials=3))
    assert 0 < len(tried) < 100


def test_a_divergence_leaves_the_search_incomplete_and_is_counted() -> None:
    runs = iter(range(100))

    def program(run: Run) -> None:
        """Its first run alone says the truth about its branch."""
        condition = run.equal(run.input(0), 5)
        run.branch(10, condition if next(runs) == 0 else (condition[0], 0))

    made = search(program, 40)
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert made.progress.divergences == 1 and not made.is_complete


def test_a_rejected_run_covers_nothing() -> None:
    def program(run: Run) -> None:
        run.hit(40)
        run.assume(1, run.below(run.input(0), 3))

    made = search(program, 40)
    made.explore([(9, 0)])
    assert made.progress.runs == 2 and made.ledger.is_done
    kept: list[tuple[int, ...]] = []
    made = search(program, 50, on_run=lambda values, trace: kept.append(values) or RunWorth.COVERS)
    made.explore([(9, 0)])
    assert kept == [(0, 0)]


def test_a_run_that_crashes_covers_run_time_errors_alone() -> None:
    made = search(maze, 10, 11, on_run=lambda values, trace: RunWorth.ERRORS)
    assert made.explore([(5, 0)]) is StopReason.EXHAUSTED
    assert made.findings.seen and len(made.ledger.open_objectives) == len(made.ledger.objectives)
    errors = Ledger([replace(objective(10), is_error=True), objective(11)])
    made = search(maze, on_run=lambda values, trace: RunWorth.ERRORS, ledger=errors)
    made.explore([(5, 0)])
    assert [each.points for each in errors.open_objectives] == [(11,)]


def test_a_run_that_failed_a_check_covers_nothing() -> None:
    """Without probes it goes on to who knows where."""
    made = search(maze, 10, 11, on_run=lambda values, trace: RunWorth.NOTHING)
    assert made.explore([(5, 0)]) is StopReason.EXHAUSTED
    assert made.findings.seen and len(made.ledger.open_objectives) == len(made.ledger.objectives)


def test_same_seeds_same_runs() -> None:
    inputs = []
    for _ in range(2):
        made = search(maze, 40)
        made.explore([(0, 0)])
        inputs.append(made.parts.runner.inputs)  # type: ignore[attr-defined]
    assert inputs[0] == inputs[1]


def reviewed(answer: Reviewed, seconds: float, worked: float = math.inf) -> tuple[Search, list[list[str]]]:
    """A search, and the objectives that its review was asked for."""
    asked: list[list[str]] = []

    def ask(objectives: Sequence[Objective], left: float) -> Reviewed:
        asked.append([each.id for each in objectives])
        return answer

    return search(maze, 10, 20, 40, review=Review(seconds, lambda: worked, ask)), asked


def test_what_is_open_after_some_time_is_reviewed_once() -> None:
    made, asked = reviewed(Reviewed(frozenset({"point 40"})), 1)
    assert made.explore([(0, 0)]) is StopReason.DONE
    made.review()
    assert asked == [["point 20", "point 40"]] and made.ledger.count(Covered) == 2


def test_inputs_of_a_review_are_run() -> None:
    made, _ = reviewed(Reviewed(frozenset({"point 40"}), ((5, 9), (9, 9))), 0)
    assert made.explore([(0, 0)]) is StopReason.DONE
    assert made.progress.runs == 2  # the second has nothing left to cover


@pytest.mark.parametrize(("seconds", "worked"), [(1e9, math.inf), (1, 0.0)])
def test_a_search_that_has_not_worked_for_so_long_is_not_reviewed(seconds: float, worked: float) -> None:
    made, asked = reviewed(Reviewed(), seconds, worked)
    assert made.explore([(0, 0)]) is StopReason.EXHAUSTED
    assert asked == []
    made.review()  # at the end
    assert asked == [["point 40"]]


def test_what_is_decided_is_not_reviewed() -> None:
    made = search(maze, 10, review=Review(1e9, lambda: 0.0, lambda *_: pytest.fail("nothing is open")))
    assert made.explore([(0, 0)]) is StopReason.DONE
    made.review()
