"""Sizes, alignments and offsets of LLVM types, as the data layout string of the program rules them.

    e-m:e-p270:32:32-i64:64-i128:128-f80:128-n8:16:32:64-S128
    little endian, pointers of address space 270 have 32 bits, i64 is aligned to 64 bits ...

What the string leaves out has LLVM's default (`_DEFAULTS`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.program.ir.model import Program
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

Leaf = tuple[Type, int]  # a scalar and its byte offset

_DEFAULTS = "p:64:64-i1:8-i8:8-i16:16-i32:32-i64:32-f16:16-f32:32-f64:64-f128:128-v64:64-v128:128-a:0"
_ALIGNMENT = re.compile(r"([ifva])(\d*):(\d+)(?::\d+)*")
_POINTER = re.compile(r"p[a-z]*(\d*):(\d+):(\d+)(?::\d+)*")
_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}


@dataclass(frozen=True, slots=True)
class DataLayout:
    """A data layout string, read. Sizes and alignments in bits."""

    alignments: Mapping[tuple[str, int], int]  # ('i', 64) -> 64; ('a', 0) is that of aggregates
    pointers: Mapping[int, tuple[int, int]]  # address space -> size, alignment
    is_little_endian: bool = True

    def align_integer(self, bits: int) -> int:
        """The alignment given for this width, else for the next larger one, else for the largest."""
        widths = sorted(width for kind, width in self.alignments if kind == "i")
        chosen = next((width for width in widths if width >= bits), widths[-1])
        return self.alignments["i", chosen]

    def align_float(self, bits: int) -> int:
        return self.alignments.get(("f", bits)) or _round_to_power(_bytes(bits)) * 8

    def align_vector(self, bits: int) -> int:
        return self.alignments.get(("v", bits)) or _round_to_power(_bytes(bits)) * 8

    def pointer(self, address_space: int) -> tuple[int, int]:
        return self.pointers.get(address_space) or self.pointers[0]


def read_data_layout(text: str) -> DataLayout:
    """What a string such as `e-m:e-i64:64-f80:128` rules."""
    alignments: dict[tuple[str, int], int] = {}
    pointers: dict[int, tuple[int, int]] = {}
    parts = f"{_DEFAULTS}-{text}".split("-")
    for part in parts:
        if found := _ALIGNMENT.fullmatch(part):
            alignments[found.group(1), int(found.group(2) or 0)] = int(found.group(3))
        elif found := _POINTER.fullmatch(part):
            pointers[int(found.group(1) or 0)] = int(found.group(2)), int(found.group(3))
    return DataLayout(alignments, pointers, is_little_endian="E" not in parts)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """How the types of a program lie in memory. All results are in bytes.

    A type without a size (void, an opaque struct) raises ValueError.
    """

    program: Program
    rules: DataLayout = field(init=False)
    _sizes: dict[Type, int] = field(default_factory=dict, init=False, repr=False)
    _alignments: dict[Type, int] = field(default_factory=dict, init=False, repr=False)
    _offsets: dict[StructType, tuple[int, ...]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", read_data_layout(self.program.data_layout))

    def body(self, kind: Type) -> Type:
        """The type itself where the program gives it a name."""
        while isinstance(kind, NamedType):
            if kind.name not in self.program.named_types:
                raise ValueError(f"{kind} is opaque: it has no size")
            kind = self.program.named_types[kind.name]
        return kind

    def size_of(self, kind: Type) -> int:
        """How far apart the elements of an array of this type are."""
        known = self._sizes.get(kind)
        if known is None:
            known = self._sizes[kind] = _round_up(self.store_size_of(kind), self.align_of(kind))
        return known

    def store_size_of(self, kind: Type) -> int:
        """How many bytes a store of this type writes."""
        return _bytes(self.bits_of(kind))

    def bits_of(self, kind: Type) -> int:
        """How many bits a value has; for aggregates, those of the memory they take."""
        kind = self.body(kind)
        if isinstance(kind, IntType):
            return kind.bits
        if isinstance(kind, FloatType):
            return _FLOAT_BITS[kind.name]
        if isinstance(kind, PointerType):
            return self.rules.pointer(kind.address_space)[0]
        if isinstance(kind, VectorType):
            return kind.count * self.bits_of(kind.element)
        if isinstance(kind, ArrayType):
            return kind.count * self.size_of(kind.element) * 8
        if isinstance(kind, StructType):
            return self._offsets_of(kind)[-1] * 8
        raise ValueError(f"{kind} has no size")

    def align_of(self, kind: Type) -> int:
        """The alignment that the ABI demands."""
        known = self._alignments.get(kind)
        if known is None:
            known = self._alignments[kind] = max(1, self._align(self.body(kind)) // 8)
        return known

    def _align(self, kind: Type) -> int:
        """In bits."""
        if isinstance(kind, IntType):
            return self.rules.align_integer(kind.bits)
        if isinstance(kind, FloatType):
            return self.rules.align_float(_FLOAT_BITS[kind.name])
        if isinstance(kind, PointerType):
            return self.rules.pointer(kind.address_space)[1]
        if isinstance(kind, VectorType):
            return self.rules.align_vector(self.bits_of(kind))
        if isinstance(kind, ArrayType):
            return self.align_of(kind.element) * 8
        if isinstance(kind, StructType):
            return self._align_struct(kind)
        raise ValueError(f"{kind} has no alignment")

    def _align_struct(self, kind: StructType) -> int:
        if kind.is_packed:
            return 8
        return max([self.rules.alignments["a", 0], *(self.align_of(element) * 8 for element in kind.elements)])

    def offset_of(self, kind: Type, index: int) -> int:
        """Where an element of a struct, array or vector begins."""
        kind = self.body(kind)
        if isinstance(kind, StructType):
            return self._offsets_of(kind)[:-1][index]
        if isinstance(kind, ArrayType | VectorType):
            return index * self.size_of(kind.element)
        raise ValueError(f"{kind} has no elements")

    def _offsets_of(self, kind: StructType) -> tuple[int, ...]:
        """The offset of each element, then the size with the padding at the end."""
        known = self._offsets.get(kind)
        if known is None:
            known = self._offsets[kind] = tuple(self._place_elements(kind))
        return known

    def _place_elements(self, kind: StructType) -> Iterator[int]:
        at = 0
        for element in kind.elements:
            at = at if kind.is_packed else _round_up(at, self.align_of(element))
            yield at
            at += self.size_of(element)
        yield _round_up(at, max(1, self._align_struct(kind) // 8))

    def leaves(self, kind: Type) -> tuple[Leaf, ...]:
        """Every scalar of the type with its offset. A vector of bits (`<8 x i1>`) is a leaf itself."""
        return tuple(self._find_leaves(kind, 0))

    def _find_leaves(self, kind: Type, at: int) -> Iterator[Leaf]:
        kind = self.body(kind)
        if isinstance(kind, StructType):
            for index, element in enumerate(kind.elements):
                yield from self._find_leaves(element, at + self.offset_of(kind, index))
        elif isinstance(kind, ArrayType) or (isinstance(kind, VectorType) and not self.bits_of(kind.element) % 8):
            inner = tuple(self._find_leaves(kind.element, 0))
            step = self.size_of(kind.element) if isinstance(kind, ArrayType) else self.store_size_of(kind.element)
            for index in range(kind.count):
                yield from ((leaf, at + index * step + offset) for leaf, offset in inner)
        else:
            yield kind, at


def _bytes(bits: int) -> int:
    return (bits + 7) // 8


def _round_up(number: int, step: int) -> int:
    return -(-number // step) * step


def _round_to_power(number: int) -> int:
    """The smallest power of two that is at least the number."""
    return 1 << max(0, number - 1).bit_length()
