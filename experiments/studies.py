"""Runs many explorations, one process for each unit and criterion, and stores the results, so that none is repeated.

    folder/flex/misc/myesc/branch-pps.json       one file for each way, written when all its seeds are explored

A file is valid while the way and the code of Tightrope are the same. A unit that cannot be explored has a `problem`.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import queue
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.parts.explore_unit import Explored, Way, as_data, explore_all, from_data, prepare
from bench.parts.real_units import RealUnit

import tightrope
from tightrope.errors import InternalError, TightropeError

USUAL = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tightrope-bench"
UNEXPECTED = "unexpected: "  # a problem that may be gone the next time
PATIENCE = 600.0  # seconds for all that is not search
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@dataclass(frozen=True, slots=True)
class Study:
    """One unit under one criterion, explored in these ways."""

    unit: RealUnit
    criterion: str
    ways: tuple[Way, ...]
    folder: Path

    def place(self, way: Way) -> Path:
        name = re.sub(r"[^\w.+-]+", "-", f"{self.criterion}-{way.name}")
        return self.folder / self.unit.project / self.unit.file.stem / self.unit.function / f"{name}.json"


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a study."""

    name: str
    project: str
    criterion: str
    objectives: int = 0
    decisions: int = 0
    explored: dict[str, tuple[Explored, ...]] = field(default_factory=dict)  # by the name of the way
    problem: str = ""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="such as flex, 'bash/*quote*'")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="units at the same time (default: 1)")
    parser.add_argument("--folder", type=Path, default=USUAL, metavar="DIR", help=f"for everything (default: {USUAL})")
    parser.add_argument("--again", action="store_true", help="explore also what has a result")
    parser.add_argument("--keep-old", action="store_true", help="use also results of another state of the code")


def run_all(studies: Sequence[Study], wanted: argparse.Namespace) -> list[Found]:
    """In the order given, whoever finishes first."""
    if wanted.again:
        for study in studies:
            for way in study.ways:
                study.place(way).unlink(missing_ok=True)
    waiting = [study for study in studies if missing_ways(study, wanted.keep_old)]
    cores: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(wanted.jobs):
        cores.put(number)
    with ThreadPoolExecutor(wanted.jobs) as pool:
        futures = {pool.submit(_run_apart, study, cores, wanted.keep_old): study for study in waiting}
        for number, each in enumerate(as_completed(futures), 1):
            print(f"{number}/{len(waiting)} {_say(futures[each], each.result())}", file=sys.stderr, flush=True)
    return [load(study) for study in studies]


def missing_ways(study: Study, keep_old: bool) -> list[Way]:
    return [way for way in study.ways if not _is_done(study.place(way), way, keep_old)]


def _is_done(place: Path, way: Way, keep_old: bool) -> bool:
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    is_ours = data["way"] == _settings(way) and (keep_old or data["code"] == code_digest())
    return is_ours and not data["problem"].startswith(UNEXPECTED)


def _settings(way: Way) -> object:
    return json.loads(json.dumps(asdict(way)))  # tuples become lists, as in the file


@functools.cache
def code_digest() -> str:
    """Of all that may change a result."""
    digest = hashlib.sha256()
    for file in sorted(Path(tightrope.__file__).parent.rglob("*")):
        if file.suffix in (".py", ".c", ".h"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# -- one study in a process of its own


def _run_apart(study: Study, cores: queue.SimpleQueue[int], keep_old: bool) -> str:
    """What went wrong, in one line. A process that dies takes nobody with it."""
    number = cores.get()
    process = get_context("spawn").Process(target=work, args=(study, number, keep_old))
    process.start()
    process.join(PATIENCE + 2 * sum(way.seconds * len(way.seeds) for way in study.ways))
    if process.is_alive():
        process.terminate()
        process.join()
    cores.put(number)
    problem = f"{UNEXPECTED}the process ended with {process.exitcode}" if process.exitcode else ""
    if problem:
        _give_up(study, keep_old, problem)
    return problem


def work(study: Study, number: int, keep_old: bool = False) -> None:
    """The process: prepare the unit, explore it in the ways that are missing."""
    if len(CORES) > 1:  # the unit's worker shares our core: two processes must not choose the same one
        os.sched_setaffinity(0, {CORES[number % len(CORES)]})
    ways = missing_ways(study, keep_old)
    unit = study.unit
    try:
        ready = prepare(unit.file, unit.function, (study.criterion,), unit.build_dir)
        for way in ways:
            _write(study, way, ready.objectives, ready.decisions, tuple(explore_all(ready, way)))
    except Exception as problem:
        is_refused = isinstance(problem, TightropeError) and not isinstance(problem, InternalError)
        if not is_refused:
            traceback.print_exc()
        _give_up(study, keep_old, str(problem) if is_refused else f"{UNEXPECTED}{type(problem).__name__}: {problem}")


def _give_up(study: Study, keep_old: bool, problem: str) -> None:
    for way in missing_ways(study, keep_old):
        _write(study, way, 0, 0, (), problem.splitlines()[0])


def _write(
    study: Study, way: Way, objectives: int, decisions: int, explored: tuple[Explored, ...], problem: str = ""
) -> None:
    place = study.place(way)
    place.parent.mkdir(parents=True, exist_ok=True)
    data: dict[str, Any] = {"way": asdict(way), "code": code_digest(), "problem": problem}
    data |= {"objectives": objectives, "decisions": decisions, "explored": as_data(explored)}
    partial = place.with_suffix(".partial")
    partial.write_text(json.dumps(data), encoding="utf-8")
    partial.replace(place)


def load(study: Study) -> Found:
    rows = {way.name: json.loads(study.place(way).read_text(encoding="utf-8")) for way in study.ways}
    problem = next((row["problem"] for row in rows.values() if row["problem"]), "")
    first = next(iter(rows.values()))
    explored = {name: from_data(row["explored"]) for name, row in rows.items()}
    about = (study.unit.name, study.unit.project, study.criterion)
    return Found(*about, first["objectives"], first["decisions"], explored, problem)


def _say(study: Study, problem: str) -> str:
    found = load(study)
    problem = problem or found.problem
    words = [f"{name} {_mean_covered(each):.1f}" for name, each in found.explored.items() if each]
    return f"{found.name} {found.criterion}: " + (problem or f"{found.objectives} objectives; {', '.join(words)}")


def _mean_covered(explored: Sequence[Explored]) -> float:
    return sum(each.covered for each in explored) / len(explored)


def problem_lines(found: Sequence[Found]) -> Iterator[str]:
    """What could not be explored, by name."""
    bad = [each for each in found if each.problem]
    if bad:
        yield from ("", f"Not explored ({len(bad)}):", "")
        yield from (f"- {each.name}, {each.criterion}: {each.problem}" for each in bad)
