"""Marks: what a run records besides its branches, and how that is written in IR.

A mark is a call in the program before it is woven. It does not change what the program computes.

    call void @tightrope_condition(i32 7, i1 %tobool)     condition 7 of all was evaluated
    call void @tightrope_label_begin(i32 3)               the predicate of label 3 starts here; what follows, blocks and
    call void @tightrope_label_end(i32 3, i1 %p)          branches included, belongs to it alone, up to its end
    call void @tightrope_reach(i32 5)                     control is at definition or use 5

Conditions are numbered over all decisions: condition c of decision d is `first_condition(d) + c`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.program.decisions.decisions import Decision
from tightrope.program.flow.branch_paths import BranchPath
from tightrope.program.ir.model import Block
from tightrope.program.marks.accesses import Access
from tightrope.program.marks.labels import Label
from tightrope.program.marks.mutants import SourceMutant

CONDITION = "@tightrope_condition"
LABEL_BEGIN, LABEL_END = "@tightrope_label_begin", "@tightrope_label_end"
THEN = "@tightrope_then_"  # only in anchored text: labels behind a value; its type follows
UPDATE_BEGIN, UPDATE_END = "@tightrope_update_begin", "@tightrope_update_end"  # only there: around an update
TEMPORARY = "tightrope_kept_"  # how the names of temporaries start
REACH = "@tightrope_reach"


@dataclass(frozen=True, slots=True)
class DataFlow:
    """A definition of a variable and a use that it may reach: a sequence in one run, no other definition between."""

    function: str  # '@f'
    definition: int  # positions in `Marks.accesses`
    use: int


@dataclass(frozen=True, slots=True)
class Marks:
    """Everything that is marked in the functions under test; numbers in the IR are positions in these tuples."""

    decisions: tuple[Decision, ...] = ()
    labels: tuple[Label, ...] = ()
    accesses: tuple[Access, ...] = ()
    flows: tuple[DataFlow, ...] = ()
    mutants: tuple[SourceMutant, ...] = ()  # not in the IR: other programs show what becomes of them
    paths: tuple[BranchPath, ...] = ()  # of the last labels, those of `k-path`

    def first_condition(self, decision: int) -> int:
        return sum(len(each.conditions) for each in self.decisions[:decision])

    def condition_places(self) -> list[tuple[int, int]]:
        """By number of a condition: its decision, and its position there."""
        decisions = enumerate(self.decisions)
        return [(number, at) for number, decision in decisions for at in range(len(decision.conditions))]


NOTHING = Marks()


def tested_values(block: Block) -> tuple[str, ...]:
    """The value that the branch at the end of the block tests, and what it is the opposite of. A branch elsewhere
    that tests the same value may not be reached."""
    last = block.instructions[-1]
    if last.opcode != "br" or not last.operands:
        return ()
    tested = last.operands[0].text
    opposite = (each.operands for each in block.instructions if each.opcode == "xor" and each.result == tested)
    return (tested, *(left.text for left, right in opposite if right.text == "true"))
