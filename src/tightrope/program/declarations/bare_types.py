"""Declarations that stand before the first header: without typedefs, with integers in place of enums.

    struct tm; struct tm *localtime(const long *) __asm__("tightrope_stub_localtime");

C takes them for the same function as the header's own declaration, because the types are compatible.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CFunctionType,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CType,
    CTypedef,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.debug_info import spell
from tightrope.program.declarations.declare import is_spellable

_COMPILERS_OWN = frozenset({"__va_list_tag", "__va_list"})  # structs that no declaration makes


def declare_bare(ctypes: CTypes, number: TypeId, declarator: str) -> str | None:
    """The declaration, with those of the structs that it mentions; None when there are no words for it."""
    bare = _without_typedefs(ctypes)
    records = dict.fromkeys(_records(bare, number))
    if not is_spellable(bare, number) or any(record.tag in _COMPILERS_OWN for record in records):
        return None
    known = "".join(f"{record.kind} {record.tag}; " for record in records)
    return known + spell(bare, number, declarator)


def _without_typedefs(ctypes: CTypes) -> CTypes:
    return CTypes({number: _bare(ctypes, number) for number in ctypes.types}, {}, {})


def _bare(ctypes: CTypes, number: TypeId) -> CType:
    kind = ctypes.types[number]
    while isinstance(kind, CTypedef):
        kind = ctypes.types[kind.target]
    if isinstance(kind, CEnum) and kind.size == 4:
        return CScalar("int" if kind.is_signed else "unsigned int", "signed" if kind.is_signed else "unsigned", 4)
    return kind


def _records(bare: CTypes, number: TypeId) -> Iterator[CRecord]:
    """Structs and unions that the text of a type mentions."""
    match kind := bare.types[number]:
        case CRecord():
            yield kind
        case CPointer() | CQualified():
            yield from _records(bare, kind.target)
        case CArray():
            yield from _records(bare, kind.element)
        case CFunctionType():
            for part in (kind.result, *kind.parameters):
                yield from _records(bare, part)
