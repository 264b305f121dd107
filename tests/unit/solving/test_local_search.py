"""Local search over a solver that always gives up, and over the real one with no time to answer."""

from __future__ import annotations

import itertools
import random

import pytest

from tightrope.expr import ieee, plain
from tightrope.expr.build import literal, negate
from tightrope.expr.distance import distance, float_number
from tightrope.expr.evaluate import evaluate, holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.backends import load_backend
from tightrope.solving.chain import build_chain
from tightrope.solving.layers.local_search import TRIES, Calculations, LocalSearch
from tightrope.solving.local_search.constraint_distances import ConstraintDistances, count_operators
from tightrope.solving.local_search.descent import Descent, Effort
from tightrope.solving.local_search.trial_values import find_trial_values, float_at
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import UNSAT, Answer, Query, Sat, SolverUnknown, WhyUnknown, overlay
from tightrope.solving.solver import SolverStatistics

TIMED_OUT = SolverUnknown(WhyUnknown.TIME_LIMIT)
ONE, TWO, SEVEN = (ieee.from_python(value, 64) for value in (1.0, 2.0, 7.0))


class FakeSolver:
    def __init__(self, answer: Answer = TIMED_OUT) -> None:
        self.statistics = SolverStatistics()
        self.answer = answer

    def ask(self, query: Query) -> Answer:
        return self.answer


@pytest.fixture
def table() -> TermTable:
    return TermTable()


def layer_over(answer: Answer, time_limit: float = 1.0) -> LocalSearch:
    fake = FakeSolver(answer)
    return LocalSearch(fake, fake.statistics, time_limit=time_limit)


def found(query: Query) -> dict[int, int]:
    """The model, checked."""
    layer = layer_over(TIMED_OUT, time_limit=5.0)
    answer = layer.ask(query)
    assert isinstance(answer, Sat)
    assert sorted(answer.model) == list(query.slots)
    assert all(holds(term, overlay(query.base, answer.model)) for term in query.constraints)
    assert layer.statistics.local_search_hits == 1
    return dict(answer.model)


# --- floats ---


def double(table: TermTable, slot: int) -> Term:
    return table.make(Op.F_FROM_BITS, 64, (table.input(slot, 64),), 0, True)


def number(table: TermTable, value: float) -> Term:
    return table.float_constant(ieee.from_python(value, 64), 64)


def of(table: TermTable, op: Op, *args: Term) -> Term:
    is_comparison = Op.F_EQ <= op <= Op.F_SAME
    return table.make(op, 1 if is_comparison else 64, args, 0, not is_comparison)


def cubic(table: TermTable, x: Term) -> Term:
    """x * x * x - 6 x * x + 11 x."""
    square = of(table, Op.F_MUL, x, x)
    rest = of(table, Op.F_SUB, of(table, Op.F_MUL, square, x), of(table, Op.F_MUL, number(table, 6.0), square))
    return of(table, Op.F_ADD, rest, of(table, Op.F_MUL, number(table, 11.0), x))


def test_a_root_of_a_polynomial(table: TermTable) -> None:
    target = of(table, Op.F_EQ, cubic(table, double(table, 0)), number(table, 6.0))
    assert ieee.to_python(found(Query(PathCondition.empty(), target, (0,)))[0], 64) == pytest.approx(1, abs=2.1)


def test_a_narrow_range_of_a_polynomial(table: TermTable) -> None:
    value = cubic(table, double(table, 0))
    above = of(table, Op.F_LT, number(table, 1000.5), value)
    below = of(table, Op.F_LT, value, number(table, 1000.6))
    found(Query(PathCondition.empty(), table.make(Op.AND, 1, (above, below)), (0,)))


def test_the_path_is_kept(table: TermTable) -> None:
    """sqrt(x * x + y * y) == 5 where x > y > 0."""
    x, y = double(table, 0), double(table, 1)
    path = [of(table, Op.F_LT, y, x), of(table, Op.F_LT, number(table, 0.0), y)]
    squares = of(table, Op.F_ADD, of(table, Op.F_MUL, x, x), of(table, Op.F_MUL, y, y))
    target = of(table, Op.F_EQ, of(table, Op.F_SQRT, squares), number(table, 5.0))
    found(Query(PathCondition.empty().extend_all(path), target, (TWO, ONE)))


