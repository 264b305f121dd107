"""E3, paper 001 Figures 4 and 5: coverage over iterations under several strategies.

    python -m experiments.e3_strategies [--jobs N] [--strategies NAME,NAME] [--repetitions N] [--filter]

For every function of the lists and each of branch and MC/DC: so many iterations (runs) from a random first input, which
is the same for every strategy with the same seed; the mean of the repetitions, summed over units. Without filtering, as
in the paper. README.md says how to read the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bench.parts import results
from bench.parts.explore_unit import Way
from bench.parts.plot import Chart, draw, line_series
from bench.parts.real_units import PROJECTS, listed_units, obtain_units
from bench.parts.tables import as_csv, markdown, number, ratio, share

from experiments import studies
from experiments.curves import Curve, area, curve_of, mean_of, sum_of
from experiments.rank_test import interval_of_ratio, mann_whitney, wilcoxon
from experiments.studies import Found, Study
from tightrope.options.options import DEFAULTS

CRITERIA = {"branch": "Branch (paper 001, Figure 4)", "mcdc": "MC/DC (paper 001, Figure 5)"}
OBJECTIVES = {"branch": "covered branches", "mcdc": "covered obligations"}
STRATEGIES = "pps,cfg-directed,rp-md2u,pps+fitness"
FIELDS = ("runs", "queries", "solver_queries", "seconds")
STOPS = (5, 10, 25, 50)  # iterations at which the table looks, and the last

OUT_OF_TIME = "some repetition ended by time"

Curves = dict[str, Curve]  # by the name of the strategy


def main() -> None:
    wanted = read_arguments()
    units, versions = obtain_units(listed_units(wanted.only), wanted.folder)
    ways, folder = make_ways(wanted), wanted.folder / "experiments" / "e3"
    every = studies.run_all([Study(unit, each, ways, folder) for unit in units for each in wanted.criteria], wanted)
    found = [with_common_seeds(each) for each in every]
    files = {".csv": as_csv(list(csv_rows(found, wanted))), **plots(found, wanted)}
    name = "e3-filtered" if wanted.filter else "e3"
    results.keep(name, report(found, versions, wanted), files, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="E3: coverage over iterations under several strategies.")
    said = f"NAME[:DEPTH][:filter]; the others are compared with the first (default: {STRATEGIES})"
    parser.add_argument("--strategies", default=STRATEGIES, metavar="NAME,NAME", help=said)
    parser.add_argument("--iterations", type=int, default=100, metavar="N", help="of a unit (default: 100)")
    parser.add_argument("--repetitions", type=int, default=30, metavar="N", help="with seeds from 0 on (default: 30)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="for one repetition (default: 20)")
    said = "once spent on a unit with one strategy, three repetitions are enough (default: no limit)"
    parser.add_argument("--unit-seconds", type=float, default=float("inf"), metavar="S", help=said)
    parser.add_argument("--filter", action="store_true", help="with path filtering")
    parser.add_argument("--criterion", dest="criteria", action="append", choices=tuple(CRITERIA), help="only this one")
    studies.add_options(parser)
    results.add_options(parser)
    wanted = parser.parse_args(words)
    wanted.folder, wanted.strategies = wanted.folder.absolute(), wanted.strategies.split(",")
    wanted.criteria = wanted.criteria or list(CRITERIA)
    return wanted


def read_way(words: str, is_filtered: bool) -> tuple[str, str, bool, dict[str, Any]]:
    """`NAME[:DEPTH][:filter]`: what is shown, the strategy, whether it is filtered, further options."""
    name, *rest = words.split(":")
    depths = [int(each) for each in rest if each.isdigit()]
    is_filtered = is_filtered or "filter" in rest
    shown = " ".join([name, *(f"s={depth}" for depth in depths), *(["filtered"] if is_filtered else [])])
    return shown, name, is_filtered, {"pps_depth": depths[0]} if depths else {}


def with_common_seeds(found: Found) -> Found:
    """Only repetitions that every way has, by seed, so that all are about the same first inputs; and no unit of which
    some repetition ended by time, since machines decide about those."""
    seeds = [{one.seed for one in explored} for explored in found.explored.values()]
    common = set.intersection(*seeds) if seeds else set()
    explored = {name: tuple(one for one in each if one.seed in common) for name, each in found.explored.items()}
    is_late = any(one.stop_reason == "TIME_LIMIT" for each in explored.values() for one in each)
    problem = found.problem or (OUT_OF_TIME if is_late else "" if common else "no seed that all have")
    return replace(found, explored=explored, problem=problem)


def make_ways(wanted: argparse.Namespace) -> tuple[Way, ...]:
    """One for each strategy; and what Tightrope does unless told otherwise, from the same random first inputs."""
    named = [read_way(words, wanted.filter) for words in wanted.strategies]
    usual = DEFAULTS["strategy"]
    return tuple(
        Way(
            shown,
            name,
            is_filtered=is_filtered,
            max_runs=wanted.iterations,
            seconds=wanted.seconds,
            seeds=tuple(range(wanted.repetitions)),
            random_start=True,
            enough_seconds=wanted.unit_seconds,
            further=further,
        )
        for shown, name, is_filtered, further in (*named, ("default", usual, True, {}))
    )


# -- curves


def unit_curves(found: Found, iterations: int) -> Curves:
    """The mean of the repetitions, for each strategy."""
    return {
        name: mean_of([curve_of(one.covered_at, iterations) for one in explored])
        for name, explored in found.explored.items()
    }


def project_curves(found: Sequence[Found], iterations: int) -> Curves:
    """The sum over units, for each strategy."""
    units = [unit_curves(each, iterations) for each in found]
    return {name: sum_of([unit[name] for unit in units]) for name in (units[0] if units else ())}


def groups(found: Sequence[Found], criterion: str) -> Iterator[tuple[str, list[Found]]]:
    """By project, then all; without what could not be explored."""
    explored = [each for each in found if each.criterion == criterion and not each.problem]
    for project in PROJECTS:
        if group := [each for each in explored if each.project == project]:
            yield project, group
    if explored:
        yield "all", explored


# -- the page and its files


def report(found: Sequence[Found], versions: dict[str, str], wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("E3: coverage over iterations under several strategies", wanted.note)
    yield f"{', '.join(f'{name} {version}' for name, version in versions.items())}. {wanted.iterations} iterations a"
    yield f"unit, {wanted.repetitions} repetitions, each from a random first input that all strategies have in common,"
    yield f"{'with' if wanted.filter else 'without'} path filtering. Ratios are to `{wanted.strategies[0]}`. Units of"
    yield f"which some repetition did not end in {wanted.seconds:g} s are left out for all strategies, and named below."
    yield f"`default` is what Tightrope does unless told otherwise: `{DEFAULTS['strategy']}` with path filtering."
    yield "Aim: the area under its curve is 20 % larger than under rp-md2u and cfg-directed (ratios of 0.83 at most)."
    yield from ("", "## In short", "")
    yield from _in_short(found, wanted)
    for criterion in wanted.criteria:
        yield from ("", f"## {CRITERIA[criterion]}")
        for name, group in groups(found, criterion):
            yield from _of_group(name, group, criterion, wanted)
    yield from studies.problem_lines(found)


RIVALS = {"rp-md2u": "26.4 %", "cfg-directed": "35.4 %"}  # in paper 001, branches: by how much pps is better
AIM = 0.83


def _in_short(found: Sequence[Found], wanted: argparse.Namespace) -> Iterator[str]:
    """All units: the areas of the rivals, over that of the first strategy."""
    heads = ["criterion", "units", "seeds", "strategy", "area, ratio", "95 % of it", "aim: at most 0.83"]
    rows = []
    for criterion in wanted.criteria:
        for _, group in list(groups(found, criterion))[-1:]:
            compared = [each for each in _compared(group, wanted.iterations) if each[0] in RIVALS]
            rows += [
                [
                    *(criterion, str(len(group)), seeds, name, area_ratio, interval),
                    *("met" if float(area_ratio) <= AIM else "**missed**", RIVALS[name]),
                ]
                for name, area_ratio, interval, seeds, *_ in compared
            ]
    yield from markdown([*heads, "paper 001: pps is better by"], rows)


def _of_group(name: str, group: Sequence[Found], criterion: str, wanted: argparse.Namespace) -> Iterator[str]:
    objectives, curves = sum(each.objectives for each in group), project_curves(group, wanted.iterations)
    yield from ("", f"### {name}: {len(group)} units, {objectives} objectives", "")
    if not wanted.no_file:
        experiment = "e3-filtered" if wanted.filter else "e3"
        yield from (f"![{name}]({results.file_name(experiment, plot_ending(criterion, name))})", "")
    stops = [stop for stop in STOPS if stop < wanted.iterations]
    heads = ["strategy", "area", "ratio", *(f"after {stop}" for stop in (1, *stops)), f"after {wanted.iterations}"]
    heads += ["covered", "ratio", "queries", "seconds", "out of time", "repetitions"]
    yield from markdown(heads, list(_rows(curves, group, objectives, (1, *stops))))
    yield from ("", *_comparisons(group, wanted.iterations))


def _rows(curves: Curves, group: Sequence[Found], objectives: int, stops: Sequence[int]) -> Iterator[list[str]]:
    first = next(iter(curves.values()))
    for name, curve in curves.items():
        heights = [number(curve[stop - 1]) for stop in stops]
        row = [name, number(area(curve)), ratio(area(curve), area(first)), *heights, number(curve[-1])]
        row += [share(curve[-1], objectives), ratio(curve[-1], first[-1])]
        row += [number(round(_mean(group, name, "queries"))), f"{_mean(group, name, 'seconds'):.1f}"]
        explored = [each.explored[name] for each in group]
        row.append(str(sum(one.stop_reason == "TIME_LIMIT" for each in explored for one in each)))
        yield [*row, f"{sum(map(len, explored)) / len(explored):.1f}"]


def _comparisons(group: Sequence[Found], iterations: int) -> Iterator[str]:
    """Areas against those of the first strategy: over units, and over seeds that all units have."""
    first = next(iter(group[0].explored))
    is_same = len({round(curve[0], 6) for curve in project_curves(group, iterations).values()}) == 1
    yield f"*After 1* is {'the same' if is_same else '**not the same**'} for all. Areas, against `{first}`:"
    yield ""
    heads = ["strategy", "ratio", "95 % of it", "seeds", "p (Mann-Whitney, seeds)", "p (Wilcoxon, seeds)"]
    yield from markdown([*heads, "units better / worse", "p (Wilcoxon, units)"], _compared(group, iterations))


def _compared(group: Sequence[Found], iterations: int) -> list[list[str]]:
    """A row for each strategy but the first."""
    first, *others = group[0].explored
    before, rows = _areas(group, first, iterations), []
    for name in others:
        after = _areas(group, name, iterations)
        units = [(sum(after[unit].values()), sum(before[unit].values())) for unit in after]
        seeds = sorted(set.intersection(*(set(each) for each in after.values())))
        totals = [[sum(each[seed] for each in areas.values()) for seed in seeds] for areas in (after, before)]
        low, high = interval_of_ratio(list(zip(*totals, strict=True))) if seeds else (0.0, 0.0)
        better, worse = sum(one > other for one, other in units), sum(one < other for one, other in units)
        row = [name, ratio(sum(totals[0]), sum(totals[1])), f"{low:.3f} to {high:.3f}", str(len(seeds))]
        row += [f"{mann_whitney(*totals):.4f}", f"{wilcoxon([a - b for a, b in zip(*totals, strict=True)]):.4f}"]
        rows.append([*row, f"{better} / {worse}", f"{wilcoxon([a - b for a, b in units]):.4f}"])
    return rows


def _areas(group: Sequence[Found], way: str, iterations: int) -> dict[str, dict[int, float]]:
    """By unit and seed, the area under the curve."""
    return {
        each.name: {one.seed: area(curve_of(one.covered_at, iterations)) for one in each.explored[way]}
        for each in group
    }


def _mean(group: Sequence[Found], way: str, field: str) -> float:
    """Over the repetitions, summed over units."""
    values = [[float(getattr(one, field)) for one in each.explored[way]] for each in group]
    return sum(sum(repetitions) / len(repetitions) for repetitions in values)


def plots(found: Sequence[Found], wanted: argparse.Namespace) -> dict[str, str]:
    """Ending of the file -> its text."""
    return {
        plot_ending(criterion, name): draw(
            Chart(
                f"{name}: {len(group)} units, {criterion}",
                "iterations of each unit",
                OBJECTIVES[criterion],
                tuple(line_series(*each) for each in project_curves(group, wanted.iterations).items()),
            )
        )
        for criterion in wanted.criteria
        for name, group in groups(found, criterion)
    }


def plot_ending(criterion: str, project: str) -> str:
    return f"-{criterion}-{project}.svg"


def csv_rows(found: Sequence[Found], wanted: argparse.Namespace) -> Iterator[dict[str, object]]:
    """One row for each unit, criterion and strategy, with the means of the repetitions."""
    for each in found:
        about = {"unit": each.name, "criterion": each.criterion, "objectives": each.objectives}
        about |= {"decisions": each.decisions, "problem": each.problem}
        if each.problem:
            yield about
            continue
        for way, curve in unit_curves(each, wanted.iterations).items():
            heights = {f"after {stop}": round(curve[stop - 1], 2) for stop in (1, *STOPS) if stop < len(curve)}
            means = {field: round(_mean([each], way, field), 3) for field in FIELDS}
            explored = each.explored[way]
            decisions = sum(len(one.decisions_at) for one in explored) / len(explored)
            last = {f"after {len(curve)}": round(curve[-1], 2), "covered decisions": round(decisions, 2)}
            yield about | {"strategy": way, "area": round(area(curve), 2)} | heights | last | means


if __name__ == "__main__":
    main()
