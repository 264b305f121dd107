"""Same seed, same bytes: whatever the hash seed of Python, the folder, the number of jobs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli

ROOT = Path(__file__).parents[2]
TIMES = ("seconds", "solver_seconds", "run_seconds")
SUBJECTS = [
    "examples/triangle.c",
    "examples/controller.c",
    "examples/frame.c",
    "tests/programs/heap.c",
    "tests/programs/double_arithmetic.c",
]


def generate(folder: Path, subject: str, hash_seed: int, *words: str) -> dict[str, Any]:
    """Everything that the command wrote, by file name, the report without times."""
    folder.mkdir()
    shutil.copy(ROOT / subject, folder)
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), "PYTHONHASHSEED": str(hash_seed)}
    environment["TIGHTROPE_PARANOID"] = ""  # a second solver takes longer and decides nothing
    options = ["--json", "report.json", "--format", "plain,json", "-o", "tests", "-q", *words]
    command = [sys.executable, "-m", "tightrope", "generate", Path(subject).name, *options]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    report = json.loads((folder / "report.json").read_text())
    for unit in report["units"]:
        for name in TIMES:
            del unit["statistics"][name]
    return {"report": report} | {file.name: file.read_bytes() for file in sorted((folder / "tests").iterdir())}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_two_runs_write_the_same_bytes(subject: str, tmp_path: Path) -> None:
    first = generate(tmp_path / "first", subject, 1)
    second = generate(tmp_path / "second", subject, 2)
    assert len(first) >= 3
    assert first == second


def test_jobs_change_nothing(tmp_path: Path) -> None:
    subject = "examples/controller.c"
    assert generate(tmp_path / "one", subject, 1) == generate(tmp_path / "two", subject, 2, "--jobs", "2")


def test_another_seed_gives_a_suite_too(tmp_path: Path) -> None:
    found = generate(tmp_path / "seed", "examples/triangle.c", 1, "--seed", "12345")
    (unit,) = found["report"]["units"]
    assert unit["seed"] == 12345
    assert {objective["verdict"] for objective in unit["objectives"]} == {"covered"}
