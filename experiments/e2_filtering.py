"""E2, paper 001 Tables I and II: depth-first search without and with path filtering.

    python -m experiments.e2_filtering [--jobs N] [--max-runs N] [--seconds S] [--only PATTERN] [--all-paths]

For every function of the lists and each of branch and MC/DC: iterations (runs), solved constraints (queries), coverage.
Both ways start from Tightrope's first input and have the same budget; README.md says how to read the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.parts import results
from bench.parts.explore_unit import Explored, Way
from bench.parts.real_units import PROJECTS, listed_units, obtain_units
from bench.parts.tables import as_csv, markdown, number, saved, share

from experiments import studies
from experiments.studies import Found, Study

CRITERIA = {"branch": "Branch (paper 001, Table I)", "mcdc": "MC/DC (paper 001, Table II)"}
DFS, FILTERED, ALL_PATHS = "dfs", "filtered dfs", "dfs, all paths"


def main() -> None:
    wanted = read_arguments()
    units, versions = obtain_units(listed_units(wanted.only), wanted.folder)
    ways = make_ways(wanted)
    folder = wanted.folder / "experiments" / "e2"
    found = studies.run_all([Study(unit, each, ways, folder) for unit in units for each in wanted.criteria], wanted)
    results.keep("e2", report(found, versions, wanted), {".csv": as_csv(list(csv_rows(found)))}, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="E2: depth-first search without and with path filtering.")
    parser.add_argument("--max-runs", type=int, default=2000, metavar="N", help="of a unit (default: 2000)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="for a unit (default: 20)")
    parser.add_argument("--all-paths", action="store_true", help="also dfs that goes on when everything is covered")
    parser.add_argument("--criterion", dest="criteria", action="append", choices=tuple(CRITERIA), help="only this one")
    studies.add_options(parser)
    results.add_options(parser)
    wanted = parser.parse_args(words)
    wanted.folder = wanted.folder.absolute()
    wanted.criteria = wanted.criteria or list(CRITERIA)
    return wanted


def make_ways(wanted: argparse.Namespace) -> tuple[Way, ...]:
    budget = {"max_runs": wanted.max_runs, "seconds": wanted.seconds}
    ways = (Way(DFS, "dfs", **budget), Way(FILTERED, "dfs", is_filtered=True, **budget))
    return (*ways, Way(ALL_PATHS, "dfs", further={"exhaustive": True}, **budget)) if wanted.all_paths else ways


# -- the page


def report(found: Sequence[Found], versions: dict[str, str], wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("E2: depth-first search without and with path filtering", wanted.note)
    yield f"{', '.join(f'{name} {version}' for name, version in versions.items())}. `--strategy dfs`, `--no-filter` and"
    yield f"filtered; at most {wanted.max_runs:,} runs a unit. Units of which some way was stopped by the clock, after"
    yield f"{wanted.seconds:g} s, are left out for all ways, and named below: machines would decide about them."
    yield "Aim: filtering saves 50 % of iterations and 60 % of solved constraints, at no lower coverage."
    found = [without_late(each) for each in found]
    yield from ("", "## In short", "")
    yield from _in_short(found, wanted.criteria)
    for criterion in wanted.criteria:
        about = [each for each in found if each.criterion == criterion]
        yield from ("", f"## {CRITERIA[criterion]}", "")
        yield from _of_criterion(about, criterion)
    yield from studies.problem_lines(found)


def without_late(found: Found) -> Found:
    """A unit has a problem if the clock ended one of its searches."""
    late = [
        way for way, explored in found.explored.items() if any(each.stop_reason == "TIME_LIMIT" for each in explored)
    ]
    return replace(found, problem=f"out of time: {', '.join(late)}") if late and not found.problem else found


PAPER = {  # paper 001, Tables I and II: iterations and constraints of dfs and filtered dfs, sums over five projects
    "branch": (4636, 3359, 40016, 26482),
    "mcdc": (5846, 4308, 52525, 37203),
}
AIMS = (0.5, 0.6)


def _in_short(found: Sequence[Found], criteria: Sequence[str]) -> Iterator[str]:
    heads = ["criterion", "against", "units", "iterations saved", "aim: 50 %", "queries saved", "aim: 60 %"]
    heads += ["coverage lower in", "aim: none", "paper 001: iterations", "constraints"]
    rows = [
        _short_row(criterion, before, [each for each in found if each.criterion == criterion and not each.problem])
        for criterion in criteria
        for before in (DFS, ALL_PATHS)
    ]
    yield from markdown(heads, [row for row in rows if row])


def _short_row(criterion: str, before: str, group: Sequence[Found]) -> list[str]:
    if not group or before not in group[0].explored:
        return []
    row = [criterion, before, str(len(group))]
    for field, aim in zip(("runs", "queries"), AIMS, strict=True):
        one, other = (_total(group, way, field) for way in (before, FILTERED))
        row += [saved(one, other), "met" if one - other >= aim * one else "**missed**"]
    lower = sum(each.explored[FILTERED][0].covered < each.explored[before][0].covered for each in group)
    paper = PAPER[criterion]
    return [*row, str(lower), "**missed**" if lower else "met", saved(*paper[:2]), saved(*paper[2:])]


def _of_criterion(found: Sequence[Found], criterion: str) -> Iterator[str]:
    explored = [each for each in found if not each.problem]
    yield from _counts(explored)
    yield ""
    yield from _coverage(explored, criterion)
    yield from _lower(explored)
    if explored and ALL_PATHS in explored[0].explored:
        yield from ("", f"`{ALL_PATHS}` against `{FILTERED}`:", "")
        yield from _counts(explored, ALL_PATHS)


def _groups(found: Sequence[Found]) -> Iterator[tuple[str, list[Found]]]:
    for project in PROJECTS:
        if group := [each for each in found if each.project == project]:
            yield project, group
    yield "all", list(found)


def _counts(found: Sequence[Found], before: str = DFS) -> Iterator[str]:
    """Iterations, queries, those of them that reached the solver; each before, after and what was saved."""
    heads = ["project", "units", "iterations", "filtered", "saved", "queries", "filtered", "saved"]
    heads += ["of the solver", "filtered", "saved", "seconds", "filtered"]
    done = [each for each in found if not is_out_of_budget(each.explored[FILTERED][0])]
    both = [each for each in done if not is_out_of_budget(each.explored[before][0])]
    groups = [*_groups(found), ("all that filtered finishes", done), ("all that both finish", both)]
    rows = [_count_row(name, group, before) for name, group in groups]
    yield from markdown(heads, [*rows, _row_to_same_coverage(found, before)])


def _count_row(name: str, group: Sequence[Found], before: str) -> list[str]:
    row = [name, str(len(group))]
    for field in ("runs", "queries", "solver_queries"):
        one, other = (_total(group, way, field) for way in (before, FILTERED))
        row += [number(one), number(other), saved(one, other)]
    return [*row, *(f"{_total(group, way, 'seconds'):.0f}" for way in (before, FILTERED))]


def _total(group: Sequence[Found], way: str, field: str) -> float:
    return sum(float(getattr(each.explored[way][0], field)) for each in group)


def _row_to_same_coverage(found: Sequence[Found], before: str) -> list[str]:
    """What it took until as many objectives were covered as both ways cover in the end."""
    pairs = [(each.explored[before][0], each.explored[FILTERED][0]) for each in found]
    row = ["all, to the same coverage", str(len(pairs))]
    for field in ("covered_at", "queries_at", "solver_queries_at"):
        one, other = (sum(_when_both(pair, at, field) for pair in pairs) for at in range(2))
        row += [number(one), number(other), saved(one, other)]
    return [*row, "", ""]


def _when_both(pair: tuple[Explored, Explored], at: int, field: str) -> int:
    count = min(each.covered for each in pair)
    return int(getattr(pair[at], field)[count - 1]) if count else 0


def _coverage(found: Sequence[Found], criterion: str) -> Iterator[str]:
    is_about_decisions = criterion == "mcdc"
    heads = ["project", "obligations" if is_about_decisions else "branches", "covered", "filtered"]
    heads += ["with a verdict", "filtered", "units out of budget", "filtered"]
    heads += ["decisions", "covered", "filtered"] if is_about_decisions else []
    rows = [_coverage_row(name, group, is_about_decisions) for name, group in _groups(found)]
    yield from markdown(heads, rows)


def _coverage_row(name: str, group: Sequence[Found], is_about_decisions: bool) -> list[str]:
    objectives = sum(each.objectives for each in group)
    firsts = [[each.explored[way][0] for each in group] for way in (DFS, FILTERED)]
    row = [name, str(objectives)]
    row += [share(sum(each.covered for each in explored), objectives) for explored in firsts]
    row += [share(sum(each.covered + each.infeasible for each in explored), objectives) for explored in firsts]
    row += [str(sum(is_out_of_budget(each) for each in explored)) for explored in firsts]
    if is_about_decisions:
        decisions = sum(each.decisions for each in group)
        row += [str(decisions)]
        row += [share(sum(len(each.decisions_at) for each in explored), decisions) for explored in firsts]
    return row


def is_out_of_budget(explored: Explored) -> bool:
    return explored.stop_reason in ("TIME_LIMIT", "RUN_LIMIT")


def _lower(found: Sequence[Found]) -> Iterator[str]:
    """Where filtering covers less: there should be none."""
    covered = [(each.name, each.explored[DFS][0].covered, each.explored[FILTERED][0].covered) for each in found]
    lower = [f"{name} ({one}, filtered {other})" for name, one, other in covered if other < one]
    higher = sum(other > one for _, one, other in covered)
    yield ""
    yield f"Filtering covers more in {higher} units and less in {len(lower)}{': ' if lower else ''}{', '.join(lower)}."


def csv_rows(found: Sequence[Found]) -> Iterator[dict[str, object]]:
    for each in found:
        about = {"unit": each.name, "criterion": each.criterion, "objectives": each.objectives}
        about |= {"decisions": each.decisions, "problem": each.problem}
        if each.problem:
            yield about
        for way, explored in each.explored.items():
            yield from (about | {"way": way} | _numbers(one) for one in explored)


def _numbers(one: Explored) -> dict[str, object]:
    plain = ("infeasible", "runs", "queries", "solver_queries", "candidates", "filtered", "divergences", "stop_reason")
    covered = {"covered": one.covered, "covered_decisions": len(one.decisions_at), "seconds": round(one.seconds, 3)}
    return covered | {name: getattr(one, name) for name in plain}


if __name__ == "__main__":
    main()
