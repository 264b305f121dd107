"""Constructors that fold constants and keep all else as it is."""

from __future__ import annotations

import pytest

from tightrope.expr import plain
from tightrope.expr.build import literal, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable


@pytest.fixture
def table() -> TermTable:
    return TermTable()


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
