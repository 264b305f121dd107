"""Random well-formed terms with an input to evaluate them on, for property tests.

A term is grown from a pool: inputs and constants first, then operators over what the pool holds, so sharing comes
for free. Values lean towards the corners: 0, 1, all ones, the sign bit; for floats zeros, infinities, NaN patterns,
subnormals and halves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from tightrope.expr import ieee
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import Term, TermTable

WIDTHS = (1, 3, 8, 32, 64)
ARITHMETIC = tuple(op for op in Op if Op.NOT <= op <= Op.XOR)
COMPARISONS = tuple(op for op in Op if Op.EQ <= op <= Op.SLE)
MOVES = (Op.EXTRACT, Op.CONCAT, Op.ZERO_EXTEND, Op.SIGN_EXTEND)
FLOAT_RESULTS = tuple(op for op in Op if Op.F_ADD <= op <= Op.F_FMA)
FLOAT_COMPARISONS = tuple(op for op in Op if Op.F_EQ <= op <= Op.F_SAME)
FLOAT_CASTS = tuple(op for op in Op if Op.F_RESIZE <= op <= Op.F_TO_UNSIGNED)

CORNERS = (
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.5,
    2.5,
    3.0,
    1e10,
    -1e-42,
    5e-324,
    1e300,
    16777217.0,
    float("inf"),
    -float("inf"),
)


@dataclass(frozen=True)
class Sample:
    table: TermTable
    term: Term
    values: tuple[int, ...]


def bit_patterns(bits: int) -> st.SearchStrategy[int]:
    top = 1 << (bits - 1)
    corners = {0, 1, top, top - 1, 2 * top - 1, 7 % (2 * top)}
    return st.one_of(st.sampled_from(sorted(corners)), st.integers(0, 2 * top - 1))


def float_patterns(bits: int) -> st.SearchStrategy[int]:
    corners = [ieee.from_python(value, bits) for value in CORNERS]
    nan = ieee.NOT_A_NUMBER[bits]
    return st.one_of(st.sampled_from([*corners, nan, nan + 5, nan | ieee.SIGN[bits]]), st.integers(0, (1 << bits) - 1))


class Grower:
    """Draws one sample; `leaf` decides whether leaves are inputs or constants."""

    def __init__(self, draw: Callable[..., object], leaf: str) -> None:
        self.draw = draw
        self.table = TermTable()
        self.values: list[int] = []
        self.pool: list[Term] = []
        self._leaf = leaf

    def add_bits(self, bits: int) -> Term:
        return self._add(bits, self.draw(bit_patterns(bits)), is_float=False)

    def add_float(self, bits: int) -> Term:
        return self._add(bits, self.draw(float_patterns(bits)), is_float=True)

    def _add(self, bits: int, value: int, is_float: bool) -> Term:
        is_input = self._leaf == "input" or (self._leaf == "any" and self.draw(st.booleans()))
        if not is_input:
            term = self.table.float_constant(value, bits) if is_float else self.table.constant(value, bits)
        else:
            term = self.table.input(len(self.values), bits)
            self.values.append(value)
            if is_float:
                term = self.table.make(Op.F_FROM_BITS, bits, (term,), 0, True)
        self.pool.append(term)
        return term

    def pick(self, bits: int | None = None, is_float: bool = False) -> Term:
        fitting = [term for term in self.pool if term.is_float is is_float and bits in (None, term.bits)]
        if not fitting:
            return self.add_float(bits or 32) if is_float else self.add_bits(bits or 8)
        return self.draw(st.sampled_from(fitting))

    def grow(self, op: Op) -> Term:
        term = self._grown(op)
        self.pool.append(term)
        return term

    def _grown(self, op: Op) -> Term:
        make = self.table.make
        if op in MOVES:
            return self._moved(op)
        if op in FLOAT_CASTS:
            return self._cast(op)
        if op is Op.ITE:
            then = self.pick(is_float=self.draw(st.booleans()))
            return make(op, then.bits, (self.pick(1), then, self.pick(then.bits, then.is_float)), 0, then.is_float)
        is_float = op >= Op.F_FROM_BITS
        first = self.pick(is_float=is_float)
        others = [self.pick(first.bits, is_float) for _ in range(OPERATORS[op].arity - 1)]
        bits = 1 if op in COMPARISONS or op in FLOAT_COMPARISONS else first.bits
        return make(op, bits, (first, *others), 0, OPERATORS[op].is_float)

    def _moved(self, op: Op) -> Term:
        first = self.pick()
        if op is Op.EXTRACT:
            lowest = self.draw(st.integers(0, first.bits - 1))
            return self.table.make(op, self.draw(st.integers(1, first.bits - lowest)), (first,), lowest)
        if op is Op.CONCAT:
            second = self.pick()
            if first.bits + second.bits > 64:
                return first
            return self.table.make(op, first.bits + second.bits, (first, second))
        return self.table.make(op, self.draw(st.integers(first.bits + 1, 64)), (first,)) if first.bits < 64 else first

    def _cast(self, op: Op) -> Term:
        if op is Op.F_RESIZE:
            first = self.pick(is_float=True)
            return self.table.make(op, 96 - first.bits, (first,), 0, True)
        if op in (Op.F_FROM_SIGNED, Op.F_FROM_UNSIGNED):
            return self.table.make(op, self.draw(st.sampled_from((32, 64))), (self.pick(),), 0, True)
        return self._guarded(op, self.pick(is_float=True))

    def _guarded(self, op: Op, first: Term) -> Term:
        """Float to integer as C code must do it: only where the value fits."""
        make, bits = self.table.make, self.draw(st.sampled_from((8, 32, 64)))
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if op is Op.F_TO_SIGNED else (0, 1 << bits)
        lowest = self.table.float_constant(ieee.from_python(float(low), first.bits), first.bits)
        limit = self.table.float_constant(ieee.from_python(float(high), first.bits), first.bits)
        fits = make(Op.AND, 1, (make(Op.F_LE, 1, (lowest, first)), make(Op.F_LT, 1, (first, limit))))
        return make(Op.ITE, bits, (fits, make(op, bits, (first,)), self.table.constant(0, bits)))

    def sample(self, term: Term) -> Sample:
        return Sample(self.table, term, tuple(self.values))


@st.composite
def bit_samples(draw: Callable[..., object], leaf: str = "any", most: int = 12) -> Sample:
    """Bit vectors only, several operators deep."""
    grower = Grower(draw, leaf)
    for _ in range(draw(st.integers(1, 3))):
        grower.add_bits(draw(st.sampled_from(WIDTHS)))
    for op in draw(st.lists(st.sampled_from((*ARITHMETIC, *COMPARISONS, *MOVES)), min_size=1, max_size=most)):
        grower.grow(op)
    return grower.sample(grower.pool[-1])


@st.composite
def mixed_samples(draw: Callable[..., object], leaf: str = "any", most: int = 5) -> Sample:
    """Bit vectors and floats together."""
    grower = Grower(draw, leaf)
    grower.add_float(draw(st.sampled_from((32, 64))))
    grower.add_bits(draw(st.sampled_from(WIDTHS)))
    ops = (*FLOAT_RESULTS, *FLOAT_COMPARISONS, *FLOAT_CASTS, Op.ITE, *COMPARISONS, Op.ADD, Op.NOT)
    for op in draw(st.lists(st.sampled_from(ops), min_size=1, max_size=most)):
        grower.grow(op)
    return grower.sample(grower.pool[-1])


@st.composite
def one_operator(draw: Callable[..., object], op: Op, leaf: str) -> Sample:
    """Exactly one application of `op`, operands are leaves."""
    grower = Grower(draw, leaf)
    if op in FLOAT_RESULTS or op in FLOAT_COMPARISONS or op in (Op.F_RESIZE, Op.F_TO_SIGNED, Op.F_TO_UNSIGNED):
        bits = draw(st.sampled_from((32, 64)))
        for _ in range(3):
            grower.add_float(bits)
    elif op is Op.F_FROM_BITS:
        return grower.sample(grower.add_float(draw(st.sampled_from((32, 64)))))
    else:
        bits = draw(st.sampled_from(WIDTHS))
        for _ in range(2):
            grower.add_bits(bits)
    return grower.sample(grower.grow(op))
