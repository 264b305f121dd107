"""Proofs from the code alone take little time, and are not lost by that."""

from __future__ import annotations

from pathlib import Path

import pytest

import tightrope
from tightrope.encoding.loose import walk

ENDLESS = """
int f(const int *values, int length)
{
    int at = 0, found = 0;
    while (at < length) {
        if (values[at] > 5 && values[at] < 3)
            found = 1;
        at += 1;
    }
    return found;
}
"""
LARGE = """
static int rank(int value)
{
    if (value < 10)
        return value < 5 ? 1 : 2;
    if (value < 30)
        return value < 20 ? 3 : 4;
    return value < 40 ? 5 : 6;
}
int f(const int *values, int length)
{
    int at = 0, sum = 0;
    while (at < LIMIT) {
        sum += rank(values[at]) + rank(values[at] / 2);
        if (values[at] > 5 && values[at] < 3)
            return -1;
        at += 1;
    }
    if (at > 7)
        return 0;
    return sum;
}
"""
CONSTANT = """
int f(int a)
{
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        if (a == i)
            break;
        sum += 2;
    }
    if (sum > 80)
        return 1;
    return 0;
}
"""


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The blocks of each attempt to make a loose formula."""
    found: list[int] = []
    encode = walk.LooseWalk.encode_loosely

    def counted(self: walk.LooseWalk) -> walk.LooseFormula:
        try:
            return encode(self)
        finally:
            found.append(self.instances)

    monkeypatch.setattr(walk.LooseWalk, "encode_loosely", counted)
    return found


def infeasible(folder: Path, text: str, criterion: str = "branch") -> list[str]:
    (folder / "unit.c").write_text(text, encoding="utf-8")
    report = tightrope.generate(
        f"{folder / 'unit.c'}:f", output=folder / "out", criterion=criterion, no_confirm=True, cache="none"
    )
    (unit,) = report.units
    return [each.text for each in unit.objectives if each.proof == "unsatisfiable"]


def test_a_loop_that_its_counter_does_not_end_is_not_unrolled_for_long(tmp_path: Path, walked: list[int]) -> None:
    assert infeasible(tmp_path, ENDLESS)
    assert max(walked) < 150, "16 iterations of five blocks, with the driver"


def test_a_loop_that_its_counter_ends_is_unrolled_to_its_end(tmp_path: Path, walked: list[int]) -> None:
    assert infeasible(tmp_path, CONSTANT)
    assert max(walked) > 120


def test_a_large_loop_is_not_unrolled_if_no_iteration_will_end_it(tmp_path: Path, walked: list[int]) -> None:
    assert infeasible(tmp_path, LARGE.replace("LIMIT", "length")) == ["values[at] < 3 is true"]
    assert max(walked) < 150, "two or three iterations of some thirty blocks"


def test_a_large_loop_is_unrolled_if_a_later_iteration_ends_it(tmp_path: Path, walked: list[int]) -> None:
    assert "at > 7 is true" in infeasible(tmp_path, LARGE.replace("LIMIT", "(length & 7)"))
    assert max(walked) > 200
