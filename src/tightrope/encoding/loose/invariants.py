"""What holds at the start of every iteration of a loop: guesses about counters, which a solver confirms.

    for (int i = 0; i < count; i++)      i >= 0           count < 0 is possible, so i <= count is not confirmed
    for (size_t i = 0; i < size; i++)    i <= size
    while (p && *p) p++;                 p != NULL, because *p was read

The walk assumes each guess if an unknown of its own is true, and notes the runs that would violate it: those that
enter the loop, and those that begin another iteration. If there is none while all these unknowns are true, the guesses
hold by induction over the iterations; else the unknowns of those that are violated become false, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tightrope.encoding.function_plan import FunctionPlan
from tightrope.expr.operators import Op
from tightrope.expr.simplify import compare
from tightrope.expr.terms import Term, TermTable
from tightrope.program.ir.model import Instruction
from tightrope.program.ir.model import Value as Operand
from tightrope.program.ir.types import IntType, PointerType

_LIMITS = {"slt": Op.SLE, "sle": Op.SLE, "ult": Op.ULE, "ule": Op.ULE, "ne": Op.ULE}  # of `i < n` in the header


@dataclass(frozen=True, slots=True)
class Guess:
    """About the counter `phi` of a loop: it is not negative, at most `limit`, or, as a pointer, not NULL."""

    function: str
    header: str
    phi: str
    op: Op
    limit: Operand | None = None  # has the same value in all iterations; None: zero, from below

    @property
    def is_about_pointer(self) -> bool:
        """0 < p, without signs; no counter is compared like that."""
        return self.op is Op.ULT

    def holds(self, table: TermTable, counter: Term, evaluate: Callable[[Operand], Term | None]) -> Term | None:
        """The claim about a value of the counter; None if the limit has no value."""
        if self.limit is None:
            return compare(table, self.op, table.constant(0, counter.bits), counter)
        limit = evaluate(self.limit)
        return None if limit is None or limit.bits != counter.bits else compare(table, self.op, counter, limit)


def find_guesses(plan: FunctionPlan, header: str) -> Iterator[Guess]:
    """The guesses about the counters of one loop."""
    inside = {
        each.result
        for name, block in plan.blocks.items()
        if header in plan.loops_of[name]
        for each in block.instructions
        if each.result
    }
    for phi in plan.phis[header]:
        if isinstance(phi.type, IntType) and 1 < phi.type.bits <= 64 and phi.result:
            yield Guess(plan.function.name, header, phi.result, Op.SLE)
            for op, limit in _limits(plan.blocks[header].instructions, phi):
                if not (limit.is_local and limit.text in inside):
                    yield Guess(plan.function.name, header, phi.result, op, limit)

        elif isinstance(phi.type, PointerType) and phi.result and _is_compared_with_null(plan, header, phi):
            yield Guess(plan.function.name, header, phi.result, Op.ULT)


def _is_compared_with_null(plan: FunctionPlan, header: str, phi: Instruction) -> bool:
    blocks = (block for name, block in plan.blocks.items() if header in plan.loops_of[name])
    every = (each for block in blocks for each in block.instructions if each.opcode == "icmp")
    return any([one.text for one in each.operands] == [phi.result, "null"] for each in every)


def _limits(instructions: tuple[Instruction, ...], phi: Instruction) -> Iterator[tuple[Op, Operand]]:
    """What the header compares the counter with."""
    for each in instructions:
        if each.opcode == "icmp" and each.predicate in _LIMITS and each.operands[0].text == phi.result:
            yield _LIMITS[each.predicate], each.operands[1]
