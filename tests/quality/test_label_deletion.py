"""Labels in the search (paper 002, Sections IV and V; Bardin et al.): direct instrumentation makes every label a branch,
tight instrumentation leaves the paths as they are; a label is aimed at again and again (`--label-deletion 0`), until an
aim has covered it (1), or until any run has (2).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tightrope.engines.explore import Exploration, explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

LEVELS = (0, 1, 2)

TWO_PLACES = """\
int f(int a, int b)
{
    int n = 0;
    if (a > 10) n = 1;
    TIGHTROPE_LABEL(b == 3);
    TIGHTROPE_LABEL(b > 2);
    return n;
}
"""
IN_A_ROW = """\
int f(int a, int b, int c)
{
    int n = 0;
    TIGHTROPE_LABEL(a == b + 1);
    if (a > 10) n += 1;
    TIGHTROPE_LABEL(n + b == 7);
    if (b > 10) n += 2;
    TIGHTROPE_LABEL(c > a && c > b);
    if (c > 10) n += 4;
    TIGHTROPE_LABEL(c == 42 || a + b == 99);
    TIGHTROPE_LABEL(n > 7);
    return n;
}
"""
IN_A_LOOP = """\
int f(const unsigned char t[4])
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        TIGHTROPE_LABEL(t[i] == 'x');
        TIGHTROPE_LABEL(sum + t[i] > 300);
        if (t[i] > 'z') sum += t[i];
        TIGHTROPE_LABEL(i == 2 && sum == 0);
    }
    return sum;
}
"""
BEHIND_A_SWITCH = """\
int f(int kind, unsigned x)
{
    switch (kind) {
    case 1: x *= 3; TIGHTROPE_LABEL(x % 8 == 5); break;
    case 2: x += 9; TIGHTROPE_LABEL(x < 9); break;
    default: TIGHTROPE_LABEL(kind == -7); return 0;
    }
    TIGHTROPE_LABEL(x == 0x1234u);
    return x > 5000;
}
"""
PROGRAMS = {"places": TWO_PLACES, "row": IN_A_ROW, "loop": IN_A_LOOP, "switch": BEHIND_A_SWITCH}


@dataclass(frozen=True)
class Found:
    verdicts: dict[str, str]
    paths: int
    runs: int
    queries: int
    problems: int  # divergences and queries without an answer


class Program:
    """A function `f`, explored in several ways, each once."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._units: dict[tuple[str, ...], PreparedUnit] = {}
        self._found: dict[str, Found] = {}

    def explore(self, criterion: str = "label", **asked: Any) -> Found:
        """All paths, unless asked otherwise, in the order that the paper has."""
        given = {"criteria": (criterion,), "strategy": "dfs", "exhaustive": True, **asked}
        options = Options((Target(self.file, "f"),), **given)
        key = repr(options)
        if key not in self._found:
            self._found[key] = self._explore(options)
        return self._found[key]

    def _explore(self, options: Options) -> Found:
        unit = self._unit(options)
        with _worker() as worker, start(unit, worker, options) as runner:
            return _summarise(explore(unit, runner, options, lambda ledger, progress: None))

    def _unit(self, options: Options) -> PreparedUnit:
        key = (*options.criteria, options.instrumentation)
        if key not in self._units:
            file = prepare_file(find_compiler(), self.file, options, lambda text: None)
            self._units[key] = prepare_unit(file, "f", options)
        return self._units[key]


@contextmanager
def _worker() -> Iterator[Worker]:
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


def _summarise(found: Exploration) -> Found:
    progress = found.progress
    return Found(
        {objective.id: verdict.word for objective, verdict in found.ledger},
        found.paths,
        progress.runs,
        found.solver.statistics.queries,
        progress.divergences + progress.unknown,
    )


def write(text: str, folder: Path) -> Program:
    file = folder / "labelled.c"
    file.write_text(f"#include <tightrope.h>\n{text}")
    return Program(file)


