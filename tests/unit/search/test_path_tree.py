from __future__ import annotations

import pytest
from fake_unit import FakeRunner, Program, Run, TryAll, make_tree

from tightrope.inputs.scalars import Input
from tightrope.search.candidate import Candidate
from tightrope.search.path_tree import DivergenceError, PathTree
from tightrope.solving.query import Query, Sat, overlay


def nested(run: Run) -> None:
    if run.branch(10, run.below(run.input(0), 3)):
        run.branch(20, run.equal(run.input(1), 5))


def first_run(program: Program, values: Input, switches: dict[int, tuple[int, ...]] | None = None):  # type: ignore[no-untyped-def]
    runner = FakeRunner(program, switches)
    tree = make_tree(runner)
    return runner, tree, tree.add_run(values, runner.trace(values))


def solved(tree: PathTree, candidate: Candidate) -> Input | None:
    condition, base = candidate.condition(tree.constraints), candidate.base
    answer = TryAll().ask(Query(condition, candidate.target(tree.constraints), base))
    return overlay(base, answer.model) if isinstance(answer, Sat) else None


def follow(runner: FakeRunner, tree: PathTree, candidate: Candidate) -> list[Candidate]:
    values = solved(tree, candidate)
    assert values is not None
    return tree.add_predicted(candidate, values, runner.trace(values))


def explore(runner: FakeRunner, tree: PathTree, waiting: list[Candidate]) -> int:
    """Follow every candidate to the end; how many could not be solved."""
    unsolved = 0
    while waiting:
        candidate = waiting.pop()
        if solved(tree, candidate) is None:
            unsolved += 1
        else:
            waiting += follow(runner, tree, candidate)
    return unsolved


def test_each_side_not_taken_is_proposed_once() -> None:
    runner, tree, fresh = first_run(nested, (0, 0))
    assert [(c.fork.site, c.side, c.point) for c in fresh] == [(10, 0, 10), (20, 1, 21)]
    assert tree.add_run((1, 1), runner.trace((1, 1))) == []
    assert tree.paths == 1
    assert follow(runner, tree, fresh[1]) == []
    assert follow(runner, tree, fresh[0]) == []
    assert tree.paths == 3
    assert tree.symbolic_sites == {10, 20}


def test_a_path_without_forks_is_one_path() -> None:
    _, tree, fresh = first_run(lambda run: None, (0,))
    assert fresh == [] and tree.paths == 1 and tree.root is None


def test_the_condition_of_a_fork_is_that_of_its_prefix() -> None:
    _, _, fresh = first_run(nested, (0, 0))
    assert fresh[0].fork.condition.constraints == ()
    assert len(fresh[1].fork.condition.constraints) == 1


def test_a_switch_proposes_every_other_case() -> None:
    def program(run: Run) -> None:
        run.switch(10, run.input(0))

    runner, tree, fresh = first_run(program, (7,), {10: (1, 7, 9)})
    assert [c.side for c in fresh] == [0, 1, 3]
    assert explore(runner, tree, fresh) == 0
    assert tree.paths == 4
    assert {values[0] for values in runner.inputs} >= {1, 7, 9}


def test_a_default_that_the_cases_leave_no_room_for() -> None:
    def program(run: Run) -> None:
        run.switch(10, run.input(0))

    runner, tree, fresh = first_run(program, (0,), {10: tuple(range(16))})
    assert explore(runner, tree, fresh) == 1
    assert tree.paths == 16


def test_a_pin_asks_for_values_that_were_not_seen() -> None:
    def program(run: Run) -> None:
        if run.branch(10, run.below(run.input(0), 3)):
            run.pin(7, run.input(0))

    runner, tree, fresh = first_run(program, (1,))
    assert explore(runner, tree, fresh) == 1  # after 0, 1 and 2 there is no other value
    assert tree.paths == 4
    assert tree.pinned[7] == 3


def test_what_follows_a_pin_depends_on_its_value() -> None:
    def program(run: Run) -> None:
        if run.pin(7, run.input(0)) == 3:
            run.branch(20, run.below(run.input(1), 8))

    runner, tree, fresh = first_run(program, (0, 0))
    explore(runner, tree, fresh)
    assert tree.paths == 17


