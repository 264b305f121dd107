"""Units with labels written by hand: the C calls the marks itself, so that nothing but the runtime and the search is
asked."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Verdict
from tightrope.engines.explore import Exploration, explore
from tightrope.location import Location
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import Marks
from tightrope.running.runner import RunLimits, Runner, Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.build import start_runner
from tightrope.units.prepare import prepare_file, prepare_unit
from tightrope.units.prepared import PreparedUnit

PRELUDE = """
void tightrope_label_begin(int);
void tightrope_label_end(int, _Bool);
#define LABEL(n, e) (tightrope_label_begin(n), tightrope_label_end(n, (e)))
"""
SLOT_VALUES = range(-2, 3)


def prepare_labelled(folder: Path, text: str, **options: object) -> tuple[PreparedUnit, Options]:
    """`target` of the text, with an objective for each label."""
    path = folder / "program.c"
    path.write_text(PRELUDE + text)
    asked = Options((Target(path, "target"),), **{"criteria": ("branch",), "engine": "search", **options})  # type: ignore[arg-type]
    count = 1 + max(int(number) for number in re.findall(r"LABEL\((\d+)", text))
    labels = tuple(Label("label", "label", "@target", Location(str(path), n + 1), "", "") for n in range(count))
    with patch("tightrope.units.marked_program.NOTHING", Marks(labels=labels)):
        unit = prepare_unit(prepare_file(find_compiler(), path, asked, lambda text: None), "target", asked)
    objectives = tuple(_objective(n, unit.woven.points.labels[n]) for n in range(count))
    return replace(unit, objectives=objectives), asked


def _objective(number: int, point: int) -> Objective:
    return Objective(str(number), "label", "label", Location("program.c", number + 1), "", (point,), "")


@contextmanager
def running(unit: PreparedUnit, *, is_direct: bool = False) -> Iterator[Runner]:
    worker = Worker()
    try:
        slots, outputs = len(unit.driver.slots), len(unit.driver.outputs)
        arguments = (worker, unit.file.compiler, unit.woven, slots, outputs, RunLimits())
        with start_runner(*arguments, is_direct=is_direct) as runner:
            yield runner
    finally:
        worker.close()


def explored(unit: PreparedUnit, options: Options, *, looks_for_errors: bool = True) -> Exploration:
    with running(unit, is_direct=options.instrumentation == "direct") as runner:
        return explore(unit, runner, options, lambda ledger, progress: None, looks_for_errors=looks_for_errors)


def verdicts(found: Exploration) -> dict[str, str]:
    return {objective.id: word(verdict) for objective, verdict in found.ledger}


def word(verdict: Verdict) -> str:
    reason = getattr(verdict, "reason", None)
    return verdict.word if reason is None else f"unknown: {reason.word}"


def possible(unit: PreparedUnit, values: range = SLOT_VALUES) -> set[str]:
    """The labels that inputs of a small domain cover, all tried."""
    points = 0
    with running(unit) as runner:
        for chosen in itertools.product(values, repeat=len(unit.driver.slots)):
            bits = [slot.scalar.bits for slot in unit.driver.slots]
            points |= runner.trace(tuple(v % (1 << b) for v, b in zip(chosen, bits, strict=True))).points
    return {objective.id for objective in unit.objectives if objective.mask & points}
