"""Prepares a unit from a file and a function name: compile, read, choose inputs, write the driver, instrument.

Only connects the stages below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.coverage.objective import Objective
from tightrope.errors import CompileError, UsageError
from tightrope.harness.driver import DRIVER_FILE, Driver
from tightrope.inputs.joined_hints import OtherVersion
from tightrope.inputs.wishes import NO_GROWTH, Growth
from tightrope.library.libc_models import PREFIX
from tightrope.library.symbols import is_in_library
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.devices.registers import redirect_accesses
from tightrope.program.flow.reached_code import refuse_jumps
from tightrope.program.ir.assembly import NO_ASSEMBLY
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import assemble, link_bitcode, raw_text, read_bitcode, without_foreign_assembly
from tightrope.program.marks.flat_regions import flatten_regions
from tightrope.program.marks.marks import Marks
from tightrope.program.marks.path_marks import with_paths
from tightrope.program.marks.unwritten import mark_unwritten, without_idle_marks
from tightrope.program.normal_form.endless_loops import end_endless_loops
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.running.runner import RunLimits, Runner, Worker
from tightrope.source.dialects import ASSEMBLY, as_definitions, compile_dialect, describe_definitions
from tightrope.source.foreign_assembly import describe_assembly, find_foreign_assembly
from tightrope.source.inline_functions import INLINE_TOO, find_inline_functions
from tightrope.source.project import Recipe, compile_by_recipe, describe_recipe, find_project
from tightrope.source.toolchain import Compiler
from tightrope.units.asked_objectives import asked_objectives, describe_part
from tightrope.units.build import join_models, start_runner
from tightrope.units.choose_inputs import choose_inputs
from tightrope.units.kept_ir import kept_part
from tightrope.units.linking import ALL_FUNCTIONS, PLAIN_CTYPE, LinkedFile, Linker
from tightrope.units.mark_unit import CompilableText, needs_paths, with_flows
from tightrope.units.marked_program import enumerators, has_conditional, is_direct, mark_functions, objectives_of
from tightrope.units.prepared import ChosenInputs, PreparedFile, PreparedUnit
from tightrope.weaving.weave import weave


def prepare_file(compiler: Compiler, path: Path, options: Options, on_warning: Callable[[str], None]) -> PreparedFile:
    """Compile the file as its project does, and read what it defines."""
    project = find_project(path, options.build_dir, options.flags)
    wanted = as_definitions(options.define_away)
    compiled = compile_dialect(compiler, path, project, wanted, ALL_FUNCTIONS, on_warning)
    program, raw = read_bitcode(compiled.bitcode)
    assembly = find_foreign_assembly(compiler, raw)
    if not assembly.can_be_called:
        compiled = compile_dialect(compiler, path, project, (*wanted, *ASSEMBLY), ALL_FUNCTIONS)
        (program, raw), assembly = read_bitcode(compiled.bitcode), NO_ASSEMBLY
    bitcode, recipe, project = compiled.bitcode, compiled.recipe, compiled.project
    inline, bitcode = _with_inline_functions(compiler, path, recipe, program, bitcode)
    if inline:
        program, raw = read_bitcode(bitcode)
    if assembly:
        program, raw = read_bitcode(without_foreign_assembly(bitcode, assembly))
    linker = Linker(compiler, project, path, program, recipe)
    warnings = tuple(f"flag not used: {dropped}" for dropped in recipe.flags.worth_saying)
    ctypes, notes = read_debug_info(raw), (*describe_recipe(project), *describe_assembly(assembly))
    notes = (*notes, *describe_definitions(compiled.definitions, wanted))
    return PreparedFile(
        path=path,
        compiler=compiler,
        flags=recipe.flags,
        working_directory=recipe.folder,
        program=program,
        ctypes=ctypes,
        linker=linker,
        warnings=warnings,
        assembly=assembly,
        definitions=compiled.definitions,
        inline_functions=inline,
        notes=notes,
        ir=raw,
    )


def _with_inline_functions(
    compiler: Compiler, path: Path, recipe: Recipe, program: Program, bitcode: bytes
) -> tuple[tuple[str, ...], bytes]:
    """Functions of the file that are only `inline`, and bitcode with their bodies."""
    missing = [name[1:] for name in missing_functions(program)]
    known = [name[1:] for name, each in program.functions.items() if each.is_defined]
    inline = find_inline_functions(compiler, path.resolve(), recipe, missing, known)
    if not inline:
        return (), bitcode
    found, _ = compile_by_recipe(compiler, path.resolve(), (recipe,), (*ALL_FUNCTIONS, *INLINE_TOO))
    now = {name[1:] for name, each in read_bitcode(found)[0].functions.items() if each.is_defined}
    fresh = tuple(name for name in inline if name in now)
    is_complete = now.issuperset(known)  # the flag leaves out what is `extern inline`
    return (fresh, found) if fresh and is_complete else ((), bitcode)


def prepare_unit(
    file: PreparedFile,
    name: str,
    options: Options,
    beside: OtherVersion | None = None,
    growth: Growth = NO_GROWTH,
) -> PreparedUnit:
    """Choose the inputs of the function, write the driver, and instrument both."""
    inputs, bitcode = _compiled_inputs(file, name, options, beside, growth)
    interface, described, driver = inputs.interface, inputs.ctypes, inputs.driver
    function = f"@{interface.call_name}"
    bitcode = bitcode if is_for_whole_program(options) else _own_part(file, bitcode, function, inputs.linked)
    bitcode, marks = _mark(file, inputs, bitcode, options)
    if inputs.linked:
        bitcode = link_bitcode([bitcode, *(each.bitcode for each in inputs.linked)])
    text = SourceText(enumerators=enumerators(described))
    bitcode = assemble(mark_unwritten(raw_text(bitcode)))
    program = without_idle_marks(join_models(file.compiler, bitcode, read_bitcode(bitcode)[0]))
    program = redirect_accesses(program, function, inputs.shape.stubs)
    program = normalise_control(program, has_conditional(text))
    program = end_endless_loops(program)
    refuse_jumps(program, function)
    program = program if is_direct(options) else flatten_regions(program)
    covered = tuple(_covered_functions(file, program, function, options))
    marks = with_flows(marks, [program.functions[each] for each in covered])
    if needs_paths(options.criteria):
        program, marks = with_paths(program, marks, covered, options.path_length)
    woven = weave(program, covered, missing_functions(program), options.checks, marks)
    objectives = tuple(
        objective
        for each in covered
        for objective in objectives_of(
            program.functions[each],
            woven.points,
            woven.marks,
            text,
            options_for_called(file, each[1:], options),
            is_direct=is_direct(options),
        )
    )
    every, objectives = objectives, asked_objectives(objectives, program.functions[function], options)
    if file.ignores_assembly:  # what seems constant may be written by the assembly that is ignored
        objectives = tuple(map(_as_not_followed, objectives))
    return PreparedUnit(
        file=file,
        interface=interface,
        ctypes=described,
        shape=inputs.shape,
        driver=driver,
        program=program,
        woven=woven,
        objectives=objectives,
        asked=inputs.asked,
        linked=inputs.linked,
        remarks=(*inputs.remarks, *describe_part(len(objectives), len(every))),
    )


def _own_part(file: PreparedFile, bitcode: bytes, function: str, linked: Sequence[LinkedFile]) -> bytes:
    """The driver's bitcode without functions of the file that have nothing to do with the unit or with linked files."""
    if len(file.functions) < 2:
        return bitcode
    constants = {name[1:] for name, one in file.program.globals.items() if one.is_constant}
    others = {name[1:] for each in linked for name in (*each.program.functions, *each.program.globals)}
    wanted = {function[1:], *called_functions(file), *others}
    return kept_part(bitcode, wanted, constants, with_users=file.sequence is not None)


