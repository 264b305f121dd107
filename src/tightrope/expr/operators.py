"""The table of operators of the expression language: the runtime's C header, the decoder, the evaluator, the printers
and the solver back ends are all derived from or checked against this table.

Two sorts: bit vectors of 1 to 64 bits (a condition is a bit vector of 1 bit), and IEEE floats of 32 or 64 bits. A new
operator needs a row here, its meaning in `evaluate`, and in each back end what does not follow from its syntax:
tests/contracts/test_operators.py checks all of them for every row.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


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


class Syntax(Enum):
    """How an operator is applied, in SMT-LIB and so in every solver. A back end has one translation for each, and
    one of its own for each special operator."""

    PLAIN = "(symbol a b)"
    COMPARISON = "(symbol a b), which is a Bool"
    EXTENSION = "((_ symbol added-bits) a)"
    ROUNDED = "(symbol rounding a b)"
    TO_FLOAT = "((_ symbol exponent-bits significand-bits) rounding a)"
    TO_BITS = "((_ symbol bits) rounding a)"
    SPECIAL = "each in its own way"


@dataclass(frozen=True, slots=True)
class Operator:
    op: Op
    arity: int  # operands; some operators also carry a number
    syntax: Syntax
    smtlib: str  # its symbol, and how it rounds; '' when SMT-LIB has none of the same meaning
    meaning: str
    is_float: bool = False  # the result is a float (ITE: as its operands)
    number: str = ""  # what the number means; '' when the operator has none

    @property
    def symbol(self) -> str:
        return self.smtlib.partition(" ")[0]

    @property
    def rounding(self) -> str:
        """SMT-LIB's rounding mode; '' when nothing is rounded."""
        return self.smtlib.partition(" ")[2]


CONNECTIVES = {Op.NOT: "not", Op.AND: "and", Op.OR: "or", Op.XOR: "xor"}  # their symbols on Bools

