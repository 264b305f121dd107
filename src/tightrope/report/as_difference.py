"""The text report of `tightrope diff`. Functions that behave differently come first.

fee.c -> fee_new.c: 1 function behaves differently

fee  fee_new.c:3   behaves differently
  different: fee_differs, with amount = 100
            old  new
    result  3    4
    the test passes with the new version and fails with the old one
  change 1  fee_new.c:5:16  expression `100` is now `99`
    changed itself
      covered  5:16  amount > 99 is true, is false
  impacted: 2 of 4 objectives   branch 2/2 covered (100%)   2 tests from 4 runs in 0.01 s
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import IO, Any

from rich.text import Text

from tightrope.report.as_text import detail_lines, score_lines, show_count, show_effort, show_inputs, summary_lines
from tightrope.report.console import STYLES, place_of, print_lines
from tightrope.report.difference_model import (
    DifferenceReport,
    FunctionDifference,
    ReportedChange,
    ReportedDifference,
    ReportedOldTest,
)
from tightrope.report.difference_words import (
    ImpactRow,
    by_change,
    impact_rows,
    place_of_change,
    say_change,
    say_reason,
)
from tightrope.report.model import Report

MOST_CHANGES = 20  # of one function that are shown
MOST_ROWS = 12  # impacted places of one change
MOST_OBSERVED = 8  # things in which two runs differ
MOST_UNCHANGED = 40  # functions that are named
MOST_DECIDING = 4  # ids of objectives that are not impacted
MOST_OLD_TESTS = 30
WIDEST = 40  # value of an observation that widens its column
_MORE = "see --json, or --listing"
HEADLINES = {  # what became of a function -> style, and words for one and for many
    "different": ("bold red", "behaves differently", "behave differently"),
    "refused": ("yellow", "was not compared", "were not compared"),
    "signature": ("yellow", "has another signature", "have another signature"),
    "removed": ("yellow", "is gone", "are gone"),
    "added": ("yellow", "is new", "are new"),
    "not-compared": ("yellow", "was not run on both versions", "were not run on both versions"),
    "alike": ("", "shows no difference", "show no difference"),
    "equal": ("green", "is proved equal", "are proved equal"),
    "same": ("green", "is compiled to the same code", "are compiled to the same code"),
    "unchanged": ("", "is unchanged", "are unchanged"),
}
_EQUALITY = {"alike": "no difference found", "equal": "equal", "not-compared": "not compared"}
_FATES = {"lost": ("yellow", "lost"), "kept": ("green", "kept"), "not-needed": ("", "not needed")}
_NOT_PROVED = "; it is not proved"


def print_difference(report: DifferenceReport, *, is_quiet: bool = False, to: IO[str] | None = None) -> None:
    """Print the report. `is_quiet` leaves nothing: errors are printed elsewhere."""
    if not is_quiet:
        print_lines(difference_lines(report), to)


def difference_lines(report: DifferenceReport) -> Iterator[Text]:
    yield _headline(report)
    told = sorted(report.functions, key=lambda one: list(HEADLINES).index(state_of(one)))
    for one in told:
        if state_of(one) != "unchanged":
            yield Text()
            yield from function_lines(one)
    yield from _unchanged_lines([one for one in told if state_of(one) == "unchanged"])
    yield from _total_lines(report)
    if report.is_interrupted:
        yield Text("interrupted: what was found until then is above", "yellow")


def _headline(report: DifferenceReport) -> Text:
    """`a.c -> b.c: 1 function behaves differently, 2 are unchanged`."""
    states = [state_of(one) for one in report.functions]
    parts: list[str] = []
    for state, (_, one, many) in HEADLINES.items():
        count = states.count(state)
        noun = "" if parts else " function" if count == 1 else " functions"
        parts += [f"{count:,}{noun} {one if count == 1 else many}"] if count else []
    said = ", ".join(parts) or "nothing changed"
    return Text(f"{report.old} -> {report.new}: {said}", "bold" if "different" in states else "")


def state_of(one: FunctionDifference) -> str:
    """A key of `HEADLINES`."""
    if one.differences:
        return "different"
    if one.state == "unchanged" and one.changes:
        return "same"
    if one.state == "compared" or one.state not in HEADLINES:
        return one.equality.verdict if one.equality else "not-compared"
    return one.state


def function_lines(one: FunctionDifference) -> Iterator[Text]:
    """Everything about one function."""
    style, words, _ = HEADLINES[state_of(one)]
    place = f"  {place_of(one.unit.defined_in or one.unit.file, one.unit.line)}" if one.unit else ""
    sentence = f": {one.sentence}" if one.state in ("refused", "removed") else ""
    yield Text.assemble((one.function, "bold"), f"{place}   ", (words, style), sentence)
    for difference in one.differences:
        yield from observed_lines(difference)
    yield from _equality_lines(one)
    yield from change_lines(one) if one.state != "added" else ()
    yield from _impact_lines(one)
    yield from (Text(f"  warning: {warning}", "yellow") for warning in one.warnings)
    yield from old_test_lines(one.old_tests)


def observed_lines(difference: ReportedDifference) -> Iterator[Text]:
    """An input on which the versions differ, in what, and the test that shows it."""
    name = f"{difference.test}, " if difference.test else ""
    yield Text.assemble("  ", ("different", "bold red"), f": {name}with {show_inputs(difference.inputs)}")
    seen = [(say_observed(each.what), show_value(each.old), show_value(each.new)) for each in difference.observations]
    rows = [("", "old", "new"), *seen[:MOST_OBSERVED]]
    widths = [max(len(row[column]) for row in rows if len(row[column]) <= WIDEST) for column in (0, 1)]
    for what, old, new in rows:
        yield Text(f"    {what:{widths[0]}}  {old:{widths[1]}}  {new}", "" if what else "dim")
    if len(seen) > MOST_OBSERVED:
        yield Text(f"    and {len(seen) - MOST_OBSERVED} more: see --json")
    if difference.test:
        yield witness_line(difference)


def say_observed(what: str) -> str:
    """`argument 1 of call 2 of f()` of what paths have as `f::argument_1#2`."""
    return _ARGUMENT.sub(r"argument \2 of call \3 of \1()", _WRITE.sub(r"write \2 of \1", what))


_WRITE = re.compile(r"write of (.+?)::argument_1#(\d+)")  # of a register
_ARGUMENT = re.compile(r"(\w+)::argument_(\d+)#(\d+)")


def show_value(value: Any) -> str:
    """As `show_inputs` has it."""
    if value is None:
        return "-"
    return show_inputs({"": value}).removeprefix(" = ")


def witness_line(difference: ReportedDifference) -> Text:
    """Whether it is confirmed that the test distinguishes the versions."""
    if difference.passes_on and difference.fails_on:
        passes = f"passes with the {difference.passes_on} version"
        return Text(f"    the test {passes} and fails with the {difference.fails_on} one")
    detail = f": {difference.detail}" if difference.detail else ""
    passes = f"it passes with the {difference.passes_on} version, and " if difference.passes_on else ""
    return Text(f"    {passes}it is not confirmed that it distinguishes the versions{detail}", "yellow")


def _equality_lines(one: FunctionDifference) -> Iterator[Text]:
    """What is known beyond the differences that were found."""
    found = one.equality
    if found is None or one.state == "unchanged":
        return
    if found.verdict == "different":
        yield Text(f"  {_count_inputs(found.inputs)}")
        return
    said = found.sentence.removeprefix(f"{_EQUALITY[found.verdict]}; ")
    said = said.partition(_NOT_PROVED)[0] if found.reason else said
    yield Text.assemble("  ", (_EQUALITY[found.verdict], HEADLINES[found.verdict][0]), f": {said}")
    if found.reason:
        yield Text(f"    not proved: {found.reason}")
    if found.formula:
        yield Text(f"    proof: {found.proof}, formula {found.formula}", "dim")


def _count_inputs(count: int) -> str:
    return f"{show_count(count, 'input')} {'was' if count == 1 else 'were'} run on both versions"


def change_lines(one: FunctionDifference) -> Iterator[Text]:
    """Each change with the objectives that it impacts; then those that no single change accounts for."""
    found, own = by_change(list(impact_rows(one))), one.unit.file if one.unit else ""
    width = max((len(str(change.number)) for change in one.changes), default=0)
    for change in one.changes[:MOST_CHANGES]:
        yield Text.assemble("  ", (f"change {change.number:{width}}", "bold"), _said(change, one.function))
        yield from _row_lines(found.get(change.number, []), change, own)
    left = one.changes[MOST_CHANGES:]
    if left:
        behind = sum(len(found.get(change.number, [])) for change in left)
        yield Text(f"  and {show_count(len(left), 'more change')}, which impact {behind} more places: {_MORE}")
    if found.get(0):
        yield Text("  no single change", "bold")
        yield from _row_lines(found[0], None, own)


def _said(change: ReportedChange, function: str) -> str:
    return f"  {place_of_change(change)}  {say_change(change, function)}"


def _row_lines(rows: Sequence[ImpactRow], change: ReportedChange | None, own: str) -> Iterator[Text]:
    """Reasons, and below each what has it. Places in the function's own file go without its name."""
    shown, before = rows[:MOST_ROWS], ""
    places = [place_of("" if row.file == own else row.file, row.line, row.column).lstrip(":") for row in shown]
    widths = max((len(row.verdict) for row in shown), default=0), max(map(len, places), default=0)
    for row, place in zip(shown, places, strict=True):
        reason = say_reason(row, change, is_below=True)
        yield from [Text(f"    {reason}")] if reason != before else []
        before = reason
        verdict = (f"{row.verdict:{widths[0]}}", STYLES[row.verdict])
        yield Text.assemble("      ", verdict, f"  {place:{widths[1]}}  {row.text}")
    if len(rows) > MOST_ROWS:
        yield Text(f"      and {len(rows) - MOST_ROWS} more places: {_MORE}")


