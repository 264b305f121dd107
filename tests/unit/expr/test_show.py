from __future__ import annotations

import pytest

from tightrope.expr import ieee
from tightrope.expr.build import negate
from tightrope.expr.operators import Op
from tightrope.expr.show import show
from tightrope.expr.terms import Term, TermTable

TABLE = TermTable()
X, Y = TABLE.input(0, 32), TABLE.input(1, 32)
D = TABLE.make(Op.F_FROM_BITS, 64, (TABLE.input(2, 64),), 0, True)


def name(slot: int) -> str:
    return "xyd"[slot]


def number(value: int) -> Term:
    return TABLE.constant(value, 32)


def make(op: Op, *args: Term, bits: int = 32) -> Term:
    return TABLE.make(op, bits, args)


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (make(Op.SLT, make(Op.ADD, X, number(1)), number(3), bits=1), "x + 1 <s 3"),
        (make(Op.ULT, X, number(-1), bits=1), "x <u -1"),
        (make(Op.MUL, make(Op.ADD, X, Y), number(2)), "(x + y) * 2"),
        (make(Op.SUB, X, make(Op.SUB, Y, number(1))), "x - (y - 1)"),
        (make(Op.SUB, make(Op.SUB, X, Y), number(1)), "x - y - 1"),
        (negate(TABLE, make(Op.EQ, X, Y, bits=1)), "x != y"),
        (negate(TABLE, make(Op.ULT, X, Y, bits=1)), "!(x <u y)"),
        (make(Op.NOT, X), "~x"),
        (make(Op.AND, make(Op.EQ, X, Y, bits=1), make(Op.EQ, X, X, bits=1), bits=1), "x == y && x == x"),
        (make(Op.AND, X, number(0xFFFF0)), "x & 0xffff0"),
        (TABLE.make(Op.EXTRACT, 8, (X,), 8), "x[15:8]"),
        (make(Op.SIGN_EXTEND, X, bits=64), "(s64)x"),
        (make(Op.ITE, make(Op.EQ, X, Y, bits=1), X, number(0)), "x == y ? x : 0"),
        (make(Op.F_LT, D, TABLE.float_constant(ieee.from_python(0.5, 64), 64), bits=1), "float64(d) < 0.5"),
        (make(Op.F_SQRT, D, bits=64), "sqrt(float64(d))"),
    ],
)
def test_c_like(term: Term, expected: str) -> None:
    assert show(term, name) == expected


def test_deep_terms_are_cut_not_recursed_into() -> None:
    term = X
    for _ in range(20_000):
        term = make(Op.ADD, term, Y)
    assert len(show(term, name)) < 3_000
