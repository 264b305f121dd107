"""Points: the places whose execution is counted. The numbering depends on the program alone, so
that the weaver, which counts, and the criteria, which read the counts, agree.

    block b ends in `br i1 %c, label %x, label %y`    points: (b, None), (b, 0) = %y taken, (b, 1) = %x taken
    block b ends in `switch`                          points: (b, None), (b, 0) = default, (b, k) = k-th case
    decision d of the marks                           one point for each vector of its tree, in their order
    label l, flow f of the marks                      one point
    mutant m of the marks                             one point, which a run hits if its test fails on the mutant: no
                                                      probe counts it, because other programs than the unit show it
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tightrope.program.ir.model import Block, Function

BlockSide = tuple[str, str, int | None]  # function '@f', block, side (None: the block itself)


@dataclass(frozen=True, slots=True)
class Points:
    """`numbers[function, block, side]` is the point's number; numbers run from 0 without gaps."""

    numbers: dict[BlockSide, int]
    vectors: tuple[range, ...] = ()  # by decision of the marks
    labels: range = range(0)  # by label
    flows: range = range(0)  # by flow
    mutants: range = range(0)  # by mutant

    def __len__(self) -> int:
        """The number of points that are counted in runs."""
        return len(self.numbers) + sum(map(len, self.vectors)) + len(self.labels) + len(self.flows)

    def mutant_at(self, points: Sequence[int]) -> int | None:
        """The number of the mutant, from 1 on, that an objective with these points is about."""
        return points[0] - self.mutants.start + 1 if len(points) == 1 and points[0] in self.mutants else None


def sides(block: Block) -> range:
    """The sides that control can leave the block by, when there is a choice."""
    last = block.instructions[-1]
    if last.opcode == "switch":
        return range(len(last.targets))
    return range(2) if last.opcode == "br" and last.operands else range(0)


def side_target(block: Block, side: int) -> str:
    """The block that this side leads to."""
    last = block.instructions[-1]
    return last.targets[side] if last.opcode == "switch" else last.targets[1 - side]


def number_points(
    functions: Iterable[Function], vectors: Sequence[int] = (), labels: int = 0, flows: int = 0, mutants: int = 0
) -> Points:
    """`vectors` has the number of vectors of each decision that is marked."""
    numbers: dict[BlockSide, int] = {}
    for function in functions:
        for block in function.blocks:
            for side in (None, *sides(block)):
                numbers[function.name, block.name, side] = len(numbers)
    starts = list(accumulate(vectors, initial=len(numbers)))
    ranges = tuple(range(start, start + count) for start, count in zip(starts, vectors, strict=False))
    end = starts[-1] + labels
    last = end + flows
    return Points(numbers, ranges, range(starts[-1], end), range(end, last), range(last, last + mutants))
