"""Each layer over a solver that only remembers what it was asked."""

from __future__ import annotations

import pytest

from tightrope.errors import InternalError
from tightrope.expr import plain
from tightrope.expr.build import negate
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.group import GroupTable
from tightrope.solving.layers.cache import AnswerCache
from tightrope.solving.layers.cross_check import CrossCheck
from tightrope.solving.layers.decided import Decided
from tightrope.solving.layers.independent import Independent
from tightrope.solving.layers.log import Log
from tightrope.solving.layers.measure import Counted, Timed
from tightrope.solving.layers.refuted import Refuted
from tightrope.solving.layers.reuse import Reuse
from tightrope.solving.layers.validate import Validate
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import UNSAT, Answer, Query, Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.solver import SolverStatistics

TIMED_OUT = SolverUnknown(WhyUnknown.TIME_LIMIT)


class FakeSolver:
    def __init__(self, answer: Answer) -> None:
        self.statistics = SolverStatistics()
        self.answer = answer
        self.asked: list[Query] = []

    def ask(self, query: Query) -> Answer:
        self.asked.append(query)
        return self.answer


@pytest.fixture
def table() -> TermTable:
    return TermTable()


def is_value(table: TermTable, slot: int, value: int) -> Term:
    return plain.equals(table, table.input(slot, 8), table.constant(value, 8))


def below(table: TermTable, slot: int, value: int) -> Term:
    return table.make(Op.ULT, 1, (table.input(slot, 8), table.constant(value, 8)))


def test_independent_asks_only_what_hangs_together(table: TermTable) -> None:
    fake = FakeSolver(UNSAT)
    mine, other = below(table, 0, 5), below(table, 1, 5)
    Independent(fake, fake.statistics).ask(
        Query(PathCondition.empty().extend_all([mine, other]), is_value(table, 0, 9), (0, 0))
    )
    assert fake.asked[0].condition.constraints == (mine,)


@pytest.mark.parametrize("answer", [UNSAT, Sat({0: 9}), TIMED_OUT])
def test_cache_asks_once_across_paths(table: TermTable, answer: Answer) -> None:
    fake, groups = FakeSolver(answer), GroupTable()
    layer = Independent(AnswerCache(fake, fake.statistics), fake.statistics)
    for elsewhere in range(3):
        path = PathCondition.empty(groups).extend_all([is_value(table, 1, elsewhere), below(table, 0, 50)])
        assert layer.ask(Query(path, is_value(table, 0, 9), (0, elsewhere))) is answer
    assert len(fake.asked) == 1
    assert fake.statistics.cache_hits == 2


def test_decided_reads_the_answer_off_the_query(table: TermTable) -> None:
    fake = FakeSolver(TIMED_OUT)
    layer = Decided(fake, fake.statistics)
    constraint = below(table, 0, 5)
    group = PathCondition.empty().extend(constraint).slice(1)
    assert layer.ask(Query(group, constraint, (3,))) == Sat({0: 3})
    assert layer.ask(Query(group, negate(table, constraint), (3,))) is UNSAT
    opposite = PathCondition.empty().extend(negate(table, constraint)).slice(1)
    assert layer.ask(Query(opposite, constraint, (7,))) is UNSAT
    assert layer.ask(Query(group, is_value(table, 0, 4), (3,))) is TIMED_OUT
    assert fake.statistics.decided == 3


def test_refuted_needs_only_the_core(table: TermTable) -> None:
    small, target = below(table, 0, 5), is_value(table, 0, 9)
    fake = FakeSolver(Unsat(frozenset([small, target])))
    layer, groups = Refuted(fake, fake.statistics), GroupTable()
    for more in range(10, 14):
        group = PathCondition.empty(groups).extend_all([below(table, 0, more), small]).slice(1)
        assert isinstance(layer.ask(Query(group, target, (0,))), Unsat)
    assert len(fake.asked) == 1
    unrelated = PathCondition.empty(groups).extend(below(table, 0, 20)).slice(1)
    layer.ask(Query(unrelated, target, (0,)))
    assert len(fake.asked) == 2
    assert fake.statistics.core_hits == 3


def test_reuse_varies_the_base(table: TermTable) -> None:
    fake = FakeSolver(TIMED_OUT)
    layer = Reuse(fake, fake.statistics)
    group = PathCondition.empty().extend(below(table, 0, 50)).slice(1)
    assert layer.ask(Query(group, is_value(table, 0, 9), (0, 7))) == Sat({0: 9})
    assert layer.ask(Query(group, is_value(table, 0, 90), (0, 7))) is TIMED_OUT
    assert fake.statistics.reuse_hits == 1


def test_reuse_remembers_models(table: TermTable) -> None:
    product = table.make(Op.MUL, 8, (table.input(0, 8), table.input(0, 8)))
    hard = plain.equals(table, product, table.constant(49, 8))
    fake = FakeSolver(Sat({0: 7}))
    layer = Reuse(fake, fake.statistics)
    group = PathCondition.empty().extend(below(table, 0, 50)).slice(1)
    assert layer.ask(Query(group, hard, (0,))) == Sat({0: 7})
    odd = table.make(Op.EXTRACT, 1, (product,), 0)
    assert layer.ask(Query(group, odd, (2,))) == Sat({0: 7})
    assert len(fake.asked) == 1


def test_validate_refuses_a_wrong_model(table: TermTable) -> None:
    condition = PathCondition.empty().extend(below(table, 0, 5))
    layer = Validate(FakeSolver(Sat({0: 9})), SolverStatistics())
    with pytest.raises(InternalError, match="does not satisfy"):
        layer.ask(Query(condition, is_value(table, 0, 9), (0,)))
    assert layer.ask(Query(PathCondition.empty(), is_value(table, 0, 9), (0,))) == Sat({0: 9})


def test_cross_check_refuses_a_disagreement(table: TermTable) -> None:
    query = Query(PathCondition.empty(), is_value(table, 0, 9), (0,))
    with pytest.raises(InternalError, match="disagree"):
        CrossCheck(FakeSolver(UNSAT), FakeSolver(Sat({0: 9})), SolverStatistics()).ask(query)
    assert CrossCheck(FakeSolver(TIMED_OUT), FakeSolver(UNSAT), SolverStatistics()).ask(query) is UNSAT
    assert CrossCheck(FakeSolver(Sat({0: 9})), FakeSolver(TIMED_OUT), SolverStatistics()).ask(query) == Sat({0: 9})


def test_log_writes_a_line(table: TermTable) -> None:
    lines: list[str] = []
    Log(FakeSolver(Sat({0: 9})), SolverStatistics(), lines.append).ask(
        Query(PathCondition.empty().extend(below(table, 0, 50)), is_value(table, 0, 9), (0,))
    )
    assert lines == ["sat {0: 9}  slot0 == 9  given slot0 <u 50"]


def test_the_ends_of_a_chain_count(table: TermTable) -> None:
    statistics = SolverStatistics()
    for answer in (UNSAT, Sat({0: 9}), TIMED_OUT, TIMED_OUT):
        layer = Counted(Timed(FakeSolver(answer), statistics), statistics)
        layer.ask(Query(PathCondition.empty(), is_value(table, 0, 9), (0,)))
    assert (statistics.queries, statistics.sat, statistics.unsat, statistics.unknown) == (4, 1, 1, 2)
    assert statistics.solver_queries == 4
    assert statistics.as_dict()["queries"] == 4
