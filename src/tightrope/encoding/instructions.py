"""The meaning of instructions: one function per kind."""

from __future__ import annotations

import re

from tightrope.encoding.access import load, make_object, shifted, store, store_scalar
from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import WhyDeparted
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.numbers import Computed, compute
from tightrope.encoding.values import (
    NUMBER,
    WORD,
    Nature,
    Object,
    Pointer,
    Scalar,
    Value,
    address,
    as_pointer,
    choose_value,
    moved,
)
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, choose, compare, either, extract, sign_extend, zero_extend
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.ir.model import Instruction
from tightrope.program.ir.model import Value as Operand
from tightrope.program.ir.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType
from tightrope.program.marks.unwritten import is_ours, unwritten_source
from tightrope.weaving.weave_function import scalar_bits

MOST_UNWRITTEN = 1024  # bytes of a local of a loop
_ALIGNMENT = re.compile(r", align (\d+)")


def run_arithmetic(frame: Frame, instruction: Instruction) -> None:
    """Arithmetic on numbers, and sums and differences of addresses."""
    if instruction.opcode in ("add", "sub") and _run_on_addresses(frame, instruction):
        return
    operands = [frame.term(operand) for operand in instruction.operands]
    checks = () if frame.in_label else frame.walk.subject.checks
    found = compute(frame.table, instruction, operands, checks)
    if found is None:
        raise NotEncodedError(_unmodelled(instruction))
    take(frame, instruction, found)


def take(frame: Frame, instruction: Instruction, found: Computed) -> None:
    """Store the result of a computation; apply its conditions (the run ends, the value is unknown)."""
    if found.undefined_if is not None:
        frame.note_undefined(found.undefined_if)
        if found.goes_on is None:
            frame.note_lapse(found.undefined_if)
    if found.goes_on is not None:
        frame.stop(negate(frame.table, found.goes_on))
    values: list[Scalar] = list(found.values)
    if found.unknown:
        when = found.unknown_if if found.unknown_if is not None else truth(frame.table, True)
        values = [_unless(frame, when, value) for value in found.values]
    frame.define(instruction, values[0] if len(values) == 1 else tuple(values))


def _unless(frame: Frame, when: Term, value: Term) -> Scalar:
    chosen = choose_value(frame.table, when, frame.walk.anything(value.bits, value.is_float), value)
    assert not isinstance(chosen, tuple)
    return chosen


def _unmodelled(instruction: Instruction) -> str:
    kinds = [str(instruction.type), *(str(operand.type) for operand in instruction.operands)]
    if any("x86_fp80" in kind or "fp128" in kind for kind in kinds):
        return "long double"
    return f"`{instruction.opcode}` of {kinds[0]}"


def _run_on_addresses(frame: Frame, instruction: Instruction) -> bool:
    one, other = (frame.scalar(operand) for operand in instruction.operands)
    if not isinstance(one, Pointer) and not isinstance(other, Pointer):
        return False
    table, is_sum = frame.table, instruction.opcode == "add"
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        if is_sum:
            return False
        frame.define(instruction, difference(frame, one, other))
    elif isinstance(one, Pointer):
        amount, op = other, Op.ADD if is_sum else Op.SUB
        assert isinstance(amount, Term)
        _define_sum(frame, instruction, moved(table, one, lambda offset: apply(table, op, offset, amount)))
    elif is_sum:
        assert isinstance(other, Pointer)
        start = one
        _define_sum(frame, instruction, moved(table, other, lambda offset: apply(table, Op.ADD, start, offset)))
    else:
        return False
    return True


def _define_sum(frame: Frame, instruction: Instruction, found: Pointer) -> None:
    """The sum of an address and a number. If inputs decide it, they can make it the address of another object."""
    for when, place, offset in found.ways:
        if isinstance(place, Object) and offset.op is not Op.CONSTANT:
            is_outside = compare(frame.table, Op.ULT, frame.table.constant(place.size, WORD), offset)
            why = "an address is computed as a number"
            frame.doubt(WhyDeparted.ADDRESS, why, instruction.location, both(frame.table, when, is_outside))
    frame.define(instruction, found)


