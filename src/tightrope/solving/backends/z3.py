"""Z3, as a second opinion: a fresh solver for every query, simple before fast. The only importer of its library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.solving.query import Answer, Query, Sat, Unknown, Unsat, WhyUnknown
from tightrope.solving.solver import Statistics

Expression = Any  # z3 has no types worth naming
Make = Callable[..., Expression]


class Z3Solver:
    """`time_limit` is per query, in seconds; 0: none."""

    def __init__(self, *, time_limit: float = 0.0, seed: int = 0) -> None:
        self.statistics = Statistics()
        self._time_limit = time_limit
        self._seed = seed
        self._translator = Translator()

    def ask(self, query: Query) -> Answer:
        solver = self._solver()
        try:
            names = self._assert_all(solver, query)
            result = solver.check()
            if result == z3.sat:
                return Sat(self._model(solver, query))
            if result == z3.unsat:
                return Unsat(frozenset([names[str(name)] for name in solver.unsat_core()]))
        except z3.Z3Exception as problem:
            return Unknown(WhyUnknown.CRASHED, str(problem))
        return Unknown(WhyUnknown.TIME_LIMIT, solver.reason_unknown())

    def _solver(self) -> Expression:
        solver = z3.Solver()
        if self._time_limit:
            solver.set("timeout", max(1, int(self._time_limit * 1000)))
        if self._seed:
            solver.set("random_seed", self._seed)
        return solver

    def _assert_all(self, solver: Expression, query: Query) -> dict[str, Term]:
        """Each constraint under a name, so that a core can be read."""
        names = {f"constraint {term.id}": term for term in query.constraints}
        for name, term in names.items():
            holds = self._translator.translate(term) == self._translator.one
            solver.assert_and_track(holds, z3.Bool(name))
        return names

    def _model(self, solver: Expression, query: Query) -> dict[int, int]:
        model = solver.model()
        inputs = self._translator.inputs
        return {slot: model.eval(inputs[slot], model_completion=True).as_long() for slot in query.slots}


class Translator:
    """Every 1-bit term is a bit vector of 1 bit here."""

    def __init__(self) -> None:
        self.one = z3.BitVecVal(1, 1)
        self.inputs: dict[int, Expression] = {}
        self._zero = z3.BitVecVal(0, 1)
        self._nearest = z3.RNE()
        self._known: dict[Term, Expression] = {}
        self._special: dict[Op, Callable[[Term, list[Expression]], Expression]] = {
            Op.CONSTANT: self._constant,
            Op.INPUT: self._input,
            Op.EXTRACT: lambda term, args: z3.Extract(term.number + term.bits - 1, term.number, args[0]),
            Op.ZERO_EXTEND: lambda term, args: z3.ZeroExt(term.bits - term.args[0].bits, args[0]),
            Op.SIGN_EXTEND: lambda term, args: z3.SignExt(term.bits - term.args[0].bits, args[0]),
            Op.ITE: lambda term, args: z3.If(args[0] == self.one, args[1], args[2]),
            Op.F_FROM_BITS: lambda term, args: z3.fpBVToFP(args[0], self._float(term.bits)),
            Op.F_RESIZE: lambda term, args: z3.fpFPToFP(self._nearest, args[0], self._float(term.bits)),
            Op.F_FROM_SIGNED: lambda term, args: z3.fpSignedToFP(self._nearest, args[0], self._float(term.bits)),
            Op.F_FROM_UNSIGNED: lambda term, args: z3.fpUnsignedToFP(self._nearest, args[0], self._float(term.bits)),
            Op.F_TO_SIGNED: lambda term, args: z3.fpToSBV(z3.RTZ(), args[0], self._bits(term.bits)),
            Op.F_TO_UNSIGNED: lambda term, args: z3.fpToUBV(z3.RTZ(), args[0], self._bits(term.bits)),
            Op.F_MIN: lambda term, args: self._pick(z3.fpLEQ, *args),
            Op.F_MAX: lambda term, args: self._pick(z3.fpGEQ, *args),
        }
        self._integral: dict[Op, Expression] = {
            Op.F_FLOOR: z3.RTN(),
            Op.F_CEIL: z3.RTP(),
            Op.F_TRUNC: z3.RTZ(),
            Op.F_ROUND: z3.RNA(),
            Op.F_RINT: self._nearest,
        }

    def translate(self, root: Term) -> Expression:
        stack = [root]
        while stack:
            term = stack[-1]
            missing = [arg for arg in term.args if arg not in self._known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if term not in self._known:
                self._known[term] = self._made(term, [self._known[arg] for arg in term.args])
        return self._known[root]

    def _made(self, term: Term, args: list[Expression]) -> Expression:
        if term.op in self._special:
            return self._special[term.op](term, args)
        if term.op in _COMPARISONS:
            return z3.If(_COMPARISONS[term.op](*args), self.one, self._zero)
        if term.op in _ROUNDED:
            return _ROUNDED[term.op](self._nearest, *args)
        if term.op in self._integral:
            return z3.fpRoundToIntegral(self._integral[term.op], args[0])
        return _PLAIN[term.op](*args)

    def _constant(self, term: Term, args: list[Expression]) -> Expression:
        value = z3.BitVecVal(term.number, term.bits)
        return z3.fpBVToFP(value, self._float(term.bits)) if term.is_float else value

    def _input(self, term: Term, args: list[Expression]) -> Expression:
        if term.number in self.inputs:
            raise ValueError(f"slot {term.number} has two widths, one of them {term.bits} bits")
        self.inputs[term.number] = z3.BitVec(f"slot{term.number}", term.bits)
        return self.inputs[term.number]

    def _pick(self, prefers_first: Make, first: Expression, second: Expression) -> Expression:
        """Written out, because SMT-LIB leaves fp.min of zeros of two signs open."""
        keeps = z3.Or(z3.fpIsNaN(second), prefers_first(first, second))
        return z3.If(z3.fpIsNaN(first), second, z3.If(keeps, first, second))

    def _float(self, bits: int) -> Expression:
        return z3.Float32() if bits == 32 else z3.Float64()

    def _bits(self, bits: int) -> Expression:
        return z3.BitVecSort(bits)


_PLAIN: dict[Op, Make] = {
    Op.CONCAT: z3.Concat,
    Op.NOT: lambda a: ~a,
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.UDIV: z3.UDiv,
    Op.SDIV: lambda a, b: a / b,
    Op.UREM: z3.URem,
    Op.SREM: z3.SRem,
    Op.SHL: lambda a, b: a << b,
    Op.LSHR: z3.LShR,
    Op.ASHR: lambda a, b: a >> b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.F_NEG: z3.fpNeg,
    Op.F_ABS: z3.fpAbs,
}
_COMPARISONS: dict[Op, Make] = {
    Op.EQ: lambda a, b: a == b,
    Op.ULT: z3.ULT,
    Op.ULE: z3.ULE,
    Op.SLT: lambda a, b: a < b,
    Op.SLE: lambda a, b: a <= b,
    Op.F_EQ: z3.fpEQ,
    Op.F_LT: z3.fpLT,
    Op.F_LE: z3.fpLEQ,
    Op.F_IS_NAN: z3.fpIsNaN,
    Op.F_SAME: lambda a, b: a == b,
}
_ROUNDED: dict[Op, Make] = {
    Op.F_ADD: z3.fpAdd,
    Op.F_SUB: z3.fpSub,
    Op.F_MUL: z3.fpMul,
    Op.F_DIV: z3.fpDiv,
    Op.F_SQRT: z3.fpSqrt,
    Op.F_FMA: z3.fpFMA,
}
