"""What decides whether a run hits a point: branches, labels, and conditions without a branch.

If the shape of the inputs excludes something, an exhausted search proves that a point cannot be hit only if inputs
alone made all of these decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tightrope.program.flow.control_flow import BlockId
from tightrope.program.flow.points import Points, sides
from tightrope.program.ir.model import Block, Instruction, Program
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, Marks, tested_values


@dataclass(frozen=True, slots=True)
class Deciders:
    """The blocks with the decisions, the deciding branches (points of side 0), and obligations by number: labels first,
    then conditions."""

    blocks: frozenset[BlockId] = frozenset()
    sites: frozenset[int] = frozenset()
    obligations: frozenset[int] = frozenset()
    is_known: bool = True  # False: other things may decide, too

    def __or__(self, other: Deciders) -> Deciders:
        return Deciders(
            self.blocks | other.blocks,
            self.sites | other.sites,
            self.obligations | other.obligations,
            self.is_known and other.is_known,
        )


UNKNOWN = Deciders(is_known=False)


def find_deciders(program: Program, points: Points, marks: Marks, wanted: Collection[int]) -> Deciders:
    """Everything that decides one of these points."""
    found = Deciders()
    for point in wanted:
        found |= _DeciderFinder(program, points, marks).of(point)
    return found


class _DeciderFinder:
    def __init__(self, program: Program, points: Points, marks: Marks) -> None:
        self.program, self.points, self.marks = program, points, marks

    def of(self, point: int) -> Deciders:
        if point in self.points.labels:
            return self._of_label(self.points.labels.index(point))
        for decision, numbers in enumerate(self.points.vectors):
            if point in numbers:
                return self._of_decision(decision)
        return self._of_side(point)

    def _of_side(self, point: int) -> Deciders:
        """A side is decided by its branch. Whether a block is executed depends on more than one branch."""
        for (function, block, side), number in self.points.numbers.items():
            if number == point and side is not None:
                return self._branch(function, block)
        return UNKNOWN

    def _branch(self, function: str, block: str) -> Deciders:
        return Deciders(frozenset({(function, block)}), frozenset({self.points.numbers[function, block, 0]}))

    def _of_decision(self, decision: int) -> Deciders:
        first = self.marks.first_condition(decision)
        numbers = range(first, first + len(self.marks.decisions[decision].conditions))
        found = Deciders()
        for function, block, call in self._calls(CONDITION):
            number, value = (argument.value.text for argument in call.arguments)
            if int(number) in numbers and value in tested_values(block):
                found |= self._branch(function, block.name)
            elif int(number) in numbers:
                obligation = len(self.marks.labels) + int(number)
                found |= Deciders(frozenset({(function, block.name)}), obligations=frozenset({obligation}))
        return found

    def _of_label(self, label: int) -> Deciders:
        """The branches of its region. A predicate that calls a function may depend on anything."""
        for function, block, call in self._calls(LABEL_BEGIN):
            if call.arguments[0].value.text == str(label):
                own = Deciders(frozenset({(function, block.name)}), obligations=frozenset({label}))
                return own | self._of_region(function, block, call)
        return UNKNOWN

    def _of_region(self, function: str, block: Block, begin: Instruction) -> Deciders:
        blocks = {each.name: each for each in self.program.functions[function].blocks}
        found, seen, waiting = Deciders(), {block.name}, [(block, block.instructions.index(begin) + 1)]
        while waiting:
            each, start = waiting.pop()
            callees = [instruction.callee for instruction in each.instructions[start:]]
            callees, is_over = _until_end(callees)
            if any(callee and not callee.startswith("@llvm.") for callee in callees):
                return UNKNOWN
            if not is_over:
                found |= self._branch(function, each.name) if sides(each) else Deciders()
                waiting += [(blocks[name], 0) for name in each.successors if name not in seen]
                seen |= set(each.successors)
        return found

    def _calls(self, callee: str) -> Iterator[tuple[str, Block, Instruction]]:
        for function in self.program.functions.values():
            for block in function.blocks:
                for instruction in block.instructions:
                    if instruction.callee == callee:
                        yield function.name, block, instruction


def _until_end(callees: list[str]) -> tuple[list[str], bool]:
    """The callees before the region ends, and whether it ends in this block."""
    end = callees.index(LABEL_END) if LABEL_END in callees else len(callees)
    return callees[:end], LABEL_END in callees
