"""The bench asserts nothing, so somebody must notice when it no longer measures what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import pytest
from imports import ROOT

BENCH = ROOT / "bench"


def test_stages_are_functions_that_exist():
    for words, module, function in import_module("bench.stages").STAGES:
        assert callable(getattr(import_module(f"tightrope.{module}"), function)), words


def test_an_exploration_is_complete_and_its_shares_add_up():
    exploration = import_module("bench.exploration")
    bubble = next(each for each in exploration.PROGRAMS if each.name == "bubble")
    measured = exploration.measure(bubble, 1)
    asked = measured.found.solver.statistics
    who = (asked.cache_hits, asked.reuse_hits, asked.decided, asked.core_hits, asked.solver_queries)
    assert measured.found.stop_reason.name == "EXHAUSTED"
    assert measured.found.progress.divergences == 0
    assert sum(who) == asked.queries
    assert sum(measured.shares().values()) == pytest.approx(1)


def test_tracking_explores_the_same_paths():
    tracking = import_module("bench.tracking")
    bubble = next(each for each in tracking.PROGRAMS if each.name == "bubble")
    turns = tracking.in_turns(bubble, "masking", 1)
    without, following = turns.without, turns.following
    assert without.found.paths == following.found.paths
    assert without.found.progress.runs == following.found.progress.runs
    assert following.count("mcdc") == "13 of 13"


def test_stages_of_a_command_are_noted(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    words = ["generate", str(ROOT / "examples" / "triangle.c"), "-q", "-o", str(tmp_path / "tests")]
    command = [sys.executable, str(BENCH / "stages.py"), str(tmp_path / "notes.json"), "0", *words]
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    assert "search" in (tmp_path / "notes.json").read_text()


def test_a_measured_build_computes_the_same(tmp_path, monkeypatch):
    measure = import_module("bench.measure")
    monkeypatch.setitem(measure.ROUNDS, "sorting", 1)
    plain = next(measure.builds_of("sorting", tmp_path))
    ours = measure._ours("sorting", ("mcdc",), tmp_path)
    measure.run("sorting", [plain, ours], 1, tmp_path)
    rows = list(measure.table({"sorting": [plain, ours]}))
    assert rows[2].startswith("| bundled | 1.00 (")
    assert len(rows) == 4


def test_rows_of_whole_programs_count_verdicts_by_reason():
    bench = import_module("bench.whole_programs")
    objectives = [{"verdict": "covered"}, {"verdict": "covered"}, {"verdict": "unknown", "reason": "shape"}]
    unit = {"objectives": objectives, "statistics": {"runs": 7}, "tests": [{}]}
    rows = [bench.row_of(name, "this", unit) for name in ("one", "two")]
    assert rows[0].share == "66.7 %" and rows[0].verdicts["unknown: shape"] == 1
    (total,) = bench._sums(rows)
    assert (total.objectives, total.runs, total.trials, total.tests) == (6, 14, 0, 2)


def test_a_page_is_measured_as_it_is_used(tmp_path):
    bench, browser = import_module("bench.page"), import_module("bench.parts.browser")
    if browser.find_browser() is None:
        pytest.skip("there is no Chromium: the page is not measured")
    model = import_module("tightrope.report.model")
    objectives = [model.ReportedObjective(f"f:branch:+{n}", "branch", "true", n, 1, "x", "covered") for n in (1, 2)]
    unit = model.UnitReport("f.c", "f", ("branch",), "pps", 0, "done", tuple(objectives), ())
    report = model.Report(model.Tool("tightrope", "0"), (unit,))
    measured = bench.measure_page(report, tmp_path, 1)
    assert measured.elements > 50 and measured.size == (tmp_path / "page.html").stat().st_size
    assert measured.deeds.keys() == bench.DEEDS.keys() and min(*measured.paint, *measured.loaded) > 0
    lines = list(bench.page(report, measured, ""))
    assert any(line.startswith("1 functions, 2 objectives, 0 tests; ") for line in lines)
