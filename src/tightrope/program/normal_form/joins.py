"""Removes joins: where the compiler merges conditions into one value before it branches, each predecessor branches
directly to the final target instead.

    cond:  br i1 %a, label %rhs, label %end                  cond:  br i1 %a, label %rhs, label %after
    rhs:   br label %end                                →    rhs:   br i1 %b, label %body, label %after
    end:   %c = phi i1 [ false, %cond ], [ %b, %rhs ]
           br i1 %c, label %body, label %after

Between phi and branch there may be instructions that keep or negate the truth: `__builtin_expect(!!(a && b), 1)` widens
and compares with 0. `while (a ? b : c)` branches on a number: that is a condition of its own. Where the merged value is
a condition too, as in `while (({ a && b; }))`, its mark (see marks.py) is put on each of the edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.location import Location
from tightrope.program.ir.editing import EditableBody, branch, phi
from tightrope.program.ir.model import Block, Instruction, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.types import BOOL
from tightrope.program.marks.marks import CONDITION
from tightrope.program.normal_form.ssa_repair import Edge, repair


@dataclass(frozen=True, slots=True)
class _Join:
    """A block that holds phis, and a branch on one of them."""

    block: Block
    decider: Instruction  # the phi that is branched on
    others: tuple[Instruction, ...]  # the other phis
    steps: tuple[Instruction, ...]  # from the decider to the branch
    marks: tuple[tuple[Instruction, bool], ...]  # conditions among them, each with whether it is the decider's opposite
    then: str  # the target where the decider is true
    otherwise: str

    @property
    def location(self) -> Location | None:
        return self.block.instructions[-1].location


def thread_joins(body: EditableBody) -> None:
    """Remove joins until there is none: a nested join is found when the outer one is gone."""
    was_changed = True
    while was_changed:
        was_changed = False
        uses = body.count_uses()
        for name in list(body.blocks):
            join = _find_join(body, body.blocks[name], uses)
            if join:
                _thread(body, join)
                was_changed = True


# -- which blocks are joins


def _find_join(body: EditableBody, block: Block, uses: Counter[str]) -> _Join | None:
    join = _read_join(block, uses)
    if join is None or join.then == join.otherwise or block.name in block.successors:
        return None
    phis = (join.decider, *join.others)
    own = {each.result for each in phis}
    if any(value.text in own for each in phis for value, _ in each.incoming):
        return None  # a loop through the block itself
    if not all(_can_pass(body, value, source) for value, source in join.decider.incoming):
        return None
    known = {value.text for value, _ in join.decider.incoming if _is_constant(value)}
    is_open = len(known) == 2 or not all(_is_constant(value) for value, _ in join.decider.incoming)
    return join if is_open and _is_one_condition(body, join) else None  # else a target would not be reached any more


def _is_one_condition(body: EditableBody, join: _Join) -> bool:
    """False for `ok = a && b; if (ok)`, where C has one more condition: what is done with a join in the
    expression around it has the place of that expression, before the operators inside."""
    inner = [body.last(source).location for value, source in join.decider.incoming if _is_constant(value)]
    return all(_is_before(step.location, place) for step in join.steps for place in inner)


def _is_before(one: Location | None, other: Location | None) -> bool:
    if not (one and other and one.line and other.line):
        return True
    return one.file == other.file and one <= other


def _read_join(block: Block, uses: Counter[str]) -> _Join | None:
    """The block as a join: phis, and a branch on one of them or its negation, which nothing else uses."""
    phis = {each.result or "": each for each in block.instructions if each.opcode == "phi"}
    *inner, last = block.instructions[len(phis) :]
    marks = [each for each in inner if each.callee == CONDITION]
    steps = [each for each in inner if each.callee != CONDITION]
    if last.opcode != "br" or not last.operands:
        return None
    chain = _follow(last.operands[0].text, steps, uses - Counter(map(_marked, marks)) if marks else uses)
    name = list(chain)[-1] if chain else ""
    if name not in phis or phis[name].type != BOOL or not all(_marked(mark) in chain for mark in marks):
        return None
    turned = tuple((mark, chain[_marked(mark)] ^ chain[name]) for mark in marks)
    targets = last.targets[::-1] if chain[name] else last.targets
    return _Join(block, phis.pop(name), tuple(phis.values()), tuple(steps), turned, *targets)


def _follow(name: str, steps: list[Instruction], uses: Counter[str]) -> dict[str, bool]:
    """From what is branched on to what it is made of: each with whether it is the opposite. Empty if others use it."""
    chain = {name: False}
    for step in reversed(steps):
        if step.result != name or uses[name] != 1 or not _keeps_truth(step):
            return {}
        is_opposite = chain[name] ^ (step.opcode == "xor")
        name = step.operands[0].text
        chain[name] = is_opposite
    return chain if uses[name] == 1 else {}


def _marked(mark: Instruction) -> str:
    """The value that the mark of a condition is about."""
    return mark.arguments[1].value.text


def _keeps_truth(step: Instruction) -> bool:
    """`!x`, or x as another type. A comparison that the C writes out is a condition and stays."""
    if step.opcode == "xor":
        return step.type == BOOL and step.operands[1].text == "true"
    is_conversion = step.opcode == "icmp" and step.predicate == "ne" and step.operands[1].text == "0"
    return step.opcode in ("zext", "sext") or (is_conversion and (step.result or "").startswith("%tobool"))


def _can_pass(body: EditableBody, value: Value, source: str) -> bool:
    """Whether a predecessor can bypass the join: its value is constant, so the target is known, or it only jumps."""
    last = body.last(source)
    if _is_constant(value):
        return last.opcode in ("br", "switch")
    return value.is_local and last.opcode == "br" and not last.operands


def _is_constant(value: Value) -> bool:
    return value.text in ("true", "false")


# -- taking one out


def _thread(body: EditableBody, join: _Join) -> None:
    """Lead each way into the block past it, and remove the block."""
    origin: dict[Edge, str] = {}  # new edge -> the block that led to the join
    for source, value in {source: value for value, source in join.decider.incoming}.items():
        lead = _pass_by if _is_constant(value) else _decide
        origin |= dict.fromkeys(lead(body, join, value, source), source)
        block = body.blocks[source]
        body.blocks[source] = replace(block, places=tuple(sorted({*block.places, *join.block.places})))
    for target in (join.then, join.otherwise):
        sources = {edge[0]: before for edge, before in origin.items() if edge[1] == target}
        body.put_phis(target, [_with_sources(join, each, sources) for each in body.phis(target)])
    del body.blocks[join.block.name]
    for lost in join.others:
        by_source = {source: value for value, source in lost.incoming}
        repair(body, lost, {edge: by_source[before] for edge, before in origin.items()})


def _pass_by(body: EditableBody, join: _Join, value: Value, source: str) -> Iterator[Edge]:
    """A predecessor with a constant branches to where the join would lead."""
    last, target = body.last(source), join.then if value.text == "true" else join.otherwise
    via, marks = target, tuple(_copied_marks(body, join, value))
    is_shared = target in last.targets or last.targets.count(join.block.name) > 1  # would need a second value
    if is_shared or (marks and len(last.targets) > 1):
        via = body.fresh(f"{join.block.name}.{value.text}")
        body.insert_after(source, Block(via, (*marks, branch([target], join.location))))
    elif marks:
        body.put(source, (*body.blocks[source].instructions[:-1], *marks, last))
    body.put_last(source, body.renamed(last, {f"%{join.block.name}": f"%{via}"}))
    yield (source if via == target else via), target


def _decide(body: EditableBody, join: _Join, value: Value, source: str) -> Iterator[Edge]:
    """A predecessor that computed the value branches on it."""
    before, last = body.blocks[source].instructions[:-1], branch([join.then, join.otherwise], join.location, value)
    body.put(source, (*before, *_copied_marks(body, join, value), last))
    yield source, join.then
    yield source, join.otherwise


def _copied_marks(body: EditableBody, join: _Join, value: Value) -> Iterator[Instruction]:
    """What was marked in the join is marked on each way past it, with the value that is known there."""
    for mark, is_opposite in join.marks:
        text = value.text
        if is_opposite and _is_constant(value):
            text = "false" if text == "true" else "true"
        elif is_opposite:
            text = f"%{body.fresh('tightrope.opposite')}"
            yield read_instruction(f"{text} = xor i1 {value.text}, true", None, body.named_types)
        yield body.renamed(mark, {_marked(mark): text})


def _with_sources(join: _Join, each: Instruction, sources: Mapping[str, str]) -> Instruction:
    """A phi behind the join: one entry per new edge in the place of the join's own."""
    kept = [(value, source) for value, source in each.incoming if source != join.block.name]
    old = next(value for value, source in each.incoming if source == join.block.name)
    lost = next((other for other in join.others if other.result == old.text), None)
    by_source = {source: value for value, source in lost.incoming} if lost else {}
    new = [(by_source.get(before, old), source) for source, before in sources.items()]
    return phi(each.result or "", each.type, [*kept, *new], each.location)
