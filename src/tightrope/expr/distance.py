"""Branch distance: how far a condition is from having a wanted truth value on an input.

Korel (1990) and Tracey (1998) assign a number to a comparison that does not hold; Arcuri (2010) normalises the numbers
of different comparisons, so that they can be added:

    x == 42        at x = 40     2 apart                      x < y          at x = 9, y = 7     9 - 7 + 1 = 3 apart
    p and q        both distances, added                      p or q         the smaller of the two
    of floats      as many apart as there are floats between them (a NaN is far from everything)

Laws: a distance is in [0, 1); it is 0 if and only if `evaluate` gives the wanted value; between numbers further apart
it is never smaller. A logarithm is applied before Arcuri's x / (x + 1), which alone is flat from 2**53 on: a 64-bit
value would have no gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from tightrope.expr import ieee
from tightrope.expr.evaluate import MEANINGS, signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk

Pair = tuple[float, float]  # (how far from true, how far from false): exactly one of them is 0
Reader = Callable[[Term], int]  # the value of a term
Step = Callable[[dict[Term, Pair], Reader], Pair]
Plan = tuple[tuple[Term, Step], ...]  # the conditions of a condition, operands first, itself last
Measure = Callable[[Term, int, int], int]  # (the comparison, its operands' values) -> how far from true; 0: true

FAR = 1 << 65  # further apart than any two numbers


def distance(term: Term, wanted: bool, values: Sequence[int]) -> float:
    """How far the condition `term` is from being `wanted` when slot `s` holds `values[s]`."""
    return follow(plan(term), _value_of_all(term, values).__getitem__)[0 if wanted else 1]


def plan(term: Term) -> Plan:
    """How to measure a condition: computed once, and followed for many inputs."""
    return tuple((part, _step(part)) for part in _skeleton(term))


def operands_of(steps: Plan) -> tuple[Term, ...]:
    """The terms whose values are needed to follow a plan."""
    found = [operand for part, _ in steps if not _looked_into(part) for operand in _compared_in(part)]
    return tuple(dict.fromkeys(found))


def _compared_in(term: Term) -> tuple[Term, ...]:
    return term.args if term.op in _MEASURES else (term,)


def follow(steps: Plan, value: Reader) -> Pair:
    """Measure a condition; `value` returns the value of an operand of a comparison for this input."""
    known: dict[Term, Pair] = {}
    pair = (0.0, 0.0)
    for part, step in steps:
        pair = known[part] = step(known, value)
    return pair


def _skeleton(term: Term) -> Iterator[Term]:
    """The parts of a condition, operands first: comparisons, and the connectives above them."""
    seen: set[Term] = set()
    stack = [term]
    while stack:
        top = stack[-1]
        missing = [arg for arg in _looked_into(top) if arg not in seen]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if top not in seen:
            seen.add(top)
            yield top


def _looked_into(term: Term) -> tuple[Term, ...]:
    """The operands that are conditions themselves; none for a comparison of numbers."""
    if _is_connective(term):
        return term.args
    choice = _choice_compared(term)
    return (choice[0],) if choice else ()


def _is_connective(term: Term) -> bool:
    return term.op in _CONNECTIVES and term.args[0].bits == 1


def _value_of_all(term: Term, values: Sequence[int]) -> dict[Term, int]:
    known: dict[Term, int] = {}
    for part in walk(term):
        if part.op is Op.INPUT:
            known[part] = values[part.number] & ((1 << part.bits) - 1)
        else:
            known[part] = MEANINGS[part.op](part, *[known[arg] for arg in part.args])
    return known


def _step(term: Term) -> Step:
    if _is_connective(term):
        combine = _CONNECTIVES[term.op]
        return lambda known, value: combine(*[known[arg] for arg in term.args])
    choice = _choice_compared(term)
    if choice:
        condition, is_true_when = choice
        return lambda known, value: known[condition] if is_true_when else _not(known[condition])
    if term.op in _MEASURES:
        a, b = term.args
        return lambda known, value: compared(term, value(a), value(b))
    apart = _squashed(FAR if term.op is Op.CONSTANT else 1)
    return lambda known, value: (0.0, apart) if value(term) else (apart, 0.0)


def _squashed(apart: int) -> float:
    """From [0, FAR] to [0, 1); strictly increasing as far as doubles can distinguish the numbers."""
    size = math.log2(1 + apart)
    return size / (size + 1)


def compared(term: Term, a: int, b: int) -> Pair:
    """Measure a comparison of these numbers."""
    to_true = _MEASURES[term.op](term, a, b)
    return (_squashed(to_true), 0.0) if to_true else (0.0, _squashed(_to_false(term, a, b)))


def _to_false(term: Term, a: int, b: int) -> int:
    """The distance of a comparison that holds from being false: not (a < b) is b <= a. (No NaN, because it holds.)"""
    opposite = _OPPOSITES.get(term.op)
    return opposite(term, b, a) if opposite else 1


# --- how conditions combine ---


def _sum(a: float, b: float) -> float:
    """Both must change. Never 0 unless both are, however many are added: halving would underflow in deep terms."""
    return (a + b) / (1 + a + b)


def _not(a: Pair) -> Pair:
    return a[1], a[0]


def _and(a: Pair, b: Pair) -> Pair:
    return _sum(a[0], b[0]), min(a[1], b[1])


def _or(a: Pair, b: Pair) -> Pair:
    return min(a[0], b[0]), _sum(a[1], b[1])


def _xor(a: Pair, b: Pair) -> Pair:
    differ = min(_sum(a[0], b[1]), _sum(a[1], b[0]))
    agree = min(_sum(a[0], b[0]), _sum(a[1], b[1]))
    return differ, agree


def _equal(a: Pair, b: Pair) -> Pair:
    return _not(_xor(a, b))


def _if_then_else(condition: Pair, a: Pair, b: Pair) -> Pair:
    to_then, to_else = condition
    return min(_sum(to_then, a[0]), _sum(to_else, b[0])), min(_sum(to_then, a[1]), _sum(to_else, b[1]))


_CONNECTIVES: dict[Op, Callable[..., Pair]] = {
    Op.NOT: _not,
    Op.AND: _and,
    Op.OR: _or,
    Op.XOR: _xor,
    Op.EQ: _equal,  # of two conditions
    Op.ITE: _if_then_else,
}


# --- how far apart numbers are ---


def _apart(term: Term, a: int, b: int) -> int:
    """The short way round: arithmetic wraps, so -1 is next to 0."""
    return min((a - b) % (1 << term.args[0].bits), (b - a) % (1 << term.args[0].bits))


def _unsigned_order(gap: int) -> Measure:
    return lambda term, a, b: max(0, a - b + gap)


def _signed_order(gap: int) -> Measure:
    def measure(term: Term, a: int, b: int) -> int:
        bits = term.args[0].bits
        return max(0, signed(a, bits) - signed(b, bits) + gap)

    return measure


def float_number(pattern: int, bits: int) -> int:
    """Floats numbered in their order, both zeros 0. Not for a NaN."""
    magnitude = pattern & (ieee.SIGN[bits] - 1)
    return -magnitude if pattern & ieee.SIGN[bits] else magnitude


def _numbers(term: Term, a: int, b: int) -> tuple[int, int] | None:
    """None when one of them is not a number."""
    bits = term.args[0].bits
    return None if ieee.is_nan(a, bits) or ieee.is_nan(b, bits) else (float_number(a, bits), float_number(b, bits))


def _float_apart(term: Term, a: int, b: int) -> int:
    numbers = _numbers(term, a, b)
    return FAR if numbers is None else abs(numbers[0] - numbers[1])


def _float_same(term: Term, a: int, b: int) -> int:
    return 0 if a == b else max(1, _float_apart(term, a, b))


def _float_order(gap: int) -> Measure:
    def measure(term: Term, a: int, b: int) -> int:
        numbers = _numbers(term, a, b)
        return FAR if numbers is None else max(0, numbers[0] - numbers[1] + gap)

    return measure


_MEASURES: dict[Op, Measure] = {
    Op.EQ: _apart,
    Op.ULT: _unsigned_order(1),
    Op.ULE: _unsigned_order(0),
    Op.SLT: _signed_order(1),
    Op.SLE: _signed_order(0),
    Op.F_EQ: _float_apart,
    Op.F_SAME: _float_same,
    Op.F_LT: _float_order(1),
    Op.F_LE: _float_order(0),
}

_OPPOSITES: dict[Op, Measure] = {
    Op.ULT: _unsigned_order(0),
    Op.ULE: _unsigned_order(1),
    Op.SLT: _signed_order(0),
    Op.SLE: _signed_order(1),
    Op.F_LT: _float_order(0),
    Op.F_LE: _float_order(1),
}


# --- conditions that C has converted to numbers ---


def _choice_compared(term: Term) -> tuple[Term, bool] | None:
    """C's `(p ? 3 : 7) == 3` is p, and `(int)(p) == 0` is not p: (p, the comparison's value when p is true).

    None if it does not have that form, or does not depend on p.
    """
    if term.op not in _MEASURES or term.args[0].is_float:
        return None
    for index in (0, 1):
        choice, other = _choice(term.args[index]), term.args[1 - index]
        if choice and other.op is Op.CONSTANT:
            condition, *numbers = choice
            pairs = [(number, other.number) if index == 0 else (other.number, number) for number in numbers]
            when_true, when_false = (_MEASURES[term.op](term, a, b) == 0 for a, b in pairs)
            return (condition, when_true) if when_true != when_false else None
    return None


def _choice(term: Term) -> tuple[Term, int, int] | None:
    """A condition and the two numbers it chooses between."""
    if term.op is Op.ITE and term.args[1].op is term.args[2].op is Op.CONSTANT:
        return term.args[0], term.args[1].number, term.args[2].number
    if term.op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND) and term.args[0].bits == 1:
        return term.args[0], 1 if term.op is Op.ZERO_EXTEND else (1 << term.bits) - 1, 0
    return None
