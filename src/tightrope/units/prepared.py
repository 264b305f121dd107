"""Results of preparing a function: the compiled file, the chosen inputs, and the instrumented unit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tightrope.coverage.objective import Objective
from tightrope.harness.driver import Driver
from tightrope.harness.sequence_text import SequenceText
from tightrope.inputs.hints import CodeHints
from tightrope.inputs.shape import InputShape
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.interface import Interface
from tightrope.program.ir.model import Function, Program
from tightrope.program.marks.marks import Marks
from tightrope.source.flags import Flags
from tightrope.source.toolchain import Compiler
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
    notes: tuple[str, ...] = ()  # how it is compiled, as far as the user did not specify that
    sequence: SequenceText | None = None  # the program and its types contain the function that makes these calls

    @property
    def functions(self) -> tuple[str, ...]:
        """Functions defined in the file itself, in its order; not those of headers."""
        own = self.path.resolve()
        found = [f for f in self.ctypes.functions.values() if Path(f.location.file).resolve() == own]
        return tuple(f.name for f in sorted(found, key=lambda f: f.location))

    def text_beside(self, text: str, flags: tuple[str, ...], name: str, marks_overflow: bool = False) -> CompilableText:
        """Other C that is compiled where the file is, such as a driver that includes it."""
        return CompilableText(self.compiler, text, flags, self.working_directory, name, marks_overflow)


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
