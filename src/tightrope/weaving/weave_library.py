"""Calls of the C library where no model takes them over: ends of the program, the heap, floats, and the rest, which is
called as it is."""

from __future__ import annotations

import re

from tightrope.harness.driver import is_driver
from tightrope.library.libc_models import (
    EXACT_MATH,
    FOPEN,
    HARMLESS,
    LOOKUPS,
    NUMERIC,
    PREFIX,
    SETS_ERRNO,
    TRACELESS,
    can_scan,
    format_of_scanner,
    may_open_stdin,
)
from tightrope.library.table import FUNCTIONS, Fact, functions_with
from tightrope.program.ir.model import Global, Instruction, Value
from tightrope.program.ir.types import PointerType
from tightrope.program.normal_form.endless_loops import ENDLESS
from tightrope.weaving.weave_function import FunctionWeaver, constant_bits, defined_text, scalar_bits, values_used

ENDS = {
    **{f"@{name}": f"tr_{one.ends}" for name, one in FUNCTIONS.items() if one.ends},
    ENDLESS: "tr_endless",
}
"""Functions that end the program -> the probe that does it. For `longjmp` see program/flow/reached_code.py."""

# The heap, which is the runtime's own.
REALLOC = "@realloc"
FREES = ("@free", "@tightrope_free")  # the second in drivers: see harness/heap_stubs.py
ALLOCATORS = {
    **{f"@{name}": f"tightrope_{one.heap}" for name, one in FUNCTIONS.items() if one.heap in ("malloc", "calloc")},
    "@tightrope_malloc": "tightrope_malloc",  # in models
    "@tightrope_aligned": "tightrope_aligned",
}
HEAP = frozenset((*ALLOCATORS, *FREES, REALLOC))

NATIVE = ("@tightrope_print_real", "@tightrope_read_double", "@tightrope_read_float")  # see runtime/texts.c

# Replaced by functions of the runtime: a forked process must not write to the memory that its parent shares with us,
# and the JIT has a separate `atexit`.
FORMS = {f"@{name}": f"@{one.form}" for name, one in FUNCTIONS.items() if one.form}
_TO_DESCRIPTOR = functions_with(Fact.TO_DESCRIPTOR)


def fits_model(weaver: FunctionWeaver, call: Instruction) -> bool:
    """Whether a model is used for this call. The library is called for formats that only it knows, and for output whose
    result is not used."""
    name = call.callee[1:]
    model = weaver.program.functions.get(f"@{PREFIX}{name}")
    if call.callee in ENDS or call.callee in HEAP or model is None or model.type != call.function_type:
        return False
    if name in HARMLESS:
        return call.result in weaver.uses and not weaver.function.name.startswith(f"@{PREFIX}")
    if name in FOPEN:
        return may_open_stdin(*(_constant_text(weaver, argument.value) for argument in call.arguments[:2]))
    position = format_of_scanner(name)
    if position is None:
        return True
    form = _constant_text(weaver, call.arguments[position].value)
    return can_scan(name, form) or (form is None and _scans_only_plain(weaver, name))


def _scans_only_plain(weaver: FunctionWeaver, name: str) -> bool:
    """Whether a format that the program makes itself can only consist of what the model supports."""
    literals = (_literal(one) for one in weaver.program.globals.values() if "%" in one.initializer)
    return all(can_scan(name, text) for text in literals if text is not None)


def weave_library(weaver: FunctionWeaver, call: Instruction) -> None:
    """A function without a body in the program, and without a model that fits."""
    name = call.callee
    if name in ENDS:
        return _weave_end(weaver, call, ENDS[name])
    if name in HEAP:
        return _weave_heap(weaver, call, name)
    if name in NATIVE:
        return _weave_native(weaver, call)
    if name[1:] in EXACT_MATH and scalar_bits(call.type):
        return _weave_exact_math(weaver, call)
    if name[1:] in LOOKUPS:
        return _weave_lookup(weaver, call)
    if name[1:] in NUMERIC:
        return _weave_numeric(weaver, call)
    _weave_external(weaver, call)


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
    shown = name[1:].removeprefix("tightrope_")
    for argument in call.arguments:
        _pin_for_heap(weaver, argument.value, f"size or address given to `{shown}`", call)
    place = weaver.place(f"call of `{shown}`", call)
    given = [f"{a.value.type} {a.value.text}" for a in call.arguments]
    if name in FREES:
        is_ours = call.location is not None and is_driver(call.location)  # stubs know what was given
        return weaver.call("tr_free_given" if is_ours else "tr_free", *given, place)
    if name == REALLOC:
        text = f"call ptr @tr_realloc({', '.join(given)}, {place})"
    else:
        text = f"call ptr @{ALLOCATORS[name]}({', '.join(given)})"
    weaver.emit(f"{call.result} = {text}" if call.result else text)
    weaver.no_shadow(call)


def _pin_for_heap(weaver: FunctionWeaver, value: Value, what: str, call: Instruction) -> None:
    """A size is pinned among others of its order, small ones first."""
    if isinstance(value.type, PointerType) or weaver.shadow_of(value) == "0":
        return weaver.pin_operand(value, what, call)
    place = weaver.place(what, call)
    weaver.call("tr_pin_size", f"i32 {weaver.shadow_of(value)}", f"i64 {weaver.bits(value)}", place)


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
    if call.callee[1:] in SETS_ERRNO and _uses_errno(weaver):
        number = f"i64 {weaver.bits(values[0])}"
        weaver.call("tr_square_root", f"i32 {weaver.shadow_of(values[0])}", number, weaver.place("square root", call))
    _call_with_errno(weaver, defined_text(call.text))


