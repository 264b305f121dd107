from __future__ import annotations

import pytest

from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable, slots_of, walk


@pytest.fixture
def table() -> TermTable:
    return TermTable()


def test_equal_structure_is_the_same_object(table: TermTable) -> None:
    x = table.input(0, 32)
    assert table.input(0, 32) is x
    assert table.make(Op.ADD, 32, (x, x)) is table.make(10, 32, (x, x))
    assert table.make(Op.ADD, 32, (x, x)).op is Op.ADD


def test_bits_and_sort_are_part_of_the_structure(table: TermTable) -> None:
    assert table.constant(1, 32) is not table.constant(1, 64)
    assert table.constant(1, 32) is not table.float_constant(1, 32)
    assert table.constant(-1, 8) is table.constant(255, 8)


def test_support_collects_slots(table: TermTable) -> None:
    x, y = table.input(0, 8), table.input(70, 8)
    total = table.make(Op.ADD, 8, (x, table.make(Op.MUL, 8, (y, table.constant(3, 8)))))
    assert total.support == 1 | 1 << 70
    assert slots_of(total.support) == (0, 70)
    assert table.constant(3, 8).support == 0


def test_operands_have_smaller_identifiers_and_are_walked_first(table: TermTable) -> None:
    x = table.input(0, 8)
    shared = table.make(Op.NOT, 8, (x,))
    top = table.make(Op.ADD, 8, (shared, shared))
    assert list(walk(top)) == [x, shared, top]
    assert x.id < shared.id < top.id


def test_walk_is_not_recursive(table: TermTable) -> None:
    term = table.input(0, 8)
    for _ in range(50_000):
        term = table.make(Op.NOT, 8, (table.make(Op.ADD, 8, (term, term)),))
    assert sum(1 for _ in walk(term)) == 100_001
    assert evaluate(term, (1,)) in range(256)