def test_the_further_values_of_a_pin_rank_ever_lower() -> None:
    def program(run: Run) -> None:
        run.pin(7, run.input(0))
        run.branch(20, run.below(run.input(1), 8))

    runner, tree, fresh = first_run(program, (0, 0))
    first, second = fresh[0].rank, follow(runner, tree, fresh[0])[0].rank
    assert second > first


def test_an_assumption_that_holds_has_no_other_side() -> None:
    def program(run: Run) -> None:
        if run.assume(1, run.below(run.input(0), 3)):
            run.branch(20, run.equal(run.input(0), 2))

    _, _, fresh = first_run(program, (0,))
    assert [c.fork.site for c in fresh] == [20]
    runner, tree, fresh = first_run(program, (9,))
    assert [(c.fork.site, c.side, c.point) for c in fresh] == [(1, 1, None)]
    assert explore(runner, tree, fresh) == 0
    assert tree.paths == 3


def test_a_guard_has_two_sides() -> None:
    def program(run: Run) -> None:
        run.guard(5, run.below(run.input(0), 3))

    runner, tree, fresh = first_run(program, (0,))
    assert explore(runner, tree, fresh) == 0
    assert tree.paths == 2 and tree.symbolic_sites == set()


def test_concrete_events_are_no_forks() -> None:
    def program(run: Run) -> None:
        run.concrete(9)
        if run.branch(10, run.below(run.input(0), 3)):
            run.concrete(9)
            run.branch(20, run.equal(run.input(1), 5))

    runner, tree, fresh = first_run(program, (0, 0))
    assert len(fresh) == 2
    assert explore(runner, tree, fresh) == 0
    assert tree.paths == 3


@pytest.mark.parametrize("value", [3, 9])
def test_a_run_that_leaves_its_prefix_is_a_divergence(value: int) -> None:
    runner, tree, fresh = first_run(nested, (0, 0))
    with pytest.raises(DivergenceError):
        tree.add_predicted(fresh[1], (value, 5), runner.trace((value, 5)))  # leaves at the first branch
    with pytest.raises(DivergenceError):
        tree.add_predicted(fresh[1], (0, 0), runner.trace((0, 0)))  # takes the other side
    with pytest.raises(DivergenceError):
        tree.add_predicted(fresh[0], (0, 0), runner.trace((0, 0)))


def test_a_fork_is_met_by_its_own_kind_of_step() -> None:
    is_guard = False

    def program(run: Run) -> None:
        condition = run.below(run.input(0), 3)
        (run.guard if is_guard else run.branch)(10, condition)

    runner, tree, _ = first_run(program, (0,))
    is_guard = True
    with pytest.raises(DivergenceError):
        tree.add_run((0,), runner.trace((0,)))


def test_a_value_that_was_pinned_before_is_a_divergence() -> None:
    runner, tree, fresh = first_run(lambda run: run.pin(7, run.input(0)) and None, (1,))
    with pytest.raises(DivergenceError):
        tree.add_predicted(fresh[0], (1,), runner.trace((1,)))


def test_a_new_epoch_changes_nothing() -> None:
    runner, tree, fresh = first_run(nested, (0, 0))
    for number in (1, 0):
        runner.new_epoch()
        runner.node(7, 1, number=number)  # numbers of nodes shift  # type: ignore[arg-type]
        assert follow(runner, tree, fresh[number]) == []
    assert tree.paths == 3


def test_a_divergence_is_seen_in_a_new_epoch_too() -> None:
    runner, tree, fresh = first_run(nested, (0, 0))
    runner.new_epoch()
    with pytest.raises(DivergenceError):
        tree.add_predicted(fresh[1], (9, 5), runner.trace((9, 5)))


def test_a_repeated_condition_has_an_other_side_that_nobody_can_take() -> None:
    def program(run: Run) -> None:
        for _ in range(3):
            run.branch(10, run.below(run.input(0), 3))

    runner, tree, fresh = first_run(program, (0,))
    assert len(fresh) == 3
    assert explore(runner, tree, fresh) == 4
    assert tree.paths == 2