def _mark(file: PreparedFile, inputs: ChosenInputs, bitcode: bytes, options: Options) -> tuple[bytes, Marks]:
    """The driver's bitcode with the marks that the criteria ask for."""
    function = f"@{inputs.interface.call_name}"
    others = [f"@{each}" for each in file.functions] if is_for_whole_program(options) else []
    called = [f"@{each}" for each in called_functions(file)] or [function]
    own = {each: options_for_called(file, each[1:], options) for each in called}
    return mark_functions(
        _driver_text(file, inputs.driver, options),
        list(dict.fromkeys([*called, *others])),
        criteria=tuple(dict.fromkeys(name for each in own.values() for name in each.criteria)),
        partitions={name: each.partitions for name, each in own.items()},
        options=options,
        ctypes=inputs.ctypes,
        bitcode=bitcode,
    )


def _compiled_inputs(
    file: PreparedFile, name: str, options: Options, beside: OtherVersion | None, growth: Growth
) -> tuple[ChosenInputs, bytes]:
    """Choose inputs and compile the driver, without stubs that do not compile (the unit may have `char *malloc();`)."""
    inputs = choose_inputs(file, name, options, beside, growth)
    try:
        return inputs, _compile_driver(file, inputs.driver, inputs.asked.assumptions, options)
    except CompileError as problem:
        names = [stub.name for stub in inputs.shape.stubs if stub.is_redirected and stub.name not in options.stubs]
        names += ["free"] * inputs.interface.frees
        refused = tuple(name for name in names if re.search(rf"'(?:tightrope_stub_)?{name}'", problem.diagnostics))
        if not refused:
            raise
        fewer = replace(options, no_stubs=(*options.no_stubs, *refused))
        return _compiled_inputs(file, name, fewer, beside, growth)


