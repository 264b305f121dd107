"""Guesses at inputs that make a condition true: from what the condition should be, back to what one slot should be.

    target   x * 3 + y == 20,  base x = 0, y = 5        x * 3 + y := 20   ->   x * 3 := 15   ->   x := 5
                                                                         or   y := 20

Every step asks "what would this operand have to be, all else as in the base?". A step may guess wrongly or give
up, because whoever uses a guess evaluates it first; so only steps that cost a microsecond and often hit are here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.solving.aim_floats import FLOAT_STEPS
from tightrope.solving.demand import Demand, Step, value_at

MOST_STEPS = 40  # per target: keeps the cost of giving up small


def aim(target: Term, base: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(slot, value) pairs worth trying, one at a time, to make `target` true; most promising first."""
    demands: list[Demand] = [(target, 1)]
    for _ in range(MOST_STEPS):
        if not demands:
            return
        term, wanted = demands.pop()
        if term.op is Op.INPUT:
            if base[term.number] != wanted:
                yield term.number, wanted
        elif term.support:
            step = STEPS.get(term.op)
            if step is not None:
                demands.extend(reversed(step(term, wanted, base)))


def _not(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    return [(term.args[0], wanted ^ ((1 << term.bits) - 1))]


def _add(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, b = term.args
    mask = (1 << term.bits) - 1
    return [(x, (wanted - value_at(y, base)) & mask) for x, y in ((a, b), (b, a)) if x.support]


def _sub(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, b = term.args
    mask = (1 << term.bits) - 1
    demands = [(a, (wanted + value_at(b, base)) & mask)] if a.support else []
    return [*demands, (b, (value_at(a, base) - wanted) & mask)] if b.support else demands


def _xor(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, b = term.args
    return [(x, wanted ^ value_at(y, base)) for x, y in ((a, b), (b, a)) if x.support]


def _and(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    """Bits outside the other operand keep their value: they do not matter now."""
    demands = []
    for x, y in (term.args, term.args[::-1]):
        mask = value_at(y, base)
        if x.support and not wanted & ~mask:
            demands.append((x, value_at(x, base) & ~mask | wanted))
    return demands


def _or(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    demands = []
    for x, y in (term.args, term.args[::-1]):
        fixed = value_at(y, base)
        if x.support and not fixed & ~wanted:
            demands.append((x, wanted & ~fixed | value_at(x, base) & fixed))
    return demands


def _mul(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    """By the inverse of the odd part of the other factor; its even part must divide."""
    demands = []
    modulus = 1 << term.bits
    for x, y in (term.args, term.args[::-1]):
        factor = value_at(y, base)
        even = factor & -factor
        if x.support and even and not wanted % even:
            demands.append((x, wanted // even * pow(factor // even, -1, modulus) % modulus))
    return demands


def _shl(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, amount = term.args[0], value_at(term.args[1], base)
    if amount >= term.bits or wanted & ((1 << amount) - 1):
        return []
    kept = (1 << (term.bits - amount)) - 1
    return [(a, value_at(a, base) & ~kept | wanted >> amount)]


def _shr(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, amount = term.args[0], value_at(term.args[1], base)
    if amount >= term.bits:
        return []
    return [(a, wanted << amount & ((1 << term.bits) - 1) | value_at(a, base) & ((1 << amount) - 1))]


def _div(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, b = term.args
    return [(a, wanted * value_at(b, base) & ((1 << term.bits) - 1))]


def _rem(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    """Near the present value, or the remainder itself."""
    a = term.args[0]
    mask = (1 << term.bits) - 1
    return [(a, (value_at(a, base) - value_at(term, base) + wanted) & mask), (a, wanted)]


def _zero_extend(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a = term.args[0]
    return [(a, wanted)] if wanted >> a.bits == 0 else []


def _sign_extend(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a = term.args[0]
    low = wanted & ((1 << a.bits) - 1)
    return [(a, low)] if signed(low, a.bits) == signed(wanted, term.bits) else []


def _extract(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a = term.args[0]
    field = ((1 << term.bits) - 1) << term.number
    return [(a, value_at(a, base) & ~field | wanted << term.number)]


def _concat(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    """Only one half can be moved, so the other must be right already."""
    a, b = term.args
    high, low = wanted >> b.bits, wanted & ((1 << b.bits) - 1)
    if a.support and value_at(b, base) == low:
        return [(a, high)]
    return [(b, low)] if b.support and value_at(a, base) == high else []


def _ite(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    """The side that is taken now; or the other one, when it has the value."""
    condition, then, otherwise = term.args
    is_then = value_at(condition, base)
    taken, other = (then, otherwise) if is_then else (otherwise, then)
    demands = [(condition, 1 - is_then)] if value_at(other, base) == wanted else []
    return [*demands, (taken, wanted)]


def _eq(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, b = term.args
    mask = (1 << a.bits) - 1
    demands: list[Demand] = []
    for x, y in ((a, b), (b, a)):
        if x.support:
            value = value_at(y, base)
            demands += [(x, value)] if wanted else [(x, (value + 1) & mask), (x, (value - 1) & mask)]
    return demands


def _order(is_strict: bool, is_signed: bool) -> Step:
    """a < b, a <= b: next to the other operand first, then far away from it."""

    def step(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
        a, b = term.args
        flip = 1 << (a.bits - 1) if is_signed else 0  # signed order is unsigned order with the top bit flipped
        highest = (1 << a.bits) - 1
        if not wanted:
            a, b = b, a  # not (a < b) is b <= a
        gap = int(is_strict == bool(wanted))
        demands = []
        if a.support:
            limit = (value_at(b, base) ^ flip) - gap
            demands += [(a, value ^ flip) for value in (limit, 0)] if limit >= 0 else []
        if b.support:
            limit = (value_at(a, base) ^ flip) + gap
            demands += [(b, value ^ flip) for value in (limit, highest)] if limit <= highest else []
        return demands

    return step


STEPS: dict[Op, Step] = {
    **FLOAT_STEPS,
    Op.NOT: _not,
    Op.ADD: _add,
    Op.SUB: _sub,
    Op.XOR: _xor,
    Op.AND: _and,
    Op.OR: _or,
    Op.MUL: _mul,
    Op.SHL: _shl,
    Op.LSHR: _shr,
    Op.ASHR: _shr,
    Op.UDIV: _div,
    Op.SDIV: _div,
    Op.UREM: _rem,
    Op.SREM: _rem,
    Op.ZERO_EXTEND: _zero_extend,
    Op.SIGN_EXTEND: _sign_extend,
    Op.EXTRACT: _extract,
    Op.CONCAT: _concat,
    Op.ITE: _ite,
    Op.EQ: _eq,
    Op.ULT: _order(is_strict=True, is_signed=False),
    Op.ULE: _order(is_strict=False, is_signed=False),
    Op.SLT: _order(is_strict=True, is_signed=True),
    Op.SLE: _order(is_strict=False, is_signed=True),
}
