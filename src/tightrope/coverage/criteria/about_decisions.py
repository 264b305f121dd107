"""Base class of criteria about decisions: they select rows of a truth table, which become objectives here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from tightrope.coverage.criterion import Need, Subject
from tightrope.coverage.objective import Objective, Relation, number_equals, relative_place
from tightrope.coverage.truth_table import TruthTable, Wanted, make_table


class AboutDecisions(ABC):
    """One objective for each `Wanted` of each decision, in the order of the text.

    A decision that is constant as a whole has no objectives.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DECISIONS})

    @abstractmethod
    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        """What the criterion asks of one decision."""

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        found = []
        for decision, points in subject.decisions():
            table = make_table(decision)
            if not table.is_constant:
                wanted = self.want(table, subject.mcdc_form)
                found += [_objective(subject, self.name, table, points, each) for each in wanted]
        return number_equals(found)


def _objective(subject: Subject, criterion: str, table: TruthTable, points: range, wanted: Wanted) -> Objective:
    """The objective. It has no points if the decision cannot be followed, and is constant if no row covers it."""
    problem = table.problem or wanted.problem
    rows = wanted.rows if wanted.pairs is None else tuple(row for pair in wanted.pairs for row in pair)
    pairs = [] if problem else [(points[one.number], points[other.number]) for one, other in wanted.pairs or ()]
    is_constant = not rows and not wanted.problem and not (table.is_too_large and table.problem)
    return Objective(
        id=f"{subject.name}:{criterion}:{relative_place(table.decision.location, subject.first)}:{wanted.word}",
        criterion=criterion,
        kind=wanted.kind,
        location=wanted.location,
        text=wanted.text,
        points=() if problem else tuple(sorted({points[row.number] for row in rows})),
        sentence=wanted.sentence,
        is_constant=is_constant,
        relation=Relation.ANY if wanted.pairs is None else Relation.PAIR,
        pairs=tuple(pairs),
        problem="" if is_constant else problem,
    )
