"""The second engine: encodes the whole unit as one formula and asks for an input for each open point.

    encode with k iterations --> ask for a point --> a model: run it, credit all points that the run hits
                 ^                      |
                 |                      +--> none: does a run that could hit it leave the encoding? no: proved
                 +--- k grows ----------------------------------------------------------------------- yes

It works in slices, so that it can take turns with the search.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tightrope.coverage.verdict import Reason
from tightrope.coverage.witnesses import bits, is_refuted
from tightrope.deadline import start_work_clock
from tightrope.encoding.encoding import Encoding, EncodingLimits, WhyDeparted
from tightrope.encoding.values import EncodingTable
from tightrope.engines.refutation import GROWABLE, Level, Refuter
from tightrope.errors import TightropeError
from tightrope.expr.build import negate
from tightrope.expr.simplify import any_of
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input, first_input
from tightrope.options.options import Options
from tightrope.program.ir.model import Program
from tightrope.program.marks.without_labels import LabelledProgram
from tightrope.running.memory_map import FLAG_ADDRESS, FLAG_UNWRITTEN, OutcomeCode
from tightrope.running.runner import Trace
from tightrope.search.budget import Turn
from tightrope.search.loop import Search
from tightrope.solving.backends import start_session
from tightrope.solving.query import Answer, Sat, SolverUnknown, Unsat, overlay
from tightrope.solving.session import Session
from tightrope.soundness.doubts import WRONG_FORMULA
from tightrope.soundness.formula import UNANSWERED
from tightrope.units.prepared import PreparedUnit

FIRST_ITERATIONS, FIRST_SECONDS, FIRST_INSTANCES, GROWTH = 4, 8.0, 4_000, 4
LEAST_RECURSION = 12  # nested calls of one function
STEPS_OF_QUERY, BLOCKS_OF_STEP = 10, 4
SECONDS_TO_PRUNE = 0.5  # for one query whether a loop can continue
SHARE_OF_CODE = 0.06  # of the time, for proofs from the code alone
LEAST_SECONDS_OF_CODE = 0.5  # of work: also where the time is over, because so much can prove what no run ever does
MOST_FAILURES = 2  # of such queries, in one encoding
TIMED_OUT = (int(OutcomeCode.TIMED_OUT), int(OutcomeCode.ENDLESS))


def is_paranoid() -> bool:
    """True if internal errors should raise at once."""
    return os.environ.get("TIGHTROPE_PARANOID", "") not in ("", "0")


@dataclass(slots=True)
class EncodingCounts:
    """What the encoding has done so far, as counts with the names of report.json."""

    queries: int = 0
    runs: int = 0
    covered: int = 0  # objectives covered by runs of its models
    refuted: int = 0  # objectives
    mispredictions: int = 0  # runs that contradict an exact model: a bug of ours
    unknown: int = 0  # queries without an answer
    iterations: int = 0  # of loops, in the last encoding
    instances: int = 0  # of blocks, there
    seconds: float = 0.0


class EncodingEngine:
    """One unit. `search` runs the models, and its ledger gets the verdicts."""

    def __init__(self, unit: PreparedUnit, search: Search, options: Options, clock: Callable[[], float]) -> None:
        self.unit, self.search, self.options, self._clock = unit, search, options, clock
        self.counts = EncodingCounts()
        self.is_finished = False
        self._refuter = Refuter(unit, search, options, self)
        self._code_was_tried = False  # to prove something
        self._labelled = LabelledProgram(unit.program)
        self._iterations = FIRST_ITERATIONS
        self._level: Level | None = None
        self._encoding_seconds = FIRST_SECONDS
        self._last_news = self._first = self._deadline = self._end = 0.0
        self._turn = Turn(0, 0, 0)
        self._walked = 0  # blocks, in all encodings
        self._instances = FIRST_INSTANCES

    @property
    def steps(self) -> float:
        """The work done, in runs of the search: a query counts as ten runs, four blocks as one."""
        return STEPS_OF_QUERY * self.counts.queries + self._walked / BLOCKS_OF_STEP

    def work(self, turn: Turn, seconds: float, *, is_after_search: bool) -> None:
        """Continue for a turn, until nothing is left to ask, or for so many seconds."""
        start, self._turn = self._clock(), turn
        self._deadline, self._end, self._first = start + seconds, start + turn.seconds, self.steps
        self._last_news = self.steps
        try:
            if is_after_search:  # which has covered what is easy to cover
                self._prove_from_code()
                self._first = self._last_news = self.steps  # what this asked is not work on the formula
            self._work_or_give_up()
        finally:
            self._count()
            self.is_finished |= self.search.ledger.is_done
            self.counts.seconds += self._clock() - start

    def _prove_from_code(self) -> None:
        """Once: it does not depend on runs."""
        if self._code_was_tried or self.search.ledger.is_done:
            return
        self._code_was_tried = True
        from tightrope.engines.code_proofs import CodeProver

        left = max(self.search.seconds_left, self._deadline - self._clock())
        seconds = max(SHARE_OF_CODE * left, LEAST_SECONDS_OF_CODE)
        clock, program = start_work_clock(), self._asked_program()
        prover = CodeProver(self._refuter, self.options, self.ask, seconds, clock, program)
        try:
            self._walked += prover.prove()
        except Exception as problem:
            self._note_bug(problem)

    def _count(self) -> None:
        self.counts.refuted, self.counts.mispredictions = self._refuter.refuted, self._refuter.mispredictions

    def _work_or_give_up(self) -> None:
        """A bug in the encoding must not lose the tests that the search finds; the report mentions it."""
        try:
            self._work()
        except TightropeError:
            raise
        except Exception as problem:
            self._note_bug(problem)
            self._level, self.is_finished = None, True

    def _work(self) -> None:
        budget, progress = self.search.parts.budget, self.search.progress
        while not self.is_finished and not self.search.ledger.is_done and not self._is_over():
            if budget.stop_reason(0.0, progress.runs):
                break
            if self._level is None:
                self._level = self._encode()
            elif self._level.waiting:
                self._ask_next(self._level)
            else:
                self._finish_level(self._level)

    @property
    def is_late(self) -> bool:
        """True if the time limit has passed by some margin."""
        return self._clock() > self._deadline + 1

    def note_news(self) -> None:
        """Something new was found: prolong the turn."""
        self._last_news = self.steps

    @property
    def warnings(self) -> list[str]:
        """Warnings about bugs of ours."""
        return self._refuter.warnings

    @property
    def formulas(self) -> dict[str, str]:
        """By refuted objective: the hash of the formula without a solution."""
        return self._refuter.proofs.formulas

    def _is_over(self) -> bool:
        is_stuck = self.steps - self._last_news >= self._turn.patience
        is_late = self._clock() >= min(self._deadline, self._end)
        return is_stuck or is_late or self.steps - self._first >= self._turn.steps

    def _seconds(self, wanted: float) -> float:
        """The wanted time for one step, limited by what is left."""
        return max(0.05, min(wanted, self._deadline - self._clock()))

    def explain_open(self) -> None:
        """Give objectives that stay open a reason: what the encoding lacks."""
        if self._level is not None:
            self._refuter.conclude(self._level)
            self._count()
        for objective in self.search.ledger.open_objectives:
            if objective.id in self._refuter.reasons:
                self.search.ledger.explain(objective, *self._refuter.reasons[objective.id])

    # -- encoding

    def _note_bug(self, problem: Exception) -> None:
        if is_paranoid():
            raise problem
        what = f"{type(problem).__name__}: {problem}"
        self._refuter.warnings.append(f"the function could not be encoded ({what}): please report this")

    def _encode(self) -> Level:
        from tightrope.encoding.unit import encode  # most units are finished before anything is encoded

        unit, table, limits = self.unit, EncodingTable(), self._limits()
        session = start_session(self.options.solver, time_limit=self.options.solver_time_limit, seed=self.options.seed)
        encoding = encode(
            self._asked_program(),
            unit.woven.points,
            unit.marks,
            self._refuter.structure.graph,
            unit.driver.widths,
            limits,
            checks=self.options.checks,
            is_possible=make_pruning(partial(self.ask, session)),
            table=table,
        )
        for term in encoding.definitions:
            session.assert_always(term)
        self.counts.iterations, self.counts.instances = self._iterations, encoding.instances
        self._walked += encoding.instances
        self._last_news = self.steps  # a new formula: the turn starts again
        self._first, self._end = self.steps, self._clock() + self._turn.seconds
        return Level(encoding, limits, session, self._order(), _reachable(encoding), self._refuter.structure.surprises)

    def _asked_program(self) -> Program:
        """The program of the unit with the labels of open objectives only: of hundreds, predicates would be most of a
        formula."""
        open_points = self.search.ledger.open_points
        for objective in self.search.ledger.open_objectives:
            open_points |= objective.mask
        labels = self.unit.woven.points.labels
        return self._labelled.keep(open_points >> labels.start & (1 << len(labels)) - 1)

    def _limits(self) -> EncodingLimits:
        positions = 4 * self.options.index_limit
        most = min(self._encoding_seconds, max(FIRST_SECONDS, 2 * self._turn.seconds))
        calls = max(LEAST_RECURSION, self._iterations)
        return EncodingLimits(self._iterations, self._instances, self._seconds(most), positions, calls)

    def _order(self) -> list[int]:
        """The open points, the last one to be asked first: a run to a deep point also hits those before it."""
        return list(bits(self.search.ledger.open_points))

    # -- asking

    def ask(self, session: Session, terms: Sequence[Term], seconds: float | None = None) -> Answer:
        self.counts.queries += 1
        return session.ask(terms, self._seconds(self.options.solver_time_limit if seconds is None else seconds))

    def _ask_next(self, level: Level) -> None:
        point = level.waiting.pop()
        if not self.search.ledger.open_points >> point & 1:
            return None
        term = level.encoding.points.get(point)
        if term is None:
            return self._refuter.try_to_refute(level, point, ())
        answer = self.ask(level.session, [term])
        if isinstance(answer, Sat):
            return self._run(level, point, term, answer)
        if isinstance(answer, Unsat):
            return self._refuter.try_to_refute(level, point, (term,))
        self.counts.unknown += 1
        level.why[point] = UNANSWERED
        return None  # the search may still cover it

    def _run(self, level: Level, point: int, term: Term, answer: Sat) -> None:
        trace = self.run_model(level, answer)
        if trace.points >> point & 1:
            return self._run_again(level, point, term)
        departed = [each for each in level.encoding.departures if level.session.value(each.condition)]
        if trace.outcome in TIMED_OUT:
            level.why[point] = (Reason.RUNS_DIED, "")
        elif trace.flags & FLAG_UNWRITTEN:
            level.why[point] = (Reason.UNINITIALISED, "")
        elif trace.flags & FLAG_ADDRESS:
            level.why[point] = (Reason.ADDRESS, "")
        elif departed or not level.encoding.is_exact(term):
            if departed and self._run_within(level, point, term):
                return None
            level.why[point] = (
                Reason.NOT_ENCODED,
                "no run was found that covers it; nothing is proved, because the formula is not exact there",
            )
        else:
            self._refuter.note_mistake(level)
            level.why[point] = WRONG_FORMULA.why_open
        return None

    def _run_within(self, level: Level, point: int, term: Term) -> bool:
        """The model leaves the formula before it hits the point: ask for one that does not. True if its run hits it."""
        encoding = level.encoding
        stays = negate(encoding.table, any_of(encoding.table, [each.condition for each in encoding.departures]))
        answer = self.ask(level.session, [term, stays])
        if isinstance(answer, Sat):
            return bool(self.run_model(level, answer).points >> point & 1)
        level.lacks |= _too_short(encoding)
        return False

    def _run_again(self, level: Level, point: int, term: Term) -> None:
        """A run hit the point but may behave differently without instrumentation: ask for a run that returns."""
        if not self.search.ledger.open_points >> point & 1:
            return
        encoding = level.encoding
        doubts = [*encoding.ends, *(each.condition for each in encoding.departures)]
        if doubts:
            is_clean = negate(encoding.table, any_of(encoding.table, doubts))
            answer = self.ask(level.session, [term, is_clean])
            if isinstance(answer, Sat):
                self.run_model(level, answer)
            elif too_short := _too_short(encoding):  # it may return after more iterations
                level.lacks |= too_short
                return
        level.doubtful |= 1 << point

    def run_model(self, level: Level, answer: Sat) -> Trace:
        """Run the model."""
        model = {slot: value for slot, value in answer.model.items() if slot < level.encoding.slots}
        values = overlay(self._base(), model)
        ledger = self.search.ledger
        before, ledger.engine = len(ledger.open_objectives), "encoding"
        trace = self.search.run_input(values)
        ledger.engine = "search"
        self.counts.runs += 1
        fresh = before - len(ledger.open_objectives)
        self.counts.covered += fresh
        if fresh:
            self._last_news = self.steps
        return trace

    def _base(self) -> Input:
        return first_input(self.unit.driver.slots)

    # -- growing

    def _finish_level(self, level: Level) -> None:
        """Everything was asked: conclude what is proved; then use more iterations, or finish."""
        self._prove_from_code()
        self._refuter.conclude(level)
        is_stale = level.surprises != self._refuter.structure.surprises
        if not self.search.ledger.is_done and (is_stale or self._grow(level.lacks)):
            self._level = None
        else:
            self.is_finished = True

    def _grow(self, lacks: set[WhyDeparted]) -> bool:
        """Enlarge the next encoding; False if a larger one would not help."""
        if WhyDeparted.BUDGET in lacks and self._clock() < self._deadline:
            self._encoding_seconds, self._instances = self._encoding_seconds * GROWTH, self._instances * GROWTH
            return True
        if WhyDeparted.BOUND in lacks and self._iterations < self.options.unroll_limit:
            self._iterations = min(self.options.unroll_limit, self._iterations * GROWTH)
            return True
        return False

    @property
    def has_settled_all(self) -> bool:
        """True if no run can cover the open objectives, although nothing is proved about them."""
        level = self._level
        if level is None:
            return False
        settled = level.refuted | level.doubtful
        return all(is_refuted(each, settled) for each in self.search.ledger.open_objectives)


def make_pruning(
    ask: Callable[[Sequence[Term], float], Answer], known: dict[Term, bool] | None = None
) -> Callable[[Term], bool]:
    """A function that asks whether a loop can continue. It stops asking after a few queries without an answer. `known`
    are answers to earlier questions, to which it adds."""
    failures = 0
    answers = {} if known is None else known

    def is_possible(term: Term) -> bool:
        nonlocal failures
        if term in answers:
            return answers[term]
        if failures >= MOST_FAILURES:
            return True
        answer = ask([term], SECONDS_TO_PRUNE)
        if isinstance(answer, SolverUnknown):
            failures += 1
            return True
        answers[term] = not isinstance(answer, Unsat)
        return answers[term]

    return is_possible


def _too_short(encoding: Encoding) -> set[WhyDeparted]:
    return {each.why for each in encoding.departures} & GROWABLE


def _reachable(encoding: Encoding) -> int:
    mask = 0
    for point in encoding.points:
        mask |= 1 << point
    for departure in encoding.departures:
        mask |= departure.behind
    return mask
