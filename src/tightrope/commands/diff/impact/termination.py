"""Loops that may not terminate: whether the code after one is executed depends on its exit branches.

A loop certainly terminates if a counter that is incremented (or decremented) by one is compared with a loop-invariant
value:

    for (i = 0; i < n; i++)        while (n-- > 0)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.commands.diff.impact.side_effects import SideEffects, overlap
from tightrope.program.flow.control_flow import Flow
from tightrope.program.flow.graph import Graph, components, from_mask
from tightrope.program.ir.model import Instruction, Value

_UP = {"slt", "ult", "ne"}
_DOWN = {"sgt", "ugt", "ne"}
_SWAPPED = {"slt": "sgt", "sgt": "slt", "ult": "ugt", "ugt": "ult", "ne": "ne"}
_OPPOSITE = {"sge": "slt", "sle": "sgt", "uge": "ult", "ule": "ugt", "eq": "ne"}


def find_endless_exits(code: NumberedCode, effects: SideEffects) -> frozenset[int]:
    """The exit branches of loops that may not terminate."""
    return frozenset(end for each in code.functions for end in _FunctionLoops(code, effects, each.name).endless_exits())


@dataclass(frozen=True, slots=True)
class _Loop:
    header: int
    body: frozenset[int]  # blocks, by their numbers in the function


@dataclass(frozen=True, slots=True)
class _FunctionLoops:
    code: NumberedCode
    effects: SideEffects
    function: str

    @property
    def _flow(self) -> Flow:
        return self.code.flows[self.function]

    def endless_exits(self) -> Iterator[int]:
        graph = self._flow.graph
        headers = {loop.header: frozenset(from_mask(loop.body)) for loop in self._flow.loops()}
        waiting = [frozenset(range(len(graph)))]
        while waiting:
            for body in _cycles(graph, waiting.pop()):
                header = next((each for each in body if headers.get(each) == body), None)
                if header is None:  # not a natural loop: any branch in it may be an exit
                    yield from (self._last(number) for number in body if len(graph.successors[number]) > 1)
                    continue
                if not self._terminates(_Loop(header, body)):
                    yield from self._exits(body)
                waiting.append(body - {header})

    def _exits(self, body: frozenset[int]) -> Iterator[int]:
        for number in body:
            successors = self._flow.graph.successors[number]
            if len(successors) > 1 and any(target not in body for target in successors):
                yield self._last(number)

    def _terminates(self, loop: _Loop) -> bool:
        """True if a block that is executed in every iteration exits the loop by comparing a counter."""
        tails = [number for number in loop.body if loop.header in self._flow.graph.successors[number]]
        above = self._flow.dominators()
        return any(
            self._counts(loop, number) for number in loop.body if all(above[tail] >> number & 1 for tail in tails)
        )

    def _counts(self, loop: _Loop, number: int) -> bool:
        last = self.code.instructions[self._last(number)]
        if last.opcode != "br" or not last.operands:
            return False
        goes_on = [self._flow.numbers[target] in loop.body for target in last.targets]  # then, else
        test = self._definition(last.operands[0])
        if goes_on[0] == goes_on[1] or test is None or test.opcode != "icmp":
            return False
        predicate = test.predicate if goes_on[0] else _OPPOSITE.get(test.predicate, "")
        left, right = test.operands
        swapped = _SWAPPED.get(predicate, "")
        return self._is_counted(loop, left, right, predicate) or self._is_counted(loop, right, left, swapped)

    def _is_counted(self, loop: _Loop, counter: Value, bound: Value, predicate: str) -> bool:
        step = self._step(loop, counter)
        fits = (step == 1 and predicate in _UP) or (step == -1 and predicate in _DOWN)
        return fits and self._is_unchanged(loop.body, bound)

    def _step(self, loop: _Loop, value: Value) -> int:
        """The increment of the value in each iteration; 0 if unknown."""
        each = self._definition(value)
        if each is not None and each.opcode == "add":  # `++i < n`
            by = _literal(each.operands[1])
            return by if by and self._step(loop, each.operands[0]) == by else 0
        at = self.code.definitions.get((self.function, value.text))
        if each is None or each.opcode != "phi" or at is None or self._block_of(at) != loop.header:
            return 0
        again = [one for one, block in each.incoming if self._flow.numbers[block] in loop.body]
        steps = {self._grows(one, value) for one in again}
        return steps.pop() if len(steps) == 1 else 0

    def _grows(self, value: Value, start: Value) -> int:
        each = self._definition(value)
        if each is None or each.opcode != "add" or each.operands[0].text != start.text:
            return 0
        return _literal(each.operands[1])

    def _is_unchanged(self, body: frozenset[int], value: Value) -> bool:
        at = self.code.definitions.get((self.function, value.text)) if value.is_local else None
        if at is None or at >= len(self.code.instructions):
            return True
        each = self.code.instructions[at]
        if self._block_of(at) not in body:
            return True
        if each.opcode in ("sext", "zext", "trunc"):
            return self._is_unchanged(body, each.operands[0])
        return each.opcode == "load" and self._is_memory_unchanged(body, at)

    def _is_memory_unchanged(self, body: frozenset[int], load: int) -> bool:
        if not self._is_unchanged(body, self.code.instructions[load].operands[0]):
            return False
        read = list(self.effects.reads(load))
        first = self.code.first_block[self.function]
        for number in body:
            for place in self.code.body(first + number):
                each = self.code.instructions[place]
                if self.code.callees(each):
                    return False
                if any(overlap(one, other) for one in self.effects.writes(place) for other in read):
                    return False
        return True

    def _last(self, number: int) -> int:
        """The instruction that ends a block."""
        return self.code.last(self.function, number)

    def _block_of(self, place: int) -> int:
        return self.code.blocks[self.code.block_of[place]][1]

    def _definition(self, value: Value) -> Instruction | None:
        at = self.code.definitions.get((self.function, value.text))
        return None if at is None or at >= len(self.code.instructions) else self.code.instructions[at]


def _cycles(graph: Graph, nodes: frozenset[int]) -> Iterator[frozenset[int]]:
    """The strongly connected components of these nodes that contain a cycle."""
    numbers = sorted(nodes)
    names = {node: at for at, node in enumerate(numbers)}
    inside = [[names[t] for t in graph.successors[node] if t in names] for node in numbers]
    for group in components(inside):
        if len(group) > 1 or group[0] in inside[group[0]]:
            yield frozenset(numbers[each] for each in group)


def _literal(value: Value) -> int:
    return int(value.text) if value.text.lstrip("-").isdigit() else 0
