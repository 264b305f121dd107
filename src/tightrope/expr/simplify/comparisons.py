"""Comparisons: constructors that decide or narrow them where that is cheap.

Law: the result means what the operator means on every input. Only EQ, ULT and SLT are built, with a constant on the
right: `a <= b` is the negation of `b < a`, `3 < x` that of `x < 4`. So a comparison and its opposite are a term and its
NOT, which `gates` looks for.
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.expr import plain
from tightrope.expr.build import negate, truth
from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.simplify.arithmetic import split_offset
from tightrope.expr.simplify.bounds import KnownBounds, low_zeros, upper_bound
from tightrope.expr.simplify.gates import choose, differ
from tightrope.expr.terms import Term, TermTable

CHOICE_DEPTH = 8

Against = Callable[[TermTable, Term, int, KnownBounds], Term]  # x against a constant
_EXTENSIONS = (Op.ZERO_EXTEND, Op.SIGN_EXTEND)


def compare(table: TermTable, op: Op, a: Term, b: Term, known: KnownBounds | None = None) -> Term:
    """`a op b`, a 1-bit term. `known`: upper bounds that the caller keeps (see `bounds`)."""
    bounds = {} if known is None else known
    if op is Op.EQ:
        return _equal(table, a, b, bounds)
    if op is Op.ULT:
        return _below(table, a, b, bounds)
    if op is Op.ULE:
        return negate(table, _below(table, b, a, bounds))
    if op is Op.SLT:
        return _below_signed(table, a, b, bounds)
    if op is Op.SLE:
        return negate(table, _below_signed(table, b, a, bounds))
    return plain.compare(table, op, a, b)


# -- equality


def _equal(table: TermTable, a: Term, b: Term, known: KnownBounds) -> Term:
    if a is b:
        return truth(table, True)
    if a.op is Op.CONSTANT:
        a, b = b, a
    if b.op is Op.CONSTANT:
        return _equal_constant(table, a, b.number, known)
    if a.bits == 1:
        return negate(table, differ(table, a, b))
    (x, c), (y, d) = split_offset(a), split_offset(b)
    if x is y:
        return truth(table, c == d)
    if (c and c == d) or _is_pair_of(Op.NOT, a, b) or _are_extended_alike(a, b):
        a, b = a.args[0], b.args[0]
    return table.make(Op.EQ, 1, (a, b) if a.id < b.id else (b, a))


def _is_pair_of(op: Op, a: Term, b: Term) -> bool:
    return a.op is op and b.op is op


def _are_extended_alike(a: Term, b: Term) -> bool:
    return a.op is b.op and a.op in _EXTENSIONS and a.args[0].bits == b.args[0].bits


def _equal_constant(table: TermTable, a: Term, c: int, known: KnownBounds) -> Term:
    """a = c, by undoing what was done to a."""
    while a.bits > 1:
        undone = _undone(a, c)
        if undone is None:
            break
        if len(undone) == 0:
            return truth(table, False)
        a, c = undone
    if a.op is Op.CONSTANT:
        return truth(table, a.number == c)
    if a.bits == 1:
        return a if c else negate(table, a)
    if c == 0 and (a.op is Op.SUB or a.op is Op.XOR):
        return _equal(table, a.args[0], a.args[1], known)
    if a.op is Op.ITE:
        return _of_choice(table, _equal_constant, a, c, known) or table.make(Op.EQ, 1, (a, table.constant(c, a.bits)))
    if upper_bound(a, known) < c or c & ((1 << low_zeros(a)) - 1):
        return truth(table, False)
    return table.make(Op.EQ, 1, (a, table.constant(c, a.bits)))


def _undone(a: Term, c: int) -> tuple[Term, int] | tuple[()] | None:
    """x and d with `a = c` just when `x = d`; (): never equal; None: a is nothing that can be undone."""
    op, top = a.op, (1 << a.bits) - 1
    if op is Op.ZERO_EXTEND:
        return (a.args[0], c) if c >> a.args[0].bits == 0 else ()
    if op is Op.SIGN_EXTEND:
        narrow = c & ((1 << a.args[0].bits) - 1)
        return (a.args[0], narrow) if signed(narrow, a.args[0].bits) & top == c else ()
    if op is Op.NOT:
        return a.args[0], ~c & top
    if op in (Op.ADD, Op.SUB, Op.XOR, Op.MUL, Op.AND, Op.OR):
        return _undone_binary(op, a.args[0], a.args[1], c, top)
    return _undone_concat(a.args[0], a.args[1], c) if op is Op.CONCAT else None


def _undone_binary(op: Op, x: Term, y: Term, c: int, top: int) -> tuple[Term, int] | tuple[()] | None:
    if op is Op.SUB:
        return (y, (x.number - c) & top) if x.op is Op.CONSTANT else None
    if y.op is not Op.CONSTANT:
        return None
    if op is Op.ADD:
        return x, (c - y.number) & top
    if op is Op.XOR:
        return x, c ^ y.number
    if op is Op.MUL:
        return (x, c * pow(y.number, -1, top + 1) & top) if y.number & 1 else None
    impossible = c & ~y.number if op is Op.AND else y.number & ~c
    return () if impossible else None


def _undone_concat(high: Term, low: Term, c: int) -> tuple[Term, int] | tuple[()] | None:
    c_high, c_low = c >> low.bits, c & ((1 << low.bits) - 1)
    if high.op is Op.CONSTANT:
        return (low, c_low) if high.number == c_high else ()
    if low.op is Op.CONSTANT:
        return (high, c_high) if low.number == c_low else ()
    return None


# -- order


def _below(table: TermTable, a: Term, b: Term, known: KnownBounds) -> Term:
    if b.op is Op.CONSTANT:
        return _below_constant(table, a, b.number, known)
    if a.op is Op.CONSTANT:  # c < b: not b < c + 1
        return negate(table, _below_constant(table, b, a.number + 1, known))
    if a is b:
        return truth(table, False)
    if _are_extended_alike(a, b):  # both extensions keep the order
        return _below(table, a.args[0], b.args[0], known)
    return table.make(Op.ULT, 1, (a, b))


def _below_constant(table: TermTable, a: Term, c: int, known: KnownBounds) -> Term:
    """a < c; c may be 2**bits as well."""
    if a.op is Op.CONSTANT:
        return truth(table, a.number < c)
    if c == 0 or upper_bound(a, known) < c:
        return truth(table, c != 0)
    if c == 1:
        return _equal_constant(table, a, 0, known)
    while a.op is Op.ZERO_EXTEND:
        a = a.args[0]
    if c >= (1 << a.bits) - 1:
        return truth(table, True) if c >> a.bits else negate(table, _equal_constant(table, a, c, known))
    chosen = _of_choice(table, _below_constant, a, c, known) if a.op is Op.ITE else None
    return chosen or table.make(Op.ULT, 1, (a, table.constant(c, a.bits)))


def _below_signed(table: TermTable, a: Term, b: Term, known: KnownBounds) -> Term:
    if b.op is Op.CONSTANT:
        return _below_signed_constant(table, a, signed(b.number, b.bits), known)
    if a.op is Op.CONSTANT:
        return negate(table, _below_signed_constant(table, b, signed(a.number, a.bits) + 1, known))
    if a is b:
        return truth(table, False)
    if _is_pair_of(Op.SIGN_EXTEND, a, b) and a.args[0].bits == b.args[0].bits:
        return _below_signed(table, a.args[0], b.args[0], known)
    half = 1 << (a.bits - 1)
    if upper_bound(a, known) < half and upper_bound(b, known) < half:
        return _below(table, a, b, known)
    return table.make(Op.SLT, 1, (a, b))


def _below_signed_constant(table: TermTable, a: Term, c: int, known: KnownBounds) -> Term:
    """a < c, signed; c may be 2**(bits - 1) as well."""
    while a.op is Op.SIGN_EXTEND:
        a = a.args[0]
    half = 1 << (a.bits - 1)
    if a.op is Op.CONSTANT:
        return truth(table, signed(a.number, a.bits) < c)
    if c <= -half or c >= half:
        return truth(table, c >= half)
    if a.bits == 1:  # -1 < 0
        return a
    if upper_bound(a, known) < half:
        return _below_constant(table, a, max(c, 0), known)
    chosen = _of_choice(table, _below_signed_constant, a, c, known) if a.op is Op.ITE else None
    return chosen or table.make(Op.SLT, 1, (a, table.constant(c, a.bits)))


# -- choices among constants


def _of_choice(table: TermTable, against: Against, term: Term, c: int, known: KnownBounds) -> Term | None:
    """`(b ? 16 : x) = 16` is `b or x = 16`: down a chain of choices of which one side is a constant each."""
    chain: list[Term] = []
    while term.op is Op.ITE and len(chain) < CHOICE_DEPTH:
        if term.args[1].op is Op.CONSTANT:
            chain.append(term)
            term = term.args[2]
        elif term.args[2].op is Op.CONSTANT:
            chain.append(term)
            term = term.args[1]
        else:
            break
    if not chain:
        return None
    result = _leaf(table, against, term, c, known)
    for each in reversed(chain):
        condition, then, otherwise = each.args
        if then.op is Op.CONSTANT:
            result = choose(table, condition, against(table, then, c, known), result)
        else:
            result = choose(table, condition, result, against(table, otherwise, c, known))
    return result


def _leaf(table: TermTable, against: Against, term: Term, c: int, known: KnownBounds) -> Term:
    """What is left at the end of a chain; a further choice stays one, so that this ends."""
    if term.op is not Op.ITE:
        return against(table, term, c, known)
    op = Op.EQ if against is _equal_constant else Op.ULT if against is _below_constant else Op.SLT
    return table.make(op, 1, (term, table.constant(c, term.bits)))
