"""The programs of the experiments are what their README says: they compile, and have so many paths.

Every row of the table that starts with a C file is a subject; those with many paths are only compiled.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tightrope import cli

PROGRAMS = Path(__file__).parents[2] / "experiments" / "programs"
STRICT = ("-std=c11", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-c")
MANY = 1000  # paths: more are not explored here


class Subject(NamedTuple):
    file: str
    function: str
    size: str  # an option of the compiler, or nothing
    lines: int
    paths: int


def read_row(row: str) -> Subject:
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    file = re.findall(r"\((labels/\w+\.c)\)", cells[0])
    return Subject(file[0], cells[1], cells[2], int(cells[3]), int(cells[-1]))


ROWS = [row for row in (PROGRAMS / "README.md").read_text().splitlines() if re.match(r"\| \[\w+\.c\]\(labels/", row)]
SUBJECTS = [read_row(row) for row in ROWS]
SMALL = [subject for subject in SUBJECTS if subject.paths < MANY]


def name_of(subject: Subject) -> str:
    return subject.file + subject.size


def explore(subject: Subject, folder: Path) -> dict[str, Any]:
    report = folder / "report.json"
    search = ["--whole-program", "-c", "branch", "-s", "dfs", "--exhaustive", "--time-limit", "20"]
    output = ["-o", str(folder / "tests"), "--json", str(report), "--no-confirm", "--quiet"]
    target = f"{PROGRAMS / subject.file}:{subject.function}"
    assert cli.main(["generate", target, *search, *output, "--", *subject.size.split()]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return dict(unit)


def lines_of_code(text: str) -> int:
    without_comments = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return sum(bool(line.strip()) for line in without_comments.splitlines())


def test_every_program_is_in_the_table() -> None:
    files = {f"labels/{path.name}" for path in (PROGRAMS / "labels").glob("*.c")}
    assert {subject.file for subject in SUBJECTS} == files


@pytest.mark.parametrize("subject", SUBJECTS, ids=name_of)
def test_header_and_lines(subject: Subject) -> None:
    text = (PROGRAMS / subject.file).read_text()
    header = text.partition("*/")[0]
    assert f"Function under test: {subject.function}." in header
    assert subject.size in header
    assert lines_of_code(text) == subject.lines


@pytest.mark.parametrize("subject", SUBJECTS, ids=name_of)
def test_compiles_without_warnings(subject: Subject, tmp_path: Path) -> None:
    compiler = [sys.executable, "-m", "ziglang", "cc", *STRICT, *subject.size.split()]
    files = [str(PROGRAMS / subject.file), "-o", str(tmp_path / "program.o")]
    done = subprocess.run([*compiler, *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("subject", SMALL, ids=name_of)
def test_paths_and_verdicts(subject: Subject, tmp_path: Path) -> None:
    unit = explore(subject, tmp_path)
    undecided = [each["id"] for each in unit["objectives"] if each["verdict"] not in ("covered", "infeasible")]
    assert undecided == []
    assert unit["statistics"]["paths"] == subject.paths
    assert unit["crashes"] == []
