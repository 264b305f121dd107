"""Translates our terms to Bitwuzla's, each once.

A 1-bit term can be a Bool or a bit vector there; comparisons and connectives are Bool by nature, inputs and
extracted bits are bit vectors, and each is converted only where the other is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import bitwuzla
from bitwuzla import Kind, RoundingMode

from tightrope.expr.ieee import EXPONENT_BITS
from tightrope.expr.operators import CONNECTIVES, OPERATORS, Op, Operator, Syntax
from tightrope.expr.terms import Term

HEAVIEST = 1 << 40  # weights of terms that share much structure would otherwise grow without limit
FLOAT_WEIGHT = 64  # a float operation against a bit vector operation of the same width, roughly, in gates

_NAMED_OTHERWISE = {
    Op.LSHR: Kind.BV_SHR,
    Op.EQ: Kind.EQUAL,
    Op.F_SAME: Kind.EQUAL,
    Op.F_EQ: Kind.FP_EQUAL,
    Op.F_IS_NAN: Kind.FP_IS_NAN,
    **dict.fromkeys((Op.F_FLOOR, Op.F_CEIL, Op.F_TRUNC, Op.F_ROUND, Op.F_RINT), Kind.FP_RTI),
    Op.F_FROM_BITS: Kind.FP_TO_FP_FROM_BV,
    Op.F_RESIZE: Kind.FP_TO_FP_FROM_FP,
    Op.F_FROM_SIGNED: Kind.FP_TO_FP_FROM_SBV,
    Op.F_FROM_UNSIGNED: Kind.FP_TO_FP_FROM_UBV,
}
_ON_BOOLS = {op: getattr(Kind, symbol.upper()) for op, symbol in CONNECTIVES.items()}


def _kind(row: Operator) -> Kind:
    """Named after SMT-LIB's symbol: `bvadd`, `concat`, `fp.leq` are BV_ADD, BV_CONCAT, FP_LEQ."""
    theory = "FP" if row.symbol.startswith("fp.") else "BV"
    found: Kind = getattr(Kind, f"{theory}_{row.symbol.removeprefix('fp.').removeprefix('bv').upper()}")
    return found


_KINDS = _NAMED_OTHERWISE | {
    row.op: _kind(row)
    for row in OPERATORS.values()
    if row.syntax is not Syntax.SPECIAL and row.op not in _NAMED_OTHERWISE
}


LOOKS = 2_000  # steps of a translation between two looks at the clock


