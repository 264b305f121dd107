"""Handlers that make the notes of an observer (observer.py): for the driver's functions after the call, for calls of
functions whose code is not available, and for uninitialised memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tightrope.encoding.access import find_spots, read_bytes
from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.instructions import make_unwritten, run_alloca
from tightrope.encoding.memory import Memory, bits_of, cell_around
from tightrope.encoding.observer import ObservedCall, ObservedExit, Observer, OpaqueAnswer
from tightrope.encoding.values import Object, Pointer, Scalar, as_pointer
from tightrope.expr.build import fold
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, zero_extend
from tightrope.expr.terms import Term
from tightrope.harness.driver import RESULT
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.ir.model import Argument, Instruction
from tightrope.program.ir.types import FloatType, IntType, Type
from tightrope.weaving.weave_function import scalar_bits
from tightrope.weaving.weave_library import ENDS

MOST_BYTES = 1024  # of a local; the contents of larger ones are not encoded
_ENDINGS = {"tr_exit": "exit", "tr_abort": "abort", "tr_assertion": "abort", "tr_jump": "jump", "tr_endless": "endless"}
_RESULT = f"%{RESULT}"
_CALLERS = ("@tightrope_drive", "@tightrope_call")
_OURS = re.compile(rf"@tightrope_(?!{UNIT_MAIN.removeprefix('tightrope_')}$)")  # of the driver, library models


def run_output(frame: Frame, call: Instruction) -> None:
    """tightrope_output(number, at, size)"""
    observer = frame.walk.observer
    if observer is None or not observer.returned:
        return  # a draw, which is noted while the program runs
    number, at, size = (argument.value for argument in call.arguments)
    numbers = frame.term(number), frame.term(size)
    if any(each.op is not Op.CONSTANT for each in numbers):
        raise NotEncodedError("an output whose number depends on inputs")
    spots = find_spots(frame, as_pointer(frame.table, frame.scalar(at)), numbers[1].number, False, None)
    if spots:
        value = read_bytes(frame, spots, numbers[1].number, None)
        observer.outputs[numbers[0].number] = _as_seen(frame, value, numbers[0].number in observer.floats)


def _as_seen(frame: Frame, value: Scalar, is_float: bool) -> Scalar:
    """The value as a run shows it: a float as a float, other numbers as bits."""
    if isinstance(value, Pointer) or value.is_float == is_float:
        return value
    if is_float:
        return fold(frame.table, frame.table.make(Op.F_FROM_BITS, value.bits, (value,), 0, True))
    bits = bits_of(frame.table, value)
    return frame.walk.anything(value.bits) if bits is None else bits


def run_whereabouts(frame: Frame, call: Instruction) -> None:
    """Where a pointer points: keep its ways, which say more than a number."""
    frame.define(call, as_pointer(frame.table, frame.scalar(call.arguments[0].value)))


def note_returned(frame: Frame, observer: Observer) -> None:
    observer.returned.append(frame.state.reach)
    observer.calls_made = _calls_made(frame, observer)
    observer.after = frame.state.memory.fork()
    _forget_ends(frame.state.memory, observer.before)


def _forget_ends(memory: Memory, before: Memory | None) -> None:
    """The driver may read all that it gave: bytes that the call did not change are no bounds for it."""
    if before is not None:
        for where, offsets in memory.unsure.items():
            old, new = before.cells(where), memory.cells(where)
            is_old = before.unsure.get(where, frozenset())
            memory.unsure[where] = frozenset(
                at for at in offsets if at not in is_old or cell_around(old, at) is not cell_around(new, at)
            )


def note_entry(frame: Frame) -> None:
    """The driver calls a function; the last such call before the return is the unit."""
    observer = frame.walk.observer
    if observer is not None and not observer.returned and frame.plan.function.name in _CALLERS:
        observer.before = frame.state.memory.fork()


def note_rejected(frame: Frame, condition: Term) -> None:
    """Inputs for which the condition holds are excluded here."""
    if frame.walk.observer is not None and not frame.in_label:
        frame.walk.observer.rejected.append(both(frame.table, frame.state.reach, condition))


def run_changed(frame: Frame, call: Instruction) -> None:
    """Here is what was changed. Its block counts only for runs that get to its end."""
    if frame.walk.observer is not None:
        frame.walk.observer.changed.append(frame.state.reach)


def note_exit(frame: Frame, call: Instruction) -> None:
    observer = frame.walk.observer
    if observer is None:
        return
    name = _ENDINGS[ENDS[call.callee]]
    status = frame.term(call.arguments[0].value) if name == "exit" and call.arguments else None
    memory = frame.state.memory.fork() if name == "exit" else None
    observer.exits.append(ObservedExit(frame.state.reach, name, status, _calls_made(frame, observer), memory))


# -- calls


def note_call(frame: Frame, call: Instruction, name: str) -> None:
    """Note an observable call."""
    observer = frame.walk.observer
    if observer is None or frame.in_label:
        return
    number = _calls_made(frame, observer)
    values = tuple(_scalars(frame, call.arguments))
    observer.calls.append(ObservedCall(frame.state.reach, number, name, values))
    after = apply(frame.table, Op.ADD, number, frame.table.constant(1, 32))
    frame.state.memory.write(frame.table, observer.counter, 0, 4, after)


def _calls_made(frame: Frame, observer: Observer) -> Term:
    found = frame.state.memory.read(frame.table, observer.counter, 0, 4)
    assert isinstance(found, Term)
    return found


def _scalars(frame: Frame, arguments: Sequence[Argument]) -> Iterator[Scalar]:
    for argument in arguments:
        value = frame.value(argument.value)
        if isinstance(value, tuple):
            yield from value
        else:
            yield value


def answer(frame: Frame, call: Instruction, bits: int) -> Term:
    """The answer of an uninterpreted function: equal for equal arguments."""
    is_float = isinstance(call.type, FloatType)
    observer = frame.walk.observer
    if observer is None:
        return frame.walk.anything(bits, is_float)
    arguments = tuple(frame.term(argument.value) for argument in call.arguments)
    for known in observer.answers:
        if known.name == call.callee and known.arguments == arguments:
            return known.value
    value = frame.walk.anything(bits, is_float)
    observer.answers.append(OpaqueAnswer(call.callee, arguments, value))
    return value


# -- uninitialised memory


def run_unwritten_alloca(frame: Frame, instruction: Instruction) -> None:
    """A local holds unconstrained values until it is written."""
    run_alloca(frame, instruction)
    assert instruction.result and instruction.source_type is not None
    pointer = frame.state.locals[instruction.result]
    observer = frame.walk.observer
    assert observer is not None and isinstance(pointer, Pointer)
    made = pointer.ways[0][1]
    assert isinstance(made, Object)
    if instruction.result == _RESULT:
        layout = frame.walk.constants.layout
        leaves = layout.leaves(instruction.source_type)
        observer.result = made, tuple((at, layout.store_size_of(leaf)) for leaf, at in leaves)
    if _OURS.match(frame.plan.function.name):
        return
    if instruction.operands or made.size > MOST_BYTES:
        frame.state.memory.unsure[made] = frozenset(range(made.size))
        return
    known = _fill(frame, made, frame.walk.constants.layout.leaves(instruction.source_type))
    _fill(frame, made, [(IntType(8), at) for at in range(made.size) if at not in known])


def _fill(frame: Frame, made: Object, leaves: Sequence[tuple[Type, int]]) -> set[int]:
    """Fill with unconstrained values; return the bytes that were filled."""
    known: set[int] = set()
    for leaf, offset in leaves:
        bits = scalar_bits(leaf)
        if bits:
            size = (bits + 7) // 8
            value = make_unwritten(frame, leaf)
            if isinstance(value, Term) and not value.is_float:
                value = zero_extend(frame.table, value, 8 * size)
            made.initial[offset] = size, value
            known |= set(range(offset, offset + size))
    return known


HANDLERS: dict[str, Handler] = {"alloca": run_unwritten_alloca}
