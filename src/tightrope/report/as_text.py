"""The report as text: a summary of each function, a line per criterion, then what is missing and what to do about it.

Reads the model only; the same report always gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich.text import Text

from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.criterion import Need
from tightrope.report.console import STYLES, join_blocks, place_of, source_lines
from tightrope.report.decision_tables import table_lines
from tightrope.report.earlier_tests import change_lines, written_lines
from tightrope.report.model import (
    ChangedExpectation,
    Concretisation,
    Confirmation,
    Crash,
    Report,
    ReportedObjective,
    Score,
    UnitReport,
    show_percent,
)
from tightrope.report.mutants import MUTATION, is_mutant, mutant_lines, show_mutation_score

_ELEMENT = re.compile(r"(.+)\[(\d+)\]")
_AN_OBJECT = "an object"
_NULL = "NULL"
_UNREMARKABLE = (0, _AN_OBJECT)  # the default value of an input
_FOLLOWED = re.compile(r"->|\[")  # behind the pointer
MOST_CRASHES = 5  # that are shown
MOST_WITH_SOURCE = 6  # objectives that are not covered
MOST_LISTED = 40  # of them, for one reason


def report_lines(report: Report) -> Iterator[Text]:
    yield from join_blocks(map(unit_lines, report.units))
    if len(report.units) > 1:
        yield Text()
        yield from total_lines(report)


def unit_lines(unit: UnitReport) -> Iterator[Text]:
    """Everything about one function."""
    if unit.was_refused:
        yield refusal_line(unit)
        return
    yield from _summary(unit)
    yield from detail_lines(unit)


def refusal_line(unit: UnitReport) -> Text:
    """A function that was not tested, or a file that does not compile."""
    named = Text.assemble((unit.function, "bold"), f"  {unit.file}") if unit.function else Text(unit.file, "bold")
    return Text.assemble(named, "   ", (unit.stop_reason, "yellow"))


def detail_lines(unit: UnitReport) -> Iterator[Text]:
    """Everything but the summary: files, confirmation, assumptions, what is left, crashes."""
    yield from written_lines(unit)
    if unit.confirmation:
        yield from confirmation_lines(unit.confirmation, sum(not test.is_native for test in unit.tests), unit.changes)
    for note in unit.notes:
        yield Text(f"  {note}")
    for assumption in join_alike(unit.assumptions):
        yield Text(f"  assuming {assumption}")
    for warning in unit.warnings:
        yield Text(f"  warning: {warning}", style="yellow")
    yield from change_lines([unit])
    yield from open_lines(unit)
    yield from table_lines(unit.decisions, missing_of_decisions(unit))
    for crash in unit.crashes[:MOST_CRASHES]:
        yield from _crash_lines(unit, crash)
    if len(unit.crashes) > MOST_CRASHES:
        yield Text(f"  and {len(unit.crashes) - MOST_CRASHES} more ways to crash: see the report of --json")
    if any("out of bounds" in crash.reason for crash in unit.crashes) and _chose_sizes(unit):
        yield Text("    if callers pass more elements than assumed, say how many with --input")
    yield from _concretisation_lines(unit)


def join_alike(sentences: Sequence[str], limit: int = 4) -> Iterator[str]:
    """Join `p: NULL` and `q: NULL` to `p, q: NULL`, at the place of the first."""
    groups: dict[str, list[str]] = {}
    for sentence in sentences:
        found = _ABOUT_A_PATH.fullmatch(sentence)
        path, rest = (found["path"], found["rest"]) if found else (sentence, "")
        groups.setdefault(rest or sentence, []).append(path)
    for rest, paths in groups.items():
        shown = ", ".join(paths[:limit])
        more = f" and {len(paths) - limit} more" if len(paths) > limit else ""
        said = rest.replace(" is a member of its enum", " are members of their enums") if len(paths) > 1 else rest
        yield shown + (more + said if rest != paths[0] else "")


_ABOUT_A_PATH = re.compile(r"(?P<path>[\w.:*()\[\]>-]+)(?P<rest>: .*| is a member of its enum)")


def _summary(unit: UnitReport) -> Iterator[Text]:
    head = Text.assemble((unit.function, "bold"), f"  {place_of(unit.defined_in or unit.file, unit.line)}")
    return summary_lines(unit, head, show_effort(unit))


def summary_lines(unit: UnitReport, head: Text, tail: str, left: str = "unknown") -> Iterator[Text]:
    """`head   branch 2/2 covered   tail` on one line; where there are several criteria, one more for each."""
    if len(unit.criteria) == 1:
        name = unit.criteria[0]
        head.append(f"   {name} ").append_text(show_score(unit.score(name), left, name))
    yield head.append(f"   {tail}")
    if len(unit.criteria) > 1:
        yield from score_lines({name: unit.score(name) for name in unit.criteria}, left)


def show_effort(unit: UnitReport) -> str:
    tests, runs = show_count(len(unit.tests), "test"), show_count(unit.statistics.runs, "run")
    return f"{tests} from {runs} in {unit.statistics.whole_seconds:.2f} s"


def score_lines(scores: Mapping[str, Score], left: str = "unknown") -> Iterator[Text]:
    """One line per criterion, in columns. `left` is the word for what is neither covered nor infeasible."""
    width = max(map(len, scores), default=0)
    for name, score in scores.items():
        yield Text(f"  {name:{width}}  ").append_text(show_score(score, left, name))


def missing_of_decisions(unit: UnitReport) -> list[ReportedObjective]:
    """Objectives of criteria about decisions that are not covered, except those that a constant excludes."""
    names = {name for name, each in CRITERIA.items() if Need.DECISIONS in each.needs}
    left = [each for each in unit.objectives if each.verdict != "covered" and each.criterion in names]
    return [each for each in left if each.proof != "constant"]


def show_count(count: int, noun: str) -> str:
    """`1 test`, `2 tests`, `1,204 runs`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def show_score(score: Score, left: str = "unknown", criterion: str = "") -> Text:
    """`22/24 covered (91.7%), 1 infeasible (95.7% of feasible), 1 unknown`."""
    if criterion == MUTATION:
        return show_mutation_score(score)
    if not score.total:
        return Text("nothing to cover")
    style = "green" if not score.unknown else "yellow"
    shown = Text(f"{score.covered}/{score.total} covered ({show_percent(score.covered, score.total)})", style=style)
    if score.infeasible:
        of_feasible = show_percent(score.covered, score.feasible)
        shown.append(f", {score.infeasible} infeasible ({of_feasible} of feasible)", style="cyan")
    if score.unknown:
        shown.append(f", {score.unknown} {left}", style="yellow")
    return shown


