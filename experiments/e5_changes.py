"""E5, paper 000 Table III: tests for the objectives that a change may affect, compared with tests for all objectives.

    python -m experiments.e5_changes [--repetitions N] [--seconds S] [--only PATTERN]

Two searches of the new version: *directed*, for the MC/DC objectives that the change may affect, and *full*, for all.
README.md says how to read the tables.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from typing import Any

from bench.parts import results
from bench.parts.tables import as_csv, markdown, number, share

from experiments.change_search import DIRECTED, FULL, SETTINGS, Asked, Found, Searched, measure
from experiments.seeded_changes import SeededChange, read_changes
from tightrope.coverage.verdict import Covered, Infeasible, Unknown

AIM = 0.2  # of runs and seconds
TESTED, USUAL = "old tests first", "search first"  # settings
PAPER = {  # states and seconds: DiSE, then standard symbolic execution
    "V1": (42, 4, 695, 47),
    "V2": (166, 12, 679, 44),
    "V3": (325, 24, 837, 55),
    "V4": (52, 3, 743, 51),
    "V5": (197, 15, 763, 53),
}


def runs(searched: Searched) -> float:
    return searched.runs


def queries(searched: Searched) -> float:
    return searched.queries


def seconds(searched: Searched) -> float:
    return searched.seconds


def last_covering(searched: Searched) -> float:
    return searched.last_covering


def taken_back(searched: Searched) -> float:
    return len(searched.alike)


MEASURES = (runs, queries, seconds)


def main() -> None:
    wanted = read_arguments()
    found = list(measure_all(wanted))
    name = "-".join(["e5", *(each.replace(" ", "-") for each in wanted.setting or ())])
    results.keep(name, report(found, wanted), {".csv": as_csv(list(csv_rows(found)))}, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="E5: tests for what a change may have broken.")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N", help="seeds (default: 5)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="for a search (default: 20)")
    parser.add_argument("--setting", action="append", choices=SETTINGS, help="only this one (default: all)")
    parser.add_argument("--no-diff", action="store_true", help="do not look for inputs that tell versions apart")
    parser.add_argument("--no-formula", action="store_true", help="no formula takes back what dependences lead to")
    said = "such as 'V*', C3, collision"
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help=said)
    results.add_options(parser)
    wanted = parser.parse_args(words)
    wanted.settings = tuple(wanted.setting or SETTINGS)
    return wanted


def measure_all(wanted: argparse.Namespace) -> Iterator[Found]:
    for change in choose(wanted.only):
        asked = Asked(
            wanted.repetitions,
            wanted.seconds,
            wanted.settings,
            change.name in PAPER,
            not wanted.no_diff,
            not wanted.no_formula,
        )
        found = measure(change, asked)
        ratios = ", ".join(f"{setting} {percent(found.ratio(setting, runs))}" for setting in wanted.settings)
        words = f"{len(found.impacted)} of {found.objectives} impacted; runs: {ratios}"
        print(f"{change.name} {change.program}: {words}; told apart {len(found.differences)} times", file=sys.stderr)
        yield found


def choose(only: Sequence[str]) -> list[SeededChange]:
    return [
        change
        for change in read_changes()
        if not only or any(fnmatch(name, pattern) for name in (change.name, change.program) for pattern in only)
    ]


# -- the page


def report(found: Sequence[Found], wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("E5: tests for what a change may have broken", wanted.note)
    yield f"`-c mcdc --whole-program`, {wanted.repetitions} seeds, at most {wanted.seconds:g} s for a search; means"
    yield "over the seeds. *Directed* is for the impacted objectives of the new version, *full* for all of them."
    yield "Seconds are of a processor. Aim: at most 20 % of the runs and of the seconds on average, like for like, and"
    yield "all impacted objectives covered that can be covered."
    yield from ("", "## What is impacted", "")
    yield from _impacts(found, wanted.settings)
    yield from ("", "## In short", "")
    yield from _in_short(found, wanted.settings)
    yield from ("", "## Beside paper 000, Table III", "")
    yield from _beside_paper([each for each in found if each.change.name in PAPER], wanted.settings)
    for setting in wanted.settings:
        yield from ("", f"## {setting.capitalize()}", "")
        yield from _costs(found, setting)
        yield ""
        yield from _verdicts(found, setting)
    if not wanted.no_diff:
        yield from ("", "## Inputs that tell the versions apart", "")
        yield from _differences(found)


def _impacts(found: Sequence[Found], settings: Sequence[str]) -> Iterator[str]:
    """What dependences lead to, what a formula takes back of it, and what it costs."""
    yield "*Impacted*: dependences lead there from the change. Where a directed search takes long, a formula of both"
    yield "versions may take some back that are still open: the same inputs hit them. For each setting: how many, and"
    yield "the seconds of the formula, which are among those of the search."
    yield ""
    heads = ["change", "program", "objectives", "impacted", "share"]
    heads += [f"{setting}: {word}" for setting in settings for word in ("taken back", "seconds")]
    yield from markdown(heads, [_impact_row(each, settings) for each in found])
    yield ""
    part = statistics.mean(len(each.impacted) / each.objectives for each in found)
    yield f"On average, {percent(part)} of the objectives depend on the change. What a formula leaves of them:"
    lefts = [statistics.mean(_left(each, setting) / each.objectives for each in found) for setting in settings]
    yield ", ".join(f"{percent(left)} ({setting})" for left, setting in zip(lefts, settings, strict=True)) + "."


def _left(found: Found, setting: str) -> float:
    """Impacted objectives without those that the formula of a directed search took back."""
    return len(found.impacted) - found.mean(setting, DIRECTED, taken_back)


def _impact_row(each: Found, settings: Sequence[str]) -> list[str]:
    cells = [str(each.objectives), str(len(each.impacted)), share(len(each.impacted), each.objectives)]
    for setting in settings:
        seconds = each.mean(setting, DIRECTED, lambda searched: searched.formula_seconds)
        cells += [number(each.mean(setting, DIRECTED, taken_back)), f"{seconds:.2f}"]
    return [each.change.name, each.change.program, *cells]


def _in_short(found: Sequence[Found], settings: Sequence[str]) -> Iterator[str]:
    """Mean ratios of all changes for each setting, and what somebody saves who has tests of the old version."""
    heads = ["compared", *(of.__name__ for of in MEASURES), "aim"]
    lines = [[setting, *_short_cells([(each, setting, setting) for each in found])] for setting in settings]
    if {TESTED, USUAL} <= set(settings):
        words = f"directed, {TESTED}; full, {USUAL}, without tests"
        lines.append([words, *_short_cells([(each, TESTED, USUAL) for each in found])])
    yield from markdown(heads, lines)
    yield ""
    part = statistics.mean(len(each.impacted) / each.objectives for each in found)
    yield f"Of the objectives, {percent(part)} are impacted, on average. The last row does not compare like with like:"
    yield "it is what `tightrope diff` with an earlier suite costs, beside `tightrope generate` without one."


def _short_cells(compared: Sequence[tuple[Found, str, str]]) -> list[str]:
    """Mean ratios, directed by full, each of a setting."""
    means = [statistics.mean(_ratio(each, one, other, of) for each, one, other in compared) for of in MEASURES]
    is_met = means[0] <= AIM and means[-1] <= AIM
    return [*map(percent, means), "met" if is_met else "**missed**"]


def _ratio(found: Found, directed: str, full: str, of: Callable[[Searched], float]) -> float:
    whole = found.mean(full, FULL, of)
    return found.mean(directed, DIRECTED, of) / whole if whole else 1.0


def _beside_paper(found: Sequence[Found], settings: Sequence[str]) -> Iterator[str]:
    yield "The paper's states and seconds (DiSE, then standard symbolic execution, of all paths), and our runs."
    yield ""
    heads = ["version", "kind", "DiSE states", "SE states", "ratio", "DiSE s", "SE s", "ratio", "all paths"]
    ours = [f"{setting}: {word}" for setting in settings for word in ("directed", "full", "ratio")]
    yield from markdown([*heads, *ours], [_beside(each, settings) for each in found])


def _beside(found: Found, settings: Sequence[str]) -> list[str]:
    states, time, all_states, all_time = PAPER[found.change.name]
    paper = [str(states), str(all_states), share(states, all_states), str(time), str(all_time), share(time, all_time)]
    ours = [cell for setting in settings for cell in _pair(found, setting, runs)]
    every = number(found.every_path.runs) if found.every_path else "-"
    return [found.change.name, found.change.kind, *paper, every, *ours]


def _pair(found: Found, setting: str, of: Callable[[Searched], float]) -> list[str]:
    """Directed, full, ratio."""
    means = [found.mean(setting, way, of) for way in (DIRECTED, FULL)]
    shown = [f"{mean:.2f}" if of is seconds else number(mean) for mean in means]
    return [*shown, percent(found.ratio(setting, of))]


def percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _costs(found: Sequence[Found], setting: str) -> Iterator[str]:
    heads = ["change", "program", "kind", "objectives", "impacted"]
    named = [f"{of.__name__}{way}" for of in MEASURES for way in ("", " full", " ratio")]
    yield from markdown([*heads, *named, "ended", "full"], [_cost_row(each, setting) for each in found])
    yield ""
    groups = {"V1 to V5": [each for each in found if each.change.name in PAPER]}
    groups["the others"] = [each for each in found if each.change.name not in PAPER]
    groups["all"] = list(found)
    groups["all whose directed searches ended"] = [each for each in found if has_ended(each, setting)]
    heads = [
        "",
        "changes",
        *(f"{what} of {of.__name__}" for of in MEASURES for what in ("mean ratio", "ratio of sums")),
    ]
    yield from markdown(heads, [_mean_row(name, each, setting) for name, each in groups.items() if each])
    yield from _cut_off(found, setting)


def has_ended(found: Found, setting: str) -> bool:
    """Whether no directed search was cut off. One that was has few runs because it is not done."""
    return all(each.is_whole for each in found.searched[setting, DIRECTED])


def _cut_off(found: Sequence[Found], setting: str) -> Iterator[str]:
    names = [each.change.name for each in found if not has_ended(each, setting)]
    if names:
        yield ""
        yield f"Directed searches of {', '.join(names)} were cut off by the time limit: their runs are those of work"
        yield "that is not done, and their ratios say nothing about what is saved."


def _cost_row(found: Found, setting: str) -> list[str]:
    head = [found.change.name, found.change.program, found.change.kind, str(found.objectives), str(len(found.impacted))]
    ended = [f"{_ended(found.searched[setting, way])}" for way in (DIRECTED, FULL)]
    return [*head, *(cell for of in MEASURES for cell in _pair(found, setting, of)), *ended]


def _ended(group: Sequence[Searched]) -> str:
    """How many repetitions had nothing left to do in time."""
    return f"{sum(each.is_whole for each in group)} of {len(group)}"


def _mean_row(name: str, found: Sequence[Found], setting: str) -> list[str]:
    ratios = [ratio(found, setting, of) for of in MEASURES for ratio in (mean_ratio, _ratio_of_sums)]
    return [name, str(len(found)), *map(percent, ratios)]


def mean_ratio(found: Sequence[Found], setting: str, of: Callable[[Searched], float]) -> float:
    return statistics.mean(each.ratio(setting, of) for each in found)


def _ratio_of_sums(found: Sequence[Found], setting: str, of: Callable[[Searched], float]) -> float:
    directed, full = (sum(each.mean(setting, way, of) for each in found) for way in (DIRECTED, FULL))
    return directed / full if full else 1.0


def _verdicts(found: Sequence[Found], setting: str) -> Iterator[str]:
    """Of impacted objectives; the full search has those too."""
    kinds = [f"{way}: {word}" for way in (DIRECTED, FULL) for word in ("covered", "infeasible", "unknown")]
    yield "What became of the impacted objectives, by the directed and by the full search:"
    yield ""
    lasts = ["last covered by run", "full", "ratio"]
    yield from markdown(["change", "impacted", *kinds, *lasts], [_verdict_row(each, setting) for each in found])
    yield ""
    yield f"Mean ratio of the last columns: {percent(mean_ratio(found, setting, last_covering))}."
    yield from _lost(found, setting)


def _verdict_row(found: Found, setting: str) -> list[str]:
    counts = [
        number(found.mean(setting, way, lambda each, kind=kind: each.count(kind, found.impacted)))  # type: ignore[misc]
        for way in (DIRECTED, FULL)
        for kind in (Covered, Infeasible, Unknown)
    ]
    return [found.change.name, str(len(found.impacted)), *counts, *_pair(found, setting, last_covering)]


def lost(found: Found, setting: str) -> list[str]:
    """Impacted objectives that some search of this setting covered and some directed one did not."""
    searched = [each for way in (DIRECTED, FULL) for each in found.searched[setting, way]]
    coverable = {name for each in searched for name in found.impacted if isinstance(each.verdicts.get(name), Covered)}
    directed = found.searched[setting, DIRECTED]
    return sorted(name for name in coverable if not all(_has_covered(each, name) for each in directed))


def _has_covered(searched: Searched, name: str) -> bool:
    """Or need not: the same inputs hit it in both versions."""
    return name in searched.alike or isinstance(searched.verdicts[name], Covered)


def _lost(found: Sequence[Found], setting: str) -> Iterator[str]:
    named = [(each.change.name, name) for each in found for name in lost(each, setting)]
    yield ""
    yield f"Impacted objectives that were covered by some search, and not by every directed one: {len(named)}."
    if named:
        yield ""
        yield from (f"- {change}: `{name}`" for change, name in named)


def _differences(found: Sequence[Found]) -> Iterator[str]:
    told = sum(bool(each.differences) for each in found)
    yield f"`tightrope diff` prints an input on which the versions behave differently for {told} of {len(found)}."
    yield ""
    yield from markdown(
        ["change", "differences", "the first: what, old, new"], [_difference_row(each) for each in found]
    )


def _difference_row(found: Found) -> list[str]:
    if not found.differences:
        return [found.change.name, "0", "-"]
    seen = found.differences[0]["observations"]
    shown = "; ".join(f"{each['what']}: {each['old']}, {each['new']}" for each in seen)
    return [found.change.name, str(len(found.differences)), shown.replace("|", "\\|")]


def csv_rows(found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    for each in found:
        head: dict[str, Any] = {"change": each.change.name, "program": each.change.program, "kind": each.change.kind}
        head |= {"objectives": each.objectives, "impacted": len(each.impacted)}
        for (setting, way), group in each.searched.items():
            for seed, one in enumerate(group):
                yield {**head, "setting": setting, "way": way, "seed": seed, **_numbers(one, each.impacted)}


def _numbers(searched: Searched, impacted: frozenset[str]) -> dict[str, Any]:
    return {
        "impacted_covered": searched.count(Covered, impacted),
        "impacted_infeasible": searched.count(Infeasible, impacted),
        "impacted_unknown": searched.count(Unknown, impacted),
        "runs": searched.runs,
        "queries": searched.queries,
        "seconds": round(searched.seconds, 4),
        "last_covering": searched.last_covering,
        "stop_reason": searched.stop_reason.lower(),
    }


if __name__ == "__main__":
    main()
