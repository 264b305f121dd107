"""What C declares about pointers and records, and IR does not tell.

IR only has `ptr`; which record a pointer points to is known from C. And IR has no type for a record whose members'
addresses are never computed, though whole records are copied: LLVM splits the copy by byte offsets
(`getelementptr i8, ptr %p, i64 24`). A type is made for each such record, packed and with bytes for padding, so that
each offset falls on its member.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CTypedef,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.declare import size_of
from tightrope.program.ir.model import Program
from tightrope.program.ir.types import POINTER, ArrayType, IntType, NamedType, StructType, Type

_BYTE = IntType(8)
_RECORD = re.compile(r'%"?(?:struct|union)\.([^."]+)')


def record_name(kind: Type | None) -> str | None:
    """`%struct.node` and `%union.node.7` (LLVM's way to tell two apart) are `node`; None for other types."""
    found = _RECORD.match(kind.name) if isinstance(kind, NamedType) else None
    return found.group(1) if found else None


def c_record_name(ctypes: CTypes, number: TypeId) -> str:
    """The name of a record in IR: its tag, else the typedef that names it; '' for none."""
    name, kind = "", ctypes.types[number]
    while isinstance(kind, CTypedef | CQualified):
        name = kind.name if isinstance(kind, CTypedef) else name
        kind = ctypes.types[kind.target]
    return (kind.tag or name) if isinstance(kind, CRecord) else ""


def with_declared_records(program: Program, ctypes: CTypes) -> Program:
    """The program with a type for every complete record that C declares."""
    made: dict[str, Type] = {}
    for number in ctypes.types:
        name, kind = c_record_name(ctypes, number), ctypes.strip(number)
        if name and isinstance(kind, CRecord) and kind.is_complete:
            named = f"%{kind.kind}.{name}"
            if named not in program.named_types and named not in made:
                made[named] = StructType(tuple(_elements(ctypes, kind, program.named_types)), is_packed=True)
    return replace(program, named_types={**program.named_types, **made})


def _elements(ctypes: CTypes, kind: CRecord, known: Mapping[str, Type]) -> Iterator[Type]:
    at = 0
    for member in kind.members if kind.kind == "struct" else ():
        start = member.bit_offset // 8
        if member.bit_size is not None or start < at:  # bytes will do
            continue
        yield from _bytes(start - at)
        element = _element(ctypes, member.type)
        yield from [element] if element else _bytes(size_of(ctypes, member.type))
        at = start + size_of(ctypes, member.type)
    yield from _bytes(kind.size - at)


def _bytes(count: int) -> Iterator[Type]:
    if count > 0:
        yield ArrayType(count, _BYTE)


def _element(ctypes: CTypes, number: TypeId) -> Type | None:
    """The type of a member, or None where it is as good as bytes."""
    kind = ctypes.strip(number)
    match kind:
        case CPointer():
            return POINTER
        case CScalar() | CEnum() if kind.size in (1, 2, 4, 8):
            return IntType(kind.size * 8)
        case CRecord() if (name := c_record_name(ctypes, number)) and kind.is_complete:
            return NamedType(f"%{kind.kind}.{name}")
        case CArray() if kind.count:
            element = _element(ctypes, kind.element)
            return ArrayType(kind.count, element) if element else None
    return None


@dataclass(frozen=True, slots=True)
class Declared:
    """What C says about the types of pointers; IR only has `ptr`."""

    ctypes: CTypes | None
    types_by_name: Mapping[str, NamedType]
    members: Mapping[tuple[str, int], TypeId]  # record and byte offset -> the type of a pointer member
    globals: Mapping[str, TypeId]

    def is_pointer(self, number: TypeId) -> bool:
        return self.ctypes is not None and isinstance(self.ctypes.strip(innermost(self.ctypes, number)), CPointer)

    def target(self, number: TypeId) -> TypeId | None:
        """What a pointer to pointers points to."""
        if self.ctypes is None:
            return None
        kind = self.ctypes.strip(innermost(self.ctypes, number))
        return kind.target if isinstance(kind, CPointer) and self.is_pointer(kind.target) else None

    def is_record(self, number: TypeId) -> bool:
        return bool(self.record_behind(number))

    def record_behind(self, number: TypeId) -> str:
        """The name of the record that a pointer points to."""
        if self.ctypes is None:
            return ""
        kind = self.ctypes.strip(innermost(self.ctypes, number))
        return c_record_name(self.ctypes, innermost(self.ctypes, kind.target)) if isinstance(kind, CPointer) else ""


def read_declared(program: Program, ctypes: CTypes | None) -> Declared:
    by_name = {record_name(kind) or "": kind for kind in map(NamedType, reversed(tuple(program.named_types)))}
    if ctypes is None:
        return Declared(None, by_name, {}, {})
    members: dict[tuple[str, int], TypeId] = {}
    for number in ctypes.types:
        name, kind = c_record_name(ctypes, number), ctypes.strip(number)
        if name and isinstance(kind, CRecord):
            for member in kind.members:
                if isinstance(ctypes.strip(innermost(ctypes, member.type)), CPointer):
                    members[name, member.bit_offset // 8] = member.type
    return Declared(ctypes, by_name, members, {name: one.type for name, one in ctypes.globals.items()})


def innermost(ctypes: CTypes, number: TypeId) -> TypeId:
    """The type of the elements of an array of arrays."""
    while isinstance(kind := ctypes.strip(number), CArray):
        number = kind.element
    return number
