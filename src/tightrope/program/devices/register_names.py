"""What the C calls the data at an address: `GPIOA->ODR`, `PORTB`, `*UART_STATUS`; else the address itself.

Names come from macros, because C has no other way to name a constant address:

    #define PORTB  (*(volatile uint8_t *)0x25)             a value:    PORTB
    #define GPIOA  ((GPIO_TypeDef *)GPIOA_BASE)            a pointer:  GPIOA->ODR, GPIOA->AFR[1]
    #define LED    GPIOA->ODR                              a value:    LED

The compiler expands them; macros that the file itself mentions come first.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tightrope.program.declarations.c_types import (
    VOID_ID,
    CArray,
    CFunctionType,
    CQualified,
    CRecord,
    CScalar,
    CType,
    CTypedef,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.declare import is_qualified, size_of
from tightrope.program.declarations.stubs import WRITE_OF, RegisterAccess, Stub

_DEFINITION = re.compile(r"^#define ([A-Za-z_]\w*)(\([^)]*\))? (.+)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_CAST = re.compile(r"\(\s*([A-Za-z_][\w\s]*?)\s*\*(?:\s*(?:const|volatile))*\s*\)\s*(.+)", re.DOTALL)
_MEMBER = re.compile(r"(\(.*\))\s*->\s*([A-Za-z_][\w.\[\]\s]*)", re.DOTALL)
_QUALIFIER = re.compile(r"\b(?:volatile|const|struct|union|__IO|register)\b")
_NUMBER_CAST = re.compile(r"\(\s*(?:(?:unsigned|signed|long|int|short|char)\b\s*|u?int\w*_t\s*|size_t\s*)+\)")
_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b")
_OCTAL = re.compile(r"\b0(?=[0-7]+\b)")
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.LShift: lambda one, other: one << min(other, 64),
    ast.RShift: operator.rshift,
}
_BEGIN = '"tightrope"'
_UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}


@dataclass(frozen=True, slots=True)
class MacroAddress:
    """A macro that stands for a constant address, or for the data there."""

    macro: str
    address: int
    type: str = ""  # of what a pointer points to
    is_value: bool = False


@dataclass(frozen=True, slots=True)
class NamedRegister:
    """What the C calls the data at an address."""

    name: str
    type: TypeId | None = None  # of the member, where it is a plain number


# -- macros


def mentioned_macros(definitions: str, text: str) -> tuple[str, ...]:
    """Names of the macros without parameters that the code in the text mentions, directly first, then through other
    macros. `definitions` is what `cc -E -dM` prints."""
    found = _DEFINITION.findall(definitions)
    known, with_parameters = {name: body for name, _, body in found}, {name for name, given, _ in found if given}
    code = _DIRECTIVE.sub("", text)
    order = dict.fromkeys(word for word in _WORD.findall(code) if word in known)
    words = list(order)
    for word in words:  # grows while it is walked
        fresh = [one for one in _WORD.findall(known[word]) if one in known and one not in order]
        order.update(dict.fromkeys(fresh))
        words += fresh
    return tuple(name for name in order if name not in with_parameters)


def ask_for_expansions(macros: Iterable[str]) -> str:
    """C for the preprocessor: each macro behind its name."""
    return "\n".join([_BEGIN, *(f'"{name}" {name}' for name in macros), ""])


def read_expansions(preprocessed: str, ctypes: CTypes) -> tuple[MacroAddress, ...]:
    """Those of the macros that stand for addresses."""
    rows = re.findall(r'^"(\w+)" (.+)$', preprocessed.rpartition(_BEGIN)[2], re.MULTILINE)
    return tuple(one for name, text in rows if (one := _read_macro(name, text, ctypes)))


def _read_macro(name: str, text: str, ctypes: CTypes) -> MacroAddress | None:
    inner = _unwrapped(text)
    if inner.startswith("*"):
        found = _pointer(_unwrapped(inner[1:]))
        return MacroAddress(name, found[1], is_value=True) if found else None
    if member := _MEMBER.fullmatch(inner):
        found = _pointer(_unwrapped(member[1]))
        offset = _offset_of(ctypes, find_type(ctypes, found[0]), member[2]) if found else None
        return MacroAddress(name, found[1] + offset, is_value=True) if found and offset is not None else None
    found = _pointer(inner)
    return MacroAddress(name, found[1], found[0]) if found else None


def _pointer(text: str) -> tuple[str, int] | None:
    """The type that it points to, and the address."""
    cast = _CAST.fullmatch(text)
    address = _evaluate(cast[2]) if cast else None
    return (" ".join(_QUALIFIER.sub(" ", cast[1]).split()), address) if cast and address else None


def _unwrapped(text: str) -> str:
    """Without parentheses around the whole."""
    text = text.strip()
    while text.startswith("(") and _closing(text) == len(text) - 1:
        text = text[1:-1].strip()
    return text


def _closing(text: str) -> int:
    depth = 0
    for at, mark in enumerate(text):
        depth += (mark == "(") - (mark == ")")
        if not depth:
            return at
    return -1


def _evaluate(text: str) -> int | None:
    """The value of an expression of constants."""
    plain = _OCTAL.sub("0o", _SUFFIX.sub(r"\1", _NUMBER_CAST.sub("", text)))
    try:
        return _value(ast.parse(plain.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _value(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError("not a constant")


# -- members


def find_type(ctypes: CTypes, words: str) -> TypeId | None:
    """The struct or union that these words name."""
    for number, kind in ctypes.types.items():
        is_named = (isinstance(kind, CTypedef) and kind.name == words) or (
            isinstance(kind, CRecord) and kind.tag == words
        )
        if is_named and isinstance(record := ctypes.strip(number), CRecord) and record.is_complete:
            return number
    return None


def _offset_of(ctypes: CTypes, number: TypeId | None, path: str) -> int | None:
    """Where `BRR`, `AFR[1]` or `PORT.ODR` lies."""
    offset = 0
    for name, index in re.findall(r"([A-Za-z_]\w*)|\[\s*(\d+)\s*\]", path):
        kind = ctypes.strip(number) if number is not None else None
        if name and isinstance(kind, CRecord):
            member = next((one for one in kind.members if one.name == name), None)
            if member is None:
                return None
            number, offset = member.type, offset + member.bit_offset // 8
        elif index and isinstance(kind, CArray):
            number, offset = kind.element, offset + int(index) * size_of(ctypes, kind.element)
        else:
            return None
    return offset


def _member_at(ctypes: CTypes, number: TypeId, offset: int, size: int, path: str) -> NamedRegister | None:
    """The member with this place and size; a path that ends at what contains bit-fields has no type."""
    kind = ctypes.strip(number)
    if isinstance(kind, CRecord):
        if any(one.bit_size is not None for one in kind.members):
            return NamedRegister(path) if offset == 0 and kind.size == size else None
        inside = (
            _member_at(ctypes, one.type, offset - one.bit_offset // 8, size, _joined(path, one.name))
            for one in kind.members
            if one.bit_offset // 8 <= offset < one.bit_offset // 8 + max(size_of(ctypes, one.type), 1)
        )
        return next((one for one in inside if one), None)
    if isinstance(kind, CArray):
        step = size_of(ctypes, kind.element)
        index, rest = divmod(offset, step) if step else (0, offset)
        return _member_at(ctypes, kind.element, rest, size, f"{path}[{index}]")
    if offset or size_of(ctypes, number) != size:
        return None
    return NamedRegister(path, _plain_number(ctypes, number))


def _joined(path: str, member: str) -> str:
    if not member:
        return path
    return f"{path}{member}" if path.endswith("->") else f"{path}.{member}"


def _plain_number(ctypes: CTypes, number: TypeId) -> TypeId | None:
    """The type without `volatile`, if it is that of an integer."""
    while isinstance(kind := ctypes.types[number], CQualified):
        number = kind.target
    integer = ctypes.strip(number)
    is_integer = isinstance(integer, CScalar) and integer.kind in ("signed", "unsigned")
    return number if is_integer and not is_qualified(ctypes, number) else None


# -- registers


def name_registers(
    ctypes: CTypes, accesses: Iterable[RegisterAccess], macros: Sequence[MacroAddress]
) -> dict[tuple[int, int], NamedRegister]:
    """Address and size -> the name; two registers never share one."""
    found: dict[tuple[int, int], NamedRegister] = {}
    taken: set[str] = set()
    for address, size in dict.fromkeys((one.address, one.size) for one in accesses):
        names = (*_names(ctypes, address, size, macros), NamedRegister(f"0x{address:x}"))
        last = NamedRegister(f"0x{address:x}_{size}")
        chosen = next((one for one in names if one.name not in taken), last)
        found[address, size] = chosen
        taken.add(chosen.name)
    return found


def _names(ctypes: CTypes, address: int, size: int, macros: Sequence[MacroAddress]) -> Iterator[NamedRegister]:
    for one in macros:
        if one.is_value:
            yield from [NamedRegister(one.macro)] if one.address == address else []
            continue
        record = find_type(ctypes, one.type)
        if record is None:
            yield from [NamedRegister(f"*{one.macro}")] if one.address == address else []
        elif 0 <= address - one.address < size_of(ctypes, record):
            member = _member_at(ctypes, record, address - one.address, size, f"{one.macro}->")
            yield from [member] if member else []


def make_register_stubs(
    ctypes: CTypes,
    accesses: Iterable[RegisterAccess],
    names: Mapping[tuple[int, int], NamedRegister],
    answers: int,
) -> tuple[CTypes, tuple[Stub, ...]]:
    """A stub for each access, and the types with those that the stubs need."""
    types: dict[TypeId, CType] = dict(ctypes.types)
    numbers = count(max(types, default=0) + 1)
    stubs, taken = [], set[str]()

    def add(kind: CType) -> TypeId:
        number = next(numbers)
        types[number] = kind
        return number

    for one in accesses:
        register = names[one.address, one.size]
        value = register.type
        if value is None:
            value = add(CScalar(_UNSIGNED[one.size], "unsigned", one.size))
        kind = CFunctionType(VOID_ID, (value,)) if one.is_write else CFunctionType(value, ())
        path = f"{WRITE_OF}{register.name}" if one.is_write else register.name
        word = re.sub(r"\W+", "_", register.name).strip("_")
        name = f"tightrope_{'write' if one.is_write else 'read'}_{word}"
        while name in taken:
            name += f"_{one.address:x}"
        taken.add(name)
        stubs.append(Stub(name, path, add(kind), 1 if one.is_stable else answers, register=one))
    return replace(ctypes, types=types), tuple(stubs)
