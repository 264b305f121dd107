from __future__ import annotations

import pytest

from tightrope.expr import plain
from tightrope.expr.build import literal, negate, truth
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


def test_negate_never_stacks(table: TermTable) -> None:
    condition = table.make(Op.ULT, 1, (table.input(0, 8), table.constant(3, 8)))
    assert negate(table, negate(table, condition)) is condition
    assert negate(table, truth(table, True)) is truth(table, False)
    assert literal(table, condition, True) is condition
    assert literal(table, condition, False) is negate(table, condition)


def test_negate_wants_a_condition(table: TermTable) -> None:
    with pytest.raises(ValueError, match="1 bit"):
        negate(table, table.input(0, 8))


def test_comparisons_of_the_same_term_are_decided(table: TermTable) -> None:
    x = table.input(0, 8)
    assert plain.equals(table, x, x) is truth(table, True)
    assert plain.compare(table, Op.SLT, x, x) is truth(table, False)
    nan = table.float_constant(0x7FC00001, 32)
    assert plain.equals(table, nan, table.float_constant(0x7FC00000, 32)) is truth(table, True)
    assert plain.compare(table, Op.F_EQ, nan, nan) is truth(table, False)


def test_connectives_drop_what_is_neutral(table: TermTable) -> None:
    p, q = table.input(0, 1), table.input(1, 1)
    assert plain.all_of(table, []) is truth(table, True)
    assert plain.all_of(table, [truth(table, True), p, p]) is p
    assert plain.all_of(table, [p, truth(table, False), q]) is truth(table, False)
    assert plain.any_of(table, []) is truth(table, False)
    assert plain.any_of(table, [p, q]) is table.make(Op.OR, 1, (p, q))


def test_constants_are_folded(table: TermTable) -> None:
    assert plain.apply(table, Op.ADD, table.constant(250, 8), table.constant(10, 8)) is table.constant(4, 8)
    assert plain.resize(table, table.constant(-2, 8), 16, is_signed=True) is table.constant(-2, 16)
    assert plain.resize(table, table.constant(0x1234, 16), 8, is_signed=False) is table.constant(0x34, 8)
    x = table.input(0, 8)
    assert plain.resize(table, x, 8, is_signed=False) is x