def _impact_lines(one: FunctionDifference) -> Iterator[Text]:
    """How many objectives are impacted, their score, and what `generate` would report about them."""
    unit = one.unit
    if unit is None:
        return
    if not one.objectives:
        yield Text(f"  there is nothing to cover ({', '.join(unit.criteria)})")
    elif not one.impacts:
        yield Text(f"  impacted: none of {show_count(one.objectives, 'objective')}")
    else:
        head = Text(f"  impacted: {len(one.impacts):,} of {show_count(one.objectives, 'objective')}")
        first, *rest = summary_lines(unit, head, show_effort(unit))
        yield from (first, *(Text("  ").append_text(each) for each in rest))
    if one.alike:
        count = show_count(len(one.alike), "more objective")
        depend, them = ("depends", "it") if len(one.alike) == 1 else ("depend", "them")
        yield Text(f"  {count} {depend} on the changes, but the same inputs hit {them} (proved by a formula)")
    yield from _deciding_lines(one)
    yield from detail_lines(unit)


def _deciding_lines(one: FunctionDifference) -> Iterator[Text]:
    """Objectives that behave as before but decide whether changed code is reached."""
    if one.deciding:
        count = show_count(len(one.deciding), "objective")
        names = ", ".join(each.id for each in one.deciding[:MOST_DECIDING])
        more = ", ..." if len(one.deciding) > MOST_DECIDING else ""
        yield Text(f"  on the way to changed code: {count} as before: {names}{more}")


