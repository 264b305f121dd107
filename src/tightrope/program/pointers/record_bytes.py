"""Which bytes of which records are read, and what that means for records inside them, for other members of the same
union and for records behind their pointers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tightrope.program.declarations.c_types import CArray, CPointer, CRecord, CTypes, TypeId
from tightrope.program.declarations.declared_records import c_record_name, record_name
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.model import Program
from tightrope.program.ir.types import ArrayType, NamedType, StructType, Type

Range = tuple[int, int]  # the first byte, and the byte after the last


@dataclass(slots=True)
class RecordBytes:
    """`named`: by the address of a member, which says nothing of the members of that member; `raw`: the bytes."""

    program: Program
    ctypes: CTypes | None
    named: dict[str, set[Range]] = field(default_factory=dict)
    raw: dict[str, set[Range]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    _deep: set[str] = field(default_factory=set)  # with all that their pointers lead to
    _links: dict[str, str] = field(default_factory=dict)  # records that lie in the same bytes, as a forest

    def look_at_member(self, name: str, range_: Range) -> None:
        self.named.setdefault(name, set()).add(range_)

    def look_at(self, views: set[str], ranges: set[Range]) -> None:
        """The same bytes are used as each of these records."""
        for name in views:
            self.raw.setdefault(name, set()).update(ranges)
        first, *others = sorted(views) or [""]
        for other in others:
            self._link(first, other)

    def expose(self, views: set[str], is_deep: bool) -> None:
        self.whole |= views
        if is_deep:
            self._deep |= views

    def names(self) -> list[str]:
        known = (record_name(kind) for kind in map(NamedType, self.program.named_types))
        return sorted({name for name in known if name} | self.named.keys() | self.raw.keys())

    def ranges_of(self, name: str) -> set[Range]:
        return self.named.get(name, set()) | self.raw.get(name, set())

    def finish(self) -> None:
        """Spread what is known to all records that it concerns."""
        self._follow_pointers()
        self._link_unions()
        layout, before = Layout(self.program), -1
        while before != (before := self._amount()):
            for name in self.names():
                self._spread_inwards(layout, name)
            self._share()
        for name in self.raw:
            self.raw[name] |= set(self._members_at(layout, name))

    def _amount(self) -> int:
        return len(self.whole) + sum(map(len, self.raw.values()))

    # records behind pointers

    def _follow_pointers(self) -> None:
        if self.ctypes is None:
            return
        by_name = {c_record_name(self.ctypes, number): number for number in self.ctypes.types}
        waiting = sorted(self._deep)
        while waiting:
            number = by_name.get(waiting.pop())
            fresh = set(self._records_behind(number)) - self._deep if number is not None else set()
            self.expose(fresh, is_deep=True)
            waiting += sorted(fresh)

    def _records_behind(self, number: TypeId, is_target: bool = False) -> Iterator[str]:
        """Records in a type, and those that pointers in it lead to directly."""
        if self.ctypes is None:
            return
        kind = self.ctypes.strip(number)
        match kind:
            case CPointer():  # what is behind those is found from the record that it leads to
                yield from self._records_behind(kind.target, is_target=True)
            case CArray():
                yield from self._records_behind(kind.element, is_target)
            case CRecord():
                if name := c_record_name(self.ctypes, number):
                    yield name
                for member in kind.members if not is_target else ():
                    yield from self._records_behind(member.type)

    # records in the same bytes

    def _link_unions(self) -> None:
        """A union's value may be given through one member and looked at through another."""
        for number in self.ctypes.types if self.ctypes else ():
            assert self.ctypes is not None
            kind = self.ctypes.strip(number)
            if isinstance(kind, CRecord) and kind.kind == "union":
                own = c_record_name(self.ctypes, number) or "anon"
                for member in kind.members:
                    if inner := c_record_name(self.ctypes, member.type):
                        self._link(own, inner)

    def _link(self, one: str, other: str) -> None:
        one, other = self._root(one), self._root(other)
        if one != other and not self._begins_with(one, other) and not self._begins_with(other, one):
            self._links[one] = other

    def _root(self, name: str) -> str:
        while name in self._links:
            name = self._links[name]
        return name

    def _begins_with(self, outer: str, inner: str) -> bool:
        """Whether the first member of a structure is the other record: then the bytes are spread inwards anyway."""
        kind = self.program.named_types.get(f"%struct.{outer}")
        while isinstance(kind, StructType) and kind.elements:
            name = record_name(kind.elements[0])
            if name == inner:
                return True
            kind = self.program.named_types.get(f"%struct.{name}")
        return False

    def _share(self) -> None:
        groups: dict[str, list[str]] = {}
        for name in {*self.names(), *self._links, *self._links.values()}:
            groups.setdefault(self._root(name), []).append(name)
        for names in groups.values():
            if len(names) > 1:
                together = set().union(*map(self.ranges_of, names))
                for name in names:
                    self.raw.setdefault(name, set()).update(together)
                if self.whole & set(names):
                    self.whole.update(names)

    # records within records

    def _spread_inwards(self, layout: Layout, name: str) -> None:
        for kind, at, size, is_array in self._inner_records(layout, name):
            inside = {(start - at, end - at) for start, end in self.raw.get(name, ()) if start < at + size and end > at}
            if name in self.whole or (is_array and inside):
                self.whole.add(kind)
            elif inside:
                self.raw.setdefault(kind, set()).update(inside)

    def _members_at(self, layout: Layout, name: str) -> Iterator[Range]:
        """The members that the bytes belong to: reading one byte of a member is reading the member."""
        for outer, body in self._bodies(name):
            for number, element in enumerate(body.elements):
                start = layout.offset_of(outer, number)
                end = start + layout.size_of(element)
                if any(first < end and last > start for first, last in self.raw[name]):
                    yield start, end

    def _bodies(self, name: str) -> Iterator[tuple[NamedType, StructType]]:
        """Its types in IR: one, unless a structure and a union of one name have met in different files."""
        for prefix in ("struct", "union"):
            kind = NamedType(f"%{prefix}.{name}")
            body = self.program.named_types.get(kind.name)
            if isinstance(body, StructType):
                yield kind, body

    def _inner_records(self, layout: Layout, name: str) -> Iterator[tuple[str, int, int, bool]]:
        """Each member that is a record, or an array of them: its name, offset and size."""
        for outer, body in self._bodies(name):
            for number, element in enumerate(body.elements):
                inner = record_name(_innermost(element))
                if inner:
                    yield (
                        inner,
                        layout.offset_of(outer, number),
                        layout.size_of(element),
                        isinstance(element, ArrayType),
                    )


def _innermost(kind: Type) -> Type:
    while isinstance(kind, ArrayType):
        kind = kind.element
    return kind
