"""Objectives that tests cover which are run as they are, because their inputs are not known: they stay where they are,
and nothing is searched for what they cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.verdict import Covered
from tightrope.coverage.witnesses import find_witnesses
from tightrope.program.c_text.source_text import SourceText
from tightrope.report.collect import report_objective
from tightrope.report.executed_lines import add_tests
from tightrope.report.model import ReportedTest, UnitReport
from tightrope.source.project import as_named
from tightrope.units.prepared import PreparedUnit

if TYPE_CHECKING:  # few functions have tests that must be built
    from tightrope.commands.measure.native_tests import NativeTest

NativeCoverage = Mapping[str, tuple[str, ...]]  # objective -> tests that cover it and stay as they are
Hits = Mapping[str, tuple[int, ...]]  # objective -> positions in its points


def find_native_coverage(objectives: Iterable[Objective], tests: Sequence[tuple[str, Hits]]) -> NativeCoverage:
    """The objectives that tests cover which stay as they are. They need no search and no new test. `tests` are names,
    with the points that they hit by objective."""
    found = {each.id: find_witnesses(each, [_points(each, hits) for _, hits in tests]) for each in objectives}
    return {key: tuple(tests[at][0] for at in witnesses) for key, witnesses in found.items() if witnesses}


def _points(objective: Objective, hits: Hits) -> int:
    """The points of the objective that the test hits; their positions are the same in every build
    (measured_coverage.py)."""
    hit = hits.get(objective.id, ())
    if objective.relation in (Relation.ANY, Relation.SEQUENCE):
        return objective.mask if hit else 0
    return sum(1 << objective.points[at] for at in hit if at < len(objective.points))


def with_native_tests(report: UnitReport, unit: PreparedUnit, native: NativeCoverage) -> UnitReport:
    """The report, with the objectives that unchanged tests cover. `unit` has all objectives, in order."""
    if not native:
        return report
    rows = {row.id: row for row in report.objectives}
    for objective in unit.objectives:
        if objective.id in native:
            row = report_objective(objective, Covered(native[objective.id]), SourceText())
            place = as_named(row.file, unit.file.path, unit.file.working_directory)
            rows[objective.id] = replace(row, file=place)
    order = [each.id for each in unit.objectives if each.id in rows]
    return replace(report, objectives=tuple(rows[key] for key in order))


def list_natives(report: UnitReport, natives: Sequence[NativeTest], native: NativeCoverage) -> UnitReport:
    """The report with rows for the tests that are run as they are, as far as they cover something."""
    rows, lines = [], []
    for test in natives:
        covers = tuple(key for key, names in native.items() if test.name in names)
        outcome, _, reason = (test.ending or "returned").partition(": ")
        if covers:
            row = ReportedTest(test.name, {}, outcome.replace(" ", "_"), covers, reason=reason)
            rows.append(replace(row, suite=str(test.file), is_kept=True, is_native=True))
            lines.append(test.lines)
    return replace(report, tests=(*rows, *report.tests), executed=add_tests(report.executed, lines))
