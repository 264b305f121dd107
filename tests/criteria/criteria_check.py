"""`check_objectives("C text", criterion, expected)`: the objectives of the last function of a snippet.

The C is compiled as users' C is, marked where criteria need that, read and normalised; nothing is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from tightrope.coverage.criteria import find_objectives
from tightrope.coverage.criterion import Subject
from tightrope.coverage.objective import Objective
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.flow.points import number_points
from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import normalise, read_program
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.toolchain import find_compiler
from tightrope.units.mark_unit import CompilableText, choose_marks, mark_text
from tightrope.weaving.mark_table import vector_counts

ENUMERATORS = {"RED": 0, "GREEN": 5}


@lru_cache(maxsize=64)
def compile_function(text: str) -> Function:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "unit.c"
        source.write_text(text)
        raw, normal = normalise(compile_to_bitcode(find_compiler(), source))
    text_of = SourceText(lambda name: text)
    functions = normalise_control(read_program(normal, raw), text_of.may_hold_conditional).functions
    return [each for each in functions.values() if each.is_defined][-1]


def objectives_of(text: str, *criteria: str) -> tuple[Objective, ...]:
    text = dedent(text)
    function = compile_function(text)
    source = SourceText(lambda name: text, ENUMERATORS)
    return find_objectives(criteria, Subject(function, number_points([function]), source))


def check_objectives(text: str, criterion: str, expected: str) -> None:
    """`expected`: one objective per line, as `id-without-function-and-criterion  text`, `!` where impossible."""
    found = [
        f"{each.id.split(':', 2)[2]}  {each.text}{'  !' if each.is_constant else ''}"
        for each in objectives_of(text, criterion)
    ]
    assert found == dedent(expected).strip().split("\n") or (not found and not expected.strip())


def mark_functions(text: str, names: Sequence[str], *criteria: str) -> dict[str, Subject]:
    """Functions with the marks of their decisions, or of what the criteria need, all from one compilation."""
    source = CompilableText(find_compiler(), text, (), None, "unit.c")
    find_marks = choose_marks(criteria or ["mcdc"])
    assert find_marks
    functions = [f"@{name}" for name in names]
    bitcode, marks = mark_text(source, source.compile(text, ()), functions, find_marks, ENUMERATORS)
    raw, normal = normalise(bitcode)
    text_of = SourceText(lambda name: text, ENUMERATORS)
    program = normalise_control(read_program(normal, raw), text_of.may_hold_conditional)
    chosen = [program.functions[each] for each in functions]
    points = number_points(chosen, vector_counts(marks), len(marks.labels))
    return {name: Subject(each, points, text_of, marks) for name, each in zip(names, chosen, strict=True)}


def objectives_in(subject: Subject, criterion: str, mcdc_form: str = "masking") -> tuple[Objective, ...]:
    return find_objectives([criterion], replace(subject, mcdc_form=mcdc_form))
