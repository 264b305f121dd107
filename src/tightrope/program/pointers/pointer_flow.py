"""Program -> pointer graph: which instruction derives which pointer from which other one, and what it does to it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from tightrope.library.library_pointers import find_pointer_effects, is_annotation
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.declared_records import read_declared, with_declared_records
from tightrope.program.flow.call_graph import CallGraph, build_call_graph, find_aliases, reachable_functions
from tightrope.program.ir.gc_pause import collector_paused
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.read_instruction import is_known
from tightrope.program.ir.types import POINTER, IntType, PointerType, Type
from tightrope.program.pointers.handed_pointers import Callee, signature_of
from tightrope.program.pointers.index_bounds import IndexBounds
from tightrope.program.pointers.library_calls import LibraryCalls
from tightrope.program.pointers.pointer_graph import PointerGraph
from tightrope.program.pointers.pointer_places import PointerPlaces, constant

_LOCAL = re.compile(r'%(?:[-\w$.]+|"[^"]*")')
_PART = re.compile(r"(.*)\.coerce\d*")  # clang splits a record that is passed by value: %x.coerce0, %x.coerce1
_STRINGS = ("@str", "@mem", "@ato")  # names that say what a function does, also where a program defines it
_CALLS = ("call", "invoke", "callbr")
_CASTS = ("bitcast", "addrspacecast", "freeze")


@dataclass(frozen=True, slots=True)
class PointerFlow:
    """All that one walk over the unit and what it may call finds about pointers."""

    graph: PointerGraph
    ranges: frozenset[tuple[str, int, int]]  # record, first byte, byte after the last: what is looked at by type
    distances: tuple[tuple[int, int], ...]  # nodes of pointers of which the second is subtracted from the first
    unit: Function
    program: Program  # with a type for each record that C declares
    ctypes: CTypes | None


def find_pointer_flow(
    program: Program,
    unit: str,
    ctypes: CTypes | None = None,
    stubs: Container[str] = (),
    calls: CallGraph | None = None,
) -> PointerFlow:
    """The flow of the unit (`@f`, or its C name) in a program that holds all code that may run but the C library's.
    `stubs`: symbols that look at nothing that they are given."""
    name = unit if unit.startswith("@") else f"@{unit}"
    calls = calls or build_call_graph(program)
    known = program if ctypes is None else with_declared_records(program, ctypes)
    places = PointerPlaces(known, read_declared(known, ctypes), Layout(known))
    walk = _PointerWalk(program, calls, places, stubs)
    reached = [program.functions[each] for each in reachable_functions(program, name, calls)]
    walk.makes_pointers = any(each.opcode == "inttoptr" for function in reached for each in function.instructions())
    with collector_paused():
        for function in reached:
            walk.add_function(function)
        places.graph.close()
    ranges, unit_itself = frozenset(places.ranges), program.functions[name]
    return PointerFlow(places.graph, ranges, tuple(walk.distances), unit_itself, known, ctypes)


def parameter_numbers(function: Function) -> Iterator[tuple[int, str]]:
    """The number in C of each IR parameter that is one whole parameter of C."""
    number, last = -1, ""
    for parameter in function.parameters:
        if parameter.sret is not None:
            continue
        part = _PART.fullmatch(parameter.name)
        base = part.group(1) if part else ""
        if not base or base != last:
            number += 1
        last = base
        if not part and parameter.byval is None:
            yield number, parameter.name


class _PointerWalk:
    def __init__(self, program: Program, calls: CallGraph, places: PointerPlaces, stubs: Container[str]) -> None:
        self.program = program
        self.places = places
        self.graph = places.graph
        self.stubs = stubs
        self.aliases = find_aliases(program)
        self.takers = [program.functions[name] for name in program.functions if name in calls.address_taken]
        self.function = ""
        self.used: set[str] = set()  # locals
        self.looked_at: set[str] = set()  # those that anything is done with but writing there
        self.makes_pointers = False  # out of numbers
        self.differences: set[str] = set()  # locals that are only used to compare or subtract addresses
        self.distances: dict[tuple[int, int], None] = {}
        self.library = LibraryCalls(program, places)
        self.bounds: IndexBounds
        self.moving: set[str] = set()  # locals that are pointers at the start of a loop, or where control joins

    def node(self, value: Value) -> int | None:
        return self.places.node(self.function, value)

    def add_function(self, function: Function) -> None:
        if not function.is_defined:
            return
        self.function, self.bounds = function.name, IndexBounds(function)
        everything = list(function.instructions())
        self.moving = {each.result or "" for each in everything if each.opcode == "phi"}
        self.looked_at = {name for each in everything for name in _used_locals(each)}
        self.used = self.looked_at | {
            value.text for each in everything if each.opcode == "store" for value in each.operands
        }
        self.differences = _differences(everything) if self.makes_pointers else set()
        self._declare_parameters(function)
        self._add_distances(everything)
        for pointer, mask in _find_masked(everything):
            node = self.node(pointer)
            if node is not None:
                self.graph.facts[node].low_bits |= mask
        for each in everything:
            if is_known(each):
                self._add(each)
            else:
                self._lose(*(Value(POINTER, name) for name in _used_locals(each)))

    def _add_distances(self, everything: Sequence[Instruction]) -> None:
        """`p - q` is the difference of two numbers."""
        made = {each.result: each.operands[0] for each in everything if each.opcode == "ptrtoint" and each.result}
        for each in everything:
            if each.opcode == "sub" and all(value.text in made for value in each.operands):
                one, other = (self.node(made[value.text]) for value in each.operands)
                if one is not None and other is not None:
                    self.distances[one, other] = None

    def _declare_parameters(self, function: Function) -> None:
        for parameter in function.parameters:
            passed = parameter.byval or parameter.sret
            if passed is not None:
                self.places.know_record(self.graph.node((function.name, parameter.name)), passed)
        ctypes = self.places.declared.ctypes
        described = ctypes.functions.get(function.name[1:]) if ctypes else None
        types = dict(parameter_numbers(function)) if described else {}
        for number, name in types.items():
            is_pointer = any(one.name == name and isinstance(one.type, PointerType) for one in function.parameters)
            if described and is_pointer and number < len(described.parameters):
                node, kind = self.graph.node((function.name, name)), described.parameters[number].type
                self.places.declare(node, kind)
                if not self.places.declared.is_record(kind):
                    self.library.untyped.add(node)

    def _add(self, each: Instruction) -> None:
        match each.opcode:
            case "getelementptr":
                self._add_address(each)
            case "load":
                self._add_load(each)
            case "store":
                self._add_store(*each.operands)
            case "atomicrmw" | "cmpxchg":
                self._access(each.operands[0], each.operands[1].type, is_read=True, is_written=True)
                self._lose(*each.operands[1:])
            case "alloca":
                self._add_alloca(each)
            case "phi":
                self._join(each, [value for value, _ in each.incoming])
            case "select":
                self._join(each, each.operands[1:])
            case "icmp":
                self._add_comparison(each)
            case "ptrtoint" if self.makes_pointers and each.result not in self.differences:
                self._lose(each.operands[0])
            case "ret":
                self._add_return(each)
            case opcode if opcode in _CASTS or opcode in ("insertvalue", "extractvalue"):
                self._join(each, each.operands)
            case opcode if opcode in _CALLS:
                self._add_call(each)

    def _result(self, each: Instruction) -> int | None:
        return self.node(Value(each.type, each.result)) if each.result else None

    def _join(self, each: Instruction, values: Sequence[Value]) -> None:
        node = self._result(each)
        if node is None:
            return
        for value in values:
            source = self.node(value)
            if source is not None:
                self.graph.connect(source, node)

    def _add_address(self, each: Instruction) -> None:
        base, node = self.node(each.operands[0]), self._result(each)
        if base is not None and node is not None and each.source_type is not None:
            most, indices = self._most_index(each), each.operands[1:]
            self.places.derive(base, node, each.source_type, indices, each.result in self.looked_at, most)
            self._count_moves(each, base)

    def _most_index(self, each: Instruction) -> int | None:
        """The largest first index, where it is not a constant but constants bound it."""
        first = each.operands[1]
        return self.bounds.most(first, each.result or "") if first.is_local else None

    def _count_moves(self, each: Instruction, base: int) -> None:
        """`*p++` in a loop that counts to a constant needs as many elements."""
        step = constant(each.operands[1])
        if each.operands[0].text in self.moving and step is not None and step > 0 and len(each.operands) == 2:
            moves = self.bounds.most_moves(each.result or "")
            facts = self.graph.facts[base]
            facts.least_count = max(facts.least_count, step * (moves or 0))

    def _add_alloca(self, each: Instruction) -> None:
        node = self._result(each)
        if node is not None and each.source_type is not None:
            self.graph.mark_as_cell(node)
            self.places.know_record(node, each.source_type)

    def _access(self, pointer: Value, kind: Type, *, is_read: bool = False, is_written: bool = False) -> None:
        node = self.node(pointer)
        if node is None:
            return
        facts, size = self.graph.facts[node], self.places.size_of(kind)
        facts.is_read |= is_read
        facts.is_written |= is_written
        facts.least_count = max(facts.least_count, 1)
        facts.least_bytes = max(facts.least_bytes, size)
        facts.number_bytes = max(facts.number_bytes, size if isinstance(kind, IntType) else 0)
        if is_read:
            facts.ranges.add((0, size))

    def _add_load(self, each: Instruction) -> None:
        if each.result not in self.used and "volatile" not in each.flags:  # a copy of a record, member by member
            return
        self._access(each.operands[0], each.type, is_read=True)
        base, node = self.node(each.operands[0]), self._result(each)
        if base is not None and node is not None:
            inner = self.places.element(base)
            self.graph.connect(inner, node)
            self.places.declare_like(node, inner)

    def _add_store(self, value: Value, pointer: Value) -> None:
        self._access(pointer, value.type, is_written=True)
        base, kept = self.node(pointer), self.node(value)
        if base is not None and kept is not None:
            self.graph.connect(kept, self.places.element(base))

    def _add_comparison(self, each: Instruction) -> None:
        for one, other in (each.operands, each.operands[::-1]):
            node = self.node(one)
            if node is not None and other.text == "null":
                self.graph.facts[node].is_compared = True
            elif node is not None and other.text.startswith(("%", "@", "getelementptr")):
                self.graph.facts[node].is_matched = True

    def _add_return(self, each: Instruction) -> None:
        node = self.node(each.operands[0]) if each.operands else None
        if node is not None:
            self.graph.connect(node, self.graph.node(("return", self.function)))

    # calls

    def _add_call(self, call: Instruction) -> None:
        symbol = self.aliases.get(call.callee, call.callee)
        if is_annotation(symbol) or symbol in self.stubs:
            self._take_result(call, symbol)
            return
        known = None if call.is_assembly else find_pointer_effects(symbol)
        callees = [one for one in self._callees(call, symbol) if one.is_defined]
        if symbol not in self.program.functions and not call.is_assembly:  # it may lead to a stub
            self._take_result(call, signature_of(call))
        for callee in callees:
            self._pass(call, callee)
        if known and (not callees or symbol.startswith(_STRINGS)):
            nodes = [self.node(argument.value) for argument in call.arguments]
            self.library.add(call, known, nodes, self._result(call) if call.result in self.used else None)
            if not callees:
                self.library.show_bytes(call, known, nodes)
        elif not callees:
            self._lose(*(argument.value for argument in call.arguments))

    def _callees(self, call: Instruction, symbol: str) -> Iterator[Function]:
        if symbol in self.program.functions:
            yield self.program.functions[symbol]
        elif not call.is_assembly:
            kind = call.function_type
            is_free = kind is None or (kind.is_variadic and not kind.parameters)
            yield from (one for one in self.takers if is_free or one.type == kind)

    def _pass(self, call: Instruction, callee: Function) -> None:
        self._lose(*(argument.value for argument in call.arguments[len(callee.parameters) :]))  # for `va_arg`
        for argument, parameter in zip(call.arguments, callee.parameters, strict=False):
            source = self.node(argument.value)
            if source is not None and isinstance(parameter.type, PointerType):
                self.graph.connect(source, self.graph.node((callee.name, parameter.name)))
        self._take_result(call, callee.name)

    def _take_result(self, call: Instruction, callee: Callee) -> None:
        result = self._result(call)
        if result is not None:
            self.graph.connect(self.graph.node(("return", callee)), result)

    def _lose(self, *values: Value) -> None:
        """The pointers go to code that is not followed."""
        for value in values:
            node = self.node(value)
            if node is not None:
                self.graph.facts[node].is_lost = self.graph.facts[node].is_exposed = True


_LOW = 15  # objects of bytes are aligned so far


def _find_masked(everything: Sequence[Instruction]) -> Iterator[tuple[Value, int]]:
    """Pointers of whose addresses the code looks at low bits: `(uintptr_t)p & 3`, `((uintptr_t)p + 7) & ~7`."""
    made: dict[str, Value] = {}
    for each in everything:
        known = made.get(each.operands[0].text) if each.operands else None
        if each.opcode == "ptrtoint" and each.result:
            made[each.result] = each.operands[0]
        elif known is not None and each.result and each.opcode in ("add", "sub", "trunc", "zext", "sext"):
            made[each.result] = known
        elif known is not None and each.opcode in ("and", "urem"):
            number = constant(each.operands[1])
            if number is not None:
                low = number - 1 if each.opcode == "urem" else number if 0 <= number <= _LOW else ~number
                yield known, low & _LOW


def _differences(everything: Sequence[Instruction]) -> set[str]:
    """Addresses as numbers that are only compared, or subtracted from each other: no way leads back to a pointer."""
    numbers = {each.result for each in everything if each.opcode == "ptrtoint" and each.result}
    for each in everything:
        given = [value.text for value in each.operands]
        is_harmless = each.opcode == "icmp" or (each.opcode == "sub" and numbers.issuperset(given))
        if each.opcode != "ptrtoint" and not is_harmless:
            numbers.difference_update(_used_locals(each))
    return numbers


def _used_locals(each: Instruction) -> Iterator[str]:
    """The locals in an instruction, but for its result and the address that it writes to."""
    if each.opcode == "store" and each.operands:
        yield from _LOCAL.findall(each.operands[0].text)
        return
    found = _LOCAL.findall(each.text)
    yield from found[1:] if each.result else found
