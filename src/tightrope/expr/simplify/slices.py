"""Parts of bit vectors, and their concatenation: constructors that take a part directly from the source of its bits.

Law: the result means what the operator means on every input. Bytes that were extracted from a term and concatenated
again are that term.
"""

from __future__ import annotations

from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.simplify.arithmetic import apply
from tightrope.expr.simplify.bounds import upper_bound
from tightrope.expr.simplify.gates import choose
from tightrope.expr.terms import Term, TermTable

_BY_BITS = frozenset((Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.XOR))  # low bits depend on low bits alone
_EXTENSIONS = (Op.ZERO_EXTEND, Op.SIGN_EXTEND)


def extract(table: TermTable, a: Term, low: int, bits: int) -> Term:
    """`bits` bits of a, from bit `low` on."""
    while True:
        if bits == a.bits:
            return a
        inner = _source(a, low, bits)
        if inner is None:
            break
        a, low = inner
    if a.op is Op.CONSTANT:
        return table.constant(a.number >> low, bits)
    found = _of_extension(table, a, low, bits) if a.op in _EXTENSIONS else _of_operator(table, a, low, bits)
    return found or table.make(Op.EXTRACT, bits, (a,), low)


def concat(table: TermTable, high: Term, low: Term) -> Term:
    """`high` above `low`."""
    bits = high.bits + low.bits
    if high.op is Op.CONSTANT:
        if low.op is Op.CONSTANT:
            return table.constant(high.number << low.bits | low.number, bits)
        if high.number == 0:
            return zero_extend(table, low, bits)
        if low.op is Op.CONCAT and low.args[0].op is Op.CONSTANT:
            return table.make(Op.CONCAT, bits, (concat(table, high, low.args[0]), low.args[1]))
    if high.op is Op.EXTRACT:
        return _adjacent(table, high, low) or table.make(Op.CONCAT, bits, (high, low))
    if high.op is Op.ZERO_EXTEND:
        return zero_extend(table, concat(table, high.args[0], low), bits)
    return table.make(Op.CONCAT, bits, (high, low))


def zero_extend(table: TermTable, a: Term, bits: int) -> Term:
    if a.bits == bits:
        return a
    if a.op is Op.CONSTANT:
        return table.constant(a.number, bits)
    if a.op is Op.ZERO_EXTEND:
        a = a.args[0]
    if _is_constant_choice(a):
        return choose(table, a.args[0], table.constant(a.args[1].number, bits), table.constant(a.args[2].number, bits))
    return table.make(Op.ZERO_EXTEND, bits, (a,))


def sign_extend(table: TermTable, a: Term, bits: int) -> Term:
    if a.bits == bits:
        return a
    if a.op is Op.CONSTANT:
        return table.constant(signed(a.number, a.bits), bits)
    if a.op is Op.SIGN_EXTEND:
        a = a.args[0]
    if _is_constant_choice(a):
        then, otherwise = (table.constant(signed(each.number, a.bits), bits) for each in a.args[1:])
        return choose(table, a.args[0], then, otherwise)
    if upper_bound(a) >> (a.bits - 1) == 0:
        return zero_extend(table, a, bits)
    return table.make(Op.SIGN_EXTEND, bits, (a,))


def resize(table: TermTable, a: Term, bits: int, is_signed: bool) -> Term:
    """Low bits kept, or extended."""
    if bits <= a.bits:
        return extract(table, a, 0, bits)
    return sign_extend(table, a, bits) if is_signed else zero_extend(table, a, bits)


def _is_constant_choice(a: Term) -> bool:
    return a.op is Op.ITE and a.args[1].op is Op.CONSTANT and a.args[2].op is Op.CONSTANT


def _source(a: Term, low: int, bits: int) -> tuple[Term, int] | None:
    """The operand of a that all of the bits are from, and from which bit on there; None: there is none."""
    op, args = a.op, a.args
    if op is Op.EXTRACT:
        return args[0], low + a.number
    if op is Op.CONCAT:
        split = args[1].bits
        if low >= split:
            return args[0], low - split
        return (args[1], low) if low + bits <= split else None
    if op in _EXTENSIONS:
        return (args[0], low) if low + bits <= args[0].bits else None
    if op in (Op.LSHR, Op.SHL, Op.ASHR) and args[1].op is Op.CONSTANT:
        start = low - args[1].number if op is Op.SHL else low + args[1].number
        return (args[0], start) if start >= 0 and start + bits <= a.bits else None
    if op is Op.AND and args[1].op is Op.CONSTANT:
        mask = (1 << bits) - 1
        return (args[0], low) if args[1].number >> low & mask == mask else None
    return None


def _of_extension(table: TermTable, a: Term, low: int, bits: int) -> Term | None:
    """Bits of which some at least were added by the extension."""
    inner = a.args[0]
    if a.op is Op.ZERO_EXTEND and low >= inner.bits:
        return table.constant(0, bits)
    if low == 0:
        return (zero_extend if a.op is Op.ZERO_EXTEND else sign_extend)(table, inner, bits)
    if a.op is Op.ZERO_EXTEND:
        return zero_extend(table, extract(table, inner, low, inner.bits - low), bits)
    return None


def _of_operator(table: TermTable, a: Term, low: int, bits: int) -> Term | None:
    if upper_bound(a) >> low == 0:
        return table.constant(0, bits)
    if _is_constant_choice(a):
        then, otherwise = (table.constant(each.number >> low, bits) for each in a.args[1:])
        return choose(table, a.args[0], then, otherwise)
    # C computes chars and shorts as ints: remove an extension that was made only for that.
    if low == 0 and a.op in _BY_BITS and all(_is_wider(each, bits) for each in a.args):
        return apply(table, a.op, extract(table, a.args[0], 0, bits), extract(table, a.args[1], 0, bits))
    return None


def _is_wider(a: Term, bits: int) -> bool:
    """A constant, or an extension from at most `bits` bits."""
    return a.op is Op.CONSTANT or (a.op in _EXTENSIONS and a.args[0].bits <= bits)


def _adjacent(table: TermTable, high: Term, low: Term) -> Term | None:
    """`high` is an extract: together with one from just below it, they are one."""
    if low.op is Op.EXTRACT and low.args[0] is high.args[0] and high.number == low.number + low.bits:
        return extract(table, high.args[0], low.number, high.bits + low.bits)
    above = low.args[0] if low.op is Op.CONCAT else low
    is_next = above.op is Op.EXTRACT and above.args[0] is high.args[0] and high.number == above.number + above.bits
    if not is_next:
        return None
    whole = extract(table, high.args[0], above.number, high.bits + above.bits)
    return table.make(Op.CONCAT, high.bits + low.bits, (whole, low.args[1]))
