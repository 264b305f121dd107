"""Calls: of the driver's own functions, of the program, of the heap, of memory functions, of the library."""

from __future__ import annotations

import re

from tightrope.encoding.access import load_scalar, shifted, store_scalar
from tightrope.encoding.any_state import ANY_STATE
from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import WhyDeparted
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.instructions import take, unwrite
from tightrope.encoding.memory_calls import HEAP, copy_stretch, fill_stretch, overlap
from tightrope.encoding.numbers import compute_call
from tightrope.encoding.observer import is_outward
from tightrope.encoding.observer_handlers import (
    answer,
    note_call,
    note_entry,
    note_exit,
    note_rejected,
    note_returned,
    run_changed,
    run_output,
    run_whereabouts,
)
from tightrope.encoding.state import WalkState, join
from tightrope.encoding.values import (
    NUMBER,
    FunctionPlace,
    Nature,
    Object,
    Pointer,
    Scalar,
    Value,
    address,
    as_pointer,
    choose_scalar,
    is_null,
)
from tightrope.encoding.watched import ASSUMPTION
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.candidates import candidates
from tightrope.expr.operators import Op
from tightrope.expr.simplify import both, choose, compare, either
from tightrope.expr.terms import Term
from tightrope.library.libc_models import (
    EXACT_MATH,
    FOPEN,
    HARMLESS,
    LOOKUPS,
    NUMERIC,
    PREFIX,
    SETS_ERRNO,
    format_of_scanner,
    spoken_name,
)
from tightrope.program.ir.model import Function, Instruction
from tightrope.program.ir.model import Value as Operand
from tightrope.program.ir.types import IntType, PointerType
from tightrope.program.marks.mutants import REACHED
from tightrope.program.marks.unwritten import unwritten_source
from tightrope.weaving.weave_function import scalar_bits
from tightrope.weaving.weave_library import ENDS, ERRNO

SILENT = re.compile(
    r"@llvm\.(dbg|lifetime|assume|donothing|sideeffect|experimental\.noalias|va_end|prefetch|invariant"
    r"|stacksave|stackrestore|trap|debugtrap|ubsantrap)\b"
)


class Calls:
    """Encodes a call according to its callee. `marks` are those of the unit."""

    def __init__(self, marks: dict[str, Handler]) -> None:
        self._marks = marks

    def run_call(self, frame: Frame, call: Instruction) -> None:
        name = call.callee
        if call.is_assembly or not name:
            raise NotEncodedError("inline assembly")
        if name in self._marks:
            return self._marks[name](frame, call)
        if name in DRIVER:
            return DRIVER[name](frame, call)
        if name.startswith("@llvm."):
            return _run_intrinsic(frame, call)
        if not name.startswith("@"):
            return _run_pointer_call(frame, call)
        function = frame.walk.subject.program.functions.get(name)
        if function is not None and function.is_defined:
            return _run_function(frame, call, function)
        return _run_library(frame, call)


def _arguments(frame: Frame, call: Instruction) -> list[Value]:
    """The arguments for the callee; a struct passed by value is copied."""
    found: list[Value] = []
    assert call.function_type is not None
    fixed = len(call.function_type.parameters) if call.function_type.is_variadic else len(call.arguments)
    for argument in call.arguments[:fixed]:
        value = frame.value(argument.value)
        if argument.byval is not None:
            assert isinstance(value, Pointer)
            size = frame.walk.constants.layout.size_of(argument.byval)
            made = Object("argument", size, Nature.STACK)
            frame.objects.append(made)
            copy_stretch(frame, address(frame.table, made), value, size, call.location)
            value = address(frame.table, made)
        found.append(value)
    return found


def _run_function(frame: Frame, call: Instruction, function: Function) -> None:
    if function.type != call.function_type:
        raise NotEncodedError(f"a call of `{function.name[1:]}` with arguments of different types")
    if is_outward(frame.walk.observer, function.name):
        note_call(frame, call, function.name[1:])
    note_entry(frame)
    result = frame.walk.call(function, _arguments(frame, call), frame.state, frame.in_label, frame.behind)
    if result is not None:
        frame.define(call, result)
    elif call.result and not frame.state.is_out_of_reach:
        frame.define(call, frame.walk.constants.zero(call.type))


