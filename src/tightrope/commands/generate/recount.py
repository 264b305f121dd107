"""A second count of what the written tests cover: built natively, with nothing but notes of points, and run again.

A search sees memory as the worker lays it out. What a predicate says of addresses (`b - a > 3`, where they point into
two objects) or of a local that has no value may be otherwise in the program of the tests. gcov tells that of branches;
of labels only this tells it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tightrope.commands.measure.measured_program import run_written
from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.criterion import Need
from tightrope.coverage.witnesses import is_covered
from tightrope.options.options import Options
from tightrope.suite.folder import anchor_includes
from tightrope.units.linking import write_objects
from tightrope.units.prepare import PreparedUnit, is_for_whole_program


def wants_recount(options: Options) -> bool:
    """Where labels are to be covered: it costs a build of the tests."""
    return any(Need.LABELS in CRITERIA[name].needs for name in options.criteria)


def recount(unit: PreparedUnit, text: str, folder: Path, options: Options) -> frozenset[str]:
    """The ids of the objectives that the tests of this text cover together. `folder` is where the text will be written:
    its paths start there. Raises CompileError."""
    names = unit.file.functions if is_for_whole_program(options) else (unit.interface.name,)
    with tempfile.TemporaryDirectory(prefix="tightrope-recount-") as place:
        source = Path(place) / "tests.c"
        source.write_text(anchor_includes(text, folder), encoding="utf-8")
        linked = list(write_objects(unit.linked, Path(place)))
        lifted, runs = run_written(unit.file, names, source, linked, options, Path(place))
    points = 0
    for run in runs:
        points |= run.points
    return frozenset(each.id for rows in lifted.objectives.values() for each in rows if is_covered(each, points))
