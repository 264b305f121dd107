"""Constructors that simplify a little: what a caller would otherwise write by hand around `TermTable.make`.

Law: a built term has the meaning its name says on every input (tests hold each one against `evaluate`).
Simplifications are few and local on purpose; the solver has its own, and the runtime already folds constants.
"""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import Term, TermTable

TRUTH_BITS = 1

_SAME_GIVES = {Op.EQ: 1, Op.ULE: 1, Op.SLE: 1, Op.ULT: 0, Op.SLT: 0, Op.F_SAME: 1}


def truth(table: TermTable, value: bool) -> Term:
    return table.constant(int(value), TRUTH_BITS)


def is_constant(term: Term, value: int) -> bool:
    return term.op is Op.CONSTANT and not term.is_float and term.number == value


def negate(table: TermTable, term: Term) -> Term:
    """Logical not of a 1-bit term, without ever stacking one NOT on another."""
    _require_truth(term)
    if term.op is Op.NOT:
        return term.args[0]
    if term.op is Op.CONSTANT:
        return truth(table, not term.number)
    return table.make(Op.NOT, TRUTH_BITS, (term,))


def literal(table: TermTable, term: Term, holds: bool) -> Term:
    """The constraint "this condition came out so"."""
    return term if holds else negate(table, term)


def equals(table: TermTable, left: Term, right: Term) -> Term:
    """`left = right`: bit vectors by value, floats as `F_SAME` (any two NaN are the same, zeros of two signs not)."""
    return compare(table, Op.F_SAME if left.is_float else Op.EQ, left, right)


def compare(table: TermTable, op: Op, left: Term, right: Term) -> Term:
    """A comparison: constants are folded, `x op x` is decided."""
    if left is right and op in _SAME_GIVES:
        return truth(table, bool(_SAME_GIVES[op]))
    return fold(table, table.make(op, TRUTH_BITS, (left, right)))


def conjunction(table: TermTable, terms: Iterable[Term]) -> Term:
    """All of them: true when there are none; true operands vanish, a false one decides."""
    return _joined(table, Op.AND, terms, neutral=1)


def disjunction(table: TermTable, terms: Iterable[Term]) -> Term:
    """Any of them: false when there are none."""
    return _joined(table, Op.OR, terms, neutral=0)


def choose(table: TermTable, condition: Term, then: Term, otherwise: Term) -> Term:
    """`condition ? then : otherwise`."""
    _require_truth(condition)
    if then is otherwise or is_constant(condition, 1):
        return then
    if is_constant(condition, 0):
        return otherwise
    return table.make(Op.ITE, then.bits, (condition, then, otherwise), 0, then.is_float)


def resize(table: TermTable, term: Term, bits: int, is_signed: bool) -> Term:
    """A bit vector at another width: low bits kept, or extended."""
    if bits == term.bits:
        return term
    if bits < term.bits:
        return fold(table, table.make(Op.EXTRACT, bits, (term,), 0))
    return fold(table, table.make(Op.SIGN_EXTEND if is_signed else Op.ZERO_EXTEND, bits, (term,)))


def apply(table: TermTable, op: Op, *args: Term) -> Term:
    """An operator whose result is as wide as its first operand (arithmetic, bitwise), constants folded."""
    return fold(table, table.make(op, args[0].bits, args, 0, OPERATORS[op].is_float))


def fold(table: TermTable, term: Term) -> Term:
    """The constant a term without inputs stands for; any other term unchanged."""
    if term.support or term.op is Op.CONSTANT:
        return term
    return table.make(Op.CONSTANT, term.bits, (), evaluate(term, ()), term.is_float)


def _joined(table: TermTable, op: Op, terms: Iterable[Term], neutral: int) -> Term:
    result = table.constant(neutral, TRUTH_BITS)
    for term in dict.fromkeys(terms):
        _require_truth(term)
        if is_constant(term, neutral):
            continue
        if is_constant(term, 1 - neutral):
            return term
        result = term if result.op is Op.CONSTANT else table.make(op, TRUTH_BITS, (result, term))
    return result


def _require_truth(term: Term) -> None:
    if term.bits != TRUTH_BITS or term.is_float:
        raise ValueError(f"a condition has 1 bit, but {term!r} has {term.bits}")