def _run_pointer_call(frame: Frame, call: Instruction) -> None:
    """One call for each possible target; then the states are joined."""
    pointer = frame.state.locals.get(call.callee)
    if not isinstance(pointer, Pointer):
        raise NotEncodedError("a call through an integer used as an address")
    table, before, ends = frame.table, frame.state, list[WalkState]()
    functions = frame.walk.subject.program.functions
    for when, place, offset in pointer.ways:
        reach = both(table, before.reach, when)
        if is_constant(reach, 0):
            continue
        frame.state = before.fork(reach, dict(before.locals))
        target = functions.get(place.name) if isinstance(place, FunctionPlace) else None
        if place is NUMBER and is_constant(offset, 0):
            frame.stop()  # a call through NULL
        elif target is None or not is_constant(offset, 0) or not target.is_defined or target.type != call.function_type:
            name = f" of `{place.name[1:]}`" if isinstance(place, FunctionPlace) else ""
            frame.depart(WhyDeparted.NOT_ENCODED, f"a call through a pointer{name}", call.location)
        else:
            _run_function_or_depart(frame, call, target)
        if not frame.state.is_out_of_reach:
            ends.append(frame.state)
    frame.state = _meet(frame, ends, before)


def _run_function_or_depart(frame: Frame, call: Instruction, target: Function) -> None:
    """Call one of several targets; if it cannot be encoded, only runs that call this one depart."""
    try:
        _run_function(frame, call, target)
    except NotEncodedError as problem:
        frame.depart(WhyDeparted.NOT_ENCODED, str(problem), call.location)


def _meet(frame: Frame, ends: list[WalkState], before: WalkState) -> WalkState:
    if not ends:
        before.reach = truth(frame.table, False)
        return before
    reach = ends[0].reach
    for each in ends[1:]:
        reach = either(frame.table, reach, each.reach)
    return join(frame.table, ends, reach)


# -- the functions of the driver


def _run_input(frame: Frame, call: Instruction) -> None:
    """tightrope_input(slot, at, bits)"""
    slot, at, bits = (argument.value for argument in call.arguments)
    width = _number(frame, bits)
    size = next(each for each in (1, 2, 4, 8) if width <= 8 * each)
    pointer = as_pointer(frame.table, frame.scalar(at))
    store_scalar(frame, pointer, _slot_value(frame, slot, width), size, None)


def _number(frame: Frame, operand: Operand) -> int:
    term = frame.term(operand)
    if term.op is not Op.CONSTANT:
        raise NotEncodedError("an input whose size depends on inputs")
    return term.number


def _slot_value(frame: Frame, slot: Operand, width: int) -> Term:
    """An input. Its number may depend on inputs: the second answer of a stub, or the third. The driver reads every slot
    with its width, so candidates of other widths, and those behind the last slot, are none."""
    table, number, widths = frame.table, frame.term(slot), frame.walk.subject.widths
    numbers = candidates(number, frame.walk.candidates)
    fitting = sorted(each for each in numbers or () if each < len(widths) and widths[each] == width)
    if not fitting:
        raise NotEncodedError("an input whose number depends on other inputs")
    *others, last = fitting
    found = table.input(frame.walk.slot(last), width)
    for each in reversed(others):
        found = choose(table, frame.equal(number, each), table.input(frame.walk.slot(each), width), found)
    return found


def _run_choose(frame: Frame, call: Instruction) -> None:
    """tightrope_choose(slot, at, targets, count, bits): a number without a target means the first one."""
    slot, at, targets, count, bits = (argument.value for argument in call.arguments)
    table = frame.table
    number = _slot_value(frame, slot, _number(frame, bits))
    source = as_pointer(table, frame.scalar(targets))
    found: Scalar | None = None
    for index in range(_number(frame, count)):
        target = load_scalar(frame, _element(frame, source, index), PointerType(), None)
        found = target if found is None else choose_scalar(table, frame.equal(number, index), target, found)
    assert isinstance(found, Pointer)
    if any(isinstance(place, FunctionPlace) for _, place, _ in found.ways):
        frame.walk.function_slots |= number.support
    store_scalar(frame, as_pointer(table, frame.scalar(at)), found, 8, None)


def _element(frame: Frame, pointer: Pointer, index: int) -> Pointer:
    return shifted(frame, pointer, 8 * index)


def _run_assume(frame: Frame, call: Instruction) -> None:
    holds, number = (argument.value for argument in call.arguments)
    site = frame.plan.function.name, ASSUMPTION, int(number.text)
    held = frame.watched(site, _truth(frame, frame.term(holds)))
    note_rejected(frame, negate(frame.table, held))
    frame.state.reach = both(frame.table, frame.state.reach, held)


def _truth(frame: Frame, value: Term) -> Term:
    return value if value.bits == 1 else negate(frame.table, frame.equal(value, 0))


