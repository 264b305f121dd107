"""Program -> instrumented IR text, in one pass.

Everything that has a body is woven: the unit, the driver, the library models. What differs is only who
counts: points are numbered for the unit's functions first, so that `points` of them are objectives'.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tightrope.harness.driver import CHOSEN_ALIGNMENT
from tightrope.library.libc_models import PREFIX
from tightrope.program.flow.call_graph import find_address_taken
from tightrope.program.flow.points import Points, number_points, sides
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Global, Program
from tightrope.program.ir.types import VOID
from tightrope.program.marks.marks import NOTHING, Marks
from tightrope.program.normal_form.address_numbers import unfold_addresses
from tightrope.running.places import Place, PlaceTable
from tightrope.weaving import weave_calls, weave_memory, weave_numbers
from tightrope.weaving.mark_table import MarkTable, vector_counts
from tightrope.weaving.probes import PROBES, declarations
from tightrope.weaving.unwritten_leaves import LeafTable
from tightrope.weaving.weave_function import FunctionWeaver, Handler, is_own_function, signature
from tightrope.weaving.weave_loops import find_pure_code

HANDLERS: dict[str, Handler] = {**weave_numbers.HANDLERS, **weave_memory.HANDLERS, **weave_calls.HANDLERS}


STREAMS = ("@stdin", "@stdout", "@stderr")  # variables of the C library that always hold the same


@dataclass(frozen=True, slots=True)
class Woven:
    """A program with probes, and what the numbers in its traces mean."""

    text: str
    points: Points
    places: tuple[Place, ...]  # the last ones are those of the points
    switches: dict[int, tuple[int, ...]]  # site -> case values; side k of the site is the (k-1)th
    switch_bits: dict[int, int]
    marks: Marks = NOTHING
    variables: tuple[Global, ...] = ()  # those that the runtime knows, by number


def weave(
    program: Program,
    unit_functions: Collection[str] = (),
    missing: Collection[str] = (),
    checks: Collection[str] = (),
    marks: Marks = NOTHING,
) -> Woven:
    """Instrument the program. `unit_functions` come first in the numbering of points; `missing` names functions without
    any body, which get one that returns zero; `checks` are the requested ones of checks.py; `marks` are the meaning of
    the numbers in the program's marks."""
    layout, places, tables, table = Layout(program), PlaceTable(), list[str](), MarkTable(marks)
    leaves, unit = LeafTable(places), next(iter(unit_functions), "")
    functions = [
        each if is_own_function(each) else unfold_addresses(each, program.named_types)
        for each in sorted(
            (f for f in program.functions.values() if f.is_defined), key=lambda f: f.name not in unit_functions
        )
    ]
    points = number_points(functions, vector_counts(marks), len(marks.labels), len(marks.flows), len(marks.mutants))
    pure = find_pure_code(program)
    weavers = [
        FunctionWeaver(
            program,
            function,
            layout,
            points,
            places,
            HANDLERS,
            tables,
            _checks(function, checks),
            table,
            leaves,
            function.name == unit,
            pure,
        )
        for function in functions
    ]
    bodies = [weaver.weave() for weaver in weavers]
    models = _models_by_address(program)
    bodies = [_redirect(body, models) for body in bodies]
    lines = [
        *_prelude(program, {*missing, *(f"@{probe}" for probe in PROBES)}),
        *declarations(),
        *_globals_table(program, layout),
        *_functions_table([*functions, *(program.functions[name] for name in missing)]),
        *_constructors(program),
        *leaves.definitions(),
        *_joins_table(weavers, points),
        *tables,
        *bodies,
        *(_answer_zero(program.functions[name]) for name in missing),
    ]
    switches, switch_bits = _switches(functions, points)
    all_places = (*places.places, *_point_places(functions, points))
    text = "\n".join(lines) + "\n"
    return Woven(text, points, all_places, switches, switch_bits, marks, _variables(program))


def _checks(function: Function, asked: Collection[str]) -> Collection[str]:
    """Models and driver, which are not part of the program, are not checked."""
    return () if function.name.startswith("@tightrope_") else asked


def _prelude(program: Program, defined_here: Collection[str]) -> list[str]:
    models = _models_by_address(program)
    return [
        _redirect(_spread(program, _single_thread(line)), models) if line.startswith("@") else line
        for line in program.prelude
        if not _declares(line, defined_here) and not line.startswith(("@llvm.global_ctors ", "@llvm.global_dtors "))
    ]


def _constructors(program: Program) -> list[str]:
    """Calls the constructors of C, by priority; the runtime does so before each run."""
    listed = (line for line in program.prelude if line.startswith("@llvm.global_ctors "))
    found = [(int(n), name) for line in listed for n, name in re.findall(rf"{{ i32 (\d+), ptr (@{NAME}),", line)]
    calls = [f"  call void {name}()" for _, name in sorted(found, key=lambda each: each[0])]
    return ["define void @tr_constructors() {", *calls, "  ret void", "}"]


def _models_by_address(program: Program) -> dict[str, str]:
    """Library functions that are called through pointers -> their models, which replace them."""
    models = {name: f"@{PREFIX}{name[1:]}" for name in find_address_taken(program)}
    return {name: model for name, model in models.items() if model in program.functions}


def _redirect(text: str, models: Mapping[str, str]) -> str:
    """The text with names replaced; what stands in quotes stays."""
    if not any(name in text for name in models):
        return text
    names = "|".join(re.escape(name) for name in models)
    return re.sub(rf'"[^"]*"|(?:{names})(?![\w.$-])', lambda found: models.get(found[0], found[0]), text)


