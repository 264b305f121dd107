"""Explore a unit several times in different ways, after preparing it once. Nothing is confirmed or written.

Call prepare(file, function, criteria) once, then explore_all(ready, way) for each way. The result has, for each covered
objective, the run that covered it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.parts.random_input import random_input
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible
from tightrope.engines.explore import Exploration, ExploreParts, build_solver, explore
from tightrope.inputs.scalars import Input, first_input
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Runner, Trace, Worker
from tightrope.solving.solver import Solver, SolverStatistics
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

LEAST_SEEDS = 3


@dataclass(frozen=True, slots=True)
class Way:
    """How to explore: a line of a table, a series of a plot. One exploration for each seed."""

    name: str
    strategy: str
    is_filtered: bool = False
    max_runs: int = 100
    seconds: float = 20.0
    seeds: tuple[int, ...] = (0,)
    random_start: bool = False  # the first input depends on the seed
    enough_seconds: float = float("inf")  # once spent on a unit, no more seeds but the first few
    further: dict[str, Any] = field(default_factory=dict)  # other fields of Options

    def options(self, seed: int) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "no_filter": not self.is_filtered,
            "max_runs": self.max_runs,
            "time_limit": self.seconds,
            "seed": seed,
            **self.further,
        }


@dataclass(frozen=True, slots=True)
class Explored:
    """One exploration."""

    seed: int
    covered_at: tuple[int, ...]  # for each objective that was covered, the run that did it, in order
    queries_at: tuple[int, ...]  # ... and what was asked by then
    solver_queries_at: tuple[int, ...]
    decisions_at: tuple[int, ...]  # for each decision of which all that is asked was covered, the run that completed it
    infeasible: int  # objectives
    runs: int
    queries: int  # asked, whoever answered
    solver_queries: int  # that reached the solver
    candidates: int
    filtered: int
    divergences: int
    seconds: float
    stop_reason: str

    @property
    def covered(self) -> int:
        return len(self.covered_at)


@dataclass(frozen=True, slots=True)
class Ready:
    """A prepared unit."""

    unit: PreparedUnit
    options: Options

    @property
    def objectives(self) -> int:
        return len(self.unit.objectives)

    @property
    def decisions(self) -> int:
        """Those of which MC/DC asks something: a decision that is a constant (many macros have some) is none."""
        followed = sum(bool(about) for about in _about_decisions(self.unit))
        return followed + sum(bool(decision.problem) for decision in self.unit.marks.decisions)


def prepare(
    file: Path, function: str, criteria: tuple[str, ...], build_dir: Path | None = None, **further: Any
) -> Ready:
    """Compile and weave. `further`: other fields of Options. Raises TightropeError when it cannot be tested. The papers
    are about searching, so that nothing else decides unless it is asked for, and count decisions that branch."""
    given = {"engine": "search", "decisions": "branching", "no_fuzzing": True, **further}
    options = Options((Target(file, function),), criteria=criteria, build_dir=build_dir, **given)
    prepared = prepare_file(find_compiler(), file, options, lambda text: None)
    return Ready(prepare_unit(prepared, function, options), options)


def explore_all(ready: Ready, way: Way) -> Iterator[Explored]:
    """Once for each seed, in one worker: starting it takes longer than a hundred runs."""
    worker = Worker()
    try:
        with start(ready.unit, worker, ready.options) as runner:
            begin = time.monotonic()
            for number, seed in enumerate(way.seeds):
                if number >= LEAST_SEEDS and time.monotonic() - begin > way.enough_seconds:
                    return
                options = replace(ready.options, **way.options(seed))
                first = _first_input(ready.unit, seed if way.random_start else None)
                yield _explore_once(ready.unit, runner, options, first)
    finally:
        worker.close()


def _first_input(unit: PreparedUnit, seed: int | None) -> Input:
    """The same for every way with that seed."""
    first = first_input(unit.driver.slots)
    return first if seed is None else random_input(unit.shape, first, f"{unit.interface.name} {seed}")


class Watched:
    """A runner that notes, at each run, what the solver was asked by then."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.statistics = SolverStatistics()  # of the solver, once there is one
        self.asked: list[tuple[int, int]] = []

    def trace(self, values: Input) -> Trace:
        self.asked.append((self.statistics.queries, self.statistics.solver_queries))
        return self.runner.trace(values)

    def build_solver(self, options: Options) -> Solver:
        solver = build_solver(options)
        self.statistics = solver.statistics
        return solver

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)


def _explore_once(unit: PreparedUnit, runner: Runner, options: Options, first: Input) -> Explored:
    """Runs that look for errors once all is covered are no part of what is measured."""
    watched: Any = Watched(runner)
    parts = ExploreParts(build_solver=watched.build_solver)
    found = explore(
        unit, watched, options, lambda ledger, progress: None, seeds=[first], looks_for_errors=False, parts=parts
    )
    return _summarise(unit, found, options.seed, watched.asked)


def _summarise(unit: PreparedUnit, found: Exploration, seed: int, asked: Sequence[tuple[int, int]]) -> Explored:
    verdicts = [verdict for _, verdict in found.ledger]
    covered_at = sorted(covering_run(each) for each in verdicts if isinstance(each, Covered))
    progress, statistics = found.progress, found.solver.statistics
    return Explored(
        seed=seed,
        covered_at=tuple(covered_at),
        queries_at=tuple(asked[run - 1][0] for run in covered_at),
        solver_queries_at=tuple(asked[run - 1][1] for run in covered_at),
        decisions_at=tuple(sorted(_decisions_at(unit, found))),
        infeasible=sum(isinstance(each, Infeasible) for each in verdicts),
        runs=progress.runs,
        queries=statistics.queries,
        solver_queries=statistics.solver_queries,
        candidates=progress.candidates,
        filtered=progress.filtered,
        divergences=progress.divergences,
        seconds=progress.seconds,
        stop_reason=found.stop_reason.name,
    )


def covering_run(verdict: Covered) -> int:
    """Its witnesses are runs; it took the last of them to cover the objective."""
    return max(int(run) for run in verdict.tests)


def _about_decisions(unit: PreparedUnit) -> Iterator[list[Objective]]:
    """By decision, what MC/DC asks of it; not what no run can do."""
    asked = [each for each in unit.objectives if each.criterion == "mcdc" and not each.is_constant]
    for numbers in unit.woven.points.vectors:
        mask = sum(1 << number for number in numbers)
        yield [each for each in asked if each.mask & mask]


def _decisions_at(unit: PreparedUnit, found: Exploration) -> Iterator[int]:
    """A decision is covered with the last of its objectives."""
    for about in _about_decisions(unit):
        verdicts = [found.ledger.verdict(each) for each in about]
        runs = [covering_run(verdict) for verdict in verdicts if isinstance(verdict, Covered)]
        if runs and len(runs) == len(about):
            yield max(runs)


def as_data(explored: Sequence[Explored]) -> list[dict[str, Any]]:
    """For a JSON file."""
    return [asdict(each) for each in explored]


def from_data(rows: Sequence[dict[str, Any]]) -> tuple[Explored, ...]:
    lists = ("covered_at", "queries_at", "solver_queries_at", "decisions_at")
    return tuple(Explored(**{**row, **{name: tuple(row[name]) for name in lists}}) for row in rows)
