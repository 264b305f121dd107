"""One exploration of a prepared unit by one engine (`--engine search|encoding|auto`), with the clock."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bench.parts.cpu_time import used_by
from bench.parts.explore_unit import Ready
from tightrope.coverage.verdict import Covered, Infeasible, Unknown
from tightrope.engines.explore import Exploration, explore
from tightrope.running.runner import Worker
from tightrope.search.budget import StopReason
from tightrope.units.prepare import start

ENGINES = ("search", "encoding", "auto")


@dataclass(frozen=True, slots=True)
class Decided:
    """What an engine made of a unit. `seconds`: of the exploration alone, neither compiling nor starting the worker."""

    engine: str
    seconds: float
    cpu_seconds: float  # of this process and of its worker
    objectives: int
    covered: int
    infeasible: int
    reasons: dict[str, int]  # why the others are unknown
    stop_reason: str
    runs: int
    divergences: int
    queries: int = 0  # of the encoding, as all that follows
    models: int = 0  # that were run
    refuted: int = 0
    mispredictions: int = 0
    iterations: int = 0
    instances: int = 0
    by_encoding: int = 0  # objectives
    further: dict[str, float] = field(default_factory=dict)

    @property
    def decided(self) -> int:
        return self.covered + self.infeasible

    @property
    def is_whole(self) -> bool:
        """Every objective has a verdict."""
        return self.decided == self.objectives

    @property
    def has_ended(self) -> bool:
        """By itself, not by the clock."""
        return self.stop_reason in (StopReason.DONE.name, StopReason.EXHAUSTED.name, StopReason.ASKED.name)


def decide(ready: Ready, engine: str, **asked: Any) -> Decided:
    """Everything starts anew: worker, tables, solver. `asked`: fields of Options that need no other preparation."""
    options = replace(ready.options, engine=engine, **asked)
    worker = Worker()
    try:
        with start(ready.unit, worker, options) as runner:
            gc.collect()
            begin, cpu = time.perf_counter(), time.process_time() + used_by(worker.pid)
            found = explore(ready.unit, runner, options, lambda ledger, progress: None, looks_for_errors=False)
            used = time.process_time() + used_by(worker.pid) - cpu
            return _summarise(engine, found, time.perf_counter() - begin, used)
    finally:
        worker.close()


def quickest(repeated: Sequence[Decided]) -> Decided:
    """The one that was disturbed least."""
    return min(repeated, key=lambda each: each.seconds)


def thriftiest(repeated: Sequence[Decided]) -> Decided:
    """By the processor's time: what others do on the machine counts less."""
    return min(repeated, key=lambda each: each.cpu_seconds)


def _summarise(engine: str, found: Exploration, seconds: float, cpu_seconds: float) -> Decided:
    verdicts = [verdict for _, verdict in found.ledger]
    counts = found.encoding
    return Decided(
        engine=engine,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        objectives=len(verdicts),
        covered=sum(isinstance(each, Covered) for each in verdicts),
        infeasible=sum(isinstance(each, Infeasible) for each in verdicts),
        reasons=dict(Counter(each.reason.word for each in verdicts if isinstance(each, Unknown))),
        stop_reason=found.stop_reason.name,
        runs=found.progress.runs,
        divergences=found.progress.divergences,
        queries=counts.queries,
        models=counts.runs,
        refuted=counts.refuted,
        mispredictions=counts.mispredictions,
        iterations=counts.iterations,
        instances=counts.instances,
        by_encoding=sum(engine == "encoding" for engine in found.ledger.decided_by.values()),
    )