def old_test_lines(tests: Sequence[ReportedOldTest]) -> Iterator[Text]:
    """The fate of each earlier test. Those that need attention come first."""
    if not tests:
        return
    yield Text(f"  earlier tests: {_count_fates(tests)}")
    told = sorted(tests, key=lambda test: list(_FATES).index(test.fate))
    width = max(len(test.test) for test in told[:MOST_OLD_TESTS])
    for test in told[:MOST_OLD_TESTS]:
        style, word = _FATES[test.fate]
        yield Text.assemble(f"    {test.test:{width}}  ", (word, style), f": {_reason(test)}")
    if len(told) > MOST_OLD_TESTS:
        yield Text(f"    and {len(told) - MOST_OLD_TESTS} more: see --json")


def _count_fates(tests: Sequence[ReportedOldTest]) -> str:
    fates = [test.fate for test in tests]
    return ", ".join(
        f"{fates.count(fate)} {_FATES[fate][1]}" for fate in ("kept", "not-needed", "lost") if fate in fates
    )


def _reason(test: ReportedOldTest) -> str:
    if test.reason:
        return test.reason
    return f"it covers {len(test.covers)} impacted objective{'' if len(test.covers) == 1 else 's'}"


def _unchanged_lines(functions: Sequence[FunctionDifference]) -> Iterator[Text]:
    """One line for all functions with the same result."""
    said: dict[str, list[str]] = {}
    for one in functions:
        said.setdefault(one.sentence, []).append(one.function)
    yield from [Text()] if said else []
    for sentence, names in said.items():
        more = f" and {len(names) - MOST_UNCHANGED} more" if len(names) > MOST_UNCHANGED else ""
        why = f" ({sentence})" if sentence else ""
        yield Text(f"unchanged: {', '.join(names[:MOST_UNCHANGED])}{more}{why}")


def _total_lines(report: DifferenceReport) -> Iterator[Text]:
    units = tuple(one.unit for one in report.functions if one.unit and one.impacts)
    if len(units) < 2:
        return
    whole = Report(report.tool, units)
    yield Text()
    yield Text(f"impacted in {len(units)} functions", "bold")
    yield from score_lines({name: whole.score(name) for name in whole.criteria})