def difference(frame: Frame, one: Pointer, other: Pointer) -> Term:
    """The distance in bytes between two addresses of one object; unconstrained for two objects."""
    table = frame.table
    found: Term | None = None
    apart = table.constant(0, 1)
    for mine, place, offset in one.ways:
        for theirs, where, start in other.ways:
            when = both(table, mine, theirs)
            if is_constant(when, 0):
                continue
            if place is where or place == where:
                value = apply(table, Op.SUB, offset, start)
            else:
                apart = either(table, apart, when)
                value = frame.walk.anything(WORD)
            found = value if found is None else choose(table, when, value, found)
    if not is_constant(apart, 0):
        frame.doubt(WhyDeparted.ADDRESS, "the distance between two objects", None, apart)
    return found if found is not None else table.constant(0, WORD)


def run_icmp(frame: Frame, instruction: Instruction) -> None:
    one, other = (frame.scalar(operand) for operand in instruction.operands)
    if not isinstance(one, Pointer) and not isinstance(other, Pointer):
        return run_arithmetic(frame, instruction)
    pointers = as_pointer(frame.table, one), as_pointer(frame.table, other)
    frame.define(instruction, compare_addresses(frame, instruction.predicate, *pointers))
    return None


_COMPARE = {
    "ult": (Op.ULT, False), "ule": (Op.ULE, False), "ugt": (Op.ULT, True), "uge": (Op.ULE, True),
    "slt": (Op.SLT, False), "sle": (Op.SLE, False), "sgt": (Op.SLT, True), "sge": (Op.SLE, True),
}  # fmt: skip


def compare_addresses(frame: Frame, predicate: str, one: Pointer, other: Pointer) -> Term:
    """Compare offsets if both are in one object. Addresses of two objects differ; their order is unconstrained."""
    table = frame.table
    found, met = table.constant(0, 1), table.constant(0, 1)
    for mine, place, offset in one.ways:
        for theirs, where, start in other.ways:
            when = both(table, mine, theirs)
            if is_constant(when, 0):
                continue
            if place is where or place == where:
                holds = compare_offsets(frame, predicate, offset, start, place is NUMBER)
            else:
                holds = _compare_places(frame, predicate, (place, offset), (where, start), when)
                if place is not NUMBER and where is not NUMBER and _depends_on_layout(place, where):
                    met = either(table, met, when)
            found = either(table, found, both(table, when, holds))
    if not is_constant(met, 0):
        frame.doubt(WhyDeparted.SHAPE, "two addresses are compared", None, met)
    return found


def compare_offsets(frame: Frame, predicate: str, one: Term, other: Term, are_numbers: bool) -> Term:
    table = frame.table
    if predicate in ("eq", "ne"):
        same = compare(table, Op.EQ, one, other)
        return same if predicate == "eq" else negate(table, same)
    op, is_swapped = _COMPARE[predicate]
    if not are_numbers:  # offsets have a sign: p - 1 < p
        op = {Op.ULT: Op.SLT, Op.ULE: Op.SLE}.get(op, op)
    return compare(table, op, other, one) if is_swapped else compare(table, op, one, other)


def _depends_on_layout(place: object, where: object) -> bool:
    """As in runtime/numbers.c: where inputs and functions lie in memory is our choice."""
    natures = [each.nature if isinstance(each, Object) else None for each in (place, where)]
    is_ours = any(nature in (Nature.GIVEN, None) for nature in natures)
    return is_ours and all(nature in (Nature.GIVEN, Nature.MUTABLE, Nature.CONSTANT, None) for nature in natures)


