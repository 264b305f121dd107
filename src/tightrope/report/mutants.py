"""Mutants in the text report: the score in the words of mutation testing, and those that are alive as changes of the C.

alive: tests reach the mutant, and none of them fails
  clamp.c:5
    -     if (x > hi)
    +     if (x >= hi)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.text import Text

from tightrope.report.model import ReportedObjective, Score, UnitReport, show_percent

MUTATION = "mutation"
MOST_ALIVE = 40  # that are shown
_WITHOUT_LINES = "in the expansion of a macro: "


def is_mutant(objective: ReportedObjective) -> bool:
    return objective.criterion == MUTATION


def show_mutation_score(score: Score) -> Text:
    """`22/24 killed (91.7%), 1 equivalent, 2 alive`: equivalent mutants are not asked for."""
    if not score.total:
        return Text("no mutants")
    style = "green" if not score.unknown else "yellow"
    reached = show_percent(score.covered, score.feasible)
    shown = Text(f"{score.covered}/{score.feasible} killed ({reached})", style=style)
    if score.infeasible:
        shown.append(f", {score.infeasible} equivalent", style="cyan")
    if score.unknown:
        shown.append(f", {score.unknown} alive", style="yellow")
    return shown


def mutant_lines(unit: UnitReport) -> Iterator[Text]:
    """The mutants that no test kills, by reason; of those that are equivalent, the number."""
    alive = [each for each in unit.objectives if is_mutant(each) and each.verdict == "unknown"]
    for (why, option), members in _by_reason(alive):
        hint = f"; try {option}" if option else ""
        yield Text.assemble("  ", ("alive", "yellow"), f": {why}{hint}")
        shown = members[:MOST_ALIVE]
        for _, rows in groupby(shown, key=lambda each: (each.file, each.line, each.change[:1])):
            yield from change_lines(unit, list(rows))
        if len(members) > len(shown):
            yield Text(f"    and {len(members) - len(shown)} more: see the report of --json")
    equivalent = [each for each in unit.objectives if is_mutant(each) and each.verdict == "infeasible"]
    for (why, _), members in _by_reason(equivalent):
        number = f"{len(members)} mutant{'' if len(members) == 1 else 's'}"
        yield Text.assemble("  ", ("equivalent", "cyan"), f": {number}: {why}")


def _by_reason(
    objectives: Iterable[ReportedObjective],
) -> Iterable[tuple[tuple[str, str], Sequence[ReportedObjective]]]:
    groups: dict[tuple[str, str], list[ReportedObjective]] = {}
    for each in objectives:
        groups.setdefault((each.why, each.option), []).append(each)
    return groups.items()


def change_lines(unit: UnitReport, mutants: Sequence[ReportedObjective]) -> Iterator[Text]:
    """Mutants of the same lines: the C, and what it is in each of them."""
    first = mutants[0]
    yield Text(f"    {first.file or unit.file}:{first.line}")
    if not first.change:
        yield from (Text(f"      {_WITHOUT_LINES}{each.text}") for each in mutants)
        return
    yield from show_change(first.change[0], [each.change[1] for each in mutants])


def show_change(before: str, after: Iterable[str]) -> Iterator[Text]:
    """Lines of a diff, which keep their own indentation."""
    yield from (Text(f"      - {line}", style="red") for line in before.split("\n"))
    yield from (Text(f"      + {line}", style="green") for text in after for line in text.split("\n"))
