"""Mutants that some input kills stayed alive, or were said to pass tests that nobody ran."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tightrope import cli
from tightrope.commands.generate.kill_mutants import NOT_CHECKED, NOT_RUN, kill_mutants
from tightrope.commands.measure.mutant_judge import MutantJudge
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start

FUNCTIONS = {
    "samples that occur twice": "double f(double a, double b) { return a * b + 0.0; }",
    "runs that exit or abort": (
        "#include <stdlib.h>\nint f(int a) { if (a == 3) abort(); if (a == 4) exit(1); return 0; }"
    ),
}


@pytest.mark.parametrize("text", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_every_mutant_is_killed(text: str, tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text(text)
    report = tmp_path / "report.json"
    words = [f"{tmp_path / 'unit.c'}:f", "-c", "mutation", "-o", str(tmp_path / "tests"), "--json", str(report), "-q"]
    assert cli.main(["generate", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    assert [each["id"] for each in unit["objectives"] if each["verdict"] != "covered"] == []


def test_what_was_not_run_is_not_called_passing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It said that no test fails for inputs that no test had."""
    monkeypatch.setattr(MutantJudge, "has_time", False)
    source = tmp_path / "unit.c"
    source.write_text("int f(int a) { return a > 3; }\n")
    options = Options((Target(source, "f"),), criteria=("mutation",), max_runs=10)
    unit = prepare_unit(prepare_file(find_compiler(), source, options, lambda text: None), "f", options)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            found = explore(replace(unit, objectives=()), runner, options, lambda ledger, progress: None)
            ledger = kill_mutants(unit, runner, found, options, lambda stage: None).ledger
    finally:
        worker.close()
    reasons = {ledger.verdict(each).sentence for each in ledger.open_objectives}
    assert NOT_RUN in reasons
    assert NOT_CHECKED not in reasons
