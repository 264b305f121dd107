"""Guesses inputs that make a condition true: propagates the wanted value of the condition back to one slot.

    target   x * 3 + y == 20,  base x = 0, y = 5        x * 3 + y := 20   ->   x * 3 := 15   ->   x := 5
                                                                         or   y := 20

Every step inverts one operator: which value does this operand need, if everything else stays as in the base? A step may
guess wrongly or give up, because every guess is evaluated before it is used; so there are only steps that cost a
microsecond and are often right. Steps through floats are worthwhile although they are right less often: a solver takes
milliseconds for a float query, and microseconds for an integer query.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from tightrope.expr import ieee
from tightrope.expr.evaluate import ValuesAt, signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

Demand = tuple[Term, int]  # a term and the value it should have (a float's IEEE bits)
Reader = Callable[[Term], int]  # the value of a term at the base
Step = Callable[[Term, int, Reader], list[Demand]]  # (term, wanted, at the base) -> demands on its operands

MOST_STEPS = 40  # per target: keeps the cost of giving up small


def guess_values(target: Term, base: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(slot, value) pairs worth trying, one at a time, to make `target` true; most promising first."""
    return guess_values_at(target, ValuesAt(base))


def guess_values_at(target: Term, at: Reader, *, is_nearest_first: bool = False) -> Iterator[tuple[int, int]]:
    """The same for an input at which the values of terms are known. `is_nearest_first`: slots near the root come
    first, whatever is promising: a path down a deep term leads far."""
    demands: deque[Demand] = deque([(target, 1)])
    for _ in range(MOST_STEPS):
        if not demands:
            return
        term, wanted = demands.popleft()
        if term.op is Op.INPUT:
            if at(term) != wanted:
                yield term.number, wanted
        elif term.support:
            step = STEPS.get(term.op)
            if step is None:
                continue
            fresh = step(term, wanted, at)
            if is_nearest_first:
                demands.extend(fresh)
            else:
                demands.extendleft(reversed(fresh))


# --- bit vectors ---


def _not(term: Term, wanted: int, at: Reader) -> list[Demand]:
    return [(term.args[0], wanted ^ ((1 << term.bits) - 1))]


