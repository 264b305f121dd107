"""C types as the debug information tells them. A type refers to others by number, so that
recursive structures stay plain data: `CTypes.types[number]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tightrope.location import Location

TypeId = int
VOID_ID: TypeId = 0  # `void`, always present
BYTE_ID: TypeId = -1  # `unsigned char`, for memory of unknown type


@dataclass(frozen=True, slots=True)
class CVoid:
    pass


@dataclass(frozen=True, slots=True)
class CScalar:
    """`kind`: signed, unsigned, char (plain char), bool, float, complex, vector (`vector_size`)."""

    name: str  # 'unsigned int', 'double', '_Bool' ...: valid C
    kind: str
    size: int  # bytes


@dataclass(frozen=True, slots=True)
class CEnum:
    tag: str  # '' when anonymous
    size: int
    is_signed: bool
    members: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CPointer:
    target: TypeId


@dataclass(frozen=True, slots=True)
class CArray:
    element: TypeId
    count: int | None  # None: flexible or incomplete. int a[2][3] is an array of 2 arrays of 3.


@dataclass(frozen=True, slots=True)
class CMember:
    name: str  # '' for an anonymous struct or union member
    type: TypeId
    bit_offset: int
    bit_size: int | None = None  # only for bit-fields


@dataclass(frozen=True, slots=True)
class CRecord:
    kind: str  # 'struct' or 'union'
    tag: str  # '' when anonymous
    size: int
    members: tuple[CMember, ...]
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class CFunctionType:
    result: TypeId
    parameters: tuple[TypeId, ...]
    is_variadic: bool = False  # without parameters: declared as `f()`, that is, with no prototype


@dataclass(frozen=True, slots=True)
class CTypedef:
    name: str
    target: TypeId


@dataclass(frozen=True, slots=True)
class CQualified:
    qualifier: str  # const, volatile, restrict, _Atomic
    target: TypeId


CType = CVoid | CScalar | CEnum | CPointer | CArray | CRecord | CFunctionType | CTypedef | CQualified


@dataclass(frozen=True, slots=True)
class CParameter:
    name: str  # '' when the definition leaves it out
    type: TypeId
    location: Location | None = None  # of the name, with column, where known


@dataclass(frozen=True, slots=True)
class CFunction:
    """A function definition as C sees it."""

    name: str
    type: TypeId  # a CFunctionType
    result: TypeId
    parameters: tuple[CParameter, ...]
    location: Location
    is_static: bool
    is_variadic: bool = False
    is_prototyped: bool = True


@dataclass(frozen=True, slots=True)
class CGlobal:
    name: str  # in C; the IR name differs for static locals ('calls' is '@work.calls')
    ir_name: str  # '@counter'
    type: TypeId
    location: Location
    is_static: bool
    owner: str = ""  # the function that a static local belongs to


@dataclass(frozen=True, slots=True)
class CTypes:
    """What the debug information of one program says."""

    types: Mapping[TypeId, CType]
    functions: Mapping[str, CFunction]  # by C name
    globals: Mapping[str, CGlobal]  # by IR name

    def strip(self, number: TypeId) -> CType:
        """The type without typedefs and qualifiers."""
        kind = self.types[number]
        while isinstance(kind, CTypedef | CQualified):
            kind = self.types[kind.target]
        return kind
