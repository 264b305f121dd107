"""Calls that work on memory: allocation of heap blocks, copies and fills.

Each call of an allocator creates a new block; blocks are never reused.
"""

from __future__ import annotations

from tightrope.encoding.access import (
    AccessSpot,
    find_spots,
    iterate_offsets,
    make_object,
    read_bytes,
    shifted,
    store_scalar,
    write_spot,
)
from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import WhyDeparted
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.values import NUMBER, Nature, Object, Pointer, Scalar, address, as_pointer
from tightrope.expr.build import is_constant, negate
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, compare, either, upper_bound
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.ir.model import Instruction
from tightrope.weaving.weave_library import ALLOCATORS, FREES, REALLOC

MOST_BYTES = 1 << 12
MOST_SYMBOLIC = 256  # bytes of a copy or fill whose length depends on inputs
Pieces = tuple[tuple[int, int], ...]


# -- copies and fills


def copy_stretch(frame: Frame, to: Pointer, source: Pointer, size: int | Term, place: Location | None) -> None:
    """memcpy, memmove: everything is read before anything is written."""
    length = _constant(size)
    if length is None:
        assert isinstance(size, Term)
        return _copy_some(frame, to, source, size, place)
    if not length:
        return None
    _require_room(frame, to, length, True, place)
    spots = find_spots(frame, source, length, False, place)
    if not spots:
        return frame.stop()
    pieces = _pieces(frame, spots, length)
    unsure = _unsure(frame, spots, length)
    spots_of = [_moved(frame, source, start, width, place) for start, width in pieces]
    values = [read_bytes(frame, spots_of[n], width, place, is_used=False) for n, (_, width) in enumerate(pieces)]
    for (start, width), value in zip(pieces, values, strict=True):
        store_scalar(frame, shifted(frame, to, start), value, width, place)
    if unsure:
        _hand_on(frame, to, unsure)
    return None


def overlap(frame: Frame, to: Pointer, source: Pointer, size: Term) -> Term:
    """True where a range is copied to a part of itself, which `memcpy` must not do. To exactly itself is allowed: so
    compilers copy structs."""
    table, found = frame.table, frame.table.constant(0, 1)
    for mine, place, offset in to.ways:
        for theirs, where, start in source.ways:
            if isinstance(place, Object) and place is where:
                ahead, behind = apply(table, Op.SUB, offset, start), apply(table, Op.SUB, start, offset)
                is_near = either(table, compare(table, Op.ULT, ahead, size), compare(table, Op.ULT, behind, size))
                is_moved = negate(table, compare(table, Op.EQ, offset, start))
                found = either(table, found, both(table, both(table, mine, theirs), both(table, is_moved, is_near)))
    return found


def _unsure(frame: Frame, spots: list[AccessSpot], size: int) -> set[int]:
    """The bytes of a range whose values are only our choice. Copying them does not depend on them."""
    memory, found = frame.state.memory, set[int]()
    for where, at in iterate_offsets(spots):
        marked = memory.unsure.get(where, frozenset())
        found |= {byte - at for byte in marked if at <= byte < at + size}
    return found


def _hand_on(frame: Frame, to: Pointer, unsure: set[int]) -> None:
    memory = frame.state.memory
    for where, at in iterate_offsets(find_spots(frame, to, 1, True, None)):
        marked = frozenset(at + byte for byte in unsure)
        memory.unsure[where] = memory.unsure.get(where, frozenset()) | marked


def _moved(frame: Frame, source: Pointer, start: int, size: int, place: Location | None) -> list[AccessSpot]:
    return find_spots(frame, shifted(frame, source, start), size, False, place)


def _constant(size: int | Term) -> int | None:
    if isinstance(size, int):
        return size
    return size.number if size.op is Op.CONSTANT else None


def _require_room(frame: Frame, to: Pointer, size: int, is_write: bool, place: Location | None) -> None:
    if not find_spots(frame, to, size, is_write, place):
        frame.stop()


def _pieces(frame: Frame, spots: list[AccessSpot], size: int) -> Pieces:
    """The cells of the source if they are the same at all its possible places; otherwise bytes."""
    memory = frame.state.memory
    found = {memory.partition(where, at, size) for where, at in iterate_offsets(spots)}
    return found.pop() if len(found) == 1 else tuple((index, 1) for index in range(size))


def _copy_some(frame: Frame, to: Pointer, source: Pointer, size: Term, place: Location | None) -> None:
    """Copy byte by byte, because the length depends on inputs."""
    most = _limit(frame, size, to, source, place)
    olds = [_byte(frame, to, index, size, place) for index in range(most)]
    news = [_byte(frame, source, index, size, place) for index in range(most)]
    for index in range(most):
        _write_if(frame, to, index, size, news[index], olds[index], place)


def _limit(frame: Frame, size: Term, to: Pointer, source: Pointer | None, place: Location | None) -> int:
    """The largest length that stays inside the objects; runs with a larger one end or depart."""
    table = frame.table
    pointers = [to] if source is None else [to, source]
    rooms = [where.size for each in pointers for _, where, _ in each.ways if isinstance(where, Object)]
    most = min(max(rooms, default=0), MOST_SYMBOLIC, upper_bound(size))
    is_more = compare(table, Op.ULT, table.constant(most, size.bits), size)
    if not is_constant(is_more, 0):
        frame.depart(WhyDeparted.NOT_ENCODED, "a copy or a fill whose length depends on inputs", place, is_more)
    return most


def _is_inside(frame: Frame, index: int, size: Term) -> Term:
    return compare(frame.table, Op.ULT, frame.table.constant(index, size.bits), size)


