"""What every session promises: each back end that is installed, with one solver and with a fresh one per question."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable

import pytest

from tightrope.expr import plain
from tightrope.expr.build import negate
from tightrope.expr.evaluate import evaluate, holds
from tightrope.expr.operators import Op
from tightrope.expr.simplify import choose
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.backends import BACKENDS, is_installed, start_session
from tightrope.solving.query import Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.session import Session

KINDS = [(name, is_incremental) for name in BACKENDS if is_installed(name) for is_incremental in (True, False)]
Make = Callable[[float], Session]


@pytest.fixture(params=KINDS, ids=lambda kind: f"{kind[0]}{'' if kind[1] else ' fresh'}")
def make(request: pytest.FixtureRequest) -> Make:
    name, is_incremental = request.param
    return lambda limit: start_session(name, time_limit=limit, is_incremental=is_incremental)


@pytest.fixture
def session(make: Make) -> Session:
    return make(60.0)


@pytest.fixture
def table() -> TermTable:
    return TermTable()


def below(table: TermTable, slot: int, limit: int) -> Term:
    return plain.compare(table, Op.ULT, table.input(slot, 8), table.constant(limit, 8))


def test_model_has_exactly_the_slots_of_the_question(session: Session, table: TermTable) -> None:
    session.assert_always(below(table, 3, 7))
    session.ask([below(table, 1, 9)])
    answer = session.ask([below(table, 2, 5)])
    assert isinstance(answer, Sat)
    assert sorted(answer.model) == [2, 3]
    assert answer.model[2] < 5 and answer.model[3] < 7


def test_an_assumption_holds_for_one_question_only(session: Session, table: TermTable) -> None:
    low = below(table, 0, 5)
    assert isinstance(session.ask([low]), Sat)
    answer = session.ask([negate(table, low)])
    assert isinstance(answer, Sat) and answer.model[0] >= 5


def test_asserted_terms_hold_from_then_on(session: Session, table: TermTable) -> None:
    low, high = below(table, 0, 5), negate(table, below(table, 0, 9))
    assert isinstance(session.ask([high]), Sat)
    session.assert_always(low)
    assert session.ask([high]) == Unsat(frozenset([high]))
    for _ in range(3):
        answer = session.ask([])
        assert isinstance(answer, Sat) and answer.model[0] < 5


def test_core_is_enough(session: Session, table: TermTable) -> None:
    beside = [below(table, slot, 9) for slot in (1, 2, 3)]
    low, high = below(table, 0, 5), negate(table, below(table, 0, 5))
    answer = session.ask([*beside, low, high])
    assert isinstance(answer, Unsat)
    assert answer.core <= {*beside, low, high}
    assert isinstance(session.ask(list(answer.core)), Unsat)


def test_empty_core_when_the_asserted_terms_contradict(session: Session, table: TermTable) -> None:
    session.assert_always(below(table, 0, 5))
    session.assert_always(negate(table, below(table, 0, 5)))
    assert session.ask([below(table, 1, 5)]) == Unsat(frozenset())


@pytest.mark.parametrize("value", [0, 1])
def test_constants_are_questions_too(session: Session, table: TermTable, value: int) -> None:
    term = table.constant(value, 1)
    answer = session.ask([term])
    assert answer == Sat({}) if value else isinstance(answer, Unsat) and answer.core <= {term}


def test_the_same_assumption_twice(session: Session, table: TermTable) -> None:
    low = below(table, 0, 5)
    assert isinstance(session.ask([low, low]), Sat)
    assert isinstance(session.ask([low, low, negate(table, low), negate(table, low)]), Unsat)


def test_value_of_any_term_under_the_last_model(session: Session, table: TermTable) -> None:
    x, y = table.input(0, 8), table.input(1, 8)
    assert session.value(x) is None
    session.ask([plain.equals(table, x, table.constant(200, 8))])
    assert session.value(plain.apply(table, Op.ADD, x, table.constant(100, 8))) == 44
    assert session.value(plain.apply(table, Op.SUB, x, y)) == 200  # never mentioned: 0
    session.ask([table.constant(0, 1)])
    assert session.value(x) is None


def test_time_limit_gives_unknown_and_the_session_lives_on(make: Make, table: TermTable) -> None:
    session = make(0.2)
    low = below(table, 2, 5)
    session.assert_always(low)
    answer = session.ask([_factors(table)])
    assert isinstance(answer, SolverUnknown) and answer.reason is WhyUnknown.TIME_LIMIT
    assert session.value(low) is None
    assert isinstance(session.ask([negate(table, low)], time_limit=60.0), Unsat)
    assert isinstance(session.ask([below(table, 1, 5)], time_limit=0.0), Sat)


def test_time_limit_of_one_question(session: Session, table: TermTable) -> None:
    started = time.monotonic()
    assert isinstance(session.ask([_factors(table)], time_limit=0.1), SolverUnknown)
    assert time.monotonic() - started < 20.0


def _factors(table: TermTable) -> Term:
    """Two 32-bit numbers whose 64-bit product is a product of two large primes."""
    x, y = (table.make(Op.ZERO_EXTEND, 64, (table.input(slot, 32),)) for slot in (10, 11))
    return plain.equals(table, plain.apply(table, Op.MUL, x, y), table.constant(3267000013 * 2860486313, 64))


@pytest.mark.parametrize("seed", range(3))
def test_questions_about_one_formula_against_brute_force(make: Make, seed: int) -> None:
    """Random points of a random unrolled loop over three slots of 3 bits; all 512 inputs are tried."""
    session, source, table = make(60.0), random.Random(seed), TermTable()
    points = _unrolled(table, source)
    always = points.pop()
    session.assert_always(always)
    inputs = list(itertools.product(range(8), repeat=3))
    for _ in range(12):
        asked = source.sample(points, source.randrange(1, 4))
        answer = session.ask(asked)
        is_possible = any(all(holds(term, values) for term in (always, *asked)) for values in inputs)
        assert isinstance(answer, Sat if is_possible else Unsat)
        if isinstance(answer, Sat):
            values = [answer.model.get(slot, 0) for slot in range(3)]
            assert all(holds(term, values) for term in (always, *asked))
            assert all(session.value(term) == evaluate(term, values) for term in points)


def _unrolled(table: TermTable, source: random.Random) -> list[Term]:
    """A state that is changed under a condition, again and again: deep choices, all shared."""
    state, points = table.constant(0, 3), []
    for step in range(9):
        event = table.input(step % 3, 3)
        is_taken = plain.compare(table, source.choice([Op.ULT, Op.SLE, Op.EQ]), state, event)
        points += [is_taken, plain.equals(table, state, table.constant(source.randrange(8), 3))]
        changed = plain.apply(table, source.choice([Op.ADD, Op.XOR, Op.MUL, Op.OR]), state, event)
        state = choose(table, is_taken, plain.apply(table, Op.ADD, changed, table.constant(1, 3)), state)
    return points


def test_thousands_of_questions_do_not_slow_it_down(table: TermTable) -> None:
    session, source = start_session(time_limit=60.0), random.Random(0)
    points = _unrolled(table, source)
    session.assert_always(points.pop())
    seconds = []
    for _ in range(4):
        started = time.process_time()
        for _ in range(500):
            session.ask(source.sample(points, 3))
        seconds.append(time.process_time() - started)
    assert seconds[-1] < 3 * seconds[0] + 0.5


def test_deep_terms(table: TermTable) -> None:
    """50,000 nested operators: nobody recurses."""
    deep = table.input(0, 8)
    for number in range(50_000):
        deep = table.make(Op.XOR, 8, (deep, table.constant(number % 251, 8)))
    wanted = evaluate(deep, (123,))
    question = plain.equals(table, deep, table.constant(wanted, 8))
    for name in [name for name in BACKENDS if is_installed(name)]:
        session = start_session(name)
        assert session.ask([question]) == Sat({0: 123})
        assert session.value(deep) == wanted


def test_many_wishes_of_a_question(session: Session, table: TermTable) -> None:
    """Wishes that go together come true together; impossible ones do no harm."""
    must = below(table, 0, 50)
    wished = [plain.equals(table, table.input(slot, 8), table.constant(40 + slot, 8)) for slot in range(4)]
    impossible = negate(table, below(table, 0, 60))
    answer = session.ask_for_many([must], [impossible, *wished])
    assert answer == Sat({0: 40, 1: 41, 2: 42, 3: 43})
    assert session.value(plain.all_of(table, wished)) == 1


def test_wishes_that_exclude_each_other(session: Session, table: TermTable) -> None:
    x = table.input(0, 8)
    wished = [plain.equals(table, x, table.constant(number, 8)) for number in (7, 8, 9, 10)]
    answer = session.ask_for_many([below(table, 0, 100)], wished, calls=12)
    assert isinstance(answer, Sat) and answer.model[0] in (7, 8, 9, 10)


def test_wishes_of_an_impossible_question(session: Session, table: TermTable) -> None:
    low = below(table, 0, 5)
    answer = session.ask_for_many([low, negate(table, low)], [below(table, 1, 5)])
    assert isinstance(answer, Unsat) and answer.core <= {low, negate(table, low)}
