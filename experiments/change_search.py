"""The two searches that E5 compares for one change: for the objectives that it may affect, and for all.

Each setting is measured both ways, so that a ratio compares like with like: the same engine has the first turn, and
both or neither start from the tests of the old version.
"""

from __future__ import annotations

import gc
import importlib
import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.parts.cpu_time import used_by
from bench.parts.explore_unit import Ready, covering_run

from experiments.seeded_changes import SeededChange, impact_of
from tightrope import cli
from tightrope.commands.diff.impact.impact import Impacted
from tightrope.commands.diff.old_tests.moved_inputs import InputMove
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Covered, Verdict
from tightrope.engines.explore import Exploration, explore
from tightrope.equality.hits_review import HitsReview
from tightrope.inputs.scalars import Input, first_input
from tightrope.running.runner import Worker
from tightrope.search.loop import Progress
from tightrope.search.review import Review
from tightrope.suite.reduce import reduce_runs
from tightrope.units.prepare import start

for late in ("encoding.unit", "engines.code_proofs"):  # not in the time of the first search
    importlib.import_module(f"tightrope.{late}")

DIRECTED, FULL = "directed", "full"
WHOLE = frozenset({"DONE", "EXHAUSTED", "ASKED"})  # nothing was left to do


@dataclass(frozen=True, slots=True)
class Setting:
    """What both searches of a comparison have in common."""

    engine: str = "auto"
    is_encoding_first: bool = False  # otherwise the search has the first turn
    has_old_tests: bool = False  # run before anything else


SETTINGS = {
    "search alone": Setting("search"),
    "search first": Setting(),
    "encoding first": Setting(is_encoding_first=True),
    "old tests first": Setting(is_encoding_first=True, has_old_tests=True),  # as `tightrope diff` does
}


@dataclass(frozen=True, slots=True)
class Asked:
    """How much to measure."""

    repetitions: int = 5  # one for each seed
    seconds: float = 20.0  # for a search
    settings: tuple[str, ...] = tuple(SETTINGS)
    has_every_path: bool = False
    has_diff: bool = True
    has_formula: bool = True  # proves that some objectives, to which dependences lead, are not impacted


@dataclass(frozen=True, slots=True)
class Searched:
    """One search. Queries are those of both engines; seconds are of a processor, with those of the worker."""

    runs: int
    queries: int
    seconds: float
    stop_reason: str
    verdicts: Mapping[str, Verdict]
    alike: frozenset[str] = frozenset()  # what a formula of both versions took back; these have no verdict
    formula_queries: int = 0
    formula_seconds: float = 0.0  # among `seconds`

    @property
    def last_covering(self) -> int:
        """The run that covered the last of what was covered. Those after it were for proofs, or in vain."""
        return max((covering_run(each) for each in self.verdicts.values() if isinstance(each, Covered)), default=0)

    @property
    def is_whole(self) -> bool:
        return self.stop_reason in WHOLE

    def count(self, kind: type[Verdict], names: frozenset[str]) -> int:
        return sum(isinstance(self.verdicts.get(name), kind) for name in names)


