"""Each operator has its row in the table, and whoever works on terms knows each of them.

Whether they mean the same everywhere is tried on many values in tests/semantics/operators.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tightrope.expr import plain
from tightrope.expr.compiled import compile_predicate
from tightrope.expr.evaluate import MEANINGS, evaluate
from tightrope.expr.operators import CONNECTIVES, OPERATORS, Op, Syntax
from tightrope.expr.show import show
from tightrope.expr.terms import Term, TermTable
from tightrope.solving.backends import BACKENDS, is_installed, start_session
from tightrope.solving.query import Sat, Unsat
from tightrope.solving.smtlib import write_smtlib

VALUES = (0x41200000, 0x40400000, 0xC0000000)  # 10.0, 3.0 and -2.0 as floats of 32 bits
EACH = pytest.mark.parametrize("op", Op, ids=lambda op: op.name)


@EACH
def test_every_operator_has_a_row_and_a_meaning(op: Op) -> None:
    row = OPERATORS[op]
    assert row.op is op and row.meaning
    assert bool(row.symbol) == (op not in (Op.CONSTANT, Op.INPUT, Op.F_MIN, Op.F_MAX))
    assert bool(row.rounding) == (row.syntax is Syntax.ROUNDED or op in (Op.F_RESIZE, *_between_sorts()))
    assert op in MEANINGS or op is Op.INPUT


def _between_sorts() -> tuple[Op, ...]:
    return Op.F_FROM_SIGNED, Op.F_FROM_UNSIGNED, Op.F_TO_SIGNED, Op.F_TO_UNSIGNED


def test_connectives_are_plain_on_bits() -> None:
    assert {OPERATORS[op].syntax for op in CONNECTIVES} == {Syntax.PLAIN}


@EACH
def test_every_operator_is_shown_and_compiled(op: Op) -> None:
    term = _applied(TermTable(), op)
    assert show(term)
    assert compile_predicate(term)(VALUES) == evaluate(term, VALUES)


@EACH
def test_every_operator_is_written_as_smtlib(op: Op) -> None:
    table = TermTable()
    term, row = _applied(table, op), OPERATORS[op]
    assert row.symbol in write_smtlib([_is(table, term, evaluate(term, VALUES))])


@pytest.mark.parametrize("backend", [name for name in BACKENDS if is_installed(name)])
@EACH
def test_every_back_end_translates_every_operator(op: Op, backend: str) -> None:
    """On constants: what a solver has to search for is another matter."""
    table = TermTable()
    constants = [table.constant(value, 32) for value in VALUES]
    term = _applied(table, op, constants)
    given = plain.equals(table, table.input(0, 32), constants[0])
    expected = _is(table, term, evaluate(term, VALUES))
    session = start_session(backend, time_limit=60.0)
    assert isinstance(session.ask([given, expected]), Sat)
    assert isinstance(session.ask([given, table.make(Op.NOT, 1, (expected,))]), Unsat)


def _is(table: TermTable, term: Term, value: int) -> Term:
    constant = table.make(Op.CONSTANT, term.bits, (), value, term.is_float)
    return table.make(Op.F_SAME if term.is_float else Op.EQ, 1, (term, constant))


def _applied(table: TermTable, op: Op, leaves: Sequence[Term] = ()) -> Term:
    """The operator on three leaves (inputs unless others are given), as bits or as floats, whichever it takes."""
    row, leaves = OPERATORS[op], leaves or [table.input(slot, 32) for slot in range(3)]
    takes_floats = op > Op.F_FROM_BITS and op not in (Op.F_FROM_SIGNED, Op.F_FROM_UNSIGNED)
    args = [table.make(Op.F_FROM_BITS, 32, (each,), 0, True) if takes_floats else each for each in leaves]
    if op is Op.ITE:
        args[0] = table.make(Op.ULT, 1, (leaves[0], leaves[1]))
    bits = {Op.EXTRACT: 8, Op.CONCAT: 64, Op.ZERO_EXTEND: 64, Op.SIGN_EXTEND: 64, Op.F_RESIZE: 64}.get(op, 32)
    number = 4 if op in (Op.CONSTANT, Op.EXTRACT) else 0
    return table.make(
        op, 1 if row.syntax is Syntax.COMPARISON else bits, tuple(args[: row.arity]), number, row.is_float
    )
