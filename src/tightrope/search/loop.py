"""The main loop: pick a candidate, solve it, run the input, add the path to the tree; until there is a stop reason."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Reason
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import FLAG_APPROXIMATE, OutcomeCode
from tightrope.running.runner import Trace
from tightrope.search.aim import Aim, JointAim, join_aims
from tightrope.search.budget import Budget, StopReason, Turn
from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.fuzzing import FIRST_WAIT, SLOW_QUERY, SLOW_SOLVING, Fuzzer
from tightrope.search.kept_runs import COVERS, ERRORS, NOTHING, RunWorth
from tightrope.search.path_bound import NO_BOUND, PathBound
from tightrope.search.path_tree import ANY_SLOTS, DivergenceError, PathTree
from tightrope.search.review import Review
from tightrope.search.strategy import Strategy
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import Query, Sat, SolverUnknown, overlay
from tightrope.solving.solver import Solver

RUNS_PER_TICK = 64
MOST_OF_ENDLESS = (
    256  # candidates of a run that did not end: the further ones lie deep in its loop, where queries are large
)
MANY_NODES = 1_500  # of expressions after a few runs: queries will be slow, so fuzzing has a turn before the first one
TIMED_OUT, REJECTED, CRASHED = int(OutcomeCode.TIMED_OUT), int(OutcomeCode.REJECTED), int(OutcomeCode.CRASHED)
ENDED = frozenset(int(each) for each in (OutcomeCode.RETURNED, OutcomeCode.EXITED))  # not a crash, and not late
TRIALS_PER_LOOK = 64  # at the clock


class Runs(Protocol):
    """Runs inputs."""

    def trace(self, values: Input) -> Trace: ...

    def close_aims(self, closed: int, observed: int = 0) -> None: ...


@dataclass(slots=True)
class Progress:
    """What the search has done so far, as counts with the names of report.json."""

    runs: int = 0
    seeds: int = 0  # runs before the search, besides the first
    trials: int = 0  # runs by fuzzing that are not among `runs`
    candidates: int = 0
    filtered: int = 0  # candidates that were not tried
    unknown: int = 0
    divergences: int = 0
    approximate: int = 0  # runs with an approximate path
    timed_out: int = 0
    solving_seconds: float = 0.0
    run_seconds: float = 0.0
    decode_seconds: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchParts:
    """The parts of a search. Everything that varies is passed in."""

    runner: Runs
    solver: Solver
    strategy: Strategy
    tree: PathTree
    ledger: Ledger
    structure: CoverageStructure | None = None
    fuzzer: Fuzzer | None = None
    budget: Budget = field(default_factory=Budget)
    bound: PathBound = NO_BOUND
    clock: Callable[[], float] = time.perf_counter
    is_exhaustive: bool = False
    label_deletion: int = 2  # see Search.open_aims
    dive: Callable[[Search, Sequence[Input]], StopReason | None] = lambda search, seeds: None  # in compiled code
    on_run: Callable[[Input, Trace], RunWorth] = lambda values, trace: COVERS  # not called for rejected runs
    on_tick: Callable[[Progress], None] = lambda progress: None
    review: Review | None = None  # of what is wanted


@dataclass(slots=True)
class SearchFindings:
    """What runs have shown so far; points are masks."""

    seen: int = 0  # points that some run has hit
    flags: int = 0  # of all runs, including rejected ones
    aimed: int = 0  # points that an aim has hit
    lost: set[int] = field(default_factory=set)  # sides of flips that the solver did not decide
    beyond: int = 0  # candidates beyond the bound, which are not tried
    waiting: int = 0  # candidates that compiled code left when it was stopped


@dataclass(slots=True)
class Pace:
    """The progress of the search in steps and time."""

    steps: int = 0  # candidates tried, and runs
    last_news: int = 0  # the step at which something new was covered last
    start: float | None = None  # the clock at the start
    now: float = 0.0  # the clock when it was last read
    was_interrupted: bool = False
    next_fuzzing: float = math.inf  # the step at which fuzzing may have a turn
    nodes: int = 0  # of expressions, in all runs before the first query
    last_fuzzing: int = 0  # the step at which it had one
    asked_by_then: int = 0  # queries that a solver had answered by then
    solved_by_then: float = 0.0  # seconds that they had taken


class Search:
    """One exploration of one unit."""

    __slots__ = (
        "_closed_aims",
        "_has_aims",
        "_is_bounded",
        "_joins_aims",
        "_review_at",
        "_told",
        "_trace",
        "findings",
        "pace",
        "parts",
        "progress",
        "strategy",
    )

    def __init__(self, parts: SearchParts) -> None:
        self.parts = parts
        self.strategy = parts.strategy
        self._trace, self._is_bounded = parts.runner.trace, bool(parts.bound)
        observations = parts.tree.observations
        self._has_aims = observations is not None and bool(observations.obligations)
        self.progress, self.findings, self.pace = Progress(), SearchFindings(), Pace()
        self._told: tuple[int, int] | None = None  # the open aims and observed events that the runner was last told
        self._joins_aims = parts.label_deletion == 2  # below, what one run covers may be aimed at again
        self._closed_aims = 0  # by number of the obligation, with these open aims
        self._review_at = parts.review.seconds if parts.review is not None else math.inf
        if parts.fuzzer is not None:
            self.pace.next_fuzzing = FIRST_WAIT if parts.fuzzer.has_texts else 0

    @property
    def ledger(self) -> Ledger:
        return self.parts.ledger

    @property
    def tree(self) -> PathTree:
        return self.parts.tree

    @property
    def structure(self) -> CoverageStructure | None:
        return self.parts.structure

    def explore(self, seeds: Sequence[Input]) -> StopReason:
        """Search until every objective has a verdict, nothing is left, or the budget is spent."""
        reason = self.parts.dive(self, seeds)
        if reason is None:
            reason = self.explore_while_new(seeds, Turn(math.inf, math.inf, math.inf))
        assert reason is not None
        self.finish()
        return reason

    def explore_while_new(self, seeds: Sequence[Input], turn: Turn) -> StopReason | None:
        """As `explore`, but only for a turn; None if there is more to do. Call it again without seeds, and `finish` at
        the end. The budget covers all calls together."""
        pace, clock = self.pace, self.parts.clock
        pace.now = now = clock()
        start = pace.start = now if pace.start is None else pace.start
        pace.last_news = first = pace.steps
        reason: StopReason | None = None
        try:
            self._run_seeds(seeds)
            while (reason := self._stop_reason(start)) is None:
                is_stuck = pace.steps - pace.last_news >= turn.patience
                if is_stuck or pace.steps - first >= turn.steps or pace.now - now >= turn.seconds:
                    break
                if pace.now - start >= self._review_at and self._is_time_to_review():
                    self.review()
                    continue
                if self._is_time_to_fuzz():
                    self._fuzz(start, turn.trials)
                    continue
                self._try(self.strategy.pick())
            fuzzer = self.parts.fuzzer
            if reason is None and fuzzer is not None and fuzzer.has_texts and not pace.last_fuzzing:
                self._fuzz(start, turn.trials)
        except KeyboardInterrupt:
            reason, pace.was_interrupted = StopReason.INTERRUPTED, True
        self.progress.seconds = clock() - start
        return reason

    def _is_time_to_review(self) -> bool:
        """The clock has said so; on a busy machine, less was done in that time."""
        review = self.parts.review
        return review is None or review.worked() >= review.seconds

    def review(self) -> None:
        """Ask whether what is open is still wanted, unless that was asked before."""
        review, is_asked = self.parts.review, self._review_at == math.inf
        self._review_at = math.inf
        if review is None or is_asked or self.ledger.is_done:
            return
        found = review.ask(self.ledger.open_objectives, self.seconds_left)
        self.ledger.drop(found.dropped)
        self.pace.last_news = self.pace.steps if found.dropped else self.pace.last_news
        for values in found.inputs:
            if self.ledger.is_done or self.parts.budget.stop_reason(0.0, self.progress.runs):
                break
            self._run(values, None)
        self.pace.now = self.parts.clock()

    @property
    def seconds_spent(self) -> float:
        """The time since the first run, in both engines."""
        return self.parts.clock() - self.pace.start if self.pace.start is not None else 0.0

    @property
    def seconds_left(self) -> float:
        """The rest of the budget."""
        return self.parts.budget.seconds - self.seconds_spent

    @property
    def share_spent(self) -> float:
        """The part of the budget that is spent, by both engines."""
        return self.parts.budget.share_spent(self.seconds_spent, self.progress.runs)

    def finish(self) -> None:
        """Count the time of both engines."""
        self.progress.seconds = max(self.progress.seconds, self.seconds_spent)

    def run_input(self, values: Input) -> Trace:
        """Run an input from elsewhere; the search continues from it, too."""
        return self._run(values, None)

    def _run_seeds(self, seeds: Sequence[Input]) -> None:
        parts, endless = self.parts, 0.0
        for number, seed in enumerate(seeds):
            is_done = endless > parts.budget.seconds / 10 or (not parts.is_exhaustive and parts.ledger.is_done)
            if number and (is_done or parts.budget.stop_reason(0.0, self.progress.runs)):
                return
            before, start = self.progress.timed_out, parts.clock()
            self._run(seed, None)
            self.progress.seeds += number > 0
            endless += parts.clock() - start if self.progress.timed_out > before else 0.0

    def _try(self, candidate: Candidate) -> None:
        self.pace.steps += 1
        if candidate.mask and not candidate.mask & self.open_aims:
            return None
        if isinstance(candidate, JointAim):
            narrowed = candidate.narrowed(self.open_aims)
            assert narrowed is not None  # its mask has an open point
            candidate = narrowed
        if isinstance(candidate, JointAim):
            return self._try_joint(candidate)
        if isinstance(candidate, Aim) and candidate.is_met:
            return None
        values = self._solve(candidate, candidate.condition(self.parts.tree.constraints))
        if values is not None:
            self._run(values, candidate)
        elif candidate.relaxed is not None and self._is_new(candidate):
            values = self._solve(candidate, candidate.relaxed)
            if values is not None:
                self._run(values, None)
        if not self.progress.runs % RUNS_PER_TICK:
            self.parts.on_tick(self.progress)

    def _try_joint(self, joint: JointAim) -> None:
        """If it covers something, ask for the rest. If it does not, each aim is tried alone: a run that was rejected or
        crashed says nothing about the others, and the solver may know an answer for some."""
        values = self._solve(joint, joint.condition(self.parts.tree.constraints))
        if values is None:
            return
        self._run(values, joint)
        rest = joint.narrowed(self.open_aims)
        if rest is joint:
            self.strategy.add(joint.aims)
        elif rest is not None:
            self.strategy.add([rest])

    def _is_new(self, candidate: Candidate) -> bool:
        """True if no run took this side of the branch. If a pin excludes the side, another value of the pin may allow
        it, and no candidate asks for exactly that value."""
        return candidate.is_aim or (candidate.point is not None and not self.findings.seen >> candidate.point & 1)

    def go_on(self, strategy: Strategy, seconds: float) -> None:
        """Try the candidates of this strategy for some time, although every objective has a verdict."""
        self.strategy, budget, clock = strategy, self.parts.budget, self.parts.clock
        start = self.pace.now = clock()
        seconds = min(seconds, budget.seconds - self.progress.seconds)
        try:
            while len(strategy) and not budget.stop_reason(0.0, self.progress.runs):
                if self.pace.now - start >= seconds:
                    break
                self._try(strategy.pick())
        except KeyboardInterrupt:
            self.pace.was_interrupted = True
        self.progress.seconds += clock() - start

    def _is_time_to_fuzz(self) -> bool:
        """True if nothing new was found for a while. Numbers are left to the solver, unless it is slow."""
        if self.parts.fuzzer is None:
            return False
        if not self.parts.fuzzer.has_texts:
            return self._is_before_slow_query() or self._is_solver_slow()
        if self._is_solver_slow() and not self.parts.fuzzer.is_for_program:
            return True
        self.pace.next_fuzzing = max(self.pace.next_fuzzing, self.pace.last_news + FIRST_WAIT)
        return self.pace.steps >= self.pace.next_fuzzing

    def _is_before_slow_query(self) -> bool:
        """Whether the first query comes next, and will be slow."""
        return self.has_long_runs and not self.pace.last_fuzzing and not self.parts.solver.statistics.queries

    @property
    def has_long_runs(self) -> bool:
        """Of a unit that reads no texts: its first runs computed so much that queries will be slow. Parsers have long
        runs, too, but each of their queries is about few characters."""
        fuzzer = self.parts.fuzzer
        return self.pace.nodes >= MANY_NODES and fuzzer is not None and not fuzzer.has_texts

    def _is_solver_slow(self) -> bool:
        """Since the last turn of fuzzing. Here alone the clock decides what is run next, because that is also what ends
        slow queries."""
        pace, asked = self.pace, self.parts.solver.statistics.solver_queries
        seconds = self.progress.solving_seconds - pace.solved_by_then
        return seconds >= SLOW_SOLVING and seconds >= SLOW_QUERY * (asked - pace.asked_by_then)

    def _fuzz(self, start: float, most: float = math.inf) -> None:
        """Fuzzing has a turn of at most so many trials, which is extended while it finds something, or takes as long as
        the slow queries."""
        pace, fuzzer, budget = self.pace, self.parts.fuzzer, self.parts.budget
        assert fuzzer is not None
        self.close_aims()
        is_first = self._is_before_slow_query()
        fuzzer.begin_turn(is_solver_slow=is_first or self._is_solver_slow())
        asked, before = self.parts.solver.statistics.solver_queries, pace.last_news
        trials = left = min(most, fuzzer.plan_turn(pace.steps - pace.last_fuzzing, asked - pace.asked_by_then))
        end = start + budget.seconds
        if fuzzer.is_about_numbers and not is_first:
            end = min(end, self.parts.clock() + self.progress.solving_seconds - pace.solved_by_then)
        outcome = CRASHED  # of no trial yet
        while left > 0 and fuzzer.is_ready and not self.ledger.is_done:
            if (not left % TRIALS_PER_LOOK or outcome == TIMED_OUT) and self.parts.clock() > end:
                break
            values = fuzzer.next_input()
            outcome, flags, points, levels = fuzzer.try_input(values)
            self.progress.trials += 1
            fuzzer.timed_out += outcome == TIMED_OUT and not fuzzer.is_about_numbers
            left -= fuzzer.cost(outcome, flags)
            if outcome in ENDED:
                fuzzer.note_trial(values, levels)
            has_ended = outcome in ENDED
            if outcome != REJECTED and fuzzer.is_news(points, has_ended=has_ended):
                left = trials if self._run_found(values) else left
                fuzzer.settle(points, has_ended=has_ended)
                if budget.stop_reason(0.0, self.progress.runs):
                    break
        fuzzer.end_turn(has_found=pace.last_news > before)
        pace.last_fuzzing, pace.asked_by_then, pace.now = pace.steps, asked, self.parts.clock()
        pace.solved_by_then = self.progress.solving_seconds
        pace.next_fuzzing = pace.steps + (fuzzer.wait if fuzzer.has_texts else 0)

    def _run_found(self, values: Input) -> bool:
        """Run what a trial found; True if it covers something."""
        before, self.ledger.engine = self.pace.last_news, "fuzzing"
        self._run(values, None)
        self.ledger.engine = "search"
        return self.pace.last_news > before

    def _stop_reason(self, start: float) -> StopReason | None:
        if not self.parts.is_exhaustive and self.parts.ledger.is_done:
            return StopReason.DONE
        if not self.strategy:
            return StopReason.EXHAUSTED
        self.progress.seconds = self.pace.now - start
        return self.parts.budget.stop_reason(self.progress.seconds, self.progress.runs)

    def _solve(self, candidate: Candidate, condition: PathCondition) -> Input | None:
        parts, base = self.parts, candidate.base
        start = parts.clock()
        answer = parts.solver.ask(Query(condition, candidate.target(parts.tree.constraints), base))
        values = overlay(base, answer.model) if isinstance(answer, Sat) else None
        now = self.pace.now = parts.clock()
        self.progress.solving_seconds += now - start
        if values is None:
            self._note_failure(candidate, isinstance(answer, SolverUnknown))
        return values

    def _note_failure(self, candidate: Candidate, is_unknown: bool) -> None:
        self.progress.unknown += is_unknown
        if isinstance(candidate, JointAim):
            if is_unknown:
                self._joins_aims = False  # such queries are harder
                self.strategy.add(candidate.aims)
            for aim in () if is_unknown else candidate.aims:
                aim.obligation.in_vain += 1
        elif isinstance(candidate, Aim):
            candidate.obligation.in_vain += 1
            if is_unknown:
                candidate.obligation.doubt = Reason.SOLVER_TIME_LIMIT
        elif is_unknown:
            self.findings.lost.add(candidate.side_point)

    def _run(self, values: Input, candidate: Candidate | None) -> Trace:
        parts, progress = self.parts, self.progress
        start = parts.clock()
        self.pace.steps += 1
        if self._has_aims:
            self.close_aims(candidate.observed if candidate is not None else 0)
        trace = self._trace(values)
        middle = parts.clock()
        progress.runs += 1
        if not parts.solver.statistics.queries:
            self.pace.nodes = trace.nodes
        worth = self.account(values, trace, candidate.mask if candidate is not None else 0)
        self._grow(values, candidate, trace)
        if parts.fuzzer is not None and (worth is COVERS or trace.outcome == CRASHED):
            note = parts.fuzzer.note if worth is COVERS else parts.fuzzer.note_crashed
            note(values, trace.points, parts.tree.support)
        now = self.pace.now = parts.clock()
        progress.run_seconds += middle - start
        progress.decode_seconds += now - middle
        return trace

    def account(self, values: Input, trace: Trace, aimed: int = 0) -> RunWorth:
        """Record what a run has shown, and say what that is worth; its path is for the tree. `aimed`: the points that
        it was to hit."""
        parts, progress, findings = self.parts, self.progress, self.findings
        findings.flags |= trace.flags
        progress.approximate += trace.flags & FLAG_APPROXIMATE
        progress.timed_out += trace.outcome == TIMED_OUT
        worth = NOTHING
        if trace.outcome != REJECTED:
            findings.seen |= trace.points
            worth = parts.on_run(values, trace)
            if worth is COVERS:
                if parts.ledger.record(trace.points, progress.runs):
                    self.pace.last_news = self.pace.steps
                findings.aimed |= trace.points & aimed
            elif worth is ERRORS and parts.ledger.record_error(trace.points, progress.runs):
                self.pace.last_news = self.pace.steps
            if parts.structure is not None:
                parts.structure.update(parts.ledger.open_points, findings.seen)
        return worth

    @property
    def open_aims(self) -> int:
        """The points that are worth an aim (paper 002, iterative label deletion). Level 0: always; 1: until an aim has
        hit the point; 2: until any run has."""
        if self.parts.label_deletion == 2:
            return self.parts.ledger.open_points
        return ~self.findings.aimed if self.parts.label_deletion else -1

    def close_aims(self, observed: int = 0) -> None:
        """Tell the runner which obligations no longer need observations, and on how many first events of its path the
        next run needs none."""
        told = self.open_aims, observed
        if told == self._told or self.tree.observations is None:
            return
        if self._told is None or self._told[0] != self.open_aims:
            self._closed_aims = self.tree.observations.closed(self.open_aims)
        self._told = told
        self.parts.runner.close_aims(self._closed_aims, observed)

    def _grow(self, values: Input, candidate: Candidate | None, trace: Trace) -> None:
        tree = self.parts.tree
        tree.support = ANY_SLOTS
        tree.missed = trace.points & self.ledger.open_points
        is_cut = trace.outcome == TIMED_OUT and not self.parts.is_exhaustive
        tree.most_fresh = MOST_OF_ENDLESS if is_cut else sys.maxsize
        if trace.observations:
            tree.open_points = self.open_aims
        try:
            fresh = tree.add_predicted(candidate, values, trace) if candidate else tree.add_run(values, trace)
        except DivergenceError:
            self.progress.divergences += 1
            return
        fresh = fresh[: tree.most_fresh]
        if trace.observations and self._joins_aims:
            fresh = list(join_aims(fresh))
        self.progress.candidates += len(fresh)
        if self._is_bounded:
            within = [each for each in fresh if self.parts.bound.allows(each)]
            self.findings.beyond += len(fresh) - len(within)
            fresh = within
        self.strategy.add(fresh)

    @property
    def lost(self) -> int:
        """The points reachable from flips without an answer. Aims are handled per obligation."""
        points = 0
        for side in self.findings.lost:
            points |= self.structure.graph.reach(side) if self.structure else -1
        return points

    @property
    def is_complete(self) -> bool:
        """True if every relevant path was explored exactly and to its end: then what is neither covered nor `lost` is
        infeasible."""
        lost = self.progress.divergences + self.progress.approximate + self.progress.timed_out + self.findings.beyond
        waiting = len(self.strategy) + self.findings.waiting
        return not waiting and not lost and not self.pace.was_interrupted
