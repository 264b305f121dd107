"""Random edits of random files: a function whose key in the store is the same after an edit has the same unit, and what
the store says of it is what a run without a store says.

A few are tried; `TIGHTROPE_SEEDS=100:200` tries these."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from edits import Source, draw_edits
from edits_inside import INSIDE
from everyday_functions import everyday_file
from part_judge import look_at
from pointer_files import PointerFiles

from tightrope import cli
from tightrope.errors import CompileError
from tightrope.report.model import UNCHANGED
from tightrope.source.toolchain import find_compiler

SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:2").split(":")))
EDITS = 2  # of each file
CLOCK = {"seconds", "run_seconds", "solver_seconds", "encoding_seconds", "total_seconds"}
KEPT = {"suite", "is_kept", "command"}  # what is in a report because tests were there before, or a store


def pointer_texts(seed: int, lines: int = 9) -> Iterator[str]:
    files = PointerFiles(seed)
    one = files.first()
    yield one.text(lines)
    while True:
        yield files.edited(one)[0].text(lines)


def everyday_texts(seed: int) -> Iterator[str]:
    everyday = everyday_file(seed, 3)
    text = everyday.marked.plain
    yield text
    helpers = [name for name in ("clamp", "sum", "bump", "put", "add", "moved") if f" {name}(" in text]
    source = Source(find_compiler(), text, [*everyday.functions, *helpers], [])
    edits = (each.text for each in draw_edits(source, Random(f"parts {seed}"), INSIDE))
    yield from (each for each in edits if each.count("\n") == text.count("\n"))


TEXTS = {"pointers": pointer_texts, "everyday": everyday_texts}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", TEXTS)
def test_equal_keys_are_equal_units(kind: str, seed: int, tmp_path: Path) -> None:
    texts, file = TEXTS[kind](seed), tmp_path / "unit.c"
    file.write_text(next(texts))
    before, same = look_at(file), 0
    for _ in range(EDITS):
        file.write_text(next(texts))
        try:
            after = look_at(file)
        except CompileError:
            continue
        for name in before.units:
            if before.has_same_key(after, name):
                same += 1
                assert after.units[name] == before.units[name], (name, file.read_text())
    assert same


@pytest.mark.parametrize("seed", SEEDS)
def test_a_stored_result_is_what_a_run_without_a_store_finds(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, not_counted_by_gcov: None
) -> None:
    texts = pointer_texts(seed, lines=0)
    reports = [tmp_path / name / "report.json" for name in ("stored", "fresh")]
    options = (
        "-q",
        "-c",
        "branch,mcdc",
        "--max-runs",
        "40",
        "--time-limit",
        "600",
        "--json",
        "report.json",
        "-o",
        "out",
    )
    for at, text in enumerate((next(texts), next(texts))):
        for report, cache in zip(reports, (("--cache", "store"), ("--no-cache",)), strict=True):
            if at or report is reports[0]:
                report.parent.mkdir(exist_ok=True)
                monkeypatch.chdir(report.parent)
                Path("unit.c").write_text(text)
                cli.main(["generate", "unit.c", *options, *cache])
    stored, fresh = (json.loads(each.read_text())["units"] for each in reports)
    kept = [each["function"] for each in stored if UNCHANGED in each["notes"]]
    assert [_lasting(each) for each in fresh if each["function"] in kept] == [
        _lasting(each) for each in stored if each["function"] in kept
    ]


def _lasting(value: Any) -> Any:
    """Without what a clock has measured and what tells of the store."""
    if isinstance(value, dict):
        return {name: _lasting(each) for name, each in value.items() if name not in CLOCK | KEPT}
    return [_lasting(each) for each in value if each != UNCHANGED] if isinstance(value, list) else value
