"""Explores a function with larger and larger inputs, as long as runs reach the end of what they are given.

    explore ──nothing new or left,─────> grow what was felt, explore ──more was decided──> go on from there
              or its share is over        ^                          └─nothing: grow again; after three times,
                                          └──────────────────────────┘          go back to the best shape

Every exploration starts with what the one before found: inputs, paired by path, and proofs. All of them share the
limits on time and runs.

A function that has changed since its time was over gets a part of this time, which was in vain for what was open then.
If that decides less than there was, it gets all of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace

from tightrope.commands.generate.confirmed_verdicts import covered_objectives
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Covered, Infeasible, Reason
from tightrope.engines.explore import Exploration, Known, explore
from tightrope.errors import TightropeError
from tightrope.harness.fill import object_name
from tightrope.inputs.growth import carry_over, find_felt_sizes, grow
from tightrope.inputs.scalars import Input
from tightrope.inputs.shape_builder import MANY_GROWN_SLOTS
from tightrope.inputs.wishes import NO_GROWTH, Growth
from tightrope.options.options import Options
from tightrope.program.flow.unit_constants import collect_constants, compared_with
from tightrope.running.runner import Runner, Worker
from tightrope.search.budget import StopReason
from tightrope.search.loop import Progress
from tightrope.suite.reduce import reduce_runs
from tightrope.units.prepare import prepare_unit, start
from tightrope.units.prepared import PreparedFile, PreparedUnit

MOST_IN_VAIN = 3  # explorations in a row that decide nothing
MOST_EXAMPLES = 64  # of runs that crashed, and might not if they had more
LEAST_SECONDS = 0.5  # for another exploration
SHARE_AFTER_CHANGE = 0.25  # of the time
SHARE_OF_FIRST = 0.4  # of the time and the runs, for the first shape, although it still decides something
SHARE_OF_LAST = 0.4  # of the time, for the shape that turns out to be the best; at most half of what is left

OnTick = Callable[[Ledger, Progress], None]


@dataclass(frozen=True, slots=True)
class ShapeTrial:
    """One exploration, and the shape that it had."""

    unit: PreparedUnit
    found: Exploration
    growth: Growth
    felt: Growth  # what the next one would have; the same if nothing can grow

    @property
    def decided(self) -> int:
        return self.found.ledger.count(Covered) + self.found.ledger.count(Infeasible)

    @property
    def may_grow(self) -> bool:
        return bool(self.found.ledger.open_objectives) and self.felt != self.growth


@dataclass(slots=True)
class GrowingExploration:
    """Of one function; `to_search` gives the unit with what a search can cover."""

    file: PreparedFile
    name: str
    options: Options
    on_tick: OnTick
    to_search: Callable[[PreparedUnit], PreparedUnit]
    first_growth: Growth = NO_GROWTH
    known_first: Callable[[PreparedUnit], Known] = lambda unit: Known()  # what earlier tests say
    decided_before: int = 0  # when the time was over, before the code changed; 0: nobody knows, or the time was enough
    started: float = field(default_factory=time.monotonic)
    spent: list[Exploration] = field(default_factory=list)
    was_interrupted: bool = False
    was_brief: bool = False  # after a change, and that ended it
    _preparing: float = 0.0  # seconds for the last shape

    @contextmanager
    def explore(self, unit: PreparedUnit, worker: Worker) -> Iterator[tuple[PreparedUnit, Runner, Exploration]]:
        """The unit, its runner and what was found, for the shape with which most was decided."""
        whole = self.options
        if self.decided_before:
            self.options = replace(whole, time_limit=SHARE_AFTER_CHANGE * whole.time_limit)
        with start(unit, worker, self.options) as runner:
            best = self._try_shape(unit, runner, self.first_growth, None)
            needs_all = best.decided < self.decided_before and not self.was_interrupted
            self.options = whole if needs_all else self.options
            self.was_brief = self.options is not whole and best.found.stop_reason is StopReason.TIME_LIMIT
            if not needs_all and not (best.may_grow and self._has_time):
                yield unit, runner, best.found
                return
        best = self._grow(best)
        with start(best.unit, Worker(), self.options) as runner:
            is_over = best.found.stop_reason in (StopReason.EXHAUSTED, StopReason.ASKED)
            if not is_over and self._has_time:
                best = self._try_shape(best.unit, runner, best.growth, best, is_last=True)
            yield best.unit, runner, self._concluded(best.found)

    def _grow(self, best: ShapeTrial) -> ShapeTrial:
        """Try larger shapes; the attempt that decided most."""
        last, in_vain = best, 0
        while last.may_grow and in_vain < MOST_IN_VAIN and self._has_time_to_try:
            try:
                next_one = self._try_larger(last, best)
            except KeyboardInterrupt:
                self.was_interrupted = True
                break
            except TightropeError:  # the larger unit does not compile, or is too much for the worker
                break
            if next_one is None:
                break
            last = next_one
            best, in_vain = (last, 0) if last.decided > best.decided else (best, in_vain + 1)
        return best

    def _try_larger(self, last: ShapeTrial, best: ShapeTrial) -> ShapeTrial | None:
        """Explore with the shape that the last one asks for; None if that is not larger, because there are too many
        inputs."""
        worker, begun = Worker(), time.monotonic()
        try:
            unit = prepare_unit(self.file, self.name, self.options, growth=last.felt)
            self._preparing = time.monotonic() - begun
            if len(unit.driver.slots) <= len(last.unit.driver.slots):
                return None
            with start(unit, worker, self.options) as runner:
                return self._try_shape(unit, runner, last.felt, best)
        finally:
            worker.close()

    @property
    def _seconds_left(self) -> float:
        return self.options.time_limit - (time.monotonic() - self.started)

    @property
    def _runs_left(self) -> int:
        return (self.options.max_runs or 0) - sum(each.progress.runs for each in self.spent)

    @property
    def _has_time(self) -> bool:
        has_runs = not self.options.max_runs or self._runs_left > 0
        return has_runs and self._seconds_left > LEAST_SECONDS and not self.was_interrupted

    @property
    def _has_time_to_try(self) -> bool:
        needed = SHARE_OF_LAST * self.options.time_limit + self._preparing + LEAST_SECONDS
        return self._has_time and self._seconds_left > needed

    def _try_shape(
        self, unit: PreparedUnit, runner: Runner, growth: Growth, before: ShapeTrial | None, is_last: bool = False
    ) -> ShapeTrial:
        """Explore. The first trial stops early only if the shape can grow; later ones, if they find nothing new; the
        last one does not, and looks for run-time errors, too."""
        is_first = before is None
        options = self.options
        runs = self._runs_left if options.max_runs else None
        left = self._seconds_left
        seconds = left - (0 if is_first or is_last else min(SHARE_OF_LAST * options.time_limit, left / 2))
        options = replace(options, time_limit=max(LEAST_SECONDS, seconds), max_runs=runs)

        def can_grow() -> bool:
            return not is_first or self._next(unit, runner, growth) != growth

        found = explore(
            self.to_search(unit),
            runner,
            options,
            self.on_tick,
            known=_carry(before, unit) if before is not None else self.known_first(unit),
            has_alternative=None if is_last or not self._limit else can_grow,
            share_of_shape=SHARE_OF_FIRST if is_first else 1.0,
            looks_for_errors=is_first or is_last,
        )
        self.spent.append(found)
        self.was_interrupted |= found.stop_reason is StopReason.INTERRUPTED
        return ShapeTrial(unit, found, growth, self._next(unit, runner, growth))

    def _next(self, unit: PreparedUnit, runner: Runner, growth: Growth) -> Growth:
        """The growth by what runs have felt."""
        limit, variables = self._limit, unit.woven.variables
        slots = len(unit.driver.slots) - unit.shape.written_slots
        places = [
            (variables[number].name[1:].strip('"'), byte)
            for number, byte in runner.felt_places()
            if number < len(variables)
        ]
        if not limit or not places:
            return growth
        felt = find_felt_sizes(unit.ctypes, unit.shape, places, object_name, unit.asked.wishes)
        constants = collect_constants(unit.program, unit.function.name)
        return grow(
            growth,
            felt,
            limit,
            MANY_GROWN_SLOTS - slots,
            constants.texts,
            constants.scanned,
            compared=lambda length: compared_with(unit.function, f"%{length}"),
        )

    @property
    def _limit(self) -> int:
        """0: nothing grows. Who asks for all paths means those of one shape."""
        return 0 if self.options.exhaustive else self.options.grow_to

    def _concluded(self, found: Exploration) -> Exploration:
        """What was found, with the runs, queries and seconds of all explorations."""
        if self.was_interrupted:
            found.stop_reason = StopReason.INTERRUPTED
        elif found.stop_reason is StopReason.STUCK:
            is_late = self._seconds_left <= LEAST_SECONDS
            found.stop_reason = StopReason.TIME_LIMIT if is_late else StopReason.RUN_LIMIT
            found.ledger.explain_open(Reason.TIME_LIMIT if is_late else Reason.RUN_LIMIT)
        for each in self.spent:
            if each is not found:
                _add(found.progress, each.progress)
                _add(found.encoding, each.encoding)
                _add(found.solver.statistics, each.solver.statistics)
                found.paths += each.paths
        return found


def _carry(before: ShapeTrial, unit: PreparedUnit) -> Known:
    """What the search goes on with: inputs that cover something, and those that died, maybe at the end of the shape."""
    ledger = before.found.ledger
    kept = [each.run.input for each in reduce_runs(before.found.runs, covered_objectives(ledger))]
    died = list(dict.fromkeys(values for _, values in before.found.reached.values()))[:MOST_EXAMPLES]
    old, new = before.unit.driver.slots, unit.driver.slots
    inputs: dict[Input, None] = dict.fromkeys(carry_over(values, old, new) for values in (*kept, *died))
    inputs |= dict.fromkeys(carry_over(values, old, new, repeats=True) for values in (*kept, *died))
    proved = {objective.id: verdict for objective, verdict in ledger if isinstance(verdict, Infeasible)}
    return Known(tuple(inputs), proved, before.found.formulas)


def _add(total: object, other: object) -> None:
    """Add the counts and seconds of another to the first; both are of one dataclass."""
    for each in fields(total):  # type: ignore[arg-type]
        mine, theirs = getattr(total, each.name), getattr(other, each.name)
        is_state = each.name in ("iterations", "instances")
        setattr(total, each.name, max(mine, theirs) if is_state else mine + theirs)
