"""Reads a report from a file, and finds the objectives in it that the user names."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from tightrope.errors import NothingMatchedError, UsageError
from tightrope.report.as_json import report_from_json
from tightrope.report.model import Report, ReportedObjective, UnitReport

Row = tuple[UnitReport, ReportedObjective]
_PLACE = re.compile(r"(?:(?P<file>[^:]*[^:\d][^:]*):)?(?P<line>\d+)(?::(?P<column>\d+))?")
_HOW = "`tightrope generate FILE.c --json report.json` writes one"
_MANY = 5  # ids that are listed when none is near


def find_report(path: Path) -> Path:
    """The file itself, or the one report in a folder."""
    if not path.exists():
        raise UsageError(f"there is no file {path}", hint=_HOW, slug="no-such-file")
    if not path.is_dir():
        return path
    found = [file for file in sorted(path.glob("*.json")) if _is_report(file)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"there is no report in the folder {path}", hint=_HOW, slug="no-report")
    names = ", ".join(map(str, found[:_MANY])) + (", ..." if len(found) > _MANY else "")
    message = f"there are {len(found)} reports in the folder {path}"
    raise UsageError(message, hint=f"name one of {names}", slug="no-report")


def read_report(file: Path) -> Report:
    """What `write_json` wrote."""
    try:
        return report_from_json(json.loads(file.read_text(encoding="utf-8")))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise UsageError(f"{file} cannot be read: {reason}", hint="check its permissions", slug="unreadable") from None
    except ValueError as problem:
        raise UsageError(f"{file} is not a report of Tightrope: {problem}", hint=_HOW, slug="no-report") from None


def _is_report(file: Path) -> bool:
    try:
        return "units" in json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def all_rows(report: Report) -> list[Row]:
    return [(unit, objective) for unit in report.units for objective in unit.objectives]


def find_objectives(report: Report, wanted: str) -> list[Row]:
    """The objectives with this id; else those that match it as a place, or as a beginning, pattern or part of ids."""
    rows = all_rows(report)
    for matching in _ways(rows, wanted):
        if matching:
            return matching
    message = f"no objective of the report matches `{wanted}`"
    raise NothingMatchedError(message, hint=_hint(rows, wanted), slug="no-such-objective")


def _ways(rows: Sequence[Row], wanted: str) -> Iterator[list[Row]]:
    yield [row for row in rows if row[1].id == wanted]
    place = _PLACE.fullmatch(wanted)
    if place:
        yield [row for row in rows if _is_at(row, place["file"], int(place["line"]), place["column"])]
    yield [row for row in rows if row[1].id.startswith(wanted)]
    yield [row for row in rows if fnmatchcase(row[1].id, wanted)]
    yield [row for row in rows if wanted in row[1].id]


def _is_at(row: Row, file: str | None, line: int, column: str | None) -> bool:
    unit, objective = row
    own = objective.file or unit.file
    is_in_file = file is None or own == file or Path(own).name == file
    return is_in_file and objective.line == line and (column is None or objective.column == int(column))


def _hint(rows: Sequence[Row], wanted: str) -> str:
    ids = [objective.id for _, objective in rows]
    functions = list(dict.fromkeys(unit.function for unit, _ in rows))
    near = difflib.get_close_matches(wanted, [*functions, *ids], n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    place = _PLACE.fullmatch(wanted)
    if place and ids:
        return f"there are objectives in lines {_lines(rows)}"
    shown = ", ".join(ids[:_MANY]) + (", ..." if len(ids) > _MANY else "")
    return f"its objectives are {shown}" if ids else "it has no objectives"


def _lines(rows: Sequence[Row]) -> str:
    lines = sorted({objective.line for _, objective in rows})
    return ", ".join(map(str, lines[: 4 * _MANY])) + (", ..." if len(lines) > 4 * _MANY else "")
