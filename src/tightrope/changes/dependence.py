"""What a place of the code affects at once: by its value, by what it writes, by what it decides, by ending the run.

%x = add %a, 1        every instruction that reads %x
store %x, @limit      every load that may read that memory later
br %c, ...            the blocks and phis that it decides
call @f(%x)           the parameters of @f; whether @f is executed is a matter of the call's own block
ret %x                what reads the results of the calls of its function
sdiv %a, %b           all that may be executed later: it may end the run
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from tightrope.changes.canonical import values_of
from tightrope.changes.code import Code
from tightrope.changes.effects import Effects, Stretch
from tightrope.changes.endless import EndlessLoops, overlap
from tightrope.changes.impact import How
from tightrope.changes.objects import EVERYTHING, Objects
from tightrope.changes.order import Order, find_order
from tightrope.program.graph import from_mask

Affected = tuple[int, How, str]  # place, and the name of the memory, if it is by memory


@dataclass(slots=True)
class Dependence:
    """Of one version."""

    code: Code
    objects: Objects
    effects: Effects
    order: Order
    endless: frozenset[int]
    exiting: frozenset[str]  # functions from which some runs do not return
    readers: dict[int, list[int]] = field(default_factory=dict)  # by object
    users: dict[int, list[int]] = field(default_factory=dict)
    callers: dict[str, list[int]] = field(default_factory=dict)
    callees: dict[int, tuple[str, ...]] = field(default_factory=dict)
    decided: dict[int, list[int]] = field(default_factory=dict)  # by end of a block: blocks and phis
    _reads: dict[int, list[Stretch]] = field(default_factory=dict)
    _in_segment: list[list[int]] = field(default_factory=list)
    _endangered: dict[int, list[int]] = field(default_factory=dict)  # by definition

    def affected(self, place: int) -> Iterator[Affected]:
        count = len(self.code.instructions)
        if place < count:
            yield from self._by_instruction(place)
        elif place < count + len(self.code.blocks):
            block = place - count
            yield from ((each, How.CONTROL, "") for each in self.code.body(block))
        elif place < count + len(self.code.blocks) + len(self.code.parameters):
            yield from self._by_value(place)
        else:
            name = self.code.function_of(place)
            numbers = range(len(self.code.program.functions[name].blocks))
            yield from ((self.code.block(name, number), How.CONTROL, "") for number in numbers)

    def may_end(self, place: int) -> bool:
        """Whether all that may follow depends on it."""
        if place >= len(self.code.instructions):
            return False
        if self.code.instructions[place].opcode == "ret":  # whether it is reached decides what its callers do next
            return self.code.function_of(place) in self.exiting
        return place in self.endless or self.effects.may_end(place)

    def endangered(self, place: int) -> Iterator[int]:
        """The instructions that may end the run otherwise than before once this place is affected: those that it gives
        an address or a divisor, and those in a block that is executed otherwise."""
        count = len(self.code.instructions)
        yield from self._endangered.get(place, ())
        if count <= place < count + len(self.code.blocks):
            yield from (each for each in self.code.body(place - count) if self.may_end(each))
        elif place < count and self.code.instructions[place].opcode == "ret":
            for call in self.callers.get(self.code.function_of(place), ()):
                yield from self._endangered.get(call, ())

    def is_outside(self, place: int) -> bool:
        """Whether it calls something that may end the run and has no body."""
        is_call = place < len(self.code.instructions) and self.code.instructions[place].opcode in ("call", "invoke")
        return is_call and place not in self.callees and self.effects.may_end(place)

    def behind(self, place: int) -> Iterator[int]:
        """The instructions that may be executed after this one."""
        segment = self.order.segment_of[place]
        yield from (each for each in self._in_segment[segment] if each > place)
        for number in from_mask(self.order.behind[segment]):
            yield from self._in_segment[number]

    # -- parts

    def _by_instruction(self, place: int) -> Iterator[Affected]:
        each = self.code.instructions[place]
        yield from self._by_value(place)
        yield from self._by_memory(place)
        yield from ((other, How.CONTROL, "") for other in self.decided.get(place, ()))
        for name in self.callees.get(place, ()):
            yield self.code.called(name), How.CONTROL, ""
            for index in range(len(self.code.program.functions[name].parameters)):
                at = self.code.parameter(name, index)
                if at is not None:
                    yield at, How.DATA, ""
        if each.opcode == "ret":
            for call in self.callers.get(self.code.function_of(place), ()):
                yield from self._by_value(call)

    def _by_value(self, place: int) -> Iterator[Affected]:
        yield from ((user, How.DATA, "") for user in self.users.get(place, ()))

    def _by_memory(self, place: int) -> Iterator[Affected]:
        for stretch in self.effects.writes(place):
            one = stretch[0]
            found = self.readers if one == EVERYTHING else (one, EVERYTHING)
            for reader in dict.fromkeys(each for number in found for each in self.readers.get(number, ())):
                if self.order.may_follow(place, reader) and self._may_read(reader, stretch):
                    yield reader, How.DATA, self.objects.names[one]

    def _may_read(self, reader: int, written: Stretch) -> bool:
        return any(overlap(written, read) for read in self._reads[reader])

    def __post_init__(self) -> None:
        self._in_segment = [[] for _ in self.order.behind]
        for place, each in enumerate(self.code.instructions):
            self._in_segment[self.order.segment_of[place]].append(place)
            self._note_memory(place)
            if each.opcode != "ret" and self.may_end(place):
                self._note_danger(place)
            if each.opcode in ("call", "invoke"):
                self._note_call(place)
            else:
                self._note_operands(place)
            if each.opcode == "phi":
                for _, sides in self.code.ways(place):
                    for end, _ in sides:
                        self.decided.setdefault(end, []).append(place)
        for function in self.code.functions:
            self._note_control(function.name)

    def _note_memory(self, place: int) -> None:
        reads = self._reads[place] = list(self.effects.reads(place))
        for one in dict.fromkeys(one for one, _, _ in reads):
            self.readers.setdefault(one, []).append(place)

    def _note_danger(self, place: int) -> None:
        """A store ends no run by what it stores, an unsigned division not by what it divides."""
        each, function = self.code.instructions[place], self.code.function_of(place)
        values = (each.operands[1],) if each.opcode in ("store", "udiv", "urem") else values_of(each)
        for value in values:
            at = self.code.definitions.get((function, value.text)) if value.is_local else None
            if at is not None:
                self._endangered.setdefault(at, []).append(place)

    def _note_operands(self, place: int) -> None:
        function = self.code.function_of(place)
        for value in values_of(self.code.instructions[place]):
            self._use(function, value.text, place)

    def _use(self, function: str, name: str, user: int) -> None:
        at = self.code.definitions.get((function, name)) if name.startswith("%") else None
        if at is not None:
            self.users.setdefault(at, []).append(user)

    def _note_call(self, place: int) -> None:
        """What is given to a function with a body goes to its parameters."""
        each = self.code.instructions[place]
        function, callees = self.code.function_of(place), self.code.callees(each)
        if not callees:
            return self._note_operands(place)
        self.callees[place] = callees
        self._use(function, each.callee, place)
        for name in callees:
            self.callers.setdefault(name, []).append(place)
            count = len(self.code.program.functions[name].parameters)
            for index, argument in enumerate(each.arguments):
                at = self.code.parameter(name, index) if index < count else None
                self._use(function, argument.value.text, place if at is None else at)

    def _note_control(self, function: str) -> None:
        for number, sides in enumerate(self.code.control[function].of_block):
            for source, _ in sides:
                end = self.code.last(function, source)
                self.decided.setdefault(end, []).append(self.code.block(function, number))


def find_dependence(code: Code, silent: Container[str], has_checks: bool) -> Dependence:
    """`silent`: library functions that neither keep nor write what they are given."""
    objects = Objects(code, silent).find()
    effects = Effects(code, objects, silent, has_checks)
    exits = EndlessLoops(code, effects).exits
    return Dependence(code, objects, effects, find_order(code), exits, _find_exiting(code, effects))


def _find_exiting(code: Code, effects: Effects) -> frozenset[str]:
    """Functions that end the run by a call, and those that call them. A crash is a matter of the instruction alone."""
    callers: dict[str, set[str]] = {}
    found: set[str] = set()
    for place, each in enumerate(code.instructions):
        function = code.function_of(place)
        if each.opcode == "unreachable" or (each.opcode in ("call", "invoke") and effects.may_end(place)):
            found.add(function)
        for name in code.callees(each):
            callers.setdefault(name, set()).add(function)
    waiting = sorted(found)
    while waiting:
        for name in callers.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return frozenset(found)
