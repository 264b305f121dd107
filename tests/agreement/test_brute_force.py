"""Verdicts against brute force: on functions of two 8-bit inputs, every input is run, so that what can be
covered is known. `covered` must be coverable, `infeasible` must not, and nothing may stay unknown. Four functions;
TIGHTROPE_FULL=1: six."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from random_functions import FunctionWriter

from tightrope.coverage.verdict import Covered, Infeasible
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start


def _prepare(folder: Path, text: str):
    path = folder / "unit.c"
    path.write_text(text)
    options = Options((Target(path, "f"),), criteria=("branch",), output=folder / "out", time_limit=60.0)
    file = prepare_file(find_compiler(), path, options, lambda text: None)
    return prepare_unit(file, "f", options), options


@pytest.mark.parametrize("seed", range(6 if os.environ.get("TIGHTROPE_FULL") == "1" else 4))
def test_verdicts_agree_with_brute_force(seed, tmp_path):
    text = FunctionWriter(seed).program()
    unit, options = _prepare(tmp_path, text)
    with start(unit, Worker(), options) as runner:
        found = explore(unit, runner, options, lambda ledger, progress: None)
        possible = 0
        for a in range(256):
            for b in range(256):
                possible |= runner.trace((a, b)).points
    assert found.progress.divergences == 0
    for objective, verdict in found.ledger:
        expected = Covered if possible & objective.mask else Infeasible
        assert isinstance(verdict, expected), f"{objective.id} ({objective.text}): {verdict}\n{text}"
