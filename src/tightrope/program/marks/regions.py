"""Which part of a function only computes the predicates of labels: from each begin to its end, whatever the blocks."""

from __future__ import annotations

from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.marks.marks import LABEL_BEGIN, LABEL_END


def unended_begin(block: Block) -> Instruction | None:
    """The call that begins a region in the block, if the region does not end in it."""
    last = [each for each in block.instructions if each.callee in (LABEL_BEGIN, LABEL_END)][-1:]
    return last[0] if last and last[0].callee == LABEL_BEGIN else None


def region_blocks(function: Function) -> frozenset[str]:
    """The blocks that control enters in the midst of a region."""
    inside: set[str] = set()
    blocks = {block.name: block for block in function.blocks}
    waiting = [block.name for block in function.blocks if unended_begin(block)]
    while waiting:
        for target in blocks[waiting.pop()].successors:
            if target not in inside:
                inside.add(target)
                if not any(each.callee == LABEL_END for each in blocks[target].instructions):
                    waiting.append(target)
    return frozenset(inside)


def label_blocks(function: Function) -> frozenset[str]:
    """The blocks that control leaves in the midst of a region: how it leaves them is no branch of the program."""
    entered = region_blocks(function)
    return frozenset(
        block.name
        for block in function.blocks
        if unended_begin(block)
        or (block.name in entered and not any(each.callee == LABEL_END for each in block.instructions))
    )
