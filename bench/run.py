"""Measures Tightrope; asserts nothing. Prints Markdown and keeps it in bench/results, dated.

    python -m bench.run [--repetitions N] [--yardstick FOLDER] [--note TEXT] [--no-file]

Run it on a machine that does nothing else. bench/README.md says what the columns mean.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench import exploration, first_suite, run_cost, yardstick
from bench.exploration import Measured
from bench.parts.results import BENCH, head, keep, make_parser
from bench.parts.tables import markdown


def main() -> None:
    parser = make_parser("Measure Tightrope.", repetitions=5)
    parser.add_argument("--yardstick", type=Path, metavar="FOLDER", help="a prototype to compare with: yardstick.py")
    wanted = parser.parse_args()
    keep("", report(wanted), {}, wanted, BENCH)


def report(wanted: argparse.Namespace) -> Iterator[str]:
    yield from head("Bench", wanted.note)
    yield from explorations([exploration.measure(each, wanted.repetitions) for each in exploration.PROGRAMS], wanted)
    yield from cost_of_a_run(run_cost.measure(wanted.repetitions))
    yield from suite(first_suite.measure(wanted.repetitions))


def explorations(measured: Sequence[Measured], wanted: argparse.Namespace) -> Iterator[str]:
    yield "## Exploration of all paths"
    yield ""
    yield f"`--strategy dfs --exhaustive`, through the worker; best of {wanted.repetitions}."
    yield ""
    yield from markdown(
        ["program", "paths", "runs", "queries", "cache", "reuse", "decided", "core", "solver", "seconds", "paths/s"],
        [_counts(each) for each in measured],
    )
    yield ""
    yield "Where the wall time goes:"
    yield ""
    shares = [each.shares() for each in measured]
    yield from markdown(
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
    yield from markdown(["program", "its paths", "its paths/s", "ours", "ratio"], rows)
    yield ""


def cost_of_a_run(cost: run_cost.RunCost) -> Iterator[str]:
    yield "## Cost of one run"
    yield ""
    yield "From an input in Python to its trace in Python, both ways between the processes included."
    yield ""
    rows = [["ten branches", f"{cost.ten_branches:.1f}"], ["no branch", f"{cost.no_branch:.1f}"]]
    yield from markdown(["function of", "microseconds"], rows)
    yield ""


def suite(found: first_suite.FirstSuite) -> Iterator[str]:
    yield "## From the command to a confirmed suite"
    yield ""
    yield "`tightrope generate examples/triangle.c`; cold: no cache of ours or of the compiler holds anything."
    yield ""
    yield from markdown(["", "warm", "cold"], [["seconds", f"{found.warm:.2f}", f"{found.cold:.2f}"]])
    yield ""
    yield "Where it goes (one run each, with a clock at every stage):"
    yield ""
    yield from markdown(["stage", "warm", "cold"], list(_stages(found.warm_stages, found.cold_stages)))
    yield ""


def _stages(warm: Mapping[str, float], cold: Mapping[str, float]) -> Iterator[list[str]]:
    for words in dict.fromkeys((*cold, *warm)):
        yield [words, f"{warm.get(words, 0.0):.3f}", f"{cold.get(words, 0.0):.3f}"]


if __name__ == "__main__":
    main()
