"""A table for spreadsheets and scripts: a row for each objective, and one for each function that was not tested."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from tightrope.report.model import NOT_TESTED, Report, UnitReport

COLUMNS = ("file", "function", "criterion", "objective", "kind", "line", "column", "text", "verdict", "tests", "why")
MARK = ",".join(COLUMNS)


def render_csv(report: Report) -> str:
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for unit in report.units:
        writer.writerows(_rows(unit))
    return stream.getvalue()


def _rows(unit: UnitReport) -> Iterator[tuple[str | int, ...]]:
    if unit.was_refused:
        why = unit.stop_reason.removeprefix(NOT_TESTED)
        yield unit.file, unit.function, "", "", "", unit.line, 0, "", NOT_TESTED.strip(": "), "", why
    for each in unit.objectives:
        why = (each.why or each.proof or each.reason or "") if each.verdict != "covered" else ""
        place = (each.kind, each.line, each.column, each.text)
        found = (each.verdict, " ".join(each.tests), why)
        yield each.file or unit.file, unit.function, each.criterion, each.id, *place, *found
