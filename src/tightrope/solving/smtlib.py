"""Writes a query as SMT-LIB 2 text, for any solver and for proofs that can be checked again.

    (set-logic QF_BV)
    (declare-const slot0 (_ BitVec 32))
    (define-fun t0 () (_ BitVec 32) (bvadd slot0 #x00000001))
    (define-fun t1 () Bool (bvslt t0 #x00000003))
    (assert t1)
    (check-sat)

Each term is written once, however often it is used, and names are assigned in the order of traversal: the text, and so
its fingerprint, depends only on the constraints and not on the process that built them. Terms of 1 bit are Bool or bit
vectors, depending on their operators, and are converted where the other is needed (as for Bitwuzla).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from tightrope.expr.ieee import EXPONENT_BITS
from tightrope.expr.operators import CONNECTIVES, OPERATORS, Op, Syntax
from tightrope.expr.terms import Term, walk

_PREFERS_FIRST = {Op.F_MIN: "fp.leq", Op.F_MAX: "fp.geq"}
_FORMATS = {bits: f"{exponent} {bits - exponent}" for bits, exponent in EXPONENT_BITS.items()}


def write_smtlib(constraints: Sequence[Term], comment: str = "") -> str:
    """The query whether all of these can hold together. The comment, if any, is its first line."""
    return (f"; {comment}\n" if comment else "") + _Script().write(constraints)


def fingerprint(constraints: Sequence[Term], comment: str = "") -> str:
    """The SHA-256 of the text: always the same for the same query."""
    return sha256(write_smtlib(constraints, comment).encode()).hexdigest()


class _Script:
    """Writes one query."""

    def __init__(self) -> None:
        self._names: dict[Term, str] = {}
        self._bools: set[Term] = set()  # terms of 1 bit that are Bool
        self._inputs: dict[int, Term] = {}
        self._definitions: list[str] = []
        self._has_floats = False
        self._translations = self._table()

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
        """The text for a term from now on: a constant, or the name of a definition."""
        if term.op is Op.CONSTANT:
            return _constant(term)
        if term.op is Op.INPUT:
            return self._input(term)
        text = self._translations[term.op](term)
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

    # One method for each syntax, and for each special operator.

    def _table(self) -> dict[Op, Callable[[Term], str]]:
        by_syntax = {
            Syntax.PLAIN: self._applied,
            Syntax.COMPARISON: self._comparison,
            Syntax.EXTENSION: self._extension,
            Syntax.ROUNDED: self._applied,
            Syntax.TO_FLOAT: self._to_float,
            Syntax.TO_BITS: self._to_bits,
        }
        return {
            **{row.op: by_syntax[row.syntax] for row in OPERATORS.values() if row.syntax in by_syntax},
            **dict.fromkeys(CONNECTIVES, self._connective),
            Op.EXTRACT: self._extract,
            Op.ITE: self._choice,
            Op.F_MIN: self._least_or_greatest,
            Op.F_MAX: self._least_or_greatest,
        }

    def _applied(self, term: Term) -> str:
        return f"({OPERATORS[term.op].smtlib} {self._values(term)})"

    def _connective(self, term: Term) -> str:
        """On Bool if an operand is one by nature, else on bits."""
        if self._bools.isdisjoint(term.args):
            return self._applied(term)
        self._bools.add(term)
        return f"({CONNECTIVES[term.op]} {' '.join([self._bool(arg) for arg in term.args])})"

    def _comparison(self, term: Term) -> str:
        self._bools.add(term)
        return self._applied(term)

    def _choice(self, term: Term) -> str:
        condition, then, otherwise = term.args
        if then in self._bools or otherwise in self._bools:
            self._bools.add(term)
            return f"(ite {self._bool(condition)} {self._bool(then)} {self._bool(otherwise)})"
        return f"(ite {self._bool(condition)} {self._value(then)} {self._value(otherwise)})"

    def _extract(self, term: Term) -> str:
        return self._indexed(term, f"{term.number + term.bits - 1} {term.number}")

    def _extension(self, term: Term) -> str:
        return self._indexed(term, str(term.bits - term.args[0].bits))

    def _to_float(self, term: Term) -> str:
        return self._indexed(term, _FORMATS[term.bits])

    def _to_bits(self, term: Term) -> str:
        return self._indexed(term, str(term.bits))

    def _indexed(self, term: Term, indices: str) -> str:
        symbol, blank, rounding = OPERATORS[term.op].smtlib.partition(" ")
        return f"((_ {symbol} {indices}){blank}{rounding} {self._values(term)})"

    def _least_or_greatest(self, term: Term) -> str:
        """Written out, because SMT-LIB leaves fp.min of zeros of two signs open."""
        a, b = (self._names[arg] for arg in term.args)
        keeps = f"(or (fp.isNaN {b}) ({_PREFERS_FIRST[term.op]} {a} {b}))"
        return f"(ite (fp.isNaN {a}) {b} (ite {keeps} {a} {b}))"


def _sort(term: Term) -> str:
    return f"(_ FloatingPoint {_FORMATS[term.bits]})" if term.is_float else f"(_ BitVec {term.bits})"


def _constant(term: Term) -> str:
    digits = f"#x{term.number:0{term.bits // 4}x}" if term.bits % 4 == 0 else f"#b{term.number:0{term.bits}b}"
    return f"((_ to_fp {_FORMATS[term.bits]}) {digits})" if term.is_float else digits