class BitwuzlaTranslator:
    """Translates the terms of one table."""

    def __init__(self, manager: bitwuzla.TermManager) -> None:
        self._manager = manager
        self._make = manager.mk_term
        self._bools: dict[Term, bitwuzla.Term] = {}
        self._values: dict[Term, bitwuzla.Term] = {}  # bit vectors and floats
        self._inputs: dict[int, tuple[Term, bitwuzla.Term]] = {}
        self._origins: dict[int, Term] = {}
        self._weights: dict[Term, int] = {}
        self._sorts: dict[int, bitwuzla.Sort] = {}
        modes = {mode.name: [manager.mk_rm_value(mode)] for mode in RoundingMode}
        self._rounding = {row.op: modes.get(row.rounding, []) for row in OPERATORS.values()}
        self._one = manager.mk_bv_value(self._sort(1), 1)
        self._zero = manager.mk_bv_value(self._sort(1), 0)
        self._translations = self._table()

    def as_bool(self, term: Term, is_late: Callable[[], bool] | None = None) -> bitwuzla.Term:
        """A condition as something to assert. Where `is_late` is true, it is `true`: nothing may be asked then."""
        found = self._bools.get(term)
        if found is None:
            if not self._translate(term, is_late):
                return self._manager.mk_true()
            found = self._bool(term)
        self._origins[found.id()] = term
        return found

    def origin(self, translated: bitwuzla.Term) -> Term:
        """The condition that `as_bool` last turned into this (equal translations have equal meanings)."""
        return self._origins[translated.id()]

    def _translate(self, root: Term, is_late: Callable[[], bool] | None = None) -> bool:
        """Translate operands first, without recursion, and without visiting translated terms again; False if it took
        too long."""
        bools, values, stack, left = self._bools, self._values, [root], LOOKS
        while stack:
            term = stack[-1]
            left -= 1
            if not left:
                if is_late is not None and is_late():
                    return False
                left = LOOKS
            if term in values or term in bools:
                stack.pop()
                continue
            missing = [arg for arg in term.args if arg not in values and arg not in bools]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._translations[term.op](term)
            inside = sum([self._weights[arg] for arg in term.args])
            self._weights[term] = min(inside + _own_weight(term), HEAVIEST)
        return True

    def weight(self, term: Term) -> int:
        """About how many gates a translated term becomes; shared parts count again each time."""
        return self._weights[term]

    def weight_together(self, terms: Iterable[Term]) -> int:
        """The same of all of them, with each part once."""
        seen: set[Term] = set()
        waiting, total = list(terms), 0
        while waiting:
            term = waiting.pop()
            if term not in seen:
                seen.add(term)
                waiting += term.args
                total += _own_weight(term)
        return total

    def input(self, slot: int) -> bitwuzla.Term:
        """The variable of a slot, after a term that contains it was translated."""
        return self._inputs[slot][1]

    def _table(self) -> dict[Op, Callable[[Term], None]]:
        by_syntax = {
            Syntax.PLAIN: self._plain,
            Syntax.COMPARISON: self._comparison,
            Syntax.EXTENSION: self._extension,
            Syntax.ROUNDED: self._rounded,
            Syntax.TO_FLOAT: self._to_float,
            Syntax.TO_BITS: self._to_bits,
        }
        return {
            **{row.op: by_syntax[row.syntax] for row in OPERATORS.values() if row.syntax in by_syntax},
            **dict.fromkeys(CONNECTIVES, self._connective),
            Op.CONSTANT: self._constant,
            Op.INPUT: self._input,
            Op.EXTRACT: self._extract,
            Op.ITE: self._ite,
            Op.F_MIN: self._least,
            Op.F_MAX: self._greatest,
        }

    # The two views of a 1-bit term.

    def _bool(self, term: Term) -> bitwuzla.Term:
        found = self._bools.get(term)
        if found is None:
            found = self._bools[term] = self._make(Kind.EQUAL, [self._values[term], self._one])
        return found

    def _value(self, term: Term) -> bitwuzla.Term:
        found = self._values.get(term)
        if found is None:
            found = self._values[term] = self._make(Kind.ITE, [self._bools[term], self._one, self._zero])
        return found

    def _operands(self, term: Term) -> list[bitwuzla.Term]:
        return [self._value(arg) for arg in term.args]

    def _sort(self, bits: int) -> bitwuzla.Sort:
        sort = self._sorts.get(bits)
        if sort is None:
            sort = self._sorts[bits] = self._manager.mk_bv_sort(bits)
        return sort

    # One method for each syntax, and for each special operator.

    def _constant(self, term: Term) -> None:
        value = self._manager.mk_bv_value(self._sort(term.bits), term.number)
        if term.is_float:
            value = self._make(Kind.FP_TO_FP_FROM_BV, [value], _format(term.bits))
        self._values[term] = value

    def _input(self, term: Term) -> None:
        known = self._inputs.get(term.number)
        if known is not None:
            raise ValueError(f"slot {term.number} has {known[0].bits} bits in one term and {term.bits} in another")
        constant = self._manager.mk_const(self._sort(term.bits), f"slot{term.number}")
        self._inputs[term.number] = (term, constant)
        self._values[term] = constant

    def _extract(self, term: Term) -> None:
        indices = [term.number + term.bits - 1, term.number]
        self._values[term] = self._make(Kind.BV_EXTRACT, self._operands(term), indices)

    def _extension(self, term: Term) -> None:
        indices = [term.bits - term.args[0].bits]
        self._values[term] = self._make(_KINDS[term.op], self._operands(term), indices)

    def _plain(self, term: Term) -> None:
        self._values[term] = self._make(_KINDS[term.op], self._operands(term))

    def _connective(self, term: Term) -> None:
        """AND, OR, XOR, NOT: on Bool if an operand is one by nature, else on bits."""
        if any(arg in self._bools for arg in term.args):
            self._bools[term] = self._make(_ON_BOOLS[term.op], [self._bool(arg) for arg in term.args])
        else:
            self._plain(term)

    def _comparison(self, term: Term) -> None:
        if term.op is Op.EQ and all(arg in self._bools for arg in term.args):
            operands = [self._bool(arg) for arg in term.args]
        else:
            operands = self._operands(term)
        self._bools[term] = self._make(_KINDS[term.op], operands)

    def _ite(self, term: Term) -> None:
        condition, then, otherwise = term.args
        if then in self._bools or otherwise in self._bools:
            self._bools[term] = self._make(Kind.ITE, [self._bool(arg) for arg in term.args])
        else:
            operands = [self._bool(condition), self._value(then), self._value(otherwise)]
            self._values[term] = self._make(Kind.ITE, operands)

    def _rounded(self, term: Term) -> None:
        self._values[term] = self._make(_KINDS[term.op], [*self._rounding[term.op], *self._operands(term)])

    def _to_float(self, term: Term) -> None:
        operands = [*self._rounding[term.op], *self._operands(term)]
        self._values[term] = self._make(_KINDS[term.op], operands, _format(term.bits))

    def _to_bits(self, term: Term) -> None:
        operands = [*self._rounding[term.op], *self._operands(term)]
        self._values[term] = self._make(_KINDS[term.op], operands, [term.bits])

    def _least(self, term: Term) -> None:
        self._pick(term, Kind.FP_LEQ)

    def _greatest(self, term: Term) -> None:
        self._pick(term, Kind.FP_GEQ)

    def _pick(self, term: Term, prefers_first: Kind) -> None:
        """Written out, because SMT-LIB leaves fp.min of zeros of two signs open."""
        first, second = self._operands(term)
        second_is_nan = self._make(Kind.FP_IS_NAN, [second])
        keeps = self._make(Kind.OR, [second_is_nan, self._make(prefers_first, [first, second])])
        picked = self._make(Kind.ITE, [keeps, first, second])
        self._values[term] = self._make(Kind.ITE, [self._make(Kind.FP_IS_NAN, [first]), second, picked])


def _own_weight(term: Term) -> int:
    if term.op in (Op.CONSTANT, Op.INPUT):
        return 0
    bits = max(arg.bits for arg in term.args)
    if term.op >= Op.F_FROM_BITS:
        return FLOAT_WEIGHT * bits
    return bits * bits if Op.MUL <= term.op <= Op.SREM else bits


def _format(bits: int) -> list[int]:
    return [EXPONENT_BITS[bits], bits - EXPONENT_BITS[bits]]
