"""Control flow as in the C: each operand of `&&`, `||` and `?:` in a controlling expression is a branch of its own.

Even without optimisation, the compiler generates other code in two cases (and in a third, branches on a constant).

1. A loop's condition is computed as a value, as is what `__builtin_expect` looks at. `while (a && b)` joins both
   operands and branches on the join:

       cond:  br i1 %a, label %rhs, label %end             cond:  br i1 %a, label %rhs, label %after
       rhs:   br label %end                           →    rhs:   br i1 %b, label %body, label %after
       end:   %c = phi i1 [ false, %cond ], [ %b, %rhs ]
              br i1 %c, label %body, label %after

2. `c ? 4 : 5` with constant arms is no branch at all:

       %cond = select i1 %c, i32 4, i32 5             →           br i1 %c, label %cond.true, label %cond.false
                                                  cond.true:      br label %cond.end
                                                  cond.false:     br label %cond.end
                                                  cond.end:       %cond = phi i32 [ 4, %cond.true ], [ 5, %cond.false ]

A Boolean that is stored or compared (`x = a && b`, `return a && b`) stays a value. Both changes preserve what the
program computes; where this is not certain, the code is not changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from tightrope.location import Location
from tightrope.program.ir.editing import EditableBody, branch, open_body, phi
from tightrope.program.ir.model import Block, Function, Instruction, Program
from tightrope.program.ir.types import BOOL, IntType, Type
from tightrope.program.normal_form.joins import thread_joins

CONDITIONAL_NAME = re.compile(r"%cond\d*(\.i\d*)*")  # clang's name for the value of a `?:`; `.i`: inlined


def normalise_control(program: Program, is_conditional: Callable[[Location], bool]) -> Program:
    """The same program with a branch for each steering operand. `is_conditional` tells where the C has a `?:`."""
    functions = {
        name: _normalise(function, program.named_types, is_conditional) for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _normalise(
    function: Function, named_types: Mapping[str, Type], is_conditional: Callable[[Location], bool]
) -> Function:
    if not _may_change(function):
        return function
    body = open_body(function, named_types)
    _expand_conditionals(body, is_conditional)
    _settle_constants(body)
    thread_joins(body)
    return replace(function, blocks=tuple(body.blocks.values()))


def _may_change(function: Function) -> bool:
    return any(_is_interesting(each) for each in function.instructions())


def _is_interesting(each: Instruction) -> bool:
    is_settled = each.opcode == "br" and bool(each.operands) and not each.operands[0].is_local
    return is_settled or each.opcode == "select" or (each.opcode == "phi" and each.type == BOOL)


def _expand_conditionals(body: EditableBody, is_conditional: Callable[[Location], bool]) -> None:
    uses = body.count_uses()
    for name in list(body.blocks):
        at: str | None = name
        while at is not None:
            at = _expand_first(body, at, uses, is_conditional)


def _expand_first(
    body: EditableBody, name: str, uses: Counter[str], is_conditional: Callable[[Location], bool]
) -> str | None:
    """Expand the first conditional of a block, if any; the block that now holds what followed it."""
    block = body.blocks[name]
    for number, each in enumerate(block.instructions):
        if _is_conditional_select(each) and each.location and is_conditional(each.location):
            before = [other for other in block.instructions[:number] if not _is_counter(other, each, uses)]
            return _expand(body, block, each, before, block.instructions[number + 1 :])
    return None


def _is_conditional_select(each: Instruction) -> bool:
    """Selects of built-in functions and of promoted locals have other names."""
    if each.opcode != "select" or each.operands[0].type != BOOL:
        return False
    return each.operands[0].is_local and bool(CONDITIONAL_NAME.fullmatch(each.result or ""))


def _is_counter(each: Instruction, select: Instruction, uses: Counter[str]) -> bool:
    """clang leaves a dead `zext i1 %c to i64` beside each conditional: what a profile would have counted."""
    is_widened = each.opcode == "zext" and each.type == IntType(64) and each.operands[0] == select.operands[0]
    return is_widened and not uses[each.result or ""]


def _expand(
    body: EditableBody, block: Block, select: Instruction, before: list[Instruction], after: tuple[Instruction, ...]
) -> str:
    condition, *values = select.operands
    stem = (select.result or "").removeprefix("%")
    arms = [body.fresh(f"{stem}.true"), body.fresh(f"{stem}.false")]
    end = body.fresh(f"{stem}.end")
    joined = phi(select.result or "", select.type, zip(values, arms, strict=True), select.location)
    body.put(block.name, (*before, branch(arms, select.location, condition)))
    body.insert_after(
        block.name, *(Block(arm, (branch([end], select.location),)) for arm in arms), Block(end, (joined, *after))
    )
    for target in dict.fromkeys(after[-1].targets):
        body.put_phis(target, (_from_other_block(each, block.name, end) for each in body.phis(target)))
    return end


def _from_other_block(each: Instruction, old: str, new: str) -> Instruction:
    incoming = [(value, new if source == old else source) for value, source in each.incoming]
    return phi(each.result or "", each.type, incoming, each.location)


def _settle_constants(body: EditableBody) -> None:
    """`if (c ? a : 0)` branches on `false` behind `c`: that is no branch, neither in C nor to gcc."""
    ways = Counter(target for block in body.blocks.values() for target in block.successors)
    for name in list(body.blocks):
        last = body.last(name)
        if last.opcode != "br" or [each.text for each in last.operands] not in (["true"], ["false"]):
            continue
        taken, never = last.targets if last.operands[0].text == "true" else last.targets[::-1]
        if taken != never and ways[never] > 1:
            ways[never] -= 1
            body.put_last(name, branch([taken], last.location))
            body.put_phis(never, [_without_source(each, name) for each in body.phis(never)])


def _without_source(each: Instruction, source: str) -> Instruction:
    kept = [(value, block) for value, block in each.incoming if block != source]
    return phi(each.result or "", each.type, kept, each.location)
