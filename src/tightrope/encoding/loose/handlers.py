"""The meaning of instructions in a loose formula. All values are numbers, addresses as well; what has no meaning here
is unknown."""

from __future__ import annotations

from collections.abc import Mapping

from tightrope.encoding import instructions
from tightrope.encoding.calls import SILENT
from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.instructions import ARITHMETIC, element_offset, take
from tightrope.encoding.loose.addresses import split
from tightrope.encoding.loose.frame import LooseFrame
from tightrope.encoding.loose.memory import Stretch
from tightrope.encoding.loose.printed_lengths import INT_MAX, printed_length
from tightrope.encoding.loose.written import COPIES, is_harmless
from tightrope.encoding.numbers import compute_call
from tightrope.encoding.values import WORD, Value
from tightrope.expr.build import is_constant, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, choose, compare, extract, zero_extend
from tightrope.expr.terms import Term
from tightrope.library.libc_models import EXACT_MATH, format_of_text_printer
from tightrope.program.ir.model import Instruction
from tightrope.program.ir.model import Value as Operand
from tightrope.program.ir.types import FloatType, PointerType, Type
from tightrope.program.marks.marks import REACH
from tightrope.program.marks.unwritten import unwritten_source
from tightrope.weaving.weave_function import scalar_bits
from tightrope.weaving.weave_library import ENDS

MOST_CHOICES = 3  # between pointers, one within the other
MOST_ZEROED = 64  # bytes that are known to be zero behind one call
_UNSTEADY = frozenset({"volatile", "atomic"})  # something else may change it between two reads


def run_load(frame: Frame, load: Instruction) -> None:
    frame = loose(frame)
    base, offset = split(frame.term(load.operands[0]))
    if not scalar_bits(load.type) or load.flags & _UNSTEADY or unwritten_source(load) is not None:
        return frame.define(load, frame.unknown(load.type))
    stretch = (base, offset, frame.walk.constants.layout.store_size_of(load.type))
    value = _read(frame, stretch, load.type, MOST_CHOICES)
    frame.define(load, value if isinstance(load.type, PointerType) else frame.loose.addresses.as_integer(value))
    return frame.assume_used(base, offset)


def _read(frame: LooseFrame, stretch: Stretch, kind: Type, choices: int) -> Term:
    """What the memory holds there. Through `c ? p : q`, it is what it holds at p or at q. A run may be unable to read
    at the one that it does not choose: then what is noted of it is never asked for."""
    value = frame.initial_value(stretch, kind) or frame.memory.recall(stretch)
    if value is None:
        value = frame.constant_element(stretch, kind)
    bits, is_float = scalar_bits(kind), isinstance(kind, FloatType)
    if value is not None and value.bits == bits and value.is_float == is_float:
        return value
    base, offset, size = stretch
    if base.op is Op.ITE and choices:
        condition, *chosen = base.args
        places = [(where, offset + further, size) for where, further in map(split, chosen)]
        one, other = (_read(frame, each, kind, choices - 1) for each in places)
        value = choose(frame.table, condition, one, other)
    else:
        value = frame.walk.anything(bits, is_float)
    frame.memory.note(stretch, value)
    return value


def run_store(frame: Frame, store: Instruction) -> None:
    frame = loose(frame)
    value, target = store.operands
    base, offset = split(frame.term(target))
    size = frame.walk.constants.layout.store_size_of(value.type)
    frame.memory.overwrite(base, offset, size)
    if scalar_bits(value.type) and not store.flags & _UNSTEADY:
        frame.memory.note((base, offset, size), frame.term(value))
        frame.assume_used(base, offset)


def run_update(frame: Frame, update: Instruction) -> None:
    """cmpxchg, atomicrmw"""
    loose(frame).memory.forget_shared()
    raise NotEncodedError(f"`{update.opcode}`")


def run_alloca(frame: Frame, alloca: Instruction) -> None:
    frame = loose(frame)
    assert alloca.result and alloca.source_type is not None
    is_empty = bool(alloca.operands) or not frame.walk.constants.layout.size_of(alloca.source_type)
    frame.define(alloca, frame.make_local(alloca.result, is_empty=is_empty))


def run_getelementptr(frame: Frame, each: Instruction) -> None:
    base, *indices = each.operands
    frame.define(each, apply(frame.table, Op.ADD, frame.term(base), element_offset(frame, each, indices)))


def run_cast(frame: Frame, cast: Instruction) -> None:
    """ptrtoint, inttoptr"""
    value, bits, addresses = frame.term(cast.operands[0]), scalar_bits(cast.type), loose(frame).loose.addresses
    if not bits:
        raise NotEncodedError(f"`{cast.opcode}`")
    value = addresses.from_integer(value) if cast.opcode == "inttoptr" else addresses.as_integer(value)
    if value.bits <= bits:
        return frame.define(cast, zero_extend(frame.table, value, bits))
    return frame.define(cast, extract(frame.table, value, 0, bits))


def run_nothing(frame: Frame, each: Instruction) -> None:
    pass


def run_icmp(frame: Frame, each: Instruction) -> None:
    if not isinstance(each.operands[0].type, PointerType):
        return instructions.run_arithmetic(frame, each)
    one, other = (frame.term(operand) for operand in each.operands)
    if each.predicate in ("eq", "ne") and loose(frame).are_apart(one, other):
        return frame.define(each, truth(frame.table, each.predicate == "ne"))
    return frame.define(each, instructions.compare_offsets(frame, each.predicate, one, other, are_numbers=True))


