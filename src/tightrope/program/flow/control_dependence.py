"""Which branches decide whether a block is executed (J. Ferrante, K. J. Ottenstein, J. D. Warren, "The Program
Dependence Graph and Its Use in Optimization", 1987).

A block depends on the side of a branch when that side always leads to it and another side may not:

    a: br %c, b, d        b depends on side 1 of a; d, where both ways meet, on nothing
    b: br d

Runs that never leave a loop are not considered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tightrope.program.flow.control_flow import Flow
from tightrope.program.flow.graph import Graph, build_graph, components, immediate_dominators
from tightrope.program.flow.points import side_target, sides
from tightrope.program.ir.model import Function

Side = tuple[int, int]  # number of the block that ends in a choice, side


@dataclass(frozen=True, slots=True)
class ControlDependence:
    """Blocks by number, as in `Flow`."""

    of_block: tuple[frozenset[Side], ...]
    of_edge: Mapping[tuple[int, int], frozenset[Side]]  # from block to block: what decides that it is taken


def find_control_dependence(function: Function, flow: Flow) -> ControlDependence:
    after = _post_dominators(flow.graph)
    deciding: list[set[Side]] = [set() for _ in flow.blocks]
    taken: dict[tuple[int, int], set[Side]] = {}
    for number, block in enumerate(function.blocks):
        for side in sides(block):
            target = flow.numbers[side_target(block, side)]
            taken.setdefault((number, target), set()).add((number, side))
            for reached in _until(after, target, after[number]):
                deciding[reached].add((number, side))
    of_block = tuple(map(frozenset, deciding))
    plain = {
        (number, target): of_block[number]
        for number, targets in enumerate(flow.graph.successors)
        for target in targets
        if (number, target) not in taken
    }
    return ControlDependence(of_block, {**plain, **{edge: frozenset(found) for edge, found in taken.items()}})


def find_joins(function: Function) -> dict[str, str]:
    """By name of each block that ends in a choice: the block where its ways meet again, if there is one."""
    names = [block.name for block in function.blocks]
    numbers = {name: number for number, name in enumerate(names)}
    graph = build_graph([[numbers[name] for name in dict.fromkeys(block.successors)] for block in function.blocks])
    after = _post_dominators(graph)
    found = ((block.name, after[number]) for number, block in enumerate(function.blocks) if sides(block))
    return {name: names[join] for name, join in found if join is not None and join < len(names)}


def _until(after: tuple[int | None, ...], node: int | None, last: int | None) -> Iterator[int]:
    """The node and what always follows it, up to but without the last."""
    while node is not None and node != last and node < len(after) - 1:
        yield node
        node = after[node]


def _post_dominators(graph: Graph) -> tuple[int | None, ...]:
    """For each node, the first one that every way from it to the end passes; the end is a further node."""
    end = len(graph)
    successors = [list(targets) for targets in graph.successors]
    for group in components(graph.successors):  # what has no way out ends where it is
        inside = set(group)
        if all(target in inside for node in group for target in graph.successors[node]):
            successors[min(group)].append(end)
    backwards: list[list[int]] = [[] for _ in range(end + 1)]
    for node, targets in enumerate(successors):
        for target in targets:
            backwards[target].append(node)
    return immediate_dominators(build_graph(backwards), end)
