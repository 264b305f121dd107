"""Program -> instrumented IR text, in one pass.

Everything that has a body is woven: the unit, the driver, the library models. What differs is only who
counts: points are numbered for the unit's functions first, so that `points` of them are objectives'.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tightrope.execution import weave_calls, weave_memory, weave_numbers
from tightrope.execution.places import Place, PlaceTable
from tightrope.execution.probes import PROBES, declarations
from tightrope.execution.weave_function import FunctionWeaver, Handler
from tightrope.program.layout import Layout
from tightrope.program.model import Function, Program
from tightrope.program.points import Points, number_points
from tightrope.program.types import VOID

HANDLERS: dict[str, Handler] = {**weave_numbers.HANDLERS, **weave_memory.HANDLERS, **weave_calls.HANDLERS}


@dataclass(frozen=True, slots=True)
class Woven:
    """A program with probes, and what the numbers in its traces mean."""

    text: str
    points: Points
    places: tuple[Place, ...]
    switches: dict[int, tuple[int, ...]]  # site -> case values; side k of the site is the (k-1)th
    switch_bits: dict[int, int]


def weave(program: Program, unit_functions: Collection[str] = (), missing: Collection[str] = ()) -> Woven:
    """`unit_functions` come first in the numbering of points; `missing` names functions without any body
    anywhere, which get one that answers zero."""
    layout, places, tables = Layout(program), PlaceTable(), list[str]()
    functions = sorted(
        (f for f in program.functions.values() if f.is_defined), key=lambda f: f.name not in unit_functions
    )
    points = number_points(functions)
    bodies = [
        FunctionWeaver(program, function, layout, points, places, HANDLERS, tables).weave() for function in functions
    ]
    lines = [
        *_prelude(program, {*missing, *(f"@{probe}" for probe in PROBES)}),
        *declarations(),
        *_globals_table(program, layout),
        *tables,
        *bodies,
        *(_answer_zero(program.functions[name]) for name in missing),
    ]
    switches, switch_bits = _switches(functions, points)
    return Woven("\n".join(lines) + "\n", points, tuple(places.places), switches, switch_bits)


def _prelude(program: Program, defined_here: Collection[str]) -> list[str]:
    return [_spread(_single_thread(line)) for line in program.prelude if not _declares(line, defined_here)]


def _single_thread(line: str) -> str:
    """A run has one thread: its thread-local variables are plain ones, restored like all others."""
    return re.sub(r"\bthread_local(\(\w+\))? ", "", line, count=1) if line.startswith("@") else line


def _spread(line: str) -> str:
    """Objects behind input pointers lie apart, so that an access past the end of one is not inside another."""
    return re.sub(r"\balign \d+", "align 128", line) if line.startswith("@tightrope_object_") else line


def _declares(line: str, names: Collection[str]) -> bool:
    if not line.startswith("declare "):
        return False
    start = line.index("@")
    return line[start : line.index("(", start)] in names


def _globals_table(program: Program, layout: Layout) -> list[str]:
    """What the runtime must know of the program's globals: where, how long, and whether to restore them."""
    rows = [
        f"{{ ptr, i64, i64 }} {{ ptr {g.name}, i64 {layout.size_of(g.type)}, i64 {int(not g.is_constant)} }}"
        for g in program.globals.values()
        if g.is_defined and not g.name.startswith("@llvm.")
    ]
    body = f"[{', '.join(rows)}]" if rows else "zeroinitializer"
    return [
        f"@tr_globals = constant [{len(rows)} x {{ ptr, i64, i64 }}] {body}",
        f"@tr_globals_count = constant i64 {len(rows)}",
    ]


def _answer_zero(function: Function) -> str:
    kinds = [str(kind) for kind in function.type.parameters] + (["..."] if function.type.is_variadic else [])
    result = function.type.result
    value = "ret void" if result == VOID else f"ret {result} zeroinitializer"
    return f"define {result} {function.name}({', '.join(kinds)}) {{\n  {value}\n}}"


def _switches(functions: Collection[Function], points: Points) -> tuple[dict[int, tuple[int, ...]], dict[int, int]]:
    cases: dict[int, tuple[int, ...]] = {}
    bits: dict[int, int] = {}
    for function in functions:
        for block in function.blocks:
            last = block.instructions[-1]
            if last.opcode == "switch":
                site = points.numbers[function.name, block.name, 0]
                cases[site] = last.cases
                bits[site] = getattr(last.operands[0].type, "bits", 64)
    return cases, bits
