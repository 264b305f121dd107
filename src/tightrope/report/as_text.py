"""The report for people: one summary line per function, then what is missing and what to do about it.

Reads the model only; the same report always gives the same text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any

from rich.console import Console
from rich.text import Text

from tightrope.report.model import (
    Confirmation,
    Crash,
    Report,
    ReportedObjective,
    Score,
    UnitReport,
    show_percent,
)

_STYLES = {"covered": "green", "infeasible": "cyan", "unknown": "yellow", "crashed": "red"}


def print_report(report: Report, *, is_quiet: bool = False, to: IO[str] | None = None) -> None:
    """Print the report. `is_quiet` leaves nothing: errors are printed elsewhere."""
    if is_quiet:
        return
    console = make_console(to or sys.stdout)
    for line in report_lines(report):
        console.print(line, soft_wrap=True, highlight=False)


def make_console(to: IO[str]) -> Console:
    """Colours on a terminal; NO_COLOR (non-empty) turns them off, FORCE_COLOR on."""
    forced, refused = bool(os.environ.get("FORCE_COLOR")), bool(os.environ.get("NO_COLOR"))
    has_colour = not refused and (forced or (hasattr(to, "isatty") and to.isatty()))
    return Console(
        file=to, force_terminal=has_colour, no_color=not has_colour, color_system="standard" if has_colour else None
    )


def report_lines(report: Report) -> Iterator[Text]:
    for number, unit in enumerate(report.units):
        if number:
            yield Text()
        yield from unit_lines(unit)
    if len(report.units) > 1:
        yield Text()
        yield from _total_lines(report)


def unit_lines(unit: UnitReport) -> Iterator[Text]:
    """Everything about one function."""
    yield _summary(unit)
    if unit.written:
        yield Text(f"  wrote {', '.join(unit.written)}")
    if unit.confirmation:
        yield from _confirmation_lines(unit.confirmation, len(unit.tests))
    for assumption in unit.assumptions:
        yield Text(f"  assuming {assumption}")
    for warning in unit.warnings:
        yield Text(f"  warning: {warning}", style="yellow")
    for objective in unit.objectives:
        if objective.verdict != "covered":
            yield from _objective_lines(unit, objective)
    for crash in unit.crashes:
        yield from _crash_lines(unit, crash)
    yield from _concretisation_lines(unit)


def _summary(unit: UnitReport) -> Text:
    place = f"{unit.file}:{unit.line}" if unit.line else unit.file
    line = Text.assemble((unit.function, "bold"), f"  {place}")
    for criterion in unit.criteria:
        line.append(f"   {criterion} ")
        line.append_text(show_score(unit.score(criterion)))
    tests = len(unit.tests)
    line.append(f"   {tests} test{'' if tests == 1 else 's'}   {unit.statistics.seconds:.1f} s")
    return line


def show_score(score: Score) -> Text:
    """`22/24 covered (91.7%), 1 infeasible (95.7% of feasible), 1 unknown`."""
    if not score.total:
        return Text("nothing to cover")
    style = "green" if not score.unknown else "yellow"
    shown = Text(f"{score.covered}/{score.total} covered ({show_percent(score.covered, score.total)})", style=style)
    if score.infeasible:
        of_feasible = show_percent(score.covered, score.feasible)
        shown.append(f", {score.infeasible} infeasible ({of_feasible} of feasible)", style="cyan")
    if score.unknown:
        shown.append(f", {score.unknown} unknown", style="yellow")
    return shown


def _confirmation_lines(found: Confirmation, tests: int) -> Iterator[Text]:
    if found.problem:
        yield Text(f"  not confirmed: {found.problem}", style="red")
        return
    style = "" if found.same == tests else "red"
    yield Text(f"  confirmed without probes: {found.same}/{tests} same result{_judge(found)}", style=style)
    for name in found.different:
        yield Text(f"  {name} does not behave alike without probes: a bug of Tightrope, or undefined behaviour", "red")
    for name in found.not_run:
        yield Text(f"  {name} was not run", style="yellow")
    for sentence in found.disagreements:
        yield Text(f"  {found.judge} disagrees: {sentence}", style="red")


def _judge(found: Confirmation) -> str:
    if not found.judge or found.disagreements:
        return ""
    lines = f"{found.judged_lines} line{'' if found.judged_lines == 1 else 's'}"
    others = f" ({len(found.counted_differently)} counted differently)" if found.counted_differently else ""
    return f"; branch counts equal those of {found.judge} on {lines}{others}"


def _objective_lines(unit: UnitReport, objective: ReportedObjective) -> Iterator[Text]:
    place = f"{objective.file or unit.file}:{objective.line}" + (f":{objective.column}" if objective.column else "")
    yield Text.assemble("  ", (objective.verdict, _STYLES[objective.verdict]), f"  {place}  {objective.text}")
    yield from _source_lines(objective)
    if objective.sentence:
        yield Text(f"      {objective.sentence}")
    if objective.option:
        yield Text(f"      try {objective.option}")


def _source_lines(objective: ReportedObjective) -> Iterator[Text]:
    """The line of C with a caret under the place; both lines have the same tabs, so that it stays there."""
    if not objective.source.strip():
        return
    gutter = f"{objective.line:>6} | "
    yield Text(gutter + objective.source)
    if objective.column:
        before = objective.source.encode()[: objective.column - 1].decode(errors="replace")
        indent = "".join("\t" if character == "\t" else " " for character in before)
        yield Text.assemble(" " * (len(gutter) - 2) + "| " + indent, ("^", "bold"))


def _crash_lines(unit: UnitReport, crash: Crash) -> Iterator[Text]:
    place = f"{crash.file or unit.file}:{crash.line}" + (f":{crash.column}" if crash.column else "")
    where = f"  {place}" if crash.line else ""
    word = crash.outcome.replace("_", " ")
    yield Text.assemble("  ", (word, _STYLES["crashed"]), f"{where}  {crash.reason}")
    yield Text(f"      {unit.function}({show_inputs(crash.inputs)})")


def show_inputs(inputs: Mapping[str, Any], limit: int = 12) -> str:
    """`a = 3, b[0] = 0`; long inputs are cut, zeros first."""
    shown = list(inputs.items())
    if len(shown) > limit:
        shown = [(path, value) for path, value in shown if value != 0][:limit]
    text = ", ".join(f"{path} = {value}" for path, value in shown)
    return f"{text}, ..." if len(shown) < len(inputs) and shown else text


def _concretisation_lines(unit: UnitReport) -> Iterator[Text]:
    for each in unit.concretisations:
        place = f"{each.file or unit.file}:{each.line}" + (f":{each.column}" if each.column else "")
        times = "once" if each.count == 1 else f"{each.count} times"
        yield Text.assemble("  ", ("approximate", "yellow"), f"  {place}  {each.reason} ({times})")


def _total_lines(report: Report) -> Iterator[Text]:
    for criterion in report.criteria:
        line = Text(f"{len(report.units)} functions   {criterion} ", style="bold")
        line.append_text(show_score(report.score(criterion)))
        yield line
