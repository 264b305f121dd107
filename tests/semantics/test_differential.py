"""Random programs: woven and plain builds agree, recorded conditions say what happened, flips go where predicted."""

from __future__ import annotations

from pathlib import Path

import csmith_programs
import pytest
from differential import assert_agrees, examine, with_pinned_result
from random_inputs import random_values
from random_programs import random_program


@pytest.mark.parametrize("seed", range(40))
def test_random_program(seed: int, tmp_path: Path) -> None:
    program = random_program(seed, may_trap=seed % 2 == 1)
    inputs = [random_values(program, number) for number in range(20)]
    tally = examine(program, tmp_path, inputs, flips=40)
    tally += examine(with_pinned_result(program), tmp_path, inputs, flips=0)
    assert_agrees(tally)
    assert not tally.timed_out


@pytest.mark.skipif(not csmith_programs.is_installed(), reason="csmith and libcsmith-dev are not installed")
@pytest.mark.parametrize("seed", range(26, 30))
def test_csmith_program(seed: int, tmp_path: Path) -> None:
    program = csmith_programs.csmith_program(seed)
    inputs = [(0, 0, 0), *(random_values(program, number) for number in range(5))]
    flags = (csmith_programs.FLAGS,)
    tally = examine(program, tmp_path, inputs, flips=10, compiler=("gcc", *flags), flags=flags)
    tally += examine(with_pinned_result(program), tmp_path, inputs, flips=0, compiler=("gcc", *flags), flags=flags)
    assert_agrees(tally, is_exact=False)
