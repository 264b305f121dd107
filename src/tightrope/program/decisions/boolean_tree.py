"""Boolean expressions over numbered conditions, as C evaluates them: left to right, and only as far as needed.

A *vector* says for each condition whether it was false, true or not evaluated (None) in one evaluation of the tree.
Each condition stands in the tree once, so that the operands of an operator are independent of each other.

    a && (b || c)      F - -   false      vectors come in the order in which a reader would write
                       T F F   false      them down: at the first condition where two differ, the
                       T F T   true       one with false comes first
                       T T -   true

*Constants* give the values of conditions that always have the same one: vectors that contradict them do not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class ConditionRef:
    """Condition number `index` of the decision, counted from 0 in the order of the text."""

    index: int


@dataclass(frozen=True, slots=True)
class Not:
    operand: Tree


@dataclass(frozen=True, slots=True)
class And:
    """`&&`"""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Or:
    """`||`"""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Both:
    """`&` between Booleans: as `&&`, but both sides are evaluated."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Either:
    """`|` between Booleans: as `||`, but both sides are evaluated."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Differ:
    """`^` and `!=` between Booleans."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Same:
    """`==` between Booleans."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Choice:
    """`chooser ? then : otherwise`, all three Boolean."""

    chooser: Tree
    then: Tree
    otherwise: Tree


Tree = ConditionRef | Not | And | Or | Both | Either | Differ | Same | Choice


@dataclass(frozen=True, slots=True)
class Vector:
    """One way to evaluate a tree, and what comes out."""

    values: tuple[bool | None, ...]  # by condition; None: not evaluated
    outcome: bool


Constants = Mapping[int, bool]  # by condition
NO_CONSTANTS: Constants = {}
MAX_VECTORS = 4096  # of a decision with more, <condition, value> is followed (condition_values.py): a vector is a point
MAX_CONDITIONS = 200  # one with more is not followed: trees are walked by functions that call themselves

_Way = tuple[tuple[tuple[int, bool], ...], bool]  # conditions with their values, as evaluated, and the outcome


def leaves(tree: Tree) -> tuple[int, ...]:
    """The conditions of the tree, in the order of the text."""
    if isinstance(tree, ConditionRef):
        return (tree.index,)
    return tuple(index for operand in operands(tree) for index in leaves(operand))


def operands(tree: Tree) -> tuple[Tree, ...]:
    """The operands, in the order of the text."""
    match tree:
        case ConditionRef():
            return ()
        case Not(operand):
            return (operand,)
        case Choice(chooser, then, otherwise):
            return chooser, then, otherwise
        case _:
            return tree.left, tree.right


def vectors(tree: Tree, constants: Constants = NO_CONSTANTS) -> tuple[Vector, ...]:
    """Every way to evaluate the tree. Ask `count_vectors` first: there may be 2 to the number of conditions."""
    size = max(leaves(tree)) + 1
    return tuple(_vector(evaluated, outcome, size) for evaluated, outcome in _ways(tree, constants))


def _vector(evaluated: Iterable[tuple[int, bool]], outcome: bool, size: int) -> Vector:
    values: list[bool | None] = [None] * size
    for index, value in evaluated:
        values[index] = value
    return Vector(tuple(values), outcome)


def _ways(tree: Tree, constants: Constants) -> Iterator[_Way]:
    match tree:
        case ConditionRef(index):
            for value in (constants[index],) if index in constants else (False, True):
                yield ((index, value),), value
        case Not(operand):
            yield from ((evaluated, not outcome) for evaluated, outcome in _ways(operand, constants))
        case _:
            for evaluated, outcome in _ways(operands(tree)[0], constants):
                yield from ((evaluated + more, end) for more, end in _ways_after(tree, outcome, constants))


def _ways_after(tree: Tree, first: bool, constants: Constants) -> Iterator[_Way]:
    """What is evaluated behind the first operand, which was `first`, and the outcome of the whole."""
    match tree:
        case And() if not first:
            yield (), False
        case Or() if first:
            yield (), True
        case Choice(_, then, otherwise):
            yield from _ways(then if first else otherwise, constants)
        case _:
            for evaluated, second in _ways(operands(tree)[1], constants):
                yield evaluated, _apply(tree, first, second)


def _apply(tree: Tree, left: bool, right: bool) -> bool:
    match tree:
        case And() | Both():
            return left and right
        case Or() | Either():
            return left or right
        case Differ():
            return left != right
        case _:
            return left == right


def evaluate(tree: Tree, values: Mapping[int, bool]) -> bool:
    """What comes out when every condition has a value, as mathematics has it: nothing is skipped."""
    match tree:
        case ConditionRef(index):
            return values[index]
        case Not(operand):
            return not evaluate(operand, values)
        case Choice(chooser, then, otherwise):
            return evaluate(then if evaluate(chooser, values) else otherwise, values)
        case _:
            return _apply(tree, evaluate(tree.left, values), evaluate(tree.right, values))


def count_vectors(tree: Tree, constants: Constants = NO_CONSTANTS) -> int:
    """How many vectors there are, without listing them."""
    return sum(_count_ways(tree, constants))


def _count_ways(tree: Tree, constants: Constants) -> tuple[int, int]:
    """The number of ways to evaluate the tree to false, and to true."""
    match tree:
        case ConditionRef(index):
            return int(not constants.get(index, False)), int(constants.get(index, True))
        case Not(operand):
            false, true = _count_ways(operand, constants)
            return true, false
        case Choice(chooser, then, otherwise):
            counts = _count_ways(chooser, constants), _count_ways(then, constants), _count_ways(otherwise, constants)
            (no, yes), (then_false, then_true), (else_false, else_true) = counts
            return yes * then_false + no * else_false, yes * then_true + no * else_true
        case _:
            return _count_binary(tree, _count_ways(tree.left, constants), _count_ways(tree.right, constants))


def _count_binary(tree: Tree, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    match tree:
        case And():
            return left[0] + left[1] * right[0], left[1] * right[1]
        case Or():
            return left[0] * right[0], left[1] + left[0] * right[1]
    counts = [0, 0]
    for first, second in product((False, True), repeat=2):
        counts[_apply(tree, first, second)] += left[first] * right[second]
    return counts[0], counts[1]
