"""<condition, value>: what is followed of a decision that can be evaluated in too many ways to have a point for each.

The number of points is linear in the number of conditions (M. Whalen et al., "A flexible and non-intrusive approach for
computing complex structural coverage metrics", 2015): for each outcome of the decision; for each value with which a
condition was evaluated; for each value with which it mattered, by outcome.

    point      0    1      2 + 6c   3 + 6c     4 + 6c     5 + 6c     6 + 6c     7 + 6c
    outcome    F    T                          F          T          F          T
    condition                c false   c true     c false and mattered  c true and mattered

A run keeps two bits for each condition: evaluated, true. `follow` says what they mean, once the decision is over. Each
operator is visited four times, which is the partial evaluation of the paper's Fig. 3 and 4 (masks and terminations),
done when all values are known; so it holds for `^ == != & |` and `?:` as well, where what masks depends on values:

    up      its value, and whether its evaluation is over
    down    whether it is evaluated
    up      the values that it can still have, if conditions that were not evaluated may have any
    down    whether it matters: whether the operands beside it leave the decision to it

The same equations are computed with bits (a run), with terms (a formula) and with Booleans (tests): `Gates` says how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from tightrope.program.decisions.boolean_tree import (
    MAX_VECTORS,
    And,
    Both,
    Choice,
    ConditionRef,
    Constants,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
    count_vectors,
    leaves,
    operands,
)
from tightrope.program.decisions.masking import terminations

_OUTCOMES = 2
_EACH = 6  # points of a condition


def has_too_many_vectors(tree: Tree, constants: Constants) -> bool:
    """Then <condition, value> is followed."""
    return count_vectors(tree, constants) > MAX_VECTORS


def count_condition_points(tree: Tree) -> int:
    return _OUTCOMES + _EACH * len(leaves(tree))


def point_of_outcome(outcome: bool) -> int:
    return int(outcome)


def point_of_value(condition: int, value: bool) -> int:
    """The condition was evaluated to this value, and so was the whole decision."""
    return _OUTCOMES + _EACH * condition + value


def point_of_mattering(condition: int, value: bool, outcome: bool) -> int:
    return _OUTCOMES + _EACH * condition + 2 + 2 * value + outcome


def points_with_value(tree: Tree, condition: int, value: bool) -> tuple[int, ...]:
    """Every point that an evaluation may hit in which the condition has this value."""
    other = {point_of_value(condition, not value)}
    other |= {point_of_mattering(condition, not value, outcome) for outcome in (False, True)}
    return tuple(point for point in range(count_condition_points(tree)) if point not in other)


def may_end(tree: Tree, constants: Constants, condition: int) -> bool:
    """Whether the decision can be over behind the condition: constants may be all that follows."""
    ends = _ends(tree)
    return bool(constants) or ends[condition, False] is not False or ends[condition, True] is not False


@lru_cache(maxsize=16)
def _ends(tree: Tree) -> dict[tuple[int, bool], bool | None]:
    return terminations(tree)


def first_condition(tree: Tree, constants: Constants) -> int | None:
    """The condition that every evaluation starts with; None: all that matters is constant."""
    found = _first(tree, constants)
    return None if isinstance(found, bool) else found.index


def _first(tree: Tree, constants: Constants) -> ConditionRef | bool:
    """It, or the value of a tree that has none."""
    match tree:
        case ConditionRef(index):
            return constants.get(index, tree)
        case Not(operand):
            found = _first(operand, constants)
            return not found if isinstance(found, bool) else found
    left = _first(operands(tree)[0], constants)
    if not isinstance(left, bool):
        return left
    if isinstance(tree, Choice):
        return _first(tree.then if left else tree.otherwise, constants)
    if left is (False if isinstance(tree, And) else True if isinstance(tree, Or) else None):
        return left
    right = _first(operands(tree)[1], constants)
    if not isinstance(right, bool):
        return right
    return _OF_BOOLEANS[type(tree)](left, right)


_OF_BOOLEANS: dict[type, Callable[[bool, bool], bool]] = {
    And: lambda left, right: left and right,
    Both: lambda left, right: left and right,
    Or: lambda left, right: left or right,
    Either: lambda left, right: left or right,
    Differ: lambda left, right: left != right,
    Same: lambda left, right: left == right,
}

T = TypeVar("T")


class Gates(Protocol[T]):
    """How to compute with what stands for a truth value."""

    def constant(self, value: bool) -> T: ...
    def negate(self, operand: T) -> T: ...
    def both(self, left: T, right: T) -> T: ...
    def either(self, left: T, right: T) -> T: ...


@dataclass(slots=True)
class _Node(Generic[T]):
    """An operator or a condition, with what is known of it."""

    tree: Tree
    parts: list[_Node[T]]
    value: T
    is_over: T
    is_evaluated: T
    can_be: tuple[T, T] = field(init=False)  # false, true
    matters: T = field(init=False)


@dataclass(slots=True)
class _Follower(Generic[T]):
    gates: Gates[T]
    constants: Constants
    was_evaluated: Callable[[int], T]
    was_true: Callable[[int], T]

    def follow(self, tree: Tree) -> tuple[T, Iterator[tuple[int, T]]]:
        root = self._read(tree)
        self._reach(root, self.gates.constant(True))
        self._limit(root)
        self._weigh(root, self.gates.constant(True))
        return root.is_over, self._points(root)

    # -- up: values

    def _read(self, tree: Tree) -> _Node[T]:
        parts = [self._read(operand) for operand in operands(tree)]
        return _Node(tree, parts, self._value(tree, parts), self._over(tree, parts), self.gates.constant(False))

    def _value(self, tree: Tree, parts: list[_Node[T]]) -> T:
        """A condition that was not evaluated counts as false, and its value does not reach the operator's."""
        gates, values = self.gates, [part.value for part in parts]
        match tree:
            case ConditionRef(index):
                known = self.constants.get(index)
                return self.was_true(index) if known is None else gates.constant(known)
            case Not():
                return gates.negate(values[0])
            case And() | Both():
                return gates.both(*values)
            case Or() | Either():
                return gates.either(*values)
            case Choice():
                return self._choose(values[0], values[1], values[2])
            case Same():
                return gates.negate(self._differ(values[0], values[1]))
            case _:
                return self._differ(values[0], values[1])

    def _over(self, tree: Tree, parts: list[_Node[T]]) -> T:
        gates = self.gates
        match tree:
            case ConditionRef(index):
                return gates.constant(True) if index in self.constants else self.was_evaluated(index)
            case Not():
                return parts[0].is_over
            case And():
                behind = gates.either(gates.negate(parts[0].value), parts[1].is_over)
            case Or():
                behind = gates.either(parts[0].value, parts[1].is_over)
            case Choice():
                behind = self._choose(parts[0].value, parts[1].is_over, parts[2].is_over)
            case _:
                behind = parts[1].is_over
        return gates.both(parts[0].is_over, behind)

    # -- down: what is evaluated

    def _reach(self, node: _Node[T], is_evaluated: T) -> None:
        node.is_evaluated = is_evaluated
        for position, part in enumerate(node.parts):
            self._reach(part, self._comes_to(node, position))

    def _comes_to(self, node: _Node[T], position: int) -> T:
        gates = self.gates
        if not position:
            return node.is_evaluated
        first = node.parts[0].value
        match node.tree:
            case And():
                return gates.both(node.is_evaluated, first)
            case Or():
                return gates.both(node.is_evaluated, gates.negate(first))
            case Choice():
                return gates.both(node.is_evaluated, first if position == 1 else gates.negate(first))
            case _:
                return node.is_evaluated

    # -- up: what can still be

    def _limit(self, node: _Node[T]) -> None:
        for part in node.parts:
            self._limit(part)
        gates, can = self.gates, [part.can_be for part in node.parts]
        match node.tree:
            case ConditionRef(index):
                is_known = gates.constant(True) if index in self.constants else node.is_evaluated
                is_open = gates.negate(is_known)
                node.can_be = gates.either(is_open, gates.negate(node.value)), gates.either(is_open, node.value)
            case Not():
                node.can_be = can[0][True], can[0][False]
            case And() | Both():
                node.can_be = gates.either(can[0][False], can[1][False]), gates.both(can[0][True], can[1][True])
            case Or() | Either():
                node.can_be = gates.both(can[0][False], can[1][False]), gates.either(can[0][True], can[1][True])
            case Choice():
                node.can_be = self._chosen(can, False), self._chosen(can, True)
            case Same():
                node.can_be = self._pairs(can, is_same=False), self._pairs(can, is_same=True)
            case _:
                node.can_be = self._pairs(can, is_same=True), self._pairs(can, is_same=False)

    def _chosen(self, can: list[tuple[T, T]], value: bool) -> T:
        gates = self.gates
        return gates.either(gates.both(can[0][True], can[1][value]), gates.both(can[0][False], can[2][value]))

    def _pairs(self, can: list[tuple[T, T]], *, is_same: bool) -> T:
        gates, (left, right) = self.gates, can
        return gates.either(gates.both(left[False], right[not is_same]), gates.both(left[True], right[is_same]))

    # -- down: what matters

    def _weigh(self, node: _Node[T], matters: T) -> None:
        node.matters = matters
        for position, part in enumerate(node.parts):
            self._weigh(part, self._lets_matter(node, position))

    def _lets_matter(self, node: _Node[T], position: int) -> T:
        gates, can = self.gates, [part.can_be for part in node.parts]
        match node.tree:
            case And() | Both():
                return gates.both(node.matters, can[1 - position][True])
            case Or() | Either():
                return gates.both(node.matters, can[1 - position][False])
            case Choice() if not position:
                differ = gates.both(gates.either(can[1][0], can[2][0]), gates.either(can[1][1], can[2][1]))
                return gates.both(node.matters, differ)
            case Choice():
                return gates.both(node.matters, can[0][position == 1])
            case _:
                return node.matters

    # -- points

    def _points(self, root: _Node[T]) -> Iterator[tuple[int, T]]:
        gates, over = self.gates, root.is_over
        ends = {
            False: gates.both(over, gates.negate(root.value)),
            True: gates.both(over, root.value),
        }
        yield from ((point_of_outcome(outcome), ends[outcome]) for outcome in ends)
        for node in _conditions(root):
            assert isinstance(node.tree, ConditionRef)
            index = node.tree.index
            for value in (False, True):
                has_value = gates.both(node.is_evaluated, node.value if value else gates.negate(node.value))
                mattered = gates.both(has_value, node.matters)
                yield point_of_value(index, value), gates.both(over, has_value)
                for outcome in (False, True):
                    yield point_of_mattering(index, value, outcome), gates.both(ends[outcome], mattered)

    def _differ(self, left: T, right: T) -> T:
        return self._choose(left, self.gates.negate(right), right)

    def _choose(self, which: T, one: T, other: T) -> T:
        gates = self.gates
        return gates.either(gates.both(which, one), gates.both(gates.negate(which), other))


def _conditions(node: _Node[T]) -> Iterator[_Node[T]]:
    if not node.parts:
        yield node
    for part in node.parts:
        yield from _conditions(part)


def follow(
    tree: Tree, constants: Constants, gates: Gates[T], was_evaluated: Callable[[int], T], was_true: Callable[[int], T]
) -> tuple[T, Iterator[tuple[int, T]]]:
    """Whether the decision is over, and for each point whether it is hit (never while it is not over). The functions
    say it of conditions that are no constants; one that was not evaluated was not true."""
    return _Follower(gates, constants, was_evaluated, was_true).follow(tree)


class Booleans:
    """Gates for values that are known."""

    def constant(self, value: bool) -> bool:
        return value

    def negate(self, operand: bool) -> bool:
        return not operand

    def both(self, left: bool, right: bool) -> bool:
        return left and right

    def either(self, left: bool, right: bool) -> bool:
        return left or right
