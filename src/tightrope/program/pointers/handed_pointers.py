"""What a unit gives to functions that it only calls, without a body or through a pointer: for each call, where its
pointers lead, how much room is there, and which of its numbers are constant.

    unsigned char frame[8];
    receive(frame, sizeof frame);       ->  argument 1: 8 bytes of a local;  argument 2: the number 8
    receive(&port->buffer[2], 4);       ->  argument 1: the rest of an array that is a member
    receive(given, n);                  ->  nothing is known of either
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from tightrope.program.declarations.declared_records import record_name
from tightrope.program.flow.call_graph import find_aliases
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.types import ArrayType, IntType, PointerType, StructType, Type
from tightrope.program.marks.unwritten import unwritten_source
from tightrope.program.pointers.pointer_places import constant, read_constant_address

_CALLS = ("call", "invoke", "callbr")
_SAME = ("bitcast", "freeze", "addrspacecast")
_MOST_STEPS = 12  # from a pointer back to what it points to

POINTER_LETTER = "p"
Callee = str | tuple[str, ...]  # a symbol; of a call through a pointer: its result and its arguments, as letters


@dataclass(frozen=True, slots=True)
class HandedPointer:
    """`room`: bytes from there to the end of the variable, member or array; None: unknown. `first_room`: to the end of
    the first member, where the pointer leads to a record. `record`: the name of that record."""

    room: int | None = None
    first_room: int | None = None
    is_local: bool = False  # it leads to a local of the unit
    record: str = ""
    is_set: bool = False  # to a local into which the unit puts something, too


UNKNOWN = HandedPointer()


@dataclass(frozen=True, slots=True)
class HandedCall:
    """One call, by position from 0: its pointers, and the numbers that are constant."""

    pointers: Mapping[int, HandedPointer]
    numbers: Mapping[int, int | None]


HandedCalls = Mapping[Callee, tuple[HandedCall, ...]]


def signature_of(call: Instruction) -> tuple[str, ...]:
    """How calls through a pointer are told apart: pointers, integers by their size, and others."""
    types = [call.type, *(one.value.type for one in call.arguments if one.sret is None)]
    return tuple(_letter(kind) for kind in types)


def _letter(kind: Type) -> str:
    if isinstance(kind, PointerType):
        return POINTER_LETTER
    return f"i{max(8, kind.bits)}" if isinstance(kind, IntType) else "?"


def find_handed_calls(program: Program, unit: str, reached: tuple[str, ...]) -> HandedCalls:
    """All calls in the reached functions (`@f`) whose callee the program does not define. What calls the unit is not
    known."""
    functions = [program.functions[name] for name in reached if program.functions[name].is_defined]
    finder = _Finder(program, unit, {one.name: one for one in functions})
    found: dict[Callee, list[HandedCall]] = {}
    for function in functions:
        for each in function.instructions():
            if each.opcode in _CALLS and not each.is_assembly and not each.callee.startswith("@llvm."):
                for callee in finder.callees(each):
                    found.setdefault(callee, []).append(finder.describe(function, each))
    return {callee: tuple(calls) for callee, calls in found.items()}


@dataclass(slots=True)
class _Finder:
    program: Program
    unit: str
    functions: Mapping[str, Function]
    layout: Layout = field(init=False)
    aliases: Mapping[str, str] = field(init=False)
    _made: dict[str, dict[str, Instruction]] = field(default_factory=dict)
    _calls: dict[str, list[tuple[Function, Instruction]]] | None = None
    _found: dict[tuple[str, str, int], HandedPointer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.layout, self.aliases = Layout(self.program), find_aliases(self.program)

    def callees(self, call: Instruction) -> Iterator[Callee]:
        symbol = self.aliases.get(call.callee, call.callee)
        known = self.program.functions.get(symbol)
        if known is None:
            yield signature_of(call)
        elif not known.is_defined:
            yield symbol[1:]

    def describe(self, function: Function, call: Instruction) -> HandedCall:
        values = [one.value for one in call.arguments if one.sret is None]
        pointers = {at: one for at, one in enumerate(values) if isinstance(one.type, PointerType)}
        numbers = {at: constant(one) for at, one in enumerate(values) if at not in pointers}
        return HandedCall({at: self.find(function, one, _MOST_STEPS) for at, one in pointers.items()}, numbers)

    def find(self, function: Function, value: Value, steps: int) -> HandedPointer:
        """Remembered: where many paths meet in `phi` after `phi`, the ways back are many more than the values."""
        if steps == 0:
            return UNKNOWN
        key = (function.name, value.text, steps)
        if key not in self._found:
            self._found[key] = self._find(function, value, steps)
        return self._found[key]

    def _find(self, function: Function, value: Value, steps: int) -> HandedPointer:
        if value.text.startswith("@"):
            one = self.program.globals.get(value.text)
            return self._object(one.type) if one and not one.is_constant else UNKNOWN
        if value.text.startswith("getelementptr"):
            parsed = read_constant_address(value.text)
            return self._inside(self.find(function, parsed[1][0], steps - 1), *parsed) if parsed else UNKNOWN
        made = self._made_in(function).get(value.text) if value.is_local else None
        if made is None:
            return self._parameter(function, value, steps) if value.is_local else UNKNOWN
        match made.opcode:
            case "alloca" if made.source_type is not None:
                count = constant(made.operands[0]) if made.operands else 1
                found = self._object(made.source_type, count or 0, is_local=True)
                return replace(found, is_set=self._is_set(function, value.text))
            case "getelementptr" if made.source_type is not None:
                return self._inside(self.find(function, made.operands[0], steps - 1), made.source_type, made.operands)
            case "phi":
                return _join([self.find(function, one, steps - 1) for one, _ in made.incoming if one.text != "null"])
            case "select":
                return _join([self.find(function, one, steps - 1) for one in made.operands[1:] if one.text != "null"])
            case opcode if opcode in _SAME:
                return self.find(function, made.operands[0], steps - 1)
        return UNKNOWN

    def _is_set(self, function: Function, local: str) -> bool:
        """Whether the function writes into the local, or gives it to a function that may: one with a body, as that of
        the stub is not known."""
        parts, known = {local}, self.program.functions
        for each in function.instructions():  # a part is computed before it is used
            if each.opcode == "getelementptr" and each.result and each.operands[0].text in parts:
                parts.add(each.result)
            is_filled = each.callee.startswith(("@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset."))
            callee = known.get(self.aliases.get(each.callee, each.callee)) if each.opcode in _CALLS else None
            given = [one.value.text for one in each.arguments]
            if is_filled and given[0] in parts and unwritten_source(each) is None:
                return True
            if callee is not None and callee.is_defined and not parts.isdisjoint(given):
                return True
            if each.opcode == "store" and each.operands[1].text in parts:
                return True
        return False

    def _made_in(self, function: Function) -> dict[str, Instruction]:
        if function.name not in self._made:
            self._made[function.name] = {one.result: one for one in function.instructions() if one.result}
        return self._made[function.name]

    def _parameter(self, function: Function, value: Value, steps: int) -> HandedPointer:
        """Of a function that is only called by the unit and what it calls: what all these calls give it."""
        numbers = [at for at, one in enumerate(function.parameters) if one.name == value.text]
        if function.name == self.unit or not numbers:
            return UNKNOWN
        calls = self._calls_of(function.name)
        given = [(where, one.arguments[numbers[0]].value) for where, one in calls if len(one.arguments) > numbers[0]]
        return _join([self.find(where, each, steps // 2) for where, each in given if each.text != "null"])

    def _calls_of(self, name: str) -> list[tuple[Function, Instruction]]:
        if self._calls is None:
            self._calls = {}
            for function in self.functions.values():
                for each in function.instructions():
                    if each.opcode in _CALLS and each.callee in self.functions:
                        self._calls.setdefault(each.callee, []).append((function, each))
        return self._calls.get(name, [])

    def _object(self, kind: Type, count: int = 1, *, is_local: bool = False) -> HandedPointer:
        room, inner = self._size(kind), kind
        while isinstance(body := self._body(inner), StructType) and body.elements:
            inner = body.elements[0]
        first = self._size(inner)
        known = record_name(kind.element if isinstance(kind, ArrayType) else kind) or ""
        if room is None or not count:
            return HandedPointer(is_local=is_local, record=known)
        return HandedPointer(room * count, room * count if inner is kind else first, is_local, known)

    def _inside(self, base: HandedPointer, kind: Type, operands: tuple[Value, ...]) -> HandedPointer:
        """`getelementptr kind, operands`: the first index steps over objects, the others go into one."""
        first, *rest = operands[1:]
        if not rest:
            return self._moved(base, kind, constant(first))
        found = self._object(kind)
        for index in rest:
            body, number = self._body(kind), constant(index)
            if isinstance(body, ArrayType):
                kind = body.element
                size, left = self._size(kind), body.count - (number or 0)
                found = self._object(kind)
                if size and number is not None and left > 0:
                    found = HandedPointer(size * left, size * left, record=found.record)
                elif number is not None:  # at the end, or in a flexible array
                    found = HandedPointer(record=found.record)
            elif isinstance(body, StructType) and number is not None and number < len(body.elements):
                kind = body.elements[number]
                found = self._object(kind)
            else:
                return HandedPointer(is_local=base.is_local, is_set=base.is_set)
        return HandedPointer(found.room, found.first_room, base.is_local, found.record, base.is_set)

    def _moved(self, base: HandedPointer, kind: Type, count: int | None) -> HandedPointer:
        size = self._size(kind)
        if count == 0:
            return base
        if base.room is None or size is None:
            return HandedPointer(is_local=base.is_local, is_set=base.is_set)
        left = base.room - count * size if count is not None else min(size, base.room)
        return HandedPointer(max(0, left), max(0, left), base.is_local, record_name(kind) or "", base.is_set)

    def _body(self, kind: Type) -> Type | None:
        try:
            return self.layout.body(kind)
        except ValueError:
            return None

    def _size(self, kind: Type) -> int | None:
        try:
            return self.layout.size_of(kind)
        except ValueError:
            return None


def _join(found: list[HandedPointer]) -> HandedPointer:
    """What holds for each of them."""
    is_set = bool(found) and all(one.is_set for one in found)
    if not found or any(one.room is None or one.first_room is None for one in found):
        return HandedPointer(is_local=bool(found) and all(one.is_local for one in found), is_set=is_set)
    rooms, firsts = [one.room or 0 for one in found], [one.first_room or 0 for one in found]
    records = {one.record for one in found}
    return HandedPointer(
        min(rooms), min(firsts), all(one.is_local for one in found), records.pop() if len(records) == 1 else "", is_set
    )
