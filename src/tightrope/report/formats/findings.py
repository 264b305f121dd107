"""What formats of annotations have in common: what to tell about places in the source, the most urgent first.

A crash is an error. A run that does not end is a warning, and so is an objective of which nothing is known. A function
that was not tested is a notice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from tightrope.report.as_text import show_inputs
from tightrope.report.model import NOT_TESTED, Crash, PathStep, Report, ReportedObjective, UnitReport

ERROR, WARNING, NOTICE = "error", "warning", "notice"
LEVELS = {"crashed": ERROR, "timed_out": WARNING}  # by outcome; a call of `exit` is no fault


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """`rule` is stable, and so is `fingerprint`, as long as only other functions are edited."""

    rule: str
    level: str
    file: str
    line: int  # 0: the whole file
    column: int
    message: str
    fingerprint: str
    path: tuple[PathStep, ...] = ()  # of a run that ends there


def list_findings(report: Report) -> list[SourceFinding]:
    found = [each for unit in report.units for each in _findings(unit)]
    return sorted(found, key=lambda each: (ERROR, WARNING, NOTICE).index(each.level))


def _findings(unit: UnitReport) -> Iterator[SourceFinding]:
    if unit.was_refused:
        what = f"{unit.function or unit.file} was not tested: {unit.stop_reason.removeprefix(NOT_TESTED)}"
        key = _fingerprint("not-tested", unit.file, unit.function)
        yield SourceFinding("not-tested", NOTICE, unit.file, unit.line, 0, what, key)
    for crash in unit.crashes:
        if crash.outcome in LEVELS:
            yield _crash(unit, crash)
    for objective in unit.objectives:
        if objective.verdict == "unknown":
            yield _open(unit, objective)


def _crash(unit: UnitReport, crash: Crash) -> SourceFinding:
    message = f"{crash.reason} in {unit.function}, with {show_inputs(crash.inputs)}"
    place = crash.line - unit.line if crash.file == (unit.defined_in or unit.file) else crash.line
    key = _fingerprint(unit.file, unit.function, crash.outcome, crash.reason, crash.file, str(place), str(crash.column))
    rule = crash.outcome.replace("_", "-")
    return SourceFinding(
        rule, LEVELS[crash.outcome], crash.file or unit.file, crash.line, crash.column, message, key, crash.path
    )


def _open(unit: UnitReport, objective: ReportedObjective) -> SourceFinding:
    message = f"{unit.function}: {objective.sentence or objective.text}"
    message += f"; try {objective.option}" if objective.option else ""
    key = _fingerprint(unit.file, objective.id)
    column = _characters(objective.source, objective.column)
    file = objective.file or unit.file
    return SourceFinding(f"open-{objective.criterion}", WARNING, file, objective.line, column, message, key)


def _characters(source: str, column: int) -> int:
    """A column of bytes as one of characters."""
    return len(source.encode()[: column - 1].decode(errors="replace")) + 1 if source and column else column


def _fingerprint(*words: str) -> str:
    return sha256("\0".join(words).encode()).hexdigest()[:32]
