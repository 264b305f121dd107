"""What `tightrope objectives` lists: decisions with their conditions, masks, terminations and vectors, labels,
objectives and points, each with its place in the C and in the IR. Plain data, as the JSON holds it; model.py says how
to read the classes.

It is what the preprocessor of paper 000 passes to its monitor. Another tool can use it to measure its own runs:

    condition --value--> vector (a point is hit) --relation--> objective
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

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
from tightrope.program.marks.labels import Form, Label
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, Marks
from tightrope.report.decisions import constants_of, decision_ids, first_lines, vectors_of
from tightrope.report.model import RELATIONS, Tool

SCHEMA = 1
MOST_CONDITIONS = 200  # conditions of a decision that cannot be followed but is analysed nevertheless


@dataclass(frozen=True, slots=True)
class Listing:
    schema: Annotated[int, (SCHEMA,), "version of this format"] = field(default=SCHEMA, kw_only=True)
    tool: Annotated[Tool, "the program that wrote it"]
    functions: Annotated[tuple[ListedFunction, ...], "one for each function asked for"]


@dataclass(frozen=True, slots=True)
class ListedFunction:
    """`refusal` is why there is nothing to list."""

    function: Annotated[str, "its C name"]
    file: Annotated[str, "as it was named on the command line"]
    line: Annotated[int, "where the function starts"]
    criteria: Annotated[tuple[str, ...], "whose objectives are listed"] = ()
    mcdc_form: Annotated[str, "masking or unique-cause"] = ""
    decisions: Annotated[tuple[ListedDecision, ...], "in the order of the text"] = ()
    labels: Annotated[tuple[ListedLabel, ...], "the labels of criteria that are made of labels"] = ()
    objectives: Annotated[tuple[ListedObjective, ...], "criterion by criterion, in the order of the text"] = ()
    points: Annotated[tuple[ListedPoint, ...], "what a run can hit; objectives refer to them by number"] = ()
    refusal: Annotated[str, "why nothing is listed: the function cannot be tested; empty when it can"] = ""


@dataclass(frozen=True, slots=True)
class ListedDecision:
    id: Annotated[str, "function:place relative to the function's first line; stable under edits elsewhere in the file"]
    file: Annotated[str, "as named on the command line, or relative to the folder of the command"]
    line: Annotated[int, "in `file`"]
    column: Annotated[int, "in `file`, counted in bytes; 0: the whole line"]
    text: Annotated[str, "the expression, macros expanded"]
    role: Annotated[str, "if, while, do, for, ?:, switch, assert; value: it is stored, returned or passed"]
    formula: Annotated[
        str, "the expression over C1, C2 ..., which stand for its conditions; empty when there are too many"
    ]
    conditions: Annotated[tuple[ListedCondition, ...], "in the order of the text, which is that of evaluation"]
    vectors: Annotated[tuple[ListedVector, ...], "every way to evaluate the decision"]
    problem: Annotated[str, "why its evaluations cannot be followed; empty when they can"] = ""


@dataclass(frozen=True, slots=True)
class ListedCondition:
    index: Annotated[int, "counted from 1 in its decision"]
    text: Annotated[str, "macros expanded"]
    line: Annotated[int, "in the decision's file"]
    column: Annotated[int, "counted in bytes"]
    constant: Annotated[bool | None, "its value, if it is constant"]
    is_in_macro: Annotated[bool, "it is part of a macro: its place is where the macro is used"]
    masks: Annotated[Masked, "what each of its values masks"]
    terminates: Annotated[Ends, "whether each of its values ends the decision"]
    ir: Annotated[PlaceInIr | None, "the i1 with its value; null: the compiler generated no code for it"]


@dataclass(frozen=True, slots=True)
class Masked:
    """By value of a condition: indices of earlier conditions that can then no longer matter."""

    true: Annotated[tuple[int, ...], "indices of earlier conditions that can no longer matter when it is true"]
    false: Annotated[tuple[int, ...], "the same when it is false"]


@dataclass(frozen=True, slots=True)
class Ends:
    """By value of a condition: whether it ends the decision. None: that depends on earlier conditions."""

    true: Annotated[bool | None, "true ends the decision; null: that depends on earlier conditions"]
    false: Annotated[bool | None, "the same when it is false"]


@dataclass(frozen=True, slots=True)
class PlaceInIr:
    """Where something is in the IR: the value is an i1 there."""

    function: Annotated[str, "with its sigil: @grade"]
    block: Annotated[str, "its name, as clang gives it at -O0 with -fno-discard-value-names"]
    value: Annotated[str, "with its sigil: %cmp; empty for a label"] = ""


@dataclass(frozen=True, slots=True)
class ListedVector:
    values: Annotated[tuple[bool | None, ...], "by condition; null: not evaluated"]
    outcome: Annotated[bool, "of the decision"]
    point: Annotated[int, "the point that such an evaluation hits"]
    unmasked: Annotated[tuple[int, ...], "indices of the conditions that matter in it"]
    serves: Annotated[tuple[str, ...], "ids of the listed objectives with this point"]


@dataclass(frozen=True, slots=True)
class ListedLabel:
    criterion: Annotated[str, "the criterion that it belongs to"]
    kind: Annotated[
        str, "what it is about: the operator of a mutant, the kind of an error, the tag of a label in the source"
    ]
    file: Annotated[str, "as named on the command line, or relative to the folder of the command"]
    line: Annotated[int, "in `file`"]
    column: Annotated[int, "in `file`, counted in bytes; 0: the whole line"]
    text: Annotated[str, "what must happen, in terms of the source"]
    predicate: Annotated[str, "a C expression without side effects, macros expanded; safe to evaluate at its place"]
    before: Annotated[
        tuple[int, int] | None, "line and column of what it is evaluated before: a statement or expression"
    ]
    point: Annotated[int | None, "the point that is hit when the predicate holds; null: it has no place"]
    ir: Annotated[PlaceInIr | None, "the block in which its predicate begins"]
    problem: Annotated[str, "why it has no place; empty if it has one"] = ""
    is_behind: Annotated[bool, "it is evaluated right behind that expression or statement, not before it"] = False


@dataclass(frozen=True, slots=True)
class ListedObjective:
    id: Annotated[str, "as in the report"]
    criterion: Annotated[str, "the criterion it belongs to"]
    kind: Annotated[str, "what the criterion asks there"]
    file: Annotated[str, "as named on the command line, or relative to the folder of the command"]
    line: Annotated[int, "in `file`"]
    column: Annotated[int, "in `file`, counted in bytes; 0: the whole line"]
    text: Annotated[str, "what must happen, in terms of the source"]
    relation: Annotated[
        str,
        RELATIONS,
        "any: one run hits one of the points; all: every point is hit by some run; pair: runs hit both points "
        "of one of the pairs; sequence: like any, for a point that means one thing after another",
    ]
    points: Annotated[tuple[int, ...], "numbers of points"]
    pairs: Annotated[tuple[tuple[int, int], ...], "for the relation pair: the two points of each pair"]
    is_constant: Annotated[bool, "a constant excludes it: no run can cover it"]
    problem: Annotated[str, "why runs cannot show whether it is covered; empty when they can"] = ""


@dataclass(frozen=True, slots=True)
class ListedPoint:
    number: Annotated[int, "its name in this list"]
    kind: Annotated[
        str,
        ("block", "side", "vector", "condition", "label", "flow"),
        "block: it is executed; side: its block is left by this side; vector: a decision is evaluated in this way; "
        "condition: of a decision with too many vectors, an outcome, or what one of its conditions does; "
        "label: its predicate holds; flow: a definition reaches a use",
    ]
    function: Annotated[str, "of a block or side"] = ""
    block: Annotated[str, "of a block or side"] = ""
    side: Annotated[
        int | None,
        "of a br: 1 for the first target, 0 for the second; of a switch: the number of the case, 0 for the "
        "default; null: no side",
    ] = None
    decision: Annotated[str, "id, of a vector or a condition"] = ""
    label: Annotated[int | None, "position in `labels`, counted from 0; null: no label"] = None


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
    places: Mapping[int, PlaceInIr],
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
    """False for a decision that cannot be followed and whose tree is too deep to analyse."""
    return not decision.problem or len(decision.conditions) <= MOST_CONDITIONS


def _list_conditions(decision: Decision, first: int, places: Mapping[int, PlaceInIr]) -> Iterator[ListedCondition]:
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


def _find_marks(functions: Mapping[str, Function], callee: str) -> Iterator[tuple[int, PlaceInIr]]:
    """The number of each mark of this kind, with its place."""
    for name, function in functions.items():
        for block in function.blocks:
            for each in block.instructions:
                if each.callee == callee:
                    number, *rest = (argument.value.text for argument in each.arguments)
                    yield int(number), PlaceInIr(name, block.name, *rest)


def list_labels(marks: Marks, points: Points, functions: Mapping[str, Function]) -> tuple[ListedLabel, ...]:
    places = dict(_find_marks(functions, LABEL_BEGIN))
    found = enumerate(zip(marks.labels, points.labels, strict=True))
    return tuple(_list_label(label, point, places.get(at)) for at, (label, point) in found)


def _list_label(label: Label, point: int, place: PlaceInIr | None) -> ListedLabel:
    before = (label.place.line, label.place.column) if label.place else None
    at = label.location
    return ListedLabel(
        label.criterion, label.kind, at.file, at.line, at.column, label.text, label.shown, before,
        None if label.problem else point, place, label.problem, label.form in (Form.VALUE, Form.BEHIND, Form.BODY_END),
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
        kind = "vector" if decision.vectors else "condition"
        yield from (ListedPoint(number, kind, decision=decision.id) for number in numbers)
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
