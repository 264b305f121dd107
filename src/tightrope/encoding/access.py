"""Loads and stores: which object they access, at which offset, and what happens outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import WhyDeparted
from tightrope.encoding.frame import Frame
from tightrope.encoding.memory import bits_of, choose_cell, is_piece
from tightrope.encoding.observer import is_filler
from tightrope.encoding.positions import Positions, choose_position, find_positions
from tightrope.encoding.values import (
    NUMBER,
    WORD,
    Nature,
    Object,
    Pointer,
    Scalar,
    Value,
    as_pointer,
    choose_scalar,
)
from tightrope.expr.build import fold, is_constant, negate
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, compare, either, extract, upper_bound, zero_extend
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.ir.types import FloatType, PointerType, Type
from tightrope.weaving.weave_function import scalar_bits

FIRST_PAGE = 4096  # is never mapped
AT_BOUND = "a read of data that is there only because the shape of the inputs ends"


@dataclass(frozen=True, slots=True)
class AccessSpot:
    """A place that an access may go to. It is inside the object for all inputs for which `when` holds."""

    when: Term
    object: Object
    positions: Positions

    @property
    def fixed(self) -> int | None:
        return self.positions.offsets[0] if len(self.positions.offsets) == 1 else None


def find_spots(frame: Frame, pointer: Pointer, size: int, is_write: bool, place: Location | None) -> list[AccessSpot]:
    """The places where `size` bytes at the pointer may be. Runs for which there is none end or depart."""
    found = [_find_spot(frame, way, size, is_write, place) for way in pointer.ways]
    return [spot for spot in found if spot is not None]


def _find_spot(
    frame: Frame, way: tuple[Term, object, Term], size: int, is_write: bool, place: Location | None
) -> AccessSpot | None:
    when, where, offset = way
    if where is NUMBER:
        _leave_memory(frame, when, offset, place)
        return None
    if not isinstance(where, Object):
        frame.depart(WhyDeparted.NOT_ENCODED, "an access to the code of a function", place, when)
        return None
    if where.is_dead or (is_write and where.nature is Nature.CONSTANT) or where.size < size:
        _leave_object(frame, where, when, place)
        return None
    freed = frame.state.memory.freed.get(where)
    if freed is not None:
        _end_at(frame, where, both(frame.table, when, freed))
    if is_write and where.is_promised:
        frame.doubt(WhyDeparted.SHAPE, "a write to a variable that is const for the unit", place, when)
    return _inside(frame, where, when, offset, size, place)


def _leave_memory(frame: Frame, when: Term, offset: Term, place: Location | None) -> None:
    table = frame.table
    is_low = compare(table, Op.ULT, offset, table.constant(FIRST_PAGE, WORD))
    elsewhere = both(table, when, negate(table, is_low))
    if not is_constant(elsewhere, 0):
        frame.depart(WhyDeparted.NOT_ENCODED, "an access through an integer used as an address", place, elsewhere)
    frame.stop(both(table, when, is_low))


def _leave_object(frame: Frame, where: Object, when: Term, place: Location | None) -> None:
    """The run ends. If we chose the size of the object, it might continue for another caller."""
    if where.nature is Nature.GIVEN:
        frame.doubt(
            WhyDeparted.SHAPE, f"an access outside `{where.name.removeprefix('@tightrope_object_')}`", place, when
        )
    _end_at(frame, where, when)


def _end_at(frame: Frame, where: Object, when: Term) -> None:
    if where.is_sized_by_program:
        frame.note_undefined(when)
    frame.stop(when)


def _inside(
    frame: Frame, where: Object, when: Term, offset: Term, size: int, place: Location | None
) -> AccessSpot | None:
    table, last = frame.table, where.size - size
    if where.limit is not None:
        end = apply(table, Op.ADD, offset, table.constant(size, WORD))
        _require(frame, where, when, compare(table, Op.ULE, end, where.limit), place)
    if offset.op is Op.CONSTANT:
        if offset.number > last:
            _leave_object(frame, where, when, place)
            return None
        return AccessSpot(when, where, Positions(range(offset.number, offset.number + 1), None, offset))
    if upper_bound(offset) > last:
        _require(frame, where, when, compare(table, Op.ULE, offset, table.constant(last, WORD)), place)
    positions = find_positions(table, offset, last, frame.walk.candidates)
    if len(positions.offsets) > frame.walk.limits.positions:
        frame.depart(WhyDeparted.NOT_ENCODED, "an access with too many possible positions", place, when)
        return None
    return AccessSpot(when, where, positions) if len(positions.offsets) else None


def _require(frame: Frame, where: Object, when: Term, holds: Term, place: Location | None) -> None:
    is_out = both(frame.table, when, negate(frame.table, holds))
    if not is_constant(is_out, 0):
        _leave_object(frame, where, is_out, place)


MOST_BYTES = 1 << 20  # of an object that a run creates
MOST_SYMBOLIC = 256  # bytes, if the size depends on inputs


def make_object(frame: Frame, size: Term, nature: Nature, what: str, place: Location | None) -> Object:
    """An object of `size` bytes; runs for which it would be too large depart."""
    most = min(upper_bound(size), MOST_BYTES if size.op is Op.CONSTANT else MOST_SYMBOLIC)
    is_more = compare(frame.table, Op.ULT, frame.table.constant(most, size.bits), size)
    if not is_constant(is_more, 0):
        frame.depart(WhyDeparted.NOT_ENCODED, what, place, is_more)
    limit = None if size.op is Op.CONSTANT else size
    return Object(what, most, nature, limit=limit, is_sized_by_program=frame.is_of_program)


# -- reading


def load(frame: Frame, pointer: Pointer, kind: Type, place: Location | None) -> Value:
    """A value of this type."""
    constants = frame.walk.constants
    if not constants.is_aggregate(kind):
        return load_scalar(frame, pointer, kind, place)
    leaves = constants.layout.leaves(kind)
    return tuple(load_scalar(frame, shifted(frame, pointer, offset), leaf, place) for leaf, offset in leaves)


def shifted(frame: Frame, pointer: Pointer, offset: int) -> Pointer:
    if not offset:
        return pointer
    table = frame.table
    amount = table.constant(offset, WORD)
    return Pointer(tuple((when, where, apply(table, Op.ADD, old, amount)) for when, where, old in pointer.ways))


def load_scalar(frame: Frame, pointer: Pointer, kind: Type, place: Location | None) -> Scalar:
    bits = scalar_bits(kind)
    if not bits:
        raise NotEncodedError(f"a value of type {kind}")
    size = (bits + 7) // 8
    spots = find_spots(frame, pointer, size, False, place)
    found: Scalar | None = None
    for spot in reversed(spots):
        value = _as_kind(frame, _read(frame, spot, size, place), kind, bits)
        found = value if found is None else choose_scalar(frame.table, spot.when, value, found)
    if found is None:
        found = frame.walk.constants.zero_scalar(kind)
        if not frame.in_label:
            frame.stop()
    return found


def read_bytes(
    frame: Frame, spots: list[AccessSpot], size: int, place: Location | None, is_used: bool = True
) -> Scalar:
    """`size` bytes without conversion; there is at least one spot."""
    found: Scalar | None = None
    for spot in reversed(spots):
        value = _read(frame, spot, size, place, is_used)
        found = value if found is None else choose_cell(frame.table, spot.when, value, found)
    assert found is not None
    return found


def _read(frame: Frame, spot: AccessSpot, size: int, place: Location | None, is_used: bool = True) -> Scalar:
    if is_used:
        _depart_at_bounds(frame, spot, size, place)
    table, memory = frame.table, frame.state.memory
    values = [_known(frame, memory.read(table, spot.object, at, size), size, place) for at in spot.positions.offsets]
    return choose_position(table, spot.positions, values, lambda c, one, other: choose_cell(table, c, one, other))


def _known(frame: Frame, value: Scalar | None, size: int, place: Location | None) -> Scalar:
    """The value; for parts of addresses and computed floats, an unconstrained value."""
    if value is None or is_piece(value):
        frame.doubt(WhyDeparted.ADDRESS, "part of an address is used", place)
        return frame.walk.anything(8 * size)
    return value


def _depart_at_bounds(frame: Frame, spot: AccessSpot, size: int, place: Location | None) -> None:
    """Runs depart where they read bytes whose values are only our choice."""
    unsure = frame.state.memory.unsure.get(spot.object)
    if not unsure or is_filler(frame.walk.observer, frame.plan.function.name):
        return
    table, is_unsure = frame.table, frame.table.constant(0, 1)
    for number, at in enumerate(spot.positions.offsets):
        if any(byte in unsure for byte in range(at, at + size)):
            here = spot.positions.holds(table, number) if spot.fixed is None else table.constant(1, 1)
            is_unsure = either(table, is_unsure, here)
    when = both(table, spot.when, is_unsure)
    if not is_constant(when, 0):
        frame.doubt(WhyDeparted.SHAPE, AT_BOUND, place, when)


def _as_kind(frame: Frame, value: Scalar, kind: Type, bits: int) -> Scalar:
    """The stored value as a value of another type of that size."""
    table = frame.table
    if isinstance(kind, PointerType):
        return as_pointer(table, _as_bits(frame, value))
    if isinstance(value, Pointer):
        return (
            value
            if bits == WORD and not isinstance(kind, FloatType)
            else frame.walk.anything(bits, isinstance(kind, FloatType))
        )
    if isinstance(kind, FloatType):
        return value if value.is_float else fold(table, table.make(Op.F_FROM_BITS, bits, (value,), 0, True))
    number = _as_bits(frame, value)
    assert isinstance(number, Term)
    return extract(table, number, 0, bits) if bits < number.bits else number


def _as_bits(frame: Frame, value: Scalar) -> Scalar:
    if isinstance(value, Pointer) or not value.is_float:
        return value
    found = bits_of(frame.table, value)
    return found if found is not None else frame.walk.anything(value.bits)


# -- writing


def store(frame: Frame, pointer: Pointer, value: Value, kind: Type, place: Location | None) -> None:
    constants = frame.walk.constants
    if not constants.is_aggregate(kind):
        assert not isinstance(value, tuple)
        bits = scalar_bits(kind)
        if not bits:
            raise NotEncodedError(f"a value of type {kind}")
        return store_scalar(frame, pointer, value, (bits + 7) // 8, place)
    assert isinstance(value, tuple)
    for (leaf, offset), part in zip(constants.layout.leaves(kind), value, strict=True):
        store_scalar(frame, shifted(frame, pointer, offset), part, (scalar_bits(leaf) + 7) // 8, place)
    return None


def store_scalar(frame: Frame, pointer: Pointer, value: Scalar, size: int, place: Location | None) -> None:
    spots = find_spots(frame, pointer, size, True, place)
    if not spots:
        return frame.stop()
    if isinstance(value, Term) and not value.is_float and value.bits < 8 * size:
        value = zero_extend(frame.table, value, 8 * size)
    is_only = len(pointer.ways) == 1 and len(spots) == 1
    for spot in spots:
        write_spot(frame, spot, value, size, is_only)
    return None


def write_spot(frame: Frame, spot: AccessSpot, value: Scalar, size: int, is_only: bool) -> None:
    """Write to the spot, under the condition that it is the right one."""
    memory, table = frame.state.memory, frame.table
    if spot.fixed is not None and is_only:
        return memory.write(table, spot.object, spot.fixed, size, value)
    for number, at in enumerate(spot.positions.offsets):
        here = spot.positions.holds(table, number) if spot.fixed is None else table.constant(1, 1)
        condition = here if is_only else both(table, spot.when, here)
        old = memory.read(table, spot.object, at, size)
        if old is None or is_piece(old):
            frame.doubt(WhyDeparted.ADDRESS, "part of an address is used")
            old = frame.walk.anything(8 * size)
        unsure = memory.unsure.get(spot.object)
        memory.write(table, spot.object, at, size, choose_cell(table, condition, value, old))
        if unsure:
            memory.unsure[spot.object] = unsure  # the write may have gone to another spot
    return None


def iterate_offsets(spots: list[AccessSpot]) -> Iterator[tuple[Object, int]]:
    for spot in spots:
        yield from ((spot.object, at) for at in spot.positions.offsets)
