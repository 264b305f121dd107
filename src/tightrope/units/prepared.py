"""Results of preparing a function: the compiled file, the chosen inputs, and the instrumented unit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tightrope.coverage.objective import Objective
from tightrope.harness.driver import Driver
from tightrope.harness.sequence_text import SequenceText
from tightrope.inputs.hints import CodeHints
from tightrope.inputs.shape import InputShape
from tightrope.program.declarations.c_types import CFunction, CTypes
from tightrope.program.declarations.interface import UNIT_MAIN, Interface
from tightrope.program.ir.assembly import NO_ASSEMBLY, ForeignAssembly
from tightrope.program.ir.model import Function, Program
from tightrope.program.marks.marks import Marks
from tightrope.source.dialects import ASSEMBLY, LAYOUT
from tightrope.source.flags import Flags
from tightrope.source.inline_functions import INLINE_TOO
from tightrope.source.project import as_named
from tightrope.source.toolchain import Compiler, is_of_system
from tightrope.units.input_requests import Asked
from tightrope.units.linking import LinkedFile, Linker
from tightrope.units.mark_unit import CompilableText
from tightrope.weaving.weave import Woven


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
    assembly: ForeignAssembly = NO_ASSEMBLY
    definitions: tuple[str, ...] = ()  # `__irq=`: what is defined away
    inline_functions: tuple[str, ...] = ()  # that C99's `inline` alone defines
    notes: tuple[str, ...] = ()  # how it is compiled, as far as the user did not specify that
    output_stem: str = ""  # how written tests name it, where another file has the same name; '': by its own name
    ir: str = ""  # the raw text of the program
    sequence: SequenceText | None = None  # the program and its types contain the function that makes these calls

    @property
    def functions(self) -> tuple[str, ...]:
        """Functions defined in the file itself, in its order; if there are none, those of files that it includes."""
        every, own = self.ctypes.functions.values(), self.path.resolve()
        places = {f.location.file: self._place(f) for f in {f.location.file: f for f in every}.values()}
        found = [f for f in every if places[f.location.file] == own]
        found = found or [f for f in every if not is_of_system(places[f.location.file])]
        return tuple(f.name for f in sorted(found, key=lambda f: f.location))

    @property
    def included_functions(self) -> tuple[str, ...]:
        """Functions defined in files that it includes."""
        own = {*self.functions}
        return tuple(name for name in self.ctypes.functions if name not in own)

    def defines(self, function: Function) -> bool:
        """True for a function of this file, or of one that it includes; False for another one of the same name."""
        known = self.ctypes.functions.get(function.name[1:].replace(UNIT_MAIN, "main"))
        if known is None or not function.is_defined or function.location is None:
            return False
        return (self.working_directory / function.location.file).resolve() == self._place(known)

    def named_place(self, function: CFunction) -> str:
        """The included file that defines the function, as users name it; '' for this file."""
        if self._place(function) == self.path.resolve():
            return ""
        return as_named(function.location.file, self.path, self.working_directory)

    def _place(self, function: CFunction) -> Path:
        return (self.working_directory / function.location.file).resolve()

    @property
    def ignores_assembly(self) -> bool:
        """Whether its inline assembly is left out, because it is that of another processor."""
        return ASSEMBLY[0] in self.definitions

    @property
    def has_other_layout(self) -> bool:
        """Whether structs may have another layout than on their target."""
        return f"{LAYOUT}=" in self.definitions

    def text_beside(self, text: str, flags: tuple[str, ...], name: str, marks_overflow: bool = False) -> CompilableText:
        """Other C that is compiled where the file is, such as a driver that includes it."""
        further = INLINE_TOO if self.inline_functions else ()
        return CompilableText(
            self.compiler, text, (*flags, *further), self.working_directory, name, marks_overflow, self.assembly
        )


@dataclass(frozen=True, slots=True)
class ChosenInputs:
    """The inputs of a function, before instrumentation."""

    interface: Interface
    ctypes: CTypes
    asked: Asked
    shape: InputShape
    driver: Driver
    hints: CodeHints
    linked: tuple[LinkedFile, ...] = ()
    remarks: tuple[str, ...] = ()  # on files that are not linked


@dataclass(frozen=True, slots=True)
class PreparedUnit:
    """A function with its driver, instrumented and ready to run."""

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
    remarks: tuple[str, ...] = ()  # on files that are not linked

    @property
    def marks(self) -> Marks:
        return self.woven.marks

    @property
    def tested_functions(self) -> tuple[Function, ...]:
        """The function, or those that a sequence calls."""
        called = self.file.sequence.sequence.functions if self.file.sequence else (self.interface.call_name,)
        return tuple(self.program.functions[f"@{name}"] for name in called)

    @property
    def function(self) -> Function:
        """The function that the driver calls."""
        return self.program.functions[f"@{self.interface.call_name}"]
