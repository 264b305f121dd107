"""Random programs: woven and plain builds agree, recorded conditions say what happened, flips go where predicted."""

from __future__ import annotations

import os
from pathlib import Path

import csmith_programs
import pytest
from differential import Reference, assert_agrees, examine, with_pinned_result
from random_inputs import random_values
from random_programs import random_program

IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"


@pytest.mark.parametrize("seed", range(40 if IS_FULL else 26))
def test_random_program(seed: int, tmp_path: Path) -> None:
    """26 programs; TIGHTROPE_FULL=1: 40."""
    program = random_program(seed, may_trap=seed % 2 == 1)
    inputs = [random_values(program, number) for number in range(20)]
    pinned = with_pinned_result(program)
    reference = Reference(pinned, tmp_path)  # whose result is that of both
    tally = examine(program, tmp_path, inputs, flips=40, reference=reference)
    tally += examine(pinned, tmp_path, inputs, flips=0, reference=reference)
    assert_agrees(tally)
    assert not tally.timed_out


@pytest.mark.skipif(not csmith_programs.is_installed(), reason="csmith and libcsmith-dev are not installed")
@pytest.mark.parametrize("seed", range(26, 30 if IS_FULL else 28))
def test_csmith_program(seed: int, tmp_path: Path) -> None:
    """Two programs; TIGHTROPE_FULL=1: four."""
    program = csmith_programs.csmith_program(seed)
    inputs = [(0, 0, 0), *(random_values(program, number) for number in range(5))]
    flags, pinned = (csmith_programs.FLAGS,), with_pinned_result(program)
    reference = Reference(pinned, tmp_path, ("gcc", *flags))
    tally = examine(program, tmp_path, inputs, flips=10, reference=reference, flags=flags)
    tally += examine(pinned, tmp_path, inputs, flips=0, reference=reference, flags=flags)
    assert_agrees(tally, is_exact=False)
