"""How fast all paths of a program are explored, and where the time goes."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass

from bench.parts.prepared import all_paths, loaded
from tightrope.engines.explore import Exploration, explore


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    function: str
    element: str  # of the array that the function takes
    count: int
    words: str


PROGRAMS = (
    Program("utf8", "validate", "unsigned char", 7, "UTF-8 validator, 7 bytes"),
    Program("bubble", "bubble", "int", 6, "bubble sort, 6 ints"),
    Program("machine", "machine", "int", 6, "state machine, 6 steps"),
    Program("tags", "read_tag", "char", 6, "tag reader, 6 characters"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One exploration of one program. Seconds of the whole call, and of its parts."""

    program: Program
    found: Exploration
    seconds: float

    @property
    def rate(self) -> float:
        return self.found.paths / self.seconds

    def shares(self) -> dict[str, float]:
        """Parts of the wall time: what the table shows, in its order."""
        progress, asked = self.found.progress, self.found.solver.statistics
        parts = {
            "solver": asked.solver_seconds,
            "layers": progress.solving_seconds - asked.solver_seconds,
            "runs": progress.run_seconds,
            "decoding": progress.decode_seconds,
            "freeing": self.seconds - progress.seconds,
        }
        parts["rest"] = self.seconds - sum(parts.values())
        return {name: seconds / self.seconds for name, seconds in parts.items()}


def measure(program: Program, repetitions: int) -> Measured:
    """The quickest of several: the one that was disturbed least."""
    return min((_measure_once(program) for _ in range(repetitions)), key=lambda each: each.seconds)


def _measure_once(program: Program) -> Measured:
    """Everything starts anew each time: worker, tables, solver."""
    options = all_paths(program.name, program.function)
    with loaded(options) as (unit, runner):
        gc.collect()
        start = time.perf_counter()
        found = explore(unit, runner, options, lambda ledger, progress: None)
        return Measured(program, found, time.perf_counter() - start)
