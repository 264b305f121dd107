"""Numbering: how a run computes, with a few additions, which vector of a decision it has evaluated.

The evaluation of a decision is a walk through a graph: a node is a condition, its two edges are its values, and the
outcomes are at the ends. Each path is one vector. Paths are numbered as by T. Ball and J. Larus ("Efficient path
profiling", 1996): if n paths follow the false edge of a node, its true edge adds n to the index.

    a && (b || c)           (a) -F-> false            a true adds 1, b true adds 2, c true adds 1
                             T +1
                            (b) -F-> (c) -F-> false   F - -  ends at a with index 0
                             T +2     T +1            T F F  ends at c with index 1
                            true     true             T F T  ends at c with index 2
                                                      T T -  ends at b with index 3

So the index is the position of the vector in `boolean_tree.vectors`. Where `^ == != & |` stand in the tree a condition
may have several nodes, and its weight or whether it ends the decision may depend on what came before:

    (a ^ b) && c            (a) -F-> (b) -F-> false   rows of the table, by state:      F     T
                             T        T-> (c) ...       0  a                            1     3
                            (b) -F-> (c) ...            1  b when a is false            5+0   2
                             T-> false                  2  c                            5+1   5+2
                                                        3  b when a is true             4     5+5
                                                        4  c                            5+3   5+4

There a run keeps a state: `state = table[state][value]`. A state that is no row ends the decision with the vector
`state - len(table)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tightrope.program.decisions.boolean_tree import (
    NO_CONSTANTS,
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
)


@dataclass(frozen=True, slots=True)
class IndexStep:
    """What one value of a condition does to the index."""

    weight: int  # is added to it
    ends: bool  # the decision is over, and the index is that of the vector


@dataclass(frozen=True, slots=True)
class Numbering:
    """The first condition starts from index or state 0, whatever was left of an evaluation that was broken off.

    Conditions that no evaluation comes to have no step: constants, and what stands behind them.
    """

    first: int | None  # the condition that every evaluation starts with; None: all that matters is constant
    steps: dict[int, tuple[IndexStep, IndexStep]]  # by condition, then by value; empty where a table is needed
    table: tuple[tuple[int, int], ...] = ()  # by state, then by value; empty where steps are enough


def number_vectors(tree: Tree, constants: Constants = NO_CONSTANTS) -> Numbering:
    """The cheapest numbering. Ask `count_vectors` first: a table has one row less than there are vectors."""
    root = _GraphBuilder(constants).build(tree, _End(False), _End(True))
    if isinstance(root, _End):
        return Numbering(None, {})
    steps = _find_steps(root)
    if steps is not None:
        return Numbering(root.condition, steps)
    return Numbering(root.condition, {}, _list_states(root))


@dataclass(frozen=True, slots=True)
class _End:
    outcome: bool
    paths = 1


@dataclass(frozen=True, slots=True, eq=False)
class _Test:
    """A condition is evaluated, with what follows for each of its values."""

    condition: int
    follows: tuple[_Node, _Node]
    paths: int  # the number of ways from here to an end

    def step(self, value: bool) -> IndexStep:
        return IndexStep(self.follows[False].paths if value else 0, isinstance(self.follows[value], _End))


_Node = _End | _Test


@dataclass(slots=True)
class _GraphBuilder:
    """Shares equal nodes, so that the graph of `&& || ! ?:` has one node for each condition."""

    constants: Constants
    tests: dict[tuple[int, int, int], _Test] = field(default_factory=dict)

    def build(self, tree: Tree, false: _Node, true: _Node) -> _Node:
        """The graph that leads to `false` or `true`, whichever the tree evaluates to."""
        match tree:
            case ConditionRef(index):
                return self._test(index, false, true)
            case Not(operand):
                return self.build(operand, true, false)
            case Choice(chooser, then, otherwise):
                return self.build(chooser, self.build(otherwise, false, true), self.build(then, false, true))
            case And(left, right):
                return self.build(left, false, self.build(right, false, true))
            case Or(left, right):
                return self.build(left, self.build(right, false, true), true)
            case Both(left, right):
                return self.build(left, self.build(right, false, false), self.build(right, false, true))
            case Either(left, right):
                return self.build(left, self.build(right, false, true), self.build(right, true, true))
            case Differ(left, right):
                return self.build(left, self.build(right, false, true), self.build(right, true, false))
            case Same(left, right):
                return self.build(left, self.build(right, true, false), self.build(right, false, true))

    def _test(self, index: int, false: _Node, true: _Node) -> _Node:
        if index in self.constants:
            return true if self.constants[index] else false
        key = (index, id(false), id(true))
        if key not in self.tests:
            self.tests[key] = _Test(index, (false, true), false.paths + true.paths)
        return self.tests[key]


def _find_steps(root: _Test) -> dict[int, tuple[IndexStep, IndexStep]] | None:
    """The steps of each condition, where they do not depend on what came before."""
    steps: dict[int, tuple[IndexStep, IndexStep]] = {}
    for node in _all_tests(root):
        found = node.step(False), node.step(True)
        if steps.setdefault(node.condition, found) != found:
            return None
    return dict(sorted(steps.items()))


def _all_tests(root: _Test) -> Iterator[_Test]:
    """Each node once."""
    waiting: list[_Node] = [root]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Test) and id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += node.follows


def _list_states(root: _Test) -> tuple[tuple[int, int], ...]:
    """The graph unfolded into a tree: a state knows all that came before, so that an end knows its vector."""
    rows: list[list[int]] = []
    ends = root.paths - 1  # as many rows as a binary tree with that many ends has

    def visit(node: _Node, index: int) -> int:
        if isinstance(node, _End):
            return ends + index
        state = len(rows)
        rows.append([])
        for value in (False, True):
            rows[state].append(visit(node.follows[value], index + node.step(value).weight))
        return state

    visit(root, 0)
    return tuple((false, true) for false, true in rows)
