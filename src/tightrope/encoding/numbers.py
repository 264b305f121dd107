"""What instructions and calls on numbers compute, as terms: exactly what woven native code computes.

Laws: if the run continues (`goes_on`) and the value is known (not `unknown_if`), the terms are what the machine
computes. Results wrap, shift amounts are masked as the machine masks them, a division that would trap ends the run.
Operands are terms (an undefined one is 0); addresses, memory and errno are handled elsewhere. The result is None for
unsupported operations: vectors, integers above 64 bits, floats other than float and double.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tightrope.encoding import floats, integers
from tightrope.expr import plain
from tightrope.expr.build import fold, is_constant, negate
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, choose, compare, extract, minus, resize
from tightrope.expr.terms import Term, TermTable
from tightrope.library.libc_models import EXACT_MATH
from tightrope.program.ir.model import Instruction
from tightrope.program.ir.types import FloatType, IntType, Type
from tightrope.weaving.checks import is_checked
from tightrope.weaving.probes import BINARY, DIVISIONS, FLOAT_BINARY, FLOAT_UNARY, INTEGER_PREDICATES, SHIFTS
from tightrope.weaving.weave_intrinsics import CHOICES, intrinsic_name

WIDEST = 64


@dataclass(frozen=True, slots=True)
class Computed:
    values: tuple[Term, ...]  # one for each scalar leaf of the result
    goes_on: Term | None = None  # where the run continues; None: always
    unknown: str = ""  # why the values are unconstrained where `unknown_if` holds
    unknown_if: Term | None = None
    undefined_if: Term | None = None  # where C does not define what happens; wrapping is not counted


def compute(
    table: TermTable, instruction: Instruction, operands: Sequence[Term], checks: Collection[str] = ()
) -> Computed | None:
    """The meaning of an instruction on integers or floats; None if it is not supported."""
    if not all(_width(value.type) for value in instruction.operands) or not _width(instruction.type):
        return None
    opcode = instruction.opcode
    if opcode in BINARY:
        return _settled(_wrapping(table, instruction, operands, checks))
    if opcode in SHIFTS:
        return _settled(_shift(table, SHIFTS[opcode], operands, "shift" in checks))
    if opcode in DIVISIONS:
        return _settled(_division(table, DIVISIONS[opcode], operands))
    handler = _HANDLERS.get(opcode)
    return _settled(handler(table, instruction, operands)) if handler else None


def compute_call(table: TermTable, name: str, call: Instruction, operands: Sequence[Term]) -> Computed | None:
    """The meaning of a call of `@llvm.…` or of an exact function of <math.h>; None if it is not supported. The caller
    handles that a square root sets errno."""
    if not all(_width(argument.value.type) for argument in call.arguments):
        return None
    if name[1:] in EXACT_MATH:
        return _exact_math(table, EXACT_MATH[name[1:]], call, operands)
    if not name.startswith("@llvm."):
        return None
    if found := _SATURATING.match(name):
        return _saturating(table, found[1], operands)
    if found := _WITH_OVERFLOW.match(name):
        return _with_overflow(table, found[1], operands)
    handler = None if _UNLIKE.match(name) else _INTRINSICS.get(intrinsic_name(name))
    return _settled(handler(table, name, operands)) if handler else None


def _settled(computed: Computed | None) -> Computed | None:
    """Drop conditions that are constant: the run always continues, the value is always known."""
    if computed is None:
        return None
    goes_on = None if computed.goes_on is not None and is_constant(computed.goes_on, 1) else computed.goes_on
    if computed.unknown_if is not None and is_constant(computed.unknown_if, 0):
        return Computed(computed.values, goes_on, undefined_if=computed.undefined_if)
    return replace(computed, goes_on=goes_on)


def _width(kind: Type) -> int:
    """The bits of a number; 0 for an unsupported type."""
    if isinstance(kind, IntType):
        return kind.bits if kind.bits <= WIDEST else 0
    return {"float": 32, "double": 64}.get(kind.name, 0) if isinstance(kind, FloatType) else 0


# -- integers


def _wrapping(
    table: TermTable, instruction: Instruction, operands: Sequence[Term], checks: Collection[str]
) -> Computed:
    op, (x, y) = BINARY[instruction.opcode], operands
    value = apply(table, op, x, y)
    checked = op in (Op.ADD, Op.SUB, Op.MUL) and is_checked(instruction, checks)
    return Computed((value,), integers.fits(table, op, x, y, is_signed=True) if checked else None)


def _shift(table: TermTable, op: Op, operands: Sequence[Term], is_checked: bool) -> Computed:
    """The machine masks the amount, which is defined only if the width is a power of two."""
    x, amount = operands
    in_range = compare(table, Op.ULT, amount, table.constant(x.bits, x.bits)) if x.bits > 1 else negate(table, amount)
    if x.bits & (x.bits - 1):
        is_out = negate(table, in_range)
        return Computed((apply(table, op, x, amount),), None, "shift out of range", is_out, is_out)
    masked = apply(table, Op.AND, amount, table.constant(x.bits - 1, x.bits))
    value = apply(table, op, x, masked)
    return Computed((value,), in_range if is_checked else None, undefined_if=negate(table, in_range))


def _division(table: TermTable, op: Op, operands: Sequence[Term]) -> Computed:
    x, y = operands
    goes_on = negate(table, compare(table, Op.EQ, y, table.constant(0, y.bits)))
    if op in (Op.SDIV, Op.SREM):
        is_lowest = compare(table, Op.EQ, x, table.constant(1 << (x.bits - 1), x.bits))
        is_minus_one = compare(table, Op.EQ, y, table.constant(-1, y.bits))
        goes_on = both(table, goes_on, negate(table, both(table, is_lowest, is_minus_one)))
    return Computed((apply(table, op, x, y),), goes_on, undefined_if=negate(table, goes_on))


_COMPARED = {"u": (Op.ULT, Op.ULE), "s": (Op.SLT, Op.SLE)}


def _icmp(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed | None:
    predicate, (x, y) = instruction.predicate, operands
    if predicate not in INTEGER_PREDICATES:
        return None
    if predicate in ("eq", "ne"):
        value = compare(table, Op.EQ, x, y)
        return Computed((value if predicate == "eq" else negate(table, value),))
    less, at_most = _COMPARED[predicate[0]]
    if predicate[1] == "g":
        x, y = y, x
    return Computed((compare(table, less if predicate.endswith("t") else at_most, x, y),))


def _resized(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    bits = _width(instruction.type)
    return Computed((resize(table, operands[0], bits, is_signed=instruction.opcode == "sext"),))


def _same(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    return Computed((operands[0],))


# -- floats


def _float_binary(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    return Computed((plain.apply(table, FLOAT_BINARY[instruction.opcode], *operands),))


def _float_negation(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    return Computed((plain.apply(table, Op.F_NEG, operands[0]),))


def _fcmp(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed | None:
    value = floats.compare_floats(table, instruction.predicate, *operands)
    return Computed((value,)) if value else None


def _remainder(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    return _unknown(table, operands[0], "remainder of floats")


_TO_FLOAT = {"sitofp": Op.F_FROM_SIGNED, "uitofp": Op.F_FROM_UNSIGNED}


def _to_float(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    op, bits = _TO_FLOAT.get(instruction.opcode, Op.F_RESIZE), _width(instruction.type)
    return Computed((fold(table, table.make(op, bits, (operands[0],), 0, True)),))


def _to_integer(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    """A conversion out of range is undefined in C, and machines differ."""
    x, bits, is_signed = operands[0], _width(instruction.type), instruction.opcode == "fptosi"
    value = fold(table, table.make(Op.F_TO_SIGNED if is_signed else Op.F_TO_UNSIGNED, bits, (x,)))
    does_not_fit = negate(table, floats.fits_integer(table, x, bits, is_signed))
    return Computed((value,), None, "conversion of a float out of range", does_not_fit)


def _bitcast(table: TermTable, instruction: Instruction, operands: Sequence[Term]) -> Computed:
    x, is_float = operands[0], isinstance(instruction.type, FloatType)
    if x.is_float == is_float:
        return Computed((x,))
    if is_float:
        return Computed((floats.from_bits(table, x),))
    bits = floats.known_bits(table, x)
    return Computed((bits,)) if bits else _unknown(table, table.constant(0, x.bits), "bits of a computed float")


def _unknown(table: TermTable, value: Term, what: str) -> Computed:
    return Computed((value,), None, what, table.constant(1, 1))


_HANDLERS: dict[str, Callable[[TermTable, Instruction, Sequence[Term]], Computed | None]] = {
    "icmp": _icmp,
    "fcmp": _fcmp,
    **dict.fromkeys(("zext", "sext", "trunc"), _resized),
    **dict.fromkeys(FLOAT_BINARY, _float_binary),
    "fneg": _float_negation,
    "frem": _remainder,
    **dict.fromkeys(("fpext", "fptrunc", "sitofp", "uitofp"), _to_float),
    **dict.fromkeys(("fptosi", "fptoui"), _to_integer),
    "bitcast": _bitcast,
    "freeze": _same,
}


# -- calls

_WITH_OVERFLOW = re.compile(r"@llvm\.([su](?:add|sub|mul))\.with\.overflow\.")
_SATURATING = re.compile(r"@llvm\.([su](?:add|sub))\.sat\.")
_UNLIKE = re.compile(r"@llvm\.is\.constant\b")  # its name begins like that of another intrinsic


def _exact_math(table: TermTable, op: Op, call: Instruction, operands: Sequence[Term]) -> Computed | None:
    """sqrt, fabs, fmin, fma ...: one operator of the expression language."""
    if not _width(call.type):
        return None
    return _settled(_float_operator(table, op, operands))


def _float_operator(table: TermTable, op: Op, operands: Sequence[Term]) -> Computed:
    """fmin and fmax of a signalling NaN and a number: some libraries and machines yield NaN, others the number."""
    value = plain.apply(table, op, *operands)
    if op not in (Op.F_MIN, Op.F_MAX):
        return Computed((value,))
    signals = plain.any_of(table, [floats.is_nan(table, each) for each in operands if floats.may_signal(each)])
    return Computed((value,), None, "a NaN that may be a signalling one", signals)


def _operation(kind: str) -> tuple[Op, bool]:
    """'sadd' -> ADD, signed."""
    return BINARY[kind[1:]], kind[0] == "s"


def _with_overflow(table: TermTable, kind: str, operands: Sequence[Term]) -> Computed:
    """__builtin_add_overflow and the like: the wrapped result, and whether it wrapped."""
    (op, is_signed), (x, y) = _operation(kind), operands
    return Computed((apply(table, op, x, y), negate(table, integers.fits(table, op, x, y, is_signed))))


def _saturating(table: TermTable, kind: str, operands: Sequence[Term]) -> Computed:
    """Sums and differences that saturate at the largest or smallest number."""
    (op, is_signed), (x, y) = _operation(kind), operands
    largest, smallest = table.constant(-1, x.bits), table.constant(0, x.bits)
    if is_signed:
        half = 1 << (x.bits - 1)
        is_down = extract(table, x, x.bits - 1, 1)  # an overflowing result has the sign of x
        limit = choose(table, is_down, table.constant(half, x.bits), table.constant(half - 1, x.bits))
    else:
        limit = largest if op is Op.ADD else smallest
    return Computed((choose(table, integers.fits(table, op, x, y, is_signed), apply(table, op, x, y), limit),))


def _count(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    x, kind = operands[0], intrinsic_name(name)
    if kind == "ctpop":
        return Computed((integers.population(table, x),))
    value = integers.zeros(table, x, from_top=kind == "ctlz")
    if len(operands) > 1 and operands[1].number == 0:
        return Computed((value,))
    is_zero = compare(table, Op.EQ, x, table.constant(0, x.bits))
    return Computed((value,), None, "count of leading or trailing zeros of 0", is_zero, is_zero)


def _reversed(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    unit = 8 if intrinsic_name(name) == "bswap" else 1
    return Computed((integers.reverse(table, operands[0], unit),))


def _funnel(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    high, low, amount = operands
    return Computed((integers.funnel(table, high, low, amount, is_left=intrinsic_name(name) == "fshl"),))


def _choice(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    """The larger or smaller of two integers."""
    kind, (x, y) = intrinsic_name(name), operands
    op = Op.SLT if kind[0] == "s" else Op.ULT
    return Computed((integers.extreme(table, op, x, y, is_largest=kind.endswith("max")),))


def _absolute(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    """The absolute value; the lowest number stays as it is."""
    x = operands[0]
    is_below = compare(table, Op.SLT, x, table.constant(0, x.bits))
    return Computed((choose(table, is_below, minus(table, x), x),))


def _expected(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    return Computed((operands[0],))


def _float_function(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    return Computed((plain.apply(table, FLOAT_UNARY[intrinsic_name(name)], operands[0]),))


def _float_choice(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    op = Op.F_MIN if intrinsic_name(name) == "minnum" else Op.F_MAX
    return _float_operator(table, op, operands)


def _fused(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    return Computed((plain.apply(table, Op.F_FMA, *operands),))


def _copy_sign(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    """|x| with the sign of y."""
    x, y = operands
    bits = floats.known_bits(table, y)
    if bits:
        return Computed((floats.with_sign(table, x, extract(table, bits, y.bits - 1, 1)),))
    value = floats.with_sign(table, x, floats.is_negative(table, y))
    return Computed((value,), None, "sign of a NaN", floats.is_nan(table, y))


def _parts(table: TermTable, name: str, operands: Sequence[Term]) -> Computed:
    """modf: the fraction and the integral part."""
    return Computed((floats.fraction(table, operands[0]), plain.apply(table, Op.F_TRUNC, operands[0])))


def _class(table: TermTable, name: str, operands: Sequence[Term]) -> Computed | None:
    x, mask = operands
    value = floats.is_of_class(table, x, mask.number) if mask.op is Op.CONSTANT else None
    return Computed((value,)) if value else None


_INTRINSICS: dict[str, Callable[[TermTable, str, Sequence[Term]], Computed | None]] = {
    **dict.fromkeys(("ctpop", "ctlz", "cttz"), _count),
    **dict.fromkeys(("bswap", "bitreverse"), _reversed),
    **dict.fromkeys(("fshl", "fshr"), _funnel),
    **dict.fromkeys(CHOICES, _choice),
    "abs": _absolute,
    "expect": _expected,
    **dict.fromkeys(FLOAT_UNARY, _float_function),
    **dict.fromkeys(("minnum", "maxnum"), _float_choice),
    "fma": _fused,
    "copysign": _copy_sign,
    "modf": _parts,
    "is": _class,
}
