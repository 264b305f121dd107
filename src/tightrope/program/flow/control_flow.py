"""The control flow of one function, and of a whole program.

`flow_of(function)` numbers the blocks of a function in the order of its text; the entry is 0.
`program_flow(program, functions)` numbers the blocks of many:

    f/entry --flow--> f/loop --call--> g/entry --flow--> g/exit --return--> f/loop

A call does not end a block, so a callee returns to the block that called it. Following all edges forgets who
called; where the stack of calls is known, the union of `below` over the current block and the calling blocks is
exactly what can still be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from tightrope.program.flow.call_graph import CallGraph, build_call_graph, reachable_functions
from tightrope.program.flow.graph import (
    Graph,
    Loop,
    Mask,
    build_graph,
    distances_to,
    dominator_masks,
    find_loops,
    from_mask,
    immediate_dominators,
    reach,
    reachable,
    reverse_postorder,
    to_mask,
)
from tightrope.program.ir.model import Block, Function, Program

__all__ = [
    "BlockId",
    "CallGraph",
    "Edge",
    "EdgeKind",
    "Flow",
    "Loop",
    "Mask",
    "ProgramFlow",
    "build_call_graph",
    "flow_of",
    "from_mask",
    "program_flow",
    "reachable_functions",
    "to_mask",
]

BlockId = tuple[str, str]  # function '@f' and block


@dataclass(frozen=True, slots=True)
class Flow:
    """The control-flow graph of a function."""

    function: str
    blocks: tuple[str, ...]
    numbers: Mapping[str, int]
    graph: Graph

    def successors(self, block: str) -> tuple[str, ...]:
        return self._names(self.graph.successors[self.numbers[block]])

    def predecessors(self, block: str) -> tuple[str, ...]:
        return self._names(self.graph.predecessors[self.numbers[block]])

    def reverse_postorder(self) -> tuple[str, ...]:
        return self._names(reverse_postorder(self.graph, 0))

    def reachable(self) -> frozenset[str]:
        """The blocks that the entry leads to."""
        return frozenset(self._names(from_mask(reachable(self.graph, 0))))

    def reach(self) -> tuple[Mask, ...]:
        """For each block, the mask of the blocks that it leads to, itself included."""
        return reach(self.graph)

    def immediate_dominators(self) -> Mapping[str, str | None]:
        """For each block that the entry reaches, its closest strict dominator (None: the entry)."""
        above = immediate_dominators(self.graph, 0)
        return {
            self.blocks[node]: None if above[node] is None else self.blocks[above[node] or 0]
            for node in reverse_postorder(self.graph, 0)
        }

    def dominators(self) -> tuple[Mask, ...]:
        """For each block, the mask of its dominators, itself included; 0 when the entry does not reach it."""
        return dominator_masks(self.graph, 0)

    def loops(self) -> tuple[Loop, ...]:
        return find_loops(self.graph, 0)

    def distances_to(self, blocks: Iterable[str]) -> Mapping[str, int]:
        """How many steps each block is away from the nearest of these; those that lead to none are absent."""
        found = distances_to(self.graph, to_mask(self.numbers[block] for block in blocks))
        return {self.blocks[node]: steps for node, steps in enumerate(found) if steps is not None}

    def _names(self, nodes: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.blocks[node] for node in nodes)


def flow_of(function: Function) -> Flow:
    """The control-flow graph of a function that has a body."""
    names = tuple(block.name for block in function.blocks)
    numbers = {name: number for number, name in enumerate(names)}
    successors = [[numbers[target] for target in block.successors] for block in function.blocks]
    return Flow(function.name, names, numbers, build_graph(successors))


class EdgeKind(Enum):
    FLOW = "from a block to the next in the same function"
    CALL = "from a block to the entry of a function that it calls"
    RETURN = "from a block that returns to one that called"


@dataclass(frozen=True, slots=True)
class Edge:
    source: int
    target: int
    kind: EdgeKind


@dataclass(frozen=True, slots=True)
class ProgramFlow:
    """The interprocedural control-flow graph. Nodes are numbered function after function."""

    nodes: tuple[BlockId, ...]
    numbers: Mapping[BlockId, int]
    edges: tuple[Edge, ...]

    def graph(self, *kinds: EdgeKind) -> Graph:
        """The graph of the edges of these kinds (none given: all)."""
        successors: list[list[int]] = [[] for _ in self.nodes]
        for edge in self.edges:
            if not kinds or edge.kind in kinds:
                successors[edge.source].append(edge.target)
        return build_graph(successors)

    def below(self) -> tuple[Mask, ...]:
        """For each node, what it leads to without returning to a caller, itself included."""
        return reach(self.graph(EdgeKind.FLOW, EdgeKind.CALL))

    def anywhere(self) -> tuple[Mask, ...]:
        """For each node, what it leads to by any edges, whoever called."""
        return reach(self.graph())

    def distances_to(self, targets: Mask) -> tuple[int | None, ...]:
        """For each node, the steps to the nearest target by any edges; None when it leads to none."""
        return distances_to(self.graph(), targets)

    def mask(self, nodes: Iterable[BlockId]) -> Mask:
        return to_mask(self.numbers[node] for node in nodes)


def program_flow(program: Program, functions: Iterable[str], calls: CallGraph | None = None) -> ProgramFlow:
    """The interprocedural graph of those of the functions that have a body."""
    calls = calls or build_call_graph(program)
    defined = [program.functions[name] for name in functions if program.functions[name].is_defined]
    nodes = tuple((function.name, block.name) for function in defined for block in function.blocks)
    numbers = {node: number for number, node in enumerate(nodes)}
    present = {function.name: function for function in defined}
    edges = (edge for function in defined for edge in _edges(function, present, numbers, calls))
    return ProgramFlow(nodes, numbers, tuple(edges))


def _edges(
    function: Function, present: Mapping[str, Function], numbers: Mapping[BlockId, int], calls: CallGraph
) -> Iterator[Edge]:
    for block in function.blocks:
        source = numbers[function.name, block.name]
        for target in dict.fromkeys(block.successors):
            yield Edge(source, numbers[function.name, target], EdgeKind.FLOW)
        for name in calls.callees_of_block.get((function.name, block.name), ()):
            if name in present:
                yield from _call_edges(source, present[name], numbers)


def _call_edges(caller: int, callee: Function, numbers: Mapping[BlockId, int]) -> Iterator[Edge]:
    yield Edge(caller, numbers[callee.name, callee.blocks[0].name], EdgeKind.CALL)
    for block in callee.blocks:
        if _returns(block):
            yield Edge(numbers[callee.name, block.name], caller, EdgeKind.RETURN)


def _returns(block: Block) -> bool:
    return block.instructions[-1].opcode == "ret"
