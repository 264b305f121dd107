"""Measures Tightrope; asserts nothing. Prints Markdown and keeps it in bench/results, dated.

    python bench/run.py [--repetitions N] [--yardstick FOLDER] [--note TEXT] [--no-file]

Run it on a machine that does nothing else. bench/README.md says what the columns mean.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import exploration
import first_suite
import run_cost
import yardstick
from exploration import Measured

from tightrope import __version__
from tightrope.source.toolchain import find_compiler, find_gcc

RESULTS = Path(__file__).parent / "results"
LIBRARIES = ("llvmlite", "bitwuzla", "ziglang")


def main() -> None:
    parser = make_parser("Measure Tightrope.", repetitions=5)
    parser.add_argument("--yardstick", type=Path, metavar="FOLDER", help="a prototype to compare with: yardstick.py")
    wanted = parser.parse_args()
    keep(report(wanted), f"{datetime.date.today().isoformat()}.md", wanted)


def make_parser(description: str, repetitions: int) -> argparse.ArgumentParser:
    """With the options that every bench has."""
    parser = argparse.ArgumentParser(description=description)
    said = f"the best of N counts (default: {repetitions})"
    parser.add_argument("--repetitions", type=int, default=repetitions, metavar="N", help=said)
    parser.add_argument("--note", default="", metavar="TEXT", help="a sentence to keep with the result")
    parser.add_argument("--no-file", action="store_true", help="only print")
    return parser


def keep(report: Iterable[str], name: str, wanted: argparse.Namespace) -> None:
    """Print the lines as they come; then write them."""
    lines: list[str] = []
    for line in report:
        print(line, flush=True)
        lines.append(line)
    if not wanted.no_file:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def head(title: str, wanted: argparse.Namespace) -> Iterator[str]:
    yield f"# {title}, {datetime.date.today().isoformat()}"
    yield ""
    yield from surroundings()
    if wanted.note:
        yield f"- {wanted.note}"
    yield ""


def report(wanted: argparse.Namespace) -> Iterator[str]:
    yield from head("Bench", wanted)
    yield from explorations([exploration.measure(each, wanted.repetitions) for each in exploration.PROGRAMS], wanted)
    yield from cost_of_a_run(run_cost.measure(wanted.repetitions))
    yield from suite(first_suite.measure(wanted.repetitions))


def surroundings() -> Iterator[str]:
    """What a number depends on, without telling whose machine it was."""
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    gcc = find_gcc()
    yield f"- Tightrope {__version__}, Python {platform.python_version()}, {libraries}; compiler: {find_compiler()}"
    judge = f"gcc {gcc.version} with gcov is there" if gcc else "no gcc"
    yield f"- {platform.system()} on {platform.machine()}, {os.cpu_count()} cores; {judge}"


def explorations(measured: Sequence[Measured], wanted: argparse.Namespace) -> Iterator[str]:
    yield "## Exploration of all paths"
    yield ""
    yield f"`--strategy dfs --exhaustive`, through the worker; best of {wanted.repetitions}."
    yield ""
    yield from table(
        ["program", "paths", "runs", "queries", "cache", "reuse", "decided", "core", "solver", "seconds", "paths/s"],
        [_counts(each) for each in measured],
    )
    yield ""
    yield "Where the wall time goes:"
    yield ""
    shares = [each.shares() for each in measured]
    yield from table(
        ["program", *shares[0]],
        [
            [each.program.words, *(f"{share:.0%}" for share in row.values())]
            for each, row in zip(measured, shares, strict=True)
        ],
    )
    yield ""
    if wanted.yardstick:
        yield from comparison(measured, wanted)


def _counts(each: Measured) -> list[str]:
    found, asked = each.found, each.found.solver.statistics
    who = (asked.cache_hits, asked.reuse_hits, asked.decided, asked.core_hits, asked.solver_queries)
    numbers = (found.paths, found.progress.runs, asked.queries, *who)
    return [each.program.words, *(f"{number:,}" for number in numbers), f"{each.seconds:.3f}", f"{each.rate:,.0f}"]


def comparison(measured: Sequence[Measured], wanted: argparse.Namespace) -> Iterator[str]:
    yield "In the same session, the prototype given as yardstick (it does not follow `switch`, hence fewer paths):"
    yield ""
    rows = []
    for each in measured:
        other = yardstick.measure(wanted.yardstick, each.program, wanted.repetitions)
        ratio = f"{each.rate / other.rate:.1f}"
        rows.append([each.program.words, f"{other.paths:,}", f"{other.rate:,.0f}", f"{each.rate:,.0f}", ratio])
    yield from table(["program", "its paths", "its paths/s", "ours", "ratio"], rows)
    yield ""


def cost_of_a_run(cost: run_cost.RunCost) -> Iterator[str]:
    yield "## Cost of one run"
    yield ""
    yield "From an input in Python to its trace in Python, both ways between the processes included."
    yield ""
    rows = [["ten branches", f"{cost.ten_branches:.1f}"], ["no branch", f"{cost.no_branch:.1f}"]]
    yield from table(["function of", "microseconds"], rows)
    yield ""


def suite(found: first_suite.FirstSuite) -> Iterator[str]:
    yield "## From the command to a confirmed suite"
    yield ""
    yield "`tightrope generate examples/triangle.c`; cold: no cache of ours or of the compiler holds anything."
    yield ""
    yield from table(["", "warm", "cold"], [["seconds", f"{found.warm:.2f}", f"{found.cold:.2f}"]])
    yield ""
    yield "Where it goes (one run each, with a clock at every stage):"
    yield ""
    yield from table(["stage", "warm", "cold"], list(_stages(found.warm_stages, found.cold_stages)))
    yield ""


def _stages(warm: Mapping[str, float], cold: Mapping[str, float]) -> Iterator[list[str]]:
    for words in dict.fromkeys((*cold, *warm)):
        yield [words, f"{warm.get(words, 0.0):.3f}", f"{cold.get(words, 0.0):.3f}"]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table: words to the left, numbers to the right."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join(['---', *['--:'] * (len(heads) - 1)])} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    main()
