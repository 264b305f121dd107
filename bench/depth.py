"""Branches of functions on which time runs out: floats with products, loops of a thousand steps, pointers.

    python -m bench.depth [--time-limit 30] [--before OTHER/src] [--only PATTERN]

Each program is generated for by the other version and by this one, one after the other, without anything that is kept
from before. The time limit is one of the clock: the load of the machine is in the table.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from bench.parts import results
from bench.parts.cpu_time import Cost, measure_command
from bench.parts.tables import markdown

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS, REACTIVE = ROOT / "bench" / "programs" / "depth", ROOT / "experiments" / "programs" / "reactive"
HEADS = ("class", "function", "version", "covered", "infeasible", "unknown", "runs", "trials", "queries", "moved")
TIMES = ("search s", "solver s", "formulas s", "processor s", "load")


@dataclass(frozen=True, slots=True)
class Program:
    kind: str
    file: Path
    function: str
    options: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()  # of the compiler

    @property
    def name(self) -> str:
        return f"{self.file.stem}.c:{self.function}"


LONG = ("--max-elements", "1024", "--grow-to", "1024")
CHOSEN = (
    Program("floats", PROGRAMS / "pid.c", "pid_step"),
    Program("floats", PROGRAMS / "quadratic.c", "meet"),
    Program("floats", PROGRAMS / "fir.c", "classify_signal"),
    Program("loops", PROGRAMS / "account.c", "run_year"),
    Program("loops", PROGRAMS / "generator.c", "walk"),
    Program("loops", PROGRAMS / "table_crc.c", "receive"),
    Program("loops", PROGRAMS / "crc.c", "accept"),
    Program("loops", PROGRAMS / "sum.c", "judge", LONG),
    Program("pointers", REACTIVE / "heap.c", "run_heap", ("--whole-program",), ("-DSTEPS=6",)),
    Program("pointers", REACTIVE / "tree.c", "run_tree", ("--whole-program",), ("-DSTEPS=3",)),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    results.add_options(parser)
    parser.add_argument("--time-limit", type=float, default=30.0, metavar="SECONDS", help="for each function")
    parser.add_argument("--before", type=Path, metavar="DIR", help="the `src` of another version to compare with")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="programs whose file and function match it")
    wanted = parser.parse_args()
    results.keep("depth", _page(wanted), {}, wanted, results.BENCH)
    return 0


def _page(wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("What stays unknown by time", wanted.note)
    yield from markdown((*HEADS, *TIMES), list(_rows(wanted)))


def _rows(wanted: argparse.Namespace) -> Iterator[Sequence[str]]:
    versions = [("before", wanted.before)] if wanted.before else []
    for program in CHOSEN:
        if not fnmatch(program.name, wanted.only):
            continue
        for label, source in (*versions, ("this", ROOT / "src")):
            row = _measure(program, label, source, wanted.time_limit)
            print(*row, file=sys.stderr, flush=True)
            yield row


def _measure(program: Program, label: str, source: Path, seconds: float) -> Sequence[str]:
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / "report.json"
        words = ["-c", "branch", "--time-limit", str(seconds), "--no-cache", "-o", name, "--json", str(report)]
        words += [*program.options, "--", *program.flags]
        command = ["nice", sys.executable, "-m", "tightrope", "generate", f"{program.file}:{program.function}", *words]
        cost = measure_command(command, {**os.environ, "PYTHONPATH": str(source)})
        unit = json.loads(report.read_text(encoding="utf-8"))["units"][0]
    return (program.kind, program.name, label, *_counts(unit), *_times(unit, cost))


def _counts(unit: dict[str, Any]) -> Iterator[str]:
    verdicts = [each["verdict"] for each in unit["objectives"]]
    yield from (str(verdicts.count(each)) for each in ("covered", "infeasible", "unknown"))
    yield from (f"{unit['statistics'].get(each, 0):,}" for each in ("runs", "trials", "queries", "moved_hits"))


def _times(unit: dict[str, Any], cost: Cost) -> Iterator[str]:
    names = ("seconds", "solver_seconds", "encoding_seconds")
    yield from (f"{unit['statistics'][each]:.1f}" for each in names)
    yield f"{cost.processor:.1f}"
    yield f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