def test_two_slots_that_must_move_together(table: TermTable) -> None:
    x, y = double(table, 0), double(table, 1)
    target = of(table, Op.F_LT, number(table, 1e10), of(table, Op.F_MUL, x, y))
    model = found(Query(PathCondition.empty().extend(of(table, Op.F_EQ, x, y)), target, (0, 0)))
    assert model[0] == model[1]


@pytest.mark.parametrize("bits", [32, 64])
def test_floats_are_numbered_in_their_order(bits: int) -> None:
    values = [-float("inf"), -2.5, -1e-45, 0.0, 1e-45, 1.0, 3e38, float("inf")]
    numbers = [float_number(ieee.from_python(value, bits), bits) for value in values]
    assert numbers == sorted(numbers)
    assert [ieee.to_python(float_at(each, bits), bits) for each in numbers] == [
        ieee.to_python(ieee.from_python(value, bits), bits) for value in values
    ]
    assert ieee.to_python(float_at(numbers[-1] + 5, bits), bits) == float("inf")


# --- hashes ---


def mixed(table: TermTable, h: Term) -> Term:
    """The last steps of a well-known hash of 32 bits."""
    for amount, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        h = table.make(Op.XOR, 32, (h, table.make(Op.LSHR, 32, (h, table.constant(amount, 32)))))
        h = table.make(Op.MUL, 32, (h, table.constant(factor, 32)))
    return h


def hashed_bytes(table: TermTable, count: int) -> Term:
    h = table.constant(17, 32)
    for slot in range(count):
        byte = table.make(Op.ZERO_EXTEND, 32, (table.input(slot, 8),))
        h = mixed(table, table.make(Op.ADD, 32, (table.make(Op.MUL, 32, (h, table.constant(31, 32))), byte)))
    return h


@pytest.mark.parametrize("count", [1, 2])
def test_the_only_bytes_with_this_hash(table: TermTable, count: int) -> None:
    h = hashed_bytes(table, count)
    wanted = table.constant(evaluate(h, (173, 31)), 32)
    assert found(Query(PathCondition.empty(), plain.equals(table, h, wanted), (0, 0)))[0] == 173


def test_some_bits_of_the_hash_of_an_integer(table: TermTable) -> None:
    low = table.make(Op.EXTRACT, 8, (mixed(table, table.input(0, 32)),), 0)
    found(Query(PathCondition.empty(), plain.equals(table, low, table.constant(0x42, 8)), (0,)))


# --- what it never does ---


def test_what_the_solver_answers_is_passed_on(table: TermTable) -> None:
    query = Query(PathCondition.empty(), plain.equals(table, table.input(0, 8), table.constant(9, 8)), (0,))
    for answer in (UNSAT, Sat({0: 9})):
        layer = layer_over(answer)
        assert layer.ask(query) is answer
        assert layer.statistics.local_searches == 0


def test_unknown_stays_what_it_was_when_nothing_is_found(table: TermTable) -> None:
    x = table.input(0, 32)
    odd = table.make(Op.OR, 32, (table.make(Op.MUL, 32, (x, table.constant(2, 32))), table.constant(1, 32)))
    layer = layer_over(TIMED_OUT, time_limit=0.05)
    assert layer.ask(Query(PathCondition.empty(), plain.equals(table, odd, table.constant(8, 32)), (0,))) is TIMED_OUT
    assert (layer.statistics.local_searches, layer.statistics.local_search_hits) == (1, 0)


def test_same_query_same_answer(table: TermTable) -> None:
    low = table.make(Op.EXTRACT, 9, (mixed(table, table.input(0, 32)),), 0)
    query = Query(PathCondition.empty(), plain.equals(table, low, table.constant(0x142, 9)), (0,))
    assert layer_over(TIMED_OUT).ask(query) == layer_over(TIMED_OUT).ask(query) != TIMED_OUT


