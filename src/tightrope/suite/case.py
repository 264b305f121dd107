"""Case: an input worth keeping, what was observed, and the objectives it serves. Suite: all cases of one function,
with everything that a writer needs to know of the function."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.execution.inputs import Human, Output, Slot, decode
from tightrope.execution.shape import InputShape, objects_of, observe, slots_of
from tightrope.execution.trace import Ending, Input
from tightrope.execution.whereabouts import describe_pointer
from tightrope.execution.whole_program import describe_values
from tightrope.objectives.objective import Objective
from tightrope.program.c_types import CTypes
from tightrope.program.interface import Interface


@dataclass(frozen=True, slots=True)
class Case:
    name: str  # a C identifier, unique in its suite
    input: Input
    ending: Ending
    outputs: tuple[int | None, ...]
    objectives: tuple[Objective, ...] = ()


@dataclass(frozen=True, slots=True)
class Companion:
    """Another C file of the unit's program, compiled along with the tests; flags as seen from their folder."""

    source: Path
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """`folder` is where the written files go: paths in them are relative to it."""

    ctypes: CTypes
    interface: Interface
    shape: InputShape
    source: Path
    folder: Path
    cases: tuple[Case, ...]
    flags: tuple[str, ...] = ()  # the unit's own compiler flags, shown in the command that builds the tests
    version: str = ""
    linked: tuple[Companion, ...] = ()
    program_hash: str = ""  # SHA-256 of the source
    created: int = 0  # seconds since 1970, or 0: no clock is looked at

    @property
    def function(self) -> str:
        return self.interface.name

    @property
    def file_stem(self) -> str:
        return file_stem(self.source, self.function)

    @property
    def include_path(self) -> str:
        return self.path_to(self.source)

    def path_to(self, file: Path) -> str:
        """The file as seen from the folder; absolute where there is no way from one to the other."""
        try:
            return Path(os.path.relpath(file.resolve(), self.folder.resolve())).as_posix()
        except ValueError:  # another drive
            return file.resolve().as_posix()

    @property
    def slots(self) -> tuple[Slot, ...]:
        return slots_of(self.shape)

    @property
    def outputs(self) -> tuple[Output, ...]:
        return tuple(output for output, _, _ in observe(self.shape, "result", str))


def name_case(function: str, objectives: Sequence[Objective], taken: Collection[str]) -> str:
    """After the first objective that the case serves: `classify_line_12_true`."""
    name = function
    if objectives:
        first = objectives[0]
        kind = "" if first.kind == "line" else re.sub(r"\W+", "_", f"_{first.kind}")
        name = f"{function}_line_{first.location.line}{kind}"
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def describe_input(suite: Suite, case: Case) -> dict[str, Human]:
    """Paths in C words and values for people."""
    return describe_values(suite.shape, case.input, case.outputs)


def describe_outputs(suite: Suite, case: Case) -> dict[str, Human]:
    """What was observed; nothing for what the run did not reach."""
    objects = objects_of(suite.shape)
    seen: dict[str, Human] = {}
    for output, raw in zip(suite.outputs, case.outputs, strict=False):
        if raw is not None:
            is_pointer = output.scalar.kind == "pointer"
            seen[output.path] = (
                describe_pointer(suite.ctypes, objects, raw) if is_pointer else decode(output.scalar, raw)
            )
    return seen


def file_stem(source: Path, function: str) -> str:
    """`test_triangle_classify`; a function that is named like its file is named once."""
    stem = re.sub(r"\W", "_", source.stem)
    return f"test_{stem}" if stem == function else f"test_{stem}_{function}"