def _is_end(frame: Frame, place: object, offset: Term) -> Term:
    """Whether it is the end of an object, or may be: a caller may pass a longer one. An array without elements ends
    where it begins, which may be where another object is; a heap block without bytes has a place of its own."""
    if not isinstance(place, Object):
        return truth(frame.table, False)
    if place.limit is None:
        return truth(frame.table, not is_constant(frame.equal(offset, place.size), 0))
    is_start = place.nature is Nature.HEAP and is_constant(offset, 0)
    return truth(frame.table, False) if is_start else compare(frame.table, Op.EQ, offset, place.limit)


def _compare_places(
    frame: Frame, predicate: str, one: tuple[object, Term], other: tuple[object, Term], when: Term
) -> Term:
    """Compare two places that are not the same; `when` says for which inputs the pointers lead there."""
    table = frame.table
    number = next((offset for place, offset in (one, other) if place is NUMBER), None)
    if number is not None and not is_constant(number, 0):
        is_null = frame.equal(number, 0)
        null = (NUMBER, table.constant(0, WORD))
        mine, theirs = (null if each[0] is NUMBER else each for each in (one, other))
        elsewhere = both(table, when, negate(table, is_null))
        chance = _left_to_chance(frame, "an address is compared with a number", elsewhere)
        known = _compare_places(frame, predicate, mine, theirs, both(table, when, is_null))
        return choose(table, is_null, known, chance)
    if predicate in ("eq", "ne"):
        is_end = either(table, _is_end(frame, *one), _is_end(frame, *other))
        at_end, known = both(table, when, is_end), truth(table, predicate == "ne")
        if is_constant(at_end, 0):
            return known
        chance = _left_to_chance(frame, "the end of an object may be the start of another", at_end)
        return choose(table, is_end, chance, known)
    if number is not None:  # NULL is below all addresses
        is_below = one[0] is NUMBER
        return truth(table, is_below == (predicate in ("ult", "ule", "slt", "sle")))
    return _left_to_chance(frame, "the order of two objects in memory", when)


def _left_to_chance(frame: Frame, what: str, when: Term) -> Term:
    """What depends on where objects lie. Often no run compares such places: `p + 5` is the number 5 if p is a null
    pointer, which the function has excluded before."""
    if frame.walk.is_cut(what, None, both(frame.table, frame.state.reach, when), frame.behind):
        return frame.table.constant(0, 1)
    frame.doubt(WhyDeparted.ADDRESS, what, None, when)
    return frame.walk.anything(1)


def run_cast(frame: Frame, instruction: Instruction) -> None:
    """ptrtoint, inttoptr: an address stays the same value, whatever its type."""
    value = frame.scalar(instruction.operands[0])
    bits = scalar_bits(instruction.type)
    if isinstance(instruction.type, PointerType):
        if isinstance(value, Term):
            value = as_pointer(frame.table, _widened(frame, value))
        return frame.define(instruction, value)
    if bits == WORD:
        return frame.define(instruction, value)
    number = value if isinstance(value, Term) else frame.as_number(value)
    return frame.define(instruction, extract(frame.table, number, 0, bits))


def _widened(frame: Frame, value: Term) -> Term:
    return zero_extend(frame.table, value, WORD)


def run_select(frame: Frame, instruction: Instruction) -> None:
    condition, then, otherwise = (frame.value(operand) for operand in instruction.operands)
    if not isinstance(condition, Term):
        raise NotEncodedError("`select` of vectors")
    frame.define(instruction, choose_value(frame.table, condition, then, otherwise))


def run_freeze(frame: Frame, instruction: Instruction) -> None:
    frame.define(instruction, frame.value(instruction.operands[0]))


def run_bitcast(frame: Frame, instruction: Instruction) -> None:
    value = frame.value(instruction.operands[0])
    if isinstance(value, Pointer):
        return frame.define(instruction, value)
    return run_arithmetic(frame, instruction)


# -- memory


