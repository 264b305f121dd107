"""Strong mutation: each mutant of the function, a small change of its C, makes some test fail.

R. A. DeMillo, R. J. Lipton, F. G. Sayward, "Hints on test data selection: help for the practicing programmer", 1978. A
test *kills* a mutant if it passes on the function and fails on the mutant. What a test does in the function itself does
not show that: the mutants are programs of their own (program/marks/mutants.py), and the point of an objective is hit by
a test that fails on its mutant, or for which the mutant leaves an array or an object and the function does not. A
mutant that behaves as the function for every input is *equivalent*: infeasible.
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.coverage.criterion import Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.program.marks.mutants import SourceMutant


class StrongMutation:
    """One objective for each mutant that compiles."""

    name: ClassVar[str] = "mutation"
    help: ClassVar[str] = "every small change of the function (mutant) makes some test fail"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.MUTANTS})

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        return number_equals(_objective(subject, *row) for row in subject.mutants())


def _objective(subject: Subject, mutant: SourceMutant, point: int) -> Objective:
    place = relative_place(mutant.location, subject.first)
    parts = (subject.name, StrongMutation.name, place, mutant.operator, mutant.what)
    return Objective(
        id=":".join(part for part in parts if part),
        criterion=StrongMutation.name,
        kind=mutant.operator,
        location=mutant.location,
        text=mutant.text,
        points=(point,),
        sentence=f"no test fails if line {mutant.location.line} has `{mutant.text}`",
        change=mutant.change,
    )
