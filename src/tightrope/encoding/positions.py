"""The positions in an object that an access with a symbolic offset can have, and the tree that chooses among them.

    offset = index * stride + first            count positions; `index` counts them

The tree branches on the bits of the index; with a chain of comparisons, the solver takes several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tightrope.expr.candidates import KnownCandidates, candidates
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, compare, extract, low_zeros, upper_bound
from tightrope.expr.terms import Term, TermTable

MOST_STRIDE = 12  # bits
_LIMIT = 1 << 31


@dataclass(frozen=True, slots=True)
class Positions:
    """The offsets, in order, and the index of the accessed one (as wide as necessary)."""

    offsets: Sequence[int]
    index: Term | None  # None: the offset itself must be compared
    offset: Term

    def holds(self, table: TermTable, number: int) -> Term:
        """True where this position is accessed."""
        if self.index is None:
            return compare(table, Op.EQ, self.offset, table.constant(self.offsets[number], self.offset.bits))
        return compare(table, Op.EQ, self.index, table.constant(number, self.index.bits))


def find_positions(table: TermTable, offset: Term, last: int, known: KnownCandidates) -> Positions:
    """`last`: the largest offset inside the object; the caller excludes larger ones."""
    chosen = candidates(offset, known)
    if chosen is not None:
        return Positions([each for each in sorted(chosen) if each <= last], None, offset)
    last = min(last, upper_bound(offset))
    found = _elements(table, offset, last)
    return found if found is not None else _by_bits(table, offset, last)


def _elements(table: TermTable, offset: Term, last: int) -> Positions | None:
    """offset = index * scale + constant, which cannot wrap."""
    constant, term = 0, offset
    if term.op is Op.ADD and term.args[1].op is Op.CONSTANT:
        constant, term = _signed(term.args[1].number), term.args[0]
    if term.op is not Op.MUL or term.args[1].op is not Op.CONSTANT or not _is_small(term.args[0]):
        return None
    scale = _signed(term.args[1].number)
    if not 0 < scale < _LIMIT or not -_LIMIT < constant < _LIMIT or scale & (scale - 1) == 0:
        return None
    first = constant % scale
    steps = (constant - first) // scale
    count = (last - first) // scale + 1 if last >= first else 0
    index = apply(table, Op.ADD, term.args[0], table.constant(steps, 64))
    return Positions(range(first, first + count * scale, scale), _narrow(table, index, count), offset)


def _by_bits(table: TermTable, offset: Term, last: int) -> Positions:
    """The stride follows from the lowest bits, which no input changes."""
    low, constant = low_zeros(offset), 0
    if offset.op is Op.ADD and offset.args[1].op is Op.CONSTANT:
        low, constant = low_zeros(offset.args[0]), offset.args[1].number
    low = min(low, MOST_STRIDE)
    first = constant & ((1 << low) - 1)
    count = ((last - first) >> low) + 1 if last >= first else 0
    offsets = range(first, first + (count << low), 1 << low)
    width = max(1, (count - 1).bit_length()) if count else 1
    if low + width > offset.bits:
        return Positions(offsets, None, offset)
    return Positions(offsets, extract(table, offset, low, width), offset)


def _narrow(table: TermTable, index: Term, count: int) -> Term:
    return extract(table, index, 0, max(1, (count - 1).bit_length()) if count else 1)


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _is_small(term: Term) -> bool:
    """True if it needs at most 33 bits, including its sign."""
    if term.op in (Op.SIGN_EXTEND, Op.ZERO_EXTEND) and term.args[0].bits <= 32:
        return True
    return upper_bound(term) >> 32 == 0


T = TypeVar("T")


def choose_position(
    table: TermTable, positions: Positions, values: Sequence[T], choose: Callable[[Term, T, T], T]
) -> T:
    """The value at the accessed position. There is at least one."""
    index = positions.index
    if index is None:
        found = values[-1]
        for number in range(len(values) - 2, -1, -1):
            found = choose(positions.holds(table, number), values[number], found)
        return found
    level = list(values)
    for bit in range(index.bits):
        if len(level) == 1:
            break
        is_odd = extract(table, index, bit, 1)
        pairs = [(level[k], level[k + 1] if k + 1 < len(level) else level[k]) for k in range(0, len(level), 2)]
        level = [low if low is high else choose(is_odd, high, low) for low, high in pairs]
    return level[0]
