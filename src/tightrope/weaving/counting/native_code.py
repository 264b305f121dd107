"""IR text -> an object file, optimised: for code that notes points and is then linked with somebody's tests."""

from __future__ import annotations

import re

import llvmlite.binding as llvm

from tightrope.errors import InternalError

_TRIPLE = re.compile(r'^target triple = "[^"]*"$', re.MULTILINE)
_ATTRIBUTES = re.compile(r"^(attributes #\d+ = \{)(.*)", re.MULTILINE)


def compile_ir(text: str, level: int = 2) -> bytes:
    """A position-independent object. `level` is that of -O."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for inline assembly
    try:
        module = llvm.parse_assembly(_prepared(text), llvm.create_context())
        module.verify()
    except RuntimeError as problem:
        raise InternalError(f"LLVM refuses the IR that notes points:\n{problem}") from problem
    machine = llvm.Target.from_default_triple().create_target_machine(opt=level, reloc="pic")
    if level:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
        builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _prepared(text: str) -> str:
    """For this machine's LLVM, and without what the compiler says only because it was told not to optimise. A null
    pointer that is followed ends the run here as it does there: with what C allows it to assume, the optimiser would
    leave out all that leads to it."""
    named = _TRIPLE.sub(f'target triple = "{llvm.get_process_triple()}"', text)
    return _ATTRIBUTES.sub(lambda found: f"{found[1]} null_pointer_is_valid {_UNOPTIMISED.sub('', found[2])}", named)


_UNOPTIMISED = re.compile(r'\bnoinline |"frame-pointer"="all" ')
