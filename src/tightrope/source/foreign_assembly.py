"""Which inline assembly of a file this machine does not know: its assembler is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tightrope.program.ir.assembly import (
    NO_ASSEMBLY,
    PREFIX,
    AssemblyInstruction,
    AssemblyStatement,
    ForeignAssembly,
    find_statements,
    module_assembly,
    read_instructions,
    write_trial,
)
from tightrope.source.compile_request import TIME_LIMIT, CompileRequest, temporary_folder
from tightrope.source.toolchain import Compiler

MOST_SHOWN = 4
_NUMBERED = re.compile(r"/\*tightrope (\d+)\*/")
_UNKNOWN = re.compile(r"(?:invalid instruction|unrecognized instruction|unknown) mnemonic '([^']+)'")
# Registers of other processors are symbols to an assembler for x86: it takes `mov %eax, sp` for a store.
_REGISTERS = re.compile(r"(?<![%\w$.])(?:sp|lr|pc|ra|gp|tp|r\d+|x\d+|w\d+|[ats]\d+)\b")


def find_foreign_assembly(compiler: Compiler, raw: str) -> ForeignAssembly:
    """Of a module's text. Costs nothing where there is no assembly, else one call of the compiler."""
    statements, outside = find_statements(raw), module_assembly(raw)
    if not statements and not outside:
        return NO_ASSEMBLY
    said = _assemble(compiler, write_trial(raw, statements)) if statements else ""
    numbers = {int(each) for each in _NUMBERED.findall(said)}
    foreign = [each for n, each in enumerate(statements) if n in numbers or _names_registers(raw, each)]
    has_foreign_module = bool(outside) and "error:" in _assemble(compiler, "".join(outside))
    instructions = read_instructions(foreign)
    unknown = {each.lower() for each in _UNKNOWN.findall(said)}
    known = tuple(sorted(name for name in {each.mnemonic for each in instructions} if name.lower() not in unknown))
    keys = frozenset((each.template, each.constraints) for each in foreign)
    return ForeignAssembly(keys, instructions, has_foreign_module, known)


def _names_registers(raw: str, statement: AssemblyStatement) -> bool:
    return '"x86_64' in raw and bool(_REGISTERS.search(statement.template))


def _assemble(compiler: Compiler, text: str) -> str:
    """What the compiler says about the module."""
    request = CompileRequest(compiler, (), None, None, TIME_LIMIT)
    with temporary_folder() as folder:
        file = folder / "trial.ll"
        file.write_text(text, encoding="utf-8")
        return request.run(("-c", str(file), "-o", str(folder / "trial.o")), folder).messages


def describe_assembly(foreign: ForeignAssembly) -> Iterator[str]:
    """Tells the user what is done with it."""
    if foreign.instructions:
        shown = ", ".join(f"`{_shown(each)}`" for each in foreign.instructions[:MOST_SHOWN])
        more = len(foreign.instructions) - MOST_SHOWN
        listed = f"{shown} and {more} more" if more > 0 else shown
        yield f"assembly of another processor is called as stubs ({PREFIX}...): {listed}"


def _shown(one: AssemblyInstruction) -> str:
    return f"{one.mnemonic} {', '.join(one.operands)}".strip().replace("$", "%")
