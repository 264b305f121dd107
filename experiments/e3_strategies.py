"""E3, paper 001 Figures 4 and 5: coverage over iterations under several strategies.

    python -m experiments.e3_strategies [--jobs N] [--strategies NAME,NAME] [--repetitions N] [--filter]

For every function of the lists and each of branch and MC/DC: so many iterations (runs) from a random first input, which
is the same for every strategy with the same seed; the mean of the repetitions, summed over units. Without filtering, as
in the paper. README.md says how to read the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from bench.parts import results
from bench.parts.explore_unit import Way
from bench.parts.plot import Chart, draw, line_series
from bench.parts.real_units import PROJECTS, listed_units, obtain_units
from bench.parts.tables import as_csv, markdown, number, ratio, share

from experiments import studies
from experiments.curves import Curve, area, curve_of, mean_of, sum_of
from experiments.studies import Found, Study
from tightrope.options.options import DEFAULTS

CRITERIA = {"branch": "Branch (paper 001, Figure 4)", "mcdc": "MC/DC (paper 001, Figure 5)"}
OBJECTIVES = {"branch": "covered branches", "mcdc": "covered obligations"}
STRATEGIES = "pps,cfg-directed,rp-md2u,pps+fitness"
FIELDS = ("runs", "queries", "solver_queries", "seconds")
STOPS = (5, 10, 25, 50)  # iterations at which the table looks, and the last

Curves = dict[str, Curve]  # by the name of the strategy


def main() -> None:
    wanted = read_arguments()
    units, versions = obtain_units(listed_units(wanted.only), wanted.folder)
    ways, folder = make_ways(wanted), wanted.folder / "experiments" / "e3"
    found = studies.run_all([Study(unit, each, ways, folder) for unit in units for each in wanted.criteria], wanted)
    files = {".csv": as_csv(list(csv_rows(found, wanted))), **plots(found, wanted)}
    name = "e3-filtered" if wanted.filter else "e3"
    results.keep(name, report(found, versions, wanted), files, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="E3: coverage over iterations under several strategies.")
    said = f"the others are compared with the first (default: {STRATEGIES})"
    parser.add_argument("--strategies", default=STRATEGIES, metavar="NAME,NAME", help=said)
    parser.add_argument("--iterations", type=int, default=100, metavar="N", help="of a unit (default: 100)")
    parser.add_argument("--repetitions", type=int, default=30, metavar="N", help="with seeds from 0 on (default: 30)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="for one repetition (default: 20)")
    said = "once spent on a unit with one strategy, three repetitions are enough (default: 30)"
    parser.add_argument("--unit-seconds", type=float, default=30.0, metavar="S", help=said)
    parser.add_argument("--filter", action="store_true", help="with path filtering")
    parser.add_argument("--criterion", dest="criteria", action="append", choices=tuple(CRITERIA), help="only this one")
    studies.add_options(parser)
    results.add_options(parser)
    wanted = parser.parse_args(words)
    wanted.folder, wanted.strategies = wanted.folder.absolute(), wanted.strategies.split(",")
    wanted.criteria = wanted.criteria or list(CRITERIA)
    return wanted


def make_ways(wanted: argparse.Namespace) -> tuple[Way, ...]:
    """One for each strategy; and what Tightrope does unless told otherwise, from the same random first inputs."""
    named = [(f"{name} filtered" if wanted.filter else name, name, wanted.filter) for name in wanted.strategies]
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
        )
        for shown, name, is_filtered in (*named, ("default", usual, True))
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
    yield f"unit, {wanted.repetitions} repetitions, each from a random first input; fewer, but at least three, where"
    yield f"they took more than {wanted.unit_seconds:g} s together (column `repetitions`: the mean over units);"
    yield f"{'with' if wanted.filter else 'without'} path filtering. Ratios are to `{wanted.strategies[0]}`."
    yield f"`default` is what Tightrope does unless told otherwise: `{DEFAULTS['strategy']}` with path filtering."
    yield "Aim: the area under its curve is 20 % larger than under rp-md2u and cfg-directed (ratios of 0.83 at most)."
    for criterion in wanted.criteria:
        yield from ("", f"## {CRITERIA[criterion]}")
        for name, group in groups(found, criterion):
            yield from _of_group(name, group, criterion, wanted)
    yield from studies.problem_lines(found)


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
