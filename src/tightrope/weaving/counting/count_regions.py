"""Predicates of labels that cannot be computed: they count as false, and the program goes on as it would without them.

A predicate is evaluated before the statement that it belongs to, so the memory that it reads may not exist:

    %x = load i32, ptr %p     →     %tr.1 = icmp ult ptr %p, inttoptr (i64 65536 to ptr)      nothing lies so low
                                    store i1 true to %tr.abandoned if %tr.1
                                    %tr.2 = select i1 %tr.1, ptr @tightrope_zeros, ptr %p
                                    %x = load i32, ptr %tr.2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tightrope.program.ir.editing import EditableBody
from tightrope.program.ir.model import Block, Function, Instruction, Value
from tightrope.program.ir.types import VOID, FloatType, IntType, PointerType
from tightrope.program.marks.marks import LABEL_BEGIN, LABEL_END
from tightrope.program.marks.regions import region_blocks

ABANDONED = "%tr.abandoned"
ZEROS = "@tightrope_zeros"
LOW = 1 << 16  # addresses below are no objects
_DIVISIONS = ("sdiv", "srem", "udiv", "urem")


def line(text: str) -> Instruction:
    """An instruction that is only written."""
    return Instruction("", text, VOID)


class RegionGuard:
    """Follows where predicates are computed, and makes what is done there safe."""

    def __init__(self, function: Function, body: EditableBody, fresh: Callable[[], str]) -> None:
        self._entered = region_blocks(function)
        self._body, self._fresh = body, fresh
        self._is_inside = False
        self.is_needed = any(each.callee == LABEL_BEGIN for block in function.blocks for each in block.instructions)

    def enter(self, block: Block) -> None:
        self._is_inside = block.name in self._entered

    def at_entry(self) -> Iterator[Instruction]:
        if self.is_needed:
            yield line(f"{ABANDONED} = alloca i1")

    def guard(self, each: Instruction) -> list[Instruction]:
        """The instruction as it may be executed."""
        if each.callee == LABEL_BEGIN:
            self._is_inside = True
            return [line(f"store i1 false, ptr {ABANDONED}")]
        if each.callee == LABEL_END:
            self._is_inside = False
        elif self._is_inside and each.opcode == "load" and isinstance(each.type, IntType | FloatType | PointerType):
            return self._guard_load(each)
        elif self._is_inside and each.opcode in _DIVISIONS and isinstance(each.type, IntType):
            return self._guard_division(each)
        return [each]

    def _guard_load(self, each: Instruction) -> list[Instruction]:
        pointer = each.operands[0]
        if not pointer.is_local:
            return [each]
        is_low, safe = self._fresh(), self._fresh()
        return [
            line(f"{is_low} = icmp ult ptr {pointer.text}, inttoptr (i64 {LOW} to ptr)"),
            *self._abandon_if(is_low),
            line(f"{safe} = select i1 {is_low}, ptr {ZEROS}, ptr {pointer.text}"),
            self._body.renamed(each, {pointer.text: safe}),
        ]

    def _guard_division(self, each: Instruction) -> list[Instruction]:
        number, divisor = each.operands
        if not divisor.is_local:
            return [each]
        is_bad, safe = self._fresh(), self._fresh()
        return [
            *self._is_undefined(each, number, divisor, is_bad),
            *self._abandon_if(is_bad),
            line(f"{safe} = select i1 {is_bad}, {each.type} 1, {each.type} {divisor.text}"),
            self._body.renamed(each, {divisor.text: safe}),
        ]

    def _is_undefined(self, each: Instruction, number: Value, divisor: Value, result: str) -> Iterator[Instruction]:
        kind, is_zero, is_opposite, is_lowest, overflows = each.type, *(self._fresh() for _ in range(4))
        assert isinstance(kind, IntType)
        yield line(f"{is_zero} = icmp eq {kind} {divisor.text}, 0")
        if each.opcode[0] == "u":
            yield line(f"{result} = or i1 {is_zero}, false")
            return
        yield line(f"{is_opposite} = icmp eq {kind} {divisor.text}, -1")
        yield line(f"{is_lowest} = icmp eq {kind} {number.text}, {-(1 << (kind.bits - 1))}")
        yield line(f"{overflows} = and i1 {is_opposite}, {is_lowest}")
        yield line(f"{result} = or i1 {is_zero}, {overflows}")

    def _abandon_if(self, condition: str) -> Iterator[Instruction]:
        before, after = self._fresh(), self._fresh()
        yield line(f"{before} = load i1, ptr {ABANDONED}")
        yield line(f"{after} = or i1 {before}, {condition}")
        yield line(f"store i1 {after}, ptr {ABANDONED}")

    def holds(self, predicate: str) -> tuple[list[Instruction], str]:
        """Whether the predicate was computed, and is true."""
        if not self.is_needed:
            return [], predicate
        was, is_whole, result = (self._fresh() for _ in range(3))
        lines = [
            line(f"{was} = load i1, ptr {ABANDONED}"),
            line(f"{is_whole} = xor i1 {was}, true"),
            line(f"{result} = and i1 {predicate}, {is_whole}"),
        ]
        return lines, result