@pytest.mark.parametrize("seed", range(3))
def test_narrow_paths_against_brute_force(table: TermTable, seed: int) -> None:
    """Random paths over three 4-bit slots: never a wrong model, nearly always one where there is one."""
    source = random.Random(seed)
    possible = missed = 0
    for _ in range(6):
        base, condition = tuple(source.randrange(16) for _ in range(3)), PathCondition.empty()
        for term in [_comparison(table, source) for _ in range(5)]:
            taken = literal(table, term, holds(term, base))
            query = Query(condition, negate(table, taken), base)
            answer = layer_over(TIMED_OUT, time_limit=0.1).ask(query)
            is_possible = any(_satisfies(query, values) for values in itertools.product(range(16), repeat=3))
            assert is_possible or answer is TIMED_OUT
            assert answer is TIMED_OUT or _satisfies(query, overlay(base, answer.model))
            possible, missed = possible + is_possible, missed + (is_possible and answer is TIMED_OUT)
            condition = condition.extend(taken)
    assert possible > 10
    assert missed <= possible // 10


def _comparison(table: TermTable, source: random.Random) -> Term:
    x, y, z = (table.input(slot, 4) for slot in source.sample(range(3), 3))
    left = table.make(source.choice([Op.ADD, Op.MUL, Op.XOR, Op.UREM]), 4, (x, y))
    return table.make(source.choice([Op.EQ, Op.ULT, Op.SLE]), 1, (left, z))


def _satisfies(query: Query, values: tuple[int, ...]) -> bool:
    return all(holds(term, values) for term in query.constraints)


# --- in the chain ---


def test_what_the_solver_has_no_time_for(table: TermTable) -> None:
    """Twelve bits of a hash of three bytes, which takes Bitwuzla more than 5 seconds."""
    low = table.make(Op.EXTRACT, 12, (hashed_bytes(table, 3),), 0)
    query = Query(PathCondition.empty(), plain.equals(table, low, table.constant(0x123, 12)), (0, 0, 0))
    backend = load_backend("bitwuzla")(time_limit=0.02)
    assert isinstance(backend.ask(query), SolverUnknown)
    assert isinstance(LocalSearch(backend, SolverStatistics(), time_limit=5.0).ask(query), Sat)


def test_in_the_chain(table: TermTable) -> None:
    """Calculations with floats do not even reach the solver, if a brief search is enough."""
    polynomial = of(table, Op.F_EQ, cubic(table, double(table, 0)), number(table, 6.0))
    product = plain.equals(table, table.make(Op.MUL, 64, (table.input(0, 64),) * 2), table.constant(3267000013**2, 64))
    chain = build_chain("bitwuzla", time_limit=0.1, validates=True)
    for target, is_asked in ((polynomial, 0), (product, 1)):
        before = chain.statistics.solver_queries
        chain.ask(Query(PathCondition.empty(), target, (SEVEN,)))
        assert chain.statistics.solver_queries - before == is_asked
    assert chain.statistics.local_search_hits >= 1


def test_brief_searches_that_are_in_vain_end(table: TermTable) -> None:
    """x * x < 0 has no model: the solver says so, and after some of them local search is not tried first."""
    layer = layer_over(UNSAT)
    x = double(table, 0)
    for limit in range(2 * TRIES):
        target = of(table, Op.F_LT, of(table, Op.F_MUL, x, x), number(table, -float(limit)))
        assert layer.ask(Query(PathCondition.empty(), target, (0,))) is UNSAT
    assert layer.statistics.local_searches == TRIES


# --- what it may cost ---


def huge(table: TermTable, operators: int) -> Term:
    """Each uses the one before twice: as a tree there are far too many of them to look at."""
    term = table.input(0, 32)
    for _ in range(operators):
        term = table.make(Op.ADD, 32, (term, term))
    return term


def test_a_query_with_too_many_operators_is_left_alone(table: TermTable) -> None:
    """A thousand constraints over the same hundred thousand operators: nothing is even walked through once."""
    term = huge(table, 100_000)
    path = [negate(table, plain.equals(table, term, table.constant(value, 32))) for value in range(1000)]
    layer = layer_over(TIMED_OUT, time_limit=5.0)
    query = Query(PathCondition.empty().extend_all(path), plain.equals(table, term, table.constant(1, 32)), (1,))
    assert layer.ask(query) is TIMED_OUT
    assert layer.statistics.local_searches == 0


def test_many_constraints_over_the_same_operators_are_too_many_together(table: TermTable) -> None:
    term = huge(table, 1_000)
    constraints = [plain.equals(table, term, table.constant(value, 32)) for value in range(20)]
    assert ConstraintDistances().of_all(constraints, 10_000) is None
    assert len(ConstraintDistances().of_all(constraints[:5], 10_000) or ()) == 5


