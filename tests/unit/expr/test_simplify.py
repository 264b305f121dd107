"""Every simplified term against the plain one, on all inputs.

Random graphs of terms are grown twice, operator by operator: plainly, and with the constructors that simplify. A term
is known by its column: what it is on each of the 256 inputs. So each law is tried in many surroundings, and holds for
all inputs of its (small) width.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from tightrope.expr import simplify
from tightrope.expr.build import negate
from tightrope.expr.evaluate import MEANINGS
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable, walk

WIDTHS = (3, 3, 1, 1)  # of the inputs: two numbers, two conditions
INPUTS = list(product(*(range(1 << bits) for bits in WIDTHS)))
ARITHMETIC = tuple(op for op in Op if Op.ADD <= op <= Op.XOR)
COMPARISONS = tuple(op for op in Op if Op.EQ <= op <= Op.SLE)

Column = tuple[int, ...]


class Columns:
    """What terms of one table are on all inputs."""

    def __init__(self) -> None:
        self._known: dict[Term, Column] = {}

    def __getitem__(self, term: Term) -> Column:
        for each in () if term in self._known else walk(term):
            if each not in self._known:
                self._known[each] = self._of(each)
        return self._known[term]

    def _of(self, term: Term) -> Column:
        if term.op is Op.INPUT:
            return tuple(values[term.number] for values in INPUTS)
        meaning = MEANINGS[term.op]
        if not term.args:
            return (meaning(term),) * len(INPUTS)
        return tuple(meaning(term, *row) for row in zip(*(self._known[arg] for arg in term.args), strict=True))


class Twins:
    """The plain and the simplified term of one meaning, grown together."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.table, self.columns = TermTable(), Columns()
        self.pool: list[tuple[Term, Term]] = []
        for slot, bits in enumerate(WIDTHS):
            self.pool += [(self.table.input(slot, bits),) * 2]

    def pick(self, bits: int | None = None) -> tuple[Term, Term]:
        fitting = [twins for twins in self.pool if bits in (None, twins[0].bits)]
        if fitting and self.random.random() < 0.75:
            return self.random.choice(fitting[-6:] if self.random.random() < 0.6 else fitting)
        bits = bits or self.random.choice((1, 2, 3, 5))
        value = self.random.choice((0, 1, -1, 1 << (bits - 1), self.random.getrandbits(bits)))
        return (self.table.constant(value, bits),) * 2

    def grow(self) -> None:
        kind = self.random.choice(
            (self.apply, self.compare, self.choose, self.logic, self.part, self.whole, self.extend)
        )
        plain, simplified = kind()
        assert simplified.bits == plain.bits
        assert self.columns[simplified] == self.columns[plain], f"{plain!r} became {simplified!r}"
        self.pool.append((plain, simplified))

    def apply(self) -> tuple[Term, Term]:
        op = self.random.choice(ARITHMETIC)
        a, x = self.pick()
        b, y = self.pick(a.bits)
        return self.table.make(op, a.bits, (a, b)), simplify.apply(self.table, op, x, y)

    def compare(self) -> tuple[Term, Term]:
        op = self.random.choice(COMPARISONS)
        a, x = self.pick()
        b, y = self.pick(a.bits)
        return self.table.make(op, 1, (a, b)), simplify.compare(self.table, op, x, y)

    def choose(self) -> tuple[Term, Term]:
        (c, d), (a, x) = self.pick(1), self.pick()
        b, y = self.pick(a.bits)
        return self.table.make(Op.ITE, a.bits, (c, a, b)), simplify.choose(self.table, d, x, y)

    def logic(self) -> tuple[Term, Term]:
        (a, x), (b, y) = self.pick(1), self.pick(1)
        op, how = self.random.choice(
            ((Op.AND, simplify.both), (Op.OR, simplify.either), (Op.XOR, simplify.differ), (Op.NOT, None))
        )
        if how is None:
            a, x = self.pick()
            return self.table.make(Op.NOT, a.bits, (a,)), simplify.complement(self.table, x)
        return self.table.make(op, 1, (a, b)), how(self.table, x, y)

    def part(self) -> tuple[Term, Term]:
        a, x = self.pick()
        low = self.random.randrange(a.bits)
        bits = self.random.randint(1, a.bits - low)
        return self.table.make(Op.EXTRACT, bits, (a,), low), simplify.extract(self.table, x, low, bits)

    def whole(self) -> tuple[Term, Term]:
        (a, x), (b, y) = self.pick(), self.pick()
        if a.bits + b.bits > 12:
            return a, x
        return self.table.make(Op.CONCAT, a.bits + b.bits, (a, b)), simplify.concat(self.table, x, y)

    def extend(self) -> tuple[Term, Term]:
        a, x = self.pick()
        bits = a.bits + self.random.randint(1, 4)
        op, how = self.random.choice(((Op.ZERO_EXTEND, simplify.zero_extend), (Op.SIGN_EXTEND, simplify.sign_extend)))
        return (self.table.make(op, bits, (a,)), how(self.table, x, bits)) if bits < 12 else (a, x)


@pytest.mark.parametrize("part", range(4))
def test_a_simplified_term_is_the_plain_term(part: int) -> None:
    for seed in range(part * 1000, part * 1000 + 20):
        twins = Twins(seed)
        for _ in range(60):
            twins.grow()


def test_bounds_hold() -> None:
    for seed in range(25):
        twins, bounds, zeros = Twins(seed), {}, {}
        for _ in range(40):
            twins.grow()
            for term in twins.pool[-1]:
                column = twins.columns[term]
                assert max(column) <= simplify.upper_bound(term) and max(column) <= simplify.upper_bound(term, bounds)
                low = max(simplify.low_zeros(term), simplify.low_zeros(term, zeros))
                assert not any(value & ((1 << low) - 1) for value in column)


