"""The page of `tightrope diff`: both versions of each function side by side, with what changed, what that impacts, and
inputs on which they differ; below, what is known of the function as in other reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from markupsafe import Markup, escape

from tightrope.program.c_text.source_text import CText, SourceText, read_from_disk
from tightrope.report.as_difference import HEADLINES, say_observed, show_value, state_of, witness_line
from tightrope.report.difference_model import (
    DifferenceReport,
    FunctionDifference,
    ReportedChange,
    ReportedDifference,
)
from tightrope.report.difference_words import ImpactRow, by_change, impact_rows, place_of_change, say_change, say_reason
from tightrope.report.formats.html.function_view import ViewedFunction
from tightrope.report.formats.html.page import Page, fill_template, view_report
from tightrope.report.formats.html.source_view import Span, colour_lines, decorate, severest
from tightrope.report.formats.html.test_code import TestCode, find_code_of

_TONES = {"bold red": "bad", "yellow": "warn", "green": "good", "": ""}


@dataclass(frozen=True, slots=True)
class SideLine:
    """A line of one version. `mark`: changed, added, removed; `verdict`: of what is impacted there."""

    number: int
    html: Markup
    mark: str = ""
    verdict: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewedChange:
    place: str
    text: str
    impacts: tuple[tuple[str, str, ImpactRow], ...]  # place, reason, row


@dataclass(frozen=True, slots=True)
class ViewedObservations:
    row: ReportedDifference
    rows: tuple[tuple[str, str, str], ...]  # what, old, new
    witness: str
    code: TestCode | None = None  # of the test that distinguishes the versions


@dataclass(frozen=True, slots=True)
class ViewedDifference:
    anchor: str
    row: FunctionDifference
    headline: str
    tone: str
    sides: tuple[tuple[SideLine | None, SideLine | None], ...]
    changes: tuple[ViewedChange, ...]
    observations: tuple[ViewedObservations, ...]
    function: ViewedFunction | None
    file: str


def render_difference_html(report: DifferenceReport) -> str:
    title = f"{report.old} → {report.new}"
    source = SourceText(lambda file: report.sources.get(file) or read_from_disk(file))
    page = view_report(report.tested, title, source)
    viewed = tuple(_view_all(report, page))
    count = {state: sum(state_of(each.row) == state for each in viewed) for state in HEADLINES}
    said = [
        (number, HEADLINES[state][1 if number == 1 else 2], _TONES[HEADLINES[state][0]])
        for state, number in count.items()
        if number
    ]
    return fill_template("difference.html", page=page, differences=viewed, headlines=said)


def _view_all(report: DifferenceReport, page: Page) -> Iterator[ViewedDifference]:
    """Functions that behave differently come first."""
    left = iter(page.functions)
    rows = [(each, next(left) if each.unit else None) for each in report.functions]
    order = list(HEADLINES)
    files = _Files({**report.old_sources}), _Files({**report.sources})
    for number, (row, function) in enumerate(sorted(rows, key=lambda pair: order.index(state_of(pair[0])))):
        style, words, _ = HEADLINES[state_of(row)]
        sides = tuple(_sides(row, *files)) if state_of(row) != "unchanged" else ()
        yield ViewedDifference(
            function.anchor if function else f"{row.function}~{number}",
            row,
            words,
            _TONES[style],
            sides,
            tuple(_changes(row)),
            tuple(_view_observations(row)),
            function,
            function.file if function else "",
        )


def _view_observations(one: FunctionDifference) -> Iterator[ViewedObservations]:
    code = find_code_of([each.test for each in one.differences if each.test], one.unit.written if one.unit else ())
    for row in one.differences:
        rows = tuple((say_observed(each.what), show_value(each.old), show_value(each.new)) for each in row.observations)
        witness = witness_line(row).plain.strip() if row.test else ""
        yield ViewedObservations(row, rows, witness, code.get(row.test))


def _changes(one: FunctionDifference) -> Iterator[ViewedChange]:
    found = by_change(list(impact_rows(one)))
    for change in one.changes:
        rows = found.get(change.number, [])
        yield ViewedChange(
            place_of_change(change),
            say_change(change, one.function),
            tuple((f"{row.line}:{row.column}", say_reason(row, change, is_below=True), row) for row in rows),
        )
    if found.get(0):
        rows = found[0]
        yield ViewedChange(
            "", "no single change", tuple((f"{row.line}:{row.column}", row.sentence, row) for row in rows)
        )


class _Files:
    """The files of one version, and where functions are in them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._texts = [CText(file, text) for file, text in sources.items()]

    def lines_of(self, function: str) -> tuple[CText, range] | None:
        for text in self._texts:
            first = text.definition(function)
            if first:
                return text, range(first, text.last_line(first) + 1)
        return None


def _sides(one: FunctionDifference, old: _Files, new: _Files) -> Iterator[tuple[SideLine | None, SideLine | None]]:
    """The lines of both versions, equal ones beside each other."""
    before, after = old.lines_of(one.function), new.lines_of(one.function)
    lines = [[found[0].line(number) for number in found[1]] if found else [] for found in (before, after)]
    views = _view_old(one, before), _view_new(one, after)
    left, right = ([" ".join(line.split()) for line in side] for side in lines)
    for _, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for step in range(max(j - i, m - k)):
            yield (
                views[0][i + step] if i + step < j else None,
                views[1][k + step] if k + step < m else None,
            )


def _view_old(one: FunctionDifference, found: tuple[CText, range] | None) -> Sequence[SideLine]:
    if found is None:
        return ()
    text, lines = found
    places = [(each, each.old_line, each.old_column, each.old_text) for each in one.changes if each.what != "added"]
    return [_side_line(text, number, places, (), "removed") for number in lines]


def _view_new(one: FunctionDifference, found: tuple[CText, range] | None) -> Sequence[SideLine]:
    if found is None:
        return ()
    text, lines = found
    places = [(each, each.line, each.column, each.text) for each in one.changes if each.what != "removed"]
    changes = {change.number: change for change in one.changes}
    rows: dict[int, list[ImpactRow]] = {}
    for row in impact_rows(one):
        if row.file in ("", text.file) or row.line in lines:
            rows.setdefault(row.line, []).append(row)
    told = {
        number: tuple(dict.fromkeys(say_reason(row, changes.get(row.change)) for row in found))
        for number, found in rows.items()
    }
    return [
        _side_line(
            text, number, places, told.get(number, ()), "added", severest(row.verdict for row in rows.get(number, ()))
        )
        for number in lines
    ]


def _side_line(
    text: CText,
    number: int,
    places: Sequence[tuple[ReportedChange, int, int, str]],
    remarks: Sequence[str],
    word: str,
    verdict: str = "",
) -> SideLine:
    here = [place for place in places if place[1] == number]
    line, spans = text.line(number), list[Span](colour_lines(text.text).get(number, ()))
    for change, _, column, written in here:
        start = len(line.encode()[: max(column - 1, 0)].decode(errors="ignore"))
        end = start + len(written) if line[start:].startswith(written) else len(line)
        spans.append((start, end, f'<span class="ch" title="{escape(say_change(change))}">'))
    mark = "" if not here else word if all(place[0].what == word for place in here) else "changed"
    return SideLine(number, decorate(line, spans), mark, verdict, tuple(remarks))