Groups = dict[tuple[str, str], tuple[Searched, ...]]  # by setting and way: one for each seed


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured of a change."""

    change: SeededChange
    objectives: int
    impacted: frozenset[str]  # what dependences lead to
    searched: Groups
    every_path: Searched | None  # only of the unit that the paper has too
    differences: tuple[dict[str, Any], ...]  # as `tightrope diff` reports them

    def mean(self, setting: str, way: str, of: Callable[[Searched], float]) -> float:
        return statistics.mean(map(of, self.searched[setting, way]))

    def ratio(self, setting: str, of: Callable[[Searched], float]) -> float:
        """Directed by full. Where nothing had to be asked both ways, nothing is saved."""
        whole = self.mean(setting, FULL, of)
        return self.mean(setting, DIRECTED, of) / whole if whole else 1.0


def measure(change: SeededChange, asked: Asked) -> Found:
    with change.written() as (old, new):
        before, after = (change.subject.prepare("mcdc", path) for path in (old, new))
        impact = impact_of(before, after)
        searched = search_all(before, after, impact, asked)
        every_path = explore_every_path(after, asked.seconds) if asked.has_every_path else None
        differences = tell_apart(change, old, new) if asked.has_diff else ()
        return Found(change, after.objectives, frozenset(impact.new), searched, every_path, differences)


def search_all(before: Ready, ready: Ready, impact: Impacted, asked: Asked) -> Groups:
    """Both ways in turns. A directed search that takes long asks a formula of both versions, and pays for it."""
    chosen = only_impacted(ready, frozenset(impact.new))
    found: dict[tuple[str, str], list[Searched]] = {
        (setting, way): [] for setting in asked.settings for way in (DIRECTED, FULL)
    }
    for seed in range(asked.repetitions):
        for name in asked.settings:
            setting = SETTINGS[name]
            how = {"engine": setting.engine, "seed": seed, "time_limit": asked.seconds}
            first = [first_input(ready.unit.driver.slots)] if setting.is_encoding_first else []
            if setting.has_old_tests:
                first = [*old_tests(before, ready, asked.seconds), *first]
            options = replace(ready.options, **how)
            review = HitsReview(before.unit, ready.unit, impact.doubtful if asked.has_formula else (), options)
            found[name, DIRECTED].append(with_cost_of(review, search(chosen, first, review.review, **how)))
            found[name, FULL].append(search(ready, first, **how))
    return {key: tuple(group) for key, group in found.items()}


def with_cost_of(review: HitsReview, searched: Searched) -> Searched:
    hits = review.hits
    costs = {"formula_queries": hits.queries, "formula_seconds": hits.seconds}
    return replace(searched, queries=searched.queries + hits.queries, alike=review.alike, **costs)  # type: ignore[arg-type]


def old_tests(before: Ready, after: Ready, seconds: float) -> list[Input]:
    """The inputs of a suite for the old version, as inputs of the new one."""
    found = _explore(before, (), {"time_limit": seconds}).found
    move = InputMove(before.unit.shape, after.unit.shape)
    return [move.move(kept.run.input).input for kept in reduce_runs(found.runs, before.unit.objectives)]


def explore_every_path(ready: Ready, seconds: float) -> Searched:
    return search(ready, strategy="dfs", exhaustive=True, time_limit=seconds)


def only_impacted(ready: Ready, impacted: frozenset[str]) -> Ready:
    objectives = tuple(each for each in ready.unit.objectives if each.id in impacted)
    return Ready(replace(ready.unit, objectives=objectives), ready.options)


def search(ready: Ready, first: Sequence[Input] = (), review: Review | None = None, **asked: Any) -> Searched:
    """`first`: as `tightrope diff` gives it, so that the encoding has the first turn. `asked`: fields of Options."""
    explored = _explore(ready, first, asked, review)
    found = explored.found
    queries = found.solver.statistics.queries + found.encoding.queries
    verdicts = {objective.id: verdict for objective, verdict in found.ledger}
    return Searched(found.progress.runs, queries, explored.seconds, found.stop_reason.name, verdicts)


def explored_inputs(ready: Ready, asked: Mapping[str, Any]) -> list[Input]:
    """What a search has run and kept."""
    return [each.input for each in _explore(ready, (), asked).found.runs]


@dataclass(frozen=True, slots=True)
class _Explored:
    found: Exploration
    seconds: float


def _explore(ready: Ready, first: Sequence[Input], asked: Mapping[str, Any], review: Review | None = None) -> _Explored:
    """Everything starts anew: worker, tables, solver."""
    unit, options = ready.unit, replace(ready.options, **asked)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            gc.collect()  # what earlier searches left is not to be freed in the time of this one
            before = time.process_time() + used_by(worker.pid)
            found = explore(unit, runner, options, _ignore, first=first, looks_for_errors=False, review=review)
            return _Explored(found, time.process_time() + used_by(worker.pid) - before)
    finally:
        worker.close()


def _ignore(ledger: Ledger, progress: Progress) -> None:
    """Nobody watches."""


def tell_apart(change: SeededChange, old: Path, new: Path) -> tuple[dict[str, Any], ...]:
    """The inputs that `tightrope diff` prints, as it comes."""
    with TemporaryDirectory() as folder:
        page = f"{folder}/report.json"
        files = [f"{old}:{change.subject.function}", str(new)]
        how = ["-c", "mcdc", "--whole-program", "--quiet"]
        cli.main(["diff", *files, *how, "-o", f"{folder}/tests", "--json", page, "--", *change.subject.flags])
        functions = json.loads(Path(page).read_text(encoding="utf-8"))["functions"]
    return tuple(each for function in functions for each in function["differences"])
