"""Proves objectives infeasible from the code alone, for every caller: see encoding/loose.

It comes when what is easy to cover is covered. Unlike the formula of the whole unit, it needs no inputs and no bounds.
What it does not prove, the engines may still prove or cover.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tightrope.coverage.verdict import Reason
from tightrope.coverage.witnesses import bits, is_refuted
from tightrope.encoding.loose.walk import ALL_CALLS, SMALL_CALLS, Inlining, LooseFormula, encode_loosely
from tightrope.engines.refutation import Refuter
from tightrope.expr.terms import Term
from tightrope.options.options import Options
from tightrope.program.ir.model import Program
from tightrope.program.marks.point_graph import PointGraph
from tightrope.solving.backends import start_session
from tightrope.solving.query import Answer, Unsat
from tightrope.solving.session import Session
from tightrope.soundness.assumptions import absent_symbols
from tightrope.soundness.formula import FOR_EVERY_CALLER, CodeDoubts
from tightrope.units.prepared import PreparedUnit

SECONDS_OF_QUERY = 0.5
Ask = Callable[[Session, list[Term], float], Answer]


def make_formula(
    unit: PreparedUnit,
    graph: PointGraph,
    options: Options,
    seconds: float,
    program: Program | None = None,
    clock: Callable[[], float] = time.perf_counter,
    inlining: Inlining = ALL_CALLS,
) -> LooseFormula | None:
    """The loose formula of a unit, with what a solver finds out about its loops. None if it would be too large, and for
    sequences: the driver sets what its calls are given, which the formula does not know. `program`: that of the unit
    without labels about which nobody asks."""
    if unit.file.sequence is not None:
        return None

    session = _start(options)

    def is_refuted(terms: Sequence[Term]) -> bool:
        return isinstance(session.ask(terms, SECONDS_OF_QUERY), Unsat)

    return encode_loosely(
        program or unit.program,
        unit.function.name,
        unit.woven.points,
        unit.marks,
        graph,
        absent=[f"@{name}" for name in absent_symbols(unit)],
        foreign=[name for name, one in unit.file.program.globals.items() if not one.is_defined],
        seconds=seconds,
        is_refuted=is_refuted,
        clock=clock,
        inlining=inlining,
    )


def _start(options: Options) -> Session:
    return start_session(options.solver, time_limit=options.solver_time_limit, seed=options.seed)


@dataclass(slots=True)
class CodeProver:
    """`ask` asks a session; `seconds`, on the clock, are for all of it: half of what is left for making a formula. The
    first one follows only small calls, so that large units get at least that; the second is for what it leaves open."""

    refuter: Refuter
    options: Options
    ask: Ask
    seconds: float
    clock: Callable[[], float]
    program: Program  # of the unit, without labels about which nobody asks
    refuted: int = 0  # points
    _session: Session | None = None  # of one formula
    _asked: int = 0
    _end: float = 0.0
    _proofs: dict[int, Term] = field(default_factory=dict)  # by refuted point: what has no solution

    def prove(self) -> int:
        """Refute open objectives; return the number of blocks in the formulas."""
        self._end, walked = self.clock() + self.seconds, 0
        for inlining in (SMALL_CALLS, ALL_CALLS):
            if not self._has_candidates:
                break  # runs have hit every point: none can be refuted
            seconds = (self._end - self.clock()) / 2
            graph = self.refuter.structure.graph
            formula = make_formula(self.refuter.unit, graph, self.options, seconds, self.program, self.clock, inlining)
            if formula is None:
                break
            walked += formula.instances
            self._prove_with(formula)
            if not formula.is_cut:
                break
        return walked

    @property
    def _has_candidates(self) -> bool:
        search = self.refuter.search
        return bool(search.ledger.open_points & ~search.findings.seen)

    def _prove_with(self, formula: LooseFormula) -> None:
        """Each formula proves by itself: no proof has terms of two."""
        self.refuted, self._asked, self._proofs = 0, 0, {}
        self._session = _start(self.options)
        self._ask_for(formula, self.refuter.search.ledger.open_points)
        if self.refuted:
            self._conclude(formula)

    def _ask_for(self, formula: LooseFormula, points: int) -> None:
        assert self._session is not None
        seen = self.refuter.search.findings.seen
        for point in bits(points & formula.refutable & ~seen & ~self._asked):
            if self.clock() > self._end:
                return
            self._asked |= 1 << point
            term = formula.points.get(point)
            if term is None:
                self.refuted |= 1 << point
            elif isinstance(self.ask(self._session, [term, *formula.definitions_for([term])], SECONDS_OF_QUERY), Unsat):
                self.refuted |= 1 << point
                self._proofs[point] = term

    def _conclude(self, formula: LooseFormula) -> None:
        doubts = CodeDoubts(self.refuter.unit)
        for objective in self.refuter.search.ledger.open_objectives:
            if not is_refuted(objective, self.refuted):
                continue
            doubt = doubts.doubt_about(objective, self.refuted)
            if doubt is Reason.RUNS_DIED:  # other points tell whether a run starts something that none completes
                self._ask_for(formula, formula.refutable)
                doubt = doubts.doubt_about(objective, self.refuted)
            if doubt is None:
                own = [self._proofs[point] for point in objective.points if point in self._proofs]
                terms = [*own, *formula.violations]
                self.refuter.enter(objective, formula.table, formula.definitions_for(terms), terms, FOR_EVERY_CALLER)
