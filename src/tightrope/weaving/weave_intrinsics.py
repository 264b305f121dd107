"""LLVM's intrinsics: those that C code meets at -O0."""

from __future__ import annotations

import re

from tightrope.expr.operators import Op
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.types import IntType, PointerType
from tightrope.program.marks.unwritten import unwritten_source
from tightrope.weaving.probes import BINARY, FLOAT_UNARY, INTEGER_PREDICATES
from tightrope.weaving.weave_function import FunctionWeaver, Handler, constant_bits, is_aggregate, scalar_bits

# Neither read nor change what a run computes.
SILENT = re.compile(
    r"@llvm\.(dbg|lifetime|assume|donothing|sideeffect|experimental\.noalias|va_end"
    r"|stacksave|stackrestore|prefetch|trap|debugtrap|ubsantrap|objectsize|returnaddress|frameaddress|invariant)\b"
)
# Share the first word of their names with intrinsics that have a model.
UNLIKE = re.compile(r"@llvm\.(is\.constant|[su](add|sub|mul)\.(sat|fix)|[su]shl\.sat)\b")
OVERFLOWS = ("sadd", "uadd", "ssub", "usub", "smul", "umul")  # in the order of the runtime's tr_overflow
COUNTS = ("ctpop", "ctlz", "cttz")  # in the order of the runtime's tr_count_bits
CHOICES = {"smax": "sgt", "smin": "slt", "umax": "ugt", "umin": "ult"}


LIST_BYTES = 24  # of a va_list on x86-64; elsewhere it is shorter, or nothing follows it that could be symbolic


def weave_intrinsic(weaver: FunctionWeaver, call: Instruction) -> None:
    handler = None if UNLIKE.match(call.callee) else INTRINSICS.get(intrinsic_name(call.callee))
    if SILENT.match(call.callee):
        weaver.original(call)
        return weaver.no_shadow(call)
    if handler is None or any(is_aggregate(a.value.type) for a in call.arguments):
        return _weave_unmodelled(weaver, call)
    handler(weaver, call)


def intrinsic_name(callee: str) -> str:
    """`@llvm.memcpy.p0.p0.i64` -> `memcpy`; `@llvm.sadd.with.overflow.i32` -> `sadd`."""
    return callee.removeprefix("@llvm.").split(".")[0]


def _weave_unmodelled(weaver: FunctionWeaver, call: Instruction) -> None:
    """An intrinsic without a model: a pure function of its operands, which are kept as in this run. One with an address
    among them may access memory, and one without operands reads the machine: then the path is approximate."""
    name = call.callee.removeprefix("@")
    for argument in call.arguments:
        weaver.pin_operand(argument.value, f"`{name}`", call)
    weaver.original(call)
    weaver.no_shadow(call)
    pointers = [v for v in _operands(call) if isinstance(v.type, PointerType) and constant_bits(v) is None]
    if pointers or not call.arguments:
        weaver.call("tr_concrete", weaver.place(f"`{name}`", call))
    for pointer in pointers:
        weaver.call("tr_clobber", f"ptr {pointer.text}", "i32 1")


def _operands(call: Instruction) -> list[Value]:
    return [argument.value for argument in call.arguments]


def _both(weaver: FunctionWeaver, *values: Value) -> list[str]:
    """Shadow and number of each operand, as arguments of a probe."""
    return [text for v in values for text in (f"i32 {weaver.shadow_of(v)}", f"i64 {weaver.bits(v)}")]


def _weave_copy(weaver: FunctionWeaver, call: Instruction) -> None:
    to, source, size = _operands(call)[:3]
    if (name := unwritten_source(call)) is not None:
        leaf = weaver.let(weaver.unwritten.load(8, 0, name))
        return weaver.call("tr_unwrite", f"ptr {to.text}", f"i64 {weaver.bits(size)}", f"i32 {leaf}")
    weaver.call(
        "tr_copy",
        f"ptr {to.text}",
        f"i32 {weaver.shadow_of(to)}",
        f"ptr {source.text}",
        f"i32 {weaver.shadow_of(source)}",
        f"i64 {weaver.bits(size)}",
        f"i32 {weaver.shadow_of(size)}",
        weaver.place("address or length of a copy", call),
    )
    weaver.original(call)


def _weave_fill(weaver: FunctionWeaver, call: Instruction) -> None:
    to, value, size = _operands(call)[:3]
    weaver.call(
        "tr_fill",
        f"ptr {to.text}",
        f"i32 {weaver.shadow_of(to)}",
        f"i32 {weaver.shadow_of(value)}",
        f"i64 {weaver.bits(size)}",
        f"i32 {weaver.shadow_of(size)}",
        weaver.place("address or length of a fill", call),
    )
    weaver.original(call)


