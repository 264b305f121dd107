"""Proves that no run hits a point, and that objectives are infeasible: the proving half of the second engine.

a point without a solution   if no run that could hit it leaves the encoding, it is refuted
the points of an objective   if all are refuted, there is no doubt (soundness/doubts.py) and a second solver agrees, it
                             is infeasible
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Infeasible, Proof, Reason
from tightrope.coverage.witnesses import is_refuted
from tightrope.encoding.encoding import Departure, Encoding, EncodingLimits, WhyDeparted
from tightrope.encoding.values import EncodingTable
from tightrope.expr.simplify import any_of
from tightrope.expr.terms import Term
from tightrope.options.options import Options
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.running.runner import Trace
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.loop import Search
from tightrope.solving.query import Answer, Sat, Unsat
from tightrope.solving.session import Session
from tightrope.soundness.doubts import NOT_SECONDED, WRONG_FORMULA
from tightrope.soundness.formula import UNANSWERED, FormulaDoubts, WhyOpen, choose_reason, explain_departures
from tightrope.soundness.proof_files import ProofFiles
from tightrope.units.prepared import PreparedUnit

if TYPE_CHECKING:  # imported where it is used: few units are sequences of calls
    from tightrope.engines.call_induction import CallInduction

GROWABLE = frozenset({WhyDeparted.BOUND, WhyDeparted.BUDGET})  # what a larger formula has more of
MISTAKE = "a run contradicts the formula of the function: please report this"


@dataclass(slots=True)
class Level:
    """One encoding, and what was found out with it."""

    encoding: Encoding
    limits: EncodingLimits
    session: Session
    waiting: list[int]  # points still to be asked for
    reachable: int  # points that some run may hit, before anything was asked
    surprises: int  # how often the graph of reachable points had been wrong by then
    refuted: int = 0  # points that no run hits
    doubtful: int = 0  # points that only doubtful runs hit
    why: dict[int, WhyOpen] = field(default_factory=dict)  # by point that is neither hit nor refuted
    proofs: dict[int, tuple[Term, ...]] = field(default_factory=dict)  # by point: what has no solution
    answers: dict[tuple[int, ...], tuple[Answer, tuple[Departure, ...]]] = field(default_factory=dict)
    lacks: set[WhyDeparted] = field(default_factory=set)  # what prevents points from being refuted
    early_end: Answer | None = None  # whether some run ends early; None: not asked yet
    is_wrong: bool = False  # some run contradicts it: it proves nothing
    is_sharp: bool = False  # all points were asked for, even those of no objective


class FormulaAsker(Protocol):
    """Asks the solver, runs its models, and keeps the time."""

    @property
    def is_late(self) -> bool: ...

    def ask(self, session: Session, terms: Sequence[Term], seconds: float | None = None) -> Answer: ...

    def run_model(self, level: Level, answer: Sat) -> Trace: ...

    def note_news(self) -> None: ...


class Refuter:
    """Refutes objectives of one unit. The ledger of the search gets the verdicts, `reasons` why others stay open."""

    def __init__(self, unit: PreparedUnit, search: Search, options: Options, asking: FormulaAsker) -> None:
        assert search.structure is not None
        self.unit, self.search, self._asking = unit, search, asking
        self.structure: CoverageStructure = search.structure
        self.warnings: list[str] = []  # about bugs of ours
        self.reasons: dict[str, WhyOpen] = {}  # by objective
        self.refuted = self.mispredictions = 0
        self.proofs = ProofFiles(options, self.warnings, unit.file.output_stem or unit.file.path.stem)
        self._doubts = FormulaDoubts(unit, bool(options.checks))
        self._doubts_of_calls = FormulaDoubts(unit, bool(options.checks), is_for_all_calls=True)
        self._induction = _start_induction(unit, options) if unit.file.sequence else None

    def note_mistake(self, level: Level) -> None:
        """A run contradicts the formula, which proves nothing from now on."""
        self.mispredictions += 1
        level.is_wrong = True
        self.warnings += [] if MISTAKE in self.warnings else [MISTAKE]

    def try_to_refute(self, level: Level, point: int, terms: tuple[Term, ...]) -> None:
        numbers = tuple(n for n, each in enumerate(level.encoding.departures) if each.behind >> point & 1)
        answer, departed = self._departs(level, numbers)
        if isinstance(answer, Unsat):
            self._asking.note_news()
            level.refuted |= 1 << point
            excluded = (*(level.encoding.departures[n] for n in numbers), *level.encoding.cuts)
            level.proofs[point] = (*terms, *(each.condition for each in excluded if each.behind >> point & 1))
        elif isinstance(answer, Sat):
            level.why[point] = explain_departures(departed, level.limits)
            level.lacks |= {each.why for each in departed}
        else:
            level.why[point] = UNANSWERED

    def _departs(self, level: Level, numbers: tuple[int, ...]) -> tuple[Answer, tuple[Departure, ...]]:
        """Whether some run leaves the encoding at one of these, and at which."""
        if not numbers:
            return Unsat(), ()
        known = level.answers.get(numbers)
        if known is None:
            departures = [level.encoding.departures[n] for n in numbers]
            term = any_of(level.encoding.table, [each.condition for each in departures])
            answer = self._asking.ask(level.session, [term])
            found: tuple[Departure, ...] = ()
            if isinstance(answer, Sat):
                found = tuple(each for each in departures if level.session.value(each.condition))
                self._asking.run_model(level, answer)
                found += self._curable(level, departures, found)
            known = level.answers[numbers] = answer, found
        return known

    def _curable(
        self, level: Level, departures: Sequence[Departure], found: Sequence[Departure]
    ) -> tuple[Departure, ...]:
        """Departures that a larger formula would avoid. A run that departs for another reason may hide them."""
        curable = [each for each in departures if each.why in GROWABLE]
        if not curable or any(each in curable for each in found):
            return ()
        term = any_of(level.encoding.table, [each.condition for each in curable])
        if not isinstance(self._asking.ask(level.session, [term]), Sat):
            return ()
        return tuple(each for each in curable if level.session.value(each.condition))

    def _may_end_early(self, level: Level) -> bool:
        if level.early_end is None:
            ends, table = level.encoding.ends, level.encoding.table
            level.early_end = self._asking.ask(level.session, [any_of(table, ends)]) if ends else Unsat()
        return not isinstance(level.early_end, Unsat)

    def conclude(self, level: Level) -> None:
        """Enter what is proved; note why the other open objectives are not."""
        if self.search.findings.seen & level.refuted and not level.is_wrong:
            self.note_mistake(level)
        if level.is_wrong or level.surprises != self.structure.surprises:
            return self.reasons.update({each.id: WRONG_FORMULA.why_open for each in self.search.ledger.open_objectives})
        for objective in self.search.ledger.open_objectives:
            if is_refuted(objective, level.refuted):
                self._refute(level, objective)
            else:
                found = [level.why[point] for point in objective.points if point in level.why]
                if found:
                    self.reasons[objective.id] = choose_reason(found)
        if self._induction is not None:
            self._refute_for_all_calls(level, self._induction)
        return None

    def _refute(self, level: Level, objective: Objective) -> None:
        doubt = self._doubt(level, objective)
        if doubt is Reason.RUNS_DIED and not level.is_sharp:
            self._sharpen(level)
            doubt = self._doubt(level, objective)
        if doubt is Reason.MORE_CALLS and self._is_before_repetitions(objective):
            doubt = self._doubt(level, objective, self._doubts_of_calls)
        if doubt is not None:
            self.reasons[objective.id] = doubt, ""
            return
        terms = tuple(dict.fromkeys(term for p in objective.points for term in level.proofs.get(p, ())))
        if not self.enter(
            objective, level.encoding.table, level.encoding.table.definitions, terms, self._doubts.sentence
        ):
            self.reasons[objective.id] = NOT_SECONDED.why_open

    def enter(
        self,
        objective: Objective,
        table: EncodingTable,
        definitions: Sequence[Term],
        terms: Sequence[Term],
        sentence: str,
    ) -> bool:
        """Enter the proof that these terms have no solution; False if the second solver does not agree."""
        question = [any_of(table, terms), *definitions] if terms else [table.constant(0, 1)]
        if not self.proofs.is_seconded(question):
            return False
        self._enter(objective, Infeasible(Proof.UNSATISFIABLE, sentence), question)
        return True

    def _enter(self, objective: Objective, verdict: Infeasible, question: Sequence[Term]) -> None:
        ledger = self.search.ledger
        ledger.engine = "encoding"
        ledger.refute(objective, verdict)
        ledger.engine = "search"
        self.refuted += 1
        self.proofs.keep(objective, question)

    # -- sequences

    def _is_before_repetitions(self, objective: Objective) -> bool:
        """Whether the formula has every call of its function that there can be. Other functions may call it, too."""
        text, name = self.unit.file.sequence, objective.id.partition(":")[0]
        if text is None or not any(name in item.functions for item in text.sequence.leading):
            return False
        later = (f"@{each}" for each in text.sequence.repeated)
        return not any(f"@{name}" in reachable_functions(self.unit.program, each) for each in later)

    def _refute_for_all_calls(self, level: Level, induction: CallInduction) -> None:
        """Of the objectives that no call within the sequence covers, refute those that more calls do not cover."""
        ledger = self.search.ledger
        waiting = [each for each in ledger.open_objectives if self.reasons.get(each.id) == (Reason.MORE_CALLS, "")]
        if not waiting or self._asking.is_late:
            return
        proved = induction.prove(waiting, self._asking.ask, level.limits, self.search.findings.seen)
        for objective in waiting:
            question = proved.get(objective.id)
            if question is None:
                continue
            if self.proofs.is_seconded(question):
                self._enter(objective, Infeasible(Proof.INDUCTIVE), question)
            else:
                self.reasons[objective.id] = NOT_SECONDED.why_open

    def _doubt(self, level: Level, objective: Objective, doubts: FormulaDoubts | None = None) -> Reason | None:
        ends_early, possible = self._may_end_early(level), level.reachable & ~level.refuted
        return (doubts or self._doubts).doubt_about(
            objective, level.encoding, possible=possible, seen=self.search.findings.seen, may_end_early=ends_early
        )

    def _sharpen(self, level: Level) -> None:
        """Ask for points of no objective, too: they tell whether a run starts something that none completes."""
        level.is_sharp = True
        for point in self.unit.woven.points.numbers.values():
            if self._asking.is_late or (self.search.findings.seen | level.refuted) >> point & 1:
                continue
            term = level.encoding.points.get(point)
            if term is None:
                self.try_to_refute(level, point, ())
            elif isinstance(self._asking.ask(level.session, [term]), Unsat):
                self.try_to_refute(level, point, (term,))


def _start_induction(unit: PreparedUnit, options: Options) -> CallInduction:
    from tightrope.engines.call_induction import CallInduction

    return CallInduction(unit, options)
