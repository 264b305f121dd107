"""Compiled C -> a program with marks in normal form, and the objectives of its functions. Units with a driver
(prepare.py) and without one (unit_without_driver.py) are made alike, so that they have the same objectives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tightrope.coverage.criteria import choose_labelled, find_objectives
from tightrope.coverage.criterion import Subject
from tightrope.coverage.objective import Objective
from tightrope.harness.driver import is_driver
from tightrope.library.table import MODELS
from tightrope.location import Location
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.declarations.c_types import CEnum, CTypes
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.program.marks.labels import Partition
from tightrope.program.marks.marks import NOTHING, Marks
from tightrope.program.marks.regions import label_blocks
from tightrope.units.mark_unit import CompilableText, choose_marks, mark_text


def is_direct(options: Options) -> bool:
    """Each label is a branch of the path."""
    return options.instrumentation == "direct"


def mark_functions(
    source: CompilableText,
    functions: Sequence[str],
    *,
    criteria: Iterable[str],
    partitions: Mapping[str, tuple[Partition, ...]],
    options: Options,
    ctypes: CTypes,
    bitcode: bytes = b"",
) -> tuple[bytes, Marks]:
    """The bitcode of the text with the marks that the criteria ask for in these functions ('@f'). `bitcode` is that of
    the text, if it was compiled before."""
    bitcode, criteria = bitcode or source.compile(), tuple(criteria)
    find_marks = choose_marks(criteria, partitions, is_direct=is_direct(options), mcdc_form=options.mcdc_form)
    if find_marks is None:
        return bitcode, NOTHING
    members = enumerators(ctypes)
    return mark_text(
        source, bitcode, functions, find_marks, members, is_branching_only=options.decisions == "branching"
    )


def objectives_of(
    function: Function, points: Points, marks: Marks, text: SourceText, options: Options, *, is_direct: bool
) -> tuple[Objective, ...]:
    """What the criteria of the options ask of one function."""
    has_exits = options.decisions == "all"
    subject = Subject(function, points, text, marks, label_blocks(function), options.mcdc_form, has_exits)
    labelled = choose_labelled(options.criteria, is_direct=is_direct, mcdc_form=options.mcdc_form)
    return find_objectives(options.criteria, subject, labelled)


def has_conditional(text: SourceText) -> Callable[[Location], bool]:
    """The places of `?:` in the C under test; branches in code that Tightrope adds do not count."""

    def answer(place: Location) -> bool:
        is_ours = is_driver(place) or Path(place.file).parent == MODELS
        return not is_ours and text.may_hold_conditional(place)

    return answer


def enumerators(described: CTypes) -> dict[str, int]:
    """Every enum member of the program, without names that functions use for members of local enums."""
    every = {member for kind in described.types.values() if isinstance(kind, CEnum) for member in kind.members}
    times = Counter(name for name, _ in every)
    return {name: value for name, value in sorted(every) if times[name] == 1}
