"""Control flow as the C has it: each operand of `&&`, `||` and `?:` that steers is a branch of its own.

The compiler leaves two places where it is not, even without optimisation.

1. A loop's condition is computed as a value. `while (a && b)` joins both operands and branches on the join:

       cond:  br i1 %a, label %rhs, label %end             cond:  br i1 %a, label %rhs, label %after
       rhs:   br label %end                           →    rhs:   br i1 %b, label %body, label %after
       end:   %c = phi i1 [ false, %cond ], [ %b, %rhs ]
              br i1 %c, label %body, label %after

2. `c ? 4 : 5` with constant arms is no branch at all:

       %cond = select i1 %c, i32 4, i32 5             →           br i1 %c, label %cond.true, label %cond.false
                                                  cond.true:      br label %cond.end
                                                  cond.false:     br label %cond.end
                                                  cond.end:       %cond = phi i32 [ 4, %cond.true ], [ 5, %cond.false ]

A Boolean that is kept (`x = a && b`, `return a && b`) stays a value. Both changes keep what the program computes;
where that is not plain to see, the code is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.location import Location
from tightrope.program.editing import Body, branch, open_body, phi
from tightrope.program.model import Block, Function, Instruction, Program, Value
from tightrope.program.ssa_repair import Edge, repair
from tightrope.program.types import BOOL, IntType, Type

_CONDITIONAL = re.compile(r"%cond[\d.i]*")  # clang's name for the value of a `?:`; `.i` after inlining


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
    while _thread_joins(body):
        pass
    return replace(function, blocks=tuple(body.blocks.values()))


def _may_change(function: Function) -> bool:
    return any(
        each.opcode == "select" or (each.opcode == "phi" and each.type == BOOL)
        for block in function.blocks
        for each in block.instructions
    )


# -- `c ? 4 : 5`


def _expand_conditionals(body: Body, is_conditional: Callable[[Location], bool]) -> None:
    uses = body.count_uses()
    for name in list(body.blocks):
        at: str | None = name
        while at is not None:
            at = _expand_first(body, at, uses, is_conditional)


def _expand_first(body: Body, name: str, uses: Counter[str], is_conditional: Callable[[Location], bool]) -> str | None:
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
    return each.operands[0].is_local and bool(_CONDITIONAL.fullmatch(each.result or ""))


def _is_counter(each: Instruction, select: Instruction, uses: Counter[str]) -> bool:
    """clang leaves a dead `zext i1 %c to i64` beside each conditional: what a profile would have counted."""
    is_widened = each.opcode == "zext" and each.type == IntType(64) and each.operands[0] == select.operands[0]
    return is_widened and not uses[each.result or ""]


def _expand(
    body: Body, block: Block, select: Instruction, before: list[Instruction], after: tuple[Instruction, ...]
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


# -- `while (a && b)`


@dataclass(frozen=True, slots=True)
class _Join:
    """A block that holds phis, and a branch on one of them."""

    block: Block
    decider: Instruction  # the phi that is branched on
    others: tuple[Instruction, ...]  # the other phis
    then: str  # the target where the decider is true
    otherwise: str

    @property
    def location(self) -> Location | None:
        return self.block.instructions[-1].location

    def target(self, value: Value) -> str:
        return self.then if value.text == "true" else self.otherwise


def _thread_joins(body: Body) -> bool:
    """Thread the joins that there are now; True when there were some, for then there may be new ones."""
    uses = body.count_uses()
    was_changed = False
    for name in list(body.blocks):
        join = _find_join(body, body.blocks[name], uses)
        if join:
            _thread(body, join)
            was_changed = True
    return was_changed


def _find_join(body: Body, block: Block, uses: Counter[str]) -> _Join | None:
    join = _read_join(block, uses)
    if join is None or join.then == join.otherwise or block.name in block.successors:
        return None
    own = {each.result for each in (join.decider, *join.others)}
    if any(value.text in own for each in (join.decider, *join.others) for value, _ in each.incoming):
        return None  # a loop through the block itself
    if not all(_can_pass(body, value, source) for value, source in join.decider.incoming):
        return None
    texts = {value.text for value, _ in join.decider.incoming}
    return join if len(texts) > 1 or texts.isdisjoint(("true", "false")) else None  # both targets stay reachable


def _read_join(block: Block, uses: Counter[str]) -> _Join | None:
    """`phi i1`, further phis, and a branch on it or on its opposite; and nobody else wants to know."""
    phis = {each.result or "": each for each in block.instructions if each.opcode == "phi"}
    *inner, last = block.instructions[len(phis) :]
    if last.opcode != "br" or not last.operands or len(inner) > 1:
        return None
    name, (then, otherwise) = last.operands[0].text, last.targets
    if inner:
        if inner[0].result != name or not _is_opposite(inner[0]) or uses[name] != 1:
            return None
        name, then, otherwise = inner[0].operands[0].text, otherwise, then
    if name not in phis or uses[name] != 1:
        return None
    decider = phis.pop(name)
    return _Join(block, decider, tuple(phis.values()), then, otherwise)


def _is_opposite(each: Instruction) -> bool:
    return each.opcode == "xor" and each.type == BOOL and each.operands[1].text == "true"


def _can_pass(body: Body, value: Value, source: str) -> bool:
    """A constant knows its target; for anything else the source must have nothing else to decide."""
    last = body.last(source)
    if value.text in ("true", "false"):
        return last.opcode in ("br", "switch")
    return value.is_local and last.opcode == "br" and not last.operands


def _thread(body: Body, join: _Join) -> None:
    """Lead each way into the block straight to where it goes on, and remove the block."""
    origin: dict[Edge, str] = {}  # new edge -> the block that led to the join
    for source, value in {source: value for value, source in join.decider.incoming}.items():
        origin |= dict.fromkeys(_pass_by(body, join, value, source), source)
        block = body.blocks[source]
        body.blocks[source] = replace(block, places=tuple(sorted({*block.places, *join.block.places})))
    for target in (join.then, join.otherwise):
        sources = {edge[0]: before for edge, before in origin.items() if edge[1] == target}
        body.put_phis(target, [_with_sources(join, each, sources) for each in body.phis(target)])
    del body.blocks[join.block.name]
    for lost in join.others:
        by_source = {source: value for value, source in lost.incoming}
        repair(body, lost, {edge: by_source[before] for edge, before in origin.items()})


def _pass_by(body: Body, join: _Join, value: Value, source: str) -> Iterator[Edge]:
    """Change the end of a block that led to the join; the edges that it has instead."""
    if value.text not in ("true", "false"):
        body.put_last(source, branch([join.then, join.otherwise], join.location, value))
        yield source, join.then
        yield source, join.otherwise
        return
    target, last = join.target(value), body.last(source)
    via = target
    if target in last.targets or last.targets.count(join.block.name) > 1:  # a second edge would need a second value
        via = body.fresh(f"{join.block.name}.{value.text}")
        body.insert_after(source, Block(via, (branch([target], join.location),)))
    body.put_last(source, body.renamed(last, {f"%{join.block.name}": f"%{via}"}))
    yield (source if via == target else via), target


def _with_sources(join: _Join, each: Instruction, sources: Mapping[str, str]) -> Instruction:
    """A phi behind the join: one entry per new edge in the place of the join's own."""
    kept = [(value, source) for value, source in each.incoming if source != join.block.name]
    old = next(value for value, source in each.incoming if source == join.block.name)
    lost = next((other for other in join.others if other.result == old.text), None)
    by_source = {source: value for value, source in lost.incoming} if lost else {}
    new = [(by_source.get(before, old), source) for source, before in sources.items()]
    return phi(each.result or "", each.type, [*kept, *new], each.location)
