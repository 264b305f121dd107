"""Whole programs that read arguments, standard input and files: how many objectives of all their functions are covered,
and why the others are not. One command for each program of experiments/programs/whole:

    tightrope generate FILE.c:main --whole-program --criterion branch,mcdc

`--before OTHER/src` lets another version of Tightrope do the same before, program by program, so that both have the
same load beside them.

    python -m bench.whole_programs --time-limit 60 --before ../old/src
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.parts.results import BENCH, ROOT, add_options, head, keep
from bench.parts.subjects import WHOLE, Subject, choose
from bench.parts.subjects import add_options as add_choice

CRITERIA = "branch,mcdc"


@dataclass(frozen=True, slots=True)
class Row:
    """One program, by one version."""

    program: str
    version: str
    verdicts: Counter[str]  # covered, infeasible, and the reasons of unknown ones
    runs: int
    trials: int
    tests: int

    @property
    def objectives(self) -> int:
        return self.verdicts.total()

    @property
    def share(self) -> str:
        return f"{100 * self.verdicts['covered'] / max(1, self.objectives):.1f} %"


def measure(subject: Subject, version: str, source: Path, seconds: float, runs: int) -> Row:
    """Run the command with the code at `source`."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "tightrope", "generate", f"{subject.path}:{subject.function}"]
        command += ["--whole-program", "--criterion", CRITERIA, "--time-limit", str(seconds), "--quiet"]
        command += ["--max-runs", str(runs)] if runs else []
        command += ["--json", str(report), "--output", str(Path(folder) / "tests")]
        environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
        subprocess.run(command, check=True, env=environment, cwd=folder)
        (unit,) = json.loads(report.read_text(encoding="utf-8"))["units"]
    return row_of(subject.name, version, unit)


def row_of(program: str, version: str, unit: dict[str, Any]) -> Row:
    verdicts = Counter(
        f"unknown: {each['reason']}" if each["verdict"] == "unknown" else each["verdict"] for each in unit["objectives"]
    )
    counts = unit["statistics"]
    return Row(program, version, verdicts, counts["runs"], counts.get("trials", 0), len(unit["tests"]))


def page(rows: Sequence[Row], wanted: argparse.Namespace) -> Iterator[str]:
    yield from head("Whole programs", wanted.note)
    limits = f"--time-limit {wanted.time_limit:g}" + (f" --max-runs {wanted.max_runs}" if wanted.max_runs else "")
    yield f"`tightrope generate FILE.c:main --whole-program --criterion {CRITERIA} {limits}`"
    yield "on the programs of experiments/programs/whole; *covered* is after confirmation. Trials are runs by fuzzing."
    yield ""
    reasons = sorted({reason for row in rows for reason in row.verdicts} - {"covered", "infeasible"})
    columns = ["program", "version", "objectives", "covered", "", "infeasible", *reasons, "tests", "runs", "trials"]
    yield f"| {' | '.join(columns)} |"
    yield f"| --- | --- |{' --: |' * (len(columns) - 2)}"
    for row in (*rows, *_sums(rows)):
        counts = [row.verdicts[reason] for reason in reasons]
        cells = [row.program, row.version, row.objectives, row.verdicts["covered"], row.share]
        cells += [row.verdicts["infeasible"], *counts, row.tests, row.runs, row.trials]
        yield f"| {' | '.join(map(str, cells))} |"


def _sums(rows: Sequence[Row]) -> Iterator[Row]:
    for version in dict.fromkeys(row.version for row in rows):
        mine = [row for row in rows if row.version == version]
        verdicts = sum((row.verdicts for row in mine), Counter[str]())
        counts = [sum(getattr(row, name) for row in mine) for name in ("runs", "trials", "tests")]
        yield Row("all", version, verdicts, *counts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Objectives of whole programs that are covered.")
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="for each program")
    parser.add_argument("--max-runs", type=int, default=0, metavar="N", help="for each program; 0: no limit")
    parser.add_argument(
        "--before", type=Path, metavar="DIR", help="the src of another version, measured before this one"
    )
    add_choice(parser)
    add_options(parser)
    wanted = parser.parse_args()
    versions = [("before", wanted.before)] if wanted.before else []
    versions.append(("after" if wanted.before else "this", ROOT / "src"))
    rows = [
        measure(subject, version, source, wanted.time_limit, wanted.max_runs)
        for subject in choose(WHOLE, wanted.only)
        for version, source in versions
    ]
    keep("whole-programs", page(rows, wanted), {}, wanted, BENCH)


if __name__ == "__main__":
    main()
