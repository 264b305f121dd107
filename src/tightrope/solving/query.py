"""Queries to a solver, and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from tightrope.expr.terms import Term, slots_of
from tightrope.solving.path_condition import Conjunction

Model = Mapping[int, int]  # slot -> unsigned value


class Query:
    """Can `condition` and `target` hold together?

    `base` is an input that is known to satisfy the condition (the run whose prefix it is), indexed by slot. A model
    needs only the slots that the query mentions; the caller overlays it on `base`. A plain slotted class: a search
    creates two of these per candidate, and creating a frozen dataclass takes four times as long.
    """

    __slots__ = ("base", "condition", "target")

    def __init__(self, condition: Conjunction, target: Term, base: Sequence[int]) -> None:
        self.condition = condition
        self.target = target
        self.base = base

    @property
    def constraints(self) -> tuple[Term, ...]:
        """Everything that a model must satisfy, the target last."""
        return (*self.condition.constraints, self.target)

    @property
    def slots(self) -> tuple[int, ...]:
        return slots_of(self.condition.support | self.target.support)

    def __repr__(self) -> str:
        return f"<query: {self.condition!r} and {self.target!r}>"


class WhyUnknown(Enum):
    """Why a solver gave no answer; the value is the sentence shown."""

    TIME_LIMIT = "the solver did not answer within its time limit"
    NOT_SUPPORTED = "the solver does not support an operator of the query"
    CRASHED = "the solver failed on the query"

    @property
    def sentence(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable; `model` has a value for exactly the slots that the query mentions."""

    model: Model


@dataclass(frozen=True, slots=True)
class Unsat:
    """No input satisfies the query. `core` is a subset of its constraints and target that is already unsatisfiable;
    empty if the solver does not provide one."""

    core: frozenset[Term] = frozenset()


@dataclass(frozen=True, slots=True)
class SolverUnknown:
    """Neither sat nor unsat was shown."""

    reason: WhyUnknown
    detail: str = ""


Answer = Sat | Unsat | SolverUnknown

UNSAT = Unsat()


def overlay(base: Sequence[int], model: Model) -> tuple[int, ...]:
    """`base` with the model's values: the input to run next."""
    values = list(base)
    for slot, value in model.items():
        values[slot] = value
    return tuple(values)


def restrict(values: Sequence[int], slots: Sequence[int]) -> dict[int, int]:
    """An input as a model of these slots."""
    return {slot: values[slot] for slot in slots}