def _run_bound(frame: Frame, call: Instruction) -> None:
    """tightrope_bound(at, bytes)"""
    at, count = (argument.value for argument in call.arguments)
    pointer, size = as_pointer(frame.table, frame.scalar(at)), frame.term(count)
    for when, place, offset in pointer.ways:
        if not isinstance(place, Object):
            continue
        if offset.op is not Op.CONSTANT or size.op is not Op.CONSTANT or not is_constant(when, 1):
            frame.doubt(WhyDeparted.SHAPE, "the end of the shape of the inputs")
            continue
        unsure = frame.state.memory.unsure
        marked = range(offset.number, min(offset.number + size.number, place.size))
        unsure[place] = unsure.get(place, frozenset()) | frozenset(marked)


def _run_promise(frame: Frame, call: Instruction) -> None:
    pointer = as_pointer(frame.table, frame.scalar(call.arguments[0].value))
    for _, place, _ in pointer.ways:
        if isinstance(place, Object):
            place.is_promised = True


def _run_turn(frame: Frame, call: Instruction) -> None:
    """tightrope_turn(call, answers, counter): after the last answer, it is given again."""
    at, answers = (argument.value for argument in call.arguments[:2])
    pointer = as_pointer(frame.table, frame.scalar(at))
    table, number = frame.table, load_scalar(frame, pointer, IntType(32), None)
    most = frame.term(answers)
    assert isinstance(number, Term)
    is_beyond = compare(table, Op.ULE, most, number)
    if not is_constant(is_beyond, 0):
        frame.doubt(WhyDeparted.SHAPE, "more calls of a stub than it has answers", None, is_beyond)
    last = table.constant(max(most.number - 1, 0), 32)
    store_scalar(frame, pointer, choose_scalar(table, is_beyond, last, number), 4, None)


def _run_hand_over(frame: Frame, call: Instruction) -> None:
    pointer = as_pointer(frame.table, frame.scalar(call.arguments[0].value))
    given = negate(frame.table, is_null(frame.table, pointer))
    if not is_constant(given, 0):
        frame.doubt(WhyDeparted.SHAPE, "a stub may write through a pointer that it gets", call.location, given)


def _run_fit(frame: Frame, call: Instruction) -> None:
    """tightrope_fit(to, bytes, nowhere, left_out, call): a stub writes nowhere if there is no room."""
    to, size, nowhere = (argument.value for argument in call.arguments[:3])
    table, kept = frame.table, as_pointer(frame.table, frame.scalar(to))
    pointer = as_pointer(table, load_scalar(frame, kept, PointerType(), None))
    dummy = as_pointer(table, frame.scalar(nowhere))
    bytes_written = load_scalar(frame, as_pointer(table, frame.scalar(size)), IntType(64), None)
    assert isinstance(bytes_written, Term)
    is_short = is_part = truth(table, False)
    for when, place, offset in pointer.ways:
        if place is NUMBER and is_constant(offset, 0):
            continue
        if not isinstance(place, Object) or offset.op is not Op.CONSTANT or place.limit is not None:
            frame.depart(WhyDeparted.NOT_ENCODED, "a stub that writes to an unknown place", call.location, when)
            continue
        if place.is_dead or place.nature is Nature.CONSTANT or place in frame.state.memory.freed:
            is_short = either(table, is_short, when)
            continue
        room = table.constant(max(0, place.size - offset.number), bytes_written.bits)
        is_short = either(table, is_short, both(table, when, compare(table, Op.ULT, room, bytes_written)))
        is_part = either(table, is_part, both(table, when, negate(table, frame.equal(bytes_written, place.size))))
    doubtful = either(table, is_short, is_part)
    if not is_constant(doubtful, 0):
        frame.doubt(WhyDeparted.SHAPE, "a stub may write through a pointer that it gets", call.location, doubtful)
    is_nowhere = either(table, is_short, is_null(table, pointer))
    if not is_constant(is_nowhere, 0):
        store_scalar(frame, kept, choose_scalar(table, is_nowhere, dummy, pointer), 8, None)


def _run_beyond(frame: Frame, call: Instruction) -> None:
    frame.walk.beyond += 1
    frame.doubt(WhyDeparted.SHAPE, "an answer or an input that could be different", call.location)


def _run_limit(frame: Frame, call: Instruction) -> None:
    """The values that a whole program can draw are limited; how many it draws, only runs find out."""
    frame.doubt(WhyDeparted.SHAPE, "the limited number of values that a whole program can draw", call.location)


