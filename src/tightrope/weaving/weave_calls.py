"""Calls: of the unit's own functions, of library models, of the C library, of nothing we know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tightrope.library.libc_models import PREFIX, spoken_name
from tightrope.library.table import Fact, functions_with
from tightrope.program.ir.model import Function, Instruction, Value
from tightrope.program.ir.types import FloatType, PointerType
from tightrope.weaving.probes import MAX_ARGUMENTS, MAX_COPIED, MAX_RESULTS
from tightrope.weaving.weave_function import (
    FunctionWeaver,
    Handler,
    constant_bits,
    element_of,
    is_stub,
    scalar_bits,
    signature,
)
from tightrope.weaving.weave_intrinsics import weave_intrinsic
from tightrope.weaving.weave_library import check_arguments, clobber_pointers, fits_model, rename_callee, weave_library
from tightrope.weaving.weave_marks import MARKS

# What the driver tells the runtime, in C already.
DRIVER_CALLS = tuple(
    f"@tightrope_{name}"
    for name in (
        "input",
        "output",
        "choose",
        "bound",
        "promise",
        "turn",
        "hand_over",
        "fit",
        "beyond",
        "limit",
        "returned",
        "note",
    )
)


_TAKE_BASES = functions_with(Fact.TAKES_BASE)


def weave_call(weaver: FunctionWeaver, call: Instruction) -> None:
    """call: the callee decides how it is woven."""
    name = call.callee
    if call.is_assembly or not name:
        return _weave_assembly(weaver, call)
    if name.startswith("@llvm."):
        return weave_intrinsic(weaver, call)
    if name in MARKS:
        return MARKS[name](weaver, call)
    if name.startswith(DRIVER_CALLS):
        return weaver.original(call)
    if name == "@tightrope_assume":
        return _weave_assume(weaver, call)
    if name == "@tightrope_prefer":
        return _weave_prefer(weaver, call)
    function = weaver.program.functions.get(name)
    if (function and function.is_defined) or not name.startswith("@"):
        return _weave_woven(weaver, call, name)
    if fits_model(weaver, call):
        return _weave_woven(weaver, call, f"@{PREFIX}{name[1:]}")
    weave_library(weaver, call)


# -- functions that are woven too


def _needed_pointers(call: Instruction, stub: Function) -> Iterator[Value]:
    """Arguments that must not be NULL, as the header of the library says of the function that the stub stands for."""
    for argument, parameter in zip(call.arguments, stub.parameters, strict=False):
        if re.search(rf"\bnonnull\b[^,]* {re.escape(parameter.name)}[,)]", stub.header):
            yield argument.value


def _weave_woven(weaver: FunctionWeaver, call: Instruction, callee: str) -> None:
    """Leave the arguments' shadows where the callee looks for them, and find its results' shadows."""
    outside = "0" if callee.startswith("@") else _ask_about_pointer(weaver, call)
    _leave_arguments(weaver, call)
    _leave_place(weaver, call, callee)
    if (known := weaver.program.functions.get(callee)) is not None and is_stub(known):
        check_arguments(weaver, call)
        for argument in _needed_pointers(call, known):
            weaver.call("tr_need", f"ptr {argument.text}")
    if callee.startswith(f"@{PREFIX}") and call.callee[1:] in _TAKE_BASES and len(call.arguments) == 3:
        weaver.call("tr_base", f"i32 {call.arguments[2].value.text}")
    weaver.emit(f"store ptr {callee}, ptr @tr_callee")
    weaver.emit(f"store i32 {signature(call.function_type)}, ptr @tr_signature")
    _note_library_call(weaver, call, callee)
    results = weaver.result_shadow(call)
    for index in range(min(len(results), MAX_RESULTS)):
        weaver.emit(f"store i32 0, ptr {element_of('tr_results', index)}")
    weaver.lines.append(rename_callee(call, callee))
    if callee.startswith("@") and weaver.program.functions[callee].type != call.function_type:
        return weaver.no_shadow(call)  # the shadows would not fit; `tr_enter` has made the path approximate
    _take_results(weaver, results, outside)
    if outside != "0":
        clobber_pointers(weaver, call, outside)


def _note_library_call(weaver: FunctionWeaver, call: Instruction, callee: str) -> None:
    """Record the call of a model or stub: if the run ends in it, this is the place that the user knows."""
    name = re.sub(rf"^@({PREFIX}|tightrope_stub_)", "", callee)
    if weaver.function.name.startswith("@tightrope_") or name.startswith("@"):
        return
    what = "call through a pointer" if name.startswith("%") else f"call of `{spoken_name(name)}`"
    weaver.emit(f"store {weaver.place(what, call)}, ptr @tr_library_call")


def _leave_place(weaver: FunctionWeaver, call: Instruction, callee: str) -> None:
    """Record the call for stubs, whose events are reported at its place."""
    known = weaver.program.functions.get(callee)
    if (known is None or is_stub(known)) and not is_stub(weaver.function):
        name = callee.removeprefix("@").removeprefix("tightrope_stub_")
        place = weaver.place(f"call of `{name}`" if callee.startswith("@") else "call through a pointer", call)
        weaver.emit(f"store {place}, ptr @tr_call_place")


def _take_results(weaver: FunctionWeaver, results: Iterable[str], outside: str) -> None:
    """The shadows that the callee left; a function outside may have called back one of ours, which left others."""
    known = "" if outside == "0" else weaver.let(f"icmp eq i32 {outside}, 0")
    for index, result in enumerate(results):
        if index >= MAX_RESULTS:
            weaver.define(result, "add i32 0, 0")
        elif result != "0":
            left = weaver.let(f"load i32, ptr {element_of('tr_results', index)}")
            weaver.define(result, f"select i1 {known}, i32 {left}, i32 0" if known else f"add i32 {left}, 0")


def _ask_about_pointer(weaver: FunctionWeaver, call: Instruction) -> str:
    """Whether a function pointer leads to code that is not woven. A symbolic pointer is pinned to its value."""
    shadow = f"i32 {weaver.shadow_of(Value(PointerType(), call.callee))}"
    pinned = weaver.place("call through a symbolic function pointer", call)
    weaver.call("tr_pin_callee", shadow, f"ptr {call.callee}", pinned)
    place = weaver.place("call through a pointer, of a function that has no model", call)
    kind = f"i32 {signature(call.function_type)}"
    return weaver.let(weaver.ask("tr_is_outside", f"ptr {call.callee}", kind, place))


def _leave_arguments(weaver: FunctionWeaver, call: Instruction) -> None:
    assert call.function_type is not None
    fixed = len(call.function_type.parameters) if call.function_type.is_variadic else len(call.arguments)
    _leave_variadics(weaver, call, fixed)
    position = copied = 0
    for argument in call.arguments[:fixed]:
        if argument.byval is not None:  # the machine copies from where the object is in this run
            weaver.pin_operand(argument.value, "address of a struct given by value", call)
        if argument.byval is not None and copied < MAX_COPIED:
            weaver.emit(f"store ptr {argument.value.text}, ptr {element_of('tr_copied', copied)}")
            copied += 1
        shadows: Iterable[str] = ("0",) if argument.byval is not None else weaver.shadow(argument.value)
        for shadow in shadows:
            if position < MAX_ARGUMENTS:
                weaver.emit(f"store i32 {shadow}, ptr {element_of('tr_arguments', position)}")
            position += 1


def _leave_variadics(weaver: FunctionWeaver, call: Instruction, fixed: int) -> None:
    """Arguments behind `...`, for the callee's `va_start` (see runtime/variadic.c)."""
    assert call.function_type is not None
    callee = weaver.program.functions.get(call.callee)
    fits = callee is None or not callee.is_defined or callee.type == call.function_type  # `int f();` calls anything
    if call.function_type.is_variadic:
        weaver.call("tr_leave_variadics")
    for argument in call.arguments[fixed:]:
        value, place = argument.value, weaver.place("variadic argument", call)
        kind = 0 if argument.byval is not None or not fits else _variadic_kind(value)
        if not kind:
            weaver.pin_operand(value, "variadic argument", call)
        bits = scalar_bits(value.type)
        given = [f"i32 {weaver.shadow_of(value)}", f"i64 {weaver.bits(value)}"] if kind else ["i32 0", "i64 0"]
        weaver.call("tr_leave_variadic", f"i32 {kind}", f"i32 {bits}", *given, place)


