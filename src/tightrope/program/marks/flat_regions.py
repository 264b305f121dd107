"""Flattens the predicates of labels: branches become `and`, `or` and `select` where that computes the same.

    call void @tightrope_label_begin(i32 0)              call void @tightrope_label_begin(i32 0)
    br i1 %a, label %rhs, label %end                     %b = icmp sgt i32 %y, 3
  rhs:                                            →      %p = and i1 %a, %b
    %b = icmp sgt i32 %y, 3                              call void @tightrope_label_end(i32 0, i1 %p)
    br label %end
  end:
    %p = phi i1 [ false, %entry ], [ %b, %rhs ]
    call void @tightrope_label_end(i32 0, i1 %p)

With branches, a solver is asked once for each way through the predicate; without, once. Only instructions that may be
executed although C would not evaluate them are flattened: no load through a pointer, no division, no call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tightrope.program.ir.editing import EditableBody, open_body
from tightrope.program.ir.model import Block, Function, Instruction, Program, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.marks.marks import LABEL_BEGIN
from tightrope.program.marks.regions import HARMLESS, ends_region, unended_begin

MOST_BLOCKS = 64  # of one region

Sources = dict[str, list[str]]  # block -> the blocks that lead to it


def flatten_regions(program: Program) -> Program:
    """The program with every region in one block that can be."""
    functions = {name: _flattened(function, program) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _flattened(function: Function, program: Program) -> Function:
    if not any(each.callee == LABEL_BEGIN for each in function.instructions()):
        return function
    body = open_body(function, program.named_types)
    sources = body.predecessors()
    for name in list(body.blocks):
        while name in body.blocks and unended_begin(body.blocks[name]) and _flatten_region(body, sources, name):
            pass
    return replace(function, blocks=tuple(body.blocks.values()))


def _flatten_region(body: EditableBody, sources: Sources, start: str) -> bool:
    """Put the rest of a region into the block in which it begins, if that computes the same."""
    order = _order(body, sources, start)
    if order is None:
        return False
    flat = _Flat(body, sources, start)
    *inner, end = order
    for name in inner:
        flat.add(name, body.blocks[name].instructions[:-1])
    flat.add(end, body.blocks[end].instructions)
    first, last = body.blocks[start], body.blocks[end]
    places = tuple(dict.fromkeys((*first.places, *last.places)))
    body.blocks[start] = Block(start, (*first.instructions[:-1], *flat.instructions), places)
    for name in order:
        del body.blocks[name]
    for target in dict.fromkeys(last.successors):
        sources[target] = [start if source == end else source for source in sources[target]]
        body.put_phis(target, [body.renamed(each, {f"%{end}": f"%{start}"}) for each in body.phis(target)])
    return True


def _order(body: EditableBody, sources: Sources, start: str) -> list[str] | None:
    """The blocks of the region, each behind those that lead to it, the one in which it ends last. None where they
    cannot be flattened."""
    found: list[str] = []
    if body.last(start).opcode != "br" or not all(
        _visit(body, name, found, (start,)) for name in body.blocks[start].successors
    ):
        return None
    order = found[::-1]
    known = {start, *order}
    is_closed = all(source in known for name in order for source in sources[name])
    ends = [name for name in order if ends_region(body.blocks[name])]
    is_harmless = all(_is_harmless(body.blocks[name]) for name in order if name not in ends)
    return order if ends == order[-1:] and is_closed and is_harmless else None


def _visit(body: EditableBody, name: str, found: list[str], above: tuple[str, ...]) -> bool:
    """Depth first, in postorder; False for a loop, and when there are too many blocks."""
    if name in above or len(above) > MOST_BLOCKS:
        return False
    if name in found:
        return True
    block = body.blocks[name]
    is_end = ends_region(block)
    if not is_end and not all(_visit(body, target, found, (*above, name)) for target in block.successors):
        return False
    found.append(name)
    return is_end or bool(block.successors)


def _is_harmless(block: Block) -> bool:
    *others, last = block.instructions
    return last.opcode == "br" and all(_may_be_computed(each) for each in others)


def _may_be_computed(each: Instruction) -> bool:
    if each.opcode == "load":  # of a whole variable, which is always there
        return each.operands[0].text.startswith("@") and not each.flags & {"volatile", "atomic"}
    return each.opcode in HARMLESS


class _Flat:
    """The instructions of a region in a row, and the values that say which way through it is taken."""

    def __init__(self, body: EditableBody, sources: Sources, start: str) -> None:
        self.body, self.instructions, self._sources = body, list[Instruction](), sources
        self._reached = {start: "true"}  # by block: the i1 that says whether it is
        self._opposites: dict[str, str] = {"true": "false", "false": "true"}

    def add(self, name: str, instructions: Sequence[Instruction]) -> None:
        for each in instructions:
            if each.opcode == "phi":
                self._choose(each, name)
            else:
                self.instructions.append(each)

    def _is_reached(self, name: str) -> str:
        if name not in self._reached:
            ways = [self._is_taken(source, name) for source in dict.fromkeys(self._sources[name])]
            text = ways[0]
            for way in ways[1:]:
                text = self._emit(f"or i1 {text}, {way}")
            self._reached[name] = text
        return self._reached[name]

    def _is_taken(self, source: str, target: str) -> str:
        last, reached = self.body.last(source), self._is_reached(source)
        if len(set(last.targets)) == 1:
            return reached
        condition = last.operands[0].text
        if last.targets[0] != target:
            condition = self._opposite(condition)
        return condition if reached == "true" else self._emit(f"and i1 {reached}, {condition}")

    def _choose(self, phi: Instruction, name: str) -> None:
        """A phi as what the ways to its block choose. One value needs no asking: best `false`, worst `true`."""
        first, *others = sorted(phi.incoming, key=lambda pair: {"false": 0, "true": 2}.get(pair[0].text, 1))
        text = first[0].text
        asked = [(value, source) for value, source in others if value.text != text]
        for position, (value, source) in enumerate(asked, 1):
            result = phi.result if position == len(asked) else None
            text = self._select(self._is_taken(source, name), value, text, result)
        if not asked:
            self._emit(f"select i1 true, {phi.type} {text}, {phi.type} {text}", phi.result)

    def _select(self, condition: str, value: Value, other: str, result: str | None) -> str:
        kind = str(value.type)
        if kind == "i1" and other == "false":
            return self._emit(f"and i1 {condition}, {value.text}", result)
        if kind == "i1" and value.text == "true":
            return self._emit(f"or i1 {condition}, {other}", result)
        return self._emit(f"select i1 {condition}, {kind} {value.text}, {kind} {other}", result)

    def _opposite(self, one: str) -> str:
        if one not in self._opposites:
            self._opposites[one] = self._emit(f"xor i1 {one}, true")
        return self._opposites[one]

    def _emit(self, text: str, result: str | None = None) -> str:
        result = result or f"%{self.body.fresh('label.way')}"
        self.instructions.append(read_instruction(f"{result} = {text}", None, self.body.named_types))
        return result
