"""Loads, stores, addresses, stack objects, and values taken apart and put together."""

from __future__ import annotations

import re

from tightrope.expr.operators import Op
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.types import ArrayType, IntType, NamedType, StructType, Type, VectorType
from tightrope.program.marks.unwritten import local_name, unwritten_source
from tightrope.weaving.weave_function import (
    FunctionWeaver,
    Handler,
    constant_bits,
    is_aggregate,
    is_stub,
    nature_of,
    scalar_bits,
    sort_of,
    suffixed,
    weave_unmodelled,
)

ACCESS = "access through a symbolic address"
GLOBAL_GAP = 128  # bytes behind each global, and
ARRAY_ALIGNMENT = 16  # of arrays of at least 16 bytes, on x86-64
STACK_GAP = 32  # around each stack object, that belong to nothing (see runtime/objects.c)


def access_place(weaver: FunctionWeaver, instruction: Instruction, what: str = ACCESS) -> str:
    """Two numbers in a row: the access through a symbolic address, and the same access out of all bounds."""
    return f"i32 {weaver.places.pair(what, 'access outside every known object', instruction.location)}"


def _leaf_address(weaver: FunctionWeaver, pointer: Value, offset: int) -> tuple[str, str]:
    """Address and shadow of the byte at `offset` behind a pointer."""
    shadow = weaver.shadow_of(pointer)
    if offset == 0:
        return pointer.text, shadow
    address = weaver.let(f"getelementptr i8, ptr {pointer.text}, i64 {offset}")
    if shadow == "0":
        return address, shadow
    number = weaver.bits(pointer)
    return address, weaver.let(
        weaver.ask("tr_index", f"i32 {shadow}", f"i64 {number}", "i32 0", f"i64 {offset}", "i64 1")
    )


_GLOBAL = re.compile(r'\bptr (@[-\w.$]+|@"[^"]*")')


def base_of(weaver: FunctionWeaver, pointer: Value) -> str:
    """The address that this one was computed from: an access must stay in the object that it leads to."""
    text = pointer.text
    while (step := weaver.definitions.get(text)) and step.opcode == "getelementptr":
        text = step.operands[0].text
    if text.startswith("getelementptr") and (found := _GLOBAL.search(text)):
        return found[1]
    return "null" if text in ("undef", "poison") else text


def _ask_load(weaver: FunctionWeaver, address: str, base: str, shadow: str, kind: Type, place: str) -> str:
    natures = f"i32 {scalar_bits(kind)}", f"i32 {nature_of(kind)}"
    return weaver.ask("tr_load", f"ptr {address}", f"ptr {base}", f"i32 {shadow}", *natures, place)