def _single_thread(line: str) -> str:
    """A run has one thread: its thread-local variables are plain ones, restored like all others."""
    return re.sub(r"\bthread_local(\(\w+\))? ", "", line, count=1) if line.startswith("@") else line


def _spread(program: Program, line: str) -> str:
    """Globals get a gap behind them, so that an access past the end of one is not inside another.

    Before: @g = global i32 7, align 4
    After:  @g = global <{ i32, [128 x i8] }> <{ i32 7, [128 x i8] zeroinitializer }>, align 4
    """
    found = program.globals.get(line.partition(" = ")[0])
    if found is None or not found.is_defined or found.name.startswith("@llvm.") or ", section " in line:
        return line  # what has a section of its own may be an array to the linker
    kind, gap = str(found.type), f"[{weave_memory.GLOBAL_GAP} x i8]"
    apart = f" <{{ {kind}, {gap} }}> <{{ {kind} {found.initializer}, {gap} zeroinitializer }}"
    return line.replace(f" {kind} {found.initializer}", f"{apart}>", 1)


def _declares(line: str, names: Collection[str]) -> bool:
    if not line.startswith("declare "):
        return False
    start = line.index("@")
    return line[start : line.index("(", start)] in names


def _nature(variable: Global) -> int:
    """As runtime/objects.c counts: 0 constant, 1 restored before each run, 2 given to the unit, which may free it."""
    return 0 if variable.is_constant else 2 if variable.name.startswith("@tightrope_object_") else 1


def _variables(program: Program) -> tuple[Global, ...]:
    return tuple(g for g in program.globals.values() if g.is_defined and not g.name.startswith("@llvm."))


ROW = "{ ptr, i64, i64, i64 }"


def _alignments(program: Program) -> dict[str, int]:
    """What globals promise about their addresses, as far as it is more than their type does. A caller may give us
    anything of the type; but where the driver aligns an object, to which of its bytes a pointer leads is an input."""
    lines = (line for line in program.prelude if line.startswith("@"))
    found = ((line.partition(" = ")[0], re.search(r", align (\d+)", line)) for line in lines)
    known = {name: int(alignment[1]) for name, alignment in found if alignment}
    given = {name for name in known if name.startswith("@tightrope_object_")}
    return {name: one for name, one in known.items() if name not in given or one == CHOSEN_ALIGNMENT}


def _joins_table(weavers: Sequence[FunctionWeaver], points: Points) -> list[str]:
    """By point of a branch: one more than the point of the block where its ways meet again."""
    found = [0] * len(points)
    for weaver in weavers:
        name = weaver.function.name
        for block, join in weaver.joins.items():
            found[points.numbers[name, block, 0]] = points.numbers[name, join, None] + 1
    body = f"[{', '.join(f'i32 {each}' for each in found)}]" if any(found) else "zeroinitializer"
    return [f"@tr_joins = constant [{len(found)} x i32] {body}"]


def _globals_table(program: Program, layout: Layout) -> list[str]:
    """What the runtime must know of the program's globals: where, how long, and whether to restore them."""
    known = _alignments(program)

    def alignment(variable: Global) -> int:
        chosen = known.get(variable.name) or layout.align_of(variable.type)
        return weave_memory.promised_alignment(layout, variable.type, chosen)

    rows = [
        f"{ROW} {{ ptr {g.name}, i64 {layout.size_of(g.type)}, i64 {_nature(g)}, i64 {alignment(g)} }}"
        for g in _variables(program)
    ]
    rows += [f"{ROW} {{ ptr {name}, i64 8, i64 0, i64 8 }}" for name in STREAMS if name in program.globals]
    body = f"[{', '.join(rows)}]" if rows else "zeroinitializer"
    return [
        f"@tr_globals = constant [{len(rows)} x {ROW}] {body}",
        f"@tr_globals_count = constant i64 {len(rows)}",
    ]


def _functions_table(functions: Collection[Function]) -> list[str]:
    """The functions that pass shadows when they are called through a pointer."""
    rows = [f"{{ ptr, i64 }} {{ ptr {f.name}, i64 {signature(f.type)} }}" for f in functions]
    return [
        f"@tr_functions = constant [{len(rows)} x {{ ptr, i64 }}] [{', '.join(rows)}]",
        f"@tr_functions_count = constant i64 {len(rows)}",
    ]


def _answer_zero(function: Function) -> str:
    kinds = [str(kind) for kind in function.type.parameters] + (["..."] if function.type.is_variadic else [])
    result = function.type.result
    value = "ret void" if result == VOID else f"ret {result} zeroinitializer"
    return f"define {result} {function.name}({', '.join(kinds)}) {{\n  {value}\n}}"


def _point_places(functions: Collection[Function], points: Points) -> list[Place]:
    """The places of points, for runs that are stopped because they take too long, or at a branch."""
    places = [Place("", None)] * len(points)
    for function in functions:
        for block in function.blocks:
            locations = [each.location for each in block.instructions if each.location and each.location.line]
            place = Place("", locations[0] if locations else function.location)
            places[points.numbers[function.name, block.name, None]] = place
            for side in sides(block):
                at = Place("", block.instructions[-1].location or place.location)
                places[points.numbers[function.name, block.name, side]] = at
    return places


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
