"""Text -> LLVM types. A type's text means the same in every module, hence the memory of what was read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from tightrope.program.ir.lexer import NAME, find_close, split_commas
from tightrope.program.ir.types import (
    BOOL,
    POINTER,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedType,
    OtherType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

UNKNOWN = OtherType("unknown")  # the result of an instruction that the reader does not know

_FLOATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")
_OTHERS = ("void", "label", "metadata", "token", "x86_amx")
SIMPLE: dict[str, Type] = {
    **{name: FloatType(name) for name in _FLOATS},
    **{name: OtherType(name) for name in _OTHERS},
    **{f"i{bits}": IntType(bits) for bits in (1, 8, 16, 32, 64, 128)},
    "ptr": POINTER,
}
_WORD = re.compile(rf"%{NAME}|[a-z]\w*")
_INT = re.compile(r"i(\d+)")
_COUNTED = re.compile(r"[\[<](\d+) x ")
_SPACE = re.compile(r" addrspace\((\d+)\)")

STARTS = re.compile(rf"(?:i\d+|ptr|target|{'|'.join(_FLOATS + _OTHERS)})\b|[%\[<{{]")
"""Matches where a type begins: tells a type from an attribute in front of it."""


@lru_cache(maxsize=1 << 14)
def parse_type(text: str) -> Type:
    """The type that the whole text spells."""
    known = SIMPLE.get(text)
    if known is not None:
        return known
    kind, end = read_type(text, 0)
    if end != len(text):
        raise ValueError(f"not a type: {text}")
    return kind


def read_type(text: str, at: int) -> tuple[Type, int]:
    """The type at this place, and where its text ends. `T (P, ...)` is a function type."""
    kind, end = _read_first(text, at)
    while text.startswith(" (", end):
        close = find_close(text, end + 1)
        kind, end = _function_type(kind, text[end + 2 : close]), close + 1
    return kind, end


def _read_first(text: str, at: int) -> tuple[Type, int]:
    mark = text[at]
    if mark in "[<{":
        end = find_close(text, at) + 1
        return _parse_bracketed(text[at:end]), end
    found = _WORD.match(text, at)
    if not found:
        raise ValueError(f"no type at: {text[at:]}")
    word, end = found.group(), found.end()
    if word == "ptr":
        space = _SPACE.match(text, end)
        return (PointerType(int(space.group(1))), space.end()) if space else (POINTER, end)
    if word == "target":
        end = find_close(text, end) + 1
        return OtherType(text[at:end]), end
    return _parse_word(word), end


@lru_cache(maxsize=1 << 14)
def _parse_word(word: str) -> Type:
    known = SIMPLE.get(word)
    if known is not None:
        return known
    if word.startswith("%"):
        return NamedType(word)
    number = _INT.fullmatch(word)
    if not number:
        raise ValueError(f"not a type: {word}")
    return IntType(int(number.group(1)))


@lru_cache(maxsize=1 << 14)
def _parse_bracketed(text: str) -> Type:
    """`[4 x i8]`, `<4 x i32>`, `{ i32, ptr }` or `<{ i8, i32 }>`."""
    if text.startswith("<{"):
        return StructType(_parse_list(text[2:-2]), is_packed=True)
    if text.startswith("{"):
        return StructType(_parse_list(text[1:-1]))
    counted = _COUNTED.match(text)
    if not counted:
        return OtherType(text)  # scalable vectors have no size that we could know
    element = parse_type(text[counted.end() : -1])
    count = int(counted.group(1))
    return ArrayType(count, element) if text[0] == "[" else VectorType(count, element)


def _parse_list(text: str) -> tuple[Type, ...]:
    text = text.strip()
    return tuple(parse_type(part) for part in split_commas(text)) if text else ()


def _function_type(result: Type, parameters: str) -> FunctionType:
    parts = split_commas(parameters) if parameters else []
    is_variadic = bool(parts) and parts[-1] == "..."
    return FunctionType(result, tuple(parse_type(part) for part in parts if part != "..."), is_variadic)


def truth_type(operand: Type) -> Type:
    """What a comparison of such operands gives: i1, or as many of them as a vector has elements."""
    return VectorType(operand.count, BOOL) if isinstance(operand, VectorType) else BOOL


def element_type(kind: Type, indices: tuple[int, ...], named_types: Mapping[str, Type]) -> Type:
    """The type of a part of an aggregate, found as `extractvalue` finds it."""
    for index in indices:
        if isinstance(kind, NamedType):
            kind = named_types[kind.name]
        if isinstance(kind, StructType):
            kind = kind.elements[index]
        elif isinstance(kind, ArrayType | VectorType):
            kind = kind.element
        else:
            raise ValueError(f"{kind} has no parts")
    return kind
