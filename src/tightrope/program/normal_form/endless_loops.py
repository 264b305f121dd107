"""Loops without an exit and without an effect, as embedded C writes an assertion: `if (!(n < 10)) for (;;);`.

A run that gets there stays there. Without its last jump, the loop says so:

    loop:  br label %loop             →    loop:  call void @tightrope_endless()
                                                  unreachable

All of the loop is executed once before, so no point of it is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tightrope.program.ir.assembly import PREFIX
from tightrope.program.ir.editing import EditableBody, open_body
from tightrope.program.ir.model import Function, Instruction, Program
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.types import VOID, FunctionType, Type
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH

ENDLESS = "@tightrope_endless"
_MARKS = (CONDITION, LABEL_BEGIN, LABEL_END, REACH)
WITHOUT_EFFECT = ("@llvm.dbg.", "@llvm.lifetime.", "@llvm.donothing", f"@{PREFIX}", *_MARKS)


def end_endless_loops(program: Program) -> Program:
    """The same program; runs end where they would stay for ever."""
    functions = {name: _end_loops(each, program.named_types) for name, each in program.functions.items()}
    if all(functions[name] is each for name, each in program.functions.items()):
        return program
    declared = Function(ENDLESS, FunctionType(VOID, ()), (), ())
    prelude = (*program.prelude, f"declare void {ENDLESS}()")
    return replace(program, functions={**functions, ENDLESS: declared}, prelude=prelude)


def _end_loops(function: Function, named_types: Mapping[str, Type]) -> Function:
    if not any(block.successors and _is_quiet(block.instructions) for block in function.blocks):
        return function
    body = open_body(function, named_types)
    predecessors = body.predecessors()
    found = {end: None for name in body.blocks if (end := _find_end(body, predecessors, name))}
    for name in found:
        last = body.last(name)
        call = read_instruction(f"call void {ENDLESS}()", last.location, named_types)
        stop = read_instruction("unreachable", last.location, named_types)
        body.put(name, (*body.blocks[name].instructions[:-1], call, stop))
    return replace(function, blocks=tuple(body.blocks.values())) if found else function


def _find_end(body: EditableBody, predecessors: Mapping[str, list[str]], head: str) -> str | None:
    """The block that jumps back to `head`, if that is the only way into an endless loop."""
    inside: dict[str, None] = {}
    at = head
    while at not in inside:
        block = body.blocks[at]
        if len(block.successors) != 1 or not _is_quiet(block.instructions):
            return None
        inside[at] = None
        at = block.successors[0]
    others = [each for name in inside if name != head for each in predecessors[name] if each not in inside]
    is_entered = any(each not in inside for each in predecessors[head])
    return next(reversed(inside)) if at == head and is_entered and not others else None


def _is_quiet(instructions: tuple[Instruction, ...]) -> bool:
    """True if executing it again and again changes nothing that a caller could ever see, and cannot end the run."""
    *before, last = instructions
    return last.opcode == "br" and not last.operands and all(_has_no_end(each) for each in before)


def _has_no_end(each: Instruction) -> bool:
    if each.opcode == "call":
        is_silent = each.is_assembly or each.callee.startswith(WITHOUT_EFFECT)
        return is_silent and each.result is None
    if each.opcode in ("load", "store"):  # of a variable, which cannot fail
        return all(value.text.startswith("@") for value in each.operands[-1:]) and (
            each.opcode == "load" or not each.operands[0].is_local
        )
    return False
