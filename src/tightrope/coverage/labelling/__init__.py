"""The table of labelling functions: name of a criterion -> function that finds its labels in a C function.

A labelling function changes nothing: it returns predicates and their places (paper 002, Section III).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.labelling.comparisons import label_limits
from tightrope.coverage.labelling.conditions import label_combinations, label_conditions
from tightrope.coverage.labelling.evaluation import FunctionFacts
from tightrope.coverage.labelling.hyperlabels import label_hyperlabels
from tightrope.coverage.labelling.labeller import without_repetitions
from tightrope.coverage.labelling.loops import label_loops
from tightrope.coverage.labelling.partitions import label_partitions
from tightrope.coverage.labelling.runtime_errors import label_errors
from tightrope.coverage.labelling.structural import label_decisions, label_statements
from tightrope.coverage.labelling.weak_mutation import label_mutants
from tightrope.coverage.labelling.written import label_written
from tightrope.program.c_text.syntax import FunctionSyntax
from tightrope.program.decisions.decisions import Decision
from tightrope.program.marks.labels import Label, Partition


@dataclass(frozen=True, slots=True)
class Material:
    """What labelling functions get."""

    facts: FunctionFacts
    decisions: tuple[Decision, ...] = ()
    partitions: tuple[Partition, ...] = ()
    mcdc_form: str = "masking"


Labelling = Callable[[Material], Iterator[Label]]


def _about_decisions(criterion: type[AboutDecisions], given: Material) -> Iterator[Label]:
    return label_decisions(given.facts, given.decisions, criterion, given.mcdc_form)


_REPETITIVE = ("wm", "limit", "rte")  # have equal labels for each use of a variable in a statement
LABELLINGS: dict[str, Labelling] = {
    "wm": lambda given: label_mutants(given.facts),
    "limit": lambda given: label_limits(given.facts),
    "rte": lambda given: label_errors(given.facts),
    "idp": lambda given: label_partitions(given.facts, given.partitions),
    "label": lambda given: chain(label_written(given.facts), label_hyperlabels(given.facts)),
    "label-cc": lambda given: label_conditions(given.facts, given.decisions),
    "label-mcc": lambda given: label_combinations(given.facts, given.decisions),
    "loop": lambda given: label_loops(given.facts),
    "statement": lambda given: label_statements(given.facts),
    **{name: partial(_about_decisions, each) for name, each in CRITERIA.items() if issubclass(each, AboutDecisions)},
}


def find_labels(
    criteria: Iterable[str],
    syntax: FunctionSyntax,
    decisions: tuple[Decision, ...] = (),
    partitions: tuple[Partition, ...] = (),
    mcdc_form: str = "masking",
) -> tuple[Label, ...]:
    """The labels of the criteria that are made of labels, criterion by criterion."""
    given = Material(FunctionFacts(syntax), decisions, partitions, mcdc_form)
    found = [(name, LABELLINGS[name](given)) for name in criteria if name in LABELLINGS]
    return tuple(
        label for name, labels in found for label in (without_repetitions(labels) if name in _REPETITIVE else labels)
    )
