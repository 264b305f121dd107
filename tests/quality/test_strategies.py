"""Every strategy covers small programs, of the kinds that are said to hold one or the other, within so many runs.

The numbers are what the slowest of them needs, with some room.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tightrope import cli
from tightrope.execution.inputs import first_input
from tightrope.search.strategies import STRATEGIES

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


@pytest.fixture(autouse=True)
def only_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first input on, without other seeds; runs that look for errors, once everything is covered, do not count."""
    monkeypatch.setattr("tightrope.explore.MOST_SECONDS_FOR_ERRORS", 0.0)
    monkeypatch.setattr("tightrope.explore.make_seeds", lambda slots, *_: [first_input(slots)])


def generate(text: str, folder: Path, *words: str) -> dict[str, Any]:
    (folder / "x.c").write_text(text)
    report = folder / "report.json"
    options = ["-c", "branch", "-o", str(folder / "tests"), "--json", str(report), "--no-confirm", "--quiet"]
    assert cli.main(["generate", f"{folder / 'x.c'}:f", *options, "--time-limit", "30", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return dict(unit)


def runs(text: str, folder: Path, strategy: str, seed: int) -> int:
    """Until everything is covered."""
    unit = generate(text, folder, "--strategy", strategy, "--seed", str(seed))
    assert [each["text"] for each in unit["objectives"] if each["verdict"] != "covered"] == []
    return int(unit["statistics"]["runs"])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("text", "most"), PROGRAMS.values(), ids=PROGRAMS)
def test_everything_is_covered_within_so_many_runs(text: str, most: int, strategy: str, tmp_path: Path) -> None:
    assert runs(text, tmp_path, strategy, 1) <= most


@pytest.mark.parametrize("text", [LOOP, COUNT], ids=["loop", "count"])
def test_where_values_must_add_up_fitness_needs_fewer_runs_than_prediction(text: str, tmp_path: Path) -> None:
    """Paper 001 has 30 % of the iterations for `pps+fitness`."""
    names = ("pps", "fitness", "pps+fitness")
    needed = {name: mean(runs(text, tmp_path, name, seed) for seed in range(3)) for name in names}
    assert needed["fitness"] < needed["pps"]
    assert needed["pps+fitness"] < needed["pps"]
