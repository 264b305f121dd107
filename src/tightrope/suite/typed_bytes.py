"""The numbers and pointers in the bytes of a C object, by its type: each with the C expression for it.

    struct { short x; char tag; char *name; } p;       p.x  bytes 0-1,   p.tag  byte 2,   p.name  bytes 8-15

Padding is not among them, and neither is a union, of which only the unit knows what it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.type_facts import holding_size, is_private, scalar_of
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CFunctionType,
    CMember,
    CPointer,
    CRecord,
    CScalar,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declarations.declare import size_of
from tightrope.running.notes import Note

MOST_PARTS = 128  # of one object


@dataclass(frozen=True, slots=True)
class Part:
    """A number or a pointer in an object."""

    place: str  # C
    type: TypeId
    offset: int  # bytes
    size: int
    scalar: Scalar | None  # None: a pointer
    bit: int = 0  # of a bit-field: its first bit in these bytes
    is_bit_field: bool = False

    def raw(self, note: Note, start: int = 0) -> int | None:
        """Its bits, if the object begins `start` bytes after the address of the note; None if they are not known."""
        return note.known_bits(start + self.offset, self.size, self.bit, self.scalar.bits if self.scalar else 64)


def parts_of(ctypes: CTypes, number: TypeId, place: str, offset: int = 0, most: int = MOST_PARTS) -> tuple[Part, ...]:
    """The parts of an object of this type at `place`, or the first of them."""
    return tuple(islice(_parts(ctypes, number, place, offset), most))


def _parts(ctypes: CTypes, number: TypeId, place: str, offset: int) -> Iterator[Part]:
    match kind := ctypes.strip(number):
        case CScalar() | CEnum():
            scalar = scalar_of(kind)
            if scalar is not None:
                yield Part(place, number, offset, kind.size, scalar)
        case CPointer():
            yield Part(place, number, offset, 8, None)
        case CArray():
            size = size_of(ctypes, kind.element)
            for index in range(kind.count or 0):
                yield from _parts(ctypes, kind.element, f"{place}[{index}]", offset + index * size)
        case CRecord(kind="struct") if kind.is_complete and not is_private(kind):
            for member in kind.members:
                yield from _member_parts(ctypes, member, place, offset)


def _member_parts(ctypes: CTypes, member: CMember, place: str, offset: int) -> Iterator[Part]:
    at = f"{place}.{member.name}" if member.name else place
    start, bit = divmod(member.bit_offset, 8)
    if member.bit_size is None:
        yield from _parts(ctypes, member.type, at, offset + start)
        return
    kind = ctypes.strip(member.type)
    scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
    if scalar is None or not member.name or not member.bit_size:
        return
    plain = "signed" if scalar.is_signed else "unsigned"
    kind_of_field = plain if scalar.kind == "char" else scalar.kind
    narrow = replace(scalar, kind=kind_of_field, bits=member.bit_size, size=holding_size(member.bit_size))
    size = (bit + member.bit_size + 7) // 8
    yield Part(at, member.type, offset + start, size, narrow, bit, is_bit_field=True)


def place_inside(ctypes: CTypes, number: TypeId, place: str, offset: int, wanted: TypeId) -> str:
    """The C expression of the object of the wanted type that lies there in an object; '' if there is none."""
    kind = ctypes.strip(number)
    if offset == 0 and kind == ctypes.strip(wanted):
        return place
    if isinstance(kind, CArray):
        size = size_of(ctypes, kind.element)
        index, rest = divmod(offset, size) if size else (0, 0)
        return place_inside(ctypes, kind.element, f"{place}[{index}]", rest, wanted) if size else ""
    for member in kind.members if isinstance(kind, CRecord) and kind.kind == "struct" else ():
        start, size = member.bit_offset // 8, size_of(ctypes, member.type)
        if member.bit_size is None and start <= offset < start + size:
            at = f"{place}.{member.name}" if member.name else place
            return place_inside(ctypes, member.type, at, offset - start, wanted)
    return ""


def target_type(ctypes: CTypes, number: TypeId) -> TypeId | None:
    """What a pointer of this type leads to; None if that is no data, or of unknown type."""
    kind = ctypes.strip(number)
    if not isinstance(kind, CPointer):
        return None
    target = ctypes.strip(kind.target)
    if isinstance(target, CVoid | CFunctionType) or (isinstance(target, CRecord) and not target.is_complete):
        return None
    return kind.target


def terminated_text(note: Note, start: int = 0) -> bytes | None:
    """The string that begins there, without its end; None if no known zero ends it in its object."""
    end = note.data.find(0, start)
    is_known = end >= start and note.known_bits(start, end - start + 1) is not None
    return note.data[start:end] if is_known else None
