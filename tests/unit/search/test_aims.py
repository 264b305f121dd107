"""Aims: what a run observed beside its path is aimed at, everywhere it could be met, and nothing twice."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from fake_unit import BITS, FakeRunner, Program, Run, Shadowed, TryAll, make_tree, objective

from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Covered, Reason
from tightrope.running.memory_map import ONE_SIDED, WAS_APPROXIMATE, WAS_BOUND, EventKind
from tightrope.search.aim import Aim
from tightrope.search.budget import Budget, StopReason
from tightrope.search.loop import Search, SearchParts
from tightrope.search.strategies.aims_first import AimsFirst
from tightrope.search.strategies.depth_first import DepthFirst

L = 100  # point of label 0


def search(
    program: Program,
    points: Sequence[int],
    obligations: Sequence[tuple[int, int]],
    labels: int,
    hard: tuple[int, ...] = (),
    start: tuple[int, ...] = (0, 0),
    label_deletion: int = 2,
) -> Search:
    """Walk every path and every aim of the program."""
    runner, ticks = FakeRunner(program), iter(range(1_000_000))
    tree, ledger = make_tree(runner, obligations, labels), Ledger([objective(point) for point in points])
    strategy = AimsFirst(DepthFirst())
    parts = SearchParts(
        runner,
        TryAll(hard),
        strategy,
        tree,
        ledger,
        budget=Budget(1e9),
        label_deletion=label_deletion,
        clock=lambda: float(next(ticks)),  # type: ignore[arg-type]
    )
    made = Search(parts)
    made.explore([start])
    return made


def labels(*programs_points: int) -> list[tuple[int, int]]:
    return [(1 << point, 1 << point) for point in programs_points]


def possible(program: Program, inputs: int = 2) -> int:
    runner, points = FakeRunner(program), 0
    for values in itertools.product(range(1 << BITS), repeat=inputs):
        points |= runner.trace(values).points
    return points


def check(made: Search, program: Program) -> None:
    """Covered is what can be; the rest is left over by a complete search."""
    within = possible(program)
    for one, verdict in made.ledger:
        assert isinstance(verdict, Covered) == bool(one.mask & within), one.id
    assert made.progress.divergences == 0 and (made.ledger.is_done or made.is_complete)


def both(run: Run, first: Shadowed, second: Shadowed, site: int = 50) -> Shadowed:
    """`first && second` as the machine does it: the first is a branch, the second is the value."""
    return second if run.branch(site, first) else (0, 0)


def in_both_ways(run: Run) -> None:
    run.label(0, L, lambda run: both(run, run.equal(run.input(0), 7), run.equal(run.input(1), 3)))
    if run.branch(10, run.below(run.input(0), 5)):
        run.label(1, L + 1, lambda run: run.equal(run.input(0), 7))  # cannot be
        run.label(2, L + 2, lambda run: both(run, run.below(run.input(1), 9), run.equal(run.input(1), 12)))  # nor this
    run.label(3, L + 3, lambda run: run.equal(run.add(run.input(0), run.input(1)), 15))


def test_labels_are_covered_where_they_can_be_and_left_over_where_not() -> None:
    points = range(L, L + 4)
    made = search(in_both_ways, points, labels(*points), 4)
    check(made, in_both_ways)
    assert made.tree.paths == 2  # labels are no forks
    assert made.ledger.count(Covered) == 2


def test_an_aim_whose_points_are_closed_costs_nothing() -> None:
    made = search(in_both_ways, [L], labels(*range(L, L + 4)), 4)
    queries = made.progress.runs
    assert made.ledger.is_done and queries == 3  # the seed, a == 7, then b == 3 behind it
    assert made.parts.runner.closed == 0b1110  # type: ignore[attr-defined]


def test_the_same_place_and_chain_bring_one_aim() -> None:
    def program(run: Run) -> None:
        for _ in range(3):
            run.label(0, L, lambda run: run.equal(run.input(0), 7))
        run.branch(10, run.below(run.input(1), 5))
        run.label(0, L, lambda run: run.equal(run.input(0), 7))

    runner = FakeRunner(program)
    tree = make_tree(runner, labels(L), 1)
    fresh = tree.add_run((0, 0), runner.trace((0, 0)))
    assert [one.is_aim for one in fresh] == [False, True, True]  # the branch, before it, behind it
    assert tree.add_run((1, 1), runner.trace((1, 1))) == []
    assert [one.is_aim for one in tree.add_predicted(fresh[0], (0, 9), runner.trace((0, 9)))] == [True]


def test_a_run_that_an_aim_brought_hangs_at_its_place_also_in_another_epoch() -> None:
    for changes in (False, True):
        runner = FakeRunner(in_both_ways)
        tree = make_tree(runner, labels(*range(L, L + 4)), 4)
        fresh = tree.add_run((9, 0), runner.trace((9, 0)))
        aim = next(one for one in fresh if isinstance(one, Aim) and one.site == 50)
        if changes:
            runner.new_epoch()
        behind = tree.add_predicted(aim, (7, 0), runner.trace((7, 0)))
        assert [(one.site, one.is_aim) for one in behind] == [(0, True)]  # label 0, now behind its first condition
        assert tree.paths == 1
        assert tree.observations and all(each.doubt is None for each in tree.observations.obligations)


def test_one_sided_guards_are_kept_and_never_turned() -> None:
    def program(run: Run) -> None:
        def predicate(run: Run) -> Shadowed:
            guard = run.below(run.input(0), 4)
            if not guard[1]:
                run.event(EventKind.GUARD, 7, guard[0], 0)
                return 0, 0  # abandoned
            run.event(EventKind.GUARD, 7, guard[0], 1 | ONE_SIDED)
            return run.equal(run.input(1), 3)

        run.label(0, L, predicate)

    runner = FakeRunner(program)
    tree = make_tree(runner, labels(L), 1)
    assert [one.site for one in tree.add_run((0, 0), runner.trace((0, 0)))] == [0]
    check(search(program, [L], labels(L), 1, start=(9, 0)), program)


def xor_and(run: Run) -> None:
    """`(a < 3 ^ b == 2) && c(b)`, where c is concrete but depends on a path. Points: 200 + vector."""
    a, b = run.below(run.input(0), 3), run.equal(run.input(1), 2)
    seen = run.observe(1, b, run.observe(0, a))
    result = run.runner.node_xor(a[0], b[0]), a[1] ^ b[1]
    if not run.branch(10, result):
        run.hit(200 + 2 * a[1] + b[1])
        return
    c = run.branch(20, run.below(run.add(run.input(0), run.input(1)), 6))
    run.observe(2, (0, int(c)), seen)
    run.hit(210 + 4 * a[1] + 2 * b[1] + c)


VECTORS = (200, 203, 212, 213, 214, 215)


def masks() -> list[tuple[int, int]]:
    """By condition: the vectors in which it is false, true."""
    values = {200: (0, 0), 203: (1, 1), 212: (0, 1, 0), 213: (0, 1, 1), 214: (1, 0, 0), 215: (1, 0, 1)}
    return [
        tuple(sum(1 << p for p, v in values.items() if len(v) > at and v[at] == side) for side in range(2))  # type: ignore[misc]
        for at in range(3)
    ]


@pytest.mark.parametrize("start", [(0, 0), (9, 2), (0, 2), (9, 9)])
def test_every_vector_is_found_although_its_conditions_are_no_branches(start: tuple[int, int]) -> None:
    made = search(xor_and, VECTORS, masks(), 0, start=start)
    check(made, xor_and)
    assert made.ledger.count(Covered) == len(VECTORS)


def test_what_cannot_be_answered_concerns_its_obligation_alone() -> None:
    def program(run: Run) -> None:
        run.label(0, L, lambda run: run.equal(run.input(0), 7))
        run.label(1, L + 1, lambda run: run.equal(run.input(1), 7))

    made = search(program, [L, L + 1], labels(L, L + 1), 2, hard=(0,))
    assert made.tree.observations
    assert [each.doubt for each in made.tree.observations.obligations] == [Reason.SOLVER_TIME_LIMIT, None]
    assert made.progress.unknown == 1 and made.is_complete


@pytest.mark.parametrize(("was", "reason"), [(WAS_APPROXIMATE, Reason.APPROXIMATE), (WAS_BOUND, Reason.SHAPE)])
def test_what_happened_in_a_region_leaves_its_label_unproved(was: int, reason: Reason) -> None:
    def program(run: Run) -> None:
        run.label(0, L, lambda run: (0, 0), was)
        run.label(1, L + 1, lambda run: (0, 0))

    made = search(program, [L, L + 1], labels(L, L + 1), 2)
    assert made.tree.observations
    assert [each.doubt for each in made.tree.observations.obligations] == [reason, None]
    assert made.is_complete


def test_a_pin_in_a_region_leaves_its_label_unproved() -> None:
    def program(run: Run) -> None:
        def predicate(run: Run) -> Shadowed:
            run.pin(3, run.input(0))
            return run.equal(run.input(1), 3)

        run.label(0, L, predicate)

    runner = FakeRunner(program)
    tree = make_tree(runner, labels(L), 1)
    fresh = tree.add_run((4, 0), runner.trace((4, 0)))
    assert tree.observations and tree.observations.obligations[0].doubt is Reason.APPROXIMATE
    assert [str(term) for term in fresh[0].condition(tree.constraints).constraints]  # keeps the value


def test_a_predicate_that_breaks_its_word_is_not_proved() -> None:
    def program(run: Run) -> None:
        run.label(0, L, lambda run: (run.equal(run.input(0), 7)[0], 0))

    made = search(program, [L], labels(L), 1)
    assert made.tree.observations and made.tree.observations.obligations[0].doubt is Reason.APPROXIMATE


def test_a_search_stops_when_all_labels_are_covered() -> None:
    made = search(in_both_ways, [L, L + 3], labels(*range(L, L + 4)), 4)
    assert made.explore([(0, 0)]) is StopReason.DONE


def before_an_assumption(run: Run) -> None:
    total = run.add(run.input(0), run.input(1))
    run.label(0, L, lambda run: run.equal(total, 6))
    run.branch(10, run.below(run.input(0), 5))
    run.label(1, L + 1, lambda run: run.equal(run.input(1), 9))  # not if the assumption is met
    run.assume(30, run.equal(run.input(1), 2))


@pytest.mark.parametrize("start", [(0, 0), (6, 0), (0, 6), (9, 9), (0, 2)])
def test_a_rejected_run_neither_covers_nor_refutes_what_comes_before_the_assumption(start: tuple[int, int]) -> None:
    made = search(before_an_assumption, [L, L + 1], labels(L, L + 1), 2, start=start)
    assert [isinstance(verdict, Covered) for _, verdict in made.ledger] == [True, False]
    assert made.is_complete and made.tree.observations
    assert made.tree.observations.obligations[1].doubt is Reason.RUNS_DIED  # no way but one was asked for


def late_assumption(run: Run) -> None:
    """The assumption is about another input, or about the label's own."""
    run.label(0, L, lambda run: run.equal(run.input(0), 7))
    if run.branch(10, run.below(run.input(0), 5)):
        run.assume(1, run.equal(run.input(1), 0))
    elif run.assume(2, run.equal(run.input(1), 3)):
        run.assume(3, run.below(run.input(0), 9))


