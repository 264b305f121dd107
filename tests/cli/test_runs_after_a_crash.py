"""A run that dies leaves nothing behind for the next one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope import cli

UNIT = """
static int deep(const int *at, int n)
{
    volatile char room[64];
    room[0] = (char)n;
    if (at[n & 3] == n)
        return deep(at, n) + room[0];
    return deep(at, n + 1);
}

int f(const int at[4], int n, int m)
{
    int x;
    if (n == 7)
        return deep(at, 8);
    if (m > 3)
        x = 1;
    if (x > 5)
        return 1;
    return 0;
}
"""


def test_what_nothing_has_written_is_known_after_a_run_with_more_events_than_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("unit.c").write_text(UNIT)
    Path("inputs.json").write_text('[{"n": 7, "m": 0}, {"n": 0, "m": 0}]')
    words = ["measure", "unit.c:f", "-c", "branch", "--suite", "inputs.json", "--json", "report.json", "--quiet"]
    assert cli.main(words) == 0
    (unit,) = json.loads(Path("report.json").read_text())["units"]
    assert [test["outcome"] for test in unit["tests"]] == ["crashed", "crashed"]
