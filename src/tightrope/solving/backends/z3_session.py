"""Z3 as a session, as a second opinion: one solver; queries are assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from tightrope.expr.terms import Term
from tightrope.solving.backends.z3 import Z3Translator
from tightrope.solving.query import Answer, Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.session import SolverSession

Expression = Any  # z3 has no types worth naming
FOREVER = 2**32 - 1  # no time limit, for Z3


class Z3Session(SolverSession):
    """`time_limit` is per query, in seconds; 0: none. `is_incremental=False`: a new solver for each query."""

    def __init__(self, *, time_limit: float = 0.0, seed: int = 0, is_incremental: bool = True) -> None:
        super().__init__(time_limit=time_limit)
        self._seed = seed
        self._is_incremental = is_incremental
        self._translator = Z3Translator()
        self._names: dict[Term, Expression] = {}  # a literal for each assumption, defined in the solver
        self._solver: Expression = None
        self._given = 0  # asserted terms that the solver has

    def _decide(self, assumptions: Sequence[Term], time_limit: float) -> Answer:
        try:
            return self._decided(assumptions, time_limit)
        except (z3.Z3Exception, MemoryError) as problem:
            return SolverUnknown(WhyUnknown.CRASHED, str(problem))

    def _restart(self) -> None:
        self._solver = None

    def _decided(self, assumptions: Sequence[Term], time_limit: float) -> Answer:
        solver = self._ready()
        names = {str(self._literal(term)): term for term in assumptions}
        solver.set("timeout", max(1, int(time_limit * 1000)) if time_limit else FOREVER)
        result = solver.check(*[self._names[term] for term in assumptions])
        if result == z3.sat:
            return Sat(self._model(assumptions))
        if result == z3.unsat:
            return Unsat(frozenset([names[str(name)] for name in solver.unsat_core()]))
        return SolverUnknown(WhyUnknown.TIME_LIMIT, solver.reason_unknown())

    def _ready(self) -> Expression:
        """The solver, with all assertions."""
        if self._solver is None or not self._is_incremental:
            self._solver = z3.Solver(ctx=self._translator.context)
            self._names = {}
            self._given = 0
            if self._seed:
                self._solver.set("random_seed", self._seed)
        for term in self._asserted[self._given :]:
            self._solver.add(self._holds(term))
        self._given = len(self._asserted)
        return self._solver

    def _literal(self, term: Term) -> Expression:
        """The literal of an assumption: Z3 accepts only literals as assumptions, not formulas."""
        name = self._names.get(term)
        if name is None:
            name = self._names[term] = z3.Bool(f"assumption {term.id}", self._translator.context)
            self._solver.add(z3.Implies(name, self._holds(term)))
        return name

    def _holds(self, term: Term) -> Expression:
        return self._translator.translate(term) == self._translator.one

    def _model(self, assumptions: Sequence[Term]) -> dict[int, int]:
        model, inputs = self._solver.model(), self._translator.inputs
        return {slot: model.eval(inputs[slot], model_completion=True).as_long() for slot in self._slots(assumptions)}
