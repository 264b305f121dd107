"""From files and names to a unit that can be run: compile, read, choose inputs, write the driver, weave.

Wires the stages below; decides nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from tightrope.coverage.criteria import find_objectives
from tightrope.coverage.criterion import Subject
from tightrope.coverage.labelling import choose_labelled
from tightrope.coverage.objective import Objective
from tightrope.errors import CompileError, UnsupportedError, UsageError
from tightrope.harness.driver import DRIVER_FILE, Driver, is_driver, write_driver, write_inquiry
from tightrope.inputs.hints import CodeHints, find_hints
from tightrope.inputs.joined_hints import OtherVersion
from tightrope.inputs.shape import InputShape
from tightrope.inputs.whole_program import choose_program_shape, start_program
from tightrope.library.libc_models import PREFIX
from tightrope.library.symbols import is_in_library
from tightrope.library.table import MODELS
from tightrope.location import Location
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.declarations.c_types import CEnum, CTypes
from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.declarations.interface import Interface, complete_interface, find_interface
from tightrope.program.declarations.linked_interface import add_hidden_functions, link_interface
from tightrope.program.declarations.stub_choice import check_stubs, with_stubs
from tightrope.program.declarations.stubs import StubOptions
from tightrope.program.flow.reached_code import refuse_jumps
from tightrope.program.ir.linked_programs import join_programs
from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.read_ir import link_bitcode, read_bitcode
from tightrope.program.marks.flat_regions import flatten_regions
from tightrope.program.marks.marks import NOTHING, Marks
from tightrope.program.marks.regions import label_blocks
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.running.runner import RunLimits, Runner, Worker
from tightrope.source.flags import Flags
from tightrope.source.project import compile_by_recipe, describe_recipe, find_project
from tightrope.source.toolchain import Compiler
from tightrope.units.build import join_models, start_runner
from tightrope.units.input_requests import Asked, check_asked, gather
from tightrope.units.linking import PLAIN_CTYPE, LinkedFile, Linker
from tightrope.units.mark_unit import CText, choose_marks, mark_text, with_flows
from tightrope.units.namesakes import find_namesakes
from tightrope.weaving.weave import Woven, weave

ALL_FUNCTIONS = ("-femit-all-decls",)  # also the static ones that nobody calls


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A C file, compiled alone: what it defines and how it is compiled."""

    path: Path  # as the user named it
    compiler: Compiler
    flags: Flags
    working_directory: Path
    program: Program
    ctypes: CTypes
    linker: Linker
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # how it is compiled, where that was not said by the user

    @property
    def functions(self) -> tuple[str, ...]:
        """Functions defined in the file itself, in its order; not those of headers."""
        own = self.path.resolve()
        found = [f for f in self.ctypes.functions.values() if Path(f.location.file).resolve() == own]
        return tuple(f.name for f in sorted(found, key=lambda f: f.location))


