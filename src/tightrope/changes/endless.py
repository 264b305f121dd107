"""Loops that may not end: what stands behind one depends on the branches that leave it.

A loop surely ends when a number that goes up (or down) by one is compared with something that the loop does not change:

    for (i = 0; i < n; i++)        while (n-- > 0)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tightrope.changes.code import Code
from tightrope.changes.effects import Effects, Stretch
from tightrope.program.graph import components, from_mask
from tightrope.program.model import Instruction, Value

_UP = {"slt", "ult", "ne"}
_DOWN = {"sgt", "ugt", "ne"}
_SWAPPED = {"slt": "sgt", "sgt": "slt", "ult": "ugt", "ugt": "ult", "ne": "ne"}
_OPPOSITE = {"sge": "slt", "sle": "sgt", "uge": "ult", "ule": "ugt", "eq": "ne"}


@dataclass(slots=True)
class EndlessLoops:
    """`exits`: ends of blocks that decide whether a loop that may not end is left."""

    code: Code
    effects: Effects
    exits: frozenset[int] = frozenset()
    _bodies: dict[str, list[frozenset[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.exits = frozenset(end for each in self.code.functions for end in self._of_function(each.name))

    def _of_function(self, function: str) -> Iterator[int]:
        flow = self.code.flows[function]
        loops = {frozenset(from_mask(loop.body)): loop for loop in flow.loops()}
        surely = [set(body) for body, loop in loops.items() if self._ends(function, loop.header, body)]
        cycles = [frozenset(group) for group in components(flow.graph) if len(group) > 1 or self._is_own(flow, group)]
        for body in {*loops, *cycles}:
            if set(body) not in surely:
                yield from self._exits(function, body)

    @staticmethod
    def _is_own(flow: object, group: tuple[int, ...]) -> bool:
        return group[0] in flow.graph.successors[group[0]]  # type: ignore[attr-defined]

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


def overlap(one: Stretch, other: Stretch) -> bool:
    """Whether the two stretches may have a byte in common."""
    if one[0] != other[0]:
        return 0 in (one[0], other[0])  # everything
    (_, start, size), (_, begin, length) = one, other
    if start is None or begin is None:
        return True
    return (size is None or begin < start + size) and (length is None or start < begin + length)


def _negated(predicate: str) -> str:
    return _OPPOSITE.get(predicate, "")


def _literal(value: Value) -> int:
    return int(value.text) if value.text.lstrip("-").isdigit() else 0
