"""A report with everything in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tightrope.report.model import (
    Concretisation,
    Confirmation,
    Crash,
    Report,
    ReportedObjective,
    ReportedTest,
    Statistics,
    Tool,
    UnitReport,
)


def objective(number: int, verdict: str, **rest: Any) -> ReportedObjective:
    name = f"f:branch:+{number}.7:true"
    return ReportedObjective(name, "branch", "true", 10 + number, 7, "a > 3 is true", verdict, **rest)


def make_report() -> Report:
    objectives = (
        objective(1, "covered", tests=("test_1",)),
        objective(2, "infeasible", proof="exhausted", why="every path was explored, and none covers it"),
        objective(3, "unknown", reason="time_limit", source="\tif (a > 3 && b)", why="no", option="--time-limit"),
    )
    unit = UnitReport(
        file="f.c",
        function="f",
        criteria=("branch",),
        strategy="dfs",
        seed=0,
        stop_reason="the time limit was reached",
        objectives=objectives,
        tests=(ReportedTest("test_1", {"a": 4, "x": float("nan"), "c": "RED"}, "returned", (objectives[0].id,)),),
        statistics=Statistics(runs=12, seconds=0.5),
        line=9,
        assumptions=("a >= 0",),
        written=("tightrope-tests/test_f.c",),
        confirmation=Confirmation(1, judge="gcov 12.2.0", judged_lines=3, counted_differently=("line 5: 4 ways",)),
        crashes=(Crash("crashed", "division by zero", "f.c", 14, 12, {"a": 0}),),
        concretisations=(
            Concretisation("inline assembly", "f.c", 20, 3, 2),
            Concretisation("length of a copy", "f.c", 21, 3, 4, kind="pinned"),
        ),
        warnings=("CC is not used",),
    )
    return Report(Tool("tightrope", "0.1.0"), (unit,))


@pytest.fixture
def full_report() -> Callable[[], Report]:
    return make_report