@pytest.fixture(scope="module", params=PROGRAMS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return write(PROGRAMS[request.param], tmp_path_factory.mktemp(request.param))


def test_all_ways_come_to_the_same_verdicts(program: Program) -> None:
    direct = program.explore(instrumentation="direct")
    assert set(direct.verdicts.values()) <= {"covered", "infeasible"} and "covered" in direct.verdicts.values()
    for level in LEVELS:
        found = program.explore(label_deletion=level)
        assert (found.verdicts, found.problems) == (direct.verdicts, 0), level


def test_labels_leave_the_paths_as_they_are(program: Program) -> None:
    plain = program.explore("branch")
    for level in LEVELS:
        assert program.explore(label_deletion=level).paths == plain.paths, level
    assert program.explore(instrumentation="direct").paths > plain.paths


def test_the_more_is_deleted_the_less_is_done(program: Program) -> None:
    never, by_aims, by_all = (program.explore(label_deletion=level) for level in LEVELS)
    assert by_all.runs <= by_aims.runs <= never.runs
    assert by_all.queries <= by_aims.queries <= never.queries
    assert by_all.runs < never.runs


def test_paths_of_the_tight_program_are_bounded(program: Program) -> None:
    """Theorem 7: each path brings at most one more for each label that it goes through."""
    plain, never = program.explore("branch"), program.explore(label_deletion=0)
    longest = 12  # labels on a path: three in each of four rounds of the loop
    assert never.runs <= plain.paths * (longest + 1)
    assert program.explore().runs <= plain.paths + len(never.verdicts)  # each label needs one aim that succeeds


def test_without_all_paths_the_verdicts_are_the_same(program: Program) -> None:
    wanted = program.explore().verdicts
    for level in LEVELS:
        for no_filter in (False, True):
            found = program.explore(label_deletion=level, exhaustive=False, no_filter=no_filter)
            assert found.verdicts == wanted, (level, no_filter)


def test_what_each_level_does(tmp_path: Path) -> None:
    """Two paths. The aim at `b == 3` covers `b > 2` too. What a run satisfies anyway is not aimed at in its place."""
    program = write(TWO_PLACES, tmp_path)
    assert program.explore("branch").runs == 2
    assert program.explore(label_deletion=2).runs == 2 + 1
    assert program.explore(label_deletion=1).runs == 2 + 2  # `b > 2` was covered, but no aim was at it
    assert program.explore(label_deletion=0).runs == 2 + 2 * 2  # both, on both paths
    assert program.explore(instrumentation="direct").paths == 2 * 3  # 3, more, less


def test_conditions_that_are_no_branches_are_deleted_alike(tmp_path: Path) -> None:
    text = "int f(int a, int b, int c) { if (c > 4) a++; int x = (a > 1) ^ (b > 2); if (c == 9) x++; return x; }"
    program = write(text, tmp_path)
    levels = [program.explore("condition", label_deletion=level) for level in LEVELS]
    assert [each.verdicts for each in levels] == [levels[0].verdicts] * 3
    assert set(levels[0].verdicts.values()) == {"covered"}
    assert levels[2].runs <= levels[1].runs < levels[0].runs
    assert len({each.paths for each in levels}) == 1


# --- programs by chance ------------------------------------------------------------------------


FRAME = """\
int f(unsigned char a, unsigned char b, unsigned char c)
{{
    int n = 0;
    TIGHTROPE_LABEL(a != b);
{}
    return n;
}}
"""


def random_program(source: random.Random) -> str:
    """A label, then five steps, each a branch or a label, over three small numbers and what is computed from them."""
    return FRAME.format("\n".join(_random_step(source) for _ in range(5)))


def _random_step(source: random.Random) -> str:
    if source.random() < 0.5:
        return f"    TIGHTROPE_LABEL({_random_predicate(source)});"
    return f"    if ({_random_predicate(source)}) n += {source.choice('abc')} {source.choice('+-*')} {source.randint(0, 9)};"


def _random_predicate(source: random.Random) -> str:
    parts = [
        f"{source.choice('abcn')} {source.choice(('<', '==', '>='))} {source.choice(('a', 'b', 'c', '7', '100', '255'))}"
        for _ in range(source.randint(1, 2))
    ]
    return source.choice((" && ", " || ")).join(parts)


@pytest.mark.parametrize("seed", range(3))
def test_programs_by_chance(seed: int, tmp_path: Path) -> None:
    text = random_program(random.Random(seed))
    program = write(text, tmp_path)
    direct, plain = program.explore(instrumentation="direct"), program.explore("branch")
    levels = [program.explore(label_deletion=level) for level in LEVELS]
    for found in levels:
        assert (found.verdicts, found.paths, found.problems) == (direct.verdicts, plain.paths, 0), text
    assert levels[2].runs <= levels[1].runs <= levels[0].runs, text
