"""The two searches that E5 compares for one change: for the objectives that it may affect, and for all."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.parts.explore_unit import Ready, covering_run

from experiments.seeded_changes import SeededChange, impact_of
from tightrope import cli
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Covered, Verdict
from tightrope.engines.explore import Exploration, explore
from tightrope.inputs.scalars import Input, first_input
from tightrope.running.runner import Worker
from tightrope.search.loop import Progress
from tightrope.units.prepare import start

ENGINES = ("search", "auto")
DIRECTED, FULL = "directed", "full"
WHOLE = frozenset({"DONE", "EXHAUSTED", "ASKED"})  # nothing was left to do


@dataclass(frozen=True, slots=True)
class Asked:
    """How much to measure."""

    repetitions: int = 5  # one for each seed
    seconds: float = 20.0  # for a search
    engines: tuple[str, ...] = ENGINES
    has_every_path: bool = False
    has_diff: bool = True


@dataclass(frozen=True, slots=True)
class Searched:
    """One search. Queries are those of both engines."""

    runs: int
    queries: int
    seconds: float
    stop_reason: str
    verdicts: Mapping[str, Verdict]

    @property
    def last_covering(self) -> int:
        """The run that covered the last of what was covered. Those after it were for proofs, or in vain."""
        return max((covering_run(each) for each in self.verdicts.values() if isinstance(each, Covered)), default=0)

    @property
    def is_whole(self) -> bool:
        return self.stop_reason in WHOLE

    def count(self, kind: type[Verdict], names: frozenset[str]) -> int:
        return sum(isinstance(self.verdicts[name], kind) for name in names)


Groups = dict[tuple[str, str], tuple[Searched, ...]]  # by engine and way: one for each seed


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured of a change."""

    change: SeededChange
    objectives: int
    impacted: frozenset[str]
    searched: Groups
    every_path: Searched | None  # only of the unit that the paper has too
    differences: tuple[dict[str, Any], ...]  # as `tightrope diff` reports them

    def mean(self, engine: str, way: str, of: Callable[[Searched], float]) -> float:
        return statistics.mean(map(of, self.searched[engine, way]))

    def ratio(self, engine: str, of: Callable[[Searched], float]) -> float:
        """Directed by full. Where nothing had to be asked both ways, nothing is saved."""
        whole = self.mean(engine, FULL, of)
        return self.mean(engine, DIRECTED, of) / whole if whole else 1.0


def measure(change: SeededChange, asked: Asked) -> Found:
    with change.written() as (old, new):
        before, after = (change.subject.prepare("mcdc", path) for path in (old, new))
        impacted = frozenset(impact_of(before, after).new)
        searched = search_all(after, impacted, asked)
        every_path = explore_every_path(after, asked.seconds) if asked.has_every_path else None
        differences = tell_apart(change, old, new) if asked.has_diff else ()
        return Found(change, after.objectives, impacted, searched, every_path, differences)


def search_all(ready: Ready, impacted: frozenset[str], asked: Asked) -> Groups:
    """Both ways in turns."""
    chosen = only_impacted(ready, impacted)
    found: dict[tuple[str, str], list[Searched]] = {
        (engine, way): [] for engine in asked.engines for way in (DIRECTED, FULL)
    }
    for seed in range(asked.repetitions):
        for engine in asked.engines:
            how = {"engine": engine, "seed": seed, "time_limit": asked.seconds}
            found[engine, DIRECTED].append(search(chosen, [first_input(ready.unit.driver.slots)], **how))
            found[engine, FULL].append(search(ready, **how))
    return {key: tuple(group) for key, group in found.items()}


def explore_every_path(ready: Ready, seconds: float) -> Searched:
    return search(ready, strategy="dfs", exhaustive=True, time_limit=seconds)


def only_impacted(ready: Ready, impacted: frozenset[str]) -> Ready:
    objectives = tuple(each for each in ready.unit.objectives if each.id in impacted)
    return Ready(replace(ready.unit, objectives=objectives), ready.options)


def search(ready: Ready, first: Sequence[Input] = (), **asked: Any) -> Searched:
    """Everything starts anew: worker, tables, solver. `first`: as `tightrope diff` gives it, so that the encoding
    has the first turn. `asked`: fields of Options."""
    unit, options = ready.unit, replace(ready.options, **asked)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            return _summarise(explore(unit, runner, options, _ignore, first=first, looks_for_errors=False))
    finally:
        worker.close()


def _ignore(ledger: Ledger, progress: Progress) -> None:
    """Nobody watches."""


def _summarise(found: Exploration) -> Searched:
    asked = found.solver.statistics.queries + found.encoding.queries
    verdicts = {objective.id: verdict for objective, verdict in found.ledger}
    return Searched(found.progress.runs, asked, found.progress.seconds, found.stop_reason.name, verdicts)


def tell_apart(change: SeededChange, old: Path, new: Path) -> tuple[dict[str, Any], ...]:
    """The inputs that `tightrope diff` prints, as it comes."""
    with TemporaryDirectory() as folder:
        page = f"{folder}/report.json"
        files = [f"{old}:{change.subject.function}", str(new)]
        how = ["-c", "mcdc", "--whole-program", "--quiet"]
        cli.main(["diff", *files, *how, "-o", f"{folder}/tests", "--json", page, "--", *change.subject.flags])
        functions = json.loads(Path(page).read_text(encoding="utf-8"))["functions"]
    return tuple(each for function in functions for each in function["differences"])
