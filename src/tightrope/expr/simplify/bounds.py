"""Cheap facts from the structure of a bit vector: an upper bound, and the number of low bits that are zero.

Law: for every input, `value <= upper_bound(term)` and the lowest `low_zeros(term)` bits of the value are 0. Both may be
weaker than the truth: terms are graphs, so the walk goes only `DEPTH` operators down, or to what `known` holds already
(a caller's cache, one for each of the two, filled on the way; what is found at less depth is weaker, never wrong).
"""

from __future__ import annotations

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

DEPTH = 6
KEPT = 4  # results with less remaining depth are not worth caching

KnownBounds = dict[Term, int]

_PAIRS = frozenset((Op.AND, Op.OR, Op.XOR, Op.ADD, Op.MUL, Op.CONCAT))
_MIN_OF_BOTH = frozenset((Op.ADD, Op.SUB, Op.OR, Op.XOR))


def upper_bound(term: Term, known: KnownBounds | None = None) -> int:
    """The largest unsigned number that `term` may be."""
    if term.op is Op.CONSTANT:
        return term.number
    return _bound(term, {} if known is None else known, DEPTH)


def low_zeros(term: Term, known: KnownBounds | None = None) -> int:
    """How many of the lowest bits are 0 for all inputs; the width for a term that is 0."""
    return _zeros(term, {} if known is None else known, DEPTH)


def _bound(term: Term, known: KnownBounds, depth: int) -> int:
    if term.op is Op.CONSTANT:
        return term.number
    if not term.args:  # an input
        return int((1 << term.bits) - 1)
    found = known.get(term)
    if found is None:
        top = (1 << term.bits) - 1
        found = top if depth == 0 or term.is_float else min(top, _bound_of_operator(term, top, known, depth - 1))
        if depth >= KEPT:
            known[term] = found
    return found


def _bound_of_operator(term: Term, top: int, known: KnownBounds, depth: int) -> int:
    op, args = term.op, term.args
    if op is Op.ITE:
        then = _bound(args[1], known, depth)
        return then if then == top else max(then, _bound(args[2], known, depth))
    if op is Op.ZERO_EXTEND or op is Op.EXTRACT:
        inner = _bound(args[0], known, depth)
        return inner >> term.number if op is Op.EXTRACT else inner
    if op is Op.SIGN_EXTEND:
        inner = _bound(args[0], known, depth)
        return top if inner >> (args[0].bits - 1) else inner
    if op in _PAIRS:
        y = _bound(args[1], known, depth)  # the constant first: with it alone it may be decided
        if y == top and op is not Op.AND:
            return top
        return _bound_of_pair(op, _bound(args[0], known, depth), y, args[1].bits)
    if op in (Op.UREM, Op.UDIV, Op.LSHR, Op.SHL) and args[1].op is Op.CONSTANT:
        return _bound_by_constant(op, _bound(args[0], known, depth), args[1].number, top)
    return top


def _bound_of_pair(op: Op, x: int, y: int, low_bits: int) -> int:
    """Not cut to the width: a sum or product above it may be anything."""
    if op is Op.AND:
        return min(x, y)
    if op is Op.ADD:
        return x + y
    if op is Op.MUL:
        return x * y
    if op is Op.CONCAT:
        return x << low_bits | y
    return int((1 << max(x, y).bit_length()) - 1)


def _bound_by_constant(op: Op, x: int, c: int, top: int) -> int:
    if op is Op.LSHR:
        return x >> min(c, 64)
    if op is Op.SHL:
        return x << c if c < 64 else 0
    if c == 0:
        return top
    return min(x, c - 1) if op is Op.UREM else x // c


def _zeros(term: Term, known: KnownBounds, depth: int) -> int:
    if term.op is Op.CONSTANT:
        return (term.number & -term.number).bit_length() - 1 if term.number else term.bits
    if depth == 0 or term.is_float:
        return 0
    found = known.get(term)
    if found is None:
        found = min(term.bits, _zeros_of_operator(term, known, depth - 1))
        if depth >= KEPT:
            known[term] = found
    return found


def _zeros_of_operator(term: Term, known: KnownBounds, depth: int) -> int:
    op, args = term.op, term.args
    if op in _MIN_OF_BOTH:
        y = _zeros(args[1], known, depth)
        return min(_zeros(args[0], known, depth), y) if y else 0
    if op is Op.MUL:
        return _zeros(args[0], known, depth) + _zeros(args[1], known, depth)
    if op is Op.AND:
        return max(_zeros(args[0], known, depth), _zeros(args[1], known, depth))
    if op is Op.ITE:
        then = _zeros(args[1], known, depth)
        return min(then, _zeros(args[2], known, depth)) if then else 0
    if op is Op.SHL and args[1].op is Op.CONSTANT:
        return _zeros(args[0], known, depth) + args[1].number
    if op is Op.ZERO_EXTEND or op is Op.SIGN_EXTEND:
        inner = _zeros(args[0], known, depth)
        return inner if inner < args[0].bits else term.bits
    if op is Op.CONCAT:
        low = _zeros(args[1], known, depth)
        return low if low < args[1].bits else low + _zeros(args[0], known, depth)
    return 0
