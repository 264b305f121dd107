"""One exploration of a prepared unit with the clock: how long it took, and when each objective was covered."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bench.parts.cpu_time import used_by
from bench.parts.explore_unit import Ready, covering_run
from tightrope.coverage.verdict import Covered, Infeasible, Unknown, Verdict
from tightrope.engines.explore import USUAL_PARTS, Exploration, ExploreParts, explore
from tightrope.inputs.scalars import Input
from tightrope.running.runner import Runner, Worker
from tightrope.search.budget import StopReason
from tightrope.search.loop import Search
from tightrope.units.prepare import start


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds are those of the search alone: neither compiling nor starting the worker. `cpu_seconds` are those of a
    processor, of this process and its worker."""

    seconds: float
    cpu_seconds: float
    paths: int  # of the tree: what labels that are no branches add is not in it
    runs: int
    queries: int
    solver_queries: int
    divergences: int
    stop_reason: StopReason
    verdicts: Mapping[str, Verdict]  # by objective
    covered_at: Mapping[str, float]  # seconds, by covered objective

    @property
    def is_whole(self) -> bool:
        """Nothing was left to try when it ended, or nothing was missing."""
        return self.stop_reason in (StopReason.DONE, StopReason.EXHAUSTED)

    @property
    def covered(self) -> frozenset[str]:
        return frozenset(name for name, verdict in self.verdicts.items() if isinstance(verdict, Covered))

    def count(self, kind: type[Verdict]) -> int:
        return sum(isinstance(verdict, kind) for verdict in self.verdicts.values())

    def reasons(self) -> Counter[str]:
        """Why what is unknown is so."""
        return Counter(each.reason.word for each in self.verdicts.values() if isinstance(each, Unknown))

    @property
    def cover(self) -> str:
        return f"{len(self.covered)}/{len(self.verdicts)}"

    @property
    def verdict_counts(self) -> str:
        return f"{self.count(Covered)} / {self.count(Infeasible)} / {self.count(Unknown)}"


class Clocked:
    """A runner that notes when each run ended."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.ends: list[float] = []

    def trace(self, values: Input) -> Any:
        trace = self.runner.trace(values)
        self.ends.append(time.perf_counter())
        return trace

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)


def explore_timed(ready: Ready, parts: ExploreParts = USUAL_PARTS, **asked: Any) -> Timed:
    """Everything starts anew: worker, tables, solver. `asked`: fields of Options that need no other preparation."""
    options = replace(ready.options, **asked)
    worker, ended = Worker(), list[float]()
    try:
        with start(ready.unit, worker, options) as runner:
            clocked: Any = Clocked(runner)
            if parts.build_search is Search:
                parts = replace(parts, build_search=_noting(ended, worker))
            gc.collect()
            begin, cpu = time.perf_counter(), _cpu_seconds(worker)
            found = explore(
                ready.unit, clocked, options, lambda ledger, progress: None, looks_for_errors=False, parts=parts
            )
            used = (ended[-1] if ended else _cpu_seconds(worker)) - cpu
            return _summarise(found, [end - begin for end in clocked.ends], used)
    finally:
        worker.close()


def _cpu_seconds(worker: Worker) -> float:
    return time.process_time() + used_by(worker.pid)


def _noting(ended: list[float], worker: Worker) -> type[Search]:
    """A search that notes the processor time when it ends. What follows, such as running kept inputs again for their
    labels, is no part of it."""

    class Noting(Search):
        __slots__ = ()

        def finish(self) -> None:
            ended.append(_cpu_seconds(worker))
            super().finish()

    return Noting


def _summarise(found: Exploration, ends: list[float], cpu_seconds: float) -> Timed:
    verdicts = {objective.id: verdict for objective, verdict in found.ledger}
    progress, asked = found.progress, found.solver.statistics
    runs = {name: covering_run(each) for name, each in verdicts.items() if isinstance(each, Covered)}
    return Timed(
        seconds=progress.seconds,
        cpu_seconds=cpu_seconds,
        paths=found.paths,
        runs=progress.runs,
        queries=asked.queries,
        solver_queries=asked.solver_queries,
        divergences=progress.divergences,
        stop_reason=found.stop_reason,
        verdicts=verdicts,
        covered_at={name: ends[run - 1] for name, run in runs.items()},
    )