def weave_load(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """load: each scalar comes with the expression that shadow memory holds for its bytes."""
    if (name := unwritten_source(instruction)) is not None:
        return _weave_unwritten(weaver, instruction, name)
    if weaver.in_label and scalar_bits(instruction.type):
        return _weave_label_load(weaver, instruction)
    pointer = instruction.operands[0]
    place, base = access_place(weaver, instruction), base_of(weaver, pointer)
    for (kind, offset), name in zip(weaver.leaves(instruction.type), weaver.result_shadow(instruction), strict=True):
        address, shadow = _leaf_address(weaver, pointer, offset)
        if scalar_bits(kind):
            weaver.define(name, _ask_load(weaver, address, base, shadow, kind, place))
        else:
            weaver.pin_operand(pointer, ACCESS, instruction)
            pin_memory(weaver, Value(pointer.type, address), weaver.layout.size_of(kind), instruction)
    weaver.original(instruction)


def _weave_unwritten(weaver: FunctionWeaver, instruction: Instruction, name: str) -> None:
    """The contents of a local that nothing has written: zeros, and leaves that say so."""
    weaver.emit(f"{instruction.result} = freeze {instruction.type} zeroinitializer")
    for (kind, _), shadow in zip(weaver.leaves(instruction.type), weaver.result_shadow(instruction), strict=True):
        if scalar_bits(kind):
            weaver.define(shadow, weaver.unwritten.load(scalar_bits(kind), sort_of(kind), name))


def _weave_label_load(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """In the predicate of a label: where the load would end the run, something harmless is loaded instead.

    Before: %0 = load i32, ptr %p, align 4
    After:  %tr.1 = call ptr @tr_label_load(ptr %p, ...)
            %0.tr0 = load i32, ptr @tr_label_shadow
            %0 = load i32, ptr %tr.1, align 4
    """
    pointer, kind = instruction.operands[0], instruction.type
    accessed = f"ptr {pointer.text}", f"ptr {base_of(weaver, pointer)}", f"i32 {weaver.shadow_of(pointer)}"
    natures = f"i32 {scalar_bits(kind)}", f"i32 {nature_of(kind)}"
    arguments = ", ".join((*accessed, *natures, access_place(weaver, instruction)))
    safe = weaver.let(f"call ptr @tr_label_load({arguments})")
    weaver.define(weaver.result_shadow(instruction)[0], "load i32, ptr @tr_label_shadow")
    weaver.lines.append(re.sub(rf"ptr {re.escape(pointer.text)}(?![\w.$-])", f"ptr {safe}", instruction.text, count=1))


def pin_memory(weaver: FunctionWeaver, pointer: Value, size: int, instruction: Instruction) -> None:
    """Keep so many bytes at their values in this run: for loads that have no model."""
    place = access_place(weaver, instruction, "value that is not modelled (wider than 64 bits, or a vector)")
    base = pointer.text
    for offset in range(0, size, 8):
        width = 8 * min(8, size - offset)
        address = weaver.let(f"getelementptr i8, ptr {pointer.text}, i64 {offset}")
        shadow = weaver.let(_ask_load(weaver, address, base, "0", IntType(width), place))
        value = weaver.let(f"load i{width}, ptr {address}, align 1")
        number = value if width == 64 else weaver.let(f"zext i{width} {value} to i64")
        weaver.call("tr_pin", f"i32 {shadow}", f"i64 {number}", place)


def weave_store(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """store: the probe comes first, because it needs the bytes that are about to be overwritten."""
    value, pointer = instruction.operands
    place, base = access_place(weaver, instruction), base_of(weaver, pointer)
    for index, (kind, offset) in enumerate(weaver.leaves(value.type)):
        address, shadow = _leaf_address(weaver, pointer, offset)
        if not scalar_bits(kind):
            weaver.pin_operand(pointer, ACCESS, instruction)
            stretch = f"ptr {address}", "i32 0", "i32 0", f"i64 {weaver.layout.size_of(kind)}", "i32 0"
            weaver.call("tr_fill", *stretch, place)
            continue
        is_needed = shadow != "0" or (sort_of(kind) and weaver.shadow(value)[index] != "0")
        number = weaver.bits(weaver.leaf(value, index)) if is_needed else "0"
        weaver.call(
            "tr_store",
            f"ptr {address}",
            f"ptr {base}",
            f"i32 {shadow}",
            f"i32 {scalar_bits(kind)}",
            f"i32 {sort_of(kind)}",
            f"i32 {weaver.shadow(value)[index]}",
            f"i64 {number}",
            place,
        )
    weaver.original(instruction)


def weave_alloca(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """alloca: the object becomes known by its bounds, holds zeros and has a gap on either side.

    Before: %a = alloca [5 x i32], align 16
    After:  %a.room = alloca i8, i64 84, align 16
            %a = getelementptr i8, ptr %a.room, i64 32
            call void @tr_stack_object(ptr %a, i64 20, i32 %tr.1, i32 16)
    """
    assert instruction.source_type is not None and instruction.result
    alignment = int(found[1]) if (found := re.search(r"\balign (\d+)", instruction.text)) else 16
    chosen = max(alignment, 8)  # runtime/addresses.c looks for pointers at multiples of 8
    front, total = max(STACK_GAP, chosen), _stack_bytes(weaver, instruction)
    weaver.no_shadow(instruction)
    gaps = front + STACK_GAP
    whole = str(int(total) + gaps) if total.isdigit() else weaver.let(f"add i64 {total}, {gaps}")
    room, leaf = suffixed(instruction.result, "room"), _leaf_of_local(weaver, instruction.result)
    weaver.emit(f"{room} = alloca i8, i64 {whole}, align {chosen}")
    weaver.emit(f"{instruction.result} = getelementptr i8, ptr {room}, i64 {front}")
    known = f"i32 {leaf}", f"i32 {promised_alignment(weaver.layout, instruction.source_type, alignment)}"
    weaver.call("tr_stack_object", f"ptr {instruction.result}", f"i64 {total}", *known)


def promised_alignment(layout: Layout, kind: Type, alignment: int) -> int:
    """What the C promises of the alignment that the compiler chose: it aligns longer arrays better than their type."""
    is_array = isinstance(layout.body(kind), ArrayType)
    return layout.align_of(kind) if is_array and alignment == ARRAY_ALIGNMENT else alignment


def _leaf_of_local(weaver: FunctionWeaver, name: str) -> str:
    """What the bytes of a local are until they are written. Locals of Tightrope's own functions count as written."""
    is_written = weaver.is_ours or is_stub(weaver.function) or name.endswith(".addr")
    return "0" if is_written else weaver.let(weaver.unwritten.load(8, 0, local_name(name)))


def _stack_bytes(weaver: FunctionWeaver, instruction: Instruction) -> str:
    """The size of an object on the stack; a variable one has its length in this run, which must fit."""
    assert instruction.source_type is not None
    size = weaver.layout.size_of(instruction.source_type)
    if not instruction.operands:
        return str(size)
    (count,) = instruction.operands
    number, place = weaver.bits(count), weaver.place("length of a variable array", instruction)
    weaver.call("tr_stack_room", f"i64 {number}", f"i32 {weaver.shadow_of(count)}", f"i64 {size}", place)
    return weaver.let(f"mul i64 {number}, {size}")


def weave_getelementptr(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """getelementptr: base + constant + index * scale + ..., on 64-bit addresses."""
    base, *indices = instruction.operands
    if is_aggregate(instruction.type) or any(is_aggregate(v.type) for v in (base, *indices)):
        return weave_unmodelled(weaver, instruction)
    steps = _index_steps(weaver, instruction, indices)
    if weaver.shadow_of(base) == "0" and all(weaver.shadow_of(v) == "0" for v, _ in steps.variable):
        weaver.no_shadow(instruction)
    else:
        shadow = _add_steps(weaver, base, steps)
        weaver.define(weaver.result_shadow(instruction)[0], f"add i32 {shadow}, 0")
    weaver.original(instruction)
    _check_start(weaver, instruction)


def _check_start(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """NULL has no members, even if only the address of one is wanted, and nothing is so many steps away from it. If all
    that is done with the address is to read or write there, that finds it."""
    if weaver.is_ours or instruction.result not in weaver.kept_addresses:
        return
    start, has_member = instruction.operands[0].text, len(instruction.operands) > 2
    while (before := weaver.definitions.get(start)) and before.opcode == "getelementptr":
        start, has_member = before.operands[0].text, has_member or len(before.operands) > 2
    made = weaver.definitions.get(start)
    if not start.startswith("%") or (made is not None and made.opcode == "alloca"):
        return
    if has_member:
        weaver.call("tr_need", f"ptr {start}")
    else:
        weaver.call("tr_move", f"ptr {start}", f"ptr {instruction.result}")


class _Steps:
    def __init__(self) -> None:
        self.constant = 0
        self.variable: list[tuple[Value, int]] = []  # index, scale


def _index_steps(weaver: FunctionWeaver, instruction: Instruction, indices: list[Value]) -> _Steps:
    assert instruction.source_type is not None
    steps, kind = _Steps(), instruction.source_type
    for position, index in enumerate(indices):
        if position and isinstance(struct := _body(weaver, kind), StructType):
            field = constant_bits(index) or 0
            steps.constant += weaver.layout.offset_of(kind, field)
            kind = struct.elements[field]
            continue
        if position:
            body = _body(weaver, kind)
            assert isinstance(body, ArrayType | VectorType)
            kind = body.element
        _add_index(steps, index, weaver.layout.size_of(kind))
    return steps


def _body(weaver: FunctionWeaver, kind: Type) -> Type:
    return weaver.program.named_types[kind.name] if isinstance(kind, NamedType) else kind


def _add_index(steps: _Steps, index: Value, scale: int) -> None:
    number = constant_bits(index)
    if number is None:
        steps.variable.append((index, scale))
    else:
        assert isinstance(index.type, IntType)
        sign = 1 << (index.type.bits - 1)
        steps.constant += ((number ^ sign) - sign) * scale


def _add_steps(weaver: FunctionWeaver, base: Value, steps: _Steps) -> str:
    shadow, number = weaver.shadow_of(base), weaver.bits(base)
    if steps.constant and shadow != "0":
        offset = steps.constant & (2**64 - 1)
        shadow = weaver.let(weaver.ask("tr_index", f"i32 {shadow}", f"i64 {number}", "i32 0", f"i64 {offset}", "i64 1"))
    if steps.constant:
        number = weaver.let(f"add i64 {number}, {steps.constant}")
    for position, (index, scale) in enumerate(steps.variable):
        wide, wide_shadow = _signed_index(weaver, index)
        arguments = (f"i32 {shadow}", f"i64 {number}", f"i32 {wide_shadow}", f"i64 {wide}", f"i64 {scale}")
        shadow = weaver.let(weaver.ask("tr_index", *arguments))
        if position + 1 < len(steps.variable):
            number = weaver.let(f"add i64 {number}, {weaver.let(f'mul i64 {wide}, {scale}')}")
    return shadow


def _signed_index(weaver: FunctionWeaver, index: Value) -> tuple[str, str]:
    """The index as a 64-bit number, sign-extended, and its shadow likewise."""
    shadow = weaver.shadow_of(index)
    if isinstance(index.type, IntType) and index.type.bits < 64:
        wide = weaver.let(f"sext {index.type} {index.text} to i64")
        if shadow != "0":
            shadow = weaver.let(weaver.ask("tr_extend", f"i32 {Op.SIGN_EXTEND.value}", "i32 64", f"i32 {shadow}"))
        return wide, shadow
    return index.text, shadow


def weave_extractvalue(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """extractvalue: some of the aggregate's leaves."""
    start, count = _leaf_range(weaver, instruction.operands[0].type, instruction.indices)
    weaver.alias(instruction, weaver.shadow(instruction.operands[0])[start : start + count])
    weaver.original(instruction)


def weave_insertvalue(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """insertvalue: the aggregate's leaves with some replaced."""
    aggregate, element = instruction.operands
    start, count = _leaf_range(weaver, aggregate.type, instruction.indices)
    shadows = list(weaver.shadow(aggregate))
    shadows[start : start + count] = weaver.shadow(element)
    weaver.alias(instruction, shadows)
    weaver.original(instruction)


def _leaf_range(weaver: FunctionWeaver, kind: Type, indices: tuple[int, ...]) -> tuple[int, int]:
    start = 0
    for index in indices:
        elements = weaver.elements(kind)
        start += sum(len(weaver.leaves(element)) for element in elements[:index])
        kind = elements[index]
    return start, len(weaver.leaves(kind))


def weave_extractelement(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """extractelement with a constant index: that element."""
    vector, index = instruction.operands
    number = constant_bits(index)
    if number is None:
        return weave_unmodelled(weaver, instruction)
    weaver.alias(instruction, (weaver.shadow(vector)[number],))
    weaver.original(instruction)


def weave_insertelement(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """insertelement with a constant index: the vector with that element replaced."""
    vector, element, index = instruction.operands
    number = constant_bits(index)
    if number is None:
        return weave_unmodelled(weaver, instruction)
    shadows = list(weaver.shadow(vector))
    shadows[number] = weaver.shadow_of(element)
    weaver.alias(instruction, shadows)
    weaver.original(instruction)


def weave_atomic(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """cmpxchg, atomicrmw: done by the machine; operands and the memory they touch are pinned."""
    pointer, value = instruction.operands[0], instruction.operands[1]
    for operand in instruction.operands:
        weaver.pin_operand(operand, "atomic operation", instruction)
    pin_memory(weaver, pointer, weaver.layout.size_of(value.type), instruction)
    weaver.original(instruction)
    weaver.call("tr_forget", f"ptr {pointer.text}", f"i64 {weaver.layout.size_of(value.type)}")
    weaver.no_shadow(instruction)


HANDLERS: dict[str, Handler] = {
    "load": weave_load,
    "store": weave_store,
    "alloca": weave_alloca,
    "getelementptr": weave_getelementptr,
    "extractvalue": weave_extractvalue,
    "insertvalue": weave_insertvalue,
    "extractelement": weave_extractelement,
    "insertelement": weave_insertelement,
    "cmpxchg": weave_atomic,
    "atomicrmw": weave_atomic,
}