def _byte(frame: Frame, pointer: Pointer, index: int, size: Term, place: Location | None) -> Scalar | None:
    """A byte of a range. It must exist only if the range includes it."""
    inside = _is_inside(frame, index, size)
    ways = tuple((both(frame.table, when, inside), where, offset) for when, where, offset in pointer.ways)
    spots = find_spots(frame, shifted(frame, Pointer(ways), index), 1, False, place)
    return read_bytes(frame, spots, 1, place) if spots else None


def _write_if(
    frame: Frame, to: Pointer, index: int, size: Term, new: Scalar | None, old: Scalar | None, place: Location | None
) -> None:
    if new is None or old is None:
        return
    inside = _is_inside(frame, index, size)
    ways = tuple((both(frame.table, when, inside), where, offset) for when, where, offset in to.ways)
    for spot in find_spots(frame, shifted(frame, Pointer(ways), index), 1, True, place):
        write_spot(frame, spot, new, 1, False)


def fill_stretch(frame: Frame, to: Pointer, value: Term, size: Term, place: Location | None) -> None:
    """memset."""
    length = _constant(size)
    if length is None:
        return _fill_some(frame, to, value, size, place)
    if not length:
        return None
    spots = find_spots(frame, to, length, True, place)
    if not spots:
        return frame.stop()
    fixed = spots[0].fixed
    if len(to.ways) == 1 and fixed is not None and is_constant(value, 0):
        return frame.state.memory.clear(frame.table, spots[0].object, fixed, length)
    if length > MOST_BYTES:
        return frame.depart(WhyDeparted.NOT_ENCODED, "a long fill of memory", place)
    for index in range(length):
        store_scalar(frame, shifted(frame, to, index), value, 1, place)
    return None


def _fill_some(frame: Frame, to: Pointer, value: Term, size: Term, place: Location | None) -> None:
    most = _limit(frame, size, to, None, place)
    for index in range(most):
        _write_if(frame, to, index, size, value, value, place)


# -- the heap


def allocate(frame: Frame, size: Term, is_fresh: bool, place: Location | None) -> Object:
    """A new block. Its contents are unknown."""
    made = make_object(frame, size, Nature.HEAP, "a heap block whose size depends on inputs", place)
    if frame.walk.observer is not None and not frame.in_label:
        frame.walk.observer.blocks.append((made, frame.state.reach))
    if is_fresh and frame.walk.observer is None:
        made.make_byte = lambda: frame.walk.anything(8)
    elif is_fresh:
        frame.state.memory.unsure[made] = frozenset(range(made.size))
    return made


def _run_malloc(frame: Frame, call: Instruction) -> None:
    size = frame.term(call.arguments[-1].value)
    frame.define(call, address(frame.table, allocate(frame, size, True, call.location)))


def _run_calloc(frame: Frame, call: Instruction) -> None:
    count, size = (frame.term(argument.value) for argument in call.arguments)
    if Op.CONSTANT not in (count.op, size.op) or max(upper_bound(count), 1) * max(upper_bound(size), 1) >> 63:
        raise NotEncodedError("a heap block whose size depends on inputs")
    total = apply(frame.table, Op.MUL, count, size)
    frame.define(call, address(frame.table, allocate(frame, total, False, call.location)))


def _run_free(frame: Frame, call: Instruction) -> None:
    _free(frame, as_pointer(frame.table, frame.scalar(call.arguments[0].value)), call.location, _may_be_given(call))


def _may_be_given(call: Instruction) -> bool:
    """True if the pointer may be an input: the driver's stubs handle these (see harness/heap_stubs.py)."""
    return call.callee == "@tightrope_free"


def _free(frame: Frame, pointer: Pointer, place: Location | None, may_be_given: bool) -> None:
    table, memory = frame.table, frame.state.memory
    for when, where, offset in pointer.ways:
        if where is NUMBER:
            frame.stop(both(table, when, negate(table, frame.equal(offset, 0))))
            continue
        is_block = isinstance(where, Object) and (
            where.nature is Nature.HEAP or (may_be_given and where.nature is Nature.GIVEN)
        )
        if not is_block or not isinstance(where, Object):
            frame.stop(when)
            continue
        before = memory.freed.get(where, table.constant(0, 1))
        bad = either(table, before, negate(table, frame.equal(offset, 0)))
        frame.stop(both(table, when, bad))
        memory.freed[where] = either(table, before, when)


def _run_realloc(frame: Frame, call: Instruction) -> None:
    """realloc, which always moves the block. Only if block and size are known."""
    old, size = frame.scalar(call.arguments[0].value), frame.term(call.arguments[1].value)
    pointer = as_pointer(frame.table, old)
    if len(pointer.ways) != 1 or size.op is not Op.CONSTANT or not size.number:
        raise NotEncodedError("`realloc` of a block or size that depends on inputs")
    _, where, _ = pointer.ways[0]
    made = address(frame.table, allocate(frame, size, True, call.location))
    if isinstance(where, Object):
        if where.limit is not None:
            raise NotEncodedError("`realloc` of a block or size that depends on inputs")
        count = min(where.size, size.number)
        unsure = frame.state.memory.unsure.get(where)
        if unsure:  # uninitialised bytes stay uninitialised
            raise NotEncodedError("`realloc` of a block with uninitialised bytes")
        copy_stretch(frame, made, pointer, count, call.location)
        _free(frame, pointer, call.location, True)
    frame.define(call, made)


HEAP: dict[str, Handler] = {
    **{name: _run_calloc if probe == "tightrope_calloc" else _run_malloc for name, probe in ALLOCATORS.items()},
    **dict.fromkeys(FREES, _run_free),
    REALLOC: _run_realloc,
}
