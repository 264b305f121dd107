"""What formats about coverage have in common: functions, lines, branches and conditions, file by file.

Every count is a number of tests. What is proved infeasible is marked, so that a format can leave it out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tightrope.report.executed_lines import join_executed
from tightrope.report.model import ExecutedFunction, Report, ReportedObjective, UnitReport

BRANCH, MCDC, LINE = "branch", "mcdc", "line"
_CONDITION = re.compile(r"(?P<decision>.*):c(?P<number>\d+):(?P<side>true|false|pair)(#\d+)?$")
_PLACE = re.compile(r":([+-]\d+)[.:]")  # of the branch or the decision, counted from the first line of the function
_QUOTED = re.compile(r"`([^`]*)`")


@dataclass(frozen=True, slots=True)
class CountedSide:
    """A side of a branch, or a value of a condition with which it decides."""

    text: str
    tests: int
    is_infeasible: bool

    @property
    def is_covered(self) -> bool:
        return self.tests > 0


@dataclass(frozen=True, slots=True)
class BranchSides:
    """The sides of one branch: two, or one for each case of a switch."""

    sides: tuple[CountedSide, ...]

    @property
    def was_evaluated(self) -> bool:
        """True if some test takes one of them."""
        return any(side.is_covered for side in self.sides)


@dataclass(frozen=True, slots=True)
class ConditionSides:
    """A condition of a decision: whether tests show that it decides, when it is true and when it is false."""

    text: str
    true: CountedSide
    false: CountedSide

    @property
    def sides(self) -> tuple[CountedSide, CountedSide]:
        return self.true, self.false


@dataclass(slots=True)
class FileCoverage:
    file: str
    functions: dict[str, ExecutedFunction] = field(default_factory=dict)
    branches: dict[int, list[BranchSides]] = field(default_factory=lambda: defaultdict(list))  # by line
    decisions: dict[int, list[tuple[ConditionSides, ...]]] = field(default_factory=lambda: defaultdict(list))

    excluded: set[int] = field(default_factory=set)  # lines that are proved infeasible, with `-c line`

    @property
    def lines(self) -> dict[int, int]:
        """Line -> how many tests execute it, without those that are excluded. Two functions may share a line."""
        found: dict[int, int] = {}
        for function in self.functions.values():
            for row in function.lines:
                found[row.line] = max(found.get(row.line, 0), row.tests)
        return {line: tests for line, tests in sorted(found.items()) if tests or line not in self.excluded}

    def line_of(self, objective: ReportedObjective) -> int:
        """The line with code to which a branch or a decision belongs, by its id: for a case, that of the `switch`."""
        function = self.functions.get(objective.id.partition(":")[0])
        place = _PLACE.search(objective.id)
        line = function.line + int(place[1]) if function and place else objective.line
        before = [row.line for row in function.lines if row.line <= line] if function else []
        return before[-1] if before else line

    def sides(self) -> list[CountedSide]:
        return [side for rows in self.branches.values() for row in rows for side in row.sides]

    def conditions(self) -> list[CountedSide]:
        rows = (condition for rows in self.decisions.values() for row in rows for condition in row)
        return [side for condition in rows for side in condition.sides]


def count_covered(sides: Iterable[CountedSide]) -> tuple[int, int]:
    """How many are covered, and how many there are without those that are infeasible."""
    feasible = [side for side in sides if not side.is_infeasible]
    return sum(side.is_covered for side in feasible), len(feasible)


def cover_files(report: Report) -> list[FileCoverage]:
    """By name. A function that is in several rows of the report counts once, with the tests of all."""
    found: dict[str, FileCoverage] = {}
    objectives: dict[tuple[str, str], ReportedObjective] = {}
    for unit in report.units:
        for row in unit.executed:
            functions = found.setdefault(row.file, FileCoverage(row.file)).functions
            known = functions.get(row.function)
            functions[row.function] = join_executed(known, row) if known else row
        for each in unit.objectives:
            key = (_file_of(unit, each), each.id)
            objectives[key] = _together(objectives[key], each) if key in objectives else each
    for coverage in found.values():
        coverage.functions = dict(sorted(coverage.functions.items(), key=lambda item: item[1].line))
    by_file: dict[str, list[ReportedObjective]] = {}
    for (file, _), each in objectives.items():
        by_file.setdefault(file, []).append(each)
    for file, rows in by_file.items():
        coverage = found.setdefault(file, FileCoverage(file))
        coverage.excluded |= {row.line for row in rows if row.criterion == LINE and row.verdict == "infeasible"}
        for sides in _by_branch(rows):
            coverage.branches[coverage.line_of(sides[0])].append(BranchSides(tuple(map(_side, sides))))
        for decision in _decisions(rows):
            first = next(iter(decision[0].values()))
            coverage.decisions[coverage.line_of(first)].append(tuple(map(_condition, decision)))
    return [found[file] for file in sorted(found)]


def _file_of(unit: UnitReport, objective: ReportedObjective) -> str:
    return objective.file or unit.defined_in or unit.file


def _together(one: ReportedObjective, other: ReportedObjective) -> ReportedObjective:
    """An objective of which two rows tell: what one of them covers is covered. It is only infeasible if it is from both
    functions: each proof is about the inputs of one (--whole-program)."""
    better = min(one, other, key=lambda each: ("covered", "unknown", "infeasible").index(each.verdict))
    return replace(better, tests=(*one.tests, *other.tests))


def _tests(objective: ReportedObjective) -> int:
    return len(objective.tests) if objective.verdict == "covered" else 0


def _side(objective: ReportedObjective) -> CountedSide:
    return CountedSide(objective.text, _tests(objective), objective.verdict == "infeasible")


def _by_branch(objectives: Iterable[ReportedObjective]) -> Iterable[list[ReportedObjective]]:
    """The sides of each branch: their ids differ in the last word, but not in the number behind it."""
    found: dict[tuple[str, str], list[ReportedObjective]] = {}
    for each in objectives:
        if each.criterion == BRANCH:
            stem, _, word = each.id.rpartition(":")
            found.setdefault((stem, word.partition("#")[2]), []).append(each)
    return found.values()


def _decisions(objectives: Iterable[ReportedObjective]) -> Iterator[list[dict[str, ReportedObjective]]]:
    """Conditions, by value, decision by decision. Several decisions of one macro have the same place: the next one
    begins where the numbers of conditions begin again."""
    group: dict[int, dict[str, ReportedObjective]] = {}
    last = ""
    for each in objectives:
        read = _CONDITION.fullmatch(each.id) if each.criterion == MCDC else None
        if not read:
            continue
        number, side = int(read["number"]), read["side"]
        is_next = bool(group) and (number < max(group) or side in group.get(number, ()))
        if group and (read["decision"] != last or is_next):
            yield list(group.values())
            group = {}
        last = read["decision"]
        group.setdefault(number, {})[side] = each
    if group:
        yield list(group.values())


def _condition(sides: dict[str, ReportedObjective]) -> ConditionSides:
    """Of the unique-cause form, a pair shows both values."""
    first = next(iter(sides.values()))
    found = _QUOTED.search(first.text)
    text = found[1] if found else first.text
    if "pair" in sides:
        both = replace(_side(first), tests=int(_tests(first) > 0))
        return ConditionSides(text, both, both)
    nothing = CountedSide(text, 0, is_infeasible=True)
    true, false = (_side(sides[word]) if word in sides else nothing for word in ("true", "false"))
    return ConditionSides(text, true, false)
