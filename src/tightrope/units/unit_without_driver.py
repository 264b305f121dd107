"""C text and names of functions -> a program with the points and objectives of these functions, and no driver.

Objectives are those of `generate`: their ids contain places in the C, which do not depend on the driver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.coverage.objective import Objective
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.flow.points import Points, number_points
from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.read_ir import read_bitcode
from tightrope.program.marks.flat_regions import flatten_regions
from tightrope.program.marks.marks import NOTHING, Marks
from tightrope.program.marks.path_marks import with_paths
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.units.linking import ALL_FUNCTIONS, PLAIN_CTYPE
from tightrope.units.mark_unit import CompilableText, needs_paths, with_flows
from tightrope.units.marked_program import enumerators, has_conditional, is_direct, mark_functions, objectives_of
from tightrope.units.prepared import PreparedFile
from tightrope.weaving.mark_table import vector_counts

TEXT_NAME = "tests.c"  # what includes the files


@dataclass(frozen=True, slots=True)
class Lifted:
    """A translation unit in which points can be noted."""

    program: Program
    points: Points
    objectives: Mapping[str, tuple[Objective, ...]]  # by C name of the function
    marks: Marks = NOTHING

    def function(self, name: str) -> Function:
        return self.program.functions[f"@{ir_name(name)}"]

    @property
    def wanted(self) -> frozenset[int]:
        """The points that some objective asks about, and the blocks, which tell the lines that are executed."""
        asked = (point for rows in self.objectives.values() for each in rows for point in each.points)
        return frozenset((*asked, *(point for (_, _, side), point in self.points.numbers.items() if side is None)))


def compile_text(file: PreparedFile, text: str) -> bytes:
    """Some text, compiled as the file is."""
    return beside(file, text).compile()


def beside(file: PreparedFile, text: str) -> CompilableText:
    """Some text, to be compiled as the file is."""
    return file.text_beside(text, compile_flags(file), TEXT_NAME)


def compile_flags(file: PreparedFile) -> tuple[str, ...]:
    return (*file.flags.kept, *PLAIN_CTYPE, *ALL_FUNCTIONS)


def defines(file: PreparedFile, program: Program, name: str) -> bool:
    """True if the program contains the function of the file, not another one of the same name."""
    found = program.functions.get(f"@{ir_name(name)}")
    return found is not None and file.defines(found)


def ir_name(name: str) -> str:
    return UNIT_MAIN if name == "main" else name


def lift(file: PreparedFile, text: str, names: Sequence[str], options: Options) -> Lifted:
    """Compile and mark the text, which includes the file."""
    bitcode, marks = _mark(file, text, names, options)
    source = SourceText(enumerators=enumerators(file.ctypes))
    program = normalise_control(read_bitcode(bitcode)[0], has_conditional(source))
    program = program if is_direct(options) else flatten_regions(program)
    functions = {name: program.functions[f"@{ir_name(name)}"] for name in names}
    marks = with_flows(marks, list(functions.values()))
    for name in names:
        own = options.for_function(name)
        if needs_paths(own.criteria):
            program, marks = with_paths(program, marks, [f"@{ir_name(name)}"], own.path_length)
    functions = {name: program.functions[f"@{ir_name(name)}"] for name in names}
    counts = (len(marks.labels), len(marks.flows), len(marks.mutants))
    points = number_points(functions.values(), vector_counts(marks), *counts)
    objectives = {
        name: objectives_of(function, points, marks, source, options.for_function(name), is_direct=is_direct(options))
        for name, function in functions.items()
    }
    return Lifted(program, points, objectives, marks)


def _mark(file: PreparedFile, text: str, names: Sequence[str], options: Options) -> tuple[bytes, Marks]:
    """The bitcode of the text with the marks that some criterion asks for."""
    return mark_functions(
        beside(file, text),
        [f"@{ir_name(name)}" for name in names],
        criteria=dict.fromkeys(each for name in names for each in options.for_function(name).criteria),
        partitions={f"@{ir_name(name)}": options.for_function(name).partitions for name in names},
        options=options,
        ctypes=file.ctypes,
    )


def include(path: Path) -> str:
    """Text that is compiled as the file would be."""
    return f'#include "{path.resolve()}"\n'