def _variadic_kind(value: Value) -> int:
    """As runtime/variadic.c counts: 1 an integer or address, 2 a double, 0 anything else."""
    if isinstance(value.type, FloatType):
        return 2 if value.type.name == "double" else 0
    return int(scalar_bits(value.type) in (32, 64))


# -- what the driver says, and assembly


def _weave_assume(weaver: FunctionWeaver, call: Instruction) -> None:
    holds, number = (argument.value for argument in call.arguments)
    weaver.call(
        "tr_assume",
        f"i32 {weaver.shadow_of(holds)}",
        f"i32 {weaver.let(f'trunc i64 {weaver.bits(holds)} to i32')}",
        f"i32 {_as_signed(constant_bits(number) or 0)}",
    )


def _weave_prefer(weaver: FunctionWeaver, call: Instruction) -> None:
    holds = call.arguments[0].value
    side = weaver.let(f"trunc i64 {weaver.bits(holds)} to i32")
    weaver.call("tr_prefer", f"i32 {weaver.shadow_of(holds)}", f"i32 {side}", weaver.place("size of an input", call))


def _as_signed(number: int) -> int:
    return number - (1 << 32) if number >= 1 << 31 else number


def _weave_assembly(weaver: FunctionWeaver, call: Instruction) -> None:
    for argument in call.arguments:
        weaver.pin_operand(argument.value, "inline assembly", call)
    weaver.call("tr_concrete", weaver.place("inline assembly", call))
    if call.opcode == "callbr":  # assembly that jumps: nothing can stand behind it
        clobber_pointers(weaver, call)
        return weaver.original(call)
    weaver.original(call)
    weaver.no_shadow(call)
    clobber_pointers(weaver, call)


