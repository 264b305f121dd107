"""Bitcode -> IR text -> Program. The only reader of IR; LLVM (through llvmlite) serves as its printer.

Two texts are made of one module. *Raw* is what the compiler emitted, every value named. *Normal* is the
same after SROA: locals are values instead of memory. No pass touches the blocks, so a block has
the same name in both texts; the places of C that a block stands for are taken from the raw one,
where nothing has been folded away yet.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

import llvmlite.binding as llvm

from tightrope.program.ir.assembly import ForeignAssembly, replace_assembly
from tightrope.program.ir.gc_pause import collector_paused
from tightrope.program.ir.metadata import read_metadata
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_module import ModuleReader, read_places


def normalise(bitcode: bytes) -> tuple[str, str]:
    """The raw and the normal text of a module. Never `simplifycfg`: it would fold conditions away."""
    context = llvm.create_context()  # a shared one would rename types that an earlier module had too
    with llvm.parse_bitcode(bitcode, context) as module:
        _run_passes(module, "instruction_namer")
        raw = str(module)
        _run_passes(module, "sroa", "instruction_namer")
        return raw, str(module)


def raw_text(bitcode: bytes) -> str:
    """The raw text of a module."""
    context = llvm.create_context()
    with llvm.parse_bitcode(bitcode, context) as module:
        _run_passes(module, "instruction_namer")
        return str(module)


def assemble(text: str) -> bytes:
    """The bitcode of a module's text. Raises ValueError when it is none."""
    context = llvm.create_context()
    try:
        with llvm.parse_assembly(text, context) as module:
            module.verify()
            bitcode: bytes = module.as_bitcode()
            return bitcode
    except RuntimeError as problem:
        raise ValueError(str(problem)) from None


def without_foreign_assembly(bitcode: bytes, foreign: ForeignAssembly) -> bytes:
    """The module with calls in place of assembly that this processor does not know."""
    return assemble(replace_assembly(raw_text(bitcode), foreign)) if foreign else bitcode


def link_bitcode(modules: Sequence[bytes]) -> bytes:
    """One module out of several; the first gives the data layout."""
    context = llvm.create_context()
    with llvm.parse_bitcode(modules[0], context) as linked:
        for bitcode in modules[1:]:
            linked.link_in(llvm.parse_bitcode(bitcode, context))
        joined: bytes = linked.as_bitcode()
        return joined


def llvm_version() -> str:
    return ".".join(str(number) for number in llvm.llvm_version_info)


def without_bodies(bitcode: bytes) -> str:
    """The text of a module with declarations in the place of definitions: quick to read, whatever the size."""
    context = llvm.create_context()
    with llvm.parse_bitcode(bitcode, context) as module:
        text = str(module)
    return _BODY.sub("", text)


_BODY = re.compile(r"(?<=\{)\n.*?^(?=\}$)", re.MULTILINE | re.DOTALL)


def prune(bitcode: bytes, kept: Collection[str]) -> bytes:
    """The module with what these symbols (`f`, without sigil) need, and nothing else."""
    context = llvm.create_context()
    with llvm.parse_bitcode(bitcode, context) as module:
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name not in kept and not value.name.startswith("llvm."):
                value.linkage = "internal"
        _run_passes(module, "global_dead_code_eliminate", "strip_dead_prototype")
        pruned: bytes = module.as_bitcode()
        return pruned


def _run_passes(module: llvm.ModuleRef, *names: str) -> None:
    machine = _machine(module.triple or llvm.get_default_triple())
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    for name in names:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)


@cache
def _machine(triple: str) -> llvm.TargetMachine:
    """Without it, LLVM ends the process when a function asks for another machine's features."""
    llvm.initialize_all_targets()
    return llvm.Target.from_triple(triple).create_target_machine()


def read_bitcode(bitcode: bytes) -> tuple[Program, str]:
    """The program in normal form, and the raw text, which holds the debug information."""
    raw, normal = normalise(bitcode)
    return read_program(normal, raw), raw


def read_program(normal_text: str, raw_text: str | None = None) -> Program:
    """The program that a module's text spells. Without a raw text, places come from the normal one."""
    with collector_paused():
        reader = ModuleReader(read_metadata(normal_text), read_places(raw_text or normal_text))
        reader.read(normal_text)
    return Program(
        reader.functions,
        reader.globals,
        reader.named_types,
        reader.target.get("datalayout", ""),
        reader.target.get("triple", ""),
        tuple(reader.prelude),
    )
