"""How many mistakes do the suites notice? Generates a suite for every unit of this repository, and measures mutation.

    python -m bench.mutation_scores --jobs 2
    python -m bench.mutation_scores --source OTHER/src --label before     suites by another version of Tightrope

    python -m bench.mutation_scores --compare before --compare now        one page of what was measured

The suite is that of the default criterion (or `--criteria`). Mutants are always those of this version, so suites of
two versions are measured alike. Each unit is a row in `--folder`, under the label: an interrupted run continues where
it was; `--again` measures again. A mutant is equivalent if `measure` or `generate` proves it; where labels are
compared, if it is proved under one of them. A mutant that is killed and proved equivalent is a problem, not a row.
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
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from bench.parts.results import BENCH, ROOT, add_options, head, keep
from bench.parts.subjects import LABELS, REACTIVE
from bench.parts.tables import as_csv, markdown, share
from bench.real.listed import read_list
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.errors import TightropeError
from tightrope.options.options import OPTIONS, Options
from tightrope.options.targets import Target
from tightrope.units.select_functions import choose

CACHE = Path.home() / ".cache" / "tightrope-bench"
HEADS = ("unit", "tests", "mutants", "killed", "equivalent", "alive", "score")
MUTATION = StrongMutation.name
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
    killed: tuple[str, ...] = ()  # ids of mutants
    equivalent: tuple[str, ...] = ()
    alive: tuple[str, ...] = ()
    problem: str = ""

    @classmethod
    def read(cls, file: Path) -> ScoreRow:
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        lists = {key: tuple(value) for key, value in kept.items() if isinstance(value, list)}
        return cls(**{**kept, **lists})

    @property
    def mutants(self) -> int:
        return len(self.killed) + len(self.equivalent) + len(self.alive)

    def counts(self) -> tuple[int, ...]:
        """As in the table."""
        return self.tests, self.mutants, len(self.killed), len(self.equivalent), len(self.alive)

    def knowing(self, equivalent: Collection[str]) -> ScoreRow:
        """The row where these are known to be equivalent, too."""
        more = tuple(each for each in self.alive if each in equivalent)
        left = tuple(each for each in self.alive if each not in equivalent)
        return replace(self, equivalent=(*self.equivalent, *more), alive=left)


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
        return ScoreRow.read(kept)
    row = _measure(unit, wanted)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(row)), encoding="utf-8")
    said = row.problem or f"{len(row.killed)} of {row.mutants - len(row.equivalent)}, {row.tests} tests"
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
            "--criterion", MUTATION, "--suite", str(suite), "--json", str(measured), *further,
        )  # fmt: skip
        if said or not measured.is_file():
            return ScoreRow(unit.group, unit.name, tests, problem=f"measure: {said}")
        return _count(unit, tests, _verdicts(measured), _verdicts(written))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _count(unit: MutatedUnit, tests: int, measured: dict[str, str], generated: dict[str, str]) -> ScoreRow:
    """What `measure` says; what is equivalent, `generate` may also have proved."""
    killed = tuple(key for key, verdict in measured.items() if verdict == "covered")
    wrong = [key for key in killed if generated.get(key) == "infeasible"]
    if wrong:
        return ScoreRow(unit.group, unit.name, tests, problem=f"killed, but proved equivalent: {', '.join(wrong)}")
    proved = (key for key, verdict in measured.items() if "infeasible" in (verdict, generated.get(key)))
    equivalent = tuple(key for key in proved if key not in killed)
    alive = tuple(key for key in measured if key not in killed and key not in equivalent)
    return ScoreRow(unit.group, unit.name, tests, killed, equivalent, alive)


def _verdicts(report: Path) -> dict[str, str]:
    """Of mutants, by id."""
    rows = (row for each in _units(report) for row in each["objectives"])
    return {row["id"]: row["verdict"] for row in rows if row["criterion"] == MUTATION}


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
        yield from (f"- {row.unit}: {_brief(row.problem)}" for row in refused)


def _line(name: str, rows: Sequence[ScoreRow]) -> tuple[str, ...]:
    sums = [sum(column) for column in zip(*(row.counts() for row in rows), strict=True)]
    _, mutants, killed, equivalent, _ = sums
    return (name, *(f"{each:,}" for each in sums), share(killed, mutants - equivalent))


# -- several labels


def comparison(labels: Sequence[str], wanted: argparse.Namespace) -> Iterator[str]:
    """A page about the units that were measured under all labels. Mutants are equivalent if one of them proved it."""
    measured = [{row.unit: row for row in _rows_of(wanted.folder / label)} for label in labels]
    shared = [unit for unit in measured[0] if all(unit in rows and not rows[unit].problem for rows in measured)]
    proved = {unit: {key for rows in measured for key in rows[unit].equivalent} for unit in shared}
    table = {unit: [rows[unit].knowing(proved[unit]) for rows in measured] for unit in shared}
    yield from head("Mutation scores of generated suites", wanted.note)
    yield from _table_of(labels, table)
    yield from ("", "Alive, by operator:", "")
    kinds = [Counter(_operator(key) for rows in table.values() for key in rows[at].alive) for at in range(len(labels))]
    operators = sorted({kind for each in kinds for kind in each}, key=lambda kind: -kinds[0][kind])
    yield from markdown(("operator", *labels), [(kind, *(f"{each[kind]:,}" for each in kinds)) for kind in operators])
    for label, rows in zip(labels, measured, strict=True):
        yield from (f"- {label}: {row.unit}: {_brief(row.problem)}" for row in rows.values() if row.problem)


def _rows_of(folder: Path) -> Iterator[ScoreRow]:
    order = {unit.name: number for number, unit in enumerate(find_units())}
    rows = (ScoreRow.read(file) for file in sorted(folder.glob("*.json")))
    return iter(sorted(rows, key=lambda row: order.get(row.unit, len(order))))


def _table_of(labels: Sequence[str], table: Mapping[str, Sequence[ScoreRow]]) -> Iterator[str]:
    """Groups and their sums first, then units."""
    groups = dict.fromkeys(rows[0].group for rows in table.values())
    parts = {group: [rows for rows in table.values() if rows[0].group == group] for group in groups}
    heads = ("unit", "mutants", *(f"{label}: {what}" for label in labels for what in ("tests", "alive", "score")))
    sums = [_compared(f"{group}: {len(rows)} units", rows) for group, rows in parts.items()]
    yield from markdown(heads, [*sums, _compared(f"all: {len(table)} units", list(table.values()))])
    for group, rows in parts.items():
        yield from ("", f"## {group}", "")
        yield from markdown(heads, [_compared(row[0].unit, [row]) for row in rows])


def _compared(name: str, rows: Sequence[Sequence[ScoreRow]]) -> tuple[str, ...]:
    cells = [_line("", column) for column in zip(*rows, strict=True)]
    return (name, cells[0][2], *(cell[at] for cell in cells for at in (1, 5, 6)))


def _operator(mutant: str) -> str:
    """Of its id: f:mutation:+5.9:ror:<."""
    return mutant.split(":")[3]


def _brief(problem: str) -> str:
    return " ".join(problem.split())[:160]


def _every(units: Sequence[MutatedUnit], group: str, step: int) -> Sequence[MutatedUnit]:
    return [each for each in units if each.group == group][::step]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    add_options(parser)
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="units, such as 'brake.c:*'")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only each N-th unit of a group, from the first"
    )
    parser.add_argument("--group", action="append", default=[], metavar="NAME", help="examples, tests/programs ...")
    parser.add_argument("--criteria", default="", metavar="NAMES", help="of the suites (default: that of generate)")
    parser.add_argument("--source", type=Path, default=ROOT / "src", metavar="DIR", help="Tightrope that generates")
    parser.add_argument("--label", default="now", metavar="WORD", help="which results these are, such as before")
    parser.add_argument("--folder", type=Path, default=CACHE / "mutation", metavar="DIR", help="where rows are kept")
    parser.add_argument("--max-runs", type=int, default=2000, metavar="N")
    parser.add_argument("--time-limit", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--again", action="store_true", help="measure what was measured before")
    parser.add_argument("--compare", action="append", default=[], metavar="LABEL", help="only make a page of labels")
    wanted = parser.parse_args()
    if wanted.compare:
        keep("mutation", comparison(wanted.compare, wanted), {}, wanted, BENCH)
        return
    units = [each for each in find_units() if not wanted.group or each.group in wanted.group]
    units = [
        each for group in dict.fromkeys(each.group for each in units) for each in _every(units, group, wanted.every)
    ]
    units = [each for each in units if not wanted.only or any(fnmatch(each.name, one) for one in wanted.only)]
    with ThreadPoolExecutor(wanted.jobs) as pool:
        rows = list(pool.map(lambda unit: score(unit, wanted), units))
    csv = as_csv([{"group": row.group, **dict(zip(HEADS, (row.unit, *row.counts()), strict=False))} for row in rows])
    keep(f"mutation-{wanted.label}", page(rows, wanted), {".csv": csv}, wanted, BENCH)


if __name__ == "__main__":
    main()
