"""The generator itself: the same seed gives the same program, it compiles, and its features all occur."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from random_inputs import random_values, reference_program
from random_programs import random_program

COMPILER = [sys.executable, "-m", "ziglang", "cc", "-w", "-fwrapv", "-fno-strict-aliasing", "-c"]


def test_the_same_seed_gives_the_same_program() -> None:
    assert random_program(7) == random_program(7)
    assert random_program(7).text != random_program(8).text
    assert random_values(random_program(7), 3) == random_values(random_program(7), 3)


def test_values_fit_their_slots() -> None:
    for seed in range(50):
        program = random_program(seed)
        values = random_values(program, seed)
        assert len(values) == len(program.slots)
        assert all(0 <= value < 1 << kind.bits for value, kind in zip(values, program.slots, strict=True))


@pytest.mark.parametrize("feature", [
    "switch", "default:", "goto", "while", "do {", "for (", "union", "struct", " : ", "enum", "_Bool", "float",
    "double", "unsigned long long", "static const", "continue;", "break;", "*q", "->", "recursion", "entries",
    "items[", "<<", ">>", " % ", " / ", "&&", "||", " ? ", "else if",
])  # fmt: skip
def test_every_feature_occurs(feature: str) -> None:
    assert any(feature in random_program(seed).text for seed in range(60))


def test_programs_stay_small() -> None:
    sizes = sorted(random_program(seed).text.count("\n") for seed in range(100))
    assert sizes[0] >= 20 and sizes[50] <= 90


@pytest.mark.parametrize("seed", range(16))
def test_programs_compile(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "program.c"
    file.write_text(reference_program(random_program(seed, may_trap=seed % 2 == 1)))
    done = subprocess.run([*COMPILER, str(file), "-o", str(tmp_path / "program.o")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
