"""MC/DC of every program of E1 and E4, with Tightrope as it comes: covered, infeasible, or unknown and why.

python -m experiments.mcdc_verdicts [--seconds S] [--only PATTERN] [--engine NAME] [--strategy NAME]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from bench.parts import results, subjects
from bench.parts.subjects import LABELS, REACTIVE, Subject
from bench.parts.tables import as_csv, markdown
from bench.parts.timed import Timed, explore_timed

from tightrope.coverage.verdict import Covered, Infeasible, Unknown
from tightrope.options.choices import ENGINES
from tightrope.options.options import DEFAULTS
from tightrope.search.strategies import STRATEGIES

Found = list[tuple[Subject, Timed]]


def main() -> None:
    wanted = read_arguments()
    found = list(measure_all(wanted))
    results.keep("mcdc", report(found, wanted), {".csv": as_csv(list(csv_rows(found)))}, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="MC/DC of every program of E1 and E4.")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for a program (default: 60)")
    parser.add_argument("--engine", default=DEFAULTS["engine"], choices=tuple(ENGINES))
    parser.add_argument("--strategy", default=DEFAULTS["strategy"], choices=tuple(STRATEGIES))
    subjects.add_options(parser)
    results.add_options(parser)
    return parser.parse_args(words)


def measure_all(wanted: argparse.Namespace) -> Iterator[tuple[Subject, Timed]]:
    everything = list(dict.fromkeys((*LABELS, *REACTIVE)))
    for subject in subjects.choose(everything, wanted.only):
        ready = subject.prepare("mcdc", engine=wanted.engine)
        found = explore_timed(ready, time_limit=wanted.seconds, strategy=wanted.strategy)
        print(f"{subject.name}: {found.verdict_counts}, {found.seconds:.2f} s", file=sys.stderr, flush=True)
        yield subject, found


def report(found: Found, wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("MC/DC of the programs of E1 and E4", wanted.note)
    options = f"--engine {wanted.engine} --strategy {wanted.strategy} --time-limit {wanted.seconds:g}"
    yield f"`-c mcdc --whole-program {options}`."
    yield ""
    heads = ["program", "paper", "lines", "objectives", "covered", "infeasible", "unknown", "runs", "queries", "s"]
    yield from markdown([*heads, "ended because"], [_row(*each) for each in found])
    yield from _unknown(found)


def _row(subject: Subject, found: Timed) -> list[str]:
    verdicts = [str(found.count(kind)) for kind in (Covered, Infeasible, Unknown)]
    counts = [f"{found.runs:,}", f"{found.queries:,}", f"{found.seconds:.2f}"]
    head = [subject.name, subject.stands_for, str(subject.lines), str(len(found.verdicts))]
    return [*head, *verdicts, *counts, found.stop_reason.value]


def _unknown(found: Found) -> Iterator[str]:
    """Each by name."""
    for subject, one in found:
        unknown = {name: verdict for name, verdict in one.verdicts.items() if isinstance(verdict, Unknown)}
        if unknown:
            yield from ("", f"Unknown in {subject.name}:", "")
            yield from (f"- `{name}`: {each.sentence or each.reason.sentence}" for name, each in unknown.items())


def csv_rows(found: Found) -> Iterator[dict[str, Any]]:
    for subject, one in found:
        for name, verdict in one.verdicts.items():
            why = verdict.reason.word if isinstance(verdict, Unknown) else ""
            proof = verdict.proof.value if isinstance(verdict, Infeasible) else ""
            yield {"program": subject.name, "objective": name, "verdict": verdict.word, "why": why or proof}


if __name__ == "__main__":
    main()