@pytest.fixture
def table() -> TermTable:
    return TermTable()


@pytest.mark.parametrize("op", [op for op in ARITHMETIC if op not in (Op.SDIV, Op.SREM)], ids=lambda op: op.name)
def test_constants_are_folded(op: Op, table: TermTable) -> None:
    for a, b in product(range(8), repeat=2):
        x, y = table.constant(a, 3), table.constant(b, 3)
        expected = MEANINGS[op](table.make(op, 3, (x, y)), a, b)
        assert simplify.apply(table, op, x, y) is table.constant(expected, 3)


def test_a_counter_in_a_choice_stays_a_choice_of_constants(table: TermTable) -> None:
    """After a loop with a `break`: what was counted is tested without any arithmetic."""
    c, d = table.input(0, 1), table.input(1, 1)
    count = simplify.choose(table, c, table.constant(1, 32), table.constant(2, 32))
    count = simplify.apply(table, Op.ADD, count, table.constant(5, 32))
    count = simplify.choose(table, d, table.constant(9, 32), count)
    assert simplify.compare(table, Op.EQ, count, table.constant(9, 32)) is d
    assert simplify.compare(table, Op.SLT, count, table.constant(10, 32)) is table.constant(1, 1)
    assert simplify.compare(table, Op.EQ, count, table.constant(6, 32)) is simplify.both(table, negate(table, d), c)


def test_paths_that_meet_again_are_the_path_they_came_from(table: TermTable) -> None:
    block, c, d = (table.input(slot, 1) for slot in range(3))
    then = simplify.both(table, block, c)
    otherwise = simplify.both(table, block, negate(table, c))
    assert simplify.either(table, then, otherwise) is block
    inner = simplify.either(table, simplify.both(table, then, d), simplify.both(table, then, negate(table, d)))
    assert simplify.either(table, inner, otherwise) is block


def test_a_comparison_and_its_opposite_meet_to_nothing(table: TermTable) -> None:
    x, y = table.input(0, 32), table.input(1, 32)
    for less, at_least in ((Op.ULT, Op.ULE), (Op.SLT, Op.SLE)):
        pair = simplify.compare(table, less, x, y), simplify.compare(table, at_least, y, x)
        assert simplify.both(table, *pair) is table.constant(0, 1)
        assert simplify.either(table, *pair) is table.constant(1, 1)
        three, four = table.constant(3, 32), table.constant(4, 32)
        assert simplify.compare(table, at_least, x, three) is simplify.compare(table, less, x, four)


def test_bytes_put_together_again_are_the_term(table: TermTable) -> None:
    x = table.input(0, 64)
    for order in (range(8), reversed(range(8))):
        parts = {index: simplify.extract(table, x, 8 * index, 8) for index in order}
        rising = parts[0]
        for index in range(1, 8):
            rising = simplify.concat(table, parts[index], rising)
        falling = parts[7]
        for index in range(6, -1, -1):
            falling = simplify.concat(table, falling, parts[index])
        assert rising is x and falling is x


def test_arithmetic_of_chars_is_not_done_on_ints(table: TermTable) -> None:
    c = table.input(0, 8)
    wide = simplify.apply(table, Op.ADD, simplify.sign_extend(table, c, 32), table.constant(1, 32))
    assert simplify.extract(table, wide, 0, 8) is table.make(Op.ADD, 8, (c, table.constant(1, 8)))


def test_a_comparison_of_a_char_is_one_of_chars(table: TermTable) -> None:
    c = table.input(0, 8)
    wide = simplify.sign_extend(table, c, 32)
    assert simplify.compare(table, Op.EQ, wide, table.constant(-3, 32)) is table.make(
        Op.EQ, 1, (c, table.constant(-3, 8))
    )
    assert simplify.compare(table, Op.EQ, wide, table.constant(300, 32)) is table.constant(0, 1)
    assert simplify.compare(table, Op.SLT, wide, table.constant(300, 32)) is table.constant(1, 1)
    unsigned = simplify.zero_extend(table, c, 32)
    assert simplify.compare(table, Op.SLT, unsigned, table.constant(-1, 32)) is table.constant(0, 1)
    assert simplify.compare(table, Op.ULE, unsigned, table.constant(255, 32)) is table.constant(1, 1)


def test_differences_of_offsets_are_constants(table: TermTable) -> None:
    x = table.input(0, 64)
    p, q = (simplify.apply(table, Op.ADD, x, table.constant(offset, 64)) for offset in (24, 8))
    assert simplify.apply(table, Op.SUB, p, q) is table.constant(16, 64)
    assert simplify.compare(table, Op.EQ, p, q) is table.constant(0, 1)


def test_a_truth_value_in_a_byte_is_chosen_as_a_truth_value(table: TermTable) -> None:
    """`_Bool` lies in memory as a byte."""
    c, x, y = (table.input(slot, 1) for slot in range(3))
    one, other = (simplify.zero_extend(table, each, 8) for each in (x, y))
    merged = simplify.choose(table, c, one, other)
    assert simplify.extract(table, merged, 0, 1) is simplify.choose(table, c, x, y)
    merged = simplify.choose(table, c, one, table.constant(0, 8))
    assert simplify.extract(table, merged, 0, 1) is simplify.both(table, c, x)


def test_long_chains_are_no_problem(table: TermTable) -> None:
    """No recursion over what is there already, and a few terms for each that is asked for."""
    value, count = table.input(0, 32), 10_000
    for index in range(count):
        condition = simplify.compare(table, Op.SLT, value, table.constant(index, 32))
        stepped = simplify.apply(table, Op.ADD, value, table.input(1 + index % 7, 32))
        value = simplify.choose(table, condition, stepped, value)
    assert len(table) < 6 * count