def run_alloca(frame: Frame, instruction: Instruction) -> None:
    """The contents of the new object are unknown. Locals of Tightrope's own functions hold zeros."""
    assert instruction.source_type is not None and instruction.result
    size = frame.walk.constants.layout.size_of(instruction.source_type)
    made = Object(instruction.result, size, Nature.STACK, is_sized_by_program=frame.is_of_program)
    if instruction.operands:
        count = zero_extend(frame.table, frame.term(instruction.operands[0]), WORD)
        total = apply(frame.table, Op.MUL, count, frame.table.constant(size, WORD))
        made = make_object(frame, total, Nature.STACK, "an array of variable length", instruction.location)
    if frame.walk.observer is None and not is_ours(frame.plan.function.name):
        made.make_byte = lambda: frame.walk.anything(8)
    frame.objects.append(made)
    frame.define(instruction, address(frame.table, made))


def make_unwritten(frame: Frame, kind: Type) -> Scalar:
    """What nothing has written: an unknown value."""
    bits = scalar_bits(kind)
    if not bits:
        raise NotEncodedError(f"a value of type {kind}")
    value = frame.walk.anything(bits)
    if frame.walk.observer is not None:
        frame.walk.observer.unwritten.append(value)
    if isinstance(kind, FloatType):
        return frame.table.make(Op.F_FROM_BITS, bits, (value,), 0, True)
    return as_pointer(frame.table, value) if isinstance(kind, PointerType) else value


def unwrite(frame: Frame, to: Pointer, size: int, place: Location | None) -> None:
    """A local of a block that is entered again: its contents are unknown."""
    if size > MOST_UNWRITTEN:
        raise NotEncodedError("a large local of a loop")
    for at in range(size):
        store_scalar(frame, shifted(frame, to, at), make_unwritten(frame, IntType(8)), 1, place)


def run_load(frame: Frame, instruction: Instruction) -> None:
    if unwritten_source(instruction) is not None:
        return frame.define(instruction, make_unwritten(frame, instruction.type))
    pointer = as_pointer(frame.table, frame.scalar(instruction.operands[0]))
    _note_misaligned(frame, instruction, pointer)
    frame.define(instruction, load(frame, pointer, instruction.type, instruction.location))


def run_store(frame: Frame, instruction: Instruction) -> None:
    value, target = instruction.operands
    pointer = as_pointer(frame.table, frame.scalar(target))
    _note_misaligned(frame, instruction, pointer)
    store(frame, pointer, frame.value(value), value.type, instruction.location)


def _note_misaligned(frame: Frame, instruction: Instruction, pointer: Pointer) -> None:
    """This machine reads and writes at any address; others do not. The start of an object counts as aligned."""
    found = _ALIGNMENT.search(instruction.text)
    if frame.walk.observer is None or found is None:
        return
    table, bits = frame.table, int(found[1]).bit_length() - 1
    for when, place, offset in pointer.ways:
        if bits and isinstance(place, Object):
            is_aligned = compare(table, Op.EQ, extract(table, offset, 0, bits), table.constant(0, bits))
            frame.note_lapse(both(table, when, negate(table, is_aligned)))


def run_getelementptr(frame: Frame, instruction: Instruction) -> None:
    """base + constant + index * scale + ..."""
    base, *indices = instruction.operands
    pointer = as_pointer(frame.table, frame.scalar(base))
    amount = element_offset(frame, instruction, indices)
    table = frame.table
    frame.define(instruction, moved(table, pointer, lambda offset: apply(table, Op.ADD, offset, amount)))


def element_offset(frame: Frame, instruction: Instruction, indices: list[Operand]) -> Term:
    assert instruction.source_type is not None
    table, layout, kind = frame.table, frame.walk.constants.layout, instruction.source_type
    total = table.constant(0, WORD)
    for position, index in enumerate(indices):
        if position:
            body = layout.body(kind)
            if isinstance(body, StructType):
                number = int(index.text)
                total = apply(table, Op.ADD, total, table.constant(layout.offset_of(kind, number), WORD))
                kind = body.elements[number]
                continue
            if not isinstance(body, ArrayType | VectorType):
                raise NotEncodedError("an address")
            kind = body.element
        wide = sign_extend(table, frame.term(index), WORD)
        scaled = apply(table, Op.MUL, wide, table.constant(layout.size_of(kind), WORD))
        total = apply(table, Op.ADD, total, scaled)
    return total


