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
    "an index outside of an array": (
        "static const int t[4] = {5, 4, -5, 5};\nint f(unsigned a) { if (a > 3) return 0; return t[a] > 4; }"
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


def _alive(folder: Path, text: str, *further: str) -> list[str]:
    """Why mutants of f are alive."""
    (folder / "unit.c").write_text(text)
    report = folder / "report.json"
    words = [f"{folder / 'unit.c'}:f", "-c", "mutation", "-o", str(folder / "tests"), "--json", str(report), "-q"]
    assert cli.main(["generate", *words, *further]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return [each["sentence"] for each in unit["objectives"] if each["verdict"] == "unknown"]


def test_statements_that_no_run_reaches_have_no_mutant_alive(tmp_path: Path) -> None:
    """The formula of both cannot decide it: an array that is longer than the shape may show anything."""
    text = "int f(const int *a, unsigned char n) { for (int i = 0; i < n; i++) if (i < 0) return 2; return a[n]; }\n"
    assert not [why for why in _alive(tmp_path, text) if "return 2" in why]


def test_where_one_call_shows_nothing_a_sequence_is_advised(tmp_path: Path) -> None:
    alive = _alive(
        tmp_path, "int f(int a) { static int sum; sum += a; return sum > 90 ? 7 : 0; }\n", "--time-limit", "8"
    )
    assert any("--sequence 'f*8'" in why for why in alive)


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