def _weave_float_unary(weaver: FunctionWeaver, call: Instruction) -> None:
    bits = scalar_bits(call.type)
    if not bits:
        return _weave_unmodelled(weaver, call)
    op = FLOAT_UNARY[intrinsic_name(call.callee)]
    shadow = weaver.shadow_of(_operands(call)[0])
    weaver.define(
        weaver.result_shadow(call)[0],
        weaver.ask("tr_float_unary", f"i32 {op.value}", f"i32 {bits}", f"i32 {shadow}"),
    )
    weaver.original(call)


def _weave_float_choice(weaver: FunctionWeaver, call: Instruction) -> None:
    """fmin, fmax."""
    bits = scalar_bits(call.type)
    if not bits:
        return _weave_unmodelled(weaver, call)
    op = Op.F_MIN if "min" in call.callee else Op.F_MAX
    pair = _both(weaver, *_operands(call))
    weaver.define(weaver.result_shadow(call)[0], weaver.ask("tr_float_binary", f"i32 {op.value}", f"i32 {bits}", *pair))
    weaver.original(call)


def _weave_copy_sign(weaver: FunctionWeaver, call: Instruction) -> None:
    bits = scalar_bits(call.type)
    if not bits:
        return _weave_unmodelled(weaver, call)
    pair, place = _both(weaver, *_operands(call)), weaver.place("sign of a zero or NaN", call)
    weaver.define(weaver.result_shadow(call)[0], weaver.ask("tr_copy_sign", f"i32 {bits}", *pair, place))
    weaver.original(call)


def _weave_modf(weaver: FunctionWeaver, call: Instruction) -> None:
    """The fraction and the whole part."""
    value = _operands(call)[0]
    bits, shadow = scalar_bits(value.type), weaver.shadow_of(value)
    if not bits:
        return _weave_unmodelled(weaver, call)
    fraction, whole = weaver.result_shadow(call)
    weaver.define(fraction, weaver.ask("tr_fraction", f"i32 {bits}", f"i32 {shadow}"))
    weaver.define(whole, weaver.ask("tr_float_unary", f"i32 {Op.F_TRUNC.value}", f"i32 {bits}", f"i32 {shadow}"))
    weaver.original(call)


def _weave_fma(weaver: FunctionWeaver, call: Instruction) -> None:
    bits = scalar_bits(call.type)
    if not bits:
        return _weave_unmodelled(weaver, call)
    operands = _both(weaver, *_operands(call))
    weaver.define(weaver.result_shadow(call)[0], weaver.ask("tr_float_fma", f"i32 {bits}", *operands))
    weaver.original(call)


def _weave_float_class(weaver: FunctionWeaver, call: Instruction) -> None:
    """isnan, isinf, isfinite, isnormal."""
    value, mask = _operands(call)
    number = constant_bits(mask)
    if not scalar_bits(value.type) or number not in (3, 516, 504, 264, 96):
        return _weave_unmodelled(weaver, call)
    probe = weaver.ask("tr_float_class", f"i32 {weaver.shadow_of(value)}", f"i32 {number}")
    weaver.define(weaver.result_shadow(call)[0], probe)
    weaver.original(call)


def _weave_overflow(weaver: FunctionWeaver, call: Instruction) -> None:
    """__builtin_add_overflow and its kin: the wrapped result, and whether it wrapped."""
    kind = intrinsic_name(call.callee)
    a, b = _operands(call)
    bits = scalar_bits(a.type)
    if not bits:
        return _weave_unmodelled(weaver, call)
    pair = _both(weaver, a, b)
    result, wrapped = weaver.result_shadow(call)
    op = BINARY[kind[1:]]
    weaver.define(result, weaver.ask("tr_binary", f"i32 {op.value}", f"i32 {bits}", *pair))
    place = weaver.place("overflow of a 64-bit product", call)
    weaver.define(wrapped, weaver.ask("tr_overflow", f"i32 {OVERFLOWS.index(kind)}", f"i32 {bits}", *pair, place))
    weaver.original(call)


def _weave_count(weaver: FunctionWeaver, call: Instruction) -> None:
    """Population count, leading and trailing zeros."""
    value, kind = _operands(call)[0], COUNTS.index(intrinsic_name(call.callee))
    if not scalar_bits(value.type):
        return _weave_unmodelled(weaver, call)
    shadow = weaver.shadow_of(value)
    weaver.define(
        weaver.result_shadow(call)[0],
        weaver.ask("tr_count_bits", f"i32 {kind}", f"i32 {scalar_bits(value.type)}", f"i32 {shadow}"),
    )
    weaver.original(call)


