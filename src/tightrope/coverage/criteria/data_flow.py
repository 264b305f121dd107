"""Data-flow coverage: values that are computed are used.

S. Rapps, E. J. Weyuker, "Selecting software test data using data flow information", 1985: *all-defs* and *all-uses*,
the latter is `def-use` here. Only parameters and locals that hold a number or a pointer and whose address is not
taken are followed (see program/marks/accesses.py). A use in a condition counts once, not once for each outcome.
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.coverage.criterion import Need, Subject
from tightrope.coverage.objective import Objective, Relation, number_equals, relative_place
from tightrope.program.marks.accesses import Access


class AllDefinitions:
    """One objective per definition that reaches a use: some use of it is executed before another definition."""

    name: ClassVar[str] = "all-defs"
    help: ClassVar[str] = "every definition of a variable reaches at least one use"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.FLOWS})

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        points: dict[int, list[int]] = {}
        for flow, point in subject.flows():
            points.setdefault(flow.definition, []).append(point)
        found = [_any_use(subject, number, tuple(into)) for number, into in sorted(points.items())]
        return number_equals([*found, *_not_followed(subject, self.name, only_definitions=True)])


class DefinitionUse:
    """One objective per definition and use that it may reach."""

    name: ClassVar[str] = "def-use"
    help: ClassVar[str] = "every definition of a variable reaches each use that it can reach"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.FLOWS})

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        found = [_one_use(subject, flow.definition, flow.use, point) for flow, point in subject.flows()]
        return number_equals([*found, *_not_followed(subject, self.name, only_definitions=False)])


def _any_use(subject: Subject, number: int, points: tuple[int, ...]) -> Objective:
    access = subject.marks.accesses[number]
    shown = f"`{access.name}` of line {access.location.line}"
    return Objective(
        id=f"{subject.name}:all-defs:{access.name}:{relative_place(access.location, subject.first)}",
        criterion=AllDefinitions.name,
        kind="definition",
        location=access.location,
        text=f"{shown} is used",
        points=points,
        sentence=f"no test uses the value that `{access.name}` gets in line {access.location.line}",
    )


def _one_use(subject: Subject, definition: int, use: int, point: int) -> Objective:
    one, other = subject.marks.accesses[definition], subject.marks.accesses[use]
    places = [relative_place(each.location, subject.first) for each in (one, other)]
    return Objective(
        id=f"{subject.name}:def-use:{one.name}:{'>'.join(places)}",
        criterion=DefinitionUse.name,
        kind="use",
        location=other.location,
        text=f"`{one.name}` of line {one.location.line} is used in line {other.location.line}",
        points=(point,),
        sentence=f"no test uses in line {other.location.line} the value that `{one.name}` gets in line "
        f"{one.location.line}",
        relation=Relation.SEQUENCE,
    )


def _not_followed(subject: Subject, criterion: str, only_definitions: bool) -> list[Objective]:
    """Objectives for accesses that cannot be followed: they are listed, so that they do not seem to be covered."""
    own = [each for each in subject.marks.accesses if each.function == subject.function.name and each.problem]
    return [_problem(subject, criterion, each) for each in own if each.is_definition or not only_definitions]


def _problem(subject: Subject, criterion: str, access: Access) -> Objective:
    kind = "definition" if access.is_definition else "use"
    return Objective(
        id=f"{subject.name}:{criterion}:{access.name}:{relative_place(access.location, subject.first)}:{kind}",
        criterion=criterion,
        kind=kind,
        location=access.location,
        text=f"`{access.name}` in line {access.location.line}",
        points=(),
        sentence=f"the {kind} of `{access.name}` in line {access.location.line} is not followed",
        problem=access.problem,
    )
