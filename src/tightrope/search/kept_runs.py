"""The runs of a search that are kept: those that may become tests, and one for each kind of crash."""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum

from tightrope.coverage.witnesses import bits
from tightrope.deadline import NEVER, Deadline
from tightrope.inputs.scalars import Input, signed_value
from tightrope.inputs.shape import Leaf, slot_of
from tightrope.running.endings import SENTENCES
from tightrope.running.memory_map import (
    FLAG_APPROXIMATE,
    FLAG_UNWRITTEN,
    EventKind,
    OutcomeCode,
    ReasonCode,
)
from tightrope.running.run_record import AT_ADDRESS, Ending, Outcome, RunRecord
from tightrope.running.runner import Runner, Trace, risks
from tightrope.weaving.checks import CHECKS

RETURNED = int(OutcomeCode.RETURNED)
CONCRETE = int(EventKind.CONCRETE)
MOST_CRASHES = 20
MOST_COMPLETED = 500  # runs, after the search (drawing.c: 200 give 24 tests, 500 give 21, all 997 give 22)


class RunWorth(Enum):
    """What a run proves about the points that it hits."""

    COVERS = "it covers what it hits"
    ERRORS = "it ends by undefined behaviour: it covers run-time errors, and nothing else"
    NOTHING = "it does not end, or it ended at an error that a build without instrumentation does not notice"


COVERS, ERRORS, NOTHING = RunWorth  # looking up a member costs seven times as much as a name, in every run


@dataclass(slots=True)
class KeptRuns:
    """Keeps one run for each set of points, and the first input of each kind of crash."""

    runner: Runner
    mask: int
    error_points: int = 0  # all that a run covers which ends by undefined behaviour
    lengths: tuple[Leaf, ...] = ()  # inputs that give the length of something
    runs: list[RunRecord] = field(default_factory=list)
    crashes: dict[Ending, Input] = field(default_factory=dict)
    concretisations: Counter[int] = field(default_factory=Counter)
    failed_a_check: bool = False  # some run did
    left_an_object: bool = False  # some run did; `crashes` may not contain it
    has_died: bool = False  # some run ended without returning
    crashed: dict[int, tuple[Ending, Input]] = field(default_factory=dict)  # by point: the first run that crashed there
    endless: dict[int, tuple[Ending, Input]] = field(default_factory=dict)
    _seen: set[tuple[int, int, tuple[bool, bool, bool]]] = field(default_factory=set)

    def keep(self, values: Input, trace: Trace) -> RunWorth:
        """What the run is worth; it is kept if it may become a test or shows a crash."""
        if trace.flags & FLAG_APPROXIMATE:
            self._count_concrete(trace)
        if trace.outcome == RETURNED:
            self._keep_run(values, trace, trace.points)
            return COVERS
        self.has_died = True
        ending = self.runner.ending()
        left = left_an_object(ending)
        if len(self.crashes) < MOST_CRASHES and not (left and self._promises_more(values)) and self._is_new(ending):
            self.crashes[ending] = values
        self.left_an_object |= left
        if trace.flags & FLAG_UNWRITTEN or failed_a_check(ending):
            self.failed_a_check |= failed_a_check(ending)
            _note(self.crashed, trace.points, ending, values)
            return NOTHING
        if ending.is_deliberate:
            self._keep_run(values, trace, trace.points)
            return COVERS
        is_endless = ending.outcome is Outcome.TIMED_OUT
        _note(self.endless if is_endless else self.crashed, trace.points, ending, values)
        if is_endless:
            return NOTHING
        if trace.points & self.error_points:
            self._keep_run(values, trace, trace.points & self.error_points)
        return ERRORS

    def _is_new(self, ending: Ending) -> bool:
        """False if a run has ended like this, also if it did with another wild address at the same place of the C."""
        what, at, _ = ending.reason.partition(AT_ADDRESS)
        if not (at and ending.location):
            return ending not in self.crashes
        return not any(
            other.location == ending.location and other.reason.startswith(f"{what}{AT_ADDRESS}")
            for other in self.crashes
        )

    def _keep_run(self, values: Input, trace: Trace, points: int) -> None:
        known = risks(trace)
        key = (points & self.mask, trace.outcome, known)
        if key not in self._seen:
            self._seen.add(key)
            ending, outputs = self.runner.ending(), self.runner.outputs()
            self.runs.append(RunRecord(values, ending, points, outputs, 0, *known))

    def complete(self, deadline: Deadline = NEVER) -> bool:
        """Determine everything that the runs cover: they skipped labels that were already covered. False if it was
        interrupted."""
        self.runner.close_aims(0)
        try:
            for number, run in enumerate(self.runs[:MOST_COMPLETED]):
                if deadline.is_over:
                    break
                points = self.runner.trace(run.input).points
                found = points & self.error_points if run.ending.is_error else points
                self.runs[number] = replace(run, points=run.points | found)
        except KeyboardInterrupt:
            return False
        return True

    def _promises_more(self, values: Input) -> bool:
        """True if the input announces more elements than it has: then an error is not the unit's fault."""
        return any(
            leaf.most is not None and signed_value(leaf.scalar, values[slot_of(leaf)]) > leaf.most
            for leaf in self.lengths
        )

    def _count_concrete(self, trace: Trace) -> None:
        for _, place, _, kind in struct.iter_unpack("<IIHH", trace.events):
            if kind == CONCRETE:
                self.concretisations[place] += 1


def _note(noted: dict[int, tuple[Ending, Input]], points: int, ending: Ending, values: Input) -> None:
    for point in bits(points):
        noted.setdefault(point, (ending, values))


def failed_a_check(ending: Ending) -> bool:
    """True if the run ended at a check, where a build without instrumentation continues."""
    return ending.reason.startswith(FAILED_CHECKS)


FAILED_CHECKS = (
    SENTENCES[ReasonCode.UNWRITTEN],
    SENTENCES[ReasonCode.CONVERSION],
    *(SENTENCES[check.reason] for check in CHECKS.values()),
)


def left_an_object(ending: Ending) -> bool:
    """True if the run ended because it left an object. If we chose the size of that object, the run would continue into
    unexplored code with a larger one. A NULL input, however, ends the run in any case."""
    return ending.reason.startswith(BEYOND_AN_OBJECT) and not ending.reason.startswith(SENTENCES[ReasonCode.NULL_INPUT])


BEYOND_AN_OBJECT = (
    SENTENCES[ReasonCode.OUT_OF_BOUNDS_READ],
    SENTENCES[ReasonCode.OUT_OF_BOUNDS_WRITE],
    SENTENCES[ReasonCode.NULL_DEREFERENCE],
    "SIGSEGV",
    "SIGBUS",
)
