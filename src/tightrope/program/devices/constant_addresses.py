"""Addresses that the code itself names: `(volatile uint32_t *)0x40020018`, and members and elements behind one.

store volatile i32 1, ptr inttoptr (i64 1073872920 to ptr)
%mode = getelementptr %struct.gpio, ptr inttoptr (i64 1073872896 to ptr), i32 0, i32 5
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import find_close, split_commas
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.read_operand import read_value
from tightrope.program.ir.read_type import read_type
from tightrope.program.ir.types import ArrayType, StructType, Type

HIGHEST = 1 << 47  # no program of this machine has memory above
_INTEGER = re.compile(r"-?\d+")
_EXPRESSION = re.compile(r"(inttoptr|getelementptr)(?: [a-z]+(?:\([^()]*\))?)* ?\(")


class ConstantAddresses:
    """Finds the numbers of addresses in one program."""

    def __init__(self, program: Program) -> None:
        self.layout = Layout(program)

    def of(self, pointer: Value, made: Mapping[str, Instruction]) -> int | None:
        """The address as a number; None if it is not constant, or no address of this machine. `made`: the instructions
        of the function by their results."""
        found = self._find(pointer.text, made)
        return found if found is not None and 0 < found < HIGHEST else None

    def _find(self, text: str, made: Mapping[str, Instruction]) -> int | None:
        if text.startswith("%"):
            return self._of_instruction(made.get(text), made)
        found = _EXPRESSION.match(text)
        if not found:
            return None
        inner = text[found.end() : find_close(text, found.end() - 1)]
        if found[1] == "inttoptr":
            return _number(read_value(inner.rpartition(" to ")[0]).text)
        kind, base, *indices = split_commas(inner)
        return self._element(read_type(kind, 0)[0], read_value(base), [read_value(one) for one in indices], made)

    def _of_instruction(self, each: Instruction | None, made: Mapping[str, Instruction]) -> int | None:
        if each is None:
            return None
        if each.opcode == "getelementptr" and each.source_type is not None:
            return self._element(each.source_type, each.operands[0], each.operands[1:], made)
        return _number(each.operands[0].text) if each.opcode == "inttoptr" else None

    def _element(
        self, kind: Type, base: Value, indices: Sequence[Value], made: Mapping[str, Instruction]
    ) -> int | None:
        start, offset = self._find(base.text, made), self.offset(kind, indices)
        return None if start is None or offset is None else start + offset

    def offset(self, kind: Type, indices: Sequence[Value]) -> int | None:
        """Bytes from the base; None if an index is not constant."""
        found = 0
        for position, index in enumerate(indices):
            number = _number(index.text)
            if number is None:
                return None
            if not position:
                found += number * self.layout.size_of(kind)
                continue
            body = self.layout.body(kind)
            found += self.layout.offset_of(body, number)
            if isinstance(body, StructType):
                kind = body.elements[number]
            elif isinstance(body, ArrayType):
                kind = body.element
        return found


def _number(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) else None


def results_of(function: Function) -> dict[str, Instruction]:
    """The instructions of a function by the values that they compute."""
    return {each.result: each for each in function.instructions() if each.result}
