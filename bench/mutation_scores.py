"""How many mistakes do the suites notice? Generates a suite for every unit of this repository, and measures mutation.

    python -m bench.mutation_scores --jobs 2
    python -m bench.mutation_scores --source OTHER/src --label before     suites by another version of Tightrope

The suite is that of the default criterion (or `--criteria`). Mutants are always those of this version, so suites of
two versions are measured alike; run it once with each, and compare the pages. Each unit is a row in `--folder`, under
the label: an interrupted run continues where it was; `--again` measures again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from bench.parts.results import BENCH, ROOT, add_options, head, keep
from bench.parts.subjects import LABELS, REACTIVE
from bench.parts.tables import as_csv, markdown, share
from bench.real.listed import read_list
from tightrope.errors import TightropeError
from tightrope.options.options import OPTIONS, Options
from tightrope.options.targets import Target
from tightrope.units.select_functions import choose

CACHE = Path.home() / ".cache" / "tightrope-bench"
HEADS = ("unit", "tests", "mutants", "killed", "equivalent", "alive", "score")
PATIENCE = 20  # times the time limit, for a command
_FUNCTION, _OPTIONS = re.compile(r"// function: (\w+)"), re.compile(r"// options: (.+)")


@dataclass(frozen=True, slots=True)
class MutatedUnit:
    """A function, and how it is given to the commands."""

    group: str
    name: str
    file: Path
    function: str
    options: tuple[str, ...] = ()  # of both commands
    flags: tuple[str, ...] = ()  # of the compiler


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """What was measured of one unit; `problem` if that was not possible."""

    group: str
    unit: str
    tests: int = 0
    mutants: int = 0
    killed: int = 0
    equivalent: int = 0
    alive: int = 0
    problem: str = ""


# -- units


def find_units() -> Iterator[MutatedUnit]:
    yield from _examples()
    yield from _subjects()
    yield from _programs()
    yield from _real()


def _examples() -> Iterator[MutatedUnit]:
    for file in sorted((ROOT / "examples").glob("*.c")):
        try:
            found = choose(Options((Target(file),), criteria=("branch",))).functions()
        except TightropeError:
            continue
        yield from (MutatedUnit("examples", f"{file.name}:{name}", file, name) for _, name in found)


def _subjects() -> Iterator[MutatedUnit]:
    for each in dict.fromkeys((*LABELS, *REACTIVE)):
        whole = ("--whole-program",)  # its callees count, too
        yield MutatedUnit("experiments/programs", each.name, each.path, each.function, whole, each.flags)


def _programs() -> Iterator[MutatedUnit]:
    """The options of a program are for `generate`; `measure` gets those that are about its inputs or its compiler."""
    for file in sorted((ROOT / "tests" / "programs").glob("*.c")):
        lines = file.read_text(encoding="utf-8").splitlines()
        function = _FUNCTION.fullmatch(lines[0])
        words = [word for line in lines if (found := _OPTIONS.fullmatch(line)) for word in shlex.split(found[1])]
        if function:
            yield MutatedUnit("tests/programs", file.name, file, function[1], tuple(words))


def _real() -> Iterator[MutatedUnit]:
    """Functions of packages that bench/real has prepared on this machine."""
    for each in read_list():
        folder = CACHE / "packages" / each.package
        found = [place for place in (folder, *sorted(folder.glob("*"))) if (place / each.file).is_file()]
        if found:
            options = ("--build-dir", str(found[0])) if (found[0] / "compile_commands.json").is_file() else ()
            yield MutatedUnit("bench/real", each.name, found[0] / each.file, each.function, options)


# -- one unit


def score(unit: MutatedUnit, wanted: argparse.Namespace) -> ScoreRow:
    """Generate and measure, or read what was kept."""
    kept = _kept_at(unit, wanted)
    if kept.is_file() and not wanted.again:
        return ScoreRow(**json.loads(kept.read_text(encoding="utf-8")))
    row = _measure(unit, wanted)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(row)), encoding="utf-8")
    said = row.problem or f"{row.killed} of {row.mutants - row.equivalent}"
    print(f"{row.unit}: {said}", file=sys.stderr, flush=True)
    return row


def _kept_at(unit: MutatedUnit, wanted: argparse.Namespace) -> Path:
    settings = (wanted.criteria, wanted.max_runs, wanted.time_limit, unit.options, unit.flags)
    mark = hashlib.sha256(repr(settings).encode()).hexdigest()[:8]
    stem = re.sub(r"\W+", "_", f"{unit.group}_{unit.name}")
    folder: Path = wanted.folder
    return folder / wanted.label / f"{stem}_{mark}.json"


def _measure(unit: MutatedUnit, wanted: argparse.Namespace) -> ScoreRow:
    place = Path(tempfile.mkdtemp(prefix="tightrope-scores-"))
    try:
        target, limit = f"{unit.file}:{unit.function}", ("--time-limit", str(wanted.time_limit))
        criteria = ("--criterion", wanted.criteria) if wanted.criteria else ()
        suite, written, measured = place / "suite", place / "generated.json", place / "measured.json"
        further = ("--", *unit.flags) if unit.flags else ()
        said = _run(
            wanted.source, wanted.time_limit, "generate", target, *criteria, *unit.options, *limit, "--quiet",
            "--max-runs", str(wanted.max_runs), "--output", str(suite), "--json", str(written), *further,
        )  # fmt: skip
        if said or not written.is_file():
            return ScoreRow(unit.group, unit.name, problem=f"generate: {said}")
        tests = sum(len(each["tests"]) for each in _units(written))
        if not tests:
            return ScoreRow(unit.group, unit.name, problem="no tests")
        said = _run(
            ROOT / "src", wanted.time_limit, "measure", target, *_for_measure(unit.options), *limit, "--quiet",
            "--criterion", "mutation", "--suite", str(suite), "--json", str(measured), *further,
        )  # fmt: skip
        if said or not measured.is_file():
            return ScoreRow(unit.group, unit.name, tests, problem=f"measure: {said}")
        words = [row["verdict"] for each in _units(measured) for row in each["objectives"]]
        counts = [words.count(word) for word in ("covered", "infeasible", "unknown")]
        return ScoreRow(unit.group, unit.name, tests, len(words), *counts)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _units(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["units"]
    return found


def _for_measure(options: Sequence[str]) -> Iterator[str]:
    """Without options that `measure` does not take."""
    by_flag = {flag: option for option in OPTIONS.values() for flag in option.flags}
    left = iter(options)
    for flag in left:
        option = by_flag.get(flag)
        given = [flag] if option is None or option.is_switch else [flag, next(left)]
        if option is not None and "measure" in option.commands:
            yield from given


def _run(source: Path, seconds: float, *words: str) -> str:
    """What went wrong; '' if nothing did. A suite that is below nothing is no problem."""
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    command = [sys.executable, "-m", "tightrope", *words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=PATIENCE * seconds + 60, check=False
        )
    except subprocess.TimeoutExpired:
        return "does not end"
    return "" if done.returncode in (0, 1) else f"status {done.returncode}: {done.stderr.strip()[-200:]}"


# -- the page


def page(rows: Sequence[ScoreRow], wanted: argparse.Namespace) -> Iterator[str]:
    asked = f"criteria {wanted.criteria}" if wanted.criteria else "the default criterion"
    note = f"suites for {asked}, at most {wanted.max_runs:,} runs and {wanted.time_limit:g} s each; {wanted.note}"
    yield from head(f"Mutation scores of generated suites ({wanted.label})", note.rstrip("; "))
    groups = list(dict.fromkeys(row.group for row in rows))
    totals = [(group, [row for row in rows if row.group == group]) for group in groups]
    yield from markdown(HEADS, [_line(*total) for total in (*totals, ("all", rows))])
    for group, members in totals:
        yield from ("", f"## {group}", "")
        yield from markdown(HEADS, [_line(row.unit, [row]) for row in members if not row.problem])
        refused = [row for row in members if row.problem]
        yield from (f"- {row.unit}: {' '.join(row.problem.split())[:160]}" for row in refused)


def _line(name: str, rows: Sequence[ScoreRow]) -> tuple[str, ...]:
    sums = [sum(getattr(row, key) for row in rows) for key in HEADS[1:6]]
    _, mutants, killed, equivalent, _ = sums
    return (name, *(f"{each:,}" for each in sums), share(killed, mutants - equivalent))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    add_options(parser)
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="units, such as 'brake.c:*'")
    parser.add_argument("--group", action="append", default=[], metavar="NAME", help="examples, tests/programs ...")
    parser.add_argument("--criteria", default="", metavar="NAMES", help="of the suites (default: that of generate)")
    parser.add_argument("--source", type=Path, default=ROOT / "src", metavar="DIR", help="Tightrope that generates")
    parser.add_argument("--label", default="now", metavar="WORD", help="which results these are, such as before")
    parser.add_argument("--folder", type=Path, default=CACHE / "mutation", metavar="DIR", help="where rows are kept")
    parser.add_argument("--max-runs", type=int, default=2000, metavar="N")
    parser.add_argument("--time-limit", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--again", action="store_true", help="measure what was measured before")
    wanted = parser.parse_args()
    units = [each for each in find_units() if not wanted.group or each.group in wanted.group]
    units = [each for each in units if not wanted.only or any(fnmatch(each.name, one) for one in wanted.only)]
    with ThreadPoolExecutor(wanted.jobs) as pool:
        rows = list(pool.map(lambda unit: score(unit, wanted), units))
    csv = as_csv([asdict(row) for row in rows])
    keep(f"mutation-{wanted.label}", page(rows, wanted), {".csv": csv}, wanted, BENCH)


if __name__ == "__main__":
    main()
