"""Queries about many inputs: some are moved together, and constraints that fail then are repaired."""

from __future__ import annotations

from functools import reduce
from random import Random

import pytest

from tightrope.expr.build import negate
from tightrope.expr.evaluate import evaluate, holds
from tightrope.expr.ieee import from_python
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable, walk
from tightrope.solving.local_search.large_query import LargeQuery, slots_like_most
from tightrope.solving.local_search.moves_together import find_model_together
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import Query

COUNT = 40
EFFORT = 300_000


def samples(table: TermTable, bits: int = 16) -> list[Term]:
    return [table.input(slot, bits) for slot in range(COUNT)]


def total(table: TermTable, terms: list[Term]) -> Term:
    wide = [table.make(Op.SIGN_EXTEND, 32, (term,)) for term in terms]
    return reduce(lambda a, b: table.make(Op.ADD, 32, (a, b)), wide)


def model(target: Term, constraints: list[Term], base: tuple[int, ...]) -> tuple[int, ...] | None:
    query = Query(PathCondition.empty().extend_all(constraints), target, base)
    found = find_model_together(query, EFFORT)
    assert found is None or all(holds(term, found) for term in query.constraints)
    return None if found is None else tuple(found)


def at_most(table: TermTable, terms: list[Term], limit: int) -> list[Term]:
    return [negate(table, table.make(Op.SLT, 1, (table.constant(limit, 16), term))) for term in terms]


@pytest.mark.parametrize("wanted", [12_345, -30_000, 39_999])
def test_a_sum_that_no_single_sample_reaches(wanted: int) -> None:
    table = TermTable()
    terms = samples(table)
    target = table.make(Op.EQ, 1, (total(table, terms), table.constant(wanted, 32)))
    assert model(target, at_most(table, terms, 1_000), (0,) * COUNT) is not None


def test_a_threshold_under_limits_of_each_sample() -> None:
    table = TermTable()
    terms = samples(table)
    target = table.make(Op.SLT, 1, (table.constant(38_000, 32), total(table, terms)))
    assert model(target, at_most(table, terms, 1_000), (0,) * COUNT) is not None


def test_a_checksum_follows_what_it_is_about() -> None:
    """The target changes one byte, and only another slot can make the checksum right again."""
    table = TermTable()
    data = [table.input(slot, 8) for slot in range(COUNT)]
    mixed = table.constant(0xFFFF, 32)
    for byte in data:
        mixed = table.make(Op.XOR, 32, (mixed, table.make(Op.ZERO_EXTEND, 32, (byte,))))
        mixed = table.make(Op.MUL, 32, (mixed, table.constant(16_777_619, 32)))
    base = [0] * COUNT
    checksum = table.input(COUNT, 32)
    agrees = table.make(Op.EQ, 1, (mixed, checksum))
    base.append(evaluate(mixed, base))
    target = table.make(Op.EQ, 1, (data[0], table.constant(0x7E, 8)))
    found = model(target, [agrees], tuple(base))
    assert found is not None and found[0] == 0x7E and found[1:COUNT] == (0,) * (COUNT - 1)


def test_the_energy_of_floats_between_two_limits() -> None:
    table = TermTable()
    terms = [table.make(Op.F_FROM_BITS, 32, (table.input(slot, 32),), 0, True) for slot in range(COUNT)]
    squares = [table.make(Op.F_MUL, 32, (term, term), 0, True) for term in terms]
    energy = reduce(lambda a, b: table.make(Op.F_ADD, 32, (a, b), 0, True), squares)
    low, high = (table.float_constant(from_python(value, 32), 32) for value in (100.0, 101.0))
    above = table.make(Op.F_LT, 1, (low, energy))
    below = table.make(Op.F_LT, 1, (energy, high))
    assert model(below, [above], (from_python(10.0, 32),) * COUNT) is not None


def test_what_has_no_solution_is_given_up() -> None:
    table = TermTable()
    terms = samples(table)
    target = table.make(Op.SLT, 1, (table.constant(41_000, 32), total(table, terms)))
    assert model(target, at_most(table, terms, 1_000), (0,) * COUNT) is None


def test_the_same_query_gives_the_same_model() -> None:
    def once() -> tuple[int, ...] | None:
        table = TermTable()
        terms = samples(table)
        target = table.make(Op.EQ, 1, (total(table, terms), table.constant(12_345, 32)))
        return model(target, at_most(table, terms, 1_000), (0,) * COUNT)

    assert once() == once()


def test_changes_are_evaluated_as_the_oracle_does() -> None:
    """Random changes, kept or not: the values of all terms are those of `evaluate`."""
    table, source = TermTable(), Random(5)
    terms = samples(table)
    target = table.make(Op.EQ, 1, (total(table, terms), table.constant(12_345, 32)))
    query = Query(PathCondition.empty().extend_all(at_most(table, terms, 1_000)), target, (0,) * COUNT)
    large = LargeQuery(query)
    parts = list(walk(*query.constraints))
    for _ in range(30):
        before = list(large.values), large.distance
        change = {source.randrange(COUNT): source.getrandbits(16) for _ in range(source.randint(1, 4))}
        if not large.try_change(change, always=bool(source.getrandbits(1))):
            assert (large.values, large.distance) == before
        assert all(large.at(term) == evaluate(term, large.values) for term in parts)
        assert set(large.failing) == {term for term in query.constraints if not holds(term, large.values)}
        assert (large.distance == 0) == (not large.failing)


def test_slots_of_elements_are_those_of_one_width() -> None:
    table = TermTable()
    terms = samples(table)
    limit = table.input(COUNT, 32)
    target = table.make(Op.SLT, 1, (limit, total(table, terms)))
    assert slots_like_most(Query(PathCondition.empty(), target, (0,) * (COUNT + 1))) == tuple(range(COUNT))
