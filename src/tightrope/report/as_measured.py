"""The text report of `tightrope measure`: the score of each function, what no test covers, and what each test covers.

classify  triangle.c:4   branch 12/14 covered (85.7%)   3 tests of tests/test_triangle.c
  not covered
    triangle.c:9:7  a == b is false
  test_equilateral  covers 6, 2 of them alone
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tightrope.report.as_text import (
    missing_of_decisions,
    open_lines,
    refusal_line,
    show_count,
    summary_lines,
    total_lines,
)
from tightrope.report.console import join_blocks
from tightrope.report.decision_tables import table_lines
from tightrope.report.model import Report, ReportedTest, UnitReport

MOST_TESTS = 30  # that are shown
LEFT = "not covered"
_RETURNED = "returned"


def measured_lines(report: Report) -> Iterator[Text]:
    yield from join_blocks(map(unit_lines, report.units))
    if len(report.units) > 1:
        yield Text()
        yield from total_lines(report, LEFT)


def unit_lines(unit: UnitReport) -> Iterator[Text]:
    """Everything about one function."""
    if unit.was_refused:
        yield refusal_line(unit)
        return
    yield from _summary(unit)
    for note in unit.notes:
        yield Text(f"  {note}")
    for warning in unit.warnings:
        yield Text(f"  warning: {warning}", style="yellow")
    yield from open_lines(unit)
    yield from table_lines(unit.decisions, missing_of_decisions(unit))
    yield from test_lines(unit)


def _summary(unit: UnitReport) -> Iterator[Text]:
    head = Text.assemble((unit.function, "bold"), f"  {unit.defined_in or unit.file}:{unit.line}")
    suites = f" of {', '.join(unit.suites)}" if unit.suites else ""
    return summary_lines(unit, head, f"{show_count(len(unit.tests), 'test')}{suites}", LEFT)


def test_lines(unit: UnitReport) -> Iterator[Text]:
    """Each test with what it covers, and how it ended where it did not return."""
    alone = _covered_alone(unit)
    shown = unit.tests[:MOST_TESTS]
    width = max((len(test.id) for test in shown), default=0)
    for test in shown:
        yield Text(f"  {test.id:{width}}  {_does(test, alone.count(test.id))}")
    if len(unit.tests) > MOST_TESTS:
        yield Text(f"  and {show_count(len(unit.tests) - MOST_TESTS, 'more test')}: see --json")


def _covered_alone(unit: UnitReport) -> Sequence[str]:
    """The test of each objective that has one test only."""
    return [row.tests[0] for row in unit.objectives if len(row.tests) == 1]


def _does(test: ReportedTest, alone: int) -> str:
    if not test.covers:
        found = "covers nothing"
    else:
        share = "all" if alone == len(test.covers) else f"{alone:,}"
        found = f"covers {len(test.covers):,}" + (f", {share} of them alone" if alone else "")
    if test.outcome == _RETURNED:
        return found
    word = test.outcome.replace("_", " ")
    return f"{found}; {word}{f' ({test.reason})' if test.reason else ''}"
