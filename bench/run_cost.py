"""What one run costs: a function of ten branches, and one that does nothing, run again and again."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bench.parts.prepared import all_paths, loaded

BATCH = 1000


@dataclass(frozen=True, slots=True)
class RunCost:
    """Microseconds from input to trace, both ways between the processes included."""

    ten_branches: float
    no_branch: float


def measure(repetitions: int) -> RunCost:
    return RunCost(_cost("count_set", repetitions), _cost("nothing", repetitions))


def _cost(function: str, repetitions: int) -> float:
    """Of the quickest batch. Inputs differ from run to run, so that no two runs take the same path."""
    with loaded(all_paths("ten_branches", function)) as (unit, runner):
        slots = len(unit.driver.slots)
        inputs = [tuple(number >> slot & 1 for slot in range(slots)) for number in range(BATCH)]
        seconds = [_run_all(runner.trace, inputs) for _ in range(max(5, repetitions))]
    return min(seconds) / BATCH * 1e6


def _run_all(run, inputs) -> float:
    start = time.perf_counter()
    for values in inputs:
        run(values)
    return time.perf_counter() - start
