"""Loops that may not terminate: whether the code behind one is executed depends on the branches that leave it.

A loop surely terminates when a counter that goes up (or down) by one is compared with something that the loop does not
change:

    for (i = 0; i < n; i++)        while (n-- > 0)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.commands.diff.impact.side_effects import SideEffects, overlap
from tightrope.program.flow.graph import Graph, components, from_mask
from tightrope.program.ir.model import Instruction, Value

_UP = {"slt", "ult", "ne"}
_DOWN = {"sgt", "ugt", "ne"}
_SWAPPED = {"slt": "sgt", "sgt": "slt", "ult": "ugt", "ugt": "ult", "ne": "ne"}
_OPPOSITE = {"sge": "slt", "sle": "sgt", "uge": "ult", "ule": "ugt", "eq": "ne"}


@dataclass(slots=True)
class EndlessLoops:
    """`exits`: ends of blocks that decide whether a loop that may not end is left."""

    code: NumberedCode
    effects: SideEffects
    exits: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.exits = frozenset(end for each in self.code.functions for end in self._of_function(each.name))

    def _of_function(self, function: str) -> Iterator[int]:
        graph = self.code.flows[function].graph
        headers = {loop.header: frozenset(from_mask(loop.body)) for loop in self.code.flows[function].loops()}
        waiting = [frozenset(range(len(graph)))]
        while waiting:
            for body in _cycles(graph, waiting.pop()):
                header = next((each for each in body if headers.get(each) == body), None)
                if header is None:  # no natural loop: any branch in it may decide whether it is left
                    yield from (
                        self.code.last(function, number) for number in body if len(graph.successors[number]) > 1
                    )
                    continue
                if not self._ends(function, header, body):
                    yield from self._exits(function, body)
                waiting.append(body - {header})

    def _exits(self, function: str, body: frozenset[int]) -> Iterator[int]:
        graph = self.code.flows[function].graph
        for number in body:
            if any(target not in body for target in graph.successors[number]) and len(graph.successors[number]) > 1:
                yield self.code.last(function, number)

    def _ends(self, function: str, header: int, body: frozenset[int]) -> bool:
        flow = self.code.flows[function]
        tails = [number for number in body if header in flow.graph.successors[number]]
        above = flow.dominators()
        return any(
            self._counts(function, header, body, number)
            for number in body
            if all(above[tail] >> number & 1 for tail in tails)
        )

    def _counts(self, function: str, header: int, body: frozenset[int], number: int) -> bool:
        """Whether the block leaves the loop by comparing a counter."""
        last = self.code.instructions[self.code.last(function, number)]
        if last.opcode != "br" or not last.operands:
            return False
        flow = self.code.flows[function]
        goes_on = [flow.numbers[target] in body for target in last.targets]  # then, else
        test = self._definition(function, last.operands[0])
        if goes_on[0] == goes_on[1] or test is None or test.opcode != "icmp":
            return False
        predicate = test.predicate if goes_on[0] else _negated(test.predicate)
        left, right = test.operands
        return self._is_counted(function, header, body, left, right, predicate) or self._is_counted(
            function, header, body, right, left, _SWAPPED.get(predicate, "")
        )

    def _is_counted(
        self, function: str, header: int, body: frozenset[int], counter: Value, bound: Value, predicate: str
    ) -> bool:
        step = self._step(function, header, body, counter)
        fits = (step == 1 and predicate in _UP) or (step == -1 and predicate in _DOWN)
        return fits and self._is_unchanged(function, body, bound)

    def _step(self, function: str, header: int, body: frozenset[int], value: Value) -> int:
        """By how much the value grows in each round; 0: not known."""
        each = self._definition(function, value)
        if each is not None and each.opcode == "add":  # `++i < n`
            by = _literal(each.operands[1])
            return by if by and self._step(function, header, body, each.operands[0]) == by else 0
        at = self.code.definitions.get((function, value.text))
        if each is None or each.opcode != "phi" or at is None or self.code.blocks[self.code.block_of[at]][1] != header:
            return 0
        flow = self.code.flows[function]
        again = [one for one, block in each.incoming if flow.numbers[block] in body]
        steps = {self._grows(function, one, value) for one in again}
        return steps.pop() if len(steps) == 1 else 0

    def _grows(self, function: str, value: Value, start: Value) -> int:
        each = self._definition(function, value)
        if each is None or each.opcode != "add" or each.operands[0].text != start.text:
            return 0
        return _literal(each.operands[1])

    def _is_unchanged(self, function: str, body: frozenset[int], value: Value) -> bool:
        at = self.code.definitions.get((function, value.text)) if value.is_local else None
        if at is None or at >= len(self.code.instructions):
            return True
        each = self.code.instructions[at]
        if self.code.blocks[self.code.block_of[at]][1] not in body:
            return True
        if each.opcode in ("sext", "zext", "trunc"):
            return self._is_unchanged(function, body, each.operands[0])
        return each.opcode == "load" and self._is_memory_unchanged(function, body, at)

    def _is_memory_unchanged(self, function: str, body: frozenset[int], load: int) -> bool:
        if not self._is_unchanged(function, body, self.code.instructions[load].operands[0]):
            return False
        read = list(self.effects.reads(load))
        first = self.code.first_block[function]
        for number in body:
            for place in self.code.body(first + number):
                each = self.code.instructions[place]
                if self.code.callees(each):
                    return False
                if any(overlap(one, other) for one in self.effects.writes(place) for other in read):
                    return False
        return True

    def _definition(self, function: str, value: Value) -> Instruction | None:
        at = self.code.definitions.get((function, value.text))
        return None if at is None or at >= len(self.code.instructions) else self.code.instructions[at]


def _cycles(graph: Graph, nodes: frozenset[int]) -> Iterator[frozenset[int]]:
    """The strongly connected parts of these nodes in which control can go round."""
    numbers = sorted(nodes)
    names = {node: at for at, node in enumerate(numbers)}
    inside = [[names[t] for t in graph.successors[node] if t in names] for node in numbers]
    for group in components(inside):
        if len(group) > 1 or group[0] in inside[group[0]]:
            yield frozenset(numbers[each] for each in group)


def _negated(predicate: str) -> str:
    return _OPPOSITE.get(predicate, "")


def _literal(value: Value) -> int:
    return int(value.text) if value.text.lstrip("-").isdigit() else 0