def _as_not_followed(objective: Objective) -> Objective:
    why = "inline assembly that is ignored may decide it"
    return replace(objective, is_constant=False, problem=why) if objective.is_constant else objective


def is_for_whole_program(options: Options) -> bool:
    """True with --whole-program, and for Test-Comp, which counts the whole program."""
    return options.whole_program or "testcomp" in options.formats


def called_functions(file: PreparedFile) -> tuple[str, ...]:
    """The functions that a sequence calls; none for a file without a sequence."""
    return file.sequence.sequence.functions if file.sequence else ()


def options_for_called(file: PreparedFile, name: str, options: Options) -> Options:
    """In a sequence, what to cover may differ from function to function."""
    return options.for_function(name) if name in called_functions(file) else options


def _covered_functions(file: PreparedFile, program: Program, function: str, options: Options) -> Iterator[str]:
    """The functions whose objectives count."""
    called = [f"@{name}" for name in called_functions(file)] or [function]
    yield from called
    if is_for_whole_program(options):
        yield from (each for each in _other_functions(file, program, function) if each not in called)


def _other_functions(file: PreparedFile, program: Program, function: str) -> Iterator[str]:
    """The file's other functions, as far as the compiler has kept them."""
    for name in file.functions:
        if f"@{name}" != function and f"@{name}" in program.functions and program.functions[f"@{name}"].is_defined:
            yield f"@{name}"


def _driver_text(file: PreparedFile, driver: Driver, options: Options) -> CompilableText:
    further = ALL_FUNCTIONS if is_for_whole_program(options) else ()
    flags = (*file.flags.kept, *PLAIN_CTYPE, *further)
    return file.text_beside(driver.text, flags, DRIVER_FILE, marks_overflow=True)


def _compile_driver(file: PreparedFile, driver: Driver, assumptions: Sequence[str], options: Options) -> bytes:
    """Compile the driver. The unit itself compiles, so an error is in an assumption, if there is one."""
    try:
        return _driver_text(file, driver, options).compile()
    except CompileError as problem:
        if not assumptions:
            raise
        shown = "; ".join(f"`{text}`" for text in assumptions)
        hint = "an assumption is a C expression over the parameters and the globals that the function reads"
        message = f"--assume: {shown} does not compile"
        raise UsageError(message, hint=hint, slug="assumption", diagnostics=problem.diagnostics) from None


def start(unit: PreparedUnit, worker: Worker, options: Options) -> Runner:
    """Load the unit into the worker."""
    limits = RunLimits(
        seconds=options.run_time_limit,
        address_bytes=options.memory_limit << 20,
        positions=options.index_limit,
        writable=options.allow_files,
    )
    slots, outputs = len(unit.driver.slots), len(unit.driver.outputs)
    return start_runner(
        worker, unit.file.compiler, unit.woven, slots, outputs, limits=limits, is_direct=is_direct(options)
    )


def missing_functions(program: Program) -> tuple[str, ...]:
    """Functions without a body anywhere: in the program, the models, the library or the runtime."""
    return tuple(
        name
        for name, function in program.functions.items()
        if not function.is_defined
        and not name.startswith(("@llvm.", "@tightrope_"))
        and f"@{PREFIX}{name[1:]}" not in program.functions
        and not is_in_library(name[1:])
    )
