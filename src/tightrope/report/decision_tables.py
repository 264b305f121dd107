"""Decisions with missing objectives, for people: which of their vectors the tests evaluate, as a small table.

vectors of fee.c:12:9  order->items == 0 || order->amount <= 0
  C1 = order->items == 0, C2 = order->amount <= 0
  C1 C2
   F  F = F   fee__a_F, fee__case_2
   T  - = T   fee__a_T
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tightrope.report.model import ReportedDecision, ReportedObjective

MOST_TABLES = 4  # that are printed for one function
MOST_COLUMNS = 12  # conditions
MOST_ROWS = 12
MOST_TESTS = 2  # named in a row
_LETTERS = {True: "T", False: "F", None: "-"}


def table_lines(decisions: Sequence[ReportedDecision], missing: Sequence[ReportedObjective]) -> Iterator[Text]:
    """Tables of the decisions with missing objectives, if they are useful and not too large."""
    readable = [each for each in decisions if 1 < len(each.conditions) <= MOST_COLUMNS and not each.problem]
    shown = [each for each in readable if any(_is_about(each, one) for one in missing)]
    for each in shown[:MOST_TABLES]:
        yield from _table(each)
    if len(shown) > MOST_TABLES:
        yield Text(f"  and {len(shown) - MOST_TABLES} more decisions: see the report of --json")


def _is_about(decision: ReportedDecision, objective: ReportedObjective) -> bool:
    """True if the objective has the place of the decision or of a condition; places are unique outside macros."""
    places = {(decision.line, decision.column), *((each.line, each.column) for each in decision.conditions)}
    return objective.file == decision.file and (objective.line, objective.column) in places


def _table(decision: ReportedDecision) -> Iterator[Text]:
    yield Text(f"  vectors of {decision.file}:{decision.line}:{decision.column}  {decision.text}")
    names = [f"C{number}" for number in range(1, len(decision.conditions) + 1)]
    shown = ", ".join(f"{name} = {each.text}" for name, each in zip(names, decision.conditions, strict=True))
    yield Text(f"    {shown}")
    yield Text(f"    {' '.join(names)}", "dim")
    for row in decision.vectors[:MOST_ROWS]:
        letters = " ".join(f"{_LETTERS[value]:>{len(name)}}" for name, value in zip(names, row.values, strict=True))
        more = f" and {len(row.tests) - MOST_TESTS} more" if len(row.tests) > MOST_TESTS else ""
        yield Text(f"    {letters} = {_LETTERS[row.outcome]}   {', '.join(row.tests[:MOST_TESTS])}{more}")
    if len(decision.vectors) > MOST_ROWS:
        yield Text(f"    and {len(decision.vectors) - MOST_ROWS} more: see the report of --json")
    if not decision.vectors:
        yield Text("    no test evaluates it")
