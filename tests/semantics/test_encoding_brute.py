"""The encoding of whole units against brute force: functions with few inputs, hand-written (small/) and random, all of
whose inputs are run (small_domains.py).

Point by point: what the formula says of each input is what its run does (encoded_points.py), and the code alone refutes
nothing that a run does. Verdict by verdict, with the
encoding alone and with both engines: what is covered can be, what is infeasible cannot be, and nothing stays unknown but for
a reason that the function gives. What is said about decisions is judged by a build of gcc's, too.

Usually a few are tried; TIGHTROPE_FULL=1 tries all, TIGHTROPE_SEEDS=100:200 these random ones.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from encoded_points import compare_points, encode_unit, refuted_though_hit
from one_solver import without_a_second_solver  # noqa: F401
from small_domains import (
    HAND_WRITTEN,
    LABELS,
    MASKING,
    UNIQUE_CAUSE,
    Runs,
    Small,
    Tally,
    options_for,
    prepare,
    read_small,
    run_all,
    twin_verdicts,
)
from small_functions import make_small

from tightrope.coverage.verdict import Covered, Infeasible, Unknown
from tightrope.engines.explore import Exploration, explore
from tightrope.options.options import Options
from tightrope.running.runner import Runner, Worker
from tightrope.units.prepare import start
from tightrope.units.prepared import PreparedUnit

IS_FULL = os.environ.get("TIGHTROPE_FULL", "") not in ("", "0")
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:300" if IS_FULL else "0:4").split(":")))
USUAL = (
    "aliasing_locals", "duff", "mutual_recursion", "strings", "unions", "kth_iteration_only", "constant_tables",
    "character_classes", "guess_needs_guess", "chosen_pointers",
)  # fmt: skip
NAMES = sorted(path.stem for path in HAND_WRITTEN.glob("*.c"))
KINDS = {
    "decisions": (MASKING, ()),
    "unique-cause": (UNIQUE_CAUSE, ("--mcdc-form", "unique-cause")),
    "labels": (LABELS, ()),
}
ENGINES = ("encoding", "auto")
TALLIES: dict[str, Tally] = {engine: Tally() for engine in ENGINES}
POINTS: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def table(request: pytest.FixtureRequest) -> Iterator[None]:
    """At the end, what became of everything."""
    yield
    lines = ["", "points: " + ", ".join(f"{count} {word}" for word, count in POINTS.items())]
    lines += [f"{engine}: {tally}" for engine, tally in TALLIES.items()]
    reporter = request.config.pluginmanager.get_plugin("terminalreporter")
    for line in lines if reporter is not None else ():
        reporter.write_line(line)


@pytest.mark.parametrize(
    ("name", "kind"),
    list(itertools.product(NAMES, KINDS)) if IS_FULL else list(zip(USUAL, itertools.cycle(KINDS), strict=False)),
)
def test_hand_written(name: str, kind: str, tmp_path: Path) -> None:
    check(read_small(HAND_WRITTEN / f"{name}.c"), kind, tmp_path)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the twin wants gcc, which did not come from us")
@pytest.mark.parametrize("seed", SEEDS)
def test_random(seed: int, tmp_path: Path) -> None:
    """Each in one kind; labels are many, so that functions are short there. Every fourth with both engines."""
    kind = list(KINDS)[seed % 3]
    check(make_small(seed, is_short=kind == "labels"), kind, tmp_path, ENGINES if seed % 4 == 0 else ENGINES[:1])


def check(small: Small, kind: str, folder: Path, engines: Sequence[str] = ENGINES) -> None:
    criteria, words = KINDS[kind]
    options = options_for(small, folder, criteria, *words)
    unit, worker = prepare(options), Worker()
    try:
        with start(unit, worker, options) as runner:
            runs = run_all(small, unit, runner)
            wrong = [*points(unit, runs), *refuted(small, unit, runs)]
            for engine in engines:
                found = decided(unit, runner, replace(options, engine=engine))
                wrong += judged(small, found, runs, engine)
                if small.marked is not None and kind != "labels":
                    wrong += judged_by_twin(small, unit, found, options.mcdc_form, folder)
    finally:
        worker.close()
    assert not wrong, "\n".join([*wrong[:20], small.text])


def points(unit: PreparedUnit, runs: Runs) -> list[str]:
    found = compare_points(unit, encode_unit(unit, runs.inputs), runs)
    POINTS.update(functions=1, inputs=found.inputs, departed=found.departed, doubtful=found.doubtful)
    POINTS.update(points=found.points * found.inputs, different=len(found.differences))
    return found.differences


def refuted(small: Small, unit: PreparedUnit, runs: Runs) -> list[str]:
    return [f"{small.name}: the code alone refutes point {point}" for point in refuted_though_hit(unit, runs)]


def decided(unit: PreparedUnit, runner: Runner, options: Options) -> Exploration:
    found = explore(unit, runner, options, lambda ledger, progress: None, looks_for_errors=False)
    runner.close_aims(0)
    return found


def judged(small: Small, found: Exploration, runs: Runs, engine: str) -> list[str]:
    tally = Tally()
    tally.judge(small, found.ledger, runs.union)
    if found.progress.divergences:
        tally.wrong.append(f"{small.name}: {found.progress.divergences} runs did not do what was solved for")
    TALLIES[engine].join(tally)
    return [f"{engine}: {line}" for line in (*tally.wrong, *tally.needless)]


def judged_by_twin(small: Small, unit: PreparedUnit, found: Exploration, form: str, folder: Path) -> list[str]:
    return [
        f"{small.name}: {objective.id} ({objective.text}): {verdict}, the twin: {can_be}"
        for objective, verdict, can_be in twin_verdicts(small, unit, found, form, folder)
        if not isinstance(verdict, (Unknown, Covered if can_be else Infeasible))
    ]
