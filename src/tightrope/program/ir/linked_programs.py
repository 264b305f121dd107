"""Programs that are linked: what a module defines for others and leaves to others, and several programs as one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_program, without_bodies

_DEFINITION = re.compile(rf"define (.*?)(@{NAME})\(")
_DATA = re.compile(rf"(@{NAME}) = (\w+) ")
_WEAK_ALIAS = re.compile(rf"(@{NAME}) = weak(?:_odr)? (?:[a-z_]+ )*alias .*(@{NAME})")
_WEAK_REFERENCE = re.compile(rf"(@{NAME}) = extern_weak |declare extern_weak .*?(@{NAME})\(")
_INTERNAL = ("internal", "private")
_SHARED = ("common", "weak", "linkonce")  # several files may define it: `int x;` with -fcommon, attribute weak


@dataclass(frozen=True, slots=True)
class Outline:
    """A module without its code: quick to read, whatever its size. `declared` holds what the module declares, and its
    globals; no function in it has a body."""

    defined: frozenset[str]  # '@f', '@g': what others can use, and nobody else may define
    declared: Program
    functions: int  # how many have a body, static ones included


def read_outline(bitcode: bytes) -> Outline:
    lines = without_bodies(bitcode).split("\n")
    definitions = [found for line in lines if (found := _DEFINITION.match(line))]
    functions = {found[2] for found in definitions if not found[1].startswith((*_INTERNAL, *_SHARED))}
    declared = read_program("\n".join(line for line in lines if not line.startswith(("define ", "!"))))
    return Outline(frozenset(functions | defined_data(declared)), declared, len(definitions))


def defined_data(program: Program) -> set[str]:
    """Globals that are defined here and may be defined nowhere else."""
    kinds = {found[1]: found[2] for line in program.prelude if (found := _DATA.match(line))}
    return {
        name
        for name, one in program.globals.items()
        if one.is_defined and not one.is_internal and not kinds.get(name, "").startswith(_SHARED)
    }


def defined_functions(program: Program) -> set[str]:
    return {
        name
        for name, one in program.functions.items()
        if one.is_defined and not one.is_internal and not one.header.startswith(tuple(f"define {x}" for x in _SHARED))
    }


def replaceable_symbols(program: Program) -> dict[str, str]:
    """What another file may define in its place: weak or common symbols, and weak aliases. With each, the symbol of the
    definition here."""
    functions = {name for name, one in program.functions.items() if one.is_defined and not one.is_internal}
    data = {name for name, one in program.globals.items() if one.is_defined and not one.is_internal}
    own = (functions | data) - defined_functions(program) - defined_data(program)
    aliases = {found[1]: found[2] for line in program.prelude if (found := _WEAK_ALIAS.match(line))}
    return {name: name for name in sorted(own)} | aliases


def weak_references(program: Program) -> set[str]:
    """What the program uses and nobody need define: its address is NULL then."""
    found = (_WEAK_REFERENCE.match(line) for line in program.prelude)
    return {each[1] or each[2] for each in found if each}


class _Symbol(Protocol):
    @property
    def is_defined(self) -> bool: ...


_Kind = TypeVar("_Kind", bound=_Symbol)


def join_programs(programs: Sequence[Program]) -> Program:
    """The first program with what the others define, for analyses that look at all code that may run; what is executed
    is linked by `link_bitcode`. Of two `static` things with one name, the first is taken."""
    first, *others = programs
    if not others:
        return first
    return replace(
        first,
        functions=_defined([one.functions for one in programs]),
        globals=_defined([one.globals for one in programs]),
        named_types={name: body for one in reversed(programs) for name, body in one.named_types.items()},
        prelude=tuple(line for one in programs for line in one.prelude),
    )


def _defined(tables: Sequence[Mapping[str, _Kind]]) -> dict[str, _Kind]:
    joined: dict[str, _Kind] = {}
    for table in tables:
        for name, one in table.items():
            if name not in joined or (one.is_defined and not joined[name].is_defined):
                joined[name] = one
    return joined
