"""Proofs from the code alone take little time, and are not lost by that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tightrope
from tightrope.encoding.loose import walk
from tightrope.engines import code_proofs, encoding_engine
from tightrope.engines.code_proofs import CodeProver
from tightrope.expr.terms import Term
from tightrope.solving.query import Answer, SolverUnknown, WhyUnknown

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
COUNTING = """
int f(int length, int step)
{
    int found = 0;
    for (int i = 0; i < length && i < 9; i++) {
        for (int j = i; j < length && j < 9; j++) {
            if (j == step && j > 20)
                found = 1;
        }
    }
    return found;
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

MANY_CALLS = (
    "".join(
        f"static int part{number}(int value) {{ return value < {number} ? 1 : value > {2 * number + 1} ? 2 : 0; }}\n"
        for number in range(40)
    )
    + "static int all(int value) { return "
    + " + ".join(f"part{number}(value)" for number in range(40))
    + "; }\n"
    + """
extern int *made(int);
int f(int a, int b)
{
    int *one = 0, *other = 0;
    if (all(a) + all(b) + all(a ^ b) == 7)
        return 1;
    one = made(1);
    if (!one)
        goto fail;
    other = made(2);
    if (!other)
        goto fail;
    return *one;
fail:
    if (other)
        return 2;
    return 3;
}
"""
)


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


def test_small_calls_are_followed_first(tmp_path: Path, walked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows from few blocks is proved although a formula with all calls would take too long."""
    monkeypatch.setattr(code_proofs, "ALL_CALLS", walk.Inlining(0))  # so that the second formula proves nothing more
    assert "other is true" in infeasible(tmp_path, MANY_CALLS)
    assert walked[0] < 600, "every function once, and small calls"


class SlowSession:
    """Finds no answer, and takes long."""

    def __init__(self) -> None:
        self.now, self.asked = 0.0, 0

    def ask(self, terms: Sequence[Term], seconds: float) -> Answer:
        self.asked, self.now = self.asked + 1, self.now + 100
        return SolverUnknown(WhyUnknown.TIME_LIMIT)


def test_guesses_about_loops_are_not_asked_for_when_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowSession()
    monkeypatch.setattr(code_proofs, "start_session", lambda *words, **further: slow)
    monkeypatch.setattr(encoding_engine, "start_work_clock", lambda: lambda: slow.now)
    infeasible(tmp_path, COUNTING)
    assert slow.asked == 1, "whether all guesses hold, and of none alone"


def test_no_formula_is_made_if_runs_have_hit_every_point() -> None:
    search = SimpleNamespace(ledger=SimpleNamespace(open_points=0b110), findings=SimpleNamespace(seen=0b111))
    refuter: Any = SimpleNamespace(search=search, structure=SimpleNamespace(graph=None))  # and no unit
    nothing: Any = None
    prover = CodeProver(refuter, nothing, nothing, 1.0, lambda: 0.0, nothing)
    assert prover.prove() == 0
