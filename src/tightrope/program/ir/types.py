"""LLVM types as values. `str(type)` is LLVM's own spelling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IntType:
    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class FloatType:
    """`name` is LLVM's: half, bfloat, float, double, x86_fp80, fp128, ppc_fp128."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class PointerType:
    address_space: int = 0

    def __str__(self) -> str:
        return f"ptr addrspace({self.address_space})" if self.address_space else "ptr"


@dataclass(frozen=True, slots=True)
class ArrayType:
    count: int
    element: Type

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True, slots=True)
class VectorType:
    count: int
    element: Type

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>"


@dataclass(frozen=True, slots=True)
class StructType:
    """A literal struct `{ i32, ptr }`, or `<{ ... }>` when packed."""

    elements: tuple[Type, ...]
    is_packed: bool = False

    def __str__(self) -> str:
        inner = "{ " + ", ".join(map(str, self.elements)) + " }" if self.elements else "{}"
        return f"<{inner}>" if self.is_packed else inner


@dataclass(frozen=True, slots=True)
class NamedType:
    """`%struct.point`; its body is in `Program.named_types` (absent there: opaque)."""

    name: str  # with the per cent sign, quoted where LLVM quotes it

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class FunctionType:
    result: Type
    parameters: tuple[Type, ...]
    is_variadic: bool = False

    def __str__(self) -> str:
        inner = [*map(str, self.parameters), *(["..."] if self.is_variadic else [])]
        return f"{self.result} ({', '.join(inner)})"


@dataclass(frozen=True, slots=True)
class OtherType:
    """void, label, metadata, token: nothing that has a size."""

    name: str

    def __str__(self) -> str:
        return self.name


Type = IntType | FloatType | PointerType | ArrayType | VectorType | StructType | NamedType | FunctionType | OtherType

VOID = OtherType("void")
POINTER = PointerType()
BOOL = IntType(1)
