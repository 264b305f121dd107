"""gcov, an independent tool, must count the branches that we count."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest
from counting import count_points
from random_control import calling_main, random_functions

from tightrope import cli
from tightrope.source.toolchain import find_gcc
from tightrope.suite.gcov import Gcov, Job, Judgement, LineCounts, compare, judge_with_gcov, our_counts

GCC = find_gcc()
needs_gcc = pytest.mark.skipif(GCC is None, reason="needs gcc and gcov")

UNIT = """\
#include <stdbool.h>
static int calls;
int f(int a, int b, bool c)
{
    int k = 0;
    calls++;
    while (a > 0 && b < 5) {
        a--;
        b++;
    }
    do k++; while (k < 4 && b);
    for (int i = 0; i < 3 || (a && k > 100); i++)
        k += i;
    if (!c || a == -7)
        k++;
    if (a > 3 && a < 9)
        k--;
    bool z = a < 0 && c;
    switch (b) {
    case 1:
    case 2: k = 9; break;
    case -3: k = 8;
    default: k++;
    }
    k += z ? 1 : 2;
    return a && b ? k : -k;
}
"""

TESTS = """\
#include "unit.c"
#include <stdio.h>
int main(void)
{
    for (int a = -8; a < 12; a++)
        for (int b = -4; b < 8; b++)
            for (int c = 0; c < 2; c++)
                printf("# %d\\n", f(a, b, c));
    return 0;
}
"""


def judge(folder: Path, unit: str = UNIT) -> tuple[Judgement, str]:
    assert GCC
    source, tests = folder / "unit.c", folder / "tests.c"
    source.write_text(unit)
    tests.write_text(TESTS)
    function, points, hits = count_points(source, "f", tests, folder)
    job = Job(TESTS, folder, folder)
    tool = Gcov(GCC.gcc, GCC.gcov, GCC.version)
    return judge_with_gcov(tool, job, [function], points, hits), unit


@needs_gcc
def test_counts_are_equal_where_both_make_the_same_branches(tmp_path: Path) -> None:
    found, unit = judge(tmp_path)
    lines = unit.split("\n")
    assert not found.problem
    assert not found.disagreements
    equal = {lines[line - 1].strip() for line in found.equal_lines}
    assert {"while (a > 0 && b < 5) {", "do k++; while (k < 4 && b);", "if (!c || a == -7)", "switch (b) {"} <= equal
    assert "for (int i = 0; i < 3 || (a && k > 100); i++)" in equal
    assert {"k += z ? 1 : 2;", "return a && b ? k : -k;"} <= equal
    differently = [sentence.split(":")[0] for sentence in found.counted_differently]
    assert differently == [f"line {lines.index('    bool z = a < 0 && c;') + 1}"]


@needs_gcc
@pytest.mark.parametrize("call", ["f(1, 1, 0)", "f(4, -3, 1)", "f(-8, 2, 1)", "f(9, 9, 0)"])
def test_lines_are_those_of_gcov(tmp_path: Path, call: str) -> None:
    """Which lines have code, and which of them a run executes: criterion `line`. Where a line is one statement, or all of
    its statements are executed or none, `statement` says the same."""
    assert GCC
    source, tests = tmp_path / "unit.c", tmp_path / "tests.c"
    source.write_text(UNIT)
    tests.write_text(f'#include "unit.c"\nint main(void) {{ return {call} == 12345; }}\n')
    built = ["--coverage", "-O0", "-fwrapv", "tests.c", "-o", "counted"]
    subprocess.run([GCC.gcc, *built], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "counted"], cwd=tmp_path, check=True)
    said = subprocess.run(
        [GCC.gcov, "-t", "counted-tests.gcda"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    rows = re.findall(r"^ *(#####|\d+\*?): *(\d+):(.*)$", said.stdout.partition("Source:unit.c")[2], re.MULTILINE)
    theirs = {int(line): count != "#####" for count, line, _ in rows if int(line) > 3}
    words = [
        "measure",
        f"{source}:f",
        "--suite",
        str(tests),
        "-c",
        "line,statement",
        "-q",
        "--json",
        str(tmp_path / "found.json"),
    ]
    assert cli.main(words) == 0
    (unit,) = json.loads((tmp_path / "found.json").read_text())["units"]
    lines = [each for each in unit["objectives"] if each["criterion"] == "line"]
    ours = {each["line"]: each["verdict"] == "covered" for each in lines}
    bare = {number for number, line in enumerate(UNIT.splitlines(), 1) if line.strip() in ("}", "case 1:")}
    assert {line for line, _ in ours.items() ^ theirs.items()} <= bare  # without a statement: the compilers differ
    assert len(theirs) > 15 and not all(theirs.values())
    statements: dict[int, set[bool]] = {}
    for each in unit["objectives"]:
        if each["criterion"] == "statement":
            statements.setdefault(each["line"], set()).add(each["verdict"] == "covered")
    assert len(statements) > 15
    assert all(found == {theirs[line]} for line, found in statements.items() if len(found) == 1)
    assert all(theirs[line] for line, found in statements.items() if len(found) > 1)


SPREAD = """\
#include <stdbool.h>
#define likely(x) __builtin_expect(!!(x), 1)
int f(int a, int b, bool c)
{
    int k = 0;
    if (a > 3 &&
        b > 2 &&
        c)
        k++;
    while (a > 3 &&
           b > 2 ||
           k > 100)
        a--;
    while (b < 0
           && (a || c))
        b++;
    k += a > 3 ? 1
       : b > 3 ? 2
       : 3;
    if (likely(a > 1 && b) || (c ? a > 2 : 0))
        k++;
    while (!(a && likely(b || c)))
        a = b = 1;
    for (; a ? c : 0; c = 0)
        k += a & 1 ? 4 : 5;
    int ok = a && b;
    if (ok)
        k += a > b ? a : b;
    return k;
}
"""


@needs_gcc
def test_statements_are_compared_whatever_their_lines(tmp_path: Path) -> None:
    found, unit = judge(tmp_path, SPREAD)
    lines = unit.split("\n")
    assert not found.disagreements
    differently = {lines[int(sentence.split(":")[0].split()[1]) - 1].strip() for sentence in found.counted_differently}
    assert differently == {"int ok = a && b;", "k += a > b ? a : b;"}
    assert len(found.equal_lines) == 16


@needs_gcc
@pytest.mark.parametrize("seed", range(3))
def test_random_control_flow(tmp_path: Path, seed: int) -> None:
    assert GCC
    unit, main = random_functions(100 + seed, 1), calling_main(1)
    (tmp_path / "unit.c").write_text(unit)
    (tmp_path / "tests.c").write_text(f'#include "unit.c"\n{main}')
    function, points, hits = count_points(tmp_path / "unit.c", "f0", tmp_path / "tests.c", tmp_path)
    job = Job((tmp_path / "tests.c").read_text(), tmp_path, tmp_path)
    found = judge_with_gcov(Gcov(GCC.gcc, GCC.gcov, GCC.version), job, [function], points, hits)
    assert not found.problem and not found.disagreements and found.equal_lines


@needs_gcc
def test_the_unit_is_found_from_every_folder(tmp_path: Path) -> None:
    """As `../unit.c` from the folder of the tests, although the tests are built elsewhere."""
    assert GCC
    (tmp_path / "unit.c").write_text(UNIT)
    (tmp_path / "tests.c").write_text(TESTS)
    deep = tmp_path / "some" / "folder"
    deep.mkdir(parents=True)
    function, points, hits = count_points(tmp_path / "unit.c", "f", tmp_path / "tests.c", tmp_path)
    job = Job(TESTS.replace("unit.c", "../unit.c"), tmp_path / "tests", deep)
    found = judge_with_gcov(Gcov(GCC.gcc, GCC.gcov, GCC.version), job, [function], points, hits)
    assert len(found.equal_lines) == 8


@needs_gcc
def test_a_wrong_count_is_a_disagreement(tmp_path: Path) -> None:
    assert GCC
    (tmp_path / "unit.c").write_text(UNIT)
    (tmp_path / "tests.c").write_text(TESTS)
    function, points, hits = count_points(tmp_path / "unit.c", "f", tmp_path / "tests.c", tmp_path)
    hits = [each + 1 for each in hits]
    found = judge_with_gcov(
        Gcov(GCC.gcc, GCC.gcov, GCC.version), Job(TESTS, tmp_path, tmp_path), [function], points, hits
    )
    assert found.disagreements


@needs_gcc
def test_what_gcc_cannot_build_is_a_problem(tmp_path: Path) -> None:
    assert GCC
    found = judge_with_gcov(Gcov(GCC.gcc, GCC.gcov, "12"), Job("int main(", tmp_path, tmp_path), *nothing())
    assert found.problem == "gcc 12 does not build the written tests"


@needs_gcc
def test_tests_that_crash_are_a_problem(tmp_path: Path) -> None:
    assert GCC
    text = "#include <stdlib.h>\nint main(void) { abort(); }\n"
    found = judge_with_gcov(Gcov(GCC.gcc, GCC.gcov, "12"), Job(text, tmp_path, tmp_path), *nothing())
    assert "did not finish" in found.problem


def nothing():
    from criteria_check import compile_function

    from tightrope.program.flow.points import number_points

    function = compile_function("int f(int a) { return a; }")
    return [function], number_points([function]), [0]


def test_compare() -> None:
    ours = {
        3: LineCounts(3, (1, 2)),
        4: LineCounts(4, (0, 5)),
        5: LineCounts(5, (1, 1)),
        6: LineCounts(6, (1, 2), False),
    }
    theirs = {
        3: LineCounts(3, (1, 2)),
        4: LineCounts(4, (1, 4)),
        5: LineCounts(5, (1, 1, 2, 2)),
        6: LineCounts(6, (0, 3)),
    }
    found = compare("gcov 12", ours, theirs)
    assert found.equal_lines == (3,)
    assert found.disagreements == ("line 4: gcc counts 1, 4, Tightrope 0, 5",)
    assert found.counted_differently == (
        "line 5: gcc makes 4 branch sides, clang 2",
        "line 6: gcc makes 2 branch sides, clang 2",
    )


def test_ways_that_only_we_count_as_taken() -> None:
    ours = {3: LineCounts(3, (1, 2)), 4: LineCounts(4, (0, 5)), 5: LineCounts(5, (2, 2))}
    theirs = {3: LineCounts(3, (0, 3)), 4: LineCounts(4, (1, 4)), 5: LineCounts(5, (1, 3))}
    assert compare("gcov 12", ours, theirs).untaken_lines == (3,)


def test_lines_of_a_statement_are_compared_together() -> None:
    ours, theirs = {3: LineCounts(3, (1, 2)), 4: LineCounts(4, (0, 5))}, {4: LineCounts(4, (0, 1, 2, 5))}
    assert compare("gcov 12", ours, theirs).counted_differently
    assert compare("gcov 12", ours, theirs, {4: 3}).equal_lines == (3, 4)
    wrong = {4: LineCounts(4, (0, 1, 2, 6))}
    assert compare("gcov 12", ours, wrong, {4: 3}).disagreements == (
        "lines 3 to 4: gcc counts 0, 1, 2, 6, Tightrope 0, 1, 2, 5",
    )


def test_cases_that_lead_to_one_place_are_one_way_out() -> None:
    from criteria_check import compile_function

    from tightrope.program.flow.points import number_points

    function = compile_function(dedent("int f(int a) { switch (a) { case 1: case 2: return 1; } return 0; }"))
    points = number_points([function])
    counts = our_counts(function, points, range(len(points)))
    assert {line: each.counts for line, each in counts.items()} == {1: (1, 5)}