def _weave_numeric(weaver: FunctionWeaver, call: Instruction) -> None:
    """sin, pow ...: functions of their arguments alone, which stay as they are in this run."""
    for argument in call.arguments:
        name = call.callee[1:].removeprefix("tightrope_native_")
        weaver.pin_operand(argument.value, f"`{name}`, which the solver does not know", call)
    _call_with_errno(weaver, defined_text(call.text))
    weaver.no_shadow(call)


def _weave_native(weaver: FunctionWeaver, call: Instruction) -> None:
    """A part of a model that the runtime does: for what it is given, which stays as it is in this run, it is exact."""
    what = "real number as text"
    for argument in call.arguments:
        weaver.pin_operand(argument.value, what, call)
    weaver.call("tr_call_out", weaver.place(what, call), "i32 0")
    _call_with_errno(weaver, defined_text(call.text))
    weaver.no_shadow(call)


def _constant_text(weaver: FunctionWeaver, value: Value) -> bytes | None:
    """What a pointer to a string literal leads to."""
    literal = weaver.program.globals.get(value.text)
    return _literal(literal) if literal else None


def _literal(one: Global) -> bytes | None:
    found = re.search(r'c"(.*)\\00"$', one.initializer) if one.is_constant else None
    return (
        re.sub(rb"\\([0-9A-F]{2})", lambda code: bytes.fromhex(code[1].decode()), found[1].encode()) if found else None
    )


def _weave_lookup(weaver: FunctionWeaver, call: Instruction) -> None:
    """strerror ...: the result points into the library's memory. Reads of it are detected; where the address itself
    could decide something, it is kept as in this run."""
    if not _is_only_handed_on(weaver, call.result):
        return _weave_numeric(weaver, call)
    weaver.call("tr_call_out", weaver.place(f"call of `{call.callee[1:]}`", call), "i32 0")
    weaver.lines.append(defined_text(call.text))
    weaver.no_shadow(call)


def _is_only_handed_on(weaver: FunctionWeaver, name: str | None) -> bool:
    instructions = (each for block in weaver.function.blocks for each in block.instructions)
    return all(each.opcode == "call" for each in instructions if name in values_used(each))


ERRNO = f"@{PREFIX}__errno_location"


def _uses_errno(weaver: FunctionWeaver) -> bool:
    return ERRNO in weaver.program.functions


def _call_with_errno(weaver: FunctionWeaver, text: str, sees_errno: bool = True) -> None:
    """Call the library, which sets its own errno; the program reads the model's errno."""
    if not sees_errno or not _uses_errno(weaver):
        weaver.lines.append(text)
        return
    weaver.call("tr_clear_error")
    weaver.lines.append(text)
    weaver.call("tr_take_error", f"ptr {weaver.let(f'call ptr {ERRNO}()')}")


# -- unknown functions


def _weave_external(weaver: FunctionWeaver, call: Instruction) -> None:
    """Called as it is. Its result is concrete and what it may have written is no longer symbolic, so
    the path is approximate from here on. Pure output is harmless unless its result is used."""
    name = call.callee[1:]
    is_harmless = name in HARMLESS
    check_arguments(weaver, call)
    weaver.emit("store ptr null, ptr @tr_callee")
    place = weaver.place(f"call of `{name.removeprefix('tightrope_native_')}`, which has no model", call)
    weaver.call("tr_call_out", place, f"i32 {int(not (name in TRACELESS or _prints(call)))}")
    _call_with_errno(weaver, rename_callee(call, FORMS.get(call.callee, call.callee)), sees_errno=not is_harmless)
    weaver.no_shadow(call)
    if is_harmless and call.result not in weaver.uses:
        return
    weaver.call("tr_concrete", place)
    if not is_harmless:
        clobber_pointers(weaver, call)


def check_arguments(weaver: FunctionWeaver, call: Instruction) -> None:
    """The run ends if an argument was never written: what is outside would decide on it."""
    for argument in call.arguments:
        if argument.byval is None and scalar_bits(argument.value.type):
            what = f"argument of `{call.callee[1:].removeprefix('tightrope_stub_')}`"
            weaver.check("tr_check_argument", weaver.shadow_of(argument.value), what, call)


def _prints(call: Instruction) -> bool:
    """write() to standard output or error."""
    return call.callee[1:] in _TO_DESCRIPTOR and constant_bits(call.arguments[0].value) in (1, 2)


def clobber_pointers(weaver: FunctionWeaver, call: Instruction, if_not_zero: str = "1") -> None:
    for argument in call.arguments:
        if isinstance(argument.value.type, PointerType) and constant_bits(argument.value) is None:
            weaver.call("tr_clobber", f"ptr {argument.value.text}", f"i32 {if_not_zero}")


def rename_callee(call: Instruction, callee: str) -> str:
    text = defined_text(call.text).replace("musttail call", "call", 1)  # probes stand between it and its `ret`
    return text if callee == call.callee else text.replace(f"{call.callee}(", f"{callee}(", 1)
