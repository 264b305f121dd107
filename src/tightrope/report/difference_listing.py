"""The new source with marks: what changed, what it affects, what it impacts, and the verdicts of that.

new.c   ~ changed  + added  . affected  * impacted, covered  ! impacted, unknown  x impacted, infeasible
     3   | int fee(int amount)
     4   | {
     5 ~*|     int high = amount > 99;
         |                         ^ expression `100` is now `99`
     6  *|     if (high)
         |   depends on `high`, changed at line 5
         |     covered: high is true, is false
     7   |         return 4;
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO

from rich.text import Text

from tightrope.program.c_text.source_text import CText, read_from_disk
from tightrope.report.console import STYLES, indent_to, print_lines
from tightrope.report.difference_model import DifferenceReport, FunctionDifference, ReportedChange
from tightrope.report.difference_words import (
    ImpactRow,
    impact_rows,
    place_of_change,
    quote,
    say_change,
    say_reason,
)

CONTEXT = 3  # lines around a mark outside of the functions that are shown
_VERDICTS = {"unknown": "!", "covered": "*", "infeasible": "x"}  # of several on one line, the first counts
_LEGEND = (
    ("~", "changed"),
    ("+", "added"),
    (".", "affected"),
    ("*", "impacted, covered"),
    ("!", "impacted, unknown"),
    ("x", "impacted, infeasible"),
)


@dataclass(slots=True)
class _Marked:
    """One file of the new version, with the remarks on its lines."""

    changes: dict[int, list[ReportedChange]] = field(default_factory=dict)  # by the line in which each begins
    further: dict[int, list[ReportedChange]] = field(default_factory=dict)  # by the other lines of each
    rows: dict[int, list[ImpactRow]] = field(default_factory=dict)
    affected: set[int] = field(default_factory=set)
    firsts: dict[int, tuple[ReportedChange, ...]] = field(default_factory=dict)  # of functions: what they lost
    added: set[int] = field(default_factory=set)  # first lines of functions that are new

    @property
    def lines(self) -> set[int]:
        return {*self.changes, *self.further, *self.rows, *self.affected}


def print_difference_listing(report: DifferenceReport, *, is_alone: bool = False, to: IO[str] | None = None) -> None:
    """`is_alone`: nothing is printed before it."""
    print_lines(islice(listing_lines(report), is_alone, None), to)


def listing_lines(report: DifferenceReport) -> Iterator[Text]:
    """File by file, an empty line before each."""
    for file, marked in _mark(report.functions).items():
        yield Text()
        yield from _file_lines(file, marked, report.sources.get(file) or read_from_disk(file))


def _mark(functions: Iterable[FunctionDifference]) -> dict[str, _Marked]:
    """Everything that has a place, by file and line. Functions may share a change, which is then marked once."""
    files: dict[str, _Marked] = {}
    for one in functions:
        own = one.unit.file if one.unit else ""
        for change in one.changes:
            if change.what != "removed":
                _mark_change(files.setdefault(change.file or own, _Marked()), change)
        for row in _rows(one):
            files.setdefault(row.file or own, _Marked()).rows.setdefault(row.line, []).append(row)
        if one.unit and (one.changes or one.impacts):
            whole = files.setdefault(own, _Marked())
            whole.firsts[one.unit.line] = tuple(change for change in one.changes if change.what == "removed")
            whole.added |= {one.unit.line} if one.state == "added" else set()
            whole.affected |= {link.line for each in one.impacts for link in each.chain if not link.is_old} - {0}
    return files


def _rows(one: FunctionDifference) -> Iterator[ImpactRow]:
    changes = {change.number: change for change in one.changes}
    for row in impact_rows(one):
        yield replace(row, sentence=say_reason(row, changes.get(row.change)))


def _mark_change(marked: _Marked, change: ReportedChange) -> None:
    place = marked.changes.setdefault(change.line, [])
    if any((change.column, say_change(change)) == (other.column, say_change(other)) for other in place):
        return
    place.append(change)
    for line in range(change.line + 1, change.end_line + 1):
        marked.further.setdefault(line, []).append(change)


def _file_lines(file: str, marked: _Marked, text: str) -> Iterator[Text]:
    legend = "  ".join(f"{mark} {word}" for mark, word in _LEGEND)
    yield Text.assemble((file, "bold"), "   ", (legend, "dim"))
    if not text:
        yield Text("  it cannot be read", "yellow")
        return
    lines, before = text.split("\n"), 0
    source = CText(file, text)
    new = {number for first in marked.added for number in range(first, source.last_line(first) + 1)}
    for number in sorted(_shown(marked, source, len(lines))):
        yield from [Text(f"{'...':>6}")] if 0 < before < number - 1 else []
        yield from _line_lines(number, lines[number - 1].rstrip("\r"), marked, is_new=number in new)
        before = number


def _shown(marked: _Marked, source: CText, count: int) -> set[int]:
    """The numbers of the lines to show: whole functions, and what is around other marks."""
    shown: set[int] = set()
    for first in marked.firsts:
        shown |= set(range(first, source.last_line(first) + 1))
    for line in marked.lines - shown:
        shown |= set(range(line - CONTEXT, line + CONTEXT + 1))
    return {number for number in shown if 0 < number <= count}


def _line_lines(number: int, source: str, marked: _Marked, is_new: bool) -> Iterator[Text]:
    changes, rows = marked.changes.get(number, []), marked.rows.get(number, [])
    change_mark = ("+", "bold") if is_new else _change_mark([*changes, *marked.further.get(number, [])])
    marks = Text.assemble(change_mark, _impact_mark(rows, number in marked.affected and not changes))
    yield Text.assemble(f"{number:>6} ", marks, f"| {source}".rstrip())
    for change in marked.firsts.get(number, ()):
        yield Text.assemble(f"{'':7}", ("-", "bold"), f" |   {quote(change.old_text)}: {_lost(change)}")
    for change in changes:
        indent = indent_to(source, change.column)
        yield Text.assemble(f"{'':9}| {indent}", ("^ ", "bold"), _said(change))
    before = ""
    for row in rows:
        yield from [Text(f"{'':9}|   {row.sentence}")] if row.sentence != before else []
        before = row.sentence
        yield Text.assemble(f"{'':9}|     ", (row.verdict, STYLES[row.verdict]), f": {row.text}")


def _lost(change: ReportedChange) -> str:
    return f"{change.kind} removed, {place_of_change(change)}"


def _said(change: ReportedChange) -> str:
    """True if its function is shown."""
    return say_change(change, change.function)


def _change_mark(changes: Sequence[ReportedChange]) -> tuple[str, str]:
    if not changes:
        return " ", ""
    return ("+" if all(each.what == "added" for each in changes) else "~"), "bold"


def _impact_mark(rows: Sequence[ImpactRow], is_affected: bool) -> tuple[str, str]:
    for verdict, mark in _VERDICTS.items():
        if any(row.verdict == verdict for row in rows):
            return mark, STYLES[verdict]
    return ("." if is_affected else " "), ""
