"""A function's body while it is being changed: blocks by name, in the order of the text.

An instruction is changed by writing its new text and reading it again, so that text and fields cannot disagree.
Values and blocks share one name space, as LLVM has it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tightrope.location import Location
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Block, Function, Instruction, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.types import VOID, Type

_WORD = re.compile(rf'"[^"]*"|%{NAME}')


def branch(targets: Sequence[str], location: Location | None, condition: Value | None = None) -> Instruction:
    """`br label %next`, or `br i1 %c, label %then, label %else`."""
    parts = [f"{condition.type} {condition.text}"] if condition else []
    text = "br " + ", ".join([*parts, *(f"label %{target}" for target in targets)])
    operands = (condition,) if condition else ()
    return Instruction("br", text, VOID, None, operands, location, targets=tuple(targets))


def phi(name: str, kind: Type, incoming: Iterable[tuple[Value, str]], location: Location | None) -> Instruction:
    pairs = tuple(incoming)
    shown = ", ".join(f"[ {value.text}, %{block} ]" for value, block in pairs)
    return Instruction("phi", f"{name} = phi {kind} {shown}", kind, name, location=location, incoming=pairs)


def used_names(instruction: Instruction) -> Iterator[str]:
    """Every local that the instruction names, blocks included, as often as it does."""
    start = len(instruction.result) if instruction.result else 0
    return (word for word in _WORD.findall(instruction.text, start) if word[0] == "%")


@dataclass(slots=True)
class EditableBody:
    """The blocks of one function, to be changed in place."""

    blocks: dict[str, Block]
    names: set[str]
    named_types: Mapping[str, Type]
    _last: dict[str, int] = field(default_factory=dict)  # by wish: the number behind the last name for it

    def instructions(self) -> Iterator[Instruction]:
        return (each for block in self.blocks.values() for each in block.instructions)

    def count_uses(self) -> Counter[str]:
        return Counter(name for each in self.instructions() for name in used_names(each))

    def predecessors(self) -> dict[str, list[str]]:
        """Block -> the blocks that lead to it, each once per edge."""
        found: dict[str, list[str]] = {name: [] for name in self.blocks}
        for block in self.blocks.values():
            for target in block.successors:
                found[target].append(block.name)
        return found

    def last(self, block: str) -> Instruction:
        return self.blocks[block].instructions[-1]

    def phis(self, block: str) -> tuple[Instruction, ...]:
        return tuple(each for each in self.blocks[block].instructions if each.opcode == "phi")

    def fresh(self, wish: str) -> str:
        """A name without sigil that nothing has yet."""
        bare = wish.replace('"', "").removeprefix("%")
        quote = "" if re.fullmatch(r"[-\w$.]+", bare) else '"'
        name, number = f"{quote}{bare}{quote}", self._last.get(bare, 0)
        while name in self.names:
            number += 1
            name = f"{quote}{bare}{number}{quote}"
        self.names.add(name)
        self._last[bare] = number
        return name

    def put(self, block: str, instructions: Iterable[Instruction]) -> None:
        self.blocks[block] = replace(self.blocks[block], instructions=tuple(instructions))

    def put_last(self, block: str, last: Instruction) -> None:
        self.put(block, (*self.blocks[block].instructions[:-1], last))

    def put_phis(self, block: str, phis: Iterable[Instruction]) -> None:
        """Replace the phis of a block."""
        self.put(block, (*phis, *(each for each in self.blocks[block].instructions if each.opcode != "phi")))

    def insert_after(self, block: str, *new: Block) -> None:
        added = {each.name: each for each in new}
        found: dict[str, Block] = {}
        for name, each in self.blocks.items():
            found |= {name: each, **(added if name == block else {})}
        self.blocks = found

    def renamed(self, instruction: Instruction, names: Mapping[str, str]) -> Instruction:
        """The instruction with other operands: `names` maps locals to the text that takes their place."""
        start = len(instruction.result) if instruction.result else 0
        used = _WORD.sub(lambda word: names.get(word.group(), word.group()), instruction.text[start:])
        if used == instruction.text[start:]:
            return instruction
        return read_instruction(instruction.text[:start] + used, instruction.location, self.named_types)


def open_body(function: Function, named_types: Mapping[str, Type]) -> EditableBody:
    blocks = {block.name: block for block in function.blocks}
    results = (each.result for each in function.instructions() if each.result)
    parameters = (parameter.name for parameter in function.parameters)
    return EditableBody(blocks, {*blocks, *(name[1:] for name in (*results, *parameters))}, named_types)
