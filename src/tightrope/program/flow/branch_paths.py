"""Paths of k branches in a function.

A *step* leads from a block with several successors to one of them. After it, control comes to the next such block, or
to the end. A path is a sequence of such steps, none out of the same block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tightrope.program.flow.points import side_target, sides
from tightrope.program.ir.model import Function

MOST_PATHS = 256  # of one function


@dataclass(frozen=True, slots=True)
class BranchStep:
    """Out of a block to one of its successors, by one of these sides."""

    block: str
    target: str
    sides: tuple[int, ...]


BranchPath = tuple[BranchStep, ...]


def find_paths(
    function: Function, length: int, passed_by: Collection[str] = (), most: int = MOST_PATHS
) -> tuple[BranchPath, ...]:
    """The paths of this many branches, and shorter ones from the first branch to an end. At most `most` and one.
    `passed_by` are blocks whose branches do not count: those in predicates of labels."""
    graph = _StepGraph(function, passed_by)
    found: list[BranchPath] = []
    for block in graph.branching:
        for path in graph.extend((), block, length):
            if len(path) == length or block == graph.first:
                found.append(path)
                if len(found) > most:
                    return tuple(found)
    return tuple(found)


class _StepGraph:
    def __init__(self, function: Function, passed_by: Collection[str]) -> None:
        self.blocks = {block.name: block for block in function.blocks}
        self.branching = [each.name for each in function.blocks if sides(each) and each.name not in passed_by]
        self._branches = frozenset(self.branching)
        self.first = self.next_branch(function.blocks[0].name)

    def steps(self, block: str) -> list[BranchStep]:
        found: dict[str, list[int]] = {}
        for side in sides(self.blocks[block]):
            found.setdefault(side_target(self.blocks[block], side), []).append(side)
        return [BranchStep(block, target, tuple(numbers)) for target, numbers in found.items()]

    def next_branch(self, block: str) -> str | None:
        """The first block from here on with a choice; the predicate of a label that has jumps is passed by."""
        seen: set[str] = set()
        while block not in self._branches:
            targets = self.blocks[block].successors
            if not targets or block in seen:
                return None
            seen.add(block)
            block = targets[-1]
        return block

    def extend(self, path: BranchPath, block: str, length: int) -> Iterator[BranchPath]:
        for step in self.steps(block):
            longer = (*path, step)
            following = self.next_branch(step.target) if len(longer) < length else None
            if following is None:
                yield longer
            elif following not in {each.block for each in longer}:
                yield from self.extend(longer, following, length)
