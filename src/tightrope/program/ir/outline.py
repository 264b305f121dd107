"""What a module defines for others and what it leaves to others, without its code: quick to read, whatever its size."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_program, without_bodies

_DEFINITION = re.compile(rf"define (.*?)(@{NAME})\(")
_DATA = re.compile(rf"(@{NAME}) = (\w+) ")
_INTERNAL = ("internal", "private")
_SHARED = ("common", "weak", "linkonce")  # several files may define it: `int x;` with -fcommon, attribute weak


@dataclass(frozen=True, slots=True)
class Outline:
    """`declared` holds what the module declares, and its globals; no function in it has a body."""

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
