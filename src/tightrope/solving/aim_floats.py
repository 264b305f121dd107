"""The steps of `aim` through float operators.

Worth having although they only guess: a solver takes milliseconds for a float query where it takes microseconds for
an integer one. Away from the limit by one comes before the neighbouring float, because 1.5 reads better in a test
than 0.50000000000000011.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tightrope.expr import ieee
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.solving.demand import Demand, Step, value_at


def _float_at(term: Term, base: Sequence[int]) -> float:
    return ieee.to_python(value_at(term, base), term.bits)


def _demand(term: Term, value: float) -> Demand:
    return term, ieee.from_python(value, term.bits)


def _neighbour(value: float, towards: float, bits: int) -> float:
    """The next float of this width; in 32 bits a step on the pattern, which is ordered like the magnitude."""
    if bits == 64 or value == 0 or not math.isfinite(value):
        return math.nextafter(value, towards) if bits == 64 else math.copysign(2.0**-149, towards)
    step = 1 if (towards > value) == (value > 0) else -1
    return ieee.to_python(ieee.from_python(value, bits) + step, bits)


def _from_bits(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    return [(term.args[0], wanted)]


def _equal(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    a, b = term.args
    demands: list[Demand] = []
    for x, y in ((a, b), (b, a)):
        if x.support:
            value = _float_at(y, base)
            demands += [_demand(x, value)] if wanted else [_demand(x, value + 1), _demand(x, 0.0)]
    return demands


def _order(is_strict: bool) -> Step:
    """a < b, a <= b. The opposite is also reached by a NaN, which is tried last."""

    def step(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
        a, b = term.args if wanted else term.args[::-1]
        is_apart = is_strict == bool(wanted)
        demands: list[Demand] = []
        for x, y, towards in ((a, b, -math.inf), (b, a, math.inf)):
            if x.support:
                limit = _float_at(y, base)
                away = limit + math.copysign(1, towards)
                near = _neighbour(limit, towards, x.bits) if is_apart else limit
                demands += [_demand(x, away), _demand(x, near)] if is_apart else [_demand(x, near), _demand(x, away)]
        return demands if wanted else [*demands, *[_demand(x, math.nan) for x in (a, b) if x.support]]

    return step


def _is_nan(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    return [_demand(term.args[0], math.nan if wanted else 1.0)]


def _unary(inverse: Callable[[float], float]) -> Step:
    def step(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
        return [_demand(term.args[0], inverse(ieee.to_python(wanted, term.bits)))]

    return step


def _binary(first: Callable[[float, float], float], second: Callable[[float, float], float]) -> Step:
    """`first(wanted, b)` is what a should be, `second(wanted, a)` what b should be."""

    def step(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
        a, b = term.args
        result = ieee.to_python(wanted, term.bits)
        demands = [_demand(a, first(result, _float_at(b, base)))] if a.support else []
        return [*demands, _demand(b, second(result, _float_at(a, base)))] if b.support else demands

    return step


def _from_integer(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    """The integers around the float, where they fit."""
    a = term.args[0]
    value = ieee.to_python(wanted, term.bits)
    if not math.isfinite(value):
        return []
    lowest = -(1 << (a.bits - 1)) if term.op is Op.F_FROM_SIGNED else 0
    highest = lowest + (1 << a.bits) - 1
    nearest = dict.fromkeys((math.floor(value), math.ceil(value)))
    return [(a, whole & ((1 << a.bits) - 1)) for whole in nearest if lowest <= whole <= highest]


def _to_integer(term: Term, wanted: int, base: Sequence[int]) -> list[Demand]:
    is_negative = term.op is Op.F_TO_SIGNED and wanted >> (term.bits - 1)
    return [_demand(term.args[0], float(wanted - (1 << term.bits) if is_negative else wanted))]


_same = _unary(lambda wanted: wanted)

FLOAT_STEPS: dict[Op, Step] = {
    Op.F_FROM_BITS: _from_bits,
    Op.F_ADD: _binary(lambda wanted, b: wanted - b, lambda wanted, a: wanted - a),
    Op.F_SUB: _binary(lambda wanted, b: wanted + b, lambda wanted, a: a - wanted),
    Op.F_MUL: _binary(ieee.divide, ieee.divide),
    Op.F_DIV: _binary(lambda wanted, b: wanted * b, lambda wanted, a: ieee.divide(a, wanted)),
    Op.F_NEG: _unary(lambda wanted: -wanted),
    Op.F_ABS: _same,
    Op.F_SQRT: _unary(lambda wanted: wanted * wanted),
    Op.F_FLOOR: _same,
    Op.F_CEIL: _same,
    Op.F_TRUNC: _same,
    Op.F_ROUND: _same,
    Op.F_RINT: _same,
    Op.F_EQ: _equal,
    Op.F_SAME: _equal,
    Op.F_LT: _order(is_strict=True),
    Op.F_LE: _order(is_strict=False),
    Op.F_IS_NAN: _is_nan,
    Op.F_RESIZE: _same,
    Op.F_FROM_SIGNED: _from_integer,
    Op.F_FROM_UNSIGNED: _from_integer,
    Op.F_TO_SIGNED: _to_integer,
    Op.F_TO_UNSIGNED: _to_integer,
}
