"""Objects of a C type: their size, and the C text that declares one, whatever the qualifiers of the type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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

_VARIABLE_ARGUMENTS = frozenset({"__va_list_tag", "__va_list"})  # behind va_list: structs that no declaration makes


def without_qualifiers(ctypes: CTypes, number: TypeId) -> TypeId:
    """The same type, assignable: typedefs stay, unless a qualifier hides behind them."""
    kind = ctypes.types[number]
    while isinstance(kind, CQualified) or (isinstance(kind, CTypedef) and is_qualified(ctypes, kind.target)):
        number = kind.target
        kind = ctypes.types[number]
    return number


def is_qualified(ctypes: CTypes, number: TypeId, qualifiers: frozenset[str] = frozenset({"const", "volatile"})) -> bool:
    """True when typedefs and qualifiers on the way to the type itself include one of these."""
    kind = ctypes.types[number]
    while isinstance(kind, CTypedef | CQualified):
        if isinstance(kind, CQualified) and kind.qualifier in qualifiers:
            return True
        kind = ctypes.types[kind.target]
    return False


def declare(ctypes: CTypes, number: TypeId, declarator: str) -> str:
    """`declare(const int[3], 'x')` is `int x[3]`: storage that the declarer may write."""
    number = without_qualifiers(ctypes, number)
    kind = ctypes.types[number]
    is_const_inside = isinstance(kind, CArray) or (isinstance(kind, CTypedef) and has_const_elements(ctypes, number))
    if not is_const_inside:
        return spell(ctypes, number, declarator)
    array = ctypes.strip(number)
    assert isinstance(array, CArray)
    return declare(ctypes, array.element, f"{declarator}[{array.count or 1}]")


def has_const_elements(ctypes: CTypes, number: TypeId) -> bool:
    """True for an array whose elements are const or volatile."""
    kind = ctypes.strip(number)
    return isinstance(kind, CArray) and (is_qualified(ctypes, kind.element) or has_const_elements(ctypes, kind.element))


def is_spellable(ctypes: CTypes, number: TypeId) -> bool:
    """False when the type mentions a struct, union or enum that has neither tag nor typedef."""
    return _is_spellable(ctypes, ctypes.types[number])


def _is_spellable(ctypes: CTypes, kind: CType) -> bool:
    match kind:
        case CRecord() | CEnum():
            return bool(kind.tag)
        case CPointer() | CQualified():
            return is_spellable(ctypes, kind.target)
        case CArray():
            return is_spellable(ctypes, kind.element)
        case CFunctionType():
            return all(is_spellable(ctypes, one) for one in (kind.result, *kind.parameters))
        case CScalar():
            return kind.kind != "complex"
    return True


def size_of(ctypes: CTypes, number: TypeId, pointer_size: int = 8) -> int:
    """Bytes of an object of this type; an array of unknown length has none."""
    match kind := ctypes.strip(number):
        case CScalar() | CEnum() | CRecord():
            return kind.size
        case CArray():
            return (kind.count or 0) * size_of(ctypes, kind.element, pointer_size)
        case CPointer():
            return pointer_size
    return 0


def has_padding(ctypes: CTypes, number: TypeId, pointer_size: int = 8) -> bool:
    """True if some bytes or bits of an object of this type belong to no member."""
    match kind := ctypes.strip(number):
        case CArray():
            return has_padding(ctypes, kind.element, pointer_size)
        case CRecord():
            sizes = [one.bit_size or 8 * size_of(ctypes, one.type, pointer_size) for one in kind.members]
            used = max(sizes, default=0) if kind.kind == "union" else sum(sizes)
            return used < 8 * kind.size or any(has_padding(ctypes, one.type, pointer_size) for one in kind.members)
    return False


def is_variable_arguments(ctypes: CTypes, number: TypeId) -> bool:
    """True for the structure behind `va_list`, which has no name in C."""
    kind = ctypes.strip(number)
    return isinstance(kind, CRecord) and kind.tag in _VARIABLE_ARGUMENTS


def parameter_list(ctypes: CTypes, kind: CFunctionType, used: Iterable[int] = ()) -> str:
    """Names are `unused_1` ...: before C23 they cannot be left out."""
    wanted = frozenset(used)
    names = [
        _parameter(ctypes, number, f"argument_{index}")
        if index in wanted
        else f"{_parameter(ctypes, number, f'unused_{index}')} __attribute__((unused))"
        for index, number in enumerate(kind.parameters, 1)
    ]
    if not names:
        return "" if kind.is_variadic else "void"
    return ", ".join([*names, "..."] if kind.is_variadic else names)


def _parameter(ctypes: CTypes, number: TypeId, name: str) -> str:
    """A `va_list` is a pointer to something that has no name."""
    kind = ctypes.strip(number)
    is_list = isinstance(kind, CPointer) and is_variable_arguments(ctypes, kind.target)
    return f"__builtin_va_list {name}" if is_list else declare(ctypes, number, name)


# --- declarations before the first header


def declare_bare(ctypes: CTypes, number: TypeId, declarator: str) -> str | None:
    """A declaration that can stand before the first header, with those of the structs that it mentions; None when no
    C says it. It has no typedefs, and integers in place of enums:

        struct tm; struct tm *localtime(const long *) __asm__("tightrope_stub_localtime");

    C takes it for the same function as the header's own declaration, because the types are compatible. So is the first
    member of a transparent union, which `bind` has as its second parameter; no other union without a tag can be passed.
    """
    bare = _without_typedefs(ctypes)
    records = dict.fromkeys(_records(bare, number))
    if not is_spellable(bare, number) or any(record.tag in _VARIABLE_ARGUMENTS for record in records):
        return None
    known = "".join(f"{record.kind} {record.tag}; " for record in records)
    return known + spell(bare, number, declarator)


def takes_variable_arguments(ctypes: CTypes, number: TypeId) -> bool:
    """True for a type of functions with a `va_list`."""
    bare = _without_typedefs(ctypes)
    return any(record.tag in _VARIABLE_ARGUMENTS for record in _records(bare, number))


def _without_typedefs(ctypes: CTypes) -> CTypes:
    return CTypes({number: _bare(ctypes, number) for number in ctypes.types}, {}, {})


def _bare(ctypes: CTypes, number: TypeId) -> CType:
    kind = ctypes.types[number]
    while isinstance(kind, CTypedef):
        kind = ctypes.types[kind.target]
    while isinstance(kind, CRecord) and _is_transparent(ctypes, kind):
        kind = ctypes.types[kind.members[0].type]
    if isinstance(kind, CEnum) and kind.size == 4:
        return CScalar("int" if kind.is_signed else "unsigned int", "signed" if kind.is_signed else "unsigned", 4)
    return kind


def _is_transparent(ctypes: CTypes, record: CRecord) -> bool:
    pointers = [one for one in record.members if isinstance(ctypes.strip(one.type), CPointer)]
    return record.kind == "union" and not record.tag and len(pointers) == len(record.members) > 1


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
