"""Constant values: values of a function that are the same in every run, because all operands are literals.

Promotion of locals to registers leaves such code: `int verbose = 0; if (verbose) ...` becomes
`%c = icmp ne i32 0, 0`. Only what is certain is answered; everything else is None.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence

from tightrope.program.flow.points import side_target, sides
from tightrope.program.ir.model import Block, Function, Instruction, Value
from tightrope.program.ir.types import IntType

_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_BITWISE: Mapping[str, Callable[[int, int], int]] = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


class Constants:
    """The constant values of one function, as unsigned numbers."""

    def __init__(self, function: Function) -> None:
        self._definitions = {each.result: each for each in function.instructions() if each.result}
        self._known: dict[str, int | None] = {}

    def value(self, operand: Value) -> int | None:
        """The operand's value, if it is an integer that is the same in every run."""
        if not isinstance(operand.type, IntType):
            return None
        if operand.is_local:
            return self._local(operand.text)
        return _literal(operand.text, operand.type.bits)

    def definition(self, operand: Value) -> Instruction | None:
        return self._definitions.get(operand.text)

    def _local(self, name: str) -> int | None:
        if name not in self._known:
            self._known[name] = None  # a cycle through itself is not constant
            definition = self._definitions.get(name)
            self._known[name] = self._compute(definition) if definition else None
        return self._known[name]

    def _compute(self, instruction: Instruction) -> int | None:
        if instruction.opcode == "phi":  # `while (a && 0)`
            known = {self.value(value) for value, _ in instruction.incoming}
            return known.pop() if len(known) == 1 else None
        if instruction.opcode not in ("icmp", "trunc", "zext", "sext", *_BITWISE):
            return None
        values = [self.value(operand) for operand in instruction.operands]
        if None in values or not isinstance(instruction.type, IntType):
            return None
        return _apply(instruction, [value for value in values if value is not None])


def blocks_past_constants(function: Function) -> frozenset[str]:
    """The blocks that control can come to, when branches on constants are taken as they always are."""
    constants, blocks = Constants(function), {block.name: block for block in function.blocks}
    reached: set[str] = set()
    waiting = [block.name for block in function.blocks[:1]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _ways_out(blocks[name], constants)
    return frozenset(reached)


def _ways_out(block: Block, constants: Constants) -> Sequence[str]:
    choices = sides(block)
    value = constants.value(block.instructions[-1].operands[0]) if choices else None
    if value is None:
        return block.successors
    cases = block.instructions[-1].cases
    side = value if block.instructions[-1].opcode == "br" else cases.index(value) + 1 if value in cases else 0
    return [side_target(block, side)]


def _literal(text: str, bits: int) -> int | None:
    if text in ("true", "false"):
        return int(text == "true")
    return int(text) % (1 << bits) if re.fullmatch(r"-?[0-9]+", text) else None


def _apply(instruction: Instruction, values: list[int]) -> int:
    source = instruction.operands[0].type
    assert isinstance(source, IntType) and isinstance(instruction.type, IntType)
    if instruction.opcode == "icmp":
        if instruction.predicate.startswith("s"):
            values = [_signed(value, source.bits) for value in values]
        return int(_COMPARE[instruction.predicate[-2:]](*values))
    if instruction.opcode in _BITWISE:
        return _BITWISE[instruction.opcode](*values)
    value = _signed(values[0], source.bits) if instruction.opcode == "sext" else values[0]
    return value % (1 << instruction.type.bits)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
