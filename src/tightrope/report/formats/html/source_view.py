"""C source as HTML: a mark for each line with objectives and one for each condition, coloured by their verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup, escape

from tightrope.program.c_text.source_text import CText, SourceText
from tightrope.report.as_text import by_place, said_once, show_sides
from tightrope.report.model import ReportedCondition, ReportedObjective, UnitReport

CONTEXT = 2  # lines around a mark outside of the function
MOST_SAID = 4  # rows below a line that share a reason; a click on the count of the line shows all
SEVEREST = ("unknown", "infeasible", "covered")  # the verdict of several objectives is the first that one of them has
_KEYWORDS = (
    "_Bool _Alignof _Generic _Static_assert auto bool break case char const continue default do double else enum "
    "extern float for goto if inline int long register restrict return short signed sizeof static struct switch "
    "typedef union unsigned void volatile while"
)
_SYNTAX = re.compile(
    rf"""
      (?P<c> /\*.*?(?:\*/|\Z) | //[^\n]* )
    | (?P<s> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<p> ^[ \t]*\#[ \t]*\w+ )
    | (?P<n> \b[0-9][\w.]* )
    | (?P<k> \b(?:{_KEYWORDS.replace(" ", "|")})\b )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
Span = tuple[int, int, str]  # of a line: from, to, opening tag


@dataclass(frozen=True, slots=True)
class Remark:
    """Open objectives of one line that share a verdict and its reason."""

    verdict: str
    what: str
    why: str
    option: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    number: int
    html: Markup
    verdict: str = ""
    covered: int = 0
    objectives: tuple[int, ...] = ()  # positions in the unit
    remarks: tuple[Remark, ...] = ()
    has_error: bool = False
    is_after_gap: bool = False


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """The lines of one file that the function is about."""

    file: str
    lines: tuple[SourceLine, ...]


@dataclass(slots=True)
class _LineFacts:
    """What there is in one line."""

    objectives: list[int] = field(default_factory=list)
    marks: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # part of the line -> positions
    has_error: bool = False


def severest(verdicts: Iterable[str]) -> str:
    """The one to be seen first; '' of none."""
    found = set(verdicts)
    return next((verdict for verdict in SEVEREST if verdict in found), "")


def view_source(unit: UnitReport, source: SourceText) -> tuple[SourceBlock, ...]:
    """The function, then what its objectives are about elsewhere; files that cannot be read are left out."""
    own = unit.defined_in or unit.file
    places: dict[str, dict[int, _LineFacts]] = {own: {}}
    conditions = {
        (decision.file or own, each.line, each.column): each
        for decision in unit.decisions
        for each in decision.conditions
    }
    for at, objective in enumerate(unit.objectives):
        file = objective.file or own
        place = places.setdefault(file, {}).setdefault(objective.line, _LineFacts())
        place.objectives.append(at)
        extent = _extent(source.file(file), objective, conditions.get((file, objective.line, objective.column)))
        if extent is not None:
            place.marks.setdefault(extent, []).append(at)
    for crash in unit.crashes:
        if crash.line:
            places.setdefault(crash.file or own, {}).setdefault(crash.line, _LineFacts()).has_error = True
    blocks = (
        _block(unit, file, found, source.file(file), unit.line if file == own else 0) for file, found in places.items()
    )
    return tuple(block for block in blocks if block.lines)


def _extent(text: CText, objective: ReportedObjective, condition: ReportedCondition | None) -> tuple[int, int] | None:
    """The part of the line that the objective is about; None: the line as a whole."""
    if not objective.column or objective.kind not in ("true", "false", "pair"):
        return None
    found = _written_extent(text.line(objective.line), condition) if condition else None
    return found or text.extent(objective.line, objective.column)


def _written_extent(line: str, condition: ReportedCondition) -> tuple[int, int] | None:
    """Where the condition stands in the line, if it is written there as it is in the report."""
    start = len(line.encode()[: condition.column - 1].decode(errors="ignore"))
    pattern = r"\s*".join(map(re.escape, condition.text.replace(" ", "")))
    found = re.compile(pattern).match(line, start) if len(condition.text) < len(line) else None
    return found.span() if found else None


def _block(unit: UnitReport, file: str, places: Mapping[int, _LineFacts], text: CText, first: int) -> SourceBlock:
    shown = set(range(first, text.last_line(first) + 1)) if first else set()
    for line in places.keys() - shown:
        shown |= set(range(line - CONTEXT, line + CONTEXT + 1))
    count, colours = text.text.count("\n") + 1, colour_lines(text.text)
    lines, before = [], 0
    for number in sorted(shown):
        if 0 < number <= count and text.text:
            place = places.get(number, _LineFacts())
            row = _line(unit, number, text.line(number), place, colours.get(number, []), 0 < before < number - 1)
            lines.append(row)
            before = number
    return SourceBlock(file, tuple(lines))


def _line(
    unit: UnitReport, number: int, text: str, place: _LineFacts, colours: Sequence[Span], is_after_gap: bool
) -> SourceLine:
    objectives = [unit.objectives[at] for at in place.objectives]
    marks = [(*extent, _mark(unit, found)) for extent, found in place.marks.items()]
    verdicts = [each.verdict for each in objectives]
    return SourceLine(
        number,
        decorate(text, [*marks, *colours]),
        severest(verdicts),
        verdicts.count("covered"),
        tuple(place.objectives),
        tuple(_remarks(objectives)),
        place.has_error,
        is_after_gap,
    )


def _mark(unit: UnitReport, positions: Sequence[int]) -> str:
    objectives = [unit.objectives[at] for at in positions]
    said = "\n".join(f"{each.verdict}: {each.text} ({each.criterion})" for each in objectives)
    numbers = " ".join(map(str, positions))
    return f'<span class="m {severest(each.verdict for each in objectives)}" data-o="{numbers}" title="{escape(said)}">'


def _remarks(objectives: Sequence[ReportedObjective]) -> Iterator[Remark]:
    """What is not covered, one row for each reason."""
    groups: dict[tuple[str, str, str], list[ReportedObjective]] = {}
    for each in objectives:
        if each.verdict != "covered":
            groups.setdefault((each.verdict, each.why or each.sentence, each.option), []).append(each)
    for (verdict, why, option), members in groups.items():
        rows = [show_sides(each) for each in by_place(said_once(members))]
        more = [f"and {len(rows) - MOST_SAID} more"] if len(rows) > MOST_SAID else []
        yield Remark(verdict, "; ".join([*rows[:MOST_SAID], *more]), why, option)


@lru_cache(maxsize=8)
def colour_lines(text: str) -> dict[int, list[Span]]:
    """Comments, literals and keywords, by line."""
    found: dict[int, list[Span]] = {}
    starts = [0, *(each.end() for each in re.finditer(r"\n", text)), len(text) + 1]
    number = 1
    for match in _SYNTAX.finditer(text):
        while starts[number] <= match.start():
            number += 1
        line = number
        while line < len(starts) and starts[line - 1] < match.end():
            start, end = max(match.start(), starts[line - 1]), min(match.end(), starts[line] - 1)
            if start < end:
                found.setdefault(line, []).append(
                    (start - starts[line - 1], end - starts[line - 1], f'<span class="{match.lastgroup}">')
                )
            line += 1
    return found


def decorate(text: str, spans: Iterable[Span]) -> Markup:
    """The text with tags around parts of it. A part that overlaps the end of another one is cut there."""
    html, ends, at = Markup(), [len(text)], 0
    for start, end, tag in sorted(spans, key=lambda span: (span[0], -span[1])):
        while ends[-1] <= start and len(ends) > 1:
            html += escape(text[at : ends[-1]]) + Markup("</span>")
            at = ends.pop()
        html += escape(text[at:start]) + Markup(tag)
        at = start
        ends.append(min(end, ends[-1]))
    while ends:
        html += escape(text[at : ends[-1]]) + (Markup("</span>") if len(ends) > 1 else Markup())
        at = ends.pop()
    return html
