"""Tests that Tightrope wrote: which of their runs count as errors."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.commands.measure import measured_program
from tightrope.commands.measure.measured_coverage import Run
from tightrope.running.run_record import Outcome


def test_a_test_that_does_not_end_covers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = (Run("test_a", 1, Outcome.TIMED_OUT, is_error=True), Run("test_b", 1, Outcome.RETURNED))
    stand_ins = {"read_written": (), "build": SimpleNamespace(lifted=None), "run_tests": runs}
    for name, value in stand_ins.items():
        monkeypatch.setattr(measured_program, name, lambda *_, value=value, **__: value)
    (tmp_path / "tests.c").write_text("int f(void) { return 1; }")
    options = read_options(["generate", str(tmp_path / "tests.c")])
    file: Any = None
    _, found = measured_program.run_written(file, ["f"], tmp_path / "tests.c", [], options, tmp_path)
    assert [run.is_error for run in found] == [True, False]
