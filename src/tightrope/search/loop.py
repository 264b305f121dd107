"""The main loop: pick a candidate, solve it, run the input, add the path to the tree; until there is a stop reason."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Reason
from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import FLAG_APPROXIMATE, FLAG_STAINED, OutcomeCode
from tightrope.running.runner import Trace
from tightrope.search.aim import Aim
from tightrope.search.budget import Budget, StopReason, Turn
from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.fuzzing import COST_OF_PROCESS, FIRST_WAIT, Fuzzer
from tightrope.search.kept_runs import COVERS, ERRORS, RunWorth
from tightrope.search.path_bound import NO_BOUND, PathBound
from tightrope.search.path_tree import DivergenceError, PathTree
from tightrope.search.strategy import Strategy
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import Query, Sat, SolverUnknown, overlay
from tightrope.solving.solver import Solver

RUNS_PER_TICK = 64
MOST_OF_ENDLESS = (
    256  # candidates of a run that did not end: the further ones lie deep in its loop, where queries are large
)
TIMED_OUT, REJECTED, CRASHED = int(OutcomeCode.TIMED_OUT), int(OutcomeCode.REJECTED), int(OutcomeCode.CRASHED)
TRIALS_PER_LOOK = 64  # at the clock


class Runs(Protocol):
    """Runs inputs."""

    def trace(self, values: Input) -> Trace: ...

    def close_aims(self, closed: int) -> None: ...


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
    last_fuzzing: int = 0  # the step at which it had one
    asked_by_then: int = 0  # queries that a solver had answered by then


class Search:
    """One exploration of one unit."""

    __slots__ = (
        "_has_aims",
        "_is_bounded",
        "_open_aims",
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
        self._open_aims: int | None = None  # what the runner was last told; None: nothing so far
        if parts.fuzzer is not None:
            self.pace.next_fuzzing = FIRST_WAIT

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
                if pace.steps >= pace.next_fuzzing and self._is_time_to_fuzz():
                    self._fuzz(start)
                    continue
                self._try(self.strategy.pick())
            if reason is None and self.parts.fuzzer is not None and not pace.last_fuzzing:
                self._fuzz(start)
        except KeyboardInterrupt:
            reason, pace.was_interrupted = StopReason.INTERRUPTED, True
        self.progress.seconds = clock() - start
        return reason

    @property
    def seconds_spent(self) -> float:
        """The time since the first run, in both engines."""
        return self.parts.clock() - self.pace.start if self.pace.start is not None else 0.0

    @property
    def seconds_left(self) -> float:
        """The rest of the budget."""
        return self.parts.budget.seconds - self.seconds_spent

    def finish(self) -> None:
        """Count the time of both engines."""
        self.progress.seconds = max(self.progress.seconds, self.seconds_spent)

    def run_input(self, values: Input) -> Trace:
        """Run an input from elsewhere; the search continues from it, too."""
        return self._run(values, None)

    def _run_seeds(self, seeds: Sequence[Input]) -> None:
        parts, before = self.parts, self.progress.timed_out
        for number, seed in enumerate(seeds):
            is_done = self.progress.timed_out > before or (not parts.is_exhaustive and parts.ledger.is_done)
            if number and (is_done or parts.budget.stop_reason(0.0, self.progress.runs)):
                return
            self._run(seed, None)
            self.progress.seeds += number > 0

    def _try(self, candidate: Candidate) -> None:
        self.pace.steps += 1
        if candidate.mask and not candidate.mask & self.open_aims:
            return
        if isinstance(candidate, Aim) and candidate.is_met:
            return
        values = self._solve(candidate, candidate.condition(self.parts.tree.constraints))
        if values is not None:
            self._run(values, candidate)
        elif candidate.relaxed is not None and self._is_new(candidate):
            values = self._solve(candidate, candidate.relaxed)
            if values is not None:
                self._run(values, None)
        if not self.progress.runs % RUNS_PER_TICK:
            self.parts.on_tick(self.progress)

    def _is_new(self, candidate: Candidate) -> bool:
        """True if no run took this side of the branch. If a pin excludes the side, another value of the pin may allow
        it, and no candidate asks for exactly that value."""
        return candidate.is_aim or (candidate.point is not None and not self.findings.seen >> candidate.point & 1)

    def go_on(self, strategy: Strategy, seconds: float) -> None:
        """Try the candidates of this strategy for some time, although every objective has a verdict."""
        self.strategy, budget, clock = strategy, self.parts.budget, self.parts.clock
        start = self.pace.now = clock()
        seconds = min(seconds, budget.seconds - self.progress.seconds)
        with contextlib.suppress(KeyboardInterrupt):
            while len(strategy) and not budget.stop_reason(0.0, self.progress.runs):
                if self.pace.now - start >= seconds:
                    break
                self._try(strategy.pick())
        self.progress.seconds += clock() - start

    def _is_time_to_fuzz(self) -> bool:
        """True if nothing new was found for a while."""
        self.pace.next_fuzzing = max(self.pace.next_fuzzing, self.pace.last_news + FIRST_WAIT)
        return self.pace.steps >= self.pace.next_fuzzing

    def _fuzz(self, start: float) -> None:
        """Fuzzing has a turn, which is extended while it finds something."""
        pace, fuzzer, budget = self.pace, self.parts.fuzzer, self.parts.budget
        assert fuzzer is not None
        asked, before = self.parts.solver.statistics.solver_queries, pace.last_news
        trials = left = fuzzer.plan_turn(pace.steps - pace.last_fuzzing, asked - pace.asked_by_then)
        while left > 0 and fuzzer.is_ready and not self.ledger.is_done:
            if not left % TRIALS_PER_LOOK and self.parts.clock() - start > budget.seconds:
                break
            values = fuzzer.next_input()
            outcome, flags, points = fuzzer.try_input(values)
            self.progress.trials += 1
            fuzzer.timed_out += outcome == TIMED_OUT
            left -= COST_OF_PROCESS if outcome in (CRASHED, TIMED_OUT) or flags & FLAG_STAINED else 1
            if outcome != REJECTED and points & ~fuzzer.seen:
                left = trials if self._run_found(values) else left
                fuzzer.seen |= points  # also if the run crashed
                if budget.stop_reason(0.0, self.progress.runs):
                    break
        fuzzer.end_turn(has_found=pace.last_news > before)
        pace.last_fuzzing, pace.asked_by_then, pace.now = pace.steps, asked, self.parts.clock()
        pace.next_fuzzing = pace.steps + fuzzer.wait

    def _run_found(self, values: Input) -> bool:
        """Run what a trial found; True if it covers something."""
        before, self.ledger.engine = self.pace.last_news, "fuzzing"
        self._run(values, None)
        self.ledger.engine = "search"
        return self.pace.last_news > before

    def _stop_reason(self, start: float) -> StopReason | None:
        if not self.parts.is_exhaustive and self.parts.ledger.is_done:
            return StopReason.DONE
        if not len(self.strategy):
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
        if isinstance(candidate, Aim):
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
            self.close_aims()
        trace = self._trace(values)
        middle = parts.clock()
        progress.runs += 1
        self.account(values, trace, candidate.mask if candidate is not None else 0)
        self._grow(values, candidate, trace)
        now = self.pace.now = parts.clock()
        progress.run_seconds += middle - start
        progress.decode_seconds += now - middle
        return trace

    def account(self, values: Input, trace: Trace, aimed: int = 0) -> None:
        """Record what a run has shown; its path is for the tree. `aimed`: the points that it was to hit."""
        parts, progress, findings = self.parts, self.progress, self.findings
        findings.flags |= trace.flags
        progress.approximate += trace.flags & FLAG_APPROXIMATE
        progress.timed_out += trace.outcome == TIMED_OUT
        if trace.outcome != REJECTED:
            findings.seen |= trace.points
            worth = parts.on_run(values, trace)
            if worth is COVERS:
                if parts.fuzzer is not None:
                    parts.fuzzer.note(values, trace.points)
                if parts.ledger.record(trace.points, progress.runs):
                    self.pace.last_news = self.pace.steps
                findings.aimed |= trace.points & aimed
            elif worth is ERRORS and parts.ledger.record_error(trace.points, progress.runs):
                self.pace.last_news = self.pace.steps
            if parts.structure is not None:
                parts.structure.update(parts.ledger.open_points, findings.seen)

    @property
    def open_aims(self) -> int:
        """The points that are worth an aim (paper 002, iterative label deletion). Level 0: always; 1: until an aim has
        hit the point; 2: until any run has."""
        if self.parts.label_deletion == 2:
            return self.parts.ledger.open_points
        return ~self.findings.aimed if self.parts.label_deletion else -1

    def close_aims(self) -> None:
        """Tell the runner which obligations no longer need observations."""
        if self.open_aims == self._open_aims:
            return
        self._open_aims = self.open_aims
        if self.tree.observations is not None:
            self.parts.runner.close_aims(self.tree.observations.closed(self._open_aims))

    def _grow(self, values: Input, candidate: Candidate | None, trace: Trace) -> None:
        tree = self.parts.tree
        if trace.observations:
            tree.open_points = self.open_aims
        try:
            fresh = tree.add_predicted(candidate, values, trace) if candidate else tree.add_run(values, trace)
        except DivergenceError:
            self.progress.divergences += 1
            return
        if trace.outcome == TIMED_OUT and not self.parts.is_exhaustive:
            fresh = fresh[:MOST_OF_ENDLESS]
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
