"""k-path coverage: every sequence of k branches.

N. Williams, B. Marre, P. Mouy, "On-the-fly generation of k-path tests for C functions", ASE 2004, bound the iterations
of loops by k. Here a path has k branches (`--path-length`, 2 without it), anywhere in the function, none of them twice.
It may be shorter from the first branch to an end of the function. Branches are those of `branch`; calls are stepped
over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tightrope.coverage.criteria.branch import Branch
from tightrope.coverage.criterion import Need, Subject
from tightrope.coverage.objective import Objective, number_equals
from tightrope.program.marks.labels import Label


class BranchPaths:
    """One objective per path; a function with very many has one that says so."""

    name: ClassVar[str] = "k-path"
    help: ClassVar[str] = "every sequence of k branches in the function is taken (--path-length)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PATHS})

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        branches = {each.points[0]: each for each in Branch().find_objectives(subject)}
        return number_equals(_objectives(subject, branches))


def _objectives(subject: Subject, branches: dict[int, Objective]) -> Iterator[Objective]:
    for label, path, point in subject.paths():
        if label.problem:
            yield _too_many(subject, label)
            continue
        steps = [[branches[subject.point(step.block, side)] for side in step.sides] for step in path]
        if all(map(_may_be_taken, steps)):
            yield _objective(subject, steps, point)


def _may_be_taken(sides: list[Objective]) -> bool:
    return not all(each.is_constant for each in sides)


def _objective(subject: Subject, steps: list[list[Objective]], point: int) -> Objective:
    text = ", then ".join(" or ".join(each.text for each in sides) for sides in steps)
    words = "/".join(sides[0].id.partition(":branch:")[2] for sides in steps)
    return Objective(
        id=f"{subject.name}:{BranchPaths.name}:{words}",
        criterion=BranchPaths.name,
        kind="path",
        location=steps[0][0].location,
        text=text,
        points=(point,),
        sentence=f"in no test: {text}",
    )


def _too_many(subject: Subject, label: Label) -> Objective:
    return Objective(
        id=f"{subject.name}:{BranchPaths.name}:all",
        criterion=BranchPaths.name,
        kind="paths",
        location=label.location,
        text=label.text,
        points=(),
        sentence=label.problem,
        problem=label.problem,
    )