# -- control


def weave_branch(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """br: the side taken joins the path."""
    if instruction.operands:
        condition = instruction.operands[0]
        site = weaver.points.numbers[weaver.function.name, weaver.block.name, 0]
        constant = constant_bits(condition)
        side = weaver.let(f"zext i1 {condition.text} to i32") if constant is None else str(constant)
        weaver.call("tr_branch", f"i32 {site}", f"i32 {weaver.shadow_of(condition)}", f"i32 {side}")
    weaver.original(instruction)


def weave_switch(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """switch: one event with the chosen case."""
    value, count = instruction.operands[0], len(instruction.cases)
    if not scalar_bits(value.type):
        weaver.pin_operand(value, "switch on an unmodelled value", instruction)
        return weaver.original(instruction)
    site = weaver.points.numbers[weaver.function.name, weaver.block.name, 0]
    table = f"@tr_cases_{site}"
    cases = ", ".join(f"i64 {case}" for case in instruction.cases)
    body = f"[{cases}]" if count else "zeroinitializer"
    weaver.tables.append(f"{table} = private constant [{count} x i64] {body}")
    number = weaver.bits(value)
    weaver.call(
        "tr_switch", f"i32 {site}", f"i32 {weaver.shadow_of(value)}", f"i64 {number}", f"ptr {table}", f"i32 {count}"
    )
    weaver.original(instruction)


def weave_return(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """ret: the result's shadows go where the caller looks for them."""
    for value in instruction.operands:
        if weaver.is_unit and scalar_bits(value.type):
            weaver.check("tr_check_result", weaver.shadow_of(value), "return", instruction)
        for index, shadow in enumerate(weaver.shadow(value)[:MAX_RESULTS]):
            weaver.emit(f"store i32 {shadow}, ptr {element_of('tr_results', index)}")
    if weaver.has_frame:
        weaver.call("tr_unframe", "i32 %tr.frame")
    weaver.original(instruction)


def weave_plain(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """fence: nothing to tell."""
    weaver.original(instruction)


def weave_unreachable(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """unreachable: whatever stands behind it in memory must not be executed."""
    weaver.call("tr_unreachable", weaver.place("code that is said to be unreachable", instruction))
    weaver.original(instruction)


HANDLERS: dict[str, Handler] = {
    "call": weave_call,
    "callbr": _weave_assembly,
    "br": weave_branch,
    "switch": weave_switch,
    "ret": weave_return,
    "unreachable": weave_unreachable,
    "fence": weave_plain,
}