@pytest.mark.parametrize("start", [(0, 0), (9, 3), (0, 5), (8, 3)])
def test_an_aim_whose_run_is_rejected_is_tried_again_behind_the_assumption(start: tuple[int, int]) -> None:
    made = search(late_assumption, [L], labels(L), 1, start=start)
    assert made.ledger.is_done and made.progress.divergences == 0


def test_a_rejected_run_proves_nothing_about_what_it_was_to_meet() -> None:
    def program(run: Run) -> None:
        run.label(0, L, lambda run: run.equal(run.input(0), 7))
        run.assume(1, run.below(run.input(0), 5))

    made = search(program, [L], labels(L), 1)
    assert made.tree.observations and made.tree.observations.obligations[0].doubt is Reason.RUNS_DIED
    assert made.is_complete and not made.ledger.is_done


def many_places(run: Run) -> None:
    """Eight paths; at the end, labels of which three have no solution, and three one on half of the paths."""
    for slot in range(3):
        run.branch(10 + 2 * slot, run.below(run.input(slot), 5))
    for number in range(3):
        run.label(number, L + number, lambda run, n=number: run.equal(run.add(run.input(0), run.input(0)), 2 * n + 1))  # type: ignore[misc]
    for number in range(3, 6):
        run.label(number, L + number, lambda run, n=number: run.equal(run.input(0), 6 + n))  # type: ignore[misc]


