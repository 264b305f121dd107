"""The heap: each call makes a block of its own, which is never used again."""

from __future__ import annotations

from tightrope.encoding.access import make_object
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.initial import NotEncodedError
from tightrope.encoding.memory_copies import copy_stretch
from tightrope.encoding.values import NUMBER, Nature, Object, Pointer, address, as_pointer
from tightrope.expr.build import negate
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, either, upper_bound
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.ir.model import Instruction
from tightrope.weaving.weave_library import ALLOCATORS, FREES, REALLOC


def allocate(frame: Frame, size: Term, is_fresh: bool, place: Location | None) -> Object:
    """A block. What is in a new one is zero here and anything elsewhere."""
    made = make_object(frame, size, Nature.HEAP, "a block whose size depends on inputs", place)
    if is_fresh:
        frame.state.memory.unsure[made] = frozenset(range(made.size))
    return made


def _run_malloc(frame: Frame, call: Instruction) -> None:
    size = frame.term(call.arguments[-1].value)
    frame.define(call, address(frame.table, allocate(frame, size, True, call.location)))


def _run_calloc(frame: Frame, call: Instruction) -> None:
    count, size = (frame.term(argument.value) for argument in call.arguments)
    if Op.CONSTANT not in (count.op, size.op) or max(upper_bound(count), 1) * max(upper_bound(size), 1) >> 63:
        raise NotEncodedError("a block whose size depends on inputs")
    total = apply(frame.table, Op.MUL, count, size)
    frame.define(call, address(frame.table, allocate(frame, total, False, call.location)))


def _run_free(frame: Frame, call: Instruction) -> None:
    _free(frame, as_pointer(frame.table, frame.scalar(call.arguments[0].value)), call.location, _may_be_given(call))


def _may_be_given(call: Instruction) -> bool:
    """Stubs of the driver know what was given (see harness/heap_stubs.py)."""
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
    """Always moves. Only where all is known."""
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
        if unsure:  # what was fresh stays so
            raise NotEncodedError("`realloc` of a block that is not filled")
        copy_stretch(frame, made, pointer, count, call.location)
        _free(frame, pointer, call.location, True)
    frame.define(call, made)


HEAP: dict[str, Handler] = {
    **{name: _run_calloc if probe == "tightrope_calloc" else _run_malloc for name, probe in ALLOCATORS.items()},
    **dict.fromkeys(FREES, _run_free),
    REALLOC: _run_realloc,
}
