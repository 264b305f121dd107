"""Calls: of the unit's own functions, of library models, of the C library, of nothing we know."""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.execution.libc_models import (
    COMPILER_SUPPORT,
    EXACT_MATH,
    HARMLESS,
    NUMERIC,
    PREFIX,
    leaves_no_trace,
)
from tightrope.execution.probes import MAX_ARGUMENTS, MAX_COPIED, MAX_RESULTS
from tightrope.execution.weave_function import (
    FunctionWeaver,
    Handler,
    constant_bits,
    defined_text,
    element_of,
    scalar_bits,
    signature,
)
from tightrope.execution.weave_intrinsics import weave_intrinsic
from tightrope.program.model import Instruction, Value
from tightrope.program.types import PointerType

# Ends of the program, and the heap: the runtime does them. name -> (probe, how the arguments map)
ENDS = {
    **dict.fromkeys(("@exit", "@_exit", "@_Exit", "@quick_exit"), "tr_exit"),
    "@abort": "tr_abort",
    **dict.fromkeys(("@__assert_fail", "@__assert", "@__assert_rtn"), "tr_assertion"),
}
ALLOCATORS = {
    "@malloc": "tightrope_malloc",
    "@calloc": "tightrope_calloc",
    "@valloc": "tightrope_malloc",
    "@tightrope_malloc": "tightrope_malloc",  # in models
}

# Called in another form: a forked process must not write what its parent shares with us, and the JIT has an
# `atexit` of its own.
FORMS = {
    **dict.fromkeys(("@fork", "@vfork"), "@tr_fork"),
    **dict.fromkeys(("@atexit", "@at_quick_exit", "@pthread_atfork"), "@tr_at_exit"),
}


def weave_call(weaver: FunctionWeaver, call: Instruction) -> None:
    """call: the callee decides who tells the story."""
    name = call.callee
    if call.is_assembly or not name:
        return _weave_assembly(weaver, call)
    if name.startswith("@llvm."):
        return weave_intrinsic(weaver, call)
    if name.startswith(("@tightrope_input", "@tightrope_output")):
        return weaver.original(call)
    if name == "@tightrope_assume":
        return _weave_assume(weaver, call)
    function = weaver.program.functions.get(name)
    if (function and function.is_defined) or not name.startswith("@"):
        return _weave_woven(weaver, call, name)
    return _weave_library(weaver, call, name)


def _weave_library(weaver: FunctionWeaver, call: Instruction, name: str) -> None:
    """A function without a body in the program."""
    model = f"@{PREFIX}{name[1:]}"
    if name in ENDS:
        return _weave_end(weaver, call, ENDS[name])
    if name in ALLOCATORS or name in ("@realloc", "@free"):
        return _weave_heap(weaver, call, name)
    if model in weaver.program.functions:
        return _weave_woven(weaver, call, model)
    if name[1:] in EXACT_MATH and scalar_bits(call.type):
        return _weave_exact_math(weaver, call)
    if name[1:] in NUMERIC or name[1:] in COMPILER_SUPPORT:
        return _weave_numeric(weaver, call)
    _weave_external(weaver, call)


# -- functions that are woven too


def _weave_woven(weaver: FunctionWeaver, call: Instruction, callee: str) -> None:
    """Leave the arguments' shadows where the callee looks for them, and find its results' shadows."""
    outside = "0" if callee.startswith("@") else _ask_about_pointer(weaver, call)
    _leave_arguments(weaver, call)
    weaver.emit(f"store ptr {callee}, ptr @tr_callee")
    weaver.emit(f"store i32 {signature(call.function_type)}, ptr @tr_signature")
    results = weaver.result_shadow(call)
    for index in range(min(len(results), MAX_RESULTS)):
        weaver.emit(f"store i32 0, ptr {element_of('tr_results', index)}")
    weaver.lines.append(rename_callee(call, callee))
    if callee.startswith("@") and weaver.program.functions[callee].type != call.function_type:
        return weaver.no_shadow(call)  # the shadows would not fit; `tr_enter` has made the path approximate
    _take_results(weaver, results, outside)
    if outside != "0":
        _clobber_pointers(weaver, call, outside)


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
    """Whether a function pointer leads out of what is woven. A symbolic one stays where it is in this run."""
    weaver.pin_operand(Value(PointerType(), call.callee), "call through a symbolic function pointer", call)
    place = weaver.place("call through a pointer, of a function that has no model", call)
    kind = f"i32 {signature(call.function_type)}"
    return weaver.let(weaver.ask("tr_is_outside", f"ptr {call.callee}", kind, place))


def _leave_arguments(weaver: FunctionWeaver, call: Instruction) -> None:
    assert call.function_type is not None
    fixed = len(call.function_type.parameters) if call.function_type.is_variadic else len(call.arguments)
    position = copied = 0
    for number, argument in enumerate(call.arguments):
        if number >= fixed:
            weaver.pin_operand(argument.value, "variadic argument", call)
            continue
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


def rename_callee(call: Instruction, callee: str) -> str:
    text = defined_text(call.text).replace("musttail call", "call", 1)  # probes stand between it and its `ret`
    return text if callee == call.callee else text.replace(f"{call.callee}(", f"{callee}(", 1)


# -- ends, heap, floats


def _weave_assume(weaver: FunctionWeaver, call: Instruction) -> None:
    holds, number = (argument.value for argument in call.arguments)
    weaver.call(
        "tr_assume",
        f"i32 {weaver.shadow_of(holds)}",
        f"i32 {weaver.let(f'trunc i64 {weaver.bits(holds)} to i32')}",
        f"i32 {_as_signed(constant_bits(number) or 0)}",
    )


