"""The Criterion protocol: a named rule from a function to objectives. Criteria never edit code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol

from tightrope.coverage.objective import Objective
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.decisions.decisions import Decision
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.flow.branch_paths import BranchPath
from tightrope.program.flow.constants import blocks_past_constants
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import LABEL_END, NOTHING, DataFlow, Marks
from tightrope.program.marks.mutants import SourceMutant


class Need(Enum):
    """What must be marked in the program for a criterion."""

    DECISIONS = "decisions"
    LABELS = "labels"
    FLOWS = "flows"
    MUTANTS = "mutants"
    PATHS = "paths"


NO_MARKS: frozenset[Need] = frozenset()


@dataclass(frozen=True, slots=True)
class Subject:
    """The function under test, as criteria see it."""

    function: Function
    points: Points
    source: SourceText
    marks: Marks = NOTHING  # of all functions under test
    label_blocks: frozenset[str] = frozenset()  # blocks inside the predicates of labels: their branches do not count
    mcdc_form: str = "masking"
    has_exits: bool = False  # MC/DC asks for the points of entry and exit too

    @property
    def name(self) -> str:
        """The C name; where a driver includes the unit, its `main` has another one."""
        name = self.function.name.removeprefix("@").strip('"')
        return "main" if name == UNIT_MAIN else name

    @property
    def first(self) -> Location:
        """Where the function starts."""
        return self.function.location or Location("", 0)

    def decisions(self) -> list[tuple[Decision, range]]:
        """The function's decisions, each with the points of its vectors."""
        found = zip(self.marks.decisions, self.points.vectors, strict=True)
        return [(decision, points) for decision, points in found if decision.function == self.function.name]

    def labels(self, criterion: str) -> list[tuple[Label, int]]:
        """The function's labels of a criterion, each with its point."""
        found = zip(self.marks.labels, self.points.labels, strict=True)
        return [(each, p) for each, p in found if each.function == self.function.name and each.criterion == criterion]

    def labels_without_code(self) -> frozenset[int]:
        """The points of labels that the compiled function does not hold, or only where a constant excludes it: no
        control comes to their places."""
        reached = blocks_past_constants(self.function)
        inside = (each for block in self.function.blocks if block.name in reached for each in block.instructions)
        marked = {int(each.arguments[0].value.text) for each in inside if each.callee == LABEL_END}
        return frozenset(point for number, point in enumerate(self.points.labels) if number not in marked)

    def paths(self) -> list[tuple[Label, BranchPath, int]]:
        """The labels of the function's paths, each with the path and its point."""
        found = [(each, point) for each, point in zip(self.marks.labels, self.points.labels, strict=True)]
        last = found[len(found) - len(self.marks.paths) :]
        rows = [(*each, path) for each, path in zip(last, self.marks.paths, strict=True)]
        return [(label, path, point) for label, point, path in rows if label.function == self.function.name]

    def flows(self) -> list[tuple[DataFlow, int]]:
        """The function's definitions with their uses, each pair with its point."""
        found = zip(self.marks.flows, self.points.flows, strict=True)
        return [(flow, point) for flow, point in found if flow.function == self.function.name]

    def mutants(self) -> list[tuple[SourceMutant, int]]:
        """The function's mutants that compile, each with its point."""
        found = zip(self.marks.mutants, self.points.mutants, strict=True)
        return [(each, point) for each, point in found if each.function == self.function.name and not each.problem]

    def point(self, block: str, side: int | None = None) -> int:
        return self.points.numbers[self.function.name, block, side]


class Criterion(Protocol):
    """`name` is the word on the command line, `help` a sentence for the user, `needs` the marks that it uses."""

    name: ClassVar[str]
    help: ClassVar[str]
    needs: ClassVar[frozenset[Need]]

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        """The objectives of the function, in the order of the text, with unique ids."""
        ...
