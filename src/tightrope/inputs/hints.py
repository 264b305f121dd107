"""Hints for choosing the shape of inputs: what the code does with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from tightrope.program.declarations.c_types import CFunction, CQualified, CRecord, CTypedef, CTypes, TypeId
from tightrope.program.declarations.declare import declare, is_spellable
from tightrope.program.declarations.interface import Interface
from tightrope.program.flow.call_graph import build_call_graph, reachable_functions
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.program.ir.model import Function, Program
from tightrope.program.pointers.handed_pointers import HandedCalls, find_handed_calls
from tightrope.program.pointers.pointer_flow import find_pointer_flow, parameter_numbers
from tightrope.program.pointers.pointer_use import Holder, PointerUses, Use, find_pointer_uses
from tightrope.program.pointers.touched_members import TouchedMembers, touched_members

MOST_FUNCTIONS = 4  # that a function pointer may lead to


class Hints(Protocol):
    def use(self, holder: Holder) -> Use: ...

    def is_never_null(self, holder: Holder) -> bool:
        """Whether the declaration says so: `int a[static 4]`, `__attribute__((nonnull))`."""
        ...

    def may_touch(self, record: str, offset: int) -> bool:
        """Whether any code reads the member at this byte of the record."""
        ...

    def functions_like(self, type: TypeId) -> tuple[str, ...]:
        """Functions of the program with this type."""
        ...

    @property
    def longest_text(self) -> int:
        """Characters of the longest text that the code compares with, or reads by a format; 0 for none."""
        ...

    @property
    def lean(self) -> Hints:
        """The same, for as few inputs as possible: what only code that we do not have may read counts as unread. A run
        that reads it all the same feels the end of the shape."""
        ...

    @property
    def handed(self) -> HandedCalls:
        """What is given to functions that the program does not define."""
        ...


class _NoHints:
    def use(self, holder: Holder) -> Use:
        return Use()

    def is_never_null(self, holder: Holder) -> bool:
        return False

    def may_touch(self, record: str, offset: int) -> bool:
        return True

    def functions_like(self, type: TypeId) -> tuple[str, ...]:
        return ()

    @property
    def longest_text(self) -> int:
        return 0

    @property
    def lean(self) -> Hints:
        return self

    @property
    def handed(self) -> HandedCalls:
        return {}


@dataclass(frozen=True, slots=True)
class CodeHints:
    """Hints from the code of the program itself."""

    ctypes: CTypes
    uses: PointerUses
    touched: TouchedMembers
    functions: tuple[CFunction, ...]  # that a pointer may lead to
    never_null: frozenset[Holder] = frozenset()
    handed: HandedCalls = field(default_factory=dict)
    longest_text: int = 0

    def use(self, holder: Holder) -> Use:
        return self.uses.of(holder)

    def is_never_null(self, holder: Holder) -> bool:
        return holder in self.never_null

    def may_touch(self, record: str, offset: int) -> bool:
        return self.touched.may_touch(record, offset)

    @property
    def lean(self) -> Hints:
        return replace(self, touched=self.touched.likely or self.touched)

    def functions_like(self, type: TypeId) -> tuple[str, ...]:
        wanted = _signature(self.ctypes, type)
        fitting = [one.name for one in self.functions if wanted and _signature(self.ctypes, one.type) == wanted]
        return tuple(fitting[:MOST_FUNCTIONS])


def _signature(ctypes: CTypes, number: TypeId) -> str:
    return declare(ctypes, number, "f") if is_spellable(ctypes, number) else ""


def find_hints(program: Program, ctypes: CTypes, interface: Interface) -> CodeHints:
    """Hints from the function and everything that it may call; `program` contains all their code."""
    others = sorted(
        (one for one in ctypes.functions.values() if one.name not in (interface.name, "main")),
        key=lambda one: (one.location.file != interface.function.location.file, one.location),
    )
    name = f"@{interface.name}"
    stubs = {f"@{one.name}" for one in interface.missing_functions}  # replaced by stubs, which read nothing
    calls = build_call_graph(program)
    flow = find_pointer_flow(program, name, ctypes, stubs, calls)
    handed = find_handed_calls(program, name, tuple(reachable_functions(program, name, calls)))
    uses, touched = find_pointer_uses(program, name, flow=flow), touched_members(program, name, flow=flow)
    longest = collect_constants(program, name).room
    return CodeHints(
        ctypes, uses, touched, tuple(others), frozenset(_never_null(program.functions[name])), handed, longest
    )


def _never_null(function: Function) -> Iterator[Holder]:
    """Parameters that the compiler marked in the header of the IR, because of their declaration."""
    for number, name in parameter_numbers(function):
        if re.search(rf"\b(nonnull|dereferenceable)\b[^,]* {re.escape(name)}[,)]", function.header):
            yield ("parameter", number)


NO_HINTS: Hints = _NoHints()


def record_name(ctypes: CTypes, number: TypeId) -> str:
    """The name of a record in IR: its tag, else the typedef that names it; '' for none."""
    name, kind = "", ctypes.types[number]
    while isinstance(kind, CTypedef | CQualified):
        name = kind.name if isinstance(kind, CTypedef) else name
        kind = ctypes.types[kind.target]
    return (kind.tag or name) if isinstance(kind, CRecord) else ""
