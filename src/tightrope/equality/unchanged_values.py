"""Mutants whose expression never has another value or is never reached, whatever a caller passes and memory holds.

`wm` has a label that holds where the expression of a mutant has another value, `statement` one that holds where its
statement is reached. If the loose formula of the code (encoding/loose) says that no run satisfies the label, every run
of the mutant is that of the function. This needs no shape of the inputs, so it decides what the formula of both cannot:
where objects may be larger, or share memory.

    for (int i = 0; i < count; i++) sum += values[i];          i as abs(i): the label is `i < 0`
    if (i < 0) return -2;                                      2 as 3: the label is that of `return -2`
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.coverage.criteria.labelled import WeakMutation
from tightrope.coverage.criteria.statement import Statement
from tightrope.coverage.objective import Objective
from tightrope.encoding.loose.walk import LooseFormula
from tightrope.engines.code_proofs import SECONDS_OF_QUERY, make_formula
from tightrope.expr.simplify import any_of
from tightrope.options.options import Options
from tightrope.program.marks.labels import Label
from tightrope.program.marks.mutants import SourceMutant
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.solving.backends import start_session
from tightrope.solving.query import Unsat
from tightrope.solving.session import Session
from tightrope.soundness.formula import CodeDoubts
from tightrope.soundness.proof_files import ProofFiles
from tightrope.units.prepared import PreparedUnit
from tightrope.weaving.mark_table import points_of_obligations

WEAK, STATEMENT = WeakMutation.name, Statement.name
WITH_LABELS = (WEAK, STATEMENT)  # criteria without whose labels nothing is decided here
NEVER_OTHER = "the code alone excludes that the changed expression ever has another value"
NEVER_REACHED = "the code alone excludes that the changed statement is ever reached"
# Operators whose label holds wherever the value differs. Those of arithmetic may be undefined where it does not hold.
# So may be what the others are operands of: `word >> by` with `-abs(by)` (is_partial).
_TWINS = {("ror", "true"): "cond:true", ("ror", "false"): "cond:false"}
_WITH_TWINS = ("abs", "cond", "cor", "ror")


@dataclass(frozen=True, slots=True)
class WeakTwin:
    """A mutant, and the point of its label."""

    mutant: str  # id
    point: int
    label: Label

    @property
    def is_reach(self) -> bool:
        """Whether the label is about reaching the mutant, not about its value."""
        return self.label.criterion == STATEMENT


def find_twins(unit: PreparedUnit, mutants: Mapping[str, SourceMutant]) -> Iterator[WeakTwin]:
    """The labels that hold where these mutants are reached, and where they have another value; `unit` was prepared with
    the criteria of both. A mutant may have two."""
    rows = [
        (label, point)
        for label, point in zip(unit.marks.labels, unit.woven.points.labels, strict=True)
        if not label.problem and not label.group
    ]
    statements = {
        (label.function, label.start): (point, label) for label, point in rows if label.criterion == STATEMENT
    }
    for key, mutant in mutants.items():
        before = statements.get((mutant.function, mutant.statement))
        if before is not None:
            yield WeakTwin(key, *before)
    known = {
        (label.function, label.what, label.location, _expression(label)): (point, label)
        for label, point in rows
        if label.criterion == WEAK and not label.is_partial
    }
    for key, mutant in mutants.items():
        what = _TWINS.get((mutant.operator, mutant.what), f"{mutant.operator}:{mutant.what}")
        found = known.get((mutant.function, what, mutant.location, mutant.expression))
        if found is not None and mutant.operator in _WITH_TWINS:
            yield WeakTwin(key, *found)


def _expression(label: Label) -> str:
    return label.text.rpartition(" as ")[0]


def find_unchanged(
    unit: PreparedUnit, mutants: Mapping[str, SourceMutant], options: Options, seconds: float
) -> dict[str, tuple[str, str]]:
    """Ids of mutants that are equivalent by that -> why, and hashes of the formulas without a solution; '' where a
    constant in the code excludes the label, and nothing had to be asked."""
    constant = {point for each in unit.objectives if each.is_constant for point in each.points}
    every = tuple(find_twins(unit, mutants))
    found = {twin.mutant: (_claim(twin), "") for twin in every if twin.point in constant}
    twins = tuple(twin for twin in every if twin.mutant not in found)
    return found | _ask_for(unit, twins, options, seconds) if twins else found


def _claim(twin: WeakTwin) -> str:
    return NEVER_REACHED if twin.is_reach else NEVER_OTHER


def _ask_for(
    unit: PreparedUnit, twins: Sequence[WeakTwin], options: Options, seconds: float
) -> dict[str, tuple[str, str]]:
    """Those that the formula of the code excludes."""
    end = time.perf_counter() + seconds
    points, marks, name = unit.woven.points, unit.marks, unit.function.name
    graph = build_point_graph(unit.program, name, points, marks, points_of_obligations(marks, points))
    formula = make_formula(unit, graph, options, seconds / 2)
    if formula is None:
        return {}
    session = start_session(options.solver, time_limit=options.solver_time_limit, seed=options.seed)
    doubts, proofs = CodeDoubts(unit), ProofFiles(options, [])
    answers: dict[int, bool] = {}  # many mutants are in one statement
    claims: dict[str, str] = {}
    for twin in twins:
        left = end - time.perf_counter()
        if left <= 0:
            break
        if twin.mutant in proofs.formulas:
            continue
        if twin.point not in answers:
            answers[twin.point] = _is_refuted(formula, session, twin.point, min(left, SECONDS_OF_QUERY))
        if not answers[twin.point]:
            continue
        own = formula.points.get(twin.point, formula.table.constant(0, 1))
        terms = [own, *formula.violations]
        question = [any_of(formula.table, terms), *formula.definitions_for(terms)]
        objective = _objective(twin)
        if doubts.doubt_about(objective, 1 << twin.point) is None and proofs.is_seconded(question):
            proofs.keep(objective, question)
            claims[twin.mutant] = _claim(twin)
    return {key: (claims[key], formula_hash) for key, formula_hash in proofs.formulas.items()}


def _is_refuted(formula: LooseFormula, session: Session, point: int, seconds: float) -> bool:
    if not formula.refutable >> point & 1:
        return False
    term = formula.points.get(point)
    return term is None or isinstance(session.ask([term, *formula.definitions_for([term])], seconds), Unsat)


def _objective(twin: WeakTwin) -> Objective:
    label = twin.label
    return Objective(
        id=twin.mutant,
        criterion=label.criterion,
        kind=label.kind,
        location=label.location,
        text=label.text,
        points=(twin.point,),
        sentence="",
    )