def test_late_aims_at_one_place_are_asked_together() -> None:
    """And what is left of them again, when a run has covered one."""
    points = range(L, L + 6)
    made, alone = (
        search(many_places, points, labels(*points), 6, start=(0, 0, 0), label_deletion=level) for level in (2, 1)
    )
    assert made.ledger.count(Covered) == alone.ledger.count(Covered) == 3
    assert made.tree.paths == alone.tree.paths == 8
    assert made.pace.steps < alone.pace.steps


def test_late_aims_are_asked_one_by_one_when_the_solver_has_no_answer_for_all() -> None:
    points = range(L, L + 6)
    made = search(many_places, points, labels(*points), 6, start=(9, 0, 0), hard=(0,))
    assert made.tree.observations is not None
    doubts = [each.doubt for each in made.tree.observations.obligations]
    assert doubts == [Reason.SOLVER_TIME_LIMIT] * 3 + [None] + [Reason.SOLVER_TIME_LIMIT] * 2


def test_late_aims_are_asked_one_by_one_when_the_run_of_all_covers_nothing() -> None:
    def rejected(run: Run) -> None:
        """No input that covers a label is accepted."""
        many_places(run)
        run.assume(1, run.below(run.input(0), 9))

    points = range(L, L + 6)
    made = search(rejected, points, labels(*points), 6, start=(0, 0, 0))
    assert made.ledger.count(Covered) == 0
    assert made.tree.paths >= 8 and made.parts.strategy.__len__() == 0