def _as_signed(number: int) -> int:
    return number - (1 << 32) if number >= 1 << 31 else number


def _weave_end(weaver: FunctionWeaver, call: Instruction, probe: str) -> None:
    place = weaver.place(f"call of `{call.callee[1:]}`", call)
    if probe == "tr_exit":
        status = call.arguments[0].value
        weaver.call(probe, f"{status.type} {status.text}", place)
    else:
        weaver.call(probe, place)
    if call.result:
        weaver.emit(f"{call.result} = freeze {call.type} zeroinitializer")
        weaver.no_shadow(call)


def _weave_heap(weaver: FunctionWeaver, call: Instruction, name: str) -> None:
    for argument in call.arguments:
        weaver.pin_operand(argument.value, f"size or address given to `{name[1:]}`", call)
    place = weaver.place(f"call of `{name[1:]}`", call)
    given = [f"{a.value.type} {a.value.text}" for a in call.arguments]
    if name == "@free":
        return weaver.call("tr_free", *given, place)
    if name == "@realloc":
        text = f"call ptr @tr_realloc({', '.join(given)}, {place})"
    else:
        text = f"call ptr @{ALLOCATORS[name]}({', '.join(given)})"
    weaver.emit(f"{call.result} = {text}" if call.result else text)
    weaver.no_shadow(call)


def _weave_exact_math(weaver: FunctionWeaver, call: Instruction) -> None:
    """sqrt, fabs, fmin, fma ...: one operator of the expression language."""
    op, values = EXACT_MATH[call.callee[1:]], [argument.value for argument in call.arguments]
    head = [f"i32 {op.value}", f"i32 {scalar_bits(call.type)}"]
    if len(values) == 1:
        probe = weaver.ask("tr_float_unary", *head, f"i32 {weaver.shadow_of(values[0])}")
    else:
        operands = [t for v in values for t in (f"i32 {weaver.shadow_of(v)}", f"i64 {weaver.bits(v)}")]
        name, first = ("tr_float_binary", head) if len(values) == 2 else ("tr_float_fma", head[1:])
        probe = weaver.ask(name, *first, *operands)
    weaver.define(weaver.result_shadow(call)[0], probe)
    if call.callee in ("@sqrt", "@sqrtf") and _uses_errno(weaver):
        number = f"i64 {weaver.bits(values[0])}"
        weaver.call("tr_square_root", f"i32 {weaver.shadow_of(values[0])}", number, weaver.place("square root", call))
    _call_with_errno(weaver, defined_text(call.text))


def _weave_numeric(weaver: FunctionWeaver, call: Instruction) -> None:
    """sin, pow ...: functions of their arguments alone, which stay as they are in this run."""
    for argument in call.arguments:
        weaver.pin_operand(argument.value, f"`{call.callee[1:]}`, which the solver does not know", call)
    _call_with_errno(weaver, defined_text(call.text))
    weaver.no_shadow(call)


ERRNO = f"@{PREFIX}__errno_location"


def _uses_errno(weaver: FunctionWeaver) -> bool:
    return ERRNO in weaver.program.functions


def _call_with_errno(weaver: FunctionWeaver, text: str, sees_errno: bool = True) -> None:
    """Call the library, which sets its own errno; the program looks at the model's."""
    if not sees_errno or not _uses_errno(weaver):
        weaver.lines.append(text)
        return
    weaver.call("tr_clear_error")
    weaver.lines.append(text)
    weaver.call("tr_take_error", f"ptr {weaver.let(f'call ptr {ERRNO}()')}")


# -- what we know nothing about


def _weave_external(weaver: FunctionWeaver, call: Instruction) -> None:
    """Called as it is. Its result is concrete and what it may have written is no longer symbolic, so
    the path is approximate from here on. Pure output is harmless unless its result is used."""
    name = call.callee[1:]
    is_harmless = name in HARMLESS
    weaver.emit("store ptr null, ptr @tr_callee")
    place = weaver.place(f"call of `{name}`, which has no model", call)
    weaver.call("tr_call_out", place, f"i32 {int(not leaves_no_trace(name))}")
    _call_with_errno(weaver, rename_callee(call, FORMS.get(call.callee, call.callee)), sees_errno=not is_harmless)
    weaver.no_shadow(call)
    if is_harmless and call.result not in weaver.uses:
        return
    weaver.call("tr_concrete", place)
    if not is_harmless:
        _clobber_pointers(weaver, call)


def _clobber_pointers(weaver: FunctionWeaver, call: Instruction, if_not_zero: str = "1") -> None:
    for argument in call.arguments:
        if isinstance(argument.value.type, PointerType) and constant_bits(argument.value) is None:
            weaver.call("tr_clobber", f"ptr {argument.value.text}", f"i32 {if_not_zero}")


def _weave_assembly(weaver: FunctionWeaver, call: Instruction) -> None:
    for argument in call.arguments:
        weaver.pin_operand(argument.value, "inline assembly", call)
    weaver.call("tr_concrete", weaver.place("inline assembly", call))
    if call.opcode == "callbr":  # assembly that jumps: nothing can stand behind it
        _clobber_pointers(weaver, call)
        return weaver.original(call)
    weaver.original(call)
    weaver.no_shadow(call)
    _clobber_pointers(weaver, call)


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
