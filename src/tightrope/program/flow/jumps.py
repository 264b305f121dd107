"""Functions of the C library that return twice, or into another function: probes and frames would not fit any more.

`longjmp` alone is no obstacle: where nobody can have called `setjmp`, it ends the run.
"""

from __future__ import annotations

from tightrope.errors import UnsupportedError
from tightrope.library.table import FUNCTIONS
from tightrope.location import Location
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.ir.model import Program

RETURNING_TWICE = {f"@{name}": one.twice for name, one in FUNCTIONS.items() if one.twice}
"""What the compiler calls -> what people write."""


def refuse_jumps(program: Program, function: str) -> None:
    """Refuse a function that can come to a call of one of them. `function` is its name in IR."""
    known = [name for name in RETURNING_TWICE if name in program.functions and not program.functions[name].is_defined]
    if not known:
        return
    reached = reachable_functions(program, function)
    for caller in reached:
        for name, place in _calls(program, caller):
            where = "" if caller == function else f", in `{caller[1:]}`"
            raise UnsupportedError(
                f"{function[1:]}: a call can come to `{RETURNING_TWICE[name]}`{where}, which is not supported",
                location=place,
                hint="name the functions to test, without those that call it; --link none leaves out linked files",
                slug="setjmp",
            )


def _calls(program: Program, caller: str) -> list[tuple[str, Location | None]]:
    return [
        (instruction.callee, instruction.location)
        for block in program.functions[caller].blocks
        for instruction in block.instructions
        if instruction.opcode == "call" and instruction.callee in RETURNING_TWICE
    ]
