"""What every solver promises: each back end that is installed, and the whole chain."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from tightrope.deadline import Deadline
from tightrope.expr import plain
from tightrope.expr.build import literal, negate
from tightrope.expr.evaluate import evaluate, holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.backends import BACKENDS, is_installed, load_backend
from tightrope.solving.chain import build_chain
from tightrope.solving.group import GroupTable
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import Query, Sat, SolverUnknown, Unsat, WhyUnknown, overlay
from tightrope.solving.solver import Solver

Make = Callable[[float], Solver]

SOLVERS: dict[str, Make] = {
    **{name: lambda limit, name=name: load_backend(name)(time_limit=limit) for name in BACKENDS if is_installed(name)},
    "chain": lambda limit: build_chain(time_limit=limit),
    "paranoid chain": lambda limit: build_chain(
        time_limit=limit, validates=True, second_opinion="z3" if is_installed("z3") else "bitwuzla"
    ),
}


@pytest.fixture(params=SOLVERS)
def make(request: pytest.FixtureRequest) -> Make:
    return SOLVERS[request.param]


@pytest.fixture
def solver(make: Make) -> Solver:
    return make(20.0)


@pytest.fixture
def table() -> TermTable:
    return TermTable()


def test_model_has_exactly_the_slots_of_the_query(solver: Solver, table: TermTable) -> None:
    x, y, z = (table.input(slot, 8) for slot in range(3))
    condition = PathCondition.empty().extend_all(
        [table.make(Op.ULT, 1, (x, y)), plain.equals(table, z, table.constant(9, 8))]
    )
    answer = solver.ask(Query(condition.slice(x.support), plain.equals(table, x, table.constant(7, 8)), (1, 2, 9)))
    assert isinstance(answer, Sat)
    assert sorted(answer.model) == [0, 1]
    assert answer.model[0] == 7 < answer.model[1]


def test_contradiction_is_unsat_with_a_core(solver: Solver, table: TermTable) -> None:
    x, y = table.input(0, 32), table.input(1, 32)
    below = table.make(Op.SLT, 1, (x, table.constant(10, 32)))
    beside = table.make(Op.SLT, 1, (y, x))
    target = table.make(Op.SLT, 1, (table.constant(20, 32), x))
    answer = solver.ask(Query(PathCondition.empty().extend_all([beside, below]), target, (5, 4)))
    assert isinstance(answer, Unsat)
    assert answer.core <= {below, beside, target}
    assert not answer.core or {below, target} <= answer.core


@pytest.mark.parametrize("value", [0, 1])
def test_target_without_inputs(solver: Solver, table: TermTable, value: int) -> None:
    answer = solver.ask(Query(PathCondition.empty(), table.constant(value, 1), ()))
    assert answer == Sat({}) if value else isinstance(answer, Unsat)


def test_one_bit_input_is_a_condition(solver: Solver, table: TermTable) -> None:
    flag, other = table.input(0, 1), table.input(1, 1)
    answer = solver.ask(Query(PathCondition.empty().extend(flag), negate(table, other), (1, 1)))
    assert isinstance(answer, Sat) and answer.model[1] == 0
    both = table.make(Op.AND, 1, (flag, other))
    assert isinstance(solver.ask(Query(PathCondition.empty().extend(negate(table, flag)), both, (0, 0))), Unsat)


def test_time_limit_gives_unknown_and_the_solver_lives_on(make: Make, table: TermTable) -> None:
    solver = make(0.2)
    easy = plain.equals(table, table.input(2, 8), table.constant(3, 8))
    answer = solver.ask(Query(PathCondition.empty(), _factors(table), (0, 0, 0)))
    assert isinstance(answer, SolverUnknown) and answer.reason is WhyUnknown.TIME_LIMIT
    assert answer.reason.sentence
    assert solver.ask(Query(PathCondition.empty(), easy, (0, 0, 0))) == Sat({2: 3})


@pytest.mark.parametrize(("left", "is_asked"), [(100.0, True), (0.2, False)])
def test_near_the_end_nothing_is_asked_whose_gates_alone_take_longer(
    table: TermTable, left: float, is_asked: bool
) -> None:
    """Until it has made all gates, Bitwuzla looks at no time limit."""
    solver = load_backend("bitwuzla")(time_limit=1.0, deadline=Deadline(left, lambda: 0.0))
    quotient = table.input(0, 64)
    for slot in range(1, 40):
        quotient = table.make(Op.UDIV, 64, (quotient, table.input(slot, 64)))
    query = Query(PathCondition.empty(), plain.equals(table, quotient, table.constant(3, 64)), (1,) * 40)
    answer = solver.ask(query)
    is_refused = isinstance(answer, SolverUnknown) and "too long" in answer.detail
    assert is_refused is not is_asked


def _factors(table: TermTable) -> Term:
    """Two 32-bit numbers whose 64-bit product is a product of two large primes, written so that none is given."""
    x, y = (table.make(Op.ZERO_EXTEND, 64, (table.input(slot, 32),)) for slot in range(2))
    product = table.make(Op.MUL, 64, (x, y))
    return plain.equals(table, product, table.constant(3267000013 * 2860486313, 64))


def test_deep_terms(solver: Solver, table: TermTable) -> None:
    x = table.input(0, 32)
    deep = x
    for number in range(3000):
        deep = table.make(Op.ADD, 32, (deep, table.constant(number, 32)))
    wanted = evaluate(deep, (1234,))
    answer = solver.ask(Query(PathCondition.empty(), plain.equals(table, deep, table.constant(wanted, 32)), (0,)))
    assert answer == Sat({0: 1234})


def test_same_question_same_answer(solver: Solver, table: TermTable) -> None:
    x = table.input(0, 16)
    query = Query(PathCondition.empty(), table.make(Op.ULT, 1, (table.constant(100, 16), x)), (0,))
    assert type(solver.ask(query)) is type(solver.ask(query)) is Sat


@pytest.mark.parametrize("seed", range(4))
def test_narrow_paths_against_brute_force(make: Make, seed: int) -> None:
    """Random paths over three 4-bit slots; every flip is decided by trying all 4096 inputs."""
    solver, source, groups = make(20.0), random.Random(seed), GroupTable()
    table = TermTable()
    for _ in range(4):
        base = tuple(source.randrange(16) for _ in range(3))
        condition = PathCondition.empty(groups)
        for _ in range(8):
            term = _comparison(table, source)
            if term.support:
                taken = literal(table, term, holds(term, base))
                _check(solver, Query(condition, negate(table, taken), base))
                condition = condition.extend(taken)


def _comparison(table: TermTable, source: random.Random) -> Term:
    op = source.choice([Op.EQ, Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE])
    return table.make(op, 1, (_arithmetic(table, source, 2), _arithmetic(table, source, 1)))


def _arithmetic(table: TermTable, source: random.Random, depth: int) -> Term:
    if depth == 0 or source.random() < 0.4:
        return table.input(source.randrange(3), 4) if source.random() < 0.7 else table.constant(source.randrange(16), 4)
    op = source.choice([Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.SREM, Op.AND, Op.OR, Op.XOR, Op.SHL, Op.ASHR])
    return table.make(op, 4, (_arithmetic(table, source, depth - 1), _arithmetic(table, source, depth - 1)))


def _check(solver: Solver, query: Query) -> None:
    answer = solver.ask(query)
    is_possible = any(_satisfies(query, values) for values in itertools.product(range(16), repeat=3))
    if is_possible:
        assert isinstance(answer, Sat)
        assert _satisfies(query, overlay(query.base, answer.model))
    else:
        assert isinstance(answer, Unsat)


def _satisfies(query: Query, values: tuple[int, ...]) -> bool:
    return all(holds(term, values) for term in reversed(query.constraints))
