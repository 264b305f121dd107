"""Same seed, same bytes: whatever the hash seed of Python, the folder, the number of jobs.

Usually, one command has all the files, one function of most, and jobs are compared in passing; TIGHTROPE_FULL=1: each file
alone with all its functions, and jobs alone.
"""

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
TIMES = ("seconds", "solver_seconds", "run_seconds", "encoding_seconds", "total_seconds")
IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"
SUBJECTS = (
    "examples/triangle.c",
    "examples/controller.c",
    "examples/frame.c" if IS_FULL else "examples/frame.c:read_frame",
    "tests/programs/heap.c",
    "tests/programs/double_arithmetic.c",
)
TOGETHER = [(each,) for each in SUBJECTS] if IS_FULL else [SUBJECTS]


def generate(folder: Path, subjects: tuple[str, ...], hash_seed: int, *words: str) -> dict[str, Any]:
    """Everything that the command wrote, by file name, the report without times."""
    folder.mkdir()
    for each in subjects:
        shutil.copy(ROOT / each.partition(":")[0], folder)
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), "PYTHONHASHSEED": str(hash_seed)}
    environment["TIGHTROPE_PARANOID"] = ""  # a second solver takes longer and decides nothing
    options = ["--json", "report.json", "--format", "plain,json", "-o", "tests", "-q", *words]
    command = [sys.executable, "-m", "tightrope", "generate", *(Path(each).name for each in subjects), *options]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    report = json.loads((folder / "report.json").read_text())
    for unit in report["units"]:
        for name in TIMES:
            del unit["statistics"][name]
    return {"report": report} | {file.name: file.read_bytes() for file in sorted((folder / "tests").iterdir())}


@pytest.mark.parametrize("subjects", TOGETHER, ids=", ".join)
def test_two_runs_write_the_same_bytes(subjects: tuple[str, ...], tmp_path: Path) -> None:
    first = generate(tmp_path / "first", subjects, 1)
    second = generate(tmp_path / "second", subjects, 2, *(() if IS_FULL else ("--jobs", "2")))
    assert len(first) >= 1 + 2 * len(subjects)
    assert first == second


@pytest.mark.skipif(not IS_FULL, reason="the test above has done so; TIGHTROPE_FULL=1 does it alone")
def test_jobs_change_nothing(tmp_path: Path) -> None:
    one, two = (generate(tmp_path / jobs, ("examples/controller.c",), 1, "--jobs", jobs) for jobs in ("1", "2"))
    assert one == two


def test_another_seed_gives_a_suite_too(tmp_path: Path) -> None:
    found = generate(tmp_path / "seed", ("examples/triangle.c",), 1, "--seed", "12345")
    (unit,) = found["report"]["units"]
    assert unit["seed"] == 12345
    assert {objective["verdict"] for objective in unit["objectives"]} == {"covered"}