def run_extractvalue(frame: Frame, instruction: Instruction) -> None:
    whole = frame.value(instruction.operands[0])
    start, count = _leaf_range(frame, instruction.operands[0], instruction.indices)
    assert isinstance(whole, tuple)
    part = whole[start : start + count]
    frame.define(instruction, part if frame.walk.constants.is_aggregate(instruction.type) else part[0])


def run_insertvalue(frame: Frame, instruction: Instruction) -> None:
    whole, part = (frame.value(operand) for operand in instruction.operands)
    start, count = _leaf_range(frame, instruction.operands[0], instruction.indices)
    assert isinstance(whole, tuple)
    parts: tuple[Scalar, ...] = part if isinstance(part, tuple) else (part,)
    frame.define(instruction, (*whole[:start], *parts, *whole[start + count :]))


def _leaf_range(frame: Frame, operand: Operand, indices: tuple[int, ...]) -> tuple[int, int]:
    layout, kind, start = frame.walk.constants.layout, operand.type, 0
    for index in indices:
        body = layout.body(kind)
        elements = body.elements if isinstance(body, StructType) else (body.element,) * body.count  # type: ignore[union-attr]
        start += sum(len(layout.leaves(element)) for element in elements[:index])
        kind = elements[index]
    return start, len(layout.leaves(kind))


# -- control


def run_branch(frame: Frame, instruction: Instruction) -> None:
    if not instruction.operands:
        return frame.go(instruction.targets[0], truth(frame.table, True))
    condition = frame.term(instruction.operands[0])
    then, otherwise = instruction.targets
    opposite = negate(frame.table, condition)
    frame.branch(((0, otherwise, opposite), (1, then, condition)))
    return None


def run_switch(frame: Frame, instruction: Instruction) -> None:
    value = frame.term(instruction.operands[0])
    table, chosen = frame.table, truth(frame.table, False)
    sides = []
    for number, (case, target) in enumerate(zip(instruction.cases, instruction.targets[1:], strict=True), 1):
        when = frame.equal(value, case)
        chosen = either(table, chosen, when)
        sides.append((number, target, when))
    sides.append((0, instruction.targets[0], negate(table, chosen)))
    frame.branch([side for side in sides if not is_constant(side[2], 0)] or sides)


def run_return(frame: Frame, instruction: Instruction) -> None:
    value: Value | None = frame.value(instruction.operands[0]) if instruction.operands else None
    frame.end_with(value)


def run_unreachable(frame: Frame, instruction: Instruction) -> None:
    """A run that gets here crashes, or ended in the call before."""
    if frame.in_label:
        raise NotEncodedError("a predicate that ends the program")
    frame.stop()


def run_nothing(frame: Frame, instruction: Instruction) -> None:
    """fence."""


ARITHMETIC = (
    *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem", "fcmp"),
    *("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "zext", "sext", "trunc", "fpext", "fptrunc", "sitofp", "uitofp"),
    *("fptosi", "fptoui"),
)
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(ARITHMETIC, run_arithmetic),
    "icmp": run_icmp,
    **dict.fromkeys(("ptrtoint", "inttoptr", "ptrtoaddr"), run_cast),
    "bitcast": run_bitcast,
    "freeze": run_freeze,
    "select": run_select,
    "alloca": run_alloca,
    "load": run_load,
    "store": run_store,
    "getelementptr": run_getelementptr,
    "extractvalue": run_extractvalue,
    "insertvalue": run_insertvalue,
    "br": run_branch,
    "switch": run_switch,
    "ret": run_return,
    "unreachable": run_unreachable,
    "fence": run_nothing,
}
