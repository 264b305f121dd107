"""Decisions by the hundred, and what brute force says about them, by other means than the code under test.

Python's own `and`, `or`, `not` and `if else` evaluate as C's `&&`, `||`, `!` and `?:` do: each tree is written as
Python, and conditions note that they were asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

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
    operands,
)

NOTHING: Mapping[int, bool] = MappingProxyType({})
IN_C = {And: "&&", Or: "||", Both: "&", Either: "|", Differ: "^", Same: "=="}
IN_PYTHON = {And: "and", Or: "or", Both: "&", Either: "|", Differ: "^", Same: "=="}
A, B, C, D, E = map(ConditionRef, range(5))


class Case(NamedTuple):
    """A decision with `size` conditions, some of them constants."""

    tree: Tree
    size: int
    constants: Mapping[int, bool] = NOTHING


def bare_shapes(first: int, size: int) -> Iterator[Tree]:
    """Every tree of `&&` and `||` over this many conditions."""
    if size == 1:
        yield ConditionRef(first)
    for left_size in range(1, size):
        for left, right in product(bare_shapes(first, left_size), bare_shapes(first + left_size, size - left_size)):
            yield And(left, right)
            yield Or(left, right)


def negate(tree: Tree, wanted: Iterator[bool]) -> Tree:
    """The tree with `!` in front of each part, conditions and groups alike, for which `wanted` says so."""
    if isinstance(tree, And | Or):
        tree = type(tree)(negate(tree.left, wanted), negate(tree.right, wanted))
    return Not(tree) if next(wanted) else tree


def without_negations(tree: Tree) -> Tree:
    while isinstance(tree, Not):
        tree = tree.operand
    return type(tree)(*map(without_negations, operands(tree))) if operands(tree) else tree


def negations(size: int) -> list[tuple[bool, ...]]:
    """All ways to negate the parts of up to three conditions; of four: none, one, all but one, and all."""
    every = product((False, True), repeat=2 * size - 1)
    return [each for each in every if size < 4 or sum(each) in (0, 1, 2 * size - 2, 2 * size - 1)]


ENUMERATED = [
    Case(negate(bare, iter(wanted)), size)
    for size in range(1, 5)
    for bare in bare_shapes(0, size)
    for wanted in negations(size)
]

HARD = [
    Case(Differ(A, B), 2),
    Case(Same(A, Not(B)), 2),
    Case(Both(A, B), 2),
    Case(Either(Not(A), B), 2),
    Case(Choice(A, B, C), 3),
    Case(Not(Choice(Not(A), B, Not(C))), 3),
    Case(And(Differ(A, B), C), 3),
    Case(And(A, Differ(B, C)), 3),
    Case(Or(Same(A, B), C), 3),
    Case(Or(Both(A, B), Not(C)), 3),
    Case(And(Either(A, Or(B, C)), Same(D, E)), 5),
    Case(Or(A, Both(B, C)), 3),
    Case(Both(And(A, B), C), 3),
    Case(Both(A, And(B, C)), 3),
    Case(Either(Both(A, B), C), 3),
    Case(Differ(Differ(A, B), C), 3),
    Case(Differ(And(A, B), Or(C, D)), 4),
    Case(Same(And(A, B), And(C, D)), 4),
    Case(And(Or(A, B), Same(C, D)), 4),
    Case(Or(And(A, Either(B, C)), D), 4),
    Case(Choice(And(A, B), C, D), 4),
    Case(Choice(A, And(B, C), Not(D)), 4),
    Case(And(Choice(A, B, C), D), 4),
    Case(Or(A, Choice(B, C, D)), 4),
    Case(And(A, Choice(Differ(B, C), D, E)), 5),
    Case(Choice(A, Choice(B, C, D), E), 5),
    Case(Choice(Choice(A, B, C), D, E), 5),
    Case(Not(Both(Either(A, B), Differ(C, And(D, E)))), 5),
    Case(Differ(Choice(A, B, C), Both(D, E)), 5),
    Case(And(Or(And(Or(A, B), C), D), E), 5),
    Case(Or(A, And(B, Or(C, And(D, E)))), 5),
    Case(And(A, B), 2, {1: False}),
    Case(And(A, B), 2, {0: True}),
    Case(And(A, B), 2, {0: False}),
    Case(Or(A, B), 2, {0: True}),
    Case(Or(A, B), 2, {0: True, 1: True}),
    Case(Or(And(A, B), C), 3, {1: True}),
    Case(Or(And(A, B), C), 3, {1: False}),
    Case(Or(And(A, B), C), 3, {2: True}),
    Case(And(Or(A, Not(B)), Or(C, D)), 4, {1: True}),
    Case(And(Or(A, Not(B)), Or(C, D)), 4, {0: True}),
    Case(Differ(A, B), 2, {1: True}),
    Case(And(Same(A, B), C), 3, {0: False}),
    Case(Choice(A, B, C), 3, {1: True}),
    Case(Choice(A, B, C), 3, {0: True}),
    Case(Choice(A, B, C), 3, {1: True, 2: True}),
    Case(Choice(Or(A, B), C, D), 4, {3: False}),
    Case(Both(A, And(B, C)), 3, {0: False}),
]

CASES = ENUMERATED + HARD


def write(tree: Tree, operators: Mapping[type, str], choice: str, negation: str, show: Callable[[int], str]) -> str:
    def inner(part: Tree) -> str:
        match part:
            case ConditionRef(index):
                return show(index)
            case Not(operand):
                return f"({negation} {inner(operand)})"
            case Choice(chooser, then, otherwise):
                return "(" + choice.format(inner(chooser), inner(then), inner(otherwise)) + ")"
            case _:
                return f"({inner(part.left)} {operators[type(part)]} {inner(part.right)})"

    return inner(tree)


def as_python(tree: Tree) -> str:
    return write(tree, IN_PYTHON, "{1} if {0} else {2}", "not", "ask({})".format)


def as_c(tree: Tree, constants: Mapping[int, bool] = NOTHING) -> str:
    """The decision over `_Bool c0, c1 ...`; constants are comparisons, which are Boolean too."""
    known = {False: "(2 < 1)", True: "(1 < 2)"}
    return write(tree, IN_C, "{} ? {} : {}", "!", lambda at: known[constants[at]] if at in constants else f"c{at}")


def assignments(size: int, constants: Mapping[int, bool] = NOTHING) -> Iterator[tuple[bool, ...]]:
    for values in product((False, True), repeat=size):
        if all(values[index] == value for index, value in constants.items()):
            yield values


class Table:
    """The truth table of a decision, and what evaluation as in C makes of each of its rows."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._code = compile(as_python(case.tree), as_c(case.tree), "eval")
        self.rows = {values: self.run(values) for values in assignments(case.size)}

    def run(self, values: tuple[bool, ...]) -> tuple[tuple[int, ...], bool]:
        """The conditions that are evaluated, in their order, and the outcome."""
        asked: list[int] = []

        def ask(index: int) -> bool:
            asked.append(index)
            return values[index]

        outcome = bool(eval(self._code, {"ask": ask}))
        return tuple(asked), outcome

    def vectors(self) -> dict[Vector, tuple[int, ...]]:
        """Every vector, with the conditions in the order of evaluation."""
        found = {}
        for values in assignments(self.case.size, self.case.constants):
            found[self.vector(values)] = self.rows[values][0]
        return found

    def unmasked(self, vector: Vector) -> frozenset[int]:
        """By the definition: some completion of what was not evaluated, and the other value gives the other outcome."""
        rows = [
            values
            for values in assignments(self.case.size)
            if all(known in (None, value) for known, value in zip(vector.values, values, strict=True))
            and all(vector.values[i] is not None or values[i] == v for i, v in self.case.constants.items())
        ]
        evaluated = [index for index, value in enumerate(vector.values) if value is not None]
        return frozenset(i for i in evaluated if any(self.outcome(flip(row, i)) != self.outcome(row) for row in rows))

    def vector(self, values: tuple[bool, ...]) -> Vector:
        asked, outcome = self.rows[values]
        return Vector(tuple(value if index in asked else None for index, value in enumerate(values)), outcome)

    def outcome(self, values: tuple[bool, ...]) -> bool:
        return self.rows[values][1]


def flip(values: tuple[bool, ...], index: int) -> tuple[bool, ...]:
    return (*values[:index], not values[index], *values[index + 1 :])
