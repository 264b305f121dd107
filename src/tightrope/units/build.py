"""Links driver, unit and library models into one program, and builds the instrumented program with the runtime."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from pathlib import Path

from tightrope import running
from tightrope.errors import CompileError, InternalError
from tightrope.library.libc_models import (
    BY_POINTER,
    HARMLESS,
    MODELLED,
    PREFIX,
    SHARED_WITH_DRIVER,
    SHARED_WITH_UNIT,
    required_models,
)
from tightrope.library.table import Section
from tightrope.program.flow.call_graph import find_address_taken
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import link_bitcode, prune, read_bitcode
from tightrope.running.memory_map import MemoryMap
from tightrope.running.runner import RunLimits, Runner, Worker
from tightrope.source.cache import cache_key, open_cache
from tightrope.source.compile import compile_to_bitcode, compile_to_object
from tightrope.source.toolchain import Compiler
from tightrope.weaving.probes import operator_flags
from tightrope.weaving.weave import Woven
from tightrope.weaving.weave_function import values_used

RUNTIME = Path(running.__file__).parent / "runtime"
COMPILED = Path(running.__file__).parent / "compiled"


def join_models(compiler: Compiler, bitcode: bytes, program: Program) -> Program:
    """The program with the models of the library functions that it calls."""
    undefined = {name[1:] for name, function in program.functions.items() if not function.is_defined}
    taken = find_address_taken(program)
    by_pointer = {name for name in undefined if f"@{name}" in taken}
    used = undefined - BY_POINTER - HARMLESS | by_pointer | whose_answers_are_used(program, undefined & HARMLESS)
    modelled = frozenset(used & MODELLED.keys())
    if not modelled:
        return program
    return read_bitcode(link_bitcode([bitcode, _needed_models(compiler, modelled)]))[0]


def whose_answers_are_used(program: Program, names: Collection[str]) -> set[str]:
    """Those of these functions whose result some code reads."""
    found: set[str] = set()
    for function in program.functions.values() if names else ():
        instructions = [each for block in function.blocks for each in block.instructions]
        asked = {each.result: each.callee[1:] for each in instructions if each.result and each.callee[1:] in names}
        if asked:
            found |= {asked[value] for each in instructions for value in values_used(each) & asked.keys()}
    return found


def _needed_models(compiler: Compiler, functions: frozenset[str]) -> bytes:
    """The models of these functions, without the other functions of their files, which need no instrumentation."""
    models = [model_bitcode(compiler, each) for each in required_models(functions)]
    return prune(
        link_bitcode(models), {*(f"{PREFIX}{name}" for name in functions), *SHARED_WITH_DRIVER, *SHARED_WITH_UNIT}
    )


def model_bitcode(compiler: Compiler, models: Section) -> bytes:
    text = models.path.read_text(encoding="utf-8")
    key = cache_key("model", str(compiler), str(models.path), text)  # its debug information names the file
    return open_cache().remember(key, lambda: compile_to_bitcode(compiler, models.path))


@functools.cache
def runtime_object(compiler: Compiler) -> bytes:
    """The runtime, compiled once per version of it and of the compiler."""
    sources = sorted([*RUNTIME.glob("*.c"), *RUNTIME.glob("*.h")])
    flags = operator_flags()
    key = cache_key("runtime", str(compiler), *flags, *(file.read_bytes() for file in sources))
    return open_cache().remember(key, lambda: _compile_ours(compiler, RUNTIME / "runtime.c", flags))


@functools.cache
def dive_object(compiler: Compiler) -> bytes:
    """The compiled search (compiled/dive.c), compiled once as well."""
    sources = sorted([*COMPILED.glob("*.c"), *COMPILED.glob("*.h"), RUNTIME / "runtime.h"])
    flags = operator_flags()
    key = cache_key("dive", str(compiler), *flags, *(file.read_bytes() for file in sources))
    return open_cache().remember(key, lambda: _compile_ours(compiler, COMPILED / "dive.c", flags))


def _compile_ours(compiler: Compiler, source: Path, flags: Sequence[str]) -> bytes:
    try:
        return compile_to_object(compiler, source, flags)
    except CompileError as problem:  # C of Tightrope: the user cannot fix it
        raise InternalError(f"{compiler} does not compile Tightrope's {source.name}:\n{problem}") from problem


def start_runner(
    worker: Worker,
    compiler: Compiler,
    woven: Woven,
    slots: int,
    outputs: int,
    limits: RunLimits,
    *,
    is_direct: bool = False,
) -> Runner:
    """`is_direct`: each label is a branch of the path."""
    path = worker.folder / "runtime.o"
    path.write_bytes(runtime_object(compiler))
    conditions = sum(len(decision.conditions) for decision in woven.marks.decisions)
    memory = MemoryMap(slots, outputs, len(woven.points), len(woven.marks.labels), conditions)
    return Runner(worker, woven.text, path, memory, woven.places, limits, is_direct=is_direct)