def _add(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, b = term.args
    mask = (1 << term.bits) - 1
    return [(x, (wanted - at(y)) & mask) for x, y in ((a, b), (b, a)) if x.support]


def _sub(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, b = term.args
    mask = (1 << term.bits) - 1
    demands = [(a, (wanted + at(b)) & mask)] if a.support else []
    return [*demands, (b, (at(a) - wanted) & mask)] if b.support else demands


def _xor(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, b = term.args
    return [(x, wanted ^ at(y)) for x, y in ((a, b), (b, a)) if x.support]


def _and(term: Term, wanted: int, at: Reader) -> list[Demand]:
    """Bits outside the other operand keep their value: they do not matter now."""
    demands = []
    for x, y in (term.args, term.args[::-1]):
        mask = at(y)
        if x.support and not wanted & ~mask:
            demands.append((x, at(x) & ~mask | wanted))
    return demands


def _or(term: Term, wanted: int, at: Reader) -> list[Demand]:
    demands = []
    for x, y in (term.args, term.args[::-1]):
        fixed = at(y)
        if x.support and not fixed & ~wanted:
            demands.append((x, wanted & ~fixed | at(x) & fixed))
    return demands


def _mul(term: Term, wanted: int, at: Reader) -> list[Demand]:
    """By the inverse of the odd part of the other factor; its even part must divide."""
    demands = []
    modulus = 1 << term.bits
    for x, y in (term.args, term.args[::-1]):
        factor = at(y)
        even = factor & -factor
        if x.support and even and not wanted % even:
            demands.append((x, wanted // even * pow(factor // even, -1, modulus) % modulus))
    return demands


def _shl(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, amount = term.args[0], at(term.args[1])
    if amount >= term.bits or wanted & ((1 << amount) - 1):
        return []
    kept = (1 << (term.bits - amount)) - 1
    return [(a, at(a) & ~kept | wanted >> amount)]


def _shr(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, amount = term.args[0], at(term.args[1])
    if amount >= term.bits:
        return []
    return [(a, wanted << amount & ((1 << term.bits) - 1) | at(a) & ((1 << amount) - 1))]


def _div(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, b = term.args
    return [(a, wanted * at(b) & ((1 << term.bits) - 1))]


def _rem(term: Term, wanted: int, at: Reader) -> list[Demand]:
    """Near the current value, or the remainder itself."""
    a = term.args[0]
    mask = (1 << term.bits) - 1
    return [(a, (at(a) - at(term) + wanted) & mask), (a, wanted)]


def _zero_extend(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a = term.args[0]
    return [(a, wanted)] if wanted >> a.bits == 0 else []


def _sign_extend(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a = term.args[0]
    low = wanted & ((1 << a.bits) - 1)
    return [(a, low)] if signed(low, a.bits) == signed(wanted, term.bits) else []


def _extract(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a = term.args[0]
    field = ((1 << term.bits) - 1) << term.number
    return [(a, at(a) & ~field | wanted << term.number)]


def _concat(term: Term, wanted: int, at: Reader) -> list[Demand]:
    """Only one half can change, so the other must already be right."""
    a, b = term.args
    high, low = wanted >> b.bits, wanted & ((1 << b.bits) - 1)
    if a.support and at(b) == low:
        return [(a, high)]
    return [(b, low)] if b.support and at(a) == high else []


def _ite(term: Term, wanted: int, at: Reader) -> list[Demand]:
    """The side that is taken now; or the other one, if it has the value."""
    condition, then, otherwise = term.args
    is_then = at(condition)
    taken, other = (then, otherwise) if is_then else (otherwise, then)
    demands = [(condition, 1 - is_then)] if at(other) == wanted else []
    return [*demands, (taken, wanted)]


def _eq(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, b = term.args
    mask = (1 << a.bits) - 1
    demands: list[Demand] = []
    for x, y in ((a, b), (b, a)):
        if x.support:
            value = at(y)
            demands += [(x, value)] if wanted else [(x, (value + 1) & mask), (x, (value - 1) & mask)]
    return demands


def _order(is_strict: bool, is_signed: bool) -> Step:
    """a < b, a <= b: next to the other operand first, then far away from it."""

    def step(term: Term, wanted: int, at: Reader) -> list[Demand]:
        a, b = term.args
        flip = 1 << (a.bits - 1) if is_signed else 0  # signed order is unsigned order with the top bit flipped
        highest = (1 << a.bits) - 1
        if not wanted:
            a, b = b, a  # not (a < b) is b <= a
        gap = int(is_strict == bool(wanted))
        demands = []
        if a.support:
            limit = (at(b) ^ flip) - gap
            demands += [(a, value ^ flip) for value in (limit, 0)] if limit >= 0 else []
        if b.support:
            limit = (at(a) ^ flip) + gap
            demands += [(b, value ^ flip) for value in (limit, highest)] if limit <= highest else []
        return demands

    return step


# --- floats: away from the limit by one comes before the neighbouring float, because 1.5 reads better in a test than
# 0.50000000000000011 ---


def _float_at(term: Term, at: Reader) -> float:
    return ieee.to_python(at(term), term.bits)


def _float_demand(term: Term, value: float) -> Demand:
    return term, ieee.from_python(value, term.bits)


def _neighbour(value: float, towards: float, bits: int) -> float:
    """The next float of this width; in 32 bits a step on the pattern, which is ordered like the magnitude."""
    if bits == 64 or value == 0 or not math.isfinite(value):
        return math.nextafter(value, towards) if bits == 64 else math.copysign(2.0**-149, towards)
    step = 1 if (towards > value) == (value > 0) else -1
    return ieee.to_python(ieee.from_python(value, bits) + step, bits)


def _from_bits(term: Term, wanted: int, at: Reader) -> list[Demand]:
    return [(term.args[0], wanted)]


def _float_equal(term: Term, wanted: int, at: Reader) -> list[Demand]:
    a, b = term.args
    demands: list[Demand] = []
    for x, y in ((a, b), (b, a)):
        if x.support:
            value = _float_at(y, at)
            demands += [_float_demand(x, value)] if wanted else [_float_demand(x, value + 1), _float_demand(x, 0.0)]
    return demands


def _float_order(is_strict: bool) -> Step:
    """a < b, a <= b. The opposite is also reached by a NaN, which is tried last."""

    def step(term: Term, wanted: int, at: Reader) -> list[Demand]:
        a, b = term.args if wanted else term.args[::-1]
        is_apart = is_strict == bool(wanted)
        demands: list[Demand] = []
        for x, y, towards in ((a, b, -math.inf), (b, a, math.inf)):
            if x.support:
                limit = _float_at(y, at)
                away = limit + math.copysign(1, towards)
                near = _neighbour(limit, towards, x.bits) if is_apart else limit
                demands += (
                    [_float_demand(x, away), _float_demand(x, near)]
                    if is_apart
                    else [_float_demand(x, near), _float_demand(x, away)]
                )
        return demands if wanted else [*demands, *[_float_demand(x, math.nan) for x in (a, b) if x.support]]

    return step


def _is_nan(term: Term, wanted: int, at: Reader) -> list[Demand]:
    return [_float_demand(term.args[0], math.nan if wanted else 1.0)]


def _float_unary(inverse: Callable[[float], float]) -> Step:
    def step(term: Term, wanted: int, at: Reader) -> list[Demand]:
        return [_float_demand(term.args[0], inverse(ieee.to_python(wanted, term.bits)))]

    return step


def _float_binary(first: Callable[[float, float], float], second: Callable[[float, float], float]) -> Step:
    """`first(wanted, b)` is what a should be, `second(wanted, a)` what b should be."""

    def step(term: Term, wanted: int, at: Reader) -> list[Demand]:
        a, b = term.args
        result = ieee.to_python(wanted, term.bits)
        demands = [_float_demand(a, first(result, _float_at(b, at)))] if a.support else []
        return [*demands, _float_demand(b, second(result, _float_at(a, at)))] if b.support else demands

    return step


def _from_integer(term: Term, wanted: int, at: Reader) -> list[Demand]:
    """The integers around the float, where they fit."""
    a = term.args[0]
    value = ieee.to_python(wanted, term.bits)
    if not math.isfinite(value):
        return []
    lowest = -(1 << (a.bits - 1)) if term.op is Op.F_FROM_SIGNED else 0
    highest = lowest + (1 << a.bits) - 1
    nearest = dict.fromkeys((math.floor(value), math.ceil(value)))
    return [(a, whole & ((1 << a.bits) - 1)) for whole in nearest if lowest <= whole <= highest]


def _to_integer(term: Term, wanted: int, at: Reader) -> list[Demand]:
    is_negative = term.op is Op.F_TO_SIGNED and wanted >> (term.bits - 1)
    return [_float_demand(term.args[0], float(wanted - (1 << term.bits) if is_negative else wanted))]


_float_same = _float_unary(lambda wanted: wanted)

STEPS: dict[Op, Step] = {
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
    Op.F_FROM_BITS: _from_bits,
    Op.F_ADD: _float_binary(lambda wanted, b: wanted - b, lambda wanted, a: wanted - a),
    Op.F_SUB: _float_binary(lambda wanted, b: wanted + b, lambda wanted, a: a - wanted),
    Op.F_MUL: _float_binary(ieee.divide, ieee.divide),
    Op.F_DIV: _float_binary(lambda wanted, b: wanted * b, lambda wanted, a: ieee.divide(a, wanted)),
    Op.F_NEG: _float_unary(lambda wanted: -wanted),
    Op.F_ABS: _float_same,
    Op.F_SQRT: _float_unary(lambda wanted: wanted * wanted),
    Op.F_FLOOR: _float_same,
    Op.F_CEIL: _float_same,
    Op.F_TRUNC: _float_same,
    Op.F_ROUND: _float_same,
    Op.F_RINT: _float_same,
    Op.F_EQ: _float_equal,
    Op.F_SAME: _float_equal,
    Op.F_LT: _float_order(is_strict=True),
    Op.F_LE: _float_order(is_strict=False),
    Op.F_IS_NAN: _is_nan,
    Op.F_RESIZE: _float_same,
    Op.F_FROM_SIGNED: _from_integer,
    Op.F_FROM_UNSIGNED: _from_integer,
    Op.F_TO_SIGNED: _to_integer,
    Op.F_TO_UNSIGNED: _to_integer,
}