OPERATORS: dict[Op, Operator] = {
    row.op: row
    for row in (
        Operator(Op.CONSTANT, 0, Syntax.SPECIAL, "", "the number itself; a float's IEEE bits", number="value"),
        Operator(Op.INPUT, 0, Syntax.SPECIAL, "", "the value of an input slot; always a bit vector", number="slot"),
        Operator(Op.EXTRACT, 1, Syntax.SPECIAL, "extract", "`bits` bits of a from that bit on", number="lowest bit"),
        Operator(Op.CONCAT, 2, Syntax.PLAIN, "concat", "a above b; bits = bits(a) + bits(b)"),
        Operator(Op.ZERO_EXTEND, 1, Syntax.EXTENSION, "zero_extend", "a with zeros above"),
        Operator(Op.SIGN_EXTEND, 1, Syntax.EXTENSION, "sign_extend", "a with copies of its top bit above"),
        Operator(Op.NOT, 1, Syntax.PLAIN, "bvnot", "every bit of a flipped; on 1 bit: logical not"),
        Operator(Op.ADD, 2, Syntax.PLAIN, "bvadd", "a + b, wrapping"),
        Operator(Op.SUB, 2, Syntax.PLAIN, "bvsub", "a - b, wrapping"),
        Operator(Op.MUL, 2, Syntax.PLAIN, "bvmul", "a * b, wrapping"),
        Operator(Op.UDIV, 2, Syntax.PLAIN, "bvudiv", "unsigned quotient; b = 0 gives all ones (guarded)"),
        Operator(Op.SDIV, 2, Syntax.PLAIN, "bvsdiv", "quotient rounded towards zero; b = 0 as SMT-LIB; MIN / -1 = MIN"),
        Operator(Op.UREM, 2, Syntax.PLAIN, "bvurem", "unsigned remainder; b = 0 gives a"),
        Operator(Op.SREM, 2, Syntax.PLAIN, "bvsrem", "remainder with the sign of a; b = 0 gives a; MIN % -1 = 0"),
        Operator(Op.SHL, 2, Syntax.PLAIN, "bvshl", "a << b; b >= bits gives 0 (never reached: amounts are masked)"),
        Operator(Op.LSHR, 2, Syntax.PLAIN, "bvlshr", "a >> b, zeros shifted in; b >= bits gives 0"),
        Operator(Op.ASHR, 2, Syntax.PLAIN, "bvashr", "a >> b, sign bits shifted in; b >= bits gives all sign bits"),
        Operator(Op.AND, 2, Syntax.PLAIN, "bvand", "bitwise and"),
        Operator(Op.OR, 2, Syntax.PLAIN, "bvor", "bitwise or"),
        Operator(Op.XOR, 2, Syntax.PLAIN, "bvxor", "bitwise exclusive or"),
        Operator(Op.EQ, 2, Syntax.COMPARISON, "=", "1 if a = b, bit vectors of equal width"),
        Operator(Op.ULT, 2, Syntax.COMPARISON, "bvult", "1 if a < b unsigned"),
        Operator(Op.ULE, 2, Syntax.COMPARISON, "bvule", "1 if a <= b unsigned"),
        Operator(Op.SLT, 2, Syntax.COMPARISON, "bvslt", "1 if a < b signed"),
        Operator(Op.SLE, 2, Syntax.COMPARISON, "bvsle", "1 if a <= b signed"),
        Operator(Op.ITE, 3, Syntax.SPECIAL, "ite", "b if the 1-bit a is 1, else c"),
        Operator(Op.F_FROM_BITS, 1, Syntax.TO_FLOAT, "to_fp", "the float whose IEEE bits are a", True),
        Operator(Op.F_ADD, 2, Syntax.ROUNDED, "fp.add RNE", "a + b, to nearest even", True),
        Operator(Op.F_SUB, 2, Syntax.ROUNDED, "fp.sub RNE", "a - b, to nearest even", True),
        Operator(Op.F_MUL, 2, Syntax.ROUNDED, "fp.mul RNE", "a * b, to nearest even", True),
        Operator(Op.F_DIV, 2, Syntax.ROUNDED, "fp.div RNE", "a / b, to nearest even", True),
        Operator(Op.F_NEG, 1, Syntax.PLAIN, "fp.neg", "a with its sign flipped", True),
        Operator(Op.F_ABS, 1, Syntax.PLAIN, "fp.abs", "a with its sign cleared", True),
        Operator(Op.F_SQRT, 1, Syntax.ROUNDED, "fp.sqrt RNE", "square root, to nearest even", True),
        Operator(Op.F_FLOOR, 1, Syntax.ROUNDED, "fp.roundToIntegral RTN", "to an integral value, downwards", True),
        Operator(Op.F_CEIL, 1, Syntax.ROUNDED, "fp.roundToIntegral RTP", "to an integral value, upwards", True),
        Operator(Op.F_TRUNC, 1, Syntax.ROUNDED, "fp.roundToIntegral RTZ", "to an integral value, towards zero", True),
        Operator(Op.F_ROUND, 1, Syntax.ROUNDED, "fp.roundToIntegral RNA", "to an integral, halves away from 0", True),
        Operator(Op.F_RINT, 1, Syntax.ROUNDED, "fp.roundToIntegral RNE", "to an integral value, halves to even", True),
        Operator(Op.F_MIN, 2, Syntax.SPECIAL, "", "C's fmin: the other if one is a NaN; of two zeros: a", True),
        Operator(Op.F_MAX, 2, Syntax.SPECIAL, "", "C's fmax: the other if one is a NaN; of two zeros: a", True),
        Operator(Op.F_FMA, 3, Syntax.ROUNDED, "fp.fma RNE", "a * b + c, rounded once", True),
        Operator(Op.F_EQ, 2, Syntax.COMPARISON, "fp.eq", "1 if a == b (IEEE: NaN differs from all, -0 equals +0)"),
        Operator(Op.F_LT, 2, Syntax.COMPARISON, "fp.lt", "1 if a < b; 0 with a NaN"),
        Operator(Op.F_LE, 2, Syntax.COMPARISON, "fp.leq", "1 if a <= b; 0 with a NaN"),
        Operator(Op.F_IS_NAN, 1, Syntax.COMPARISON, "fp.isNaN", "1 if a is a NaN"),
        Operator(Op.F_SAME, 2, Syntax.COMPARISON, "=", "1 if the same value: any two NaN are, -0 and +0 are not"),
        Operator(Op.F_RESIZE, 1, Syntax.TO_FLOAT, "to_fp RNE", "a as a float of `bits` bits, to nearest even", True),
        Operator(Op.F_FROM_SIGNED, 1, Syntax.TO_FLOAT, "to_fp RNE", "signed a, to nearest even", True),
        Operator(Op.F_FROM_UNSIGNED, 1, Syntax.TO_FLOAT, "to_fp_unsigned RNE", "unsigned a, to nearest even", True),
        Operator(Op.F_TO_SIGNED, 1, Syntax.TO_BITS, "fp.to_sbv RTZ", "a truncated, signed (out of range: guarded)"),
        Operator(Op.F_TO_UNSIGNED, 1, Syntax.TO_BITS, "fp.to_ubv RTZ", "a truncated, unsigned (out of range: guarded)"),
    )
}
