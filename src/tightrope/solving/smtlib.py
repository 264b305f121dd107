"""A question as SMT-LIB 2 text, for any solver and for proofs that can be checked again.

    (set-logic QF_BV)
    (declare-const slot0 (_ BitVec 32))
    (define-fun t0 () (_ BitVec 32) (bvadd slot0 #x00000001))
    (define-fun t1 () Bool (bvslt t0 #x00000003))
    (assert t1)
    (check-sat)

Each term is written once, however often it is used, and names are given in the order of the walk: the text, and so
its fingerprint, depends on the constraints alone and not on the process that built them. Terms of 1 bit are Bool or
bit vectors as their operators are, and converted where the other is wanted (as for Bitwuzla).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk

_BITS = {
    Op.ADD: "bvadd",
    Op.SUB: "bvsub",
    Op.MUL: "bvmul",
    Op.UDIV: "bvudiv",
    Op.SDIV: "bvsdiv",
    Op.UREM: "bvurem",
    Op.SREM: "bvsrem",
    Op.SHL: "bvshl",
    Op.LSHR: "bvlshr",
    Op.ASHR: "bvashr",
    Op.AND: "bvand",
    Op.OR: "bvor",
    Op.XOR: "bvxor",
    Op.CONCAT: "concat",
    Op.NOT: "bvnot",
    Op.F_NEG: "fp.neg",
    Op.F_ABS: "fp.abs",
}
_CONNECTIVES = {Op.AND: "and", Op.OR: "or", Op.XOR: "xor", Op.NOT: "not"}
_COMPARISONS = {
    Op.EQ: "=",
    Op.ULT: "bvult",
    Op.ULE: "bvule",
    Op.SLT: "bvslt",
    Op.SLE: "bvsle",
    Op.F_EQ: "fp.eq",
    Op.F_LT: "fp.lt",
    Op.F_LE: "fp.leq",
    Op.F_SAME: "=",
    Op.F_IS_NAN: "fp.isNaN",
}
_ROUNDED = {
    Op.F_ADD: "fp.add RNE",
    Op.F_SUB: "fp.sub RNE",
    Op.F_MUL: "fp.mul RNE",
    Op.F_DIV: "fp.div RNE",
    Op.F_SQRT: "fp.sqrt RNE",
    Op.F_FMA: "fp.fma RNE",
    Op.F_FLOOR: "fp.roundToIntegral RTN",
    Op.F_CEIL: "fp.roundToIntegral RTP",
    Op.F_TRUNC: "fp.roundToIntegral RTZ",
    Op.F_ROUND: "fp.roundToIntegral RNA",
    Op.F_RINT: "fp.roundToIntegral RNE",
}
_EXTENSIONS = {Op.ZERO_EXTEND: "zero_extend", Op.SIGN_EXTEND: "sign_extend"}
_TO_FLOAT = {
    Op.F_FROM_BITS: ("to_fp", ""),
    Op.F_RESIZE: ("to_fp", " RNE"),
    Op.F_FROM_SIGNED: ("to_fp", " RNE"),
    Op.F_FROM_UNSIGNED: ("to_fp_unsigned", " RNE"),
}
_TO_BITS = {Op.F_TO_SIGNED: "fp.to_sbv", Op.F_TO_UNSIGNED: "fp.to_ubv"}
_PREFERS_FIRST = {Op.F_MIN: "fp.leq", Op.F_MAX: "fp.geq"}
_FORMATS = {32: "8 24", 64: "11 53"}  # exponent bits, significand bits


def write_smtlib(constraints: Sequence[Term], comment: str = "") -> str:
    """The question whether all of these can hold together. The comment, if any, is its first line."""
    return (f"; {comment}\n" if comment else "") + _Writer().write(constraints)


def fingerprint(constraints: Sequence[Term], comment: str = "") -> str:
    """The SHA-256 of the text: the same for the same question, today and tomorrow."""
    return sha256(write_smtlib(constraints, comment).encode()).hexdigest()


class _Writer:
    """Writes one question."""

    def __init__(self) -> None:
        self._names: dict[Term, str] = {}
        self._bools: set[Term] = set()  # terms of 1 bit that are Bool
        self._inputs: dict[int, Term] = {}
        self._definitions: list[str] = []
        self._has_floats = False
        self._families = _families(self)

    def write(self, constraints: Sequence[Term]) -> str:
        for term in walk(*constraints):
            self._has_floats = self._has_floats or term.is_float
            self._names[term] = self._named(term)
        lines = [
            f"(set-logic {'QF_BVFP' if self._has_floats else 'QF_BV'})",
            *[f"(declare-const slot{slot} {_sort(term)})" for slot, term in sorted(self._inputs.items())],
            *self._definitions,
            *[f"(assert {self._bool(term)})" for term in constraints],
            "(check-sat)",
        ]
        return "\n".join(lines) + "\n"

    def _named(self, term: Term) -> str:
        """What stands for a term from now on: constants as they are, all else by name."""
        if term.op is Op.CONSTANT:
            return _constant(term)
        if term.op is Op.INPUT:
            return self._input(term)
        text = self._families[term.op](term)
        name = f"t{len(self._definitions)}"
        sort = "Bool" if term in self._bools else _sort(term)
        self._definitions.append(f"(define-fun {name} () {sort} {text})")
        return name

    def _input(self, term: Term) -> str:
        known = self._inputs.setdefault(term.number, term)
        if known is not term:
            raise ValueError(f"slot {term.number} has {known.bits} bits in one term and {term.bits} in another")
        return f"slot{term.number}"

    # The two views of a term of 1 bit.

    def _bool(self, term: Term) -> str:
        name = self._names[term]
        return name if term in self._bools else f"(= {name} #b1)"

    def _value(self, term: Term) -> str:
        name = self._names[term]
        return f"(ite {name} #b1 #b0)" if term in self._bools else name

    def _values(self, term: Term) -> str:
        return " ".join([self._value(arg) for arg in term.args])

    # One method per family of operators.

    def plain(self, term: Term) -> str:
        return f"({_BITS[term.op]} {self._values(term)})"

    def connective(self, term: Term) -> str:
        """On Bool if an operand is one by nature, else on bits."""
        if self._bools.isdisjoint(term.args):
            return self.plain(term)
        self._bools.add(term)
        return f"({_CONNECTIVES[term.op]} {' '.join([self._bool(arg) for arg in term.args])})"

    def comparison(self, term: Term) -> str:
        self._bools.add(term)
        return f"({_COMPARISONS[term.op]} {self._values(term)})"

    def choice(self, term: Term) -> str:
        condition, then, otherwise = term.args
        if then in self._bools or otherwise in self._bools:
            self._bools.add(term)
            return f"(ite {self._bool(condition)} {self._bool(then)} {self._bool(otherwise)})"
        return f"(ite {self._bool(condition)} {self._value(then)} {self._value(otherwise)})"

    def extract(self, term: Term) -> str:
        return f"((_ extract {term.number + term.bits - 1} {term.number}) {self._values(term)})"

    def extension(self, term: Term) -> str:
        return f"((_ {_EXTENSIONS[term.op]} {term.bits - term.args[0].bits}) {self._values(term)})"

    def rounded(self, term: Term) -> str:
        return f"({_ROUNDED[term.op]} {self._values(term)})"

    def to_float(self, term: Term) -> str:
        function, rounding = _TO_FLOAT[term.op]
        return f"((_ {function} {_FORMATS[term.bits]}){rounding} {self._values(term)})"

    def to_bits(self, term: Term) -> str:
        return f"((_ {_TO_BITS[term.op]} {term.bits}) RTZ {self._values(term)})"

    def least_or_greatest(self, term: Term) -> str:
        """Written out, because SMT-LIB leaves fp.min of zeros of two signs open."""
        a, b = (self._names[arg] for arg in term.args)
        keeps = f"(or (fp.isNaN {b}) ({_PREFERS_FIRST[term.op]} {a} {b}))"
        return f"(ite (fp.isNaN {a}) {b} (ite {keeps} {a} {b}))"


def _families(writer: _Writer) -> dict[Op, Callable[[Term], str]]:
    table: dict[Op, Callable[[Term], str]] = {Op.EXTRACT: writer.extract, Op.ITE: writer.choice}
    for operators, write in (
        (_BITS, writer.plain),
        (_CONNECTIVES, writer.connective),
        (_COMPARISONS, writer.comparison),
        (_EXTENSIONS, writer.extension),
        (_ROUNDED, writer.rounded),
        (_TO_FLOAT, writer.to_float),
        (_TO_BITS, writer.to_bits),
        (_PREFERS_FIRST, writer.least_or_greatest),
    ):
        table.update(dict.fromkeys(operators, write))
    return table


def _sort(term: Term) -> str:
    return f"(_ FloatingPoint {_FORMATS[term.bits]})" if term.is_float else f"(_ BitVec {term.bits})"


def _constant(term: Term) -> str:
    digits = f"#x{term.number:0{term.bits // 4}x}" if term.bits % 4 == 0 else f"#b{term.number:0{term.bits}b}"
    return f"((_ to_fp {_FORMATS[term.bits]}) {digits})" if term.is_float else digits
