"""The compiled search does exactly what the loop does with the strategy `dfs`: same runs, same questions, same verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tightrope import running
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Infeasible
from tightrope.engines.explore import ExploreParts, build_solver, explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.dive import RUNS_AT_ONCE, AnswerKind, DiveState, DiveStep
from tightrope.running.runner import Worker
from tightrope.search import diving
from tightrope.search.budget import StopReason
from tightrope.search.loop import Progress
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit


@pytest.fixture(autouse=True)
def not_paranoid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the loop makes all runs, so that it can look at each."""
    monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)


BRANCHES = """
int f(int a, int b, unsigned char c)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        if (a + i > b) n++;
        if ((c ^ i) == 7) n += a == b;
    }
    return n > 2 ? a : b;
}
"""
SWITCHES = """
int f(const signed char text[4])
{
    int state = 0;
    for (int i = 0; i < 4; i++)
        switch (text[i]) {
        case 'a': state++; break;
        case -3: if (state == 2) return 9; break;
        case 'b': case 'c': state *= 2; break;
        default: if (text[i] == text[0]) state--;
        }
    return state;
}
"""
DEATHS = """
int f(int a, int b, const int *p)
{
    if (a > 3 && b == 5) return *(volatile int *)8; /* the process dies */
    if (a == -7) return 10 / b;
    if (p[0] > b) return p[0] / (a - 2);
    return b > 7 ? p[1] == a : 0;
}
"""
MANY_SLOTS = """
int f(const int many[70])
{
    int n = 0;
    for (int i = 0; i < 70; i += 23) if (many[i] > many[69 - i]) n++;
    return n;
}
"""
LONG_ANSWERS = """
int f(const unsigned char text[5])
{
    int n = 0;
    for (int i = 0; i < 5; i++) if (text[i] > 3 * i && text[i] != n) n += text[i] == 9 ? 2 : 1;
    return n;
}
"""
DEATHS_LATER = """
int f(const signed char text[4])
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (text[i] == 'x') n++;
        if (n == 2 && text[i] > 9) return *(volatile int *)8; /* the process dies in runs that are made ahead */
    }
    return n;
}
"""
PINS = """
static int table[400];
int f(unsigned char a, int b, int c)
{
    if (b != 9) return c > b ? 1 : c == 4;
    return table[a] == c; /* which element: more than an index may stand for */
}
"""


MANY_PATHS = """
int f(const int a[9])
{
    int n = 0;
    for (int i = 0; i < 9; i++) if (a[i] > i) n++;
    if (n > 9) return 1; /* never: but to know that takes all 512 paths */
    return 0;
}
"""


def prepare(folder: Path, text: str, **further: Any) -> tuple[PreparedUnit, Options]:
    path = folder / "unit.c"
    path.write_text(text)
    given = {"criteria": ("branch",), "time_limit": 60.0, **further}
    options = Options((Target(path, "f"),), strategy="dfs", exhaustive=True, **given)
    return prepare_unit(prepare_file(find_compiler(), path, options, lambda text: None), "f", options), options


def explore_both(folder: Path, text: str, **further: Any) -> Iterator[dict[str, Any]]:
    """What the compiled search finds, then what the loop finds: parts that are not the usual ones want to see all."""
    unit, options = prepare(folder, text, **further)
    for parts in (ExploreParts(), ExploreParts(build_solver=lambda options: build_solver(options))):
        worker = Worker()
        try:
            with start(unit, worker, options) as runner:
                found = explore(unit, runner, options, lambda ledger, progress: None, parts=parts)
        finally:
            worker.close()
        progress, asked = found.progress, found.solver.statistics
        yield {
            "ends": (found.stop_reason, found.paths, progress.runs, progress.candidates, progress.timed_out),
            "in doubt": (progress.unknown, progress.divergences, progress.approximate),
            "asked": {name: count for name, count in asked.as_dict().items() if name != "solver_seconds"},
            "kept": [(each.input, each.points, each.ending, each.outputs, each.wraps) for each in found.runs],
            "crashes": list(found.crashes.items()),
            "verdicts": [(objective.id, verdict) for objective, verdict in found.ledger],
        }


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[StopReason | None]:
    """How compiled searches have ended; None: one gave up."""
    noted: list[StopReason | None] = []
    usual = diving.Diving.explore

    def explore_and_note(self: diving.Diving, seed: Any) -> StopReason | None:
        noted.append(usual(self, seed))
        return noted[-1]

    monkeypatch.setattr(diving.Diving, "explore", explore_and_note)
    return noted


