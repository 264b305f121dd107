"""The nodes of a pointer graph: which pointers are addresses of what, and what C declares of them.

Memory is told apart by type: one node stands for the addresses of a member in all records of its type, and its
element for all pointers that are ever kept there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from tightrope.program.declarations.c_types import TypeId
from tightrope.program.declarations.declared_records import Declared, record_name
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import find_close, split_commas
from tightrope.program.ir.model import Program, Value
from tightrope.program.ir.read_operand import read_value
from tightrope.program.ir.read_type import parse_type
from tightrope.program.ir.types import ArrayType, IntType, NamedType, PointerType, StructType, Type
from tightrope.program.pointers.pointer_graph import SAME, Derivation, PointerGraph, Way

_ADDRESS = re.compile(r"getelementptr (?:[a-z]+(?:\([^()]*\))? )*\(")
_NUMBER = re.compile(r"-?\d+")
_BYTE = IntType(8)
_ANYWHERE = Derivation(Way.ANYWHERE)


def constant(value: Value) -> int | None:
    return int(value.text) if _NUMBER.fullmatch(value.text) else None


def _depth(kind: Type, most: int) -> int:
    """How many indices go through arrays of arrays."""
    depth = 0
    while isinstance(kind, ArrayType) and depth < most:
        kind, depth = kind.element, depth + 1
    return depth


@dataclass(slots=True)
class PointerPlaces:
    """`ranges`: the bytes of members whose addresses are used for more than to write there."""

    program: Program
    declared: Declared
    layout: Layout
    graph: PointerGraph = field(default_factory=PointerGraph)
    ranges: set[tuple[str, int, int]] = field(default_factory=set)
    _c_types: dict[int, TypeId] = field(default_factory=dict)  # node -> the C type of the pointer
    _records: dict[int, NamedType] = field(default_factory=dict)  # node -> what it surely points to

    # nodes

    def node(self, function: str, value: Value) -> int | None:
        """The node of a pointer operand, or of all pointers in a record; None for NULL, functions, numbers."""
        if not isinstance(value.type, PointerType | StructType):  # `{ i32, ptr }`: a record returned by value
            return None
        if value.is_local:
            return self.graph.node((function, value.text))
        if value.text.startswith("@"):
            return self._address_of_global(value.text)
        return self._constant_address(value.text) if value.text.startswith("getelementptr") else None

    def element(self, node: int) -> int:
        """The node of the pointers that are kept where this one points to, with the type that C gives them."""
        inner = self.graph.element(node)
        number = self._c_types.get(node)
        if number is not None and inner not in self._c_types:
            target = self.declared.target(number)
            if target is not None:
                self.declare(inner, target)
        return inner

    def declare(self, node: int, number: TypeId) -> None:
        """The pointers of this node have this type in C (an array of pointers: its elements have)."""
        self._c_types[node] = number
        name = self.declared.record_behind(number)
        if name:
            self.graph.facts[node].views.add(name)
            if name in self.declared.types_by_name:
                self.know_record(node, self.declared.types_by_name[name])

    def declare_like(self, node: int, other: int) -> None:
        if other in self._c_types and node not in self._c_types:
            self.declare(node, self._c_types[other])

    def know_record(self, node: int, kind: Type) -> None:
        """The node points to an object of this type; where it is a record, at its first member, too."""
        self.view(node, kind)
        if isinstance(kind, NamedType) and record_name(kind) and node not in self._records:
            self._records[node] = kind
            if first := self._first_member(kind):
                self.graph.share_elements(node, self.member_address(first, 0), 0)

    def view(self, node: int, kind: Type) -> None:
        while isinstance(kind, ArrayType):
            kind = kind.element
        name = record_name(kind)
        if name:
            self.graph.facts[node].views.add(name)

    def _address_of_global(self, name: str) -> int | None:
        one = self.program.globals.get(name)
        if one is None:
            return None
        is_new = ("address", name) not in self.graph.numbers
        node = self.graph.node(("address", name))
        if is_new:
            self.graph.mark_as_cell(node)
            self.know_record(node, one.type)
            number = self.declared.globals.get(name)
            if number is not None and self.declared.is_pointer(number):
                self.declare(self.graph.element(node), number)
        return node

    def _first_member(self, kind: NamedType) -> NamedType | None:
        """The innermost record that begins where this one begins: LLVM writes `@g` for `g.inner.first`."""
        found: NamedType | None = None
        inner: Type = kind
        while isinstance(inner, NamedType) and record_name(inner):
            body = self.program.named_types.get(inner.name)
            if not isinstance(body, StructType) or not body.elements:
                break
            found, inner = inner, body.elements[0]
        return found

    def member_address(self, kind: NamedType, number: int) -> int:
        """The node that stands for the addresses of a member in all records of this type."""
        at, name = self.layout.offset_of(kind, number), record_name(kind) or ""
        is_new = ("inside", name, at) not in self.graph.numbers
        node = self.graph.node(("inside", name, at))
        if is_new:
            body = self.layout.body(kind)
            assert isinstance(body, StructType)
            self.graph.mark_as_cell(node)
            self.view(node, body.elements[number])
            declared = self.declared.members.get((name, at))
            if declared is not None:
                self.declare(self.graph.element(node), declared)
        return node

    def _constant_address(self, text: str) -> int | None:
        """`getelementptr inbounds nuw (%struct.s, ptr @g, i32 0, i32 1)`."""
        if ("constant", text) in self.graph.numbers:
            return self.graph.node(("constant", text))
        parsed = read_constant_address(text)
        base = self.node("", parsed[1][0]) if parsed else None
        if parsed is None or base is None:
            return None
        node = self.graph.node(("constant", text))
        self.derive(base, node, parsed[0], parsed[1][1:])
        return node

    # derivations

    def derive(
        self,
        base: int,
        node: int,
        source: Type,
        indices: tuple[Value, ...],
        is_looked_at: bool = True,
        most: int | None = None,
    ) -> None:
        """`getelementptr source, base, indices` gives `node`; `most`: the largest first index, if that is known."""
        first, rest = indices[0], indices[1:]
        if not rest:
            self._step(base, node, source, first, is_looked_at, most)
            return
        if constant(first) != 0:
            between = self.graph.node(("between", node))
            self._step(base, between, source, first, is_looked_at, most)
            base = between
        self._enter(base, node, source, rest, is_looked_at)

    def _step(
        self, base: int, node: int, kind: Type, index: Value, is_looked_at: bool, most: int | None = None
    ) -> None:
        count, name = constant(index), record_name(kind)
        if count and kind == _BYTE and base in self._records:  # a copy of a record that LLVM took apart
            self._enter_bytes(base, node, self._records[base], count, is_looked_at)
            return
        size = self.size_of(kind)
        self.graph.share_elements(node, base, None if count is None else count * size)
        if name or base not in self._records:
            self.declare_like(node, base)
        if name:
            self.graph.facts[base].views.add(name)
        if count is None:
            self.graph.facts[base].is_indexed = True
            step = Derivation(Way.ANYWHERE, most or 0, size=size, is_record=bool(name))
            self.graph.connect(base, node, step)
        else:
            step = Derivation(Way.MOVED, count, count * size, size, bool(name))
            self.graph.connect(base, node, step if count else SAME)

    def _enter(self, base: int, node: int, kind: Type, rest: tuple[Value, ...], is_looked_at: bool) -> None:
        """Go into an array or a record, one index after the other."""
        if isinstance(kind, ArrayType):
            depth = _depth(kind, len(rest))
            inner: Type = kind
            for _ in range(depth):
                assert isinstance(inner, ArrayType)
                inner = inner.element
        else:
            depth, inner = 1, self._member_type(kind, constant(rest[0]) or 0)
        target = node if depth == len(rest) else self.graph.node(("between", node, len(rest)))
        if isinstance(kind, ArrayType):
            self._enter_array(base, target, kind, rest[:depth])
        else:
            self._enter_record(base, target, kind, constant(rest[0]) or 0, is_looked_at)
        if target != node:
            self._enter(target, node, inner, rest[depth:], is_looked_at)

    def _member_type(self, kind: Type, number: int) -> Type:
        body = self.program.named_types.get(kind.name) if isinstance(kind, NamedType) else kind
        return body.elements[number] if isinstance(body, StructType) and number < len(body.elements) else _BYTE

    def _enter_record(self, base: int, node: int, kind: Type, number: int, is_looked_at: bool) -> None:
        if record_name(kind) and isinstance(kind, NamedType):
            self._enter_member(base, node, kind, number, is_looked_at)
            return
        try:
            at = self.layout.offset_of(kind, number)
        except (ValueError, IndexError):
            self.graph.connect(base, node, _ANYWHERE)
            return
        self._enter_bytes(base, node, self._records.get(base), at, is_looked_at)  # `{ i64, ptr }`: a record passed

    def _enter_array(self, base: int, node: int, kind: Type, rest: tuple[Value, ...]) -> None:
        at: int | None = 0
        for index in rest:
            kind = kind.element if isinstance(kind, ArrayType) else kind
            count = constant(index)
            at = None if at is None or count is None else at + count * self.size_of(kind)
        self.graph.share_elements(node, base, at)
        facts = self.graph.facts[base]
        facts.least_count = max(facts.least_count, 1)
        is_record, size = bool(record_name(kind)), self.size_of(kind)
        self.graph.connect(base, node, Derivation(Way.INSIDE, bytes=at, size=size, is_record=is_record))
        self.know_record(node, kind)

    def _enter_member(self, base: int, node: int, kind: NamedType, number: int, is_looked_at: bool) -> None:
        body = self.program.named_types.get(kind.name)
        if not isinstance(body, StructType):
            self.graph.connect(base, node, _ANYWHERE)
            return
        name, at, size = record_name(kind) or "", self.layout.offset_of(kind, number), self.size_of(kind)
        facts = self.graph.facts[base]
        facts.views.add(name)
        facts.least_count = max(facts.least_count, 1)
        facts.least_bytes = max(facts.least_bytes, size)
        address = self.member_address(kind, number)
        room = self.size_of(body.elements[number])
        is_array = isinstance(body.elements[number], ArrayType)
        self.graph.connect(base, node, Derivation(Way.MEMBER, bytes=at, size=room, is_array=is_array))
        self.graph.connect(address, node)
        self.graph.share_elements(node, address, 0)
        self.know_record(node, body.elements[number])
        if is_looked_at:
            self.ranges.add((name, at, at + max(1, room)))

    def _enter_bytes(self, base: int, node: int, kind: NamedType | None, at: int, is_looked_at: bool) -> None:
        """A place so many bytes into a record, which may lie in a record within it."""
        number = self._member_at(kind, at) if kind else None
        if kind is None or number is None:
            self.graph.share_elements(node, base, at)
            self.graph.connect(base, node, Derivation(Way.MOVED, bytes=at) if at else SAME)
            return
        rest = at - self.layout.offset_of(kind, number)
        body = self.layout.body(kind)
        assert isinstance(body, StructType)
        inner = body.elements[number]
        is_last = not rest and not (isinstance(inner, NamedType) and record_name(inner))
        target = node if is_last else self.graph.node(("between", node, record_name(kind)))
        self._enter_member(base, target, kind, number, is_looked_at)
        if not is_last:
            self._enter_bytes(target, node, inner if isinstance(inner, NamedType) else None, rest, is_looked_at)

    def _member_at(self, kind: NamedType, at: int) -> int | None:
        body = self.program.named_types.get(kind.name)
        if not isinstance(body, StructType) or not 0 <= at < self.size_of(kind):
            return None
        starts = [self.layout.offset_of(kind, number) for number in range(len(body.elements))]
        return max((number for number, start in enumerate(starts) if start <= at), default=None)

    def size_of(self, kind: Type) -> int:
        try:
            return self.layout.size_of(kind)
        except ValueError:
            return 1


@lru_cache(maxsize=1 << 14)
def read_constant_address(text: str) -> tuple[Type, tuple[Value, ...]] | None:
    found = _ADDRESS.match(text)
    if not found:
        return None
    kind, *parts = split_commas(text[found.end() : find_close(text, found.end() - 1)])
    return parse_type(kind), tuple(map(read_value, parts))
