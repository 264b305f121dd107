"""A second count of what the written tests cover: built natively, with nothing but notes of points, and run again.

A search sees memory as the worker lays it out. What a predicate says of addresses (`b - a > 3`, where they point into
two objects) or of a local that has no value may be otherwise in the program of the tests. gcov tells that of branches;
of labels only this tells it.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from tightrope.errors import CompileError, InternalError
from tightrope.linking import write_objects
from tightrope.measured_program import build, read_parts, run_tests
from tightrope.objectives.criteria import CRITERIA
from tightrope.objectives.criterion import Need
from tightrope.objectives.witnesses import is_covered
from tightrope.options import Options
from tightrope.prepare import PreparedUnit, is_for_whole_program
from tightrope.suite.confirm import RUN_CRASHING
from tightrope.suite.includes import anchor_includes
from tightrope.suite.native import Limits

PATIENCE = 2.0  # seconds that a test may take; see suite/confirm.py


def wants_recount(options: Options) -> bool:
    """Where labels are to be covered: it costs a build of the tests."""
    has_labels = any(Need.LABELS in CRITERIA[name].needs for name in options.criteria)
    return has_labels and not is_for_whole_program(options)


def recount(unit: PreparedUnit, text: str, folder: Path, options: Options) -> frozenset[str] | None:
    """The ids of the objectives that the tests of this text cover together; None when that cannot be found out.
    `folder` is where the text will be written: its paths start there."""
    name = unit.interface.name
    with tempfile.TemporaryDirectory(prefix="tightrope-recount-") as place:
        source = Path(place) / "tests.c"
        source.write_text(anchor_includes(text, folder), encoding="utf-8")
        own = replace(options, tests=("test_*",))
        try:
            parts = read_parts(unit.file, [name], [source], own, RUN_CRASHING)
            linked = list(write_objects(unit.linked, Path(place)))
            program = build(unit.file, [name], parts, own, Path(place), linked, (RUN_CRASHING,), level=0)
        except (CompileError, InternalError):
            return None
        runs = run_tests(program, Path(place), Limits(memory=options.memory_limit << 20), PATIENCE)
    points = 0
    for run in runs:
        points |= run.points
    return frozenset(each.id for each in program.lifted.objectives[name] if is_covered(each, points))
