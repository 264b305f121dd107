"""Where pointers to registers go: through parameters, results, `?:`, tables and structs, to the accesses that use them.

    static void set(GPIO_TypeDef *port, int pin) { port->ODR |= 1u << pin; }
    void led(int on) { set(on ? GPIOA : GPIOB, 5); }             port->ODR is at 0x40020014 or 0x40020414

The answer is a set of addresses that may be too large, never one that matters for a verdict: an access compares the
address that it really has with those of the set. Everything that is no constant address is `OTHER`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tightrope.program.devices.constant_addresses import HIGHEST, ConstantAddresses, results_of
from tightrope.program.flow.call_graph import build_call_graph, reachable_functions
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.types import ArrayType, PointerType, StructType, Type

OTHER = -1
LEAST = 0x1000  # of an address that an input pointer may have; smaller numbers are marks: `(struct node *)1`
MOST_ELEMENTS = 16  # of an array of registers that is accessed by an index
MOST_ADDRESSES = 256  # of one pointer; more is OTHER
_ROUNDS = 20
_NUMBER_AS_POINTER = re.compile(r"inttoptr \(i\d+ (\d+) to ptr\)")
_NAMED = re.compile(r"@(?:[-\w$.]+|\"[^\"]*\")")
_NULL = ("null", "undef", "poison", "zeroinitializer")

Addresses = frozenset[int]
_NOTHING: Addresses = frozenset()
_ONLY_OTHER: Addresses = frozenset({OTHER})


def may_access_registers(program: Program) -> bool:
    """False for most programs, at once."""
    instructions = [each for one in program.functions.values() for each in one.instructions()]
    texts = (*(one.initializer for one in program.globals.values()), *(each.text for each in instructions))
    return any("inttoptr" in text for text in texts)


class DevicePointers:
    """The addresses that the pointers of a function and its callees may have."""

    def __init__(self, program: Program, root: str) -> None:
        """The parameters of the root may have every address that the code compares them with."""
        self.program, self.root, self.constants = program, root, ConstantAddresses(program)
        graph = build_call_graph(program)
        names = reachable_functions(program, root, graph)
        self.functions = [program.functions[name] for name in names if program.functions[name].is_defined]
        self.taken = graph.address_taken
        self.made = {one.name: results_of(one) for one in self.functions}
        self._known: dict[tuple[str, str], Addresses] = {}  # function and local -> its addresses
        self._results: dict[str, Addresses] = {}
        self._stored: Addresses = _NOTHING
        self.compared = {name: self._compared_with(root, name, set()) for name in self._pointers_of(root)}
        self._settle()

    def _pointers_of(self, function: str) -> list[str]:
        parameters = self.program.functions[function].parameters
        return [one.name for one in parameters if isinstance(one.type, PointerType)]

    def _compared_with(self, function: str, local: str, seen: set[tuple[str, str]]) -> tuple[int, ...]:
        """Constant addresses that are compared with this parameter, here or in functions that get it as it is."""
        if (function, local) in seen or function not in self.made:
            return ()
        seen.add((function, local))
        found: list[int] = []
        for each in self.program.functions[function].instructions():
            texts = [one.text for one in each.operands]
            if each.opcode == "icmp" and each.predicate in ("eq", "ne") and local in texts:
                addresses = [self.constants.of(one, self.made[function]) for one in each.operands if one.text != local]
                found += [address for address in addresses if address is not None and address >= LEAST]
            elif each.opcode == "call" and each.callee in self.made:
                callee = self.program.functions[each.callee]
                for parameter, argument in zip(callee.parameters, each.arguments, strict=False):
                    if argument.value.text == local:
                        found += self._compared_with(callee.name, parameter.name, seen)
        return tuple(dict.fromkeys(found))

    def of(self, function: Function, pointer: Value) -> Addresses:
        """All addresses that the pointer may have; empty if it is none of a register."""
        found = self._value(function, pointer)
        return found if found - _ONLY_OTHER else _NOTHING

    # -- until nothing changes

    def _settle(self) -> None:
        self._stored = frozenset(self._in_initialisers())
        for _ in range(_ROUNDS):
            if not self._pass():
                return
        self._known = {key: known | _ONLY_OTHER for key, known in self._known.items()}

    def _pass(self) -> bool:
        before = (len(self._stored), sum(map(len, self._known.values())), sum(map(len, self._results.values())))
        for function in self.functions:
            is_open = function.name == self.root or function.name in self.taken
            for parameter in function.parameters if is_open else ():
                given = self.compared.get(parameter.name, ()) if function.name == self.root else ()
                self._add(function.name, parameter.name, _ONLY_OTHER.union(given))
            for each in function.instructions():
                self._follow(function, each)
        after = (len(self._stored), sum(map(len, self._known.values())), sum(map(len, self._results.values())))
        return before != after

    def _follow(self, function: Function, each: Instruction) -> None:
        if each.opcode == "store" and isinstance(each.operands[0].type, PointerType):
            self._stored |= self._value(function, each.operands[0])
        elif each.opcode == "ret" and each.operands and isinstance(each.operands[0].type, PointerType):
            known = self._results.get(function.name, _NOTHING)
            self._results[function.name] = known | self._value(function, each.operands[0])
        elif each.opcode == "call":
            callee = self.program.functions.get(each.callee)
            for parameter, argument in zip(callee.parameters if callee else (), each.arguments, strict=False):
                if isinstance(parameter.type, PointerType) and callee is not None:
                    self._add(callee.name, parameter.name, self._value(function, argument.value))
        if each.result and isinstance(each.type, PointerType):
            self._add(function.name, each.result, self._made_by(function, each))

    def _add(self, function: str, local: str, found: Addresses) -> None:
        known = self._known.get((function, local), _NOTHING) | found
        self._known[function, local] = known if len(known) <= MOST_ADDRESSES else _ONLY_OTHER

    def _in_initialisers(self) -> Iterator[int]:
        """Constant addresses in globals that the code mentions."""
        names = {name for one in self.functions for each in one.instructions() for name in _NAMED.findall(each.text)}
        for name in names & self.program.globals.keys():
            yield from _numbers(self.program.globals[name].initializer)

    # -- one value

    def _value(self, function: Function, value: Value) -> Addresses:
        if value.is_local:
            return self._known.get((function.name, value.text), _NOTHING)
        if value.text in _NULL:
            return _NOTHING
        address = self.constants.of(value, self.made[function.name])
        return _ONLY_OTHER if address is None else frozenset({address})

    def _made_by(self, function: Function, each: Instruction) -> Addresses:
        match each.opcode:
            case "getelementptr":
                assert each.source_type is not None
                return self._element(function, each.source_type, each.operands[0], each.operands[1:])
            case "phi":
                return _NOTHING.union(*(self._value(function, value) for value, _ in each.incoming))
            case "select":
                return self._value(function, each.operands[1]) | self._value(function, each.operands[2])
            case "load":
                return self._loaded(function, each.operands[0])
            case "inttoptr":
                return self._computed(function, each.operands[0])
            case "call" if each.callee in self.program.functions and self.program.functions[each.callee].is_defined:
                return self._results.get(each.callee, _NOTHING)
            case _:
                return _ONLY_OTHER

    def _loaded(self, function: Function, place: Value) -> Addresses:
        """A table that nothing changes has its initial values; other memory has whatever was stored somewhere."""
        base = _base(place, self.made[function.name])
        table = self.program.globals.get(base)
        if table is not None and table.is_constant and table.is_defined:
            return frozenset(_numbers(table.initializer)) | (_ONLY_OTHER if "@" in table.initializer else _NOTHING)
        return self._stored | _ONLY_OTHER

    def _element(self, function: Function, kind: Type, base: Value, indices: Sequence[Value]) -> Addresses:
        starts = self._value(function, base)
        devices = starts - _ONLY_OTHER
        if not devices:
            return starts
        offsets = self._offsets(kind, indices)
        return frozenset(_moved(devices, offsets)) | (starts & _ONLY_OTHER)

    def _offsets(self, kind: Type, indices: Sequence[Value]) -> list[int]:
        """All that the indices allow; an index that is not constant has the elements of its array."""
        layout, choices = self.constants.layout, list[list[int]]()
        for position, index in enumerate(indices):
            number = int(index.text) if re.fullmatch(r"-?\d+", index.text) else None
            if not position:
                step, count = layout.size_of(kind), MOST_ELEMENTS
            else:
                body = layout.body(kind)
                if isinstance(body, StructType) and number is not None:
                    choices.append([layout.offset_of(body, number)])
                    kind = body.elements[number]
                    continue
                assert isinstance(body, ArrayType)
                kind, step, count = body.element, layout.size_of(body.element), min(body.count, MOST_ELEMENTS)
            choices.append([step * each for each in (range(count) if number is None else [number])])
        return [sum(each) for each in product(*choices)]

    def _computed(self, function: Function, number: Value) -> Addresses:
        """`BASE + 4 * i`, computed as an integer."""
        found = _sum_of(number, self.made[function.name])
        return (
            frozenset(_moved([found[0]], [found[1] * each for each in range(MOST_ELEMENTS)])) if found else _ONLY_OTHER
        )


def _moved(starts: Iterable[int], offsets: Sequence[int]) -> Iterator[int]:
    return (at + offset for at in starts for offset in offsets if 0 < at + offset < HIGHEST)


def _numbers(text: str) -> Iterator[int]:
    return (int(number) for number in _NUMBER_AS_POINTER.findall(text))


def _base(pointer: Value, made: dict[str, Instruction]) -> str:
    """The global that the pointer is computed from; '' if there is none."""
    text = pointer.text
    while text.startswith("%"):
        each = made.get(text)
        if each is None or each.opcode != "getelementptr":
            return ""
        text = each.operands[0].text
    names = _NAMED.findall(text)
    return names[0] if len(names) == 1 else ""


def _sum_of(value: Value, made: dict[str, Instruction]) -> tuple[int, int] | None:
    """A constant base and the step of what is added to it."""
    each = made.get(value.text)
    if each is None:
        return None
    if each.opcode in ("zext", "sext"):
        return _sum_of(each.operands[0], made)
    if each.opcode not in ("add", "or"):
        return None
    for one, other in (each.operands, each.operands[::-1]):
        if one.text.isdecimal() and int(one.text) > 0:
            return int(one.text), _step_of(other, made)
    return None


def _step_of(value: Value, made: dict[str, Instruction]) -> int:
    each = made.get(value.text)
    if each is not None and each.opcode in ("zext", "sext"):
        return _step_of(each.operands[0], made)
    if each is not None and each.opcode in ("mul", "shl"):
        factors = [int(one.text) for one in each.operands if one.text.isdecimal()]
        if factors:
            return factors[0] if each.opcode == "mul" else 1 << min(factors[0], 16)
    return 1
