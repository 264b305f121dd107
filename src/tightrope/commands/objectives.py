"""`tightrope objectives`: what there is to cover in a function, and where, without running anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.report.listing import (
    ListedFunction,
    list_decisions,
    list_labels,
    list_objectives,
    list_points,
)
from tightrope.source.project import as_named
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile, PreparedUnit
from tightrope.units.select_functions import INTERNAL, Selection, choose, refuse_all

USUAL_CRITERIA = ("statement", "branch", "mcdc")


def list_functions(options: Options) -> tuple[ListedFunction, ...]:
    """Every function asked for, in the order of the files."""
    listed = tuple(_list_all(choose(options), options))
    if listed and all(one.refusal for one in listed):
        raise refuse_all((one.function, one.refusal) for one in listed)
    return listed


def _list_all(selection: Selection, options: Options) -> Iterator[ListedFunction]:
    for file, name in selection.functions():
        try:
            yield _list_function(file, name, options.for_function(name))
        except TightropeError as problem:
            if not selection.is_of_many or problem.exit_code == INTERNAL:
                raise
            yield ListedFunction(name, str(file.path), 0, refusal=f"cannot be tested: {problem.about(name)}")
    for each in selection.refused:
        yield ListedFunction(each.target.function, str(each.target.file), 0, refusal=f"cannot be tested: {each.reason}")


def _list_function(file: PreparedFile, name: str, options: Options) -> ListedFunction:
    asked = options.criteria if "criteria" in options.commanded else USUAL_CRITERIA
    unit = prepare_unit(file, name, replace(options, criteria=(*dict.fromkeys((*asked, "mcdc")),)))
    return _describe(unit, asked, options.mcdc_form)


def _describe(unit: PreparedUnit, asked: tuple[str, ...], mcdc_form: str) -> ListedFunction:
    functions = {name: each for name, each in unit.program.functions.items() if each.is_defined}
    objectives = [each for each in unit.objectives if each.criterion in asked]
    decisions = list_decisions(unit.marks, unit.woven.points, functions, objectives)
    labels = list_labels(unit.marks, unit.woven.points, functions)
    return ListedFunction(
        unit.interface.name,
        str(unit.file.path),
        unit.interface.function.location.line,
        criteria=asked,
        mcdc_form=mcdc_form,
        decisions=tuple(replace(each, file=_as_named(unit, each.file)) for each in decisions),
        labels=tuple(replace(each, file=_as_named(unit, each.file)) for each in labels),
        objectives=tuple(replace(each, file=_as_named(unit, each.file)) for each in list_objectives(objectives)),
        points=tuple(list_points(unit.woven.points, decisions)),
    )


def _as_named(unit: PreparedUnit, file: str) -> str:
    return as_named(file, unit.file.path, unit.file.working_directory)
