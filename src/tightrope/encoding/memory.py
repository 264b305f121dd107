"""The memory of a state: the contents of objects, in cells.

    offset   0        4    5          16
           | i32 x  | i8 | (zeros)  | ptr p ... |

A cell has the size of the value that was stored last. A read that matches a cell exactly yields the stored value; any
other read is composed from bytes. Bytes without a cell are zero, or unknown in locals and heap blocks.

States share cells until one of them writes: `fork` is cheap, and a join considers only objects that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tightrope.encoding.values import PIECE, Cell, Cells, EncodingTable, Object, Pointer, Scalar, choose_scalar
from tightrope.expr.build import fold
from tightrope.expr.operators import Op
from tightrope.expr.simplify import concat, extract, zero_extend
from tightrope.expr.terms import Term, TermTable

LARGEST = 8  # bytes of a cell
Offsets = frozenset[int]
NONE: Offsets = frozenset()


class Memory:
    """See the module. `unsure` has the bytes whose values are only our choice: at bounds of the shape of the inputs,
    and in new heap blocks if two versions are compared."""

    __slots__ = ("_cells", "_owned", "freed", "unsure")

    def __init__(self) -> None:
        self._cells: dict[Object, Cells] = {}
        self._owned: set[Object] = set()
        self.unsure: dict[Object, Offsets] = {}
        self.freed: dict[Object, Term] = {}

    def fork(self) -> Memory:
        other = Memory()
        other._cells, other.unsure, other.freed = dict(self._cells), dict(self.unsure), dict(self.freed)
        self._owned = set()
        return other

    def cells(self, where: Object) -> Cells:
        known = self._cells.get(where)
        return where.initial if known is None else known

    def touched(self) -> tuple[Object, ...]:
        """The objects that were written."""
        return tuple(self._cells)

    def _own(self, where: Object) -> Cells:
        if where not in self._owned:
            self._cells[where] = dict(self.cells(where))
            self._owned.add(where)
        return self._cells[where]

    def forget(self, where: Object) -> None:
        self._cells.pop(where, None)
        self.unsure.pop(where, None)

    # -- at known offsets

    def write(self, table: TermTable, where: Object, offset: int, size: int, value: Scalar) -> None:
        cells = self._own(where)
        old = cells.get(offset)
        if old is None or old[0] != size or size > 1:
            for start in list(_overlapping(cells, offset, size)):
                if start != offset or cells[start][0] != size:
                    _break(table, cells, start, lambda at: not offset <= at < offset + size)
        cells[offset] = (size, value)
        if where in self.unsure:
            self.unsure[where] = self.unsure[where] - frozenset(range(offset, offset + size))

    def clear(self, table: TermTable, where: Object, offset: int, size: int) -> None:
        """Set `size` bytes to zero."""
        cells = self._own(where)
        for start in list(_overlapping(cells, offset, size)):
            _break(table, cells, start, lambda at: not offset <= at < offset + size)
        if where.make_byte is not None:
            cells.update((at, (width, table.constant(0, 8 * width))) for at, width in _words(offset, offset + size))
        if where in self.unsure:
            self.unsure[where] = self.unsure[where] - frozenset(range(offset, offset + size))

    def read(self, table: TermTable, where: Object, offset: int, size: int) -> Scalar | None:
        """The stored value; None if the bytes include parts of an address or of a computed float."""
        cells = self.cells(where)
        cell = cells.get(offset)
        if cell is not None and cell[0] == size:
            return cell[1]
        return _join_bytes(table, where, cells, offset, size)

    def partition(self, where: Object, offset: int, size: int) -> tuple[tuple[int, int], ...]:
        """Pieces (start, size) after the offset that split no cell; zeros in words."""
        cells, pieces, at = self.cells(where), list[tuple[int, int]](), offset
        end = offset + size
        starts = sorted(start for start in _overlapping(cells, offset, size))
        for start in starts:
            if start < at or start + cells[start][0] > end:
                return tuple((index, 1) for index in range(size))
            pieces += _words(at - offset, start - offset)
            pieces.append((start - offset, cells[start][0]))
            at = start + cells[start][0]
        return tuple(pieces + _words(at - offset, size))

    # -- joins

    def join(self, table: TermTable, condition: Term, other: Memory) -> None:
        """Become `condition ? self : other`."""
        for where in {**self._cells, **other._cells}:
            mine, theirs = self.cells(where), other.cells(where)
            if mine is not theirs and not where.is_dead:
                self._cells[where] = _joined(table, where, condition, mine, theirs)
                self._owned.add(where)
        for where, offsets in other.unsure.items():
            self.unsure[where] = self.unsure.get(where, NONE) | offsets
        for where in {**self.freed, **other.freed}:
            never = table.constant(0, 1)
            mine_is, theirs_is = self.freed.get(where, never), other.freed.get(where, never)
            freed = choose_scalar(table, condition, mine_is, theirs_is)
            assert isinstance(freed, Term)
            self.freed[where] = freed


def _words(start: int, end: int) -> list[tuple[int, int]]:
    """A range of zeros, in pieces of 8 bytes or less."""
    found = []
    while start < end:
        size = next(each for each in (8, 4, 2, 1) if start % each == 0 and start + each <= end)
        found.append((start, size))
        start += size
    return found


def _overlapping(cells: Cells, offset: int, size: int) -> Iterator[int]:
    """The starts of cells that overlap this range."""
    if size <= 64:
        for start in range(offset - LARGEST + 1, offset + size):
            cell = cells.get(start)
            if cell is not None and start + cell[0] > offset:
                yield start
    else:
        yield from (start for start, cell in cells.items() if start < offset + size and start + cell[0] > offset)


def _break(table: TermTable, cells: Cells, start: int, is_kept: Callable[[int], bool]) -> None:
    """Split a cell into single bytes, and keep some of them."""
    size, value = cells.pop(start)
    for index in range(size):
        if is_kept(start + index):
            cells[start + index] = 1, byte_of(table, value, index)


def byte_of(table: TermTable, value: Scalar, index: int) -> Scalar:
    """One byte of a value; of an address or a computed float, a PIECE."""
    if isinstance(value, Pointer):
        return Pointer(value.ways) if index == 0 and len(value.ways) == 0 else PIECE
    bits = bits_of(table, value)
    if bits is None:
        return PIECE
    if bits.bits < 8:
        return zero_extend(table, bits, 8) if index == 0 else table.constant(0, 8)
    if 8 * index + 8 > bits.bits:
        rest = bits.bits - 8 * index
        return zero_extend(table, extract(table, bits, 8 * index, rest), 8) if rest > 0 else table.constant(0, 8)
    return extract(table, bits, 8 * index, 8)


def is_piece(value: Scalar) -> bool:
    return isinstance(value, Pointer) and not value.ways


def bits_of(table: TermTable, value: Term) -> Term | None:
    """The bits of a number; None for a computed float, whose bits are unknown."""
    if not value.is_float:
        return value
    if value.op is Op.F_FROM_BITS:
        return value.args[0]
    if value.op is Op.CONSTANT:
        return table.constant(value.number, value.bits)
    return table.float_bits(value) if isinstance(table, EncodingTable) else None


def _join_bytes(table: TermTable, where: Object, cells: Cells, offset: int, size: int) -> Scalar | None:
    found: Term | None = None
    for at in range(offset + size - 1, offset - 1, -1):
        byte = _byte_at(table, where, cells, at)
        if byte is None:
            return None
        found = byte if found is None else concat(table, found, byte)
    return found


def _byte_at(table: TermTable, where: Object, cells: Cells, at: int) -> Term | None:
    for start in range(at, at - LARGEST, -1):
        cell = cells.get(start)
        if cell is not None:
            if start + cell[0] <= at:
                continue
            byte = byte_of(table, cell[1], at - start)
            return byte if isinstance(byte, Term) else None
    return where.first_byte(table, at)


def cell_around(cells: Cells, at: int) -> Cell | None:
    """The cell that contains this byte."""
    found = (cells[start] for start in range(at, at - LARGEST, -1) if start in cells and start + cells[start][0] > at)
    return next(found, None)


def _joined(table: TermTable, where: Object, condition: Term, mine: Cells, theirs: Cells) -> Cells:
    """Join cell by cell; where the cells do not match, byte by byte."""
    cells: Cells = {}
    for start in _conflicts(mine, theirs):
        mine, theirs = dict(mine), dict(theirs)
        for each in (mine, theirs):
            if start in each:
                _break(table, each, start, lambda at: True)
    for start in {**mine, **theirs}:
        one, other = mine.get(start), theirs.get(start)
        if one is other:
            assert one is not None
            cells[start] = one
            continue
        size = one[0] if one is not None else other[0] if other is not None else 0
        values = [each[1] if each else _join_bytes(table, where, {}, start, size) for each in (one, other)]
        assert values[0] is not None and values[1] is not None
        cells[start] = size, choose_cell(table, condition, values[0], values[1])
    return cells


def choose_cell(table: TermTable, condition: Term, one: Scalar, other: Scalar) -> Scalar:
    """As choose_scalar; numbers of different kinds (float, bits, narrow ones) are joined as bits."""
    if one is other:
        return one
    if is_piece(one) or is_piece(other):
        return PIECE
    if isinstance(one, Term) and isinstance(other, Term) and _kind(one) != _kind(other):
        return _choose_bits(table, condition, one, other)
    return choose_scalar(table, condition, _as_word(table, one, other), _as_word(table, other, one))


def _kind(term: Term) -> tuple[int, bool]:
    return term.bits, term.is_float


def _as_word(table: TermTable, value: Scalar, other: Scalar) -> Scalar:
    """A number that is joined with an address, as a word."""
    if isinstance(other, Pointer) and isinstance(value, Term) and value.is_float:
        bits = bits_of(table, value)
        return PIECE if bits is None else bits
    return value


def _choose_bits(table: TermTable, condition: Term, one: Term, other: Term) -> Scalar:
    if one.is_float and not other.is_float and other.bits == one.bits:
        return choose_scalar(
            table, condition, one, fold(table, table.make(Op.F_FROM_BITS, one.bits, (other,), 0, True))
        )
    if other.is_float and not one.is_float and other.bits == one.bits:
        return choose_scalar(
            table, condition, fold(table, table.make(Op.F_FROM_BITS, one.bits, (one,), 0, True)), other
        )
    width = max(one.bits, other.bits)
    bits = [bits_of(table, each) for each in (one, other)]
    if bits[0] is None or bits[1] is None:
        return PIECE
    return choose_scalar(table, condition, zero_extend(table, bits[0], width), zero_extend(table, bits[1], width))


def _conflicts(mine: Cells, theirs: Cells) -> list[int]:
    """The starts of cells on either side that do not match the other side's."""
    found = dict[int, None]()
    for one, other in ((mine, theirs), (theirs, mine)):
        for start, cell in one.items():
            fits = other.get(start)
            if fits is cell or (fits is not None and fits[0] == cell[0]):
                continue
            if any(True for _ in _overlapping(other, start, cell[0])):
                found[start] = None
    clashing = list(found)
    for start in clashing:  # cells on the other side that overlap a split cell are split, too
        for each in (mine, theirs):
            if start in each:
                for one in (mine, theirs):
                    for near in _overlapping(one, start, each[start][0]):
                        if near not in found:
                            found[near] = None
                            clashing.append(near)
    return list(found)
