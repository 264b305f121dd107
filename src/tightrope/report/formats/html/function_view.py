"""What the page shows of one function beside the rows of the report: anchors, source, pairs of vectors, code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from tightrope.program.c_text.source_text import SourceText
from tightrope.report.as_text import confirmation_lines, show_inputs
from tightrope.report.decisions import other_differences
from tightrope.report.formats.html.source_view import SourceBlock, severest, view_source
from tightrope.report.formats.html.test_code import TestCode, find_test_code
from tightrope.report.model import (
    ReportedCondition,
    ReportedDecision,
    ReportedObjective,
    ReportedTest,
    ReportedVector,
    Score,
    UnitReport,
)

OF_CONDITIONS = ("mcdc", "gacc", "cacc", "racc", "condition")  # criteria whose objectives a decision's table explains


@dataclass(frozen=True, slots=True)
class ViewedObjective:
    anchor: str
    row: ReportedObjective
    place: str


@dataclass(frozen=True, slots=True)
class ViewedCondition:
    name: str  # C1
    row: ReportedCondition
    objectives: tuple[ViewedObjective, ...]
    verdict: str
    form: str  # of the independence pair: unique cause or masking; '' if there is none


@dataclass(frozen=True, slots=True)
class ViewedDecision:
    anchor: str
    row: ReportedDecision
    conditions: tuple[ViewedCondition, ...]

    @property
    def verdict(self) -> str:
        return severest(each.verdict for each in self.conditions)

    def shows(self, vector: int) -> Sequence[str]:
        """The conditions whose pair the vector belongs to."""
        return [each.name for each in self.conditions if vector in each.row.pair]


@dataclass(frozen=True, slots=True)
class ViewedTest:
    anchor: str
    row: ReportedTest
    inputs: str
    alone: tuple[ViewedObjective, ...]  # what no other test covers
    code: TestCode | None


@dataclass(frozen=True, slots=True)
class ViewedFunction:
    anchor: str
    unit: UnitReport
    scores: Mapping[str, Score]
    source: tuple[SourceBlock, ...]
    objectives: Mapping[str, tuple[ViewedObjective, ...]]  # by criterion
    decisions: tuple[ViewedDecision, ...]
    tests: tuple[ViewedTest, ...]
    confirmation: tuple[tuple[str, str], ...]  # sentence and style
    assumptions: tuple[int, ...]  # their numbers on the page

    @property
    def score(self) -> Score:
        return sum(self.scores.values(), Score())

    @property
    def file(self) -> str:
        return self.unit.defined_in or self.unit.file

    @property
    def test_names(self) -> frozenset[str]:
        return frozenset(test.row.id for test in self.tests)

    def test_anchor(self, name: str) -> str:
        return f"{self.anchor}/{name}"


def view_function(unit: UnitReport, anchor: str, source: SourceText, assumptions: Sequence[int]) -> ViewedFunction:
    rows = tuple(ViewedObjective(f"{anchor}/o{at}", row, _place(unit, row)) for at, row in enumerate(unit.objectives))
    return ViewedFunction(
        anchor,
        unit,
        {name: unit.score(name) for name in unit.criteria},
        view_source(unit, source),
        {name: tuple(each for each in rows if each.row.criterion == name) for name in unit.criteria},
        tuple(_view_decisions(unit, anchor, rows)),
        tuple(_view_tests(unit, anchor, rows)),
        tuple((line.plain.strip(), str(line.style)) for line in _confirmation(unit)),
        tuple(assumptions),
    )


def _confirmation(unit: UnitReport) -> Iterator[Text]:
    return confirmation_lines(unit.confirmation, len(unit.tests), unit.changes) if unit.confirmation else iter(())


def _place(unit: UnitReport, row: ReportedObjective) -> str:
    column = f":{row.column}" if row.column else ""
    own = unit.defined_in or unit.file
    return f"{row.line}{column}" if row.file in ("", own) else f"{row.file}:{row.line}{column}"


def _view_decisions(unit: UnitReport, anchor: str, rows: Sequence[ViewedObjective]) -> Iterator[ViewedDecision]:
    by_place: dict[tuple[str, int, int], list[ViewedObjective]] = {}
    for each in rows:
        if each.row.criterion in OF_CONDITIONS and ":c" in each.row.id:
            by_place.setdefault((each.row.file, each.row.line, each.row.column), []).append(each)
    for at, decision in enumerate(unit.decisions):
        conditions = []
        for number, condition in enumerate(decision.conditions):
            found = by_place.get((decision.file, condition.line, condition.column), [])
            ours = tuple(each for each in found if f":c{number + 1}:" in each.row.id)
            verdict, form = severest(each.row.verdict for each in ours), _form(decision.vectors, condition, number)
            conditions.append(ViewedCondition(f"C{number + 1}", condition, ours, verdict, form))
        yield ViewedDecision(f"{anchor}/d{at}", decision, tuple(conditions))


def _form(vectors: Sequence[ReportedVector], condition: ReportedCondition, number: int) -> str:
    if not condition.pair:
        return ""
    return "masking" if other_differences(vectors, condition.pair, number) else "unique cause"


def _view_tests(unit: UnitReport, anchor: str, rows: Sequence[ViewedObjective]) -> Iterator[ViewedTest]:
    alone: dict[str, list[ViewedObjective]] = {}
    for each in rows:
        if len(each.row.tests) == 1:
            alone.setdefault(each.row.tests[0], []).append(each)
    code = find_test_code(unit)
    for test in unit.tests:
        inputs = show_inputs(test.inputs) if test.inputs else ""
        yield ViewedTest(f"{anchor}/{test.id}", test, inputs, tuple(alone.get(test.id, ())), code.get(test.id))
