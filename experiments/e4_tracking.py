"""E4, paper 000 Fig. 6 and Table II: MC/DC obligations over time, tracked by the runtime or inserted as branches.

    python -m experiments.e4_tracking [--repetitions N] [--seconds S] [--max-runs N] [--only PATTERN]

*Tracking* does not change the program. *Instrumentation* (the paper's Fig. 1) adds an `if` for each obligation before
the decision, until the obligation is covered. README.md explains the tables.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.parts import plot, results, subjects
from bench.parts.explore_unit import Ready
from bench.parts.subjects import REACTIVE, Subject
from bench.parts.tables import as_csv, markdown, ratio
from bench.parts.timed import Timed, explore_timed

from tightrope.coverage.verdict import Reason, Unknown, Verdict
from tightrope.engines.explore import ExploreParts
from tightrope.search.candidate import Candidate
from tightrope.search.filtered import Filtered

TRACKED, INSTRUMENTED = "tracking", "instrumentation"
INSTRUMENTATIONS = {TRACKED: "tight", INSTRUMENTED: "direct"}
STRATEGY = "random-path"  # which side comes first depends on the seed, as in the paper
SAMPLES = 200  # of a curve


@dataclass(frozen=True, slots=True)
class Overhead:
    """All paths, or so many runs, without and with tracking, in turns."""

    pairs: tuple[tuple[Timed, Timed], ...]

    @property
    def plain(self) -> Timed:
        return min((one for one, _ in self.pairs), key=_seconds_per_run)

    @property
    def tracked(self) -> Timed:
        return min((other for _, other in self.pairs), key=_seconds_per_run)

    @property
    def median(self) -> float:
        """Of the ratios of neighbours."""
        return statistics.median(_seconds_per_run(other) / _seconds_per_run(one) for one, other in self.pairs)


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured of a program."""

    subject: Subject
    repetitions: dict[str, tuple[Timed, ...]]  # tracking, instrumentation: one for each seed
    overhead: Overhead

    @property
    def common(self) -> frozenset[str]:
        """The obligations that both can follow: a decision with a call in it is evaluated once, and no `if` before it
        can say what it will be."""
        verdicts = self.repetitions[INSTRUMENTED][0].verdicts
        return frozenset(name for name, each in verdicts.items() if not _is_not_followed(each))

    def moments(self, name: str) -> list[list[float]]:
        """For each repetition, when it covered common obligations, in order."""
        group, common = self.repetitions[name], self.common
        return [sorted(moment for one, moment in each.covered_at.items() if one in common) for each in group]

    @property
    def most(self) -> int:
        """The most common obligations that any repetition covered: what the paper takes as 100 %."""
        return max(len(moments) for name in self.repetitions for moments in self.moments(name))


def _is_not_followed(verdict: Verdict) -> bool:
    return isinstance(verdict, Unknown) and verdict.reason is Reason.NOT_FOLLOWED


def main() -> None:
    wanted = read_arguments()
    found = list(measure_all(wanted))
    further = {".csv": as_csv(list(csv_rows(found)))}
    further |= {f"-{each.subject.name}.svg": plot.draw(chart(each)) for each in found}
    results.keep("e4", report(found, wanted), further, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="E4: following MC/DC, and instrumenting for it.")
    parser.add_argument("--repetitions", type=int, default=10, metavar="N", help="seeds (default: 10)")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for an exploration (default: 60)")
    said = "for the overhead, where there are more paths (default: 2000)"
    parser.add_argument("--max-runs", type=int, default=2000, metavar="N", help=said)
    subjects.add_options(parser)
    results.add_options(parser)
    return parser.parse_args(words)


# -- measuring


def measure_all(wanted: argparse.Namespace) -> Iterator[Found]:
    for subject in subjects.choose(REACTIVE, wanted.only):
        found = measure(subject, wanted)
        words = [f"{name} {_mean_covered(each):.1f}" for name, each in found.repetitions.items()]
        print(f"{subject.name}: {', '.join(words)}", file=sys.stderr, flush=True)
        yield found


def measure(subject: Subject, wanted: argparse.Namespace) -> Found:
    units = {name: subject.prepare("mcdc", instrumentation=how) for name, how in INSTRUMENTATIONS.items()}
    seeds = range(wanted.repetitions)
    rounds = [{name: explore_seed(ready, seed, wanted.seconds) for name, ready in units.items()} for seed in seeds]
    repetitions = {name: tuple(each[name] for each in rounds) for name in units}
    return Found(subject, repetitions, measure_overhead(subject, units[TRACKED], wanted))


def explore_seed(ready: Ready, seed: int, seconds: float) -> Timed:
    parts = ExploreParts(build_filter=WhileNeeded)
    return explore_timed(ready, parts, strategy=STRATEGY, seed=seed, time_limit=seconds)


class WhileNeeded(Filtered):
    """In place of path filtering: leaves out branches to obligations that are covered already, and nothing else."""

    def _is_relevant(self, candidate: Candidate) -> bool:
        point = candidate.point
        is_label = point is not None and point != candidate.side_point
        return not is_label or bool(self.structure.missing >> point & 1)


def measure_overhead(subject: Subject, tracked: Ready, wanted: argparse.Namespace) -> Overhead:
    plain = subject.prepare("function")
    asked = {"strategy": "dfs", "exhaustive": True, "time_limit": wanted.seconds, "max_runs": wanted.max_runs}
    return Overhead(
        tuple((explore_timed(plain, **asked), explore_timed(tracked, **asked)) for _ in range(wanted.repetitions))
    )


def _seconds_per_run(found: Timed) -> float:
    return found.seconds / found.runs


