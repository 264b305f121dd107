"""Every strategy covers small programs, of the kinds that are said to hold one or the other, within so many runs.

The numbers are what the slowest of them needs, with some room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tightrope.engines.explore import explore
from tightrope.inputs.scalars import first_input
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.search.strategies import STRATEGIES
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start

LOOP = """
int f(int v[6], int x) {
    int i, found = 0;
    if (x == 2) {
        for (i = 0; i < 6; i++)
            if (v[i] == 3) x++;
        if (x == 6) found = 1;
    }
    return found;
}
"""  # paper 001, Section V.D

SORT = """
int f(int v[4]) {
    for (int last = 3; last > 0; last--)
        for (int i = 0; i < last; i++)
            if (v[i] > v[i + 1]) { int larger = v[i]; v[i] = v[i + 1]; v[i + 1] = larger; }
    return v[0] == 7 && v[3] == 9;
}
"""

MACHINE = """
int f(const unsigned char word[6]) {
    int state = 0;
    for (int i = 0; i < 6; i++) {
        switch (state) {
        case 0: state = word[i] == 'a' ? 1 : 0; break;
        case 1: state = word[i] == 'b' ? 2 : 0; break;
        case 2: state = word[i] == 'c' ? 3 : 0; break;
        default: return 1;
        }
    }
    return 0;
}
"""

DEEP = """
int f(int a, int b, int c, int d) {
    if (a > 10) { if (b > a) { if (c > b) { if (d > c && d < c + 3) return 4; return 3; } return 2; } return 1; }
    return 0;
}
"""

LONG_LOOP = """
int f(unsigned n, int x) {
    int sum = 0;
    for (unsigned i = 0; i < n; i++) { sum += 2; if (i > 20) break; }
    if (x == 77) return sum > 20 ? 2 : 1;
    if (x == -5) return 3;
    return 0;
}
"""

TOKENS = """
int f(const char s[5]) {
    int depth = 0, words = 0, i = 0;
    while (s[i] && i < 4) {
        if (s[i] == '(') depth++;
        else if (s[i] == ')') { if (depth == 0) return -1; depth--; }
        else if (s[i] >= 'a' && s[i] <= 'z') { while (i < 3 && s[i + 1] >= 'a' && s[i + 1] <= 'z') i++; words++; }
        else if (s[i] != ' ') return -2;
        i++;
    }
    if (depth) return -3;
    return words == 2;
}
"""

COUNT = """
int f(const unsigned char b[6], unsigned extra) {
    unsigned sum = 0;
    for (int i = 0; i < 6; i++) {
        if (b[i] > 100) sum += 2;
        else if (b[i] > 50) sum += 1;
    }
    if (sum + extra == 16 && extra < 8) return 1;
    return 0;
}
"""

CALLS = """
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int number(const char *s) { int n = 0; while (is_digit(*s)) n = 10 * n + (*s++ - '0'); return n; }
int f(const char s[4]) { if (s[3]) return -1; if (number(s) == 120) return 1; return 0; }
"""

PROGRAMS = {  # runs at most
    "loop": (LOOP, 80),
    "sort": (SORT, 40),
    "machine": (MACHINE, 30),
    "deep": (DEEP, 8),
    "long loop": (LONG_LOOP, 50),
    "calls": (CALLS, 15),
    "tokens": (TOKENS, 180),
    "count": (COUNT, 1500),
}


class Ready:
    """A program, compiled once and explored by many."""

    def __init__(self, text: str, folder: Path) -> None:
        file = folder / "x.c"
        file.write_text(text)
        self.options = Options((Target(file, "f"),), criteria=("branch",), engine="search", time_limit=30.0)
        self.unit = prepare_unit(prepare_file(find_compiler(), file, self.options, str), "f", self.options)

    def runs(self, strategy: str, seed: int, **further: Any) -> int:
        """Until everything is covered, from the first input on. `further`: other options."""
        options, worker = replace(self.options, strategy=strategy, seed=seed, **further), Worker()
        seeds = [first_input(self.unit.driver.slots)]
        try:
            with start(self.unit, worker, options) as runner:
                found = explore(self.unit, runner, options, lambda *_: None, seeds=seeds, looks_for_errors=False)
        finally:
            worker.close()
        assert found.ledger.open_objectives == ()
        return found.progress.runs


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Ready]:
    return cache(lambda text: Ready(text, tmp_path_factory.mktemp("program")))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("text", "most"), PROGRAMS.values(), ids=PROGRAMS)
def test_everything_is_covered_within_so_many_runs(
    text: str, most: int, strategy: str, ready: Callable[[str], Ready]
) -> None:
    assert ready(text).runs(strategy, 1) <= most


@pytest.mark.parametrize("text", [LOOP, COUNT], ids=["loop", "count"])
def test_where_values_must_add_up_fitness_needs_fewer_runs_than_prediction(
    text: str, ready: Callable[[str], Ready]
) -> None:
    """Paper 001 has 30 % of the iterations for `pps+fitness`."""
    names = ("pps", "fitness", "pps+fitness")
    needed = {name: mean(ready(text).runs(name, seed) for seed in range(3)) for name in names}
    assert needed["fitness"] < needed["pps"]
    assert needed["pps+fitness"] < needed["pps"]


def test_starting_anew_helps_who_sits_in_a_corner(ready: Callable[[str], Ready]) -> None:
    """Depth first goes through the last bytes again and again. Fuzzing helps, too."""
    anew = [ready(COUNT).runs("dfs", seed, restart_after=10, no_fuzzing=True) for seed in range(3)]
    assert max(anew) < ready(COUNT).runs("dfs", 0, no_fuzzing=True)
