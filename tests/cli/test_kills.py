"""`kill -9` at random moments: after a restart the report is that of an undisturbed run. bench/kills.py has more kills."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    found = import_module("bench.kills").disturb(tmp_path, functions=12, kills=6, jobs=2, seed=4, longest=3.0)
    assert found.kills.total() == 6
    assert found.differences == []
    assert found.left == []


def test_two_runs_share_a_store(tmp_path: Path) -> None:
    kills = import_module("bench.kills")
    kills.write_project(tmp_path / "project", 4)
    (tmp_path / "tmp").mkdir()
    runs = [kills.start(tmp_path / "project", 1, tmp_path / "tmp", report) for report in ("one.json", "two.json")]
    assert [run.wait() for run in runs] == [0, 0]
    one, two = (kills.read_report(tmp_path / "project", report) for report in ("one.json", "two.json"))
    assert len(one) == 4
    assert kills.compare(one, two) == []


def test_reports_are_compared_function_by_function() -> None:
    compare = import_module("bench.kills").compare
    one, two = ({"file": "a.c", "function": name, "tests": []} for name in "fg")
    assert compare([one, two], [one, two]) == []
    assert compare([one, two], [one]) == ["a.c:g is lost"]
    assert compare([one], [one, one]) == ["a.c:f is there 2 times"]
    assert compare([one], [{**one, "tests": [1]}]) == ["a.c:f differs in tests"]
