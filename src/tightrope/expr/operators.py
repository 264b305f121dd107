"""The operators of the expression language, once: the runtime's C header, the decoder, the
evaluator, the printers and the solver back ends are all derived from or checked against this table.

Two sorts: bit vectors of 1 to 64 bits (a condition is a bit vector of 1 bit), and IEEE floats of
32 or 64 bits. `arity` counts expression operands; some operators also carry a number (`number`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Op(IntEnum):
    """Codes are shared with the runtime through its generated header: do not renumber lightly."""

    CONSTANT = 1
    INPUT = 2
    EXTRACT = 3
    CONCAT = 4
    ZERO_EXTEND = 5
    SIGN_EXTEND = 6
    NOT = 7
    ADD = 10
    SUB = 11
    MUL = 12
    UDIV = 13
    SDIV = 14
    UREM = 15
    SREM = 16
    SHL = 17
    LSHR = 18
    ASHR = 19
    AND = 20
    OR = 21
    XOR = 22
    EQ = 30
    ULT = 31
    ULE = 32
    SLT = 33
    SLE = 34
    ITE = 40
    F_FROM_BITS = 50
    F_ADD = 51
    F_SUB = 52
    F_MUL = 53
    F_DIV = 54
    F_NEG = 55
    F_ABS = 56
    F_SQRT = 57
    F_FLOOR = 58
    F_CEIL = 59
    F_TRUNC = 60
    F_ROUND = 61
    F_RINT = 62
    F_MIN = 63
    F_MAX = 64
    F_FMA = 65
    F_EQ = 70
    F_LT = 71
    F_LE = 72
    F_IS_NAN = 73
    F_SAME = 74
    F_RESIZE = 80
    F_FROM_SIGNED = 81
    F_FROM_UNSIGNED = 82
    F_TO_SIGNED = 83
    F_TO_UNSIGNED = 84


@dataclass(frozen=True, slots=True)
class Operator:
    op: Op
    arity: int
    number: str  # what the number means; '' when the operator has none
    meaning: str
    is_float: bool = False  # the result is a float (ITE: as its operands)


OPERATORS: dict[Op, Operator] = {
    row.op: row
    for row in (
        Operator(Op.CONSTANT, 0, "value", "the number itself; a float's IEEE bits"),
        Operator(Op.INPUT, 0, "slot", "the value of an input slot; always a bit vector"),
        Operator(Op.EXTRACT, 1, "lowest bit", "`bits` bits of a, from the lowest bit given"),
        Operator(Op.CONCAT, 2, "", "a above b; bits = bits(a) + bits(b)"),
        Operator(Op.ZERO_EXTEND, 1, "", "a with zeros above"),
        Operator(Op.SIGN_EXTEND, 1, "", "a with copies of its top bit above"),
        Operator(Op.NOT, 1, "", "every bit of a flipped; on 1 bit: logical not"),
        Operator(Op.ADD, 2, "", "a + b, wrapping"),
        Operator(Op.SUB, 2, "", "a - b, wrapping"),
        Operator(Op.MUL, 2, "", "a * b, wrapping"),
        Operator(Op.UDIV, 2, "", "unsigned quotient; b = 0 gives all ones (never reached: guarded)"),
        Operator(Op.SDIV, 2, "", "quotient rounded towards zero; b = 0 as SMT-LIB; MIN / -1 = MIN"),
        Operator(Op.UREM, 2, "", "unsigned remainder; b = 0 gives a"),
        Operator(Op.SREM, 2, "", "remainder with the sign of a; b = 0 gives a; MIN % -1 = 0"),
        Operator(Op.SHL, 2, "", "a << b; b >= bits gives 0 (never reached: amounts are masked)"),
        Operator(Op.LSHR, 2, "", "a >> b, zeros shifted in; b >= bits gives 0"),
        Operator(Op.ASHR, 2, "", "a >> b, sign bits shifted in; b >= bits gives all sign bits"),
        Operator(Op.AND, 2, "", "bitwise and"),
        Operator(Op.OR, 2, "", "bitwise or"),
        Operator(Op.XOR, 2, "", "bitwise exclusive or"),
        Operator(Op.EQ, 2, "", "1 if a = b, bit vectors of equal width"),
        Operator(Op.ULT, 2, "", "1 if a < b unsigned"),
        Operator(Op.ULE, 2, "", "1 if a <= b unsigned"),
        Operator(Op.SLT, 2, "", "1 if a < b signed"),
        Operator(Op.SLE, 2, "", "1 if a <= b signed"),
        Operator(Op.ITE, 3, "", "b if the 1-bit a is 1, else c"),
        Operator(Op.F_FROM_BITS, 1, "", "the float whose IEEE bits are a", True),
        Operator(Op.F_ADD, 2, "", "a + b, to nearest even", True),
        Operator(Op.F_SUB, 2, "", "a - b, to nearest even", True),
        Operator(Op.F_MUL, 2, "", "a * b, to nearest even", True),
        Operator(Op.F_DIV, 2, "", "a / b, to nearest even", True),
        Operator(Op.F_NEG, 1, "", "a with its sign flipped", True),
        Operator(Op.F_ABS, 1, "", "a with its sign cleared", True),
        Operator(Op.F_SQRT, 1, "", "square root, to nearest even", True),
        Operator(Op.F_FLOOR, 1, "", "rounded to an integral value, downwards", True),
        Operator(Op.F_CEIL, 1, "", "rounded to an integral value, upwards", True),
        Operator(Op.F_TRUNC, 1, "", "rounded to an integral value, towards zero", True),
        Operator(Op.F_ROUND, 1, "", "rounded to an integral value, halves away from zero", True),
        Operator(Op.F_RINT, 1, "", "rounded to an integral value, halves to even", True),
        Operator(Op.F_MIN, 2, "", "C's fmin: the other operand when one is NaN; zeros of different sign: a", True),
        Operator(Op.F_MAX, 2, "", "C's fmax: the other operand when one is NaN; zeros of different sign: a", True),
        Operator(Op.F_FMA, 3, "", "a * b + c, rounded once", True),
        Operator(Op.F_EQ, 2, "", "1 if a == b (IEEE: NaN differs from all, -0 equals +0)"),
        Operator(Op.F_LT, 2, "", "1 if a < b; 0 with a NaN"),
        Operator(Op.F_LE, 2, "", "1 if a <= b; 0 with a NaN"),
        Operator(Op.F_IS_NAN, 1, "", "1 if a is a NaN"),
        Operator(Op.F_SAME, 2, "", "1 if a and b are the same value: any two NaN are, -0 and +0 are not"),
        Operator(Op.F_RESIZE, 1, "", "a as a float of `bits` bits, to nearest even", True),
        Operator(Op.F_FROM_SIGNED, 1, "", "the signed integer a as a float, to nearest even", True),
        Operator(Op.F_FROM_UNSIGNED, 1, "", "the unsigned integer a as a float, to nearest even", True),
        Operator(Op.F_TO_SIGNED, 1, "", "a truncated to a signed integer (out of range: never reached, guarded)"),
        Operator(Op.F_TO_UNSIGNED, 1, "", "a truncated to an unsigned integer (out of range: guarded)"),
    )
}
