"""Z3, as a second opinion: a new solver for every query, simple rather than fast. The only importer of its library."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import z3

from tightrope.deadline import NEVER, Deadline
from tightrope.expr.operators import OPERATORS, Op, Operator, Syntax
from tightrope.expr.terms import Term
from tightrope.solving.query import Answer, Query, Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.solver import SolverStatistics

Expression = Any  # z3 has no types worth naming
Make = Callable[..., Expression]


class Z3Solver:
    """`time_limit` is per query, in seconds; 0: none."""

    def __init__(self, *, time_limit: float = 0.0, seed: int = 0, deadline: Deadline = NEVER) -> None:
        self.statistics = SolverStatistics()
        self._time_limit, self._deadline = time_limit, deadline
        self._seed = seed
        self._translator = Z3Translator()

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
            return SolverUnknown(WhyUnknown.CRASHED, str(problem))
        return SolverUnknown(WhyUnknown.TIME_LIMIT, solver.reason_unknown())

    def _solver(self) -> Expression:
        solver = z3.Solver(ctx=self._translator.context)
        seconds = min(self._time_limit or math.inf, self._deadline.left)
        if seconds < math.inf:
            solver.set("timeout", max(1, int(seconds * 1000)))
        if self._seed:
            solver.set("random_seed", self._seed)
        return solver

    def _assert_all(self, solver: Expression, query: Query) -> dict[str, Term]:
        """Each constraint under a name, so that a core can be read."""
        names = {f"constraint {term.id}": term for term in query.constraints}
        for name, term in names.items():
            holds = self._translator.translate(term) == self._translator.one
            solver.assert_and_track(holds, z3.Bool(name, self._translator.context))
        return names

    def _model(self, solver: Expression, query: Query) -> dict[int, int]:
        model = solver.model()
        inputs = self._translator.inputs
        return {slot: model.eval(inputs[slot], model_completion=True).as_long() for slot in query.slots}


class Z3Translator:
    """Every 1-bit term is a bit vector of 1 bit here. The context is its own, so that Z3 returns the memory: the one of
    the module lives as long as the process."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.one = z3.BitVecVal(1, 1, self.context)
        self.inputs: dict[int, Expression] = {}
        self._zero = z3.BitVecVal(0, 1, self.context)
        self._to_nearest, self._to_zero = z3.RNE(self.context), z3.RTZ(self.context)
        self._known: dict[Term, Expression] = {}
        self._special: dict[Op, Callable[[Term, list[Expression]], Expression]] = {
            Op.CONSTANT: self._constant,
            Op.INPUT: self._input,
            Op.EXTRACT: lambda term, args: z3.Extract(term.number + term.bits - 1, term.number, args[0]),
            Op.ZERO_EXTEND: lambda term, args: z3.ZeroExt(term.bits - term.args[0].bits, args[0]),
            Op.SIGN_EXTEND: lambda term, args: z3.SignExt(term.bits - term.args[0].bits, args[0]),
            Op.ITE: lambda term, args: z3.If(args[0] == self.one, args[1], args[2]),
            Op.F_FROM_BITS: lambda term, args: z3.fpBVToFP(args[0], self._float(term.bits), ctx=self.context),
            Op.F_RESIZE: lambda term, args: self._rounded(z3.fpFPToFP, args[0], term),
            Op.F_FROM_SIGNED: lambda term, args: self._rounded(z3.fpSignedToFP, args[0], term),
            Op.F_FROM_UNSIGNED: lambda term, args: self._rounded(z3.fpUnsignedToFP, args[0], term),
            Op.F_TO_SIGNED: lambda term, args: self._truncated(z3.fpToSBV, args[0], term),
            Op.F_TO_UNSIGNED: lambda term, args: self._truncated(z3.fpToUBV, args[0], term),
            Op.F_MIN: lambda term, args: self._pick(z3.fpLEQ, *args),
            Op.F_MAX: lambda term, args: self._pick(z3.fpGEQ, *args),
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
        row = OPERATORS[term.op]
        rounding = [getattr(z3, row.rounding)(self.context)] if row.rounding else []
        by_python = _COMPARED_BY_PYTHON.get(term.op)
        made = by_python(*args) if by_python else _applied(row, [*rounding, *args])
        return z3.If(made, self.one, self._zero) if row.syntax is Syntax.COMPARISON else made

    def _constant(self, term: Term, args: list[Expression]) -> Expression:
        value = z3.BitVecVal(term.number, term.bits, self.context)
        return z3.fpBVToFP(value, self._float(term.bits), ctx=self.context) if term.is_float else value

    def _input(self, term: Term, args: list[Expression]) -> Expression:
        if term.number in self.inputs:
            raise ValueError(f"slot {term.number} has two widths, one of them {term.bits} bits")
        self.inputs[term.number] = z3.BitVec(f"slot{term.number}", term.bits, self.context)
        return self.inputs[term.number]

    def _pick(self, prefers_first: Make, first: Expression, second: Expression) -> Expression:
        """Written out, because SMT-LIB leaves fp.min of zeros of two signs open."""
        is_nan = [z3.fpIsNaN(each, self.context) for each in (first, second)]
        keeps = z3.Or(is_nan[1], prefers_first(first, second, self.context))
        return z3.If(is_nan[0], second, z3.If(keeps, first, second))

    def _float(self, bits: int) -> Expression:
        return z3.Float32(self.context) if bits == 32 else z3.Float64(self.context)

    def _rounded(self, make: Make, value: Expression, term: Term) -> Expression:
        return make(self._to_nearest, value, self._float(term.bits), ctx=self.context)

    def _truncated(self, make: Make, value: Expression, term: Term) -> Expression:
        return make(self._to_zero, value, z3.BitVecSort(term.bits, self.context), ctx=self.context)


def _applied(row: Operator, args: list[Expression]) -> Expression:
    """By the function of Z3's C interface that is named after SMT-LIB's symbol."""
    symbol = _NAMED_OTHERWISE.get(row.symbol, row.symbol).replace("fp.", "fpa_")
    made = getattr(z3, f"Z3_mk_{symbol}")(args[0].ctx_ref(), *[each.as_ast() for each in args])
    sort = z3.BoolRef if row.syntax is Syntax.COMPARISON else z3.FPRef if row.is_float else z3.BitVecRef
    return sort(made, args[0].ctx)


_NAMED_OTHERWISE = {"fp.isNaN": "fp.is_nan", "fp.roundToIntegral": "fp.round_to_integral"}
# Python reverses these if a constant is on the right: `x < 3` reaches Z3 as `3 > x`. The meaning is the same,
# but the model that Z3 finds depends on it.
_COMPARED_BY_PYTHON: dict[Op, Make] = {
    Op.EQ: operator.eq,
    Op.F_SAME: operator.eq,
    Op.SLT: operator.lt,
    Op.SLE: operator.le,
}
