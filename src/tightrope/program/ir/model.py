"""The code under test: a module of LLVM IR as immutable values.

This module is independent of reading and running. Names keep LLVM's sigil (`%x`, `@f`) and its quotes, so that they can
be written back unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.location import Location
from tightrope.program.ir.types import FunctionType, Type


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: `i32 %x`, `ptr @table`, `i8 7`, `ptr getelementptr (...)`."""

    type: Type
    text: str  # without the type and without parameter attributes

    @property
    def is_local(self) -> bool:
        """True for an instruction's result or a parameter."""
        return self.text.startswith("%")


@dataclass(frozen=True, slots=True)
class Argument:
    """An operand of a call, with the attributes that change its meaning."""

    value: Value
    byval: Type | None = None  # the callee gets a copy of an object of this type
    sret: Type | None = None


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. Fields that an opcode does not have stay at their defaults."""

    opcode: str  # 'add', 'icmp', 'br', 'call' (also for tail calls), 'load', ...
    text: str  # LLVM's line(s), without metadata, ready to be written back
    type: Type  # of the result; VOID when there is none
    result: str | None = None  # '%x'
    operands: tuple[Value, ...] = ()
    #   in LLVM's order. br: (condition,) or (); switch: (value,); store: (value, pointer);
    #   load: (pointer,); gep: (base, *indices); select: (condition, a, b); call: empty, see arguments;
    #   ret: (value,) or (); alloca: (count,) when an element count is written; cmpxchg, atomicrmw: as written
    location: Location | None = None
    predicate: str = ""  # icmp, fcmp: 'slt', 'oeq' ...; atomicrmw: the operation
    flags: frozenset[str] = frozenset()  # 'volatile', 'atomic', 'inbounds', 'nuw', 'nsw', 'exact', 'tail' ...
    targets: tuple[
        str, ...
    ] = ()  # block names without %. br: (then, else) or (next,); switch: (default, *case targets)
    cases: tuple[int, ...] = ()  # switch: case values as unsigned numbers, in the order of targets[1:]
    incoming: tuple[tuple[Value, str], ...] = ()  # phi: (value, block name without %)
    source_type: Type | None = None  # gep: element type; alloca: allocated type; load: none (see type)
    indices: tuple[int, ...] = ()  # extractvalue, insertvalue
    callee: str = ""  # call: '@f', '%pointer', or a constant expression; '' for inline assembly
    is_assembly: bool = False
    function_type: FunctionType | None = None  # call: always filled in
    arguments: tuple[Argument, ...] = ()  # call


@dataclass(frozen=True, slots=True)
class Block:
    name: str  # without %
    instructions: tuple[Instruction, ...]
    places: tuple[Location, ...] = ()  # every place of the C source with code here, before locals were promoted

    @property
    def successors(self) -> tuple[str, ...]:
        return self.instructions[-1].targets


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str  # '%n'
    type: Type
    byval: Type | None = None
    sret: Type | None = None


@dataclass(frozen=True, slots=True)
class Function:
    name: str  # '@f'
    type: FunctionType
    parameters: tuple[Parameter, ...]
    blocks: tuple[Block, ...]  # empty: only declared
    header: str = ""  # the 'define ... {' line, without metadata
    location: Location | None = None  # where its C definition starts
    is_internal: bool = False

    @property
    def is_defined(self) -> bool:
        return bool(self.blocks)

    def instructions(self) -> Iterator[Instruction]:
        return (each for block in self.blocks for each in block.instructions)


@dataclass(frozen=True, slots=True)
class Global:
    name: str  # '@g'
    type: Type
    is_constant: bool
    is_defined: bool  # False: 'external global', storage is elsewhere
    initializer: str = ""
    is_internal: bool = False
    is_thread_local: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """All IR that was read."""

    functions: Mapping[str, Function]  # in the order of the text
    globals: Mapping[str, Global]
    named_types: Mapping[str, Type]  # '%struct.point' -> body; opaque types are absent
    data_layout: str
    triple: str
    prelude: tuple[str, ...] = field(default=())
    #   every line outside function bodies that must be written back: source_filename, layout, types,
    #   globals, declarations, attributes, comdat, module asm. No metadata, no comments.
