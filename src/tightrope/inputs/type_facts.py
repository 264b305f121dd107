"""What the C type of an input tells about it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tightrope.inputs.hints import record_name
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import BYTE
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CMember,
    CPointer,
    CRecord,
    CScalar,
    CTypedef,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declarations.declare import is_qualified, is_spellable, is_variable_arguments, size_of
from tightrope.program.pointers.pointer_use import Use

_LIBRARY_TAGS = frozenset({"_IO_FILE", "__sFILE", "__dirstream"})  # only the C library can make one
_OPAQUE_MEMBERS = frozenset({"__data", "__size", "__align"})  # pthread_mutex_t, sem_t ...


def free_bits(ctypes: CTypes, member: CMember) -> int:
    """How many bits of it an input can set: more for `unsigned raw` than for bit-fields, a bool or an enum."""
    return _free_bits_of(ctypes, member.type) if member.bit_size is None else member.bit_size


def _free_bits_of(ctypes: CTypes, number: TypeId) -> int:
    match kind := ctypes.strip(number):
        case CEnum():
            return len(kind.members).bit_length()
        case CScalar():
            scalar = scalar_of(kind)
            return scalar.bits if scalar else 0
        case CArray():
            return (kind.count or 0) * _free_bits_of(ctypes, kind.element)
        case CRecord():
            bits = [free_bits(ctypes, member) for member in kind.members]
            return max(bits, default=0) if kind.kind == "union" else sum(bits)
    return 8 * size_of(ctypes, number)


def used_as(ctypes: CTypes, use: Use) -> TypeId:
    """The struct that a `void *` is cast to, if it is always the same; otherwise bytes."""
    (name,) = use.records if len(use.records) == 1 else ("",)
    found = find_record(ctypes, name, use.least_bytes)
    return BYTE if found is None else found


def find_record(ctypes: CTypes, name: str, least_bytes: int = 0) -> TypeId | None:
    """The record of this name, if C can name it and it is large enough."""
    for number, kind in ctypes.types.items():
        is_known = isinstance(kind, CRecord | CTypedef) and record_name(ctypes, number) == name != ""
        if is_known and is_spellable(ctypes, number) and least_bytes <= size_of(ctypes, number):
            return number
    return None


def number_before_pointer(ctypes: CTypes, use: Use) -> TypeId | None:
    """The type of a number that the code reads or writes where the records that it casts the same `void *` to hold a
    pointer first: so many bytes of an address would depend on where things lie in memory. None: there is no such
    number."""
    records = [record for name in use.records if (record := find_record(ctypes, name)) is not None]
    if not records or not all(_starts_with_pointer(ctypes, each) for each in records):
        return None
    for number, kind in ctypes.types.items():
        is_number = isinstance(kind, CScalar) and kind.kind in ("unsigned", "signed") and kind.size == use.number_bytes
        if is_number and is_spellable(ctypes, number):
            return number
    return None


def _starts_with_pointer(ctypes: CTypes, number: TypeId) -> bool:
    kind = ctypes.strip(number)
    if not isinstance(kind, CRecord):
        return isinstance(kind, CPointer)
    return any(each.bit_offset == 0 and _starts_with_pointer(ctypes, each.type) for each in kind.members)


def pointer_like(ctypes: CTypes, use: Use) -> TypeId | None:
    """A pointer type of the program for pointers that are used so; None if nothing is known of them."""
    name = next(iter(use.records)) if len(use.records) == 1 else ""
    size = 1 if use.is_string else use.least_bytes // max(1, use.least_count)
    if not (name or use.is_read or use.is_string):
        return None
    for number, kind in ctypes.types.items():
        target = ctypes.strip(kind.target) if isinstance(kind, CPointer) else None
        if not isinstance(kind, CPointer) or not is_spellable(ctypes, number):
            continue
        is_scalar = not name and isinstance(target, CScalar) and target.size == size and target.kind != "bool"
        if is_scalar or (name and record_name(ctypes, kind.target) == name):
            return number
    return None


def cast_to(ctypes: CTypes, target: TypeId, use: Use) -> Iterator[TypeId]:
    """Larger records that a pointer to a record is cast to: `struct message` -> `struct request`."""
    own = record_name(ctypes, target) if target != BYTE else ""
    for name in sorted(use.records - {own}) if own else ():
        record = find_record(ctypes, name, size_of(ctypes, target) + 1)
        if record is not None:
            yield record


def members_of_type(ctypes: CTypes, record: TypeId, wanted: TypeId) -> Iterator[tuple[str, int, int]]:
    """Places in a record where an object of this type is, or an array of them begins: `.link`, `.text[0]`; with the
    offset in bytes, and the number of elements."""
    kind = ctypes.strip(record)
    for member in kind.members if isinstance(kind, CRecord) and kind.kind == "struct" else ():
        place, offset, inner = f".{member.name}", member.bit_offset // 8, ctypes.strip(member.type)
        if not member.name or member.bit_size is not None:
            continue
        if inner == ctypes.strip(wanted):
            yield place, offset, 1
        elif isinstance(inner, CArray) and ctypes.strip(inner.element) == ctypes.strip(wanted) and inner.count:
            yield f"{place}[0]", offset, inner.count
        else:
            for rest, more, count in members_of_type(ctypes, member.type, wanted):
                yield place + rest, offset + more, count


def place_behind(ctypes: CTypes, record: TypeId, wanted: TypeId, offset: int) -> str:
    """Where a pointer leads that the code takes for what follows this record, its *header*: `.data[0]` for a flexible
    array member, else `[1]`, which is behind it; "" if so many bytes before the pointer is no header."""
    member = flexible_member(ctypes, record)
    if member and member_offset(ctypes, record, f".{member}") == offset:
        kind = ctypes.strip(next(one.type for one in _members(ctypes, record) if one.name == member))
        is_alike = isinstance(kind, CArray) and _size_of_element(ctypes, kind.element) == _size_of_element(
            ctypes, wanted
        )
        return f".{member}[0]" if is_alike else ""
    return "[1]" if not member and size_of(ctypes, record) == offset else ""


def _size_of_element(ctypes: CTypes, number: TypeId) -> int:
    """Of `void`, one byte."""
    return 1 if number == BYTE or isinstance(ctypes.strip(number), CVoid) else size_of(ctypes, number)


def members_of(ctypes: CTypes, record: TypeId) -> tuple[str, ...]:
    return tuple(one.name for one in _members(ctypes, record))


def _members(ctypes: CTypes, record: TypeId) -> tuple[CMember, ...]:
    kind = ctypes.strip(record)
    return kind.members if isinstance(kind, CRecord) else ()


def first_member(place: str) -> str:
    """`.text[0]` -> `text`; "" for an element."""
    found = re.match(r"\.(\w+)", place)
    return found[1] if found else ""


def member_offset(ctypes: CTypes, record: TypeId, place: str) -> int:
    """The offset in bytes of a place such as `.link` or `.text[0]`."""
    behind = re.match(r"\[(\d+)\]", place)  # of an array of such records
    total, number = int(behind[1]) * size_of(ctypes, record) if behind else 0, record
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", place):
        kind = ctypes.strip(number)
        if name and isinstance(kind, CRecord):
            member = next(one for one in kind.members if one.name == name)
            total, number = total + member.bit_offset // 8, member.type
        elif index and isinstance(kind, CArray):
            total, number = total + int(index) * size_of(ctypes, kind.element), kind.element
    return total


def is_restrict(ctypes: CTypes, number: TypeId) -> bool:
    return is_qualified(ctypes, number, frozenset({"restrict"}))


def flexible_member(ctypes: CTypes, target: TypeId) -> str:
    """The name of the last member, if it is an array without a length."""
    kind = ctypes.strip(target) if target != BYTE else None
    last = kind.members[-1] if isinstance(kind, CRecord) and kind.kind == "struct" and kind.members else None
    inner = ctypes.strip(last.type) if last else None
    return last.name if last and isinstance(inner, CArray) and inner.count is None else ""


def is_only_declared(ctypes: CTypes, number: TypeId) -> bool:
    """Whether the type is only declared, so that code can only pass on a pointer to it."""
    kind = ctypes.strip(number)
    return isinstance(kind, CRecord) and not kind.is_complete and kind.tag not in _LIBRARY_TAGS


def why_null(ctypes: CTypes, kind: CPointer) -> str:
    target = ctypes.strip(kind.target)
    if isinstance(target, CRecord) and (target.tag in _LIBRARY_TAGS or is_variable_arguments(ctypes, kind.target)):
        return f"because only the C library can create a `{target.kind} {target.tag}`"
    if isinstance(target, CScalar) and target.kind == "complex":
        return "because _Complex is not supported"
    is_nameless = not is_spellable(ctypes, kind.target)
    return "because its type is const and has no name" if is_nameless and is_qualified(ctypes, kind.target) else ""


def has_pointer(ctypes: CTypes, number: TypeId) -> bool:
    match kind := ctypes.strip(number):
        case CPointer():
            return True
        case CArray():
            return has_pointer(ctypes, kind.element)
        case CRecord():
            return any(has_pointer(ctypes, member.type) for member in kind.members)
    return False


def scalar_of(kind: CScalar | CEnum) -> Scalar | None:
    """None for scalars that expressions cannot hold: long double, __int128, _BitInt, half floats, vectors."""
    if isinstance(kind, CEnum):
        return Scalar("enum", kind.size * 8, kind.size, kind.is_signed, kind.members)
    is_half = kind.kind == "float" and kind.size < 4
    if kind.kind in ("complex", "vector") or "_BitInt" in kind.name or kind.size > 8 or is_half:
        return None
    if kind.kind == "bool":
        return Scalar("bool", 1, kind.size)
    is_signed = kind.kind in ("signed", "char")
    return Scalar(kind.kind, kind.size * 8, kind.size, is_signed)


def name_of(kind: CScalar | CEnum) -> str:
    return kind.name if isinstance(kind, CScalar) else "enum"


def holding_size(bits: int) -> int:
    return next(size for size in (1, 2, 4, 8) if bits <= size * 8)


def is_private(kind: CRecord) -> bool:
    """Whether the members belong to glibc alone, to judge by their names."""
    return bool(kind.members) and _OPAQUE_MEMBERS.issuperset(member.name for member in kind.members)
