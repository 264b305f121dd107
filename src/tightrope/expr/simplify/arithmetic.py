"""Binary operators on bit vectors: constructors that fold constants and simplify locally.

Law: the result means what the operator means (`operators`) on every input. Constants stand on the right where the
operator commutes, sums and products keep one constant, and an operator with a constant goes into a choice between two
constants: `(c ? 1 : 2) + 3` is `c ? 4 : 5`. So a loop counter stays a constant, or a choice among constants.
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.expr.build import fold
from tightrope.expr.operators import Op
from tightrope.expr.simplify.bounds import low_zeros, upper_bound
from tightrope.expr.simplify.gates import both, choose, differ, either
from tightrope.expr.terms import Term, TermTable

COMMUTATIVE = frozenset((Op.ADD, Op.MUL, Op.AND, Op.OR, Op.XOR))

# On numbers of any width; the constant that is made of it is cut to its width.
_FOLDS: dict[Op, Callable[[int, int, int], int]] = {
    Op.ADD: lambda a, b, bits: a + b,
    Op.SUB: lambda a, b, bits: a - b,
    Op.MUL: lambda a, b, bits: a * b,
    Op.AND: lambda a, b, bits: a & b,
    Op.OR: lambda a, b, bits: a | b,
    Op.XOR: lambda a, b, bits: a ^ b,
    Op.SHL: lambda a, b, bits: a << b if b < bits else 0,
    Op.LSHR: lambda a, b, bits: a >> b if b < bits else 0,
    Op.UDIV: lambda a, b, bits: a // b if b else -1,
    Op.UREM: lambda a, b, bits: a % b if b else a,
}

_ON_TRUTHS: dict[Op, Callable[[TermTable, Term, Term], Term]] = {
    Op.AND: both,
    Op.MUL: both,
    Op.OR: either,
    Op.XOR: differ,
    Op.ADD: differ,
    Op.SUB: differ,
}


def apply(table: TermTable, op: Op, a: Term, b: Term) -> Term:
    """`a op b` for ADD ... XOR, on bit vectors of one width."""
    if a.bits == 1 and op in _ON_TRUTHS:
        return _ON_TRUTHS[op](table, a, b)
    if a.op is Op.CONSTANT:
        if b.op is Op.CONSTANT:
            return _folded(table, op, a, b)
        if op not in COMMUTATIVE:
            return _of_constant(table, op, a, b) or table.make(op, a.bits, (a, b))
        a, b = b, a
    if b.op is Op.CONSTANT:
        return _with_constant(table, op, a, b) or table.make(op, a.bits, (a, b))
    if op in COMMUTATIVE and b.id < a.id:
        a, b = b, a
    return _of_terms(table, op, a, b) or table.make(op, a.bits, (a, b))


def minus(table: TermTable, a: Term) -> Term:
    """`0 - a`."""
    return apply(table, Op.SUB, table.constant(0, a.bits), a)


def complement(table: TermTable, a: Term) -> Term:
    """Every bit flipped."""
    if a.op is Op.NOT:
        return a.args[0]
    return table.constant(~a.number, a.bits) if a.op is Op.CONSTANT else table.make(Op.NOT, a.bits, (a,))


def split_offset(term: Term) -> tuple[Term, int]:
    """`x + c` as x and c; any other term with 0."""
    if term.op is Op.ADD and term.args[1].op is Op.CONSTANT:
        return term.args[0], term.args[1].number
    return term, 0


def _folded(table: TermTable, op: Op, a: Term, b: Term) -> Term:
    quick = _FOLDS.get(op)
    if quick is None:
        return fold(table, table.make(op, a.bits, (a, b)))
    return table.constant(quick(a.number, b.number, a.bits), a.bits)


def _of_terms(table: TermTable, op: Op, a: Term, b: Term) -> Term | None:
    """Neither is a constant."""
    if a is b:
        return _of_same(table, op, a)
    if op is Op.SUB:
        return _difference(table, a, b)
    if op is Op.ADD:
        for x, y in ((a, b), (b, a)):
            if x.op is Op.SUB and x.args[1] is y:
                return x.args[0]
    if op in (Op.AND, Op.OR, Op.XOR) and ((a.op is Op.NOT and a.args[0] is b) or (b.op is Op.NOT and b.args[0] is a)):
        return table.constant(0 if op is Op.AND else -1, a.bits)
    return None


def _of_same(table: TermTable, op: Op, a: Term) -> Term | None:
    if op is Op.SUB or op is Op.XOR:
        return table.constant(0, a.bits)
    return a if op is Op.AND or op is Op.OR else None


def _difference(table: TermTable, a: Term, b: Term) -> Term | None:
    (x, c), (y, d) = split_offset(a), split_offset(b)
    if x is y:
        return table.constant(c - d, a.bits)
    if a.op is Op.ADD and b in a.args:
        return a.args[1] if a.args[0] is b else a.args[0]
    if b.op is Op.ADD and a in b.args:
        return minus(table, b.args[1] if b.args[0] is a else b.args[0])
    return None


def _of_constant(table: TermTable, op: Op, a: Term, b: Term) -> Term | None:
    """a is the constant, and the operator does not commute."""
    if b.op is Op.ITE and b.args[1].op is Op.CONSTANT and b.args[2].op is Op.CONSTANT:
        return choose(table, b.args[0], _folded(table, op, a, b.args[1]), _folded(table, op, a, b.args[2]))
    if op is Op.SUB:
        x, c = split_offset(b)
        if x is not b:  # a - (x + c)
            return table.make(Op.SUB, a.bits, (table.constant(a.number - c, a.bits), x))
        if b.op is Op.SUB and b.args[0].op is Op.CONSTANT:  # a - (c - x)
            return apply(table, Op.ADD, b.args[1], table.constant(a.number - b.args[0].number, a.bits))
    if op in (Op.SHL, Op.LSHR, Op.ASHR) and a.number == 0:
        return a
    return None


def _with_constant(table: TermTable, op: Op, a: Term, b: Term) -> Term | None:
    """b is the constant."""
    if a.op is Op.ITE and a.args[1].op is Op.CONSTANT and a.args[2].op is Op.CONSTANT:
        return choose(table, a.args[0], _folded(table, op, a.args[1], b), _folded(table, op, a.args[2], b))
    return _WITH_CONSTANT[op](table, a, b)


def _add_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 0:
        return a
    x, c = split_offset(a)
    if x is not a:
        return apply(table, Op.ADD, x, table.constant(c + b.number, a.bits))
    if a.op is Op.SUB and a.args[0].op is Op.CONSTANT:  # (c - x) + b
        return table.make(Op.SUB, a.bits, (table.constant(a.args[0].number + b.number, a.bits), a.args[1]))
    return None


def _sub_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    return apply(table, Op.ADD, a, table.constant(-b.number, a.bits))


def _mul_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number < 2:
        return a if b.number else b
    if a.op is Op.MUL and a.args[1].op is Op.CONSTANT:
        return apply(table, Op.MUL, a.args[0], table.constant(a.args[1].number * b.number, a.bits))
    return None


def _and_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    mask = b.number
    if mask == 0:
        return b
    if a.op is Op.AND and a.args[1].op is Op.CONSTANT:
        return apply(table, Op.AND, a.args[0], table.constant(a.args[1].number & mask, a.bits))
    possible = (1 << upper_bound(a).bit_length()) - 1
    if possible & ~mask == 0:
        return a
    return table.constant(0, a.bits) if mask & possible & -(1 << low_zeros(a)) == 0 else None


def _or_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 0:
        return a
    if b.number == (1 << a.bits) - 1:
        return b
    if a.op is Op.OR and a.args[1].op is Op.CONSTANT:
        return apply(table, Op.OR, a.args[0], table.constant(a.args[1].number | b.number, a.bits))
    return None


def _xor_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 0:
        return a
    if b.number == (1 << a.bits) - 1:
        return complement(table, a)
    if a.op is Op.XOR and a.args[1].op is Op.CONSTANT:
        return apply(table, Op.XOR, a.args[0], table.constant(a.args[1].number ^ b.number, a.bits))
    return None


def _shl_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 0:
        return a
    if b.number >= a.bits:
        return table.constant(0, a.bits)
    if a.op is Op.SHL and a.args[1].op is Op.CONSTANT:
        return _shifted_again(table, a, b)
    return None


def _lshr_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 0:
        return a
    if upper_bound(a) >> min(b.number, 64) == 0:
        return table.constant(0, a.bits)
    if a.op is Op.LSHR and a.args[1].op is Op.CONSTANT:
        return _shifted_again(table, a, b)
    return None


def _shifted_again(table: TermTable, a: Term, b: Term) -> Term:
    """By two constants, each below the width."""
    amount = a.args[1].number + b.number
    if amount >= a.bits:
        return table.constant(0, a.bits)
    return table.make(a.op, a.bits, (a.args[0], table.constant(amount, a.bits)))


def _ashr_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 0:
        return a
    return apply(table, Op.LSHR, a, b) if _is_natural(a) else None


def _is_natural(a: Term) -> bool:
    """Never negative."""
    return upper_bound(a) >> (a.bits - 1) == 0


def _udiv_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    divisor = b.number
    if divisor and divisor & (divisor - 1) == 0:
        return apply(table, Op.LSHR, a, table.constant(divisor.bit_length() - 1, a.bits))
    return table.constant(0, a.bits) if divisor and upper_bound(a) < divisor else None


def _urem_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    divisor = b.number
    if divisor and divisor & (divisor - 1) == 0:
        return apply(table, Op.AND, a, table.constant(divisor - 1, a.bits))
    return a if divisor and upper_bound(a) < divisor else None


def _sdiv_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 1:
        return a
    return apply(table, Op.UDIV, a, b) if b.number and _is_natural(b) and _is_natural(a) else None


def _srem_constant(table: TermTable, a: Term, b: Term) -> Term | None:
    if b.number == 1:
        return table.constant(0, a.bits)
    return apply(table, Op.UREM, a, b) if b.number and _is_natural(b) and _is_natural(a) else None


_WITH_CONSTANT: dict[Op, Callable[[TermTable, Term, Term], Term | None]] = {
    Op.ADD: _add_constant,
    Op.SUB: _sub_constant,
    Op.MUL: _mul_constant,
    Op.AND: _and_constant,
    Op.OR: _or_constant,
    Op.XOR: _xor_constant,
    Op.SHL: _shl_constant,
    Op.LSHR: _lshr_constant,
    Op.ASHR: _ashr_constant,
    Op.UDIV: _udiv_constant,
    Op.UREM: _urem_constant,
    Op.SDIV: _sdiv_constant,
    Op.SREM: _srem_constant,
}
