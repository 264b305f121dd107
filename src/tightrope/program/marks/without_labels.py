"""The code without the predicates of some labels: a formula of it is smaller.

    call void @tightrope_label_begin(i32 3)
    %p = icmp slt i32 %a, %b                     this part is left out, where a run may jump over it, too
    call void @tightrope_label_end(i32 3, i1 %p)

Only regions within one block are left out, so blocks, branches and their points stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tightrope.program.ir.model import Block, Function, Instruction, Program
from tightrope.program.marks.regions import RegionJump, find_jumps


@dataclass(slots=True)
class LabelledProgram:
    """A program, prepared to be asked for several times without different labels."""

    program: Program
    _regions: dict[str, dict[int, RegionJump]] | None = field(default=None)  # by function and label

    def keep(self, labels: int) -> Program:
        """The program with the labels of this mask, and with those that cannot be left out."""
        if self._regions is None:
            self._regions = dict(self._find_regions())
        functions = dict(self.program.functions)
        for name, regions in self._regions.items():
            leaving = [jump for label, jump in regions.items() if not labels >> label & 1]
            if leaving:
                functions[name] = _without(functions[name], leaving)
        return replace(self.program, functions=functions)

    def _find_regions(self) -> Iterator[tuple[str, dict[int, RegionJump]]]:
        for name, function in self.program.functions.items():
            jumps = [jump for jump in find_jumps(function) if jump.begins_in == jump.ends_in]
            if jumps:
                yield name, {_label_of(jump.begin): jump for jump in jumps}


def _label_of(begin: Instruction) -> int:
    return int(begin.arguments[0].value.text)


def _without(function: Function, leaving: list[RegionJump]) -> Function:
    ends = {id(jump.begin): jump.end for jump in leaving}
    return replace(function, blocks=tuple(_shortened(block, ends) for block in function.blocks))


def _shortened(block: Block, ends: dict[int, Instruction]) -> Block:
    kept: list[Instruction] = []
    end: Instruction | None = None  # of the region that is left out
    for each in block.instructions:
        if end is None:
            end = ends.get(id(each))
            if end is None:
                kept.append(each)
        elif each is end:
            end = None
    return block if len(kept) == len(block.instructions) else replace(block, instructions=tuple(kept))
