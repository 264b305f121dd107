"""From files and names to a unit that can be run: compile, read, choose inputs, write the driver, weave.

Wires the stages below; decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tightrope.errors import CompileError, UsageError
from tightrope.execution.build import join_models, read_bitcode, start_runner
from tightrope.execution.driver import DRIVER_FILE, Driver, write_driver
from tightrope.execution.inquiry import write_inquiry
from tightrope.execution.libc_models import FOLDER as MODELS
from tightrope.execution.libc_models import PREFIX
from tightrope.execution.library import is_in_library
from tightrope.execution.runner import RunLimits, Runner, Worker
from tightrope.execution.shape import FixedPointer, InputShape, PointsTo, ShapeOptions, walk
from tightrope.execution.shape_builder import choose_shape
from tightrope.execution.weave import Woven, weave
from tightrope.location import Location
from tightrope.objectives.criteria import find_objectives
from tightrope.objectives.criterion import Subject
from tightrope.objectives.objective import Objective
from tightrope.options import Options
from tightrope.program.c_types import CEnum, CTypes
from tightrope.program.debug_info import read_debug_info
from tightrope.program.interface import Interface, complete_interface, find_interface
from tightrope.program.model import Function, Program
from tightrope.program.normal_form import normalise_control
from tightrope.program.source_text import SourceText
from tightrope.source.compilation_database import read_database
from tightrope.source.compile import compile_to_bitcode, drop_unknown_flags
from tightrope.source.flags import Flags, sort_flags
from tightrope.source.toolchain import Compiler

ALL_FUNCTIONS = ("-femit-all-decls",)  # also the static ones that nobody calls
PLAIN_CTYPE = ("-D__NO_CTYPE",)  # isdigit() is a call, which has a model, instead of a table look-up


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A C file, compiled alone: what it defines and how it is compiled."""

    path: Path  # as the user named it
    compiler: Compiler
    flags: Flags
    working_directory: Path
    program: Program
    ctypes: CTypes
    warnings: tuple[str, ...] = ()

    @property
    def functions(self) -> tuple[str, ...]:
        """Functions defined in the file itself, in its order; not those of headers."""
        own = self.path.resolve()
        found = [f for f in self.ctypes.functions.values() if Path(f.location.file).resolve() == own]
        return tuple(f.name for f in sorted(found, key=lambda f: f.location))


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

    @property
    def function(self) -> Function:
        return self.program.functions[f"@{self.interface.call_name}"]


def prepare_file(compiler: Compiler, path: Path, options: Options, on_warning: Callable[[str], None]) -> PreparedFile:
    """Compile the file as its project does, and read what it defines."""
    flags, folder = _flags_of(compiler, path, options)
    bitcode = compile_to_bitcode(
        compiler, path.resolve(), (*flags.kept, *ALL_FUNCTIONS), working_directory=folder, on_warning=on_warning
    )
    program, raw = read_bitcode(bitcode)
    warnings = tuple(f"flag not used: {dropped}" for dropped in flags.worth_saying)
    return PreparedFile(path, compiler, flags, folder, program, read_debug_info(raw), warnings)


def _flags_of(compiler: Compiler, path: Path, options: Options) -> tuple[Flags, Path]:
    own = sort_flags(options.flags)
    if options.build_dir is None:
        return own, Path.cwd()
    command = read_database(options.build_dir).find(path)[0]
    theirs = drop_unknown_flags(compiler, command.flags, working_directory=command.directory)
    joined = Flags(theirs.kept + own.kept, theirs.link + own.link, theirs.dropped + own.dropped)
    return joined, command.directory


def prepare_unit(file: PreparedFile, name: str, options: Options) -> PreparedUnit:
    """Choose the inputs of the function and weave it with a driver around it."""
    interface, described = _interface_of(file, name)
    shape = choose_shape(described, interface, shape_options(options))
    source = str(file.path.resolve())
    driver = write_driver(described, interface, shape, source, options.assumptions, options.enum)
    bitcode = _compile_driver(file, driver, options)
    text = SourceText(enumerators=enumerators(described))
    program = normalise_control(join_models(file.compiler, bitcode, read_bitcode(bitcode)[0]), has_conditional(text))
    function = f"@{interface.call_name}"
    woven = weave(program, (function,), missing_functions(program))
    subject = Subject(program.functions[function], woven.points, text)
    objectives = find_objectives(options.criteria, subject)
    return PreparedUnit(file, interface, described, shape, driver, program, woven, objectives)


def _compile_driver(file: PreparedFile, driver: Driver, options: Options) -> bytes:
    """The unit compiles, so what does not compile here is an assumption."""
    try:
        return _compile_text(file, driver.text)
    except CompileError as problem:
        if not options.assumptions:
            raise
        shown = "; ".join(f"`{text}`" for text in options.assumptions)
        hint = "an assumption is a C expression over the parameters and the globals that the function reads"
        message = f"--assume: {shown} does not compile"
        raise UsageError(message, hint=hint, slug="assumption", diagnostics=problem.diagnostics) from None


def check_pointers(asked: Sequence[tuple[str, int]], shape: InputShape) -> None:
    """A path that no pointer has is a typing error."""
    nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
    known = {re.sub(r"\[\d+\]", "[_]", node.path) for node in nodes if isinstance(node, PointsTo | FixedPointer)}
    for path, _ in asked:
        if re.sub(r"\[\d+\]", "[_]", path) not in known:
            hint = f"its pointers are {', '.join(sorted(known))}" if known else "it has no pointers"
            raise UsageError(f"--pointer: no input has the path `{path}`", hint=hint, slug="pointer-path")


def has_conditional(text: SourceText) -> Callable[[Location], bool]:
    """Where the C under test has a `?:`; in what we add to it nobody asks for branches."""

    def answer(place: Location) -> bool:
        is_ours = place.file == DRIVER_FILE or Path(place.file).parent == MODELS
        return not is_ours and text.may_hold_conditional(place)

    return answer


def enumerators(described: CTypes) -> dict[str, int]:
    """Every enum member of the program, for case labels in reports."""
    return {name: value for kind in described.types.values() if isinstance(kind, CEnum) for name, value in kind.members}


def shape_options(options: Options) -> ShapeOptions:
    return ShapeOptions(
        pointer_counts=dict(options.pointers), max_elements=options.max_elements, enum_values=options.enum
    )


def _interface_of(file: PreparedFile, name: str) -> tuple[Interface, CTypes]:
    interface = find_interface(file.program, file.ctypes, name, read_source, is_in_library)
    if not interface.needs_inquiry:
        return interface, file.ctypes
    text = write_inquiry(interface, str(file.path.resolve()))
    program, raw = read_bitcode(_compile_text(file, text, ALL_FUNCTIONS))
    described = read_debug_info(raw)
    return complete_interface(interface, program, described), described


def _compile_text(file: PreparedFile, text: str, further: tuple[str, ...] = ()) -> bytes:
    flags = (*file.flags.kept, *PLAIN_CTYPE, *further)
    return compile_to_bitcode(file.compiler, text, flags, working_directory=file.working_directory, name=DRIVER_FILE)


def start(unit: PreparedUnit, worker: Worker, options: Options) -> Runner:
    """Load the unit into the worker."""
    limits = RunLimits(seconds=options.run_time_limit, address_bytes=options.memory_limit << 20)
    slots, outputs = len(unit.driver.slots), len(unit.driver.outputs)
    return start_runner(worker, unit.file.compiler, unit.woven, slots, outputs, limits)


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
