"""Variables that only the file itself can access: static ones whose address it never hands out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Instruction, Program

_SYMBOL = re.compile(rf"[@%]{NAME}")
_HARMLESS = ("@llvm.mem", "@llvm.lifetime", "@llvm.dbg", "@tightrope_")  # calls that keep no pointer


def find_private_variables(program: Program) -> frozenset[str]:
    """Names of static variables ('@count') to which no pointer from outside can lead."""
    static = {name for name, one in program.globals.items() if one.is_internal and one.is_defined}
    leaked = {name for one in program.globals.values() for name in _SYMBOL.findall(one.initializer)}
    for function in program.functions.values():
        leaked.update(_leaked_by(function, static))
    return frozenset(static - leaked)


def _leaked_by(function: Function, static: Collection[str]) -> Iterator[str]:
    """Of these variables, those whose address the function may store, pass on or return."""
    owners: dict[str, set[str]] = {}  # pointer in the function -> the variables into which it leads
    for each in function.instructions():
        found = [
            (word, name)
            for word in _SYMBOL.findall(each.text)
            for name in ({word} & set(static) if word.startswith("@") else owners.get(word, ()))
        ]
        if each.opcode == "getelementptr" and each.result:
            owners[each.result] = {name for _, name in found}
            continue
        yield from (name for word, name in found if not _is_access(each, word))


def _is_access(each: Instruction, word: str) -> bool:
    """Whether the instruction only reads, writes or compares at this address."""
    match each.opcode:
        case "load" | "icmp" | "getelementptr":
            return True
        case "store":
            return word not in _SYMBOL.findall(each.operands[0].text)
        case "call":
            return each.callee.startswith(_HARMLESS)
    return False