@pytest.mark.parametrize(("most", "counted"), [(2_000, 1_001), (1_001, 1_001), (1_000, 1_001), (50, 51)])
def test_operators_are_counted_no_further_than_needed(table: TermTable, most: int, counted: int) -> None:
    assert count_operators(huge(table, 1_000), most) == counted


def test_effort_ends_also_at_the_start(table: TermTable) -> None:
    """The first measurement of a constraint compiles it, which costs most: no more of them than there is effort for."""
    constraints = [plain.equals(table, table.input(slot, 32), table.constant(7, 32)) for slot in range(1000)]
    distances = ConstraintDistances().of_all(constraints, 10_000) or []
    descent = Descent(distances, Effort(100))
    cost = distances[0].cost
    descent.start((7,) * 1000)
    assert -cost < descent.effort.left <= 0
    assert descent.is_over and not descent.is_model


def test_a_slope_is_a_distance(table: TermTable) -> None:
    """Also of a condition with operands that are shared, and with choices that are looked into."""
    x, y = table.input(0, 4), table.input(1, 4)
    both, zero = table.make(Op.ADD, 4, (x, y)), table.constant(0, 4)
    less = table.make(Op.ULT, 1, (both, table.make(Op.MUL, 4, (both, y))))
    chosen = table.make(Op.EQ, 1, (table.make(Op.ITE, 4, (less, table.constant(3, 4), zero)), zero))
    term = table.make(Op.OR, 1, (table.make(Op.AND, 1, (less, plain.equals(table, both, x))), chosen))
    (measured,) = ConstraintDistances().of_all([term], 100) or ()
    for values in itertools.product(range(16), repeat=2):
        assert measured.at(values) == distance(term, True, values)


def impossible(table: TermTable, number: int) -> Query:
    """An even number that is odd."""
    twice = table.make(Op.MUL, 32, (table.input(0, 32), table.constant(2, 32)))
    return Query(PathCondition.empty(), plain.equals(table, twice, table.constant(2 * number + 1, 32)), (0,))


def test_searches_after_the_solver_that_are_in_vain_end(table: TermTable) -> None:
    layer = layer_over(TIMED_OUT, time_limit=0.01)
    for number in range(2 * TRIES):
        assert layer.ask(impossible(table, number)) is TIMED_OUT
    assert layer.statistics.local_searches == TRIES


def test_a_hit_gives_more_searches_but_never_more_than_at_first(table: TermTable) -> None:
    layer = layer_over(TIMED_OUT, time_limit=0.01)
    for number in range(20):
        easy = plain.equals(table, table.input(0, 32), table.constant(number, 32))
        assert isinstance(layer.ask(Query(PathCondition.empty(), easy, (77,))), Sat)
    for number in range(2 * TRIES):
        layer.ask(impossible(table, number))
    assert layer.statistics.local_searches == 20 + TRIES


def test_without_floats_each_term_is_looked_at_once(table: TermTable) -> None:
    """Counted by what is remembered: a target that only adds one term to a known one adds one."""
    calculations = Calculations(100)
    term = huge(table, 50)
    assert not calculations.are_in(term)
    looked_at = len(calculations._others)
    assert not calculations.are_in(table.make(Op.NOT, 32, (term,)))
    assert (looked_at, len(calculations._others)) == (51, 52)
    assert calculations.are_in(of(table, Op.F_LT, cubic(table, double(table, 0)), number(table, 6.0)))
    assert not calculations.are_in(of(table, Op.F_LT, double(table, 0), number(table, 6.0)))
    assert not calculations.are_in(huge(table, 200))


# --- values worth trying ---


def test_the_numbers_of_a_query(table: TermTable) -> None:
    letter = plain.equals(table, table.input(0, 8), table.constant(65, 8))
    limit = of(table, Op.F_LT, double(table, 1), number(table, 2.5))
    numbers = find_trial_values([letter, limit])
    assert (numbers.bits, numbers.float_slots) == ({0: 8, 1: 64}, frozenset({1}))
    assert {64, 65, 66} <= set(numbers.leaps(0, 0))
    assert ieee.from_python(2.5, 64) in numbers.leaps(1, 0)