def _mean_covered(found: Sequence[Timed]) -> float:
    return statistics.mean(len(each.covered) for each in found)


# -- curves (of common obligations)


def chart(found: Found) -> plot.Chart:
    moments = {name: found.moments(name) for name in found.repetitions}
    end = max(each[-1] for group in moments.values() for each in group if each)
    series = tuple(plot.Series(name, mean_curve(group, end, found.most)) for name, group in moments.items())
    title = f"{found.subject.name}: MC/DC obligations, mean of {len(moments[TRACKED])}"
    return plot.Chart(title, "seconds", "% of the most that was covered", series)


def mean_curve(group: Sequence[Sequence[float]], end: float, most: int) -> tuple[plot.Point, ...]:
    """Percent over seconds, from 0 to `end`."""
    samples = [end * at / SAMPLES for at in range(SAMPLES + 1)]
    return tuple((moment, 100 * mean_height(group, moment) / most) for moment in samples)


def mean_height(group: Sequence[Sequence[float]], moment: float) -> float:
    """How many obligations were covered by then."""
    return statistics.mean(bisect_right(each, moment) for each in group)


# -- the page


def report(found: Sequence[Found], wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("E4: following MC/DC, and instrumenting for it", wanted.note)
    yield f"`-c mcdc --whole-program --strategy {STRATEGY} --no-filter`, {wanted.repetitions} seeds, at most"
    yield f"{wanted.seconds:g} s each. Instrumentation is `--instrumentation direct`: a branch for each obligation,"
    yield "before the decision; it is no longer asked for once the obligation is covered. Decisions with calls or side"
    yield "effects in them cannot be instrumented so: `common` are the obligations that both ways follow. 100 % is the"
    yield "most of these that any repetition covered. `ended`: repetitions that had nothing left to do in time."
    yield from ("", "## Paper 000, Fig. 6: obligations over time", "")
    yield from _times(found)
    yield ""
    for each in found:
        yield f"![{each.subject.name}]({results.file_name('e4', f'-{each.subject.name}.svg')})"
    yield from ("", "## Paper 000, Table II: overhead of tracking", "")
    yield f"`--strategy dfs --exhaustive`, all paths or {wanted.max_runs:,} runs, without (`-c function`) and with"
    yield f"`-c mcdc`, in turns; the quickest of {wanted.repetitions}. A condition that is no branch brings runs of its"
    yield "own, so that times are compared by run."
    yield ""
    yield from _overheads(found)


def _times(found: Sequence[Found]) -> Iterator[str]:
    heads = ["program", "paper", "obligations", "common", "way", "mean covered", "of common", "90 % after s"]
    yield from markdown(
        [*heads, "last after s", "mean runs", "ended"],
        [_time_row(each, name) for each in found for name in each.repetitions],
    )


def _time_row(found: Found, name: str) -> list[str]:
    group, moments = found.repetitions[name], found.moments(name)
    head = [found.subject.name, found.subject.stands_for, str(len(group[0].verdicts)), str(len(found.common)), name]
    covered = [_mean_covered(group), statistics.mean(map(len, moments))]
    seconds = [_mean_moment(moments, -(-9 * found.most // 10)), _mean_last(moments)]
    runs = f"{statistics.mean(each.runs for each in group):,.0f}"
    return [*head, *(f"{count:.1f}" for count in covered), *seconds, runs, f"{_ended(group)} of {len(group)}"]


def _ended(group: Sequence[Timed]) -> int:
    """How many repetitions had nothing left to do in time."""
    return sum(each.is_whole for each in group)


def _mean_moment(group: Sequence[Sequence[float]], count: int) -> str:
    """When so many obligations were covered."""
    moments = [each[count - 1] for each in group if 0 < count <= len(each)]
    if not moments:
        return "never"
    times = "" if len(moments) == len(group) else f" ({len(moments)} of {len(group)})"
    return f"{statistics.mean(moments):.3f}{times}"


def _mean_last(group: Sequence[Sequence[float]]) -> str:
    return f"{statistics.mean(each[-1] if each else 0.0 for each in group):.3f}"


def _overheads(found: Sequence[Found]) -> Iterator[str]:
    heads = ["program", "runs", "with", "seconds", "with", "increase by run", "median of turns"]
    yield from markdown(heads, [_overhead_row(each) for each in found])


def _overhead_row(found: Found) -> list[str]:
    plain, tracked = found.overhead.plain, found.overhead.tracked
    increase = 100 * (_seconds_per_run(tracked) / _seconds_per_run(plain) - 1)
    counts = [f"{each.runs:,}" for each in (plain, tracked)]
    seconds = [f"{each.seconds:.3f}" for each in (plain, tracked)]
    return [found.subject.name, *counts, *seconds, f"{increase:.1f} %", ratio(found.overhead.median, 1.0)]


def csv_rows(found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    for each in found:
        for name, group in each.repetitions.items():
            for seed, one in enumerate(group):
                yield {"program": each.subject.name, "measured": name, "seed": seed, **_numbers(one)}
        for turn, pair in enumerate(each.overhead.pairs):
            for name, one in zip(("overhead: plain", "overhead: tracking"), pair, strict=True):
                yield {"program": each.subject.name, "measured": name, "seed": turn, **_numbers(one)}


def _numbers(found: Timed) -> dict[str, Any]:
    return {
        "objectives": len(found.verdicts),
        "covered": len(found.covered),
        "paths": found.paths,
        "runs": found.runs,
        "queries": found.queries,
        "seconds": round(found.seconds, 4),
        "last_covered": round(max(found.covered_at.values(), default=0.0), 4),
        "stop_reason": found.stop_reason.name.lower(),
        "divergences": found.divergences,
    }


if __name__ == "__main__":
    main()