class LooseCalls:
    """`marks` are those of the unit."""

    def __init__(self, marks: Mapping[str, Handler]) -> None:
        self._marks = {**marks, REACH: run_nothing}  # which definition a use reads is not followed through loops

    def run_call(self, frame: Frame, call: Instruction) -> None:
        if call.callee in self._marks:
            return self._marks[call.callee](frame, call)
        frame = loose(frame)
        if call.callee in ENDS and not frame.in_label:
            return frame.stop()
        if call.callee.startswith(COPIES):
            return _run_copy(frame, call)
        if call.callee.startswith("@llvm.") or call.callee[1:] in EXACT_MATH:
            return _run_computation(frame, call)
        function = frame.loose.inlined(call)
        if function is None or frame.in_label:
            return _run_unknown(frame, call)
        result = frame.loose.call(function, _arguments(frame, call), frame.state, frame.in_label)
        if result is not None:
            return frame.define(call, result)
        return frame.define(call, frame.unknown(call.type)) if call.result else None


def _arguments(frame: LooseFrame, call: Instruction) -> list[Value]:
    """A struct passed by value is copied to somewhere."""
    return [frame.walk.anything(WORD) if one.byval else frame.value(one.value) for one in call.arguments]


def _run_unknown(frame: LooseFrame, call: Instruction) -> None:
    frame.loose.note_unknown(call)
    frame.forget_written(frame.loose.written.by_call(frame.plan.function, call))
    if call.result:
        frame.define(call, frame.unknown(call.type))
        _limit_printed(frame, call)


def _limit_printed(frame: LooseFrame, call: Instruction) -> None:
    """`sprintf` reports no fewer and no more characters than its format makes."""
    name, given = call.callee[1:], [each.value for each in call.arguments]
    own = frame.loose.subject.program.functions.get(call.callee)
    at, room = format_of_text_printer(name) or (len(given), None)
    if own is None or own.is_defined or at >= len(given) or frame.in_label or scalar_bits(call.type) != 32:
        return
    size = frame.term(given[room]) if room is not None else None
    if size is not None and (size.op is not Op.CONSTANT or size.number > INT_MAX):
        return  # a larger size is an error of some libraries
    text = frame.constant_text(given[at])
    lengths = printed_length(text) if text is not None else None
    if lengths is not None:
        least, most = (frame.table.constant(each, 32) for each in lengths)
        result = frame.term(Operand(call.type, call.result or ""))
        frame.stop(compare(frame.table, Op.SLT, result, least))
        frame.stop(compare(frame.table, Op.SLT, most, result))


def _run_computation(frame: LooseFrame, call: Instruction) -> None:
    if not is_harmless(call):
        frame.memory.forget_shared()
    if call.callee.startswith("@llvm.expect"):
        return frame.define(call, frame.value(call.arguments[0].value))
    if SILENT.match(call.callee) and not call.result:
        return None
    found = compute_call(frame.table, call.callee, call, [frame.term(one.value) for one in call.arguments])
    if found is None:
        raise NotEncodedError(f"`{call.callee[1:]}`")
    return take(frame, call, found)


def _run_copy(frame: LooseFrame, call: Instruction) -> None:
    """memcpy, memmove, memset"""
    to, source, size = (argument.value for argument in call.arguments[:3])
    base, offset = split(frame.term(to))
    count = frame.term(size)
    if count.op is not Op.CONSTANT:
        return frame.memory.overwrite(base, offset, None)
    if unwritten_source(call) is None and _is_steady(call.arguments[3].value):
        if "memset" not in call.callee:
            return frame.memory.copy_known((base, offset), split(frame.term(source)), count.number)
        if is_constant(frame.term(source), 0) and count.number <= MOST_ZEROED:
            return frame.memory.zero((base, offset), count.number)
    return frame.memory.overwrite(base, offset, count.number)


def _is_steady(is_volatile: Operand) -> bool:
    return is_volatile.text == "false"


def loose(frame: Frame) -> LooseFrame:
    assert isinstance(frame, LooseFrame)
    return frame


def _or_unknown(handler: Handler) -> Handler:
    """What the handler cannot express is unknown."""

    def run(frame: Frame, instruction: Instruction) -> None:
        try:
            handler(frame, instruction)
        except NotEncodedError:
            loose(frame).define_unknown(instruction)

    return run


def make_handlers(marks: Mapping[str, Handler]) -> dict[str, Handler]:
    found: dict[str, Handler] = {
        **dict.fromkeys(ARITHMETIC, instructions.run_arithmetic),
        "icmp": run_icmp,
        **dict.fromkeys(("ptrtoint", "inttoptr", "ptrtoaddr"), run_cast),
        "bitcast": instructions.run_bitcast,
        "freeze": instructions.run_freeze,
        "select": instructions.run_select,
        "extractvalue": instructions.run_extractvalue,
        "insertvalue": instructions.run_insertvalue,
        "alloca": run_alloca,
        "load": run_load,
        "store": run_store,
        **dict.fromkeys(("cmpxchg", "atomicrmw"), run_update),
        "getelementptr": run_getelementptr,
        "call": LooseCalls(marks).run_call,
        "fence": run_nothing,
    }
    ends = {"br": instructions.run_branch, "switch": instructions.run_switch, "ret": instructions.run_return}
    return {
        **{opcode: _or_unknown(handler) for opcode, handler in found.items()},
        **ends,
        "unreachable": instructions.run_unreachable,
    }
