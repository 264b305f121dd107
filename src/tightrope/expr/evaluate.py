"""The concrete meaning of every operator: the oracle that the runtime, the compiled predicates and the solver back
ends are tested against.

One small function per operator, bits in and bits out: a bit vector of n bits is a number in [0, 2**n), a float is
its IEEE pattern with a NaN always in its one canonical pattern (`ieee`). Written for clarity; `compiled` is the
quick twin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tightrope.expr import ieee
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

Meaning = Callable[..., int]  # (the term, the operands' values ...) -> the value


def evaluate(term: Term, values: Sequence[int]) -> int:
    """What `term` is when slot `s` holds `values[s]` (only the slots it mentions are looked at)."""
    return ValuesAt(values)(term)


class ValuesAt:
    """Evaluates several terms at one input: what they share once."""

    __slots__ = ("_known", "_values")

    def __init__(self, values: Sequence[int]) -> None:
        self._values = values
        self._known: dict[Term, int] = {}

    def __call__(self, term: Term) -> int:
        known, stack = self._known, [term]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            missing = [arg for arg in top.args if arg not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if top.op is Op.INPUT:
                known[top] = self._values[top.number] & _mask(top)
            else:
                known[top] = MEANINGS[top.op](top, *[known[arg] for arg in top.args])
        return known[term]


def holds(term: Term, values: Sequence[int]) -> bool:
    """Whether a condition is true on an input."""
    return evaluate(term, values) == 1


def signed(value: int, bits: int) -> int:
    """A bit vector read as two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


def _mask(term: Term) -> int:
    return (1 << term.bits) - 1


def _signed_operands(term: Term, *values: int) -> list[int]:
    return [signed(value, arg.bits) for value, arg in zip(values, term.args, strict=True)]


def _constant(term: Term) -> int:
    return ieee.canonical(term.number, term.bits) if term.is_float else term.number


def _extract(term: Term, a: int) -> int:
    return (a >> term.number) & _mask(term)


def _concat(term: Term, a: int, b: int) -> int:
    return a << term.args[1].bits | b


def _zero_extend(term: Term, a: int) -> int:
    return a


def _sign_extend(term: Term, a: int) -> int:
    return signed(a, term.args[0].bits) & _mask(term)


def _not(term: Term, a: int) -> int:
    return ~a & _mask(term)


def _add(term: Term, a: int, b: int) -> int:
    return (a + b) & _mask(term)


def _sub(term: Term, a: int, b: int) -> int:
    return (a - b) & _mask(term)


def _mul(term: Term, a: int, b: int) -> int:
    return (a * b) & _mask(term)


def _udiv(term: Term, a: int, b: int) -> int:
    return a // b if b else _mask(term)


def _sdiv(term: Term, a: int, b: int) -> int:
    x, y = _signed_operands(term, a, b)
    if y == 0:
        return 1 if x < 0 else _mask(term)
    quotient = abs(x) // abs(y)
    return (quotient if (x < 0) == (y < 0) else -quotient) & _mask(term)


def _urem(term: Term, a: int, b: int) -> int:
    return a % b if b else a


def _srem(term: Term, a: int, b: int) -> int:
    x, y = _signed_operands(term, a, b)
    if y == 0:
        return a
    remainder = abs(x) % abs(y)
    return (-remainder if x < 0 else remainder) & _mask(term)


def _shl(term: Term, a: int, b: int) -> int:
    return (a << b) & _mask(term) if b < term.bits else 0


def _lshr(term: Term, a: int, b: int) -> int:
    return a >> b if b < term.bits else 0


def _ashr(term: Term, a: int, b: int) -> int:
    return (signed(a, term.bits) >> min(b, term.bits - 1)) & _mask(term)


def _and(term: Term, a: int, b: int) -> int:
    return a & b


def _or(term: Term, a: int, b: int) -> int:
    return a | b


def _xor(term: Term, a: int, b: int) -> int:
    return a ^ b


def _eq(term: Term, a: int, b: int) -> int:
    return int(a == b)


def _ult(term: Term, a: int, b: int) -> int:
    return int(a < b)


def _ule(term: Term, a: int, b: int) -> int:
    return int(a <= b)


def _slt(term: Term, a: int, b: int) -> int:
    x, y = _signed_operands(term, a, b)
    return int(x < y)


def _sle(term: Term, a: int, b: int) -> int:
    x, y = _signed_operands(term, a, b)
    return int(x <= y)


def _ite(term: Term, a: int, b: int, c: int) -> int:
    return b if a else c


def _f_from_bits(term: Term, a: int) -> int:
    return ieee.canonical(a, term.bits)


def _floats(term: Term, *values: int) -> list[float]:
    return [ieee.to_python(value, arg.bits) for value, arg in zip(values, term.args, strict=True)]


