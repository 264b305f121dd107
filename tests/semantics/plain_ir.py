"""A Program written back as it is, without probes."""

from __future__ import annotations

from tightrope.program.ir.model import Program


def write_program(program: Program) -> str:
    lines = list(program.prelude)
    for function in program.functions.values():
        if function.is_defined:
            lines.append(function.header)
            for block in function.blocks:
                lines += [f"{block.name}:", *(f"  {each.text}" for each in block.instructions)]
            lines.append("}")
    return "\n".join(lines) + "\n"
