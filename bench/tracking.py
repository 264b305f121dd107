"""What following MC/DC costs: the same paths explored with it and without. Asserts nothing.

    python bench/tracking.py [--repetitions N] [--note TEXT] [--no-file]

`--strategy dfs --exhaustive` walks every path whatever is covered, so both explorations make the same runs. They are
measured in turns, and the best of N of each is compared. bench/README.md says more.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from exploration import PROGRAMS, Program
from prepared import all_paths, loaded
from run import RESULTS, surroundings, table

from tightrope.explore import Exploration, explore
from tightrope.objectives.verdict import Covered

WITHOUT, WITH = ("branch",), ("branch", "mcdc")
FORMS = ("masking", "unique-cause")


@dataclass(frozen=True, slots=True)
class Tracked:
    """The quickest exploration of one program with these criteria."""

    found: Exploration
    seconds: float

    def count(self, criterion: str) -> str:
        verdicts = [verdict for objective, verdict in self.found.ledger if objective.criterion == criterion]
        return f"{sum(isinstance(each, Covered) for each in verdicts):,} of {len(verdicts):,}"


def main() -> None:
    wanted = read_arguments()
    lines: list[str] = []
    for line in report(wanted):
        print(line, flush=True)
        lines.append(line)
    if not wanted.no_file:
        file = RESULTS / f"{datetime.date.today().isoformat()}-tracking.md"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what following MC/DC costs.")
    parser.add_argument("--repetitions", type=int, default=9, metavar="N", help="the best of N counts (default: 9)")
    parser.add_argument("--note", default="", metavar="TEXT", help="a sentence to keep with the result")
    parser.add_argument("--no-file", action="store_true", help="only print")
    return parser.parse_args()


def report(wanted: argparse.Namespace) -> Iterator[str]:
    yield f"# Exploring with and without MC/DC, {datetime.date.today().isoformat()}"
    yield ""
    yield from surroundings()
    if wanted.note:
        yield f"- {wanted.note}"
    yield ""
    yield f"`--strategy dfs --exhaustive --criterion branch` and `branch,mcdc` in turns; best of {wanted.repetitions}."
    yield "Aim: a ratio of 1.10 at most."
    for form in FORMS:
        yield from _of_form(form, wanted.repetitions)


def _of_form(form: str, repetitions: int) -> Iterator[str]:
    yield ""
    yield f"## `--mcdc-form {form}`"
    yield ""
    heads = ["program", "paths", "paths with", "runs", "runs with", "covered", "seconds", "seconds with", "ratio"]
    rows, sums = [], [0.0, 0.0]
    for program in PROGRAMS:
        without, following = in_turns(program, form, repetitions)
        rows.append(_row(program, without, following))
        sums = [sums[0] + without.seconds, sums[1] + following.seconds]
    total = [f"{sums[0]:.3f}", f"{sums[1]:.3f}", f"{sums[1] / sums[0]:.2f}"]
    yield from table(heads, [*rows, ["all", "", "", "", "", "", *total]])


def _row(program: Program, without: Tracked, following: Tracked) -> Sequence[str]:
    pairs = [f"{each.found.paths:,}" for each in (without, following)]
    pairs += [f"{each.found.progress.runs:,}" for each in (without, following)]
    seconds = [f"{each.seconds:.3f}" for each in (without, following)]
    return [program.words, *pairs, following.count("mcdc"), *seconds, f"{following.seconds / without.seconds:.2f}"]


def in_turns(program: Program, form: str, repetitions: int) -> tuple[Tracked, Tracked]:
    """The best of each; what disturbs the machine for a while disturbs both."""
    measured = [(_once(program, WITHOUT, form), _once(program, WITH, form)) for _ in range(repetitions)]
    one, other = zip(*measured, strict=True)
    return min(one, key=lambda each: each.seconds), min(other, key=lambda each: each.seconds)


def _once(program: Program, criteria: tuple[str, ...], form: str) -> Tracked:
    options = replace(all_paths(program.name, program.function), criteria=criteria, mcdc_form=form)
    with loaded(options) as (unit, runner):
        gc.collect()
        start = time.perf_counter()
        found = explore(unit, runner, options, lambda ledger, progress: None)
        return Tracked(found, time.perf_counter() - start)


if __name__ == "__main__":
    main()
