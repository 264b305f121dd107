"""The output of `tightrope explain`, as text and as JSON.

mode:branch:+6.19:true  infeasible
  mode.c:7:19  speed < 100 is true
        7 |         if (speed < 100)
          |                   ^
  proof: every path that can lead there was explored exactly, and none covers it
  these contradict each other; no input satisfies both:
    mode.c:6:27  `speed > 200` is true
    mode.c:7:19  `speed < 100` is true   (asked for)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO

from rich.text import Text

from tightrope.report.as_json import write_json
from tightrope.report.console import STYLES, join_blocks, place_of, print_lines, source_lines
from tightrope.report.model import ReportedObjective, Tool
from tightrope.report.mutants import show_change

MOST_LISTED = 200  # objectives, one line each


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition of the C, and what it would have to do."""

    file: str
    line: int
    column: int
    text: str  # '`speed > 200` is true'
    note: str = ""
    way: int = 0  # number of the way, if several ways lead to the objective


@dataclass(frozen=True, slots=True)
class Attempt:
    """A command that may change the verdict, and why."""

    why: str
    command: str


@dataclass(frozen=True, slots=True)
class ShownTest:
    name: str
    about: str  # 'with speed = 201, gear = 4', 'from test_mode.c'
    outcome: str  # 'returns', 'crashes: division by zero'
    command: str = ""  # how to run it


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one objective has its verdict. Each verdict uses only some of the last five fields."""

    id: str
    verdict: str
    file: str
    line: int
    column: int
    text: str
    source: str
    why: str = ""
    head: str = ""  # of the clauses: what no input does
    clauses: tuple[Clause, ...] = ()
    facts: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    tests: tuple[ShownTest, ...] = ()
    warnings: tuple[str, ...] = ()
    change: tuple[str, ...] = ()  # of a mutant: the lines of C, and what they are then


@dataclass(frozen=True, slots=True)
class Explained:
    """Either everything about some objectives, or a list of many with a sentence about it."""

    rows: tuple[Explanation, ...]
    is_list: bool = False
    sentence: str = ""


def named(objective: ReportedObjective, file: str) -> Explanation:
    """What a list shows of an objective."""
    at = objective
    row = Explanation(at.id, at.verdict, at.file or file, at.line, at.column, at.text, at.source, at.why)
    return replace(row, change=at.change)


def print_explanations(found: Explained, to: IO[str] | None = None) -> None:
    print_lines(explanation_lines(found), to)


def write_explanations(found: Explained, tool: Tool, to: str) -> None:
    """As JSON, to a file, or to standard output for `-`."""
    write_json({"tool": tool, "objectives": found.rows}, to)


def explanation_lines(found: Explained) -> Iterator[Text]:
    if found.is_list:
        yield from _list_lines(found.rows)
    else:
        yield from join_blocks(map(_lines, found.rows))
    if found.sentence:
        yield Text(found.sentence)


def _list_lines(rows: Sequence[Explanation]) -> Iterator[Text]:
    verdicts = max((len(row.verdict) for row in rows), default=0)
    ids = max((len(row.id) for row in rows), default=0)
    places = max((len(_place(row)) for row in rows), default=0)
    for row in rows[:MOST_LISTED]:
        what = f"  {row.id:{ids}}  {_place(row):{places}}  {row.text}"
        yield Text.assemble((f"{row.verdict:{verdicts}}", STYLES[row.verdict]), what)
    if len(rows) > MOST_LISTED:
        yield Text(f"and {len(rows) - MOST_LISTED} more")


def _lines(row: Explanation) -> Iterator[Text]:
    yield Text.assemble((row.id, "bold"), "  ", (row.verdict, STYLES[row.verdict]))
    yield Text(f"  {_place(row)}  {row.text}")
    yield from show_change(row.change[0], row.change[1:]) if row.change else source_lines(row)
    for warning in row.warnings:
        yield Text(f"  warning: {warning}", style="yellow")
    if row.why:
        yield Text(f"  {row.why}")
    if row.head:
        yield Text(f"  {row.head}")
    yield from _clause_lines(row.clauses)
    yield from (Text(f"    {fact}") for fact in row.facts)
    for test in row.tests:
        yield from _test_lines(test)
    for attempt in row.attempts:
        yield Text(f"  {attempt.why}:")
        yield Text(f"    {attempt.command}")


def _clause_lines(clauses: Sequence[Clause]) -> Iterator[Text]:
    """Places, then texts, each under the other."""
    places = [_place(each) for each in clauses]
    width = max(map(len, places), default=0)
    before = clauses[0].way if clauses else 0
    for place, each in zip(places, clauses, strict=True):
        yield from [Text("    or")] if each.way != before else []
        before = each.way
        note = f"   ({each.note})" if each.note else ""
        yield Text(f"    {place:{width}}  {each.text}{note}")


def _test_lines(test: ShownTest) -> Iterator[Text]:
    yield Text.assemble("    ", (test.name, "bold"), f"  {test.about}: {test.outcome}")
    if test.command:
        yield Text(f"      {test.command}")


def _place(at: Explanation | Clause) -> str:
    return place_of(at.file, at.line, at.column)
