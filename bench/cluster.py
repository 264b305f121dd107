"""Where functions are tested: in this process, in two local processes, by two workers of a Dask cluster here. One
command for all functions of the files, in turns, so that all have the same load beside them:

    python -m bench.cluster --repetitions 2 examples/*.c

`--split FILE.c:FUNCTION` asks whether it would pay to give the objectives of one function to two workers: how many runs
and queries does a search for all objectives take, and how many does each half take, which one worker would do?
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.parts.cpu_time import used_below
from bench.parts.results import BENCH, head, keep, make_parser
from tightrope.commands.generate import pipeline
from tightrope.options.options import Options
from tightrope.options.targets import read_target
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedUnit

WAYS = {"this process": (), "--jobs 2": ("--jobs", "2"), "--cluster local:2": ("--cluster", "local:2")}
HALVES = 2


def measure(files: Sequence[str], words: Sequence[str], runs: int) -> tuple[float, float, int]:
    """Seconds of the command, those of all processors, and how many functions were tested."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "tightrope", "generate", *files, "--no-cache", "--quiet", *words]
        command += ["--max-runs", str(runs), "--json", str(report), "--output", str(Path(folder) / "tests")]
        start, before = time.monotonic(), used_below()
        subprocess.run(command, check=True, capture_output=True)
        seconds, worked = time.monotonic() - start, used_below() - before
        return seconds, worked, len(json.loads(report.read_text(encoding="utf-8"))["units"])


def compare(files: Sequence[str], repetitions: int, runs: int) -> Iterator[str]:
    times: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    functions = 0
    for words in WAYS.values():  # fills the caches of the compiler
        measure(files, words, runs)
    for _ in range(repetitions):
        for way, words in WAYS.items():
            *measured, functions = measure(files, words, runs)
            times[way].append((measured[0], measured[1]))
    alone = min(times["this process"])[0]
    load = f"load of the machine at the end: {os.getloadavg()[0]:.1f}"
    yield f"{functions} functions, --max-runs {runs}, best of {repetitions}; {load}"
    yield from ("", "| way | seconds | times as fast | of all processors |", "| --- | ---: | ---: | ---: |")
    for way, found in times.items():
        seconds, worked = min(each for each, _ in found), min(each for _, each in found)
        yield f"| {way} | {seconds:.1f} | {alone / seconds:.2f} | {worked:.1f} |"
    yield ""


def explore(target: str, part: int | None, seconds: float, is_whole: bool) -> dict[str, Any]:
    """Test the function for all of its objectives, or for every second one."""
    named = read_target(target)
    whole = pipeline._to_search

    def half(unit: PreparedUnit) -> PreparedUnit:
        found = whole(unit)
        return found if part is None else replace(found, objectives=found.objectives[part::HALVES])

    pipeline._to_search = half
    try:
        with tempfile.TemporaryDirectory() as folder:
            options = Options((named,), time_limit=seconds, output=Path(folder), quiet=True, no_confirm=True)
            options = replace(options, whole_program=is_whole)
            file = prepare_file(find_compiler(), named.file, options, lambda warning: None)
            report = pipeline.walk_job(file, named.function, options, False)
    finally:
        pipeline._to_search = whole
    statistics = report.statistics
    verdicts = [each.verdict for each in report.objectives]
    return {
        "objectives": len(verdicts),
        "decided": sum(each != "unknown" for each in verdicts),
        "runs": statistics.runs,
        "queries": statistics.queries,
        "seconds": statistics.seconds,
    }


def split(targets: Sequence[str], seconds: float, is_whole: bool) -> Iterator[str]:
    columns = ("objectives", "decided", "runs", "queries", "seconds")
    yield from (f"| function | part | {' | '.join(columns)} |", f"| --- | --- |{' ---: |' * len(columns)}")
    for target in targets:
        for part in (None, *range(HALVES)):
            found = explore(target, part, seconds, is_whole)
            shown = [f"{found[name]:.1f}" if name == "seconds" else str(found[name]) for name in columns]
            yield f"| {Path(target).name} | {'all' if part is None else f'half {part + 1}'} | {' | '.join(shown)} |"
    yield ""


def page(options: argparse.Namespace) -> Iterator[str]:
    yield from head("Where functions are tested", options.note)
    if options.files:
        yield from compare(options.files, options.repetitions, options.max_runs)
    if options.split:
        yield from split(options.split, options.time_limit, options.whole_program)


def main() -> None:
    parser = make_parser("where functions are tested", 3)
    parser.add_argument("files", nargs="*", help="C files")
    parser.add_argument("--max-runs", type=int, default=300)
    parser.add_argument("--time-limit", type=float, default=20.0, help="of --split")
    parser.add_argument("--whole-program", action="store_true", help="of --split: objectives of all functions")
    parser.add_argument("--split", action="append", default=[], metavar="FILE.c:FUNCTION")
    options = parser.parse_args()
    keep("cluster", page(options), {}, options, BENCH)


if __name__ == "__main__":
    main()
