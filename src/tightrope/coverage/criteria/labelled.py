"""Criteria made of labels: each label of the criterion is an objective.

S. Bardin, N. Kosmatov, F. Cheynier, "Efficient Leveraging of Symbolic Execution to Advanced Coverage Criteria", ICST
2014: a test covers a label (loc, φ) when it reaches loc in a state that satisfies φ. The modules of coverage/labelling
define the labels.
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.coverage.criterion import Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.coverage.truth_table import shorten
from tightrope.program.marks.labels import Label


class Labelled:
    """One objective per label."""

    name: ClassVar[str] = ""
    help: ClassVar[str] = ""
    needs: ClassVar[frozenset[Need]] = frozenset({Need.LABELS})
    missing: ClassVar[str] = "no test makes `{predicate}` true at line {line}"

    def __init__(self, criterion: str = "") -> None:
        self.criterion = criterion or self.name

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        groups: dict[object, list[tuple[Label, int]]] = {}
        for label, point in subject.labels(self.criterion):
            groups.setdefault(label.group or point, []).append((label, point))
        dead = subject.labels_without_code()
        return number_equals(
            label_objective(subject, group, self.missing, is_dead=all(point in dead for _, point in group))
            for group in groups.values()
        )


def label_objective(subject: Subject, group: list[tuple[Label, int]], missing: str, *, is_dead: bool) -> Objective:
    """The objective of a label, or of several of which one must hold; it has no point if one of them has a problem.
    Dead: the compiler has dropped its code."""
    label = group[0][0]
    problem = next((each.problem for each, _ in group if each.problem), "")
    parts = (subject.name, label.criterion, relative_place(label.location, subject.first), label.what)
    known = {"text": shorten(label.text), "predicate": shorten(label.shown), "line": label.location.line}
    return Objective(
        id=":".join(part for part in parts if part),
        criterion=label.criterion,
        kind=label.kind,
        location=label.location,
        text=label.text,
        points=() if problem else tuple(point for _, point in group),
        sentence=missing.format(**known),
        is_constant=((label.predicate == "0" and len(group) == 1) or is_dead) and not problem,
        problem=problem,
        is_error=label.criterion == RuntimeErrors.name,
    )


class WeakMutation(Labelled):
    """W. E. Howden, "Weak mutation testing and completeness of test sets", 1982; operators have no side effects."""

    name: ClassVar[str] = "wm"
    help: ClassVar[str] = "every small change of an expression (mutant) changes its value in some test"
    missing: ClassVar[str] = "no test distinguishes the mutant `{text}` at line {line}"


class Limit(Labelled):
    """Boundary values."""

    name: ClassVar[str] = "limit"
    help: ClassVar[str] = "every comparison is evaluated with boundary values: equal operands and the next value"
    missing: ClassVar[str] = "no test reaches `{text}` at line {line}"


class RuntimeErrors(Labelled):
    """A covered objective is an error that a test triggers."""

    name: ClassVar[str] = "rte"
    help: ClassVar[str] = "every possible run-time error is triggered"
    missing: ClassVar[str] = "no test triggers the error at line {line}: {text}"


class InputDomain(Labelled):
    """The user defines the partitions, from the interface or from the purpose of the function."""

    name: ClassVar[str] = "idp"
    help: ClassVar[str] = "every block of every partition of the inputs is used (--partition)"
    missing: ClassVar[str] = "no test has inputs with `{predicate}`"


class WrittenLabels(Labelled):
    """For test objectives that no other criterion has."""

    name: ClassVar[str] = "label"
    help: ClassVar[str] = "every label in the source (pc_label, TIGHTROPE_LABEL) is satisfied"
    missing: ClassVar[str] = "no test satisfies `{predicate}` at line {line}"


class LoopCoverage(Labelled):
    """Three objectives per loop; two for `do`, and for a loop whose condition is always true."""

    name: ClassVar[str] = "loop"
    help: ClassVar[str] = "every loop is executed with zero, with exactly one, and with more iterations"
    missing: ClassVar[str] = "no test executes {text}"


class ConditionLabels(Labelled):
    """The conditions of each conditional statement, whether or not C evaluates them (the paper's ψ_CC)."""

    name: ClassVar[str] = "label-cc"
    help: ClassVar[str] = "every condition would be true, and false, when its decision is reached (labels of the paper)"
    missing: ClassVar[str] = "in no test {text} at line {line}"


class CombinationLabels(Labelled):
    """All combinations of the conditions of each conditional statement (the paper's ψ_MCC)."""

    name: ClassVar[str] = "label-mcc"
    help: ClassVar[str] = "every combination of conditions, evaluated by C or not (labels of the paper)"
    missing: ClassVar[str] = "in no test {text} at line {line}"


LABELLED: tuple[type[Labelled], ...] = (
    WeakMutation,
    Limit,
    RuntimeErrors,
    InputDomain,
    WrittenLabels,
    ConditionLabels,
    CombinationLabels,
    LoopCoverage,
)


def make_labelled(criterion: str) -> Labelled:
    """Another criterion, expressed by labels (direct instrumentation)."""
    return Labelled(criterion)
