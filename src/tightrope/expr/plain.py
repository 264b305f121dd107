"""Constructors that keep the shape of what they are given and fold constants.

`build` has the table of all constructors, and says when to use these.
"""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.expr.build import TRUTH_BITS, fold, is_constant, require_truth, truth
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import Term, TermTable

_SAME_GIVES = {Op.EQ: 1, Op.ULE: 1, Op.SLE: 1, Op.ULT: 0, Op.SLT: 0, Op.F_SAME: 1}


def equals(table: TermTable, left: Term, right: Term) -> Term:
    """`left = right`: bit vectors by value, floats as `F_SAME` (any two NaN are the same, zeros of two signs not)."""
    return compare(table, Op.F_SAME if left.is_float else Op.EQ, left, right)


def compare(table: TermTable, op: Op, left: Term, right: Term) -> Term:
    """A comparison: constants are folded, `x op x` is decided."""
    if left is right and op in _SAME_GIVES:
        return truth(table, bool(_SAME_GIVES[op]))
    return fold(table, table.make(op, TRUTH_BITS, (left, right)))


def all_of(table: TermTable, terms: Iterable[Term]) -> Term:
    """The conjunction: true when there are none; true operands vanish, a false one decides."""
    return _joined(table, Op.AND, terms, neutral=1)


def any_of(table: TermTable, terms: Iterable[Term]) -> Term:
    """The disjunction: false when there are none."""
    return _joined(table, Op.OR, terms, neutral=0)


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


def _joined(table: TermTable, op: Op, terms: Iterable[Term], neutral: int) -> Term:
    """A chain in the order given, each operand once."""
    result = table.constant(neutral, TRUTH_BITS)
    for term in dict.fromkeys(terms):
        require_truth(term)
        if is_constant(term, neutral):
            continue
        if is_constant(term, 1 - neutral):
            return term
        result = term if result.op is Op.CONSTANT else table.make(op, TRUTH_BITS, (result, term))
    return result