def _run_nothing(frame: Frame, call: Instruction) -> None:
    pass


def _run_returned(frame: Frame, call: Instruction) -> None:
    """The unit has returned: only an observer needs what the driver does next."""
    if frame.walk.observer is not None:
        return note_returned(frame, frame.walk.observer)
    frame.state.reach = truth(frame.table, False)
    return None


_NOTES = ("call", "number", "real", "pointer", "bytes", "target", "memory", "unseen")  # for written tests
DRIVER: dict[str, Handler] = {
    "@tightrope_input": _run_input,
    "@tightrope_choose": _run_choose,
    "@tightrope_assume": _run_assume,
    "@tightrope_prefer": _run_nothing,
    "@tightrope_output": run_output,
    "@tightrope_whereabouts": run_whereabouts,
    "@tightrope_bound": _run_bound,
    "@tightrope_promise": _run_promise,
    "@tightrope_turn": _run_turn,
    "@tightrope_hand_over": _run_hand_over,
    "@tightrope_fit": _run_fit,
    "@tightrope_beyond": _run_beyond,
    "@tightrope_limit": _run_limit,
    "@tightrope_returned": _run_returned,
    f"@{REACHED}": run_changed,
    **ANY_STATE,
    **{f"@tightrope_note_{what}": _run_nothing for what in _NOTES},
}


# -- intrinsics and the library


def _run_intrinsic(frame: Frame, call: Instruction) -> None:
    name = call.callee.removeprefix("@llvm.").split(".")[0]
    operands = [argument.value for argument in call.arguments]
    if name in ("memcpy", "memmove"):
        to, source, size = operands[:3]
        if unwritten_source(call) is not None:
            return unwrite(frame, as_pointer(frame.table, frame.scalar(to)), frame.term(size).number, call.location)
        pointers = [as_pointer(frame.table, frame.scalar(each)) for each in (to, source)]
        length = frame.term(size)
        if name == "memcpy":
            frame.note_lapse(overlap(frame, pointers[0], pointers[1], length))
        return copy_stretch(frame, pointers[0], pointers[1], length, call.location)
    if name == "memset":
        to, value, size = operands[:3]
        pointer = as_pointer(frame.table, frame.scalar(to))
        return fill_stretch(frame, pointer, frame.term(value), frame.term(size), call.location)
    if SILENT.match(call.callee):
        if call.result:
            frame.define(call, frame.walk.constants.zero(call.type))
        return None
    if name in ("expect", "threadlocal"):
        return frame.define(call, frame.value(operands[0]))
    if name in ("va_start", "va_copy"):
        raise NotEncodedError("arguments behind `...`")
    found = compute_call(frame.table, call.callee, call, [frame.term(each) for each in operands])
    if found is None:
        raise NotEncodedError(f"`{call.callee[1:]}`")
    return take(frame, call, found)


def _run_library(frame: Frame, call: Instruction) -> None:
    name = call.callee[1:]
    if call.callee in ENDS:
        return _stop_all(frame, call)
    if call.callee in HEAP:
        return HEAP[call.callee](frame, call)
    if is_outward(frame.walk.observer, call.callee):
        note_call(frame, call, name)
    is_used = call.result in frame.plan.used
    if name in HARMLESS and not is_used:
        return None
    model = frame.walk.subject.program.functions.get(f"@{PREFIX}{name}")
    is_partly_native = format_of_scanner(name) is not None or name in FOPEN
    if model is not None and model.is_defined and model.type == call.function_type and not is_partly_native:
        return _run_function(frame, call, model)
    if name in EXACT_MATH and scalar_bits(call.type) and not _sets_errno(frame, name):
        found = compute_call(frame.table, call.callee, call, [frame.term(a.value) for a in call.arguments])
        if found is not None:
            return take(frame, call, found)
    if name in NUMERIC and scalar_bits(call.type) and not _uses_errno(frame):
        return frame.define(call, answer(frame, call, scalar_bits(call.type)))
    if name in LOOKUPS and not is_used:
        return None
    raise NotEncodedError(f"a call of `{spoken_name(name)}`" + ("" if is_partly_native else ", which has no model"))


def _stop_all(frame: Frame, call: Instruction) -> None:
    if frame.in_label:
        raise NotEncodedError("a predicate that ends the program")
    note_exit(frame, call)
    frame.stop()


def _uses_errno(frame: Frame) -> bool:
    return ERRNO in frame.walk.subject.program.functions


def _sets_errno(frame: Frame, name: str) -> bool:
    return name in SETS_ERRNO and _uses_errno(frame)
