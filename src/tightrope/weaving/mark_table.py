"""What weaving needs to know about marks: how vectors are numbered, and which conditions no branch tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tightrope.program.decisions.boolean_tree import Vector, count_vectors, vectors
from tightrope.program.decisions.condition_values import (
    count_condition_points,
    first_condition,
    has_too_many_vectors,
    points_with_value,
)
from tightrope.program.decisions.decisions import Decision
from tightrope.program.decisions.numbering import Numbering, number_vectors
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.marks.marks import CONDITION, NOTHING, Marks, tested_values
from tightrope.weaving.condition_code import state_bits


def vector_counts(marks: Marks) -> list[int]:
    """The points of each decision: its vectors, or what condition_values.py has in their place. One that is not
    followed has none."""
    return [0 if each.problem else _count_points(each) for each in marks.decisions]


def _count_points(decision: Decision) -> int:
    if has_too_many_vectors(decision.tree, decision.constants):
        return count_condition_points(decision.tree)
    return count_vectors(decision.tree, decision.constants)


@dataclass
class MarkTable:
    """The marks of all functions, by number."""

    marks: Marks = NOTHING
    _numberings: dict[int, Numbering] = field(default_factory=dict)
    _are_large: dict[int, bool] = field(default_factory=dict)

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        return self.marks.condition_places()

    def find(self, condition: int) -> tuple[int, int]:
        """The decision that a condition belongs to, and its position there."""
        return self._places[condition]

    def numbering(self, decision: int) -> Numbering:
        known = self._numberings.get(decision)
        if known is None:
            each = self.marks.decisions[decision]
            known = self._numberings[decision] = number_vectors(each.tree, each.constants)
        return known

    def is_large(self, decision: int) -> bool:
        """True if <condition, value> is followed, not vectors."""
        known = self._are_large.get(decision)
        if known is None:
            each = self.marks.decisions[decision]
            known = self._are_large[decision] = has_too_many_vectors(each.tree, each.constants)
        return known

    def first(self, decision: int) -> int | None:
        """The condition that every evaluation starts with."""
        each = self.marks.decisions[decision]
        return first_condition(each.tree, each.constants) if self.is_large(decision) else self.numbering(decision).first

    def marks_in(self, function: Function) -> FunctionMarks:
        calls = [(block, each) for block in function.blocks for each in block.instructions if each.callee == CONDITION]
        if not calls:
            return NO_MARKS
        decisions, untested = self._read(calls)
        bits = {each: state_bits(self.marks.decisions[each]) for each in decisions if self.is_large(each)}
        return FunctionMarks(decisions, untested, bits)

    def _read(self, calls: list[tuple[Block, Instruction]]) -> tuple[tuple[int, ...], dict[int, frozenset[int]]]:
        found: dict[int, set[int]] = {}
        for block, call in calls:
            number, value = (argument.value.text for argument in call.arguments)
            decision, position = self.find(int(number))
            untested = found.setdefault(decision, set())
            is_known = not value.startswith("%")  # a mark of a join, on one of the ways past it
            untested |= set() if is_known or value in tested_values(block) else {position}
        return tuple(found), {decision: frozenset(each) for decision, each in found.items() if each}


@dataclass(frozen=True, slots=True)
class FunctionMarks:
    """The marks of one function."""

    decisions: tuple[int, ...] = ()
    untested: dict[int, frozenset[int]] = field(default_factory=dict)
    #   decision -> positions of its conditions that no branch tests; decisions without any are left out

    bits: dict[int, int] = field(default_factory=dict)  # what a large decision keeps: two for each condition

    def locals(self) -> list[str]:
        """What is kept of a decision while it is evaluated, in the frame of the function."""
        kept = [f"%tr.decision.{decision} = alloca i{self.bits.get(decision, 32)}" for decision in self.decisions]
        return kept + [f"%tr.observed.{decision} = alloca i32" for decision in self.untested]


NO_MARKS = FunctionMarks()


# -- which points a run may hit because of a label, or of the value that a condition has


def points_of_obligations(marks: Marks, points: Points) -> tuple[tuple[int, int], ...]:
    """Masks by number of the obligation (labels first, then the conditions of all decisions): when it is false, and
    when it is true. A label has its one point in both."""
    labels = [(1 << point, 1 << point) for point in points.labels]
    decisions = zip(marks.decisions, points.vectors, strict=True)
    return (*labels, *(masks for decision, numbers in decisions for masks in _of_conditions(decision, numbers)))


def _of_conditions(decision: Decision, points: range) -> Iterator[tuple[int, int]]:
    if points and has_too_many_vectors(decision.tree, decision.constants):
        for condition in range(len(decision.conditions)):
            ways = (points_with_value(decision.tree, condition, value) for value in (False, True))
            false, true = (sum(1 << points[at] for at in way) for way in ways)
            yield false, true
        return
    found = list(zip(vectors(decision.tree, decision.constants), points, strict=True)) if points else []
    for condition in range(len(decision.conditions)):
        yield _mask(found, condition, False), _mask(found, condition, True)


def _mask(found: list[tuple[Vector, int]], condition: int, value: bool) -> int:
    return sum(1 << point for vector, point in found if vector.values[condition] is value)
