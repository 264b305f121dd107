"""Code that a search may not have fully explored because another shape of inputs could reach it differently.

    if (!p)                 no input decides it, because in this shape p is never NULL
        k = 7;              no run reached this
    if (k > n)              inputs decide it, but no run had the k that only the block above sets
        ...

A branch that no input decided and that always took the same side is *one-sided*. What is reachable from its other side
was not explored in every state, so exhaustion proves nothing about it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.flow.constants import Constants
from tightrope.program.flow.control_flow import BlockId, program_flow
from tightrope.program.flow.graph import from_mask
from tightrope.program.flow.points import Points, side_target, sides
from tightrope.program.ir.model import Block, Program


def unexplored_blocks(
    program: Program, unit: str, points: Points, seen: int, decided: Collection[int]
) -> frozenset[BlockId]:
    """The blocks reachable from untaken sides of one-sided branches. `seen` has bit p set when some run hit point p;
    `decided` holds the sites (points of side 0) of the branches that inputs decided."""
    flow = program_flow(program, reachable_functions(program, unit))
    untaken = [flow.numbers[node] for node in _untaken(program, flow.nodes, points, seen, decided)]
    if not untaken:
        return frozenset()
    anywhere = flow.anywhere()
    behind = 0
    for number in untaken:
        behind |= anywhere[number] | 1 << number
    return frozenset(flow.nodes[number] for number in from_mask(behind))


def _untaken(
    program: Program, nodes: Collection[BlockId], points: Points, seen: int, decided: Collection[int]
) -> Iterator[BlockId]:
    """The blocks that the untaken sides of one-sided branches lead to."""
    wanted = set(nodes)
    for name in dict.fromkeys(function for function, _ in nodes):
        function = program.functions[name]
        constants = Constants(function)
        for block in function.blocks:
            if (name, block.name) in wanted and not _is_settled(constants, block, name, points, decided):
                taken = {side: seen >> points.numbers[name, block.name, side] & 1 for side in sides(block)}
                if any(taken.values()):
                    yield from ((name, side_target(block, side)) for side, was in taken.items() if not was)


def _is_settled(constants: Constants, block: Block, function: str, points: Points, decided: Collection[int]) -> bool:
    """True if the block does not branch, its condition is constant, inputs decided it, or it is not woven."""
    site = points.numbers.get((function, block.name, 0))
    if not sides(block) or site is None or site in decided:
        return True
    return constants.value(block.instructions[-1].operands[0]) is not None