def confirmation_lines(found: Confirmation, tests: int, changes: Sequence[ChangedExpectation] = ()) -> Iterator[Text]:
    if found.problem:
        yield Text(f"  not confirmed: {found.problem}", style="red")
        return
    if tests:
        style = "" if found.same == tests else "red"
        alike = f"give{'s' * (found.same == 1)} the same result in a build without instrumentation"
        failing = len({each.test for each in changes if not each.is_accepted})
        not_met = f"; {failing} of them {'fail' if failing > 1 else 'fails'}, see `changed`" if failing else ""
        yield Text(f"  confirmed: {found.same} of {show_count(tests, 'test')} {alike}{not_met}{_judge(found)}", style)
    for name, detail in zip_longest(found.different, found.details, fillvalue=""):
        how = f" ({detail})" if detail else ""
        yield Text(
            f"  not written: {name}, which behaves differently in a build without instrumentation{how}", style="red"
        )
    if found.not_run:
        what = f"{show_count(len(found.not_run), 'input')} that end{'s' * (len(found.not_run) == 1)} a run"
        yield Text(f"  not written: {what} with instrumentation, but not without it", style="yellow")
    for sentence in found.disagreements:
        yield Text(f"  {found.judge} disagrees: {sentence}", style="red")


def _judge(found: Confirmation) -> str:
    if not found.judge or found.disagreements or not found.judged_lines:
        return ""
    others = f" ({len(found.counted_differently)} counted differently)" if found.counted_differently else ""
    return f"; {found.judge} counts the same branches on {show_count(found.judged_lines, 'line')}{others}"


