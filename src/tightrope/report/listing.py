"""What `tightrope objectives` lists: decisions with their conditions, masks, terminations and vectors, labels,
objectives and points, each with its place in the C and in the IR. Plain data, the exact image of the JSON
(listing_schema.json).

It is what the preprocessor of paper 000 hands to its monitor, and enough for another tool to watch a run of its own:

    condition --value--> vector (a point is hit) --relation--> objective
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.coverage.objective import Objective
from tightrope.coverage.witnesses import bits
from tightrope.program.decisions.boolean_tree import (
    And,
    Both,
    Choice,
    ConditionRef,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
    Vector,
)
from tightrope.program.decisions.decisions import Decision
from tightrope.program.decisions.masking import masks, terminations, unmasked
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, Marks
from tightrope.report.decisions import constants_of, decision_ids, first_lines, vectors_of

SCHEMA = 1
MOST_CONDITIONS = 200  # of a decision that cannot be followed, and is looked into all the same


@dataclass(frozen=True, slots=True)
class InIr:
    """Where something sits in the IR: the value is an i1 there."""

    function: str  # '@grade'
    block: str  # 'land.rhs'
    value: str = ""  # '%cmp'


@dataclass(frozen=True, slots=True)
class Masked:
    """By value of a condition: indices of the conditions before it that then cannot matter any more."""

    true: tuple[int, ...]
    false: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """By value of a condition: whether the decision is then over. None: it depends on what came before."""

    true: bool | None
    false: bool | None


@dataclass(frozen=True, slots=True)
class ListedCondition:
    index: int  # counted from 1: C1, C2 ...
    text: str
    line: int  # in the decision's file
    column: int
    constant: bool | None  # its value, where it is a constant
    is_in_macro: bool
    masks: Masked
    terminates: Ends
    ir: InIr | None  # None: there is no code for it


@dataclass(frozen=True, slots=True)
class ListedVector:
    values: tuple[bool | None, ...]  # by condition; None: not evaluated
    outcome: bool
    point: int  # that such an evaluation hits
    unmasked: tuple[int, ...]  # indices of the conditions that matter in it
    serves: tuple[str, ...]  # ids of the objectives that have the point


@dataclass(frozen=True, slots=True)
class ListedDecision:
    id: str
    file: str
    line: int
    column: int
    text: str
    role: str  # if, while, do, for, ?:, switch, assert, value
    formula: str  # 'C1 && (C2 || !C3)'
    conditions: tuple[ListedCondition, ...]
    vectors: tuple[ListedVector, ...]
    problem: str = ""  # why its evaluations cannot be followed


@dataclass(frozen=True, slots=True)
class ListedLabel:
    criterion: str
    kind: str
    file: str
    line: int
    column: int
    text: str
    predicate: str  # C, macros expanded
    before: tuple[int, int] | None  # line and column of what it is put before
    point: int | None  # that is hit when it holds
    ir: InIr | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ListedObjective:
    id: str
    criterion: str
    kind: str
    file: str
    line: int
    column: int
    text: str
    relation: str
    points: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]  # of a pair
    is_constant: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ListedPoint:
    number: int
    kind: str  # block, side, vector, label, flow
    function: str = ""
    block: str = ""
    side: int | None = None  # br: 1 = the first target is taken; switch: the number of the case, 0 = default
    decision: str = ""  # id, of a vector
    label: int | None = None  # position in the labels


@dataclass(frozen=True, slots=True)
class ListedFunction:
    """`refusal` is why there is nothing to list."""

    function: str
    file: str
    line: int
    criteria: tuple[str, ...] = ()
    mcdc_form: str = ""
    decisions: tuple[ListedDecision, ...] = ()
    labels: tuple[ListedLabel, ...] = ()
    objectives: tuple[ListedObjective, ...] = ()
    points: tuple[ListedPoint, ...] = ()
    refusal: str = ""


def list_decisions(
    marks: Marks, points: Points, functions: Mapping[str, Function], objectives: Sequence[Objective]
) -> tuple[ListedDecision, ...]:
    """Every decision of the marks, those that cannot be followed with their problem."""
    ids = decision_ids(marks.decisions, first_lines(functions))
    places = dict(_find_marks(functions, CONDITION))
    serves = _objectives_by_point(objectives)
    return tuple(
        _list_decision(name, decision, points.vectors[at], marks.first_condition(at), places, serves)
        for at, (name, decision) in enumerate(zip(ids, marks.decisions, strict=True))
    )


def _list_decision(
    name: str,
    decision: Decision,
    numbers: range,
    first: int,
    places: Mapping[int, InIr],
    serves: Mapping[int, tuple[str, ...]],
) -> ListedDecision:
    at = decision.location
    found = zip(numbers, vectors_of(decision), strict=False)
    return ListedDecision(
        name,
        at.file,
        at.line,
        at.column,
        decision.text,
        decision.role,
        show_formula(decision.tree) if _is_readable(decision) else "",
        tuple(_list_conditions(decision, first, places)),
        tuple(_list_vector(decision, vector, number, serves.get(number, ())) for number, vector in found),
        decision.problem,
    )


def _is_readable(decision: Decision) -> bool:
    """A tree of thousands of conditions is too deep to be looked into."""
    return not decision.problem or len(decision.conditions) <= MOST_CONDITIONS


def _list_conditions(decision: Decision, first: int, places: Mapping[int, InIr]) -> Iterator[ListedCondition]:
    masked, ends = (masks(decision.tree), terminations(decision.tree)) if _is_readable(decision) else ({}, {})
    for index, each in enumerate(decision.conditions):
        yield ListedCondition(
            index + 1,
            each.text,
            each.location.line,
            each.location.column,
            each.constant,
            each.is_in_macro,
            Masked(*(_from_one(masked.get((index, value), frozenset())) for value in (True, False))),
            Ends(ends.get((index, True)), ends.get((index, False))),
            places.get(first + index),
        )


def _list_vector(decision: Decision, vector: Vector, number: int, serves: tuple[str, ...]) -> ListedVector:
    mattered = unmasked(decision.tree, vector, constants_of(decision))
    return ListedVector(vector.values, vector.outcome, number, _from_one(mattered), serves)


def _from_one(indices: frozenset[int]) -> tuple[int, ...]:
    return tuple(index + 1 for index in sorted(indices))


def _objectives_by_point(objectives: Sequence[Objective]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for objective in objectives:
        for point in bits(objective.mask):
            found[point] = (*found.get(point, ()), objective.id)
    return found


def _find_marks(functions: Mapping[str, Function], callee: str) -> Iterator[tuple[int, InIr]]:
    """The number of each mark of this kind, with its place."""
    for name, function in functions.items():
        for block in function.blocks:
            for each in block.instructions:
                if each.callee == callee:
                    number, *rest = (argument.value.text for argument in each.arguments)
                    yield int(number), InIr(name, block.name, *rest)


def list_labels(marks: Marks, points: Points, functions: Mapping[str, Function]) -> tuple[ListedLabel, ...]:
    places = dict(_find_marks(functions, LABEL_BEGIN))
    found = enumerate(zip(marks.labels, points.labels, strict=True))
    return tuple(_list_label(label, point, places.get(at)) for at, (label, point) in found)


def _list_label(label: Label, point: int, place: InIr | None) -> ListedLabel:
    before = (label.place.line, label.place.column) if label.place else None
    at = label.location
    return ListedLabel(
        label.criterion, label.kind, at.file, at.line, at.column, label.text, label.predicate, before,
        None if label.problem else point, place, label.problem,
    )  # fmt: skip


def list_objectives(objectives: Sequence[Objective]) -> tuple[ListedObjective, ...]:
    return tuple(
        ListedObjective(
            each.id, each.criterion, each.kind, each.location.file, each.location.line, each.location.column, each.text,
            each.relation.value, each.points, each.pairs, each.is_constant, each.problem,
        )
        for each in objectives
    )  # fmt: skip


def list_points(points: Points, decisions: Sequence[ListedDecision]) -> Iterator[ListedPoint]:
    """All of them, by number."""
    for (function, block, side), number in points.numbers.items():
        yield ListedPoint(number, "block" if side is None else "side", function, block, side)
    for decision, numbers in zip(decisions, points.vectors, strict=True):
        yield from (ListedPoint(number, "vector", decision=decision.id) for number in numbers)
    yield from (ListedPoint(number, "label", label=at) for at, number in enumerate(points.labels))
    yield from (ListedPoint(number, "flow") for number in points.flows)


_OPERATORS: dict[type[Tree], str] = {And: "&&", Or: "||", Both: "&", Either: "|", Differ: "!=", Same: "=="}


def show_formula(tree: Tree) -> str:
    """The decision over C1, C2 ...; operands that are operators themselves in parentheses."""
    match tree:
        case ConditionRef(index):
            return f"C{index + 1}"
        case Not(operand):
            return f"!{_operand(operand)}"
        case Choice(chooser, then, otherwise):
            return f"{_operand(chooser)} ? {_operand(then)} : {_operand(otherwise)}"
        case _:
            same = type(tree) if isinstance(tree, And | Or) else None
            left = show_formula(tree.left) if same and isinstance(tree.left, same) else _operand(tree.left)
            return f"{left} {_OPERATORS[type(tree)]} {_operand(tree.right)}"


def _operand(tree: Tree) -> str:
    shown = show_formula(tree)
    return shown if isinstance(tree, ConditionRef | Not) else f"({shown})"
