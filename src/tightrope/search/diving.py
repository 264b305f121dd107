"""All paths, depth first, by compiled code (running/dive.py): what Python does in between.

The compiled code makes the same runs in the same order as the loop with the strategy `dfs`. It keeps the other sides of
paths and remembers answers. Here, the solver answers what it does not know, and runs are recorded that end, or hit
points, as none before. Runs that are like an earlier one would change nothing (`Ledger`, `KeptRuns`), and do not come
here.

Pins, labels, approximate paths and divergences are not for it. When it meets one, it gives up, and the loop starts
again: it makes the same runs, and what was recorded of them is recorded again without effect.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tightrope.inputs.scalars import Input
from tightrope.program.marks.point_graph import ENTRY
from tightrope.running.dive import AnswerKind, Dive, DiveStep
from tightrope.search.budget import StopReason
from tightrope.search.decode import Decoder
from tightrope.search.loop import Pace, Progress, Search, SearchFindings
from tightrope.solving.group import GroupTable
from tightrope.solving.query import Query, Sat, SolverUnknown

_ENDS = {DiveStep.DONE: StopReason.EXHAUSTED, DiveStep.LIMIT: StopReason.RUN_LIMIT}


def dive(search: Search, seeds: Sequence[Input], open_dive: Callable[[], Dive]) -> StopReason | None:
    """Explore all paths; None if that must be done otherwise."""
    if len(seeds) != 1:
        return None
    with open_dive() as dive:
        return Diving(search, dive).explore(seeds[0])


class Diving:
    """One exploration."""

    def __init__(self, search: Search, dive: Dive) -> None:
        self.search, self.dive = search, dive
        self._decoder = Decoder(search.tree.constraints.table, dive.node_bytes)
        self._groups = GroupTable()
        self._counted = (0, 0, 0)  # of the queries that compiled code has answered: all, sat, unsat

    def explore(self, seed: Input) -> StopReason | None:
        search, clock = self.search, self.search.parts.clock
        search.pace.start = search.pace.now = clock()
        reason: StopReason | None = None
        try:
            search.close_aims()
            self.dive.start(seed, search.parts.budget.runs)
            while reason is None:
                step = self._go_on()
                if step is DiveStep.ODD:
                    self._forget()
                    return None
                reason = _ENDS.get(step) or self._handle(step)
        except KeyboardInterrupt:
            reason, search.pace.was_interrupted = StopReason.INTERRUPTED, True
        self._count()
        search.progress.seconds = clock() - search.pace.start
        search.findings.waiting = self.dive.state.waiting
        search.tree.symbolic_sites.update(self.dive.sites)
        return reason

    def _go_on(self) -> DiveStep:
        search, before = self.search, self.search.pace.now
        step = self.dive.go_on()
        search.pace.now = search.parts.clock()
        search.progress.run_seconds += search.pace.now - before
        self._count()
        return step

    def _count(self) -> None:
        progress, statistics, state = self.search.progress, self.search.parts.solver.statistics, self.dive.state
        progress.runs, progress.candidates, self.search.tree.paths = state.runs, state.candidates, state.runs
        self.search.pace.steps = state.runs + state.tries
        queries, sat, unsat = self._counted
        self._counted = state.queries, state.sat, state.unsat
        statistics.queries += state.queries - queries
        statistics.cache_hits += state.queries - queries
        statistics.sat += state.sat - sat
        statistics.unsat += state.unsat - unsat
        statistics.unknown += (state.queries - state.sat - state.unsat) - (queries - sat - unsat)

    def _handle(self, step: DiveStep) -> StopReason | None:
        """Do what the step asks for; a reason if it is time to stop."""
        search = self.search
        pace, budget = search.pace, search.parts.budget
        if step is DiveStep.SHOWN:
            self._record()
        elif step is DiveStep.UNKNOWN_TO_US:
            self._solve()
        elif step is DiveStep.LOST:
            point = self.dive.state.side_point
            search.progress.unknown += 1
            search.findings.lost.add(ENTRY if point < 0 else point)
        else:
            search.progress.seconds = pace.now - (pace.start or 0.0)
            search.parts.on_tick(search.progress)
        is_late = pace.now - (pace.start or 0.0) >= budget.seconds
        return StopReason.TIME_LIMIT if is_late else None

    def _record(self) -> None:
        self.search.account(self.dive.values, self.dive.runner.latest())
        self.search.close_aims()

    def _solve(self) -> None:
        search, dive, literal = self.search, self.dive, self.search.tree.constraints.literal
        start = search.parts.clock()
        terms = self._decoder.terms(dive.state.node_count)
        group = self._groups.formed(literal(terms[each >> 1], each & 1) for each in dive.listed)
        target = literal(terms[dive.state.target >> 1], dive.state.target & 1)
        answer = search.parts.solver.ask(Query(group, target, dive.values))
        if isinstance(answer, Sat):
            dive.answer(AnswerKind.SAT, answer.model)
        else:
            is_unknown = isinstance(answer, SolverUnknown)
            dive.answer(AnswerKind.UNKNOWN if is_unknown else AnswerKind.UNSAT, {})
        now = search.pace.now = search.parts.clock()
        search.progress.solving_seconds += now - start

    def _forget(self) -> None:
        """Let the loop start again. The time that was spent counts, and what the solver has answered is known."""
        search = self.search
        start, statistics = search.pace.start, search.parts.solver.statistics
        search.progress, search.findings, search.pace = Progress(), SearchFindings(), Pace(start=start)
        search.pace.next_fuzzing = math.inf
        search.tree.paths = 0
        statistics.queries = statistics.cache_hits = statistics.sat = statistics.unsat = statistics.unknown = 0
