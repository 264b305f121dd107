"""The table of criteria: name -> class. `--criterion`, its help and the docs read it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tightrope.objectives.criteria.active_clause import (
    CorrelatedActiveClause,
    GeneralActiveClause,
    RestrictedActiveClause,
)
from tightrope.objectives.criteria.branch import Branch
from tightrope.objectives.criteria.call import CallCoverage
from tightrope.objectives.criteria.data_flow import AllDefinitions, DefinitionUse
from tightrope.objectives.criteria.decision import ConditionCoverage, DecisionConditionCoverage, DecisionCoverage
from tightrope.objectives.criteria.function import FunctionCoverage
from tightrope.objectives.criteria.labelled import LABELLED, make_labelled
from tightrope.objectives.criteria.mcdc import Mcdc
from tightrope.objectives.criteria.multiple_condition import MultipleCondition, PairwiseCondition
from tightrope.objectives.criteria.statement import Statement
from tightrope.objectives.criterion import Criterion, Subject
from tightrope.objectives.objective import Objective

_TABLE: tuple[type[Criterion], ...] = (
    FunctionCoverage,
    CallCoverage,
    Statement,
    Branch,
    DecisionCoverage,
    ConditionCoverage,
    DecisionConditionCoverage,
    Mcdc,
    MultipleCondition,
    PairwiseCondition,
    GeneralActiveClause,
    CorrelatedActiveClause,
    RestrictedActiveClause,
    AllDefinitions,
    DefinitionUse,
    *LABELLED,
)

CRITERIA: dict[str, type[Criterion]] = {each.name: each for each in _TABLE}


def find_objectives(criteria: Iterable[str], subject: Subject, labelled: Collection[str] = ()) -> tuple[Objective, ...]:
    """The objectives of all these criteria, criterion by criterion; those named in `labelled` are made of labels."""
    table = {name: make_labelled(name) if name in labelled else CRITERIA[name]() for name in criteria}
    return tuple(objective for criterion in table.values() for objective in criterion.find_objectives(subject))