def _weave_byte_swap(weaver: FunctionWeaver, call: Instruction) -> None:
    value = _operands(call)[0]
    if not scalar_bits(value.type):
        return _weave_unmodelled(weaver, call)
    probe = weaver.ask("tr_byte_swap", f"i32 {weaver.shadow_of(value)}")
    weaver.define(weaver.result_shadow(call)[0], probe)
    weaver.original(call)


def _select(
    weaver: FunctionWeaver, bits: int, predicate: str, x: list[str], y: list[str], a: list[str], b: list[str]
) -> str:
    """`x predicate y ? a : b`, all given as probe arguments."""
    code = INTEGER_PREDICATES.index(predicate)
    condition = weaver.let(weaver.ask("tr_compare", f"i32 {code}", f"i32 {bits}", *x, *y))
    kind = f"i{bits}"
    left = weaver.let(f"trunc i64 {x[1].split()[1]} to {kind}") if bits < 64 else x[1].split()[1]
    right = weaver.let(f"trunc i64 {y[1].split()[1]} to {kind}") if bits < 64 else y[1].split()[1]
    chosen = weaver.let(f"zext i1 {weaver.let(f'icmp {predicate} {kind} {left}, {right}')} to i32")
    return weaver.ask("tr_select", f"i32 {bits}", "i32 0", f"i32 {condition}", f"i32 {chosen}", *a, *b)


def _weave_choice(weaver: FunctionWeaver, call: Instruction) -> None:
    """The larger or smaller of two integers."""
    bits = scalar_bits(call.type)
    if not bits:
        return _weave_unmodelled(weaver, call)
    a, b = (_both(weaver, v) for v in _operands(call))
    predicate = CHOICES[intrinsic_name(call.callee)]
    weaver.define(weaver.result_shadow(call)[0], _select(weaver, bits, predicate, a, b, a, b))
    weaver.original(call)


def _weave_abs(weaver: FunctionWeaver, call: Instruction) -> None:
    """abs: the lowest number stays what it is."""
    value, bits = _operands(call)[0], scalar_bits(call.type)
    if not bits or not isinstance(value.type, IntType):
        return _weave_unmodelled(weaver, call)
    x, zero = _both(weaver, value), ["i32 0", "i64 0"]
    shadow = weaver.let(weaver.ask("tr_binary", f"i32 {Op.SUB.value}", f"i32 {bits}", *zero, *x))
    negated = weaver.let(f"sub i64 0, {x[1].split()[1]}")
    minus = [f"i32 {shadow}", f"i64 {negated}"]
    weaver.define(weaver.result_shadow(call)[0], _select(weaver, bits, "slt", x, zero, minus, x))
    weaver.original(call)


def _weave_expect(weaver: FunctionWeaver, call: Instruction) -> None:
    weaver.alias(call, weaver.shadow(_operands(call)[0]))
    weaver.original(call)


def _weave_variadic(weaver: FunctionWeaver, call: Instruction) -> None:
    """va_start: the list, and the registers that the function saved, are memory written by the machine; the
    arguments' shadows are laid there."""
    weaver.original(call)
    weaver.call("tr_variadic", f"ptr {_operands(call)[0].text}", "ptr %tr.variadics")


def _weave_list_copy(weaver: FunctionWeaver, call: Instruction) -> None:
    """va_copy: what the machine copies is concrete, and written."""
    weaver.original(call)
    weaver.call("tr_forget", f"ptr {_operands(call)[0].text}", f"i64 {LIST_BYTES}")


def _weave_thread_local(weaver: FunctionWeaver, call: Instruction) -> None:
    """The address of a thread-local variable, which is a plain one here (see weave.py)."""
    weaver.emit(f"{call.result} = getelementptr i8, ptr {_operands(call)[0].text}, i64 0")
    weaver.no_shadow(call)


INTRINSICS: dict[str, Handler] = {
    "memcpy": _weave_copy,
    "memmove": _weave_copy,
    "memset": _weave_fill,
    **dict.fromkeys(FLOAT_UNARY, _weave_float_unary),
    **dict.fromkeys(("minnum", "maxnum"), _weave_float_choice),
    "fma": _weave_fma,
    "copysign": _weave_copy_sign,
    "modf": _weave_modf,
    "is": _weave_float_class,
    **dict.fromkeys(OVERFLOWS, _weave_overflow),
    **dict.fromkeys(COUNTS, _weave_count),
    "bswap": _weave_byte_swap,
    **dict.fromkeys(CHOICES, _weave_choice),
    "abs": _weave_abs,
    "expect": _weave_expect,
    "threadlocal": _weave_thread_local,
    "va_start": _weave_variadic,
    "va_copy": _weave_list_copy,
}
