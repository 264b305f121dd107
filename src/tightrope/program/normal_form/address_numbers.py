"""Numbers of addresses that the compiler folded into constants, as instructions again.

    Before: %d = and i64 ptrtoint (ptr @table to i64), 31
    After:  %address = ptrtoint ptr @table to i64
            %d = and i64 %address, 31

Where `table` lies is not known before the program is linked, but such an operand looks like any constant: a branch
that depends on it would be decided by chance, and look like one that is always decided this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tightrope.program.ir.editing import EditableBody, open_body
from tightrope.program.ir.lexer import find_close, split_commas
from tightrope.program.ir.model import Function, Instruction, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.read_operand import read_value
from tightrope.program.ir.types import Type

_NUMBER = re.compile(r"\bptrto(?:int|addr) \(")
_CAST = re.compile(r"(ptrtoint|ptrtoaddr|inttoptr|bitcast|trunc) \(")
_BINARY = re.compile(r"(add|sub|xor)( nuw)?( nsw)? \(")


def unfold_addresses(function: Function, named_types: Mapping[str, Type]) -> Function:
    """The function with an instruction for each number of an address. Constants of several elements keep theirs."""
    if not any(_NUMBER.search(each.text) for each in function.instructions()):
        return function
    body = open_body(function, named_types)
    for name in tuple(body.blocks):
        _unfold_block(body, name)
    return replace(function, blocks=tuple(body.blocks.values()))


def _unfold_block(body: EditableBody, name: str) -> None:
    unfolded: list[Instruction] = []
    for each in body.blocks[name].instructions:
        if not _NUMBER.search(each.text):
            unfolded.append(each)
        elif each.opcode == "phi":
            unfolded.append(_unfold_phi(body, each))
        else:
            names = {value.text: _compute(body, value, each, unfolded) for value in _values(each)}
            unfolded.append(_with(body, each, names))
    body.put(name, unfolded)


def _unfold_phi(body: EditableBody, phi: Instruction) -> Instruction:
    """What flows in is computed where it comes from."""
    names = {}
    for value, block in phi.incoming:
        *before, last = body.blocks[block].instructions
        made: list[Instruction] = []
        name = _compute(body, value, phi, made)
        body.put(block, (*before, *made, last))
        names[f"[ {value.text}, %{block} ]"] = f"[ {name}, %{block} ]"
    return _with(body, phi, names)


def _values(instruction: Instruction) -> Iterator[Value]:
    yield from instruction.operands
    yield from (each.value for each in instruction.arguments)


def _with(body: EditableBody, instruction: Instruction, names: Mapping[str, str]) -> Instruction:
    text = instruction.text
    for before, after in names.items():
        text = text.replace(before, after) if before != after else text
    return read_instruction(text, instruction.location, body.named_types)


def _compute(body: EditableBody, value: Value, user: Instruction, made: list[Instruction]) -> str:
    """The value, computed by instructions if it is a constant expression with the number of an address."""
    found = _CAST.match(value.text) or _BINARY.match(value.text)
    if found is None or not _NUMBER.search(value.text):
        return value.text
    inner = value.text[found.end() : find_close(value.text, found.end() - 1)]
    if found.re is _CAST:
        operand, _, kind = inner.rpartition(" to ")
        source = read_value(operand)
        computed = f"{found[1]} {source.type} {_compute(body, source, user, made)} to {kind}"
    else:
        pair = [read_value(each) for each in split_commas(inner)]
        one, other = (_compute(body, each, user, made) for each in pair)
        computed = f"{found[1]} {pair[0].type} {one}, {other}"
    name = f"%{body.fresh('address')}"
    made.append(read_instruction(f"{name} = {computed}", user.location, body.named_types))
    return name
