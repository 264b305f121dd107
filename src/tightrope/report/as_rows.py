"""Several functions on a terminal: a line for each as it finishes, and a summary at the end.

[7/20] src/door.c:door_step  mcdc 14/14  branch 20/22, 2 infeasible  9 tests  0.4 s
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from tightrope.report.as_measured import LEFT
from tightrope.report.as_measured import unit_lines as measured_unit_lines
from tightrope.report.as_text import score_lines, show_count, show_inputs, unit_lines
from tightrope.report.console import STYLES, place_of, print_lines
from tightrope.report.earlier_tests import change_lines, changes_left, show_new
from tightrope.report.model import NOT_TESTED, UNCHANGED, Crash, Report, Score, UnitReport
from tightrope.report.mutants import MUTATION

MOST_CRASHES, MOST_REASONS, MOST_NAMES = 5, 10, 5  # that the summary lists
_ERRORS = ("crashed", "timed_out")


class RowPrinter:
    """Prints functions as they finish; again, with the same number, if a further round has found more. A single one is
    left to the report at the end, which has the details."""

    def __init__(self, *, has_details: bool = False) -> None:
        self.count = 0
        self._numbers: dict[tuple[str, str], int] = {}
        self.has_details = has_details

    def show(self, unit: UnitReport, total: int) -> None:
        if total == 1:
            return
        number = self._numbers.setdefault((unit.file, unit.function), self.count + 1)
        self.count = len(self._numbers)
        if self.has_details:
            first, *others = measured_unit_lines(unit) if unit.was_measured else unit_lines(unit)
            print_lines((Text(_numbered(number, total)).append_text(first), *others, Text()))
        else:
            print_lines((show_row(unit, number, total),))

    def close(self, report: Report) -> None:
        """What there is to say at the end."""
        if self.has_details:
            print_lines(summary_lines(report))
        else:
            print_lines((*([Text()] if self.count else []), *summary_lines(report), *_hint(report)))


def _numbered(number: int, total: int) -> str:
    return f"[{number:{len(str(total))}}/{total}] "


def show_row(unit: UnitReport, number: int, total: int) -> Text:
    named = f"{unit.file}:{unit.function}" if unit.function else unit.file
    row = Text.assemble(_numbered(number, total), (named, "bold"))
    if unit.was_refused:
        return row.append(f"  {unit.stop_reason}", "yellow")
    for name in unit.criteria:
        score = unit.score(name)
        if score.total:  # 0/0 says nothing
            row.append(f"  {name} ").append_text(_show_score(score, name, unit.was_measured))
    row.append(f"  {show_count(len(unit.tests), 'test')}{'' if unit.was_measured else show_new(unit)}")
    errors = len(errors_of(unit))
    if errors:
        row.append(f"  {show_count(errors, 'run-time error')}", STYLES["crashed"])
    changes = len(changes_left(unit))
    if changes:
        row.append(f"  {show_count(changes, 'changed expectation')}", "yellow")
    if UNCHANGED in unit.notes:
        return row.append("  unchanged")
    return row if unit.was_measured else row.append(f"  {unit.statistics.whole_seconds:.1f} s")


def errors_of(unit: UnitReport) -> list[Crash]:
    """Ways to end by an error or not at all; a call of `exit` is neither."""
    return [crash for crash in unit.crashes if crash.outcome in _ERRORS]


def _show_score(score: Score, criterion: str, was_measured: bool) -> Text:
    """`14/14`, `20/22, 2 infeasible`."""
    infeasible, left = ("equivalent", "alive") if criterion == MUTATION else ("infeasible", LEFT)
    if not was_measured and criterion != MUTATION:
        left = "unknown"
    shown = Text(f"{score.covered}/{score.total}", "yellow" if score.unknown else "green")
    shown.append(f", {score.infeasible} {infeasible}" if score.infeasible else "", "cyan")
    return shown.append(f", {score.unknown} {left}" if score.unknown else "", "yellow")


def summary_lines(report: Report) -> Iterator[Text]:
    """All functions together; what to look at; where the tests are."""
    yield Text(_head(report), "bold")
    yield from score_lines({name: report.score(name) for name in report.criteria}, _left(report))
    yield from _error_lines(report)
    yield from change_lines(report.units)
    yield from _refusal_lines(report)
    folders = dict.fromkeys(str(Path(file).parent) for unit in report.units for file in unit.written)
    if folders:
        number = sum(len(unit.tests) for unit in report.units)
        yield Text(f"  {show_count(number, 'test')} in {', '.join(folders)}")


def _hint(report: Report) -> Iterator[Text]:
    if any(score.infeasible or score.unknown for score in map(report.score, report.criteria)):
        yield Text("  why: -v prints the details of each function, --html FILE shows them")


def _left(report: Report) -> str:
    return LEFT if report.was_measured else "unknown"


def _head(report: Report) -> str:
    unread = sum(not unit.function for unit in report.units)
    refused = sum(unit.was_refused for unit in report.units) - unread
    head = show_count(len(report.units) - unread, "function")
    head += f", {refused} of them not tested" if refused else ""
    head += f"; {show_count(unread, 'file')} not compiled" if unread else ""
    return f"{head}   {report.seconds:.1f} s" if report.seconds else head


def _error_lines(report: Report) -> Iterator[Text]:
    found = [(unit, crash) for unit in report.units for crash in errors_of(unit)]
    if found:
        functions = show_count(len({(unit.file, unit.function) for unit, _ in found}), "function")
        yield Text(f"  {show_count(len(found), 'run-time error')} in {functions}", STYLES["crashed"])
    for unit, crash in found[:MOST_CRASHES]:
        place = place_of(crash.file or unit.file, crash.line, crash.column)
        yield Text(f"    {place}  {unit.function}: {crash.reason}, with {show_inputs(crash.inputs)}")
    if len(found) > MOST_CRASHES:
        yield Text(f"    and {len(found) - MOST_CRASHES} more")


def _refusal_lines(report: Report) -> Iterator[Text]:
    """What was not tested, by reason."""
    groups: dict[str, list[str]] = {}
    for unit in report.units:
        if unit.was_refused:
            named = f"{unit.file}:{unit.function}" if unit.function else unit.file
            groups.setdefault(unit.stop_reason.removeprefix(NOT_TESTED), []).append(named)
    if groups:
        yield Text("  not tested", "yellow")
    for why, names in list(groups.items())[:MOST_REASONS]:
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        yield Text(f"    {', '.join(names[:MOST_NAMES])}{more}: {why}")
    if len(groups) > MOST_REASONS:
        yield Text(f"    and {sum(map(len, list(groups.values())[MOST_REASONS:]))} more")
