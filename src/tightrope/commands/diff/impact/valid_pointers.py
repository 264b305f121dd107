"""Pointers that are valid in every run that reaches a place: they point to an object and are not NULL.

    int x; g(&x);                 the address of a variable, also in the callee
    p->a = 1; ... p->b            every run that reaches the second has used p before
    g(p); ... p->b                the same, if g starts with a use of its parameter

The size of the object is checked elsewhere (side_effects.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tightrope.commands.diff.impact.numbered_code import ENTRY, NumberedCode
from tightrope.library.table import Fact, functions_with
from tightrope.program.flow.graph import reachable
from tightrope.program.ir.model import Instruction, Value
from tightrope.weaving.weave_library import FREES

_CALLS = ("call", "invoke")
_FREES = frozenset((*FREES, *(f"@{name}" for name in functions_with(Fact.RESIZES))))


@dataclass(slots=True)
class ValidPointers:
    code: NumberedCode
    _uses: dict[tuple[str, str], list[int]] = field(default_factory=dict)  # by function and pointer: its uses
    _above: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _callers: dict[str, list[int]] = field(default_factory=dict)
    _used_at_once: set[tuple[str, int]] = field(default_factory=set)  # parameters that the first block uses
    _uncertain: set[tuple[str, int]] = field(default_factory=set)  # parameters
    _unused: set[tuple[str, int]] = field(default_factory=set)  # parameters that not every caller has used before
    _may_free: bool = False

    def __post_init__(self) -> None:
        for place, each in enumerate(self.code.instructions):
            self._may_free |= each.callee in _FREES
            for name in self.code.callees(each):
                self._callers.setdefault(name, []).append(place)
            if each.opcode in ("load", "store") and self.code.labels[place] is None:
                self._note_use(place, address_of(each))
        self._note_uses_of_parameters()
        self._find_uncertain()

    def _note_use(self, place: int, pointer: Value) -> None:
        function = self.code.function_of(place)
        self._uses.setdefault((function, self._base(function, pointer)), []).append(place)

    def _note_uses_of_parameters(self) -> None:
        """A call uses the parameters that its callee uses in its first block, transitively."""
        waiting = list(self.code.first_block)
        while waiting:
            name = waiting.pop()
            for index, parameter in enumerate(self.code.program.functions[name].parameters):
                first = self.code.body(self.code.first_block[name])
                is_used = any(place in first for place in self._uses.get((name, parameter.name), ()))
                if is_used and (name, index) not in self._used_at_once:
                    self._used_at_once.add((name, index))
                    waiting += list(self._use_by_calls(name, index))

    def _use_by_calls(self, name: str, index: int) -> Iterator[str]:
        for call in self._callers.get(name, ()):
            each = self.code.instructions[call]
            if index < len(each.arguments) and self.code.callees(each) == (name,):
                self._note_use(call, each.arguments[index].value)
                yield self.code.function_of(call)

    def _find_uncertain(self) -> None:
        """Assume that all parameters are valid and used before, until a call passes something else."""
        changed = True
        while changed:
            changed = self._drop(self._uncertain, self.is_valid) | self._drop(self._unused, self.was_used)

    def _drop(self, dropped: set[tuple[str, int]], holds: Callable[[int, Value], bool]) -> bool:
        """Drop the parameters for which it does not hold at every call; True if there were any."""
        fresh = [each for each in self.code.parameters if each not in dropped and not self._always(*each, holds)]
        dropped.update(fresh)
        return bool(fresh)

    def _always(self, name: str, index: int, holds: Callable[[int, Value], bool]) -> bool:
        calls = self._callers.get(name, ())
        if not calls or name == ENTRY or name in self.code.calls.address_taken:
            return False
        given = [(call, self.code.instructions[call].arguments) for call in calls]
        return all(index < len(values) and holds(call, values[index].value) for call, values in given)

    # -- questions

    def is_valid(self, place: int, pointer: Value) -> bool:
        """True if the pointer, as the instruction reads it, points to an object."""
        function = self.code.function_of(place)
        return self._is_by_definition(function, pointer, frozenset()) or self._was_used_before(place, function, pointer)

    def was_used(self, place: int, pointer: Value) -> bool:
        """True if every run that gets here has read or written through this pointer before, here or in a caller."""
        function = self.code.function_of(place)
        if self._was_used_before(place, function, pointer):
            return True
        at = self.code.definitions.get((function, self._base(function, pointer)))
        return not self._may_free and at is not None and self._is_parameter(at) and self._known(at) not in self._unused

    def stays_used(self, branch: int, place: int, pointer: Value) -> bool:
        """True if every run has used this pointer of the place when it comes to the branch, and the pointer has the
        same value at the place, whenever control comes there from the branch."""
        function = self.code.function_of(branch)
        if function != self.code.function_of(place) or not self._was_used_before(branch, function, pointer):
            return False
        base = self._base(function, pointer)
        at = self.code.definitions.get((function, base)) if base.startswith("%") else None
        if at is None or at >= len(self.code.instructions):  # the same in the whole call
            return True
        graph = self.code.flows[function].graph
        start, made = (self.code.blocks[self.code.block_of[each]][1] for each in (branch, at))
        return not any(reachable(graph, target) >> made & 1 for target in graph.successors[start])

    def _is_parameter(self, at: int) -> bool:
        return at >= len(self.code.instructions)

    def _known(self, at: int) -> tuple[str, int]:
        return self.code.parameters[at - len(self.code.instructions) - len(self.code.blocks)]

    def _is_by_definition(self, function: str, pointer: Value, seen: frozenset[int]) -> bool:
        if not pointer.is_local:
            return pointer.text.startswith(("@", "getelementptr"))
        at = self.code.definitions.get((function, pointer.text))
        if at is None or at in seen:
            return at is not None
        if self._is_parameter(at):
            return self._known(at) not in self._uncertain
        each = self.code.instructions[at]
        if each.opcode == "getelementptr":
            return self._is_by_definition(function, each.operands[0], seen | {at})
        if each.opcode == "phi":
            return all(self._is_by_definition(function, value, seen | {at}) for value, _ in each.incoming)
        return each.opcode == "alloca"

    def _was_used_before(self, place: int, function: str, pointer: Value) -> bool:
        """True if every run that gets here has used the same pointer before in this function."""
        return any(True for _ in self.uses_before(place, function, pointer))

    def uses_before(self, place: int, function: str, pointer: Value) -> Iterator[int]:
        """Where every run that gets to the place has used the same pointer before, in this function."""
        if self._may_free:
            return
        block = self.code.blocks[self.code.block_of[place]][1]
        above = self._dominators(function)[block]
        for other in self._uses.get((function, self._base(function, pointer)), ()):
            there = self.code.blocks[self.code.block_of[other]][1]
            if (there == block and other < place) or (there != block and above >> there & 1):
                yield other

    def _base(self, function: str, pointer: Value) -> str:
        """The pointer without constant offsets."""
        at = self.code.definitions.get((function, pointer.text)) if pointer.is_local else None
        if at is None or at >= len(self.code.instructions):
            return pointer.text
        each = self.code.instructions[at]
        is_fixed = each.opcode == "getelementptr" and not any(index.is_local for index in each.operands[1:])
        return self._base(function, each.operands[0]) if is_fixed else pointer.text

    def _dominators(self, function: str) -> tuple[int, ...]:
        if function not in self._above:
            self._above[function] = self.code.flows[function].dominators()
        return self._above[function]


def address_of(each: Instruction) -> Value:
    """The address of a load, a store, or an atomic operation."""
    return each.operands[1 if each.opcode == "store" else 0]