@dataclass(frozen=True, slots=True)
class ChosenInputs:
    """The inputs of a function, before anything is woven."""

    interface: Interface
    ctypes: CTypes
    asked: Asked
    shape: InputShape
    driver: Driver
    hints: CodeHints
    linked: tuple[LinkedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedUnit:
    """A function with its driver, woven and ready to run."""

    file: PreparedFile
    interface: Interface
    ctypes: CTypes
    shape: InputShape
    driver: Driver
    program: Program
    woven: Woven
    objectives: tuple[Objective, ...]
    asked: Asked
    linked: tuple[LinkedFile, ...] = ()  # other files, whose code is executed too

    @property
    def marks(self) -> Marks:
        return self.woven.marks

    @property
    def function(self) -> Function:
        return self.program.functions[f"@{self.interface.call_name}"]


def prepare_file(compiler: Compiler, path: Path, options: Options, on_warning: Callable[[str], None]) -> PreparedFile:
    """Compile the file as its project does, and read what it defines."""
    project = find_project(path, options.build_dir, options.flags)
    bitcode, recipe = compile_by_recipe(compiler, path.resolve(), project.recipes(path), ALL_FUNCTIONS, on_warning)
    program, raw = read_bitcode(bitcode)
    linker = Linker(compiler, project, path, program, recipe)
    warnings = tuple(f"flag not used: {dropped}" for dropped in recipe.flags.worth_saying)
    ctypes, notes = read_debug_info(raw), tuple(describe_recipe(project))
    return PreparedFile(path, compiler, recipe.flags, recipe.folder, program, ctypes, linker, warnings, notes)


def choose_inputs(file: PreparedFile, name: str, options: Options, beside: OtherVersion | None = None) -> ChosenInputs:
    """What the function is given, as people asked for and otherwise by default."""
    stubs = options.about_stubs
    _refuse_renamed(file, name)
    interface, described = _interface_of(file, name, stubs, beside.globals if beside else frozenset())
    linked = file.linker.choose(interface, options.link, stubs.replaces)
    interface = _link_interface(file, interface, described, linked)
    check_stubs(interface, described, file.program, stubs)
    interface = replace(start_program(interface), keeps_arguments=beside is not None)
    asked = gather(interface.function, options, read_source)
    everything = join_programs([file.program, *(each.program for each in linked)])
    hints = (beside.find_hints if beside else find_hints)(everything, described, interface)
    shape = choose_program_shape(described, interface, asked.wishes, hints)
    source = str(file.path.resolve())
    driver = write_driver(described, interface, shape, source, asked.assumptions, options.enum)
    return ChosenInputs(interface, described, asked, shape, driver, hints, linked)


def _refuse_renamed(file: PreparedFile, name: str) -> None:
    """`int f(int) __asm__("g");` is g to everything behind the compiler."""
    if f"@{name}" not in file.program.functions:
        message = f"{name}: the compiler gives it another name (an asm label), which is not supported"
        place = file.ctypes.functions[name].location if name in file.ctypes.functions else None
        raise UnsupportedError(message, location=place, hint="test it without the label", slug="renamed")


def _link_interface(
    file: PreparedFile, interface: Interface, described: CTypes, linked: Sequence[LinkedFile]
) -> Interface:
    if not linked:
        return interface
    programs, outlines = (file.program, *(each.program for each in linked)), [each.outline for each in linked]
    return link_interface(interface, described, programs, outlines, _library_of(file.program))


def look_at_other_version(file: PreparedFile, name: str, options: Options) -> OtherVersion:
    """What a version of the function would have as inputs."""
    inputs = choose_inputs(file, name, options, OtherVersion())
    return OtherVersion(frozenset(one.name for one in inputs.interface.globals), inputs.hints)


def prepare_unit(file: PreparedFile, name: str, options: Options, beside: OtherVersion | None = None) -> PreparedUnit:
    """Choose the inputs of the function and weave it with a driver around it."""
    inputs, bitcode = _compiled_inputs(file, name, options, beside)
    interface, described, driver = inputs.interface, inputs.ctypes, inputs.driver
    function = f"@{interface.call_name}"
    bitcode, marks = _mark(file, inputs, bitcode, options)
    if inputs.linked:
        bitcode = link_bitcode([bitcode, *(each.bitcode for each in inputs.linked)])
    text = SourceText(enumerators=enumerators(described))
    program = normalise_control(join_models(file.compiler, bitcode, read_bitcode(bitcode)[0]), has_conditional(text))
    refuse_jumps(program, function)
    is_direct = options.instrumentation == "direct"
    program = program if is_direct else flatten_regions(program)
    covered = (function, *(_other_functions(file, program, function) if is_for_whole_program(options) else ()))
    marks = with_flows(marks, [program.functions[each] for each in covered])
    woven = weave(program, covered, missing_functions(program), options.checks, marks)
    subjects = [make_subject(program.functions[each], woven, text, options.mcdc_form) for each in covered]
    labelled = choose_labelled(options.criteria, is_direct=is_direct, mcdc_form=options.mcdc_form)
    objectives = tuple(each for subject in subjects for each in find_objectives(options.criteria, subject, labelled))
    chosen = (inputs.asked, inputs.linked)
    return PreparedUnit(file, interface, described, inputs.shape, driver, program, woven, objectives, *chosen)


def _mark(file: PreparedFile, inputs: ChosenInputs, bitcode: bytes, options: Options) -> tuple[bytes, Marks]:
    """The driver's bitcode with the marks that the criteria ask for."""
    find_marks = choose_marks(
        options.criteria,
        {f"@{inputs.interface.call_name}": options.partitions},
        is_direct=options.instrumentation == "direct",
        mcdc_form=options.mcdc_form,
    )
    if find_marks is None:
        return bitcode, NOTHING
    flags, overflow = _driver_flags(file, options), "overflow" in options.checks
    source = CText(file.compiler, inputs.driver.text, flags, file.working_directory, DRIVER_FILE, overflow)
    function = f"@{inputs.interface.call_name}"
    others = [f"@{each}" for each in file.functions] if is_for_whole_program(options) else []
    functions = list(dict.fromkeys([function, *others]))
    return mark_text(source, bitcode, functions, find_marks, enumerators(inputs.ctypes))


def make_subject(function: Function, woven: Woven, text: SourceText, mcdc_form: str) -> Subject:
    """A function as criteria see it."""
    return Subject(function, woven.points, text, woven.marks, label_blocks(function), mcdc_form)


def _compiled_inputs(
    file: PreparedFile, name: str, options: Options, beside: OtherVersion | None
) -> tuple[ChosenInputs, bytes]:
    """A function that the unit declares in another way than its header (`char *malloc();`) gets no stub."""
    inputs = choose_inputs(file, name, options, beside)
    try:
        return inputs, _compile_driver(file, inputs.driver, inputs.asked.assumptions, options)
    except CompileError as problem:
        names = [stub.name for stub in inputs.shape.stubs if stub.is_redirected and stub.name not in options.stubs]
        names += ["free"] * inputs.interface.frees
        refused = tuple(name for name in names if f"'{name}'" in problem.diagnostics)
        if not refused:
            raise
        return _compiled_inputs(file, name, replace(options, no_stubs=(*options.no_stubs, *refused)), beside)


def is_for_whole_program(options: Options) -> bool:
    """Test-Comp counts all of a program, so a suite for it is about all of it."""
    return options.whole_program or "testcomp" in options.formats


def _other_functions(file: PreparedFile, program: Program, function: str) -> Iterator[str]:
    """The file's other functions, as far as the compiler has kept them."""
    for name in file.functions:
        if f"@{name}" != function and f"@{name}" in program.functions and program.functions[f"@{name}"].is_defined:
            yield f"@{name}"


def _driver_flags(file: PreparedFile, options: Options) -> tuple[str, ...]:
    further = ALL_FUNCTIONS if is_for_whole_program(options) else ()
    return (*file.flags.kept, *PLAIN_CTYPE, *further)


def _compile_driver(file: PreparedFile, driver: Driver, assumptions: Sequence[str], options: Options) -> bytes:
    """The unit compiles, so what does not compile here is an assumption."""
    try:
        return _compile_text(file, driver.text, _driver_flags(file, options), "overflow" in options.checks)
    except CompileError as problem:
        if not assumptions:
            raise
        shown = "; ".join(f"`{text}`" for text in assumptions)
        hint = "an assumption is a C expression over the parameters and the globals that the function reads"
        message = f"--assume: {shown} does not compile"
        raise UsageError(message, hint=hint, slug="assumption", diagnostics=problem.diagnostics) from None


def check_inputs(inputs: ChosenInputs | PreparedUnit, program: Program) -> None:
    """Refuse wishes for inputs that there are not."""
    functions = [name[1:] for name in program.functions]
    check_asked(inputs.asked, inputs.shape, inputs.ctypes, functions, inputs.interface.hidden_state)


def has_conditional(text: SourceText) -> Callable[[Location], bool]:
    """Where the C under test has a `?:`; in what we add to it nobody asks for branches."""

    def answer(place: Location) -> bool:
        is_ours = is_driver(place) or Path(place.file).parent == MODELS
        return not is_ours and text.may_hold_conditional(place)

    return answer


def enumerators(described: CTypes) -> dict[str, int]:
    """Every enum member of the program; without names that functions use for members of enums of their own."""
    every = {member for kind in described.types.values() if isinstance(kind, CEnum) for member in kind.members}
    times = Counter(name for name, _ in every)
    return {name: value for name, value in sorted(every) if times[name] == 1}


def _interface_of(
    file: PreparedFile, name: str, stubs: StubOptions, beside: frozenset[str]
) -> tuple[Interface, CTypes]:
    library = _library_of(file.program)
    interface = find_interface(file.program, file.ctypes, name, read_source, library, stubs, beside)
    if not interface.needs_inquiry:
        return with_stubs(interface, file.ctypes, stubs), file.ctypes
    program, raw = read_bitcode(_inquire(file, interface))
    described = read_debug_info(raw)
    known = add_hidden_functions(complete_interface(interface, program, described, beside), file.program)
    return with_stubs(known, described, stubs), described


def _library_of(program: Program) -> Callable[[str], bool]:
    """What the library has of what the program means by these names."""
    others = find_namesakes(program)
    return lambda name: name not in others and is_in_library(name)


def _inquire(file: PreparedFile, interface: Interface) -> bytes:
    """Functions that are declared inside of others are asked for in vain: the compiler says which they are."""
    source, flags = str(file.path.resolve()), (*file.flags.kept, *PLAIN_CTYPE, *ALL_FUNCTIONS)
    try:
        return _compile_text(file, write_inquiry(interface, source), flags)
    except CompileError as problem:
        names = [function.name for function in interface.asked_functions]
        hidden = [name for name in names if re.search(rf"'{re.escape(name)}'", problem.diagnostics)]
        return _compile_text(file, write_inquiry(interface, source, hidden or names), flags)


def _compile_text(file: PreparedFile, text: str, flags: tuple[str, ...], marks_overflow: bool = False) -> bytes:
    source = CText(file.compiler, text, flags, file.working_directory, DRIVER_FILE, marks_overflow)
    return source.compile(text, flags)


def start(unit: PreparedUnit, worker: Worker, options: Options) -> Runner:
    """Load the unit into the worker."""
    limits = RunLimits(
        seconds=options.run_time_limit, address_bytes=options.memory_limit << 20, positions=options.index_limit
    )
    slots, outputs = len(unit.driver.slots), len(unit.driver.outputs)
    is_direct = options.instrumentation == "direct"
    return start_runner(worker, unit.file.compiler, unit.woven, slots, outputs, limits, is_direct=is_direct)


def missing_functions(program: Program) -> tuple[str, ...]:
    """Functions that nobody has a body for: neither the program, nor a model, nor the library, nor the runtime."""
    return tuple(
        name
        for name, function in program.functions.items()
        if not function.is_defined
        and not name.startswith(("@llvm.", "@tightrope_"))
        and f"@{PREFIX}{name[1:]}" not in program.functions
        and not is_in_library(name[1:])
    )


@lru_cache(maxsize=256)
def read_source(file: str) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