@pytest.mark.parametrize("text", [BRANCHES, SWITCHES, DEATHS, DEATHS_LATER, MANY_SLOTS, LONG_ANSWERS])
def test_it_is_the_loop_in_compiled_code(text: str, tmp_path: Path, ends: list[StopReason | None]) -> None:
    compiled, loop = explore_both(tmp_path, text)
    assert ends == [StopReason.EXHAUSTED]
    assert compiled == loop
    assert compiled["ends"][1] > 5


def test_a_limit_of_runs_is_kept_and_nothing_is_proved(tmp_path: Path, ends: list[StopReason | None]) -> None:
    compiled, loop = explore_both(tmp_path, SWITCHES, max_runs=30)
    assert ends == [StopReason.RUN_LIMIT]
    assert compiled == loop
    assert compiled["ends"][2] == 30
    assert not any("Infeasible" in repr(verdict) for _, verdict in compiled["verdicts"])


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_an_interrupted_search_proves_nothing(is_interrupted: bool, tmp_path: Path) -> None:
    def tick(ledger: Ledger, progress: Progress) -> None:
        if is_interrupted:
            raise KeyboardInterrupt

    unit, options = prepare(tmp_path, MANY_PATHS)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            found = explore(unit, runner, options, tick)
    finally:
        worker.close()
    assert found.stop_reason is (StopReason.INTERRUPTED if is_interrupted else StopReason.EXHAUSTED)
    assert found.ledger.count(Infeasible) == (0 if is_interrupted else 1)
    assert found.progress.runs >= RUNS_AT_ONCE
    assert (found.progress.runs < 512) == is_interrupted


def test_decisions_are_tracked_as_well(tmp_path: Path, ends: list[StopReason | None]) -> None:
    text = "int f(int a, int b, int c) { return a > 1 && (b < 2 || c == a) ? 1 : 0; }"
    compiled, loop = explore_both(tmp_path, text, criteria=("mcdc",))
    assert ends
    assert compiled["verdicts"] == loop["verdicts"]
    assert compiled["kept"] == loop["kept"]


def test_what_it_was_not_made_for_is_left_to_the_loop(tmp_path: Path, ends: list[StopReason | None]) -> None:
    compiled, loop = explore_both(tmp_path, PINS, index_limit=8, max_runs=20)
    assert ends == [None]  # it gave up
    del compiled["asked"], loop["asked"]  # what was asked twice is remembered
    assert compiled == loop
    assert compiled["ends"][2] == 20


def test_the_memory_map_of_the_compiled_search_is_that_of_its_header() -> None:
    header = (Path(running.__file__).parent / "compiled" / "dive.h").read_text()
    steps = re.search(r"enum step \{(.*?)\};", header, re.S)
    answers = re.search(r"enum answer_kind \{(.*?)\};", header, re.S)
    assert steps
    assert answers
    assert re.findall(r"^ *([A-Z_]+)", steps[1], re.M) == [step.name for step in DiveStep]
    shared = header.partition("what Python sees")[2].partition("until here")[0]
    fields = re.findall(r"\b(\w+)(?=[,;])", re.sub(r"/\*.*?\*/", "", shared))
    assert fields == [name for name, _ in DiveState._fields_]
    assert re.findall(r"IS_(\w+)", answers[1]) == [kind.name for kind in AnswerKind]
