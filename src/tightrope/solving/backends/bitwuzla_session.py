"""Bitwuzla as a session: one instance; queries are assumptions.

Measured on a state machine of 12 and 20 unrolled steps (52 points, 5 of them infeasible; CPU seconds, each point
asked for): assumptions 0.8 and 2.1, push and pop 0.9 and 2.6, a new instance for each query 1.6 and 4.7. If points that
a model happens to hit are not asked for, 14 queries are left: 0.4 and 1.3, 0.4 and 1.2, 0.7 and 1.9. Without the
infeasible points, a new instance was faster there (20 steps: 0.5 against 0.8): learning pays off in proofs. Options
make less difference than the order of the queries (without preprocessing, rewrite levels 0 and 1), or cost more
(`preprop`: 50 percent), so Bitwuzla's defaults are used.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import bitwuzla

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.solving.backends.bitwuzla import term_manager
from tightrope.solving.backends.bitwuzla_terms import BitwuzlaTranslator
from tightrope.solving.interrupts import INTERRUPTIBLE
from tightrope.solving.query import Answer, Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.session import SolverSession


class BitwuzlaSession(SolverSession):
    """`time_limit` is per query, in seconds; 0: none. `is_incremental=False`: a new solver for each query."""

    def __init__(self, *, time_limit: float = 0.0, seed: int = 0, is_incremental: bool = True) -> None:
        super().__init__(time_limit=time_limit)
        self._options = _options(seed)
        self._is_incremental = is_incremental
        self._translator = BitwuzlaTranslator(term_manager())
        self._clock = _Clock()
        self._blasting = _Blasting()
        self._solver: bitwuzla.Bitwuzla | None = None
        self._given = 0  # asserted terms that the solver has

    def _decide(self, assumptions: Sequence[Term], time_limit: float) -> Answer:
        try:
            return self._decided(assumptions, time_limit)
        except (bitwuzla.BitwuzlaException, MemoryError) as problem:
            return SolverUnknown(WhyUnknown.CRASHED, str(problem))

    def _restart(self) -> None:
        self._solver, self._blasting = None, _Blasting()

    def _decided(self, assumptions: Sequence[Term], time_limit: float) -> Answer:
        if time_limit and self._blasting.seconds_for((*self._asserted, *assumptions)) > time_limit:
            return SolverUnknown(WhyUnknown.TIME_LIMIT, "too many operations on floats")
        self._clock.start(time_limit)
        solver = self._ready()
        self._blasting.note()
        translated = [self._translator.as_bool(term, self._clock) for term in assumptions]
        if self._clock():
            self._clock.stop()
            return SolverUnknown(WhyUnknown.TIME_LIMIT, "the formula is too large")
        with INTERRUPTIBLE:
            result = solver.check_sat(*translated)
        self._clock.stop()
        if result == bitwuzla.Result.SAT:
            return Sat(self._model(solver, assumptions))
        if result == bitwuzla.Result.UNSAT:
            return Unsat(_core(solver, assumptions, translated))
        return SolverUnknown(WhyUnknown.TIME_LIMIT)

    def _ready(self) -> bitwuzla.Bitwuzla:
        """The solver, with all assertions."""
        if self._solver is None or not self._is_incremental:
            self._solver = bitwuzla.Bitwuzla(term_manager(), self._options)
            self._solver.configure_terminator(self._clock)
            self._given = 0
        for term in self._asserted[self._given :]:
            if self._clock():
                break
            self._solver.assert_formula(self._translator.as_bool(term, self._clock))
            self._given += 1
        return self._solver

    def _model(self, solver: bitwuzla.Bitwuzla, assumptions: Sequence[Term]) -> dict[int, int]:
        get_value, constant = solver.get_value, self._translator.input
        return {slot: int(get_value(constant(slot)).value(10)) for slot in self._slots(assumptions)}


def _core(
    solver: bitwuzla.Bitwuzla, assumptions: Sequence[Term], translated: Sequence[bitwuzla.Term]
) -> frozenset[Term]:
    """The core as our terms. Equal translations have equal meanings, so any of their terms will do."""
    origins = {image.id(): term for image, term in zip(translated, assumptions, strict=True)}
    return frozenset([origins[image.id()] for image in solver.get_unsat_assumptions()])


# About how many seconds an operation on doubles takes before solving starts; on floats a quarter of it.
_SECONDS = {Op.F_ADD: 0.01, Op.F_SUB: 0.01, Op.F_MUL: 0.03, Op.F_DIV: 0.06, Op.F_SQRT: 0.08, Op.F_FMA: 0.1}


class _Blasting:
    """Estimates the time to bit-blast floats, during which Bitwuzla ignores the time limit (2,000 products:
    minutes)."""

    def __init__(self) -> None:
        self._seen: set[Term] = set()
        self._new: set[Term] = set()

    def seconds_for(self, terms: Sequence[Term]) -> float:
        """The estimate for terms that this solver has not seen yet."""
        self._new, waiting, seconds = set(), list(terms), 0.0
        while waiting:
            term = waiting.pop()
            if term not in self._seen and term not in self._new:
                self._new.add(term)
                waiting += term.args
                seconds += _SECONDS.get(term.op, 0.0) * (1.0 if term.bits == 64 else 0.25)
        return seconds

    def note(self) -> None:
        """Remember that the solver has seen them."""
        self._seen |= self._new


class _Clock:
    """Bitwuzla asks it, some hundred times a second, whether to stop: its own limit is fixed at creation."""

    __slots__ = ("_end",)

    def __init__(self) -> None:
        self._end = float("inf")

    def start(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds if seconds else float("inf")

    def stop(self) -> None:
        self._end = float("inf")

    def __call__(self) -> bool:
        return INTERRUPTIBLE() or time.monotonic() > self._end


def _options(seed: int) -> bitwuzla.Options:
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
    if seed:
        options.set(bitwuzla.Option.SEED, seed)
    return options