def open_lines(unit: UnitReport) -> Iterator[Text]:
    """What is not covered, by reason; with the lines of C if they are few."""
    left = [each for each in unit.objectives if each.verdict != "covered" and not is_mutant(each)]
    groups: dict[tuple[str, str, str], list[ReportedObjective]] = {}
    for each in left:
        groups.setdefault((each.verdict, each.why, each.option), []).append(each)
    for (verdict, why, option), members in groups.items():
        head = Text.assemble("  ", (verdict, STYLES[verdict]), f": {why}" + (f"; try {option}" if option else ""))
        yield Text("  not covered", STYLES[verdict]) if members[0].reason == "not_covered" else head
        rows = list(by_place(said_once(members)))
        for objectives in rows[:MOST_LISTED]:
            yield Text(f"    {_place(unit, objectives[0])}  {show_sides(objectives)}")
            if len(left) <= MOST_WITH_SOURCE:
                yield from source_lines(objectives[0])
        if len(rows) > MOST_LISTED:
            yield Text(f"    and {len(rows) - MOST_LISTED} more: see the report of --json")
    yield from mutant_lines(unit)


def said_once(objectives: Iterable[ReportedObjective]) -> Iterator[ReportedObjective]:
    """Without rows that another criterion has in the same words: for `if (x)`, MC/DC and branch ask for the same."""
    said_by: dict[tuple[str, int, str], str] = {}
    for each in objectives:
        words = each.text.replace("`", "")
        if said_by.setdefault((each.file, each.line, words), each.criterion) == each.criterion:
            yield each


def by_place(objectives: Iterable[ReportedObjective]) -> Iterable[list[ReportedObjective]]:
    """Both sides of a condition together."""
    groups: dict[object, list[ReportedObjective]] = {}
    for each in objectives:
        stem = _stem(each)
        place = (each.criterion, each.file, each.line, each.column, stem)
        groups.setdefault(place if stem else each.id, []).append(each)
    return groups.values()


_SIDE = re.compile(r"(?: is|,) (?:true|false)$")


def _stem(objective: ReportedObjective) -> str:
    """`a > 3` of `a > 3 is true`, or the text before `, true`; '' for texts without such sides."""
    found = _SIDE.search(objective.text)
    return objective.text[: found.start()] if found else ""


def show_sides(objectives: Sequence[ReportedObjective]) -> str:
    """Both sides in one sentence."""
    first, *others = (each.text for each in objectives)
    return ", ".join((first, *(text.removeprefix(_stem(objectives[0])).removeprefix(",").strip() for text in others)))


def _place(unit: UnitReport, at: ReportedObjective | Crash | Concretisation) -> str:
    return f"{at.file or unit.file}:{at.line}" + (f":{at.column}" if at.column else "")


def _crash_lines(unit: UnitReport, crash: Crash) -> Iterator[Text]:
    where = f"{_place(unit, crash)}  " if crash.line else ""
    word = crash.outcome.replace("_", " ")
    yield Text.assemble("  ", (word, STYLES["crashed"]), f": {where}{crash.reason}")
    yield Text(f"    with {show_inputs(crash.inputs)}")


def _chose_sizes(unit: UnitReport) -> bool:
    return any("--input" in assumption for assumption in unit.assumptions)


def show_inputs(inputs: Mapping[str, Any], limit: int = 12) -> str:
    """`a = 3, b[0] = 0, s = "x=1"`; long inputs are cut, zeros first. What a pointer would lead to if it were not NULL
    is no input."""
    joined = _join_characters(inputs)
    inputs = _without_unreached(joined)
    shown = list(inputs.items())
    if not shown:
        return "no input"
    if len(joined) > limit:
        shown = [(path, value) for path, value in shown if value not in _UNREMARKABLE][:limit]
    if not shown:
        return "every input 0"
    text = ", ".join(f"{path} = {_quoted(value)}" for path, value in shown)
    return f"{text}, ..." if len(shown) < len(inputs) and shown else text


