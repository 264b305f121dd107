"""Constants of the IR as values: operands, addresses of globals, initialisers."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

from tightrope.encoding.values import (
    NUMBER,
    PIECE,
    WORD,
    Cells,
    FunctionPlace,
    Nature,
    Object,
    Pointer,
    Scalar,
    Value,
    address,
    as_pointer,
    moved,
)
from tightrope.errors import InternalError
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply
from tightrope.expr.terms import TermTable
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import find_close, split_commas
from tightrope.program.ir.model import Global, Program
from tightrope.program.ir.model import Value as Operand
from tightrope.program.ir.read_operand import read_value
from tightrope.program.ir.read_type import read_type
from tightrope.program.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from tightrope.weaving.weave_function import scalar_bits

_INTEGER = re.compile(r"-?\d+")
_NOTHING = ("undef", "poison", "zeroinitializer", "null", "none")
_AGGREGATES = (StructType, ArrayType, VectorType)
_EXPRESSION = re.compile(r"([a-z]+)((?: [a-z]+(?:\([^()]*\))?)*) ?\(")
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")
_GIVEN = "@tightrope_object_"
_OURS = "@tightrope_"
_STREAMS = ("@stdin", "@stdout", "@stderr")


class NotEncodedError(Exception):
    """Something cannot be encoded; the text names it."""


class ProgramConstants:
    """The constants of one program, and the objects of its globals."""

    def __init__(self, table: TermTable, program: Program) -> None:
        self.table, self.program, self.layout = table, program, Layout(program)
        self._known: dict[tuple[Type, str], Value] = {}
        self._objects: dict[str, Object] = {}

    def value(self, operand: Operand) -> Value:
        """The value of an operand that is not a local."""
        key = operand.type, operand.text
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._read(operand.type, operand.text)
        return known

    def object_of(self, name: str) -> Object:
        """The object of a global."""
        known = self._objects.get(name)
        if known is None:
            known = self._objects[name] = self._make_object(self.program.globals[name])
        return known

    def zero(self, kind: Type) -> Value:
        if self.is_aggregate(kind):
            return tuple(self.zero_scalar(leaf) for leaf, _ in self.layout.leaves(kind))
        return self.zero_scalar(kind)

    def is_aggregate(self, kind: Type) -> bool:
        return isinstance(kind, (NamedType, *_AGGREGATES))

    def zero_scalar(self, kind: Type) -> Scalar:
        bits = scalar_bits(kind)
        if not bits:
            raise NotEncodedError(f"a value of type {kind}")
        if isinstance(kind, PointerType):
            return address(self.table, NUMBER)
        return self.table.float_constant(0, bits) if isinstance(kind, FloatType) else self.table.constant(0, bits)

    # -- objects

    def _make_object(self, variable: Global) -> Object:
        if variable.name in _STREAMS and not variable.is_defined:
            return self._make_stream(variable)
        if not variable.is_defined:
            raise NotEncodedError(f"`{variable.name[1:]}`, which is defined elsewhere")
        nature = Nature.CONSTANT if variable.is_constant else Nature.MUTABLE
        if variable.name.startswith(_GIVEN):
            nature = Nature.GIVEN
        is_own = variable.is_internal and not variable.name.startswith(_OURS)  # the driver defines others
        made = Object(variable.name, self.layout.size_of(variable.type), nature, is_sized_by_program=is_own)
        self._objects[variable.name] = made  # its initialiser may contain its own address
        made.initial = self._cells(variable.type, variable.initializer)
        return made

    def _make_stream(self, variable: Global) -> Object:
        """A standard stream: the variable points to something of the library's own. Only its address counts."""
        stream = Object(f"{variable.name} stream", 1, Nature.MUTABLE)
        made = Object(variable.name, self.layout.size_of(variable.type), Nature.MUTABLE)
        made.initial = {0: (made.size, address(self.table, stream))}
        return made

    def _cells(self, kind: Type, text: str) -> Cells:
        cells: Cells = {}
        for leaf, offset, value in self._leaves(kind, text, 0):
            if value is PIECE:
                cells.update({offset + byte: (1, PIECE) for byte in range(self.layout.size_of(leaf))})
            elif value is not None:
                cells[offset] = self.layout.store_size_of(leaf), value
        return cells

    def _leaves(self, kind: Type, text: str, at: int) -> Iterator[tuple[Type, int, Scalar | None]]:
        """The scalars of an initialiser that are not zero; a value that cannot be encoded is a PIECE."""
        body = self.layout.body(kind)
        if text in _NOTHING:
            return
        if not isinstance(body, _AGGREGATES):
            yield body, at, self._scalar_or_piece(body, text)
        elif text.startswith('c"'):
            yield from self._characters(text, at)
        elif isinstance(body, VectorType) or text.startswith("splat"):
            yield body, at, PIECE
        else:
            for index, (element, inner) in enumerate(self._elements(body, text)):
                yield from self._leaves(element, inner, at + self.layout.offset_of(body, index))

    def _scalar_or_piece(self, body: Type, text: str) -> Scalar:
        try:
            value = self._read(body, text)
        except NotEncodedError:
            return PIECE
        assert not isinstance(value, tuple)
        return value

    def _characters(self, text: str, at: int) -> Iterator[tuple[Type, int, Scalar | None]]:
        for index, byte in enumerate(unescaped(text)):
            if byte:
                yield IntType(8), at + index, self.table.constant(byte, 8)

    def _elements(self, body: Type, text: str) -> Iterator[tuple[Type, str]]:
        opening = next(index for index, mark in enumerate(text) if mark in "[{<")
        inner = text[opening + 1 : -1]
        if text.startswith("<{"):
            inner = text[2:-2]
        for part in split_commas(inner.strip()) if inner.strip() else ():
            element = read_value(part)
            yield element.type, element.text

    # -- operands

    def _read(self, kind: Type, text: str) -> Value:
        if text in _NOTHING:
            return self.zero(kind)
        if self.is_aggregate(kind):
            return self._aggregate(kind, text)
        bits = scalar_bits(kind)
        if not bits:
            raise NotEncodedError(f"a value of type {kind}")
        if text in ("true", "false"):
            return self.table.constant(int(text == "true"), 1)
        if isinstance(kind, IntType) and _INTEGER.fullmatch(text):
            return self.table.constant(int(text), bits)
        if isinstance(kind, FloatType):
            return self.table.float_constant(_float_bits(text, bits), bits)
        return self._address(text)

    def _aggregate(self, kind: Type, text: str) -> Value:
        found = {offset: value for _, offset, value in self._leaves(kind, text, 0)}
        if any(value is PIECE for value in found.values()):
            raise NotEncodedError(f"a constant of type {kind}")
        leaves = self.layout.leaves(kind)
        zeros = self.zero(kind)
        assert isinstance(zeros, tuple)
        pairs = zip(leaves, zeros, strict=True)
        values = [(found.get(offset), zero) for (_, offset), zero in pairs]
        return tuple(zero if value is None else value for value, zero in values)

    def _address(self, text: str) -> Scalar:
        if text.startswith("@"):
            return self._symbol(text)
        if text.startswith(("no_cfi ", "dso_local_equivalent ")):
            return self._symbol(text.partition(" ")[2])
        found = _EXPRESSION.match(text)
        if not found:
            raise NotEncodedError(f"the constant `{text}`")
        inner = text[found.end() : find_close(text, found.end() - 1)]
        return self._expression(found[1], inner, text)

    def _symbol(self, name: str) -> Scalar:
        if name in self.program.globals:
            return address(self.table, self.object_of(name))
        if name in self.program.functions:
            return address(self.table, FunctionPlace(name))
        raise NotEncodedError(f"`{name[1:]}`")

    def _expression(self, word: str, inner: str, text: str) -> Scalar:
        if word == "getelementptr":
            return self._element_address(inner)
        if word in ("ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"):
            value = self.value(read_value(inner.rpartition(" to ")[0]))
            target = read_type(inner.rpartition(" to ")[2], 0)[0]
            if scalar_bits(target) == WORD and not isinstance(value, tuple):
                return value
        if word in ("add", "sub"):
            one, other = (self.value(read_value(part)) for part in split_commas(inner))
            found = _sum(self.table, word, one, other)
            if found is not None:
                return found
        raise NotEncodedError(f"the constant `{text}`")

    def _element_address(self, inner: str) -> Scalar:
        kind_text, base_text, *indices = split_commas(inner)
        kind, base = read_type(kind_text, 0)[0], self.value(read_value(base_text))
        if isinstance(base, tuple):
            raise NotEncodedError("a vector of addresses")
        offset = self._constant_offset(kind, [read_value(index) for index in indices])
        amount = self.table.constant(offset, WORD)
        return moved(self.table, as_pointer(self.table, base), lambda old: apply(self.table, Op.ADD, old, amount))

    def _constant_offset(self, kind: Type, indices: Sequence[Operand]) -> int:
        offset = 0
        for position, index in enumerate(indices):
            if not _INTEGER.fullmatch(index.text):
                raise NotEncodedError(f"the index `{index.text}`")
            number = int(index.text)
            if position:
                body = self.layout.body(kind)
                offset += self.layout.offset_of(body, number)
                kind = body.elements[number] if isinstance(body, StructType) else _element(body)
            else:
                offset += number * self.layout.size_of(kind)
        return offset


