"""The cost of tracking MC/DC: the same paths explored with and without it. Asserts nothing.

    python -m bench.tracking [--repetitions N] [--note TEXT] [--no-file]

`--strategy dfs --exhaustive` walks every path whatever is covered, so both explorations make the same runs. They are
measured in turns, and the best of N of each is compared. bench/README.md says more.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bench.exploration import PROGRAMS, Program
from bench.parts.prepared import all_paths
from bench.parts.results import BENCH, head, keep, make_parser
from bench.parts.tables import markdown
from tightrope.coverage.verdict import Covered
from tightrope.engines.explore import Exploration, explore
from tightrope.options.options import Options
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

WITHOUT, WITH = ("branch",), ("branch", "mcdc")
FORMS = ("masking", "unique-cause")


@dataclass(frozen=True, slots=True)
class Tracked:
    """One exploration with these criteria."""

    found: Exploration
    seconds: float

    def count(self, criterion: str) -> str:
        verdicts = [verdict for objective, verdict in self.found.ledger if objective.criterion == criterion]
        return f"{sum(isinstance(each, Covered) for each in verdicts):,} of {len(verdicts):,}"


@dataclass(frozen=True, slots=True)
class Turns:
    """Explorations without and with MC/DC, in turns."""

    pairs: tuple[tuple[Tracked, Tracked], ...]

    @property
    def without(self) -> Tracked:
        return min((one for one, _ in self.pairs), key=lambda each: each.seconds)

    @property
    def following(self) -> Tracked:
        return min((other for _, other in self.pairs), key=lambda each: each.seconds)

    @property
    def median(self) -> float:
        """Of the ratios of neighbours: a machine that slows down for a while slows down both."""
        return statistics.median(other.seconds / one.seconds for one, other in self.pairs)


def main() -> None:
    wanted = make_parser("Measure what following MC/DC costs.", repetitions=25).parse_args()
    keep("tracking", report(wanted), {}, wanted, BENCH)


def report(wanted: argparse.Namespace) -> Iterator[str]:
    yield from head("Exploring with and without MC/DC", wanted.note)
    yield f"`--strategy dfs --exhaustive --criterion branch` and `branch,mcdc` in turns; best of {wanted.repetitions}."
    yield "Aim: a ratio of 1.10 at most."
    for form in FORMS:
        yield from _of_form(form, wanted.repetitions)


def _of_form(form: str, repetitions: int) -> Iterator[str]:
    yield ""
    yield f"## `--mcdc-form {form}`"
    yield ""
    heads = ["program", "paths", "runs", "with", "covered", "seconds", "with", "ratio", "median of turns"]
    measured = {program.words: in_turns(program, form, repetitions) for program in PROGRAMS}
    rows = [_row(words, turns) for words, turns in measured.items()]
    best = [_best(turns) for turns in measured.values()]
    sums = [sum(pair[at].seconds for pair in best) for at in range(2)]
    total = [f"{sums[0]:.3f}", f"{sums[1]:.3f}", f"{sums[1] / sums[0]:.2f}"]
    yield from markdown(heads, [*rows, ["all", "", "", "", "", *total, ""]])


def _best(turns: Turns) -> tuple[Tracked, Tracked]:
    return turns.without, turns.following


def _row(words: str, turns: Turns) -> Sequence[str]:
    one, other = _best(turns)
    runs = [f"{each.found.progress.runs:,}" for each in (one, other)]
    seconds = [f"{each.seconds:.3f}" for each in (one, other)]
    ratios = [f"{other.seconds / one.seconds:.2f}", f"{turns.median:.2f}"]
    return [words, f"{one.found.paths:,}", *runs, other.count("mcdc"), *seconds, *ratios]


def in_turns(program: Program, form: str, repetitions: int) -> Turns:
    """Compiled once; worker, tables and solver are new each time."""
    one, other = (_prepare(program, criteria, form) for criteria in (WITHOUT, WITH))
    return Turns(tuple((_explore(*one), _explore(*other)) for _ in range(repetitions)))


def _prepare(program: Program, criteria: tuple[str, ...], form: str) -> tuple[PreparedUnit, Options]:
    options = replace(all_paths(program.name, program.function), criteria=criteria, mcdc_form=form)
    (target,) = options.targets
    file = prepare_file(find_compiler(), target.file, options, lambda text: None)
    return prepare_unit(file, program.function, options), options


def _explore(unit: PreparedUnit, options: Options) -> Tracked:
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            gc.collect()
            begin = time.perf_counter()
            found = explore(unit, runner, options, lambda ledger, progress: None)
            return Tracked(found, time.perf_counter() - begin)
    finally:
        worker.close()


if __name__ == "__main__":
    main()
