"""A summary for a pull request, in Markdown: scores, run-time errors, what is open, what was not tested."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tightrope.report.as_text import by_place, said_once, show_count, show_inputs, show_sides
from tightrope.report.console import place_of
from tightrope.report.earlier_tests import changes_left, show_expectation
from tightrope.report.model import NOT_TESTED, Report, Score, UnitReport, show_percent
from tightrope.suite.folder import MARKER

MOST_ROWS = 50  # of a list: longer ones are in the other formats


def render_markdown(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"<!-- {MARKER} {report.tool.version} -->"
    yield "## Tightrope"
    yield ""
    tested = [unit for unit in report.units if not unit.was_refused]
    tests = show_count(sum(len(unit.tests) for unit in tested), "test")
    yield f"{show_count(len(tested), 'function')} {'measured' if report.was_measured else 'tested'}, {tests}."
    yield ""
    yield from _scores(report, tested)
    yield from _section("Run-time errors", (row for unit in tested for row in _crashes(unit)))
    yield from _section("Changed expectations", (row for unit in tested for row in _changes(unit)))
    left = "Not covered" if report.was_measured else "Open objectives"
    yield from _section(left, (row for unit in tested for row in _open(unit)), is_folded=True)
    yield from _section("Not tested", map(_refused, (unit for unit in report.units if unit.was_refused)))


def _scores(report: Report, tested: Iterable[UnitReport]) -> Iterator[str]:
    criteria = report.criteria
    if not criteria:
        return
    yield f"| function | {' | '.join(criteria)} | tests |"
    yield f"| --- |{' --- |' * len(criteria)} ---: |"
    rows = list(tested)
    for unit in rows[:MOST_ROWS]:
        cells = " | ".join(_cell(unit.score(name)) for name in criteria)
        yield f"| {_code(unit.function)} {_plain(unit.file)} | {cells} | {len(unit.tests)} |"
    if len(rows) > MOST_ROWS:
        yield f"| and {len(rows) - MOST_ROWS} more |{' |' * len(criteria)} |"
    if len(rows) > 1:
        cells = " | ".join(f"**{_cell(report.score(name))}**" for name in criteria)
        yield f"| **all** | {cells} | **{sum(len(unit.tests) for unit in rows)}** |"


def _cell(score: Score) -> str:
    if not score.total:
        return "-"
    of_what = " of feasible" if score.infeasible else ""
    parts = [f"{score.covered}/{score.total} ({show_percent(score.covered, score.feasible)}{of_what})"]
    parts += [f"{score.infeasible} infeasible"] if score.infeasible else []
    parts += [f"{score.unknown} unknown"] if score.unknown else []
    return ", ".join(parts)


def _section(title: str, rows: Iterable[str], *, is_folded: bool = False) -> Iterator[str]:
    """A list under a title; nothing if it is empty."""
    listed = list(rows)
    if not listed:
        return
    yield ""
    if is_folded:
        yield f"<details><summary>{title}: {len(listed):,}</summary>"
    else:
        yield f"### {title}"
    yield ""
    yield from listed[:MOST_ROWS]
    if len(listed) > MOST_ROWS:
        yield f"- and {len(listed) - MOST_ROWS:,} more"
    if is_folded:
        yield ""
        yield "</details>"


def _crashes(unit: UnitReport) -> Iterator[str]:
    for crash in unit.crashes:
        if crash.outcome != "exited":
            place = place_of(crash.file or unit.file, crash.line, crash.column)
            inputs = _code(show_inputs(crash.inputs))
            yield f"- {_plain(place)} {_code(unit.function)}: {_plain(crash.reason)}, with {inputs}"


def _changes(unit: UnitReport) -> Iterator[str]:
    return (f"- {_plain(show_expectation(change))}" for change in changes_left(unit))


def _open(unit: UnitReport) -> Iterator[str]:
    left = [each for each in unit.objectives if each.verdict == "unknown"]
    for group in by_place(said_once(left)):
        first = group[0]
        place = _plain(place_of(first.file or unit.file, first.line, first.column))
        why = f" ({_plain(first.why)})" if first.why and first.reason != "not_covered" else ""
        yield f"- {place} {_code(unit.function)} {first.criterion}: {_code(show_sides(group))}{why}"


def _refused(unit: UnitReport) -> str:
    named = f"{_plain(unit.file)} {_code(unit.function)}" if unit.function else _plain(unit.file)
    return f"- {named}: {_plain(unit.stop_reason.removeprefix(NOT_TESTED))}"


def _code(text: str) -> str:
    """In backticks, more of them than the text has in a row."""
    shown = _flat(text).replace("|", "\\|")
    most = max((len(each) for each in re.findall(r"`+", shown)), default=0)
    ticks = "`" * (most + 1)
    blank = " " * bool(most)
    return f"{ticks}{blank}{shown}{blank}{ticks}" if shown else ""


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", _flat(text))


def _flat(text: str) -> str:
    return " ".join(text.split())