def _f_add(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return ieee.from_python(x + y, term.bits)


def _f_sub(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return ieee.from_python(x - y, term.bits)


def _f_mul(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return ieee.from_python(x * y, term.bits)


def _f_div(term: Term, a: int, b: int) -> int:
    return ieee.from_python(ieee.divide(*_floats(term, a, b)), term.bits)


def _f_neg(term: Term, a: int) -> int:
    return ieee.canonical(a ^ ieee.SIGN[term.bits], term.bits)


def _f_abs(term: Term, a: int) -> int:
    return ieee.canonical(a & ~ieee.SIGN[term.bits], term.bits)


def _f_sqrt(term: Term, a: int) -> int:
    return ieee.from_python(ieee.square_root(*_floats(term, a)), term.bits)


def _to_integral(rounding: Callable[[float], int]) -> Meaning:
    def meaning(term: Term, a: int) -> int:
        return ieee.from_python(ieee.to_integral(ieee.to_python(a, term.bits), rounding), term.bits)

    return meaning


def _f_min(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return b if x != x else a if y != y or x <= y else b


def _f_max(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return b if x != x else a if y != y or x >= y else b


def _f_fma(term: Term, a: int, b: int, c: int) -> int:
    return ieee.multiply_add(a, b, c, term.bits)


def _f_eq(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return int(x == y)


def _f_lt(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return int(x < y)


def _f_le(term: Term, a: int, b: int) -> int:
    x, y = _floats(term, a, b)
    return int(x <= y)


def _f_is_nan(term: Term, a: int) -> int:
    return int(ieee.is_nan(a, term.args[0].bits))


def _f_same(term: Term, a: int, b: int) -> int:
    return int(a == b)  # patterns are canonical


def _f_resize(term: Term, a: int) -> int:
    return ieee.from_python(ieee.to_python(a, term.args[0].bits), term.bits)


def _f_from_signed(term: Term, a: int) -> int:
    return ieee.from_fraction(Fraction(signed(a, term.args[0].bits)), term.bits)


def _f_from_unsigned(term: Term, a: int) -> int:
    return ieee.from_fraction(Fraction(a), term.bits)


def _f_to_signed(term: Term, a: int) -> int:
    half = 1 << (term.bits - 1)
    return _truncated(term, a, -half, half - 1)


def _f_to_unsigned(term: Term, a: int) -> int:
    return _truncated(term, a, 0, _mask(term))


def _truncated(term: Term, a: int, lowest: int, highest: int) -> int:
    """Out of range gives 0; C leaves it undefined and a guard keeps every run away from it."""
    (value,) = _floats(term, a)
    whole = math.trunc(value) if math.isfinite(value) else highest + 1
    return whole & _mask(term) if lowest <= whole <= highest else 0


MEANINGS: dict[Op, Meaning] = {
    Op.CONSTANT: _constant,
    Op.EXTRACT: _extract,
    Op.CONCAT: _concat,
    Op.ZERO_EXTEND: _zero_extend,
    Op.SIGN_EXTEND: _sign_extend,
    Op.NOT: _not,
    Op.ADD: _add,
    Op.SUB: _sub,
    Op.MUL: _mul,
    Op.UDIV: _udiv,
    Op.SDIV: _sdiv,
    Op.UREM: _urem,
    Op.SREM: _srem,
    Op.SHL: _shl,
    Op.LSHR: _lshr,
    Op.ASHR: _ashr,
    Op.AND: _and,
    Op.OR: _or,
    Op.XOR: _xor,
    Op.EQ: _eq,
    Op.ULT: _ult,
    Op.ULE: _ule,
    Op.SLT: _slt,
    Op.SLE: _sle,
    Op.ITE: _ite,
    Op.F_FROM_BITS: _f_from_bits,
    Op.F_ADD: _f_add,
    Op.F_SUB: _f_sub,
    Op.F_MUL: _f_mul,
    Op.F_DIV: _f_div,
    Op.F_NEG: _f_neg,
    Op.F_ABS: _f_abs,
    Op.F_SQRT: _f_sqrt,
    Op.F_FLOOR: _to_integral(math.floor),
    Op.F_CEIL: _to_integral(math.ceil),
    Op.F_TRUNC: _to_integral(math.trunc),
    Op.F_ROUND: _to_integral(ieee.half_away),
    Op.F_RINT: _to_integral(round),
    Op.F_MIN: _f_min,
    Op.F_MAX: _f_max,
    Op.F_FMA: _f_fma,
    Op.F_EQ: _f_eq,
    Op.F_LT: _f_lt,
    Op.F_LE: _f_le,
    Op.F_IS_NAN: _f_is_nan,
    Op.F_SAME: _f_same,
    Op.F_RESIZE: _f_resize,
    Op.F_FROM_SIGNED: _f_from_signed,
    Op.F_FROM_UNSIGNED: _f_from_unsigned,
    Op.F_TO_SIGNED: _f_to_signed,
    Op.F_TO_UNSIGNED: _f_to_unsigned,
}