def _element(body: Type) -> Type:
    if not isinstance(body, ArrayType | VectorType):
        raise InternalError(f"{body} has no elements")
    return body.element


def _sum(table: TermTable, word: str, one: Value, other: Value) -> Scalar | None:
    """The sum or difference of two constants, one of which may be an address."""
    op = Op.ADD if word == "add" else Op.SUB
    if isinstance(one, tuple) or isinstance(other, tuple | Pointer):
        return None
    if isinstance(one, Pointer):
        return moved(table, one, lambda offset: apply(table, op, offset, other))
    return apply(table, op, one, other)


def _float_bits(text: str, bits: int) -> int:
    """LLVM writes floats in decimal where that is exact, otherwise the bits of the double."""
    if text.startswith("0x"):
        (number,) = struct.unpack(">d", bytes.fromhex(text[2:].rjust(16, "0")))
        raw = int(text, 16)
    else:
        try:
            number = float(text)
        except ValueError:
            raise NotEncodedError(f"the constant `{text}`") from None
        raw = int.from_bytes(struct.pack(">d", number), "big")
    if bits == 64:
        return raw
    if number != number:  # NaN: the upper bits of its payload
        return (raw >> 32 & 0x80000000) | 0x7F800000 | (raw >> 29 & 0x7FFFFF)
    return int.from_bytes(struct.pack(">f", number), "big")


def unescaped(text: str) -> bytes:
    """The bytes of `c"ab\\00"`."""
    raw = text[text.index('"') + 1 : text.rindex('"')].encode("latin-1", "replace")
    return _ESCAPE.sub(lambda code: b"\\" if code[1] == b"\\" else bytes.fromhex(code[1].decode()), raw)