def _without_unreached(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Without `p->x`, `p[0]`, `*p` and `(*p)->x` where `p` is NULL."""
    ends = {path for path, value in inputs.items() if value == _NULL}
    return {path: value for path, value in inputs.items() if ends.isdisjoint(_bases(path))}


def _bases(path: str) -> Iterator[str]:
    """The pointers that the path follows: `(*p)->q[0].x` has `(*p)->q`, `*p` and `p`."""
    for end in (len(path), *(found.start() for found in _FOLLOWED.finditer(path))):
        base = path[:end]
        if base.startswith("(") and base.endswith(")"):
            base = base[1:-1]
        if end < len(path):
            yield base
        while base.startswith("*"):
            base = base[1:]
            yield base


def _join_characters(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Elements of an array as one text, if at least one of them is a printable character."""
    arrays: dict[str, dict[int, Any]] = {}
    for path, value in inputs.items():
        found = _ELEMENT.fullmatch(path)
        if found:
            arrays.setdefault(found[1], {})[int(found[2])] = value
    texts = {array: _text(list(elements.values())) for array, elements in arrays.items()}
    joined: dict[str, Any] = {}
    for path, value in inputs.items():
        found = _ELEMENT.fullmatch(path)
        text = texts[found[1]] if found else None
        if not found or text is None:
            joined[path] = value
        elif joined.get(found[1], _AN_OBJECT) == _AN_OBJECT:  # behind NULL there is no text
            joined[found[1]] = text
    return joined


def _text(values: Sequence[Any]) -> _Text | None:
    """The characters as C writes them between quotes; None if they are not text."""
    if not any(isinstance(value, str) for value in values) or not all(_is_character(value) for value in values):
        return None
    codes = [ord(value) if isinstance(value, str) else value % 256 for value in values]
    end = max((index + 1 for index, code in enumerate(codes) if code), default=0)
    return _Text("".join(chr(code) if 32 <= code < 127 else f"\\x{code:02x}" for code in codes[:end]))


def _is_character(value: Any) -> bool:
    is_number = isinstance(value, int) and not isinstance(value, bool) and -128 <= value < 256
    return is_number or (isinstance(value, str) and len(value) == 1)


class _Text(str):
    """Characters that belong together."""


def _quoted(value: Any) -> str:
    """A character in quotes: `c = '-'`; a text in double ones."""
    if isinstance(value, _Text):
        return f'"{value}"'
    return f"'{value}'" if isinstance(value, str) and len(value) == 1 else str(value)


def _concretisation_lines(unit: UnitReport) -> Iterator[Text]:
    for each in unit.concretisations:
        what = f": {_place(unit, each)}  {each.reason}"
        if each.kind == "pinned":
            yield Text(f"  pinned{what} (tried with {show_count(each.count, 'value')})")
        else:
            times = "once" if each.count == 1 else f"{each.count:,} times"
            yield Text.assemble("  ", ("approximate", "yellow"), f"{what} ({times})")


def total_lines(report: Report, left: str = "unknown") -> Iterator[Text]:
    scores = {criterion: report.score(criterion) for criterion in report.criteria}
    refused = sum(unit.was_refused for unit in report.units)
    unread = sum(not unit.function for unit in report.units)
    head = show_count(len(report.units) - unread, "function")
    head += f", {refused - unread} of them not tested" if refused > unread else ""
    head += f"; {show_count(unread, 'file')} not compiled" if unread else ""
    if len(scores) == 1:
        yield from (
            Text(f"{head}   {name} ", "bold").append_text(show_score(each, left, name)) for name, each in scores.items()
        )
        return
    yield Text(head, "bold")
    yield from score_lines(scores, left)
