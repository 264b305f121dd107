"""The parts of bench/encoding.py that need no other machine: what they say is computed from what was measured."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest
from imports import ROOT

BENCH = ROOT / "bench"


def test_the_exponent_of_a_square_is_two():
    growth = import_module("bench.encoding.growth")
    assert growth.exponent([(x, 3.0 * x * x) for x in (6.0, 12.0, 80.0)]) == pytest.approx(2.0)


def test_growth_decides_all_and_knows_where_the_time_went():
    growth = import_module("bench.encoding.growth")
    (grown,) = growth.measure(1, [6])
    assert grown.usual.is_whole and grown.fresh.is_whole
    assert 0 < grown.usual.further["encoding"] < grown.usual.cpu_seconds
    page = list(growth.page([replace(grown, steps=steps) for steps in (6, 7, 8)]))
    assert any(line.startswith("| 6 |") for line in page)
    assert "- whole grows with steps to the power of 0.00; from 6 on 0.00" in page


def test_tables_of_rows():
    verdicts, rows, engines = (
        import_module("bench.encoding.verdicts"),
        import_module("bench.encoding.rows"),
        import_module("bench.parts.engines"),
    )

    def decided(engine, seconds, covered):
        reasons = {"shape": 4 - covered} if covered < 4 else {}
        return engines.Decided(engine, seconds, seconds, 4, covered, 0, reasons, "DONE", 1, 0)

    both = {
        "search": decided("search", 1.0, 4),
        "encoding": decided("encoding", 2.0, 4),
        "auto": decided("auto", 3.0, 4),
    }
    one = {**both, "search": decided("search", 1.0, 2)}
    found = [rows.Row("a.c:f", "branch", both), rows.Row("a.c:g", "branch", one), rows.Row("a.c:h", "branch", {}, "no")]
    assert "| branch | 2 | 8 | 75.0 % (6 + 0) | 2 | 100.0 % (8 + 0) | 4 |" in "\n".join(verdicts.shares(found))
    assert "| both decide everything | 1 | 3.00 | 3.00 | 3.00 | 1 | 3.00 |" in list(verdicts.ratios(found))
    assert "| shape | 2 | 0 | 0 |" in list(verdicts.reasons(found))
    assert "- a.c:h, branch: no" in list(verdicts.problems(found))
