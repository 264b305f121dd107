"""The table of criteria: name -> class. `--criterion`, its help and the docs read it."""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.objectives.criteria.branch import Branch
from tightrope.objectives.criteria.statement import Statement
from tightrope.objectives.criterion import Criterion, Subject
from tightrope.objectives.objective import Objective

CRITERIA: dict[str, type[Criterion]] = {each.name: each for each in (Branch, Statement)}


def find_objectives(criteria: Iterable[str], subject: Subject) -> tuple[Objective, ...]:
    """The objectives of all these criteria, criterion by criterion."""
    return tuple(objective for name in criteria for objective in CRITERIA[name]().find_objectives(subject))
