"""The table of criteria: name -> class. `--criterion`, its help and the docs read it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.criteria.active_clause import (
    CorrelatedActiveClause,
    GeneralActiveClause,
    RestrictedActiveClause,
)
from tightrope.coverage.criteria.branch import Branch
from tightrope.coverage.criteria.branch_path import BranchPaths
from tightrope.coverage.criteria.call import CallCoverage
from tightrope.coverage.criteria.data_flow import AllDefinitions, DefinitionUse
from tightrope.coverage.criteria.decision import ConditionCoverage, DecisionConditionCoverage, DecisionCoverage
from tightrope.coverage.criteria.function import FunctionCoverage
from tightrope.coverage.criteria.labelled import LABELLED, make_labelled
from tightrope.coverage.criteria.line import Line
from tightrope.coverage.criteria.mcdc import Mcdc, with_entry_and_exits
from tightrope.coverage.criteria.multiple_condition import MultipleCondition, PairwiseCondition
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.coverage.criteria.statement import Statement
from tightrope.coverage.criterion import Criterion, Need, Subject
from tightrope.coverage.objective import Objective

_TABLE: tuple[type[Criterion], ...] = (
    FunctionCoverage,
    CallCoverage,
    Line,
    Statement,
    Branch,
    BranchPaths,
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
    StrongMutation,
)

CRITERIA: dict[str, type[Criterion]] = {each.name: each for each in _TABLE}


def find_objectives(criteria: Iterable[str], subject: Subject, labelled: Collection[str] = ()) -> tuple[Objective, ...]:
    """The objectives of all these criteria, criterion by criterion; those named in `labelled` are made of labels."""
    return tuple(each for name in criteria for each in _find(name, subject, is_labelled=name in labelled))


def choose_labelled(criteria: Iterable[str], *, is_direct: bool, mcdc_form: str = "masking") -> tuple[str, ...]:
    """The criteria that are made of labels: always, or because direct instrumentation is asked for."""
    return tuple(
        name
        for name in criteria
        if Need.LABELS in CRITERIA[name].needs
        or (is_direct and can_be_labelled(name) and not takes_pairs(name, mcdc_form))
    )


def can_be_labelled(name: str) -> bool:
    """True if coverage/labelling has a function that finds its labels. That room is imported only to find some."""
    criterion = CRITERIA[name]
    return Need.LABELS in criterion.needs or criterion is Statement or issubclass(criterion, AboutDecisions)


def takes_pairs(name: str, mcdc_form: str = "masking") -> bool:
    """True if the criterion compares two runs, which labels cannot express."""
    return name in ("cacc", "racc") or (name == "mcdc" and mcdc_form == "unique-cause")


def _find(name: str, subject: Subject, *, is_labelled: bool) -> tuple[Objective, ...]:
    if not is_labelled or Need.LABELS in CRITERIA[name].needs:
        return CRITERIA[name]().find_objectives(subject)
    found = make_labelled(name).find_objectives(subject)
    return with_entry_and_exits(subject, found) if name == Mcdc.name else found
