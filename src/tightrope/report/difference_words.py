"""Sentences about changes and what they impact, which the text and the annotated source share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.report.as_text import by_place, said_once, show_sides
from tightrope.report.console import place_of
from tightrope.report.difference_model import FunctionDifference, ReportedChange, ReportedImpact
from tightrope.report.model import ReportedObjective

MOST_TEXT = 72  # characters of a changed piece of C that are shown
MOST_NAMED = 40  # of one that is named in the reason for something else
NOT_FOLLOWED = "unknown"  # the verdict of an objective without a row in the report
_DEPENDS = ": depends on "  # begins the part of a reason that names the change
_OF_ITS_OWN = ("function", "type")  # their text is their name, or too long to help


@dataclass(frozen=True, slots=True)
class ImpactRow:
    """Objectives at one place that have the same reason and the same verdict: both sides of a condition."""

    change: int
    sentence: str
    how: str
    verdict: str
    file: str
    line: int
    column: int
    text: str
    tests: tuple[str, ...] = ()


def say_change(change: ReportedChange, function: str = "") -> str:
    """What was changed: 'expression `a <= 3` is now `a < 3`'. `function` is not named, because it is shown above."""
    where = f" in {change.function}()" if change.function not in ("", function) else ""
    return f"{change.kind}{_about(change)}{_deed(change)}{where}"


def _about(change: ReportedChange) -> str:
    """The name, where the text will not show it."""
    if not change.name or (change.kind not in _OF_ITS_OWN and change.name in change.text + change.old_text):
        return ""
    colon = ":" if change.what == "changed" and change.text and change.kind not in _OF_ITS_OWN else ""
    return f"{' of' if change.kind == 'initialiser' else ''} `{change.name}`{colon}"


def _deed(change: ReportedChange) -> str:
    text = change.old_text if change.what == "removed" else change.text
    if not text or change.kind in _OF_ITS_OWN:
        return f" {change.what}"
    if change.what != "changed":
        return f" {change.what}: {quote(text)}"
    if change.old_text in ("", text):
        return f" {quote(text)} changed"
    return f" {quote(change.old_text)} is now {quote(text)}"


def quote(text: str, limit: int = MOST_TEXT) -> str:
    """The C in back quotes; a long one is cut."""
    return f"`{text}`" if len(text) <= limit else f"`{text[: limit - 4].rstrip()} ...`"


def place_of_change(change: ReportedChange) -> str:
    """In the new version; in the old one for what is gone."""
    if change.what == "removed":
        return place_of(change.old_file or change.file, change.old_line, change.old_column)
    return place_of(change.file, change.line, change.column)


def impact_rows(one: FunctionDifference) -> Iterator[ImpactRow]:
    """The rows of the report, with equal ones joined."""
    known = {each.id: each for each in one.unit.objectives} if one.unit else {}
    groups: dict[tuple[int, str, str, str], list[ReportedObjective]] = {}
    for impact in one.impacts:
        row = known.get(impact.id) or _stand_in(impact)
        groups.setdefault((impact.change, impact.sentence, impact.how, row.verdict), []).append(row)
    default = one.unit.file if one.unit else ""
    for said, members in groups.items():
        for rows in by_place(said_once(members)):
            at = rows[0]
            tests = tuple(dict.fromkeys(name for row in rows for name in row.tests))
            place = (at.file or default, at.line, at.column)
            yield ImpactRow(*said, *place, show_sides(rows), tests)


def name_change(change: ReportedChange) -> str:
    """The change as part of a sentence: '`limit`, changed at line 12'."""
    what = f"`{change.name}`" if change.name else quote(change.text or change.old_text, MOST_NAMED)
    if change.what == "removed":
        return f"{what}, removed" + (f" (line {change.old_line} of the old version)" if change.old_line else "")
    return f"{what}, {change.what} at line {change.line}"


def say_reason(row: ImpactRow, change: ReportedChange | None, is_below: bool = False) -> str:
    """Why it is impacted. `is_below`: printed below the change, which is not repeated."""
    if change is None:
        return row.sentence
    if row.how == "changed":
        is_inside = change.line <= row.line <= max(change.line, change.end_line)
        return "changed itself" if is_inside else f"changed by {'it' if is_below else name_change(change)}"
    head, _, told = row.sentence.partition(_DEPENDS)
    if not told and not row.sentence.startswith(_DEPENDS[2:]):
        return row.sentence
    subject = "it" if is_below and not change.name else name_change(change)
    return f"{head}{_DEPENDS}{subject}" if told else f"{_DEPENDS[2:]}{subject}"


def _stand_in(impact: ReportedImpact) -> ReportedObjective:
    """For an objective without a verdict."""
    return ReportedObjective(impact.id, "", "", 0, 0, impact.id, NOT_FOLLOWED)


def by_change(rows: Sequence[ImpactRow]) -> Mapping[int, list[ImpactRow]]:
    found: dict[int, list[ImpactRow]] = {}
    for row in rows:
        found.setdefault(row.change, []).append(row)
    return found
