"""One program with all mutants says the same about each test and mutant as mutants that are compiled alone.

By default every tenth mutant is compiled alone; TIGHTROPE_FULL=1 compiles all.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.commands.measure.killed_mutants import SuiteProgram, run_on_mutants
from tightrope.commands.measure.measured_program import build, read_parts
from tightrope.program.marks.mutants import apply_mutant
from tightrope.source.compile import link_program
from tightrope.suite.guard import Limits
from tightrope.suite.native import run_program
from tightrope.units.select_functions import choose
from tightrope.units.unit_without_driver import beside

UNITS = {
    "loops": """
        static int calls;
        int note(int x) { calls++; return x; }
        int f(const int *v, int n, unsigned char mask)
        {
            int total = 0;
            for (int i = 0; i < n; i++) {
                if (v[i] < 0 && !mask) continue;
                if (v[i] == 99) break;
                total += v[i] * 2 - (mask & 3);
                note(total);
            }
            return total > 100 ? 100 : total;
        }
        TEST(1, { int v[] = {1, 2, 99, 4}; CHECK(f(v, 4, 1) == 4); CHECK(calls == 2); })
        TEST(2, { int v[] = {-1, 5, 60}; CHECK(f(v, 3, 0) == 100); })
        TEST(3, { int v[] = {7}; CHECK(f(v, 1, 6) == 12); CHECK(f(v, 0, 0) == 0); })
    """,
    "structures": """
        struct item { int kind : 4; unsigned size : 6; struct item *next; double weight; };
        enum kind { NONE, SMALL = 2, LARGE };
        static struct item last;
        int f(struct item *p, enum kind wanted, _Bool all)
        {
            int found = 0;
            while (p && (all || found < 2)) {
                switch (p->kind) {
                case SMALL: found++; break;
                case LARGE: found += 2; last = *p; break;
                default: if (wanted == NONE) return -1;
                }
                if (p->weight * 1.5 >= 3.0) found = ~found & 0xff;
                p = p->next;
            }
            last.size = found << 1;
            return found;
        }
        TEST(1, { struct item a = {LARGE, 3, 0, 1.0}; CHECK(f(&a, SMALL, 0) == 2); CHECK(last.size == 4); })
        TEST(2, { struct item b = {SMALL, 1, 0, 2.0}, a = {SMALL, 1, &b, 0.5}; CHECK(f(&a, SMALL, 1) == 0xfd); })
        TEST(3, { struct item a = {1, 1, 0, 0}; CHECK(f(&a, NONE, 1) == -1); CHECK(f(0, NONE, 1) == 0); })
    """,
}
PROLOGUE = """
#include <stdlib.h>
#define CHECK(e) do { if (!(e)) abort(); } while (0)
#define TEST(number, ...) void test_##number(void) __VA_ARGS__
"""
MAIN = """
int main(int count, char **words)
{
    int only = count > 1 ? atoi(words[1]) : 0;
    if (only == 0 || only == 1) test_1();
    if (only == 0 || only == 2) test_2();
    if (only == 0 || only == 3) test_3();
    return 0;
}
"""
TESTS = 3
SECONDS = 2.0


@pytest.mark.slow
@pytest.mark.parametrize("name", UNITS)
def test_one_program_agrees_with_mutants_that_are_compiled_alone(tmp_path, name):
    body, tests = UNITS[name].split("TEST(", 1)
    (tmp_path / "unit.c").write_text(body)
    suite = tmp_path / "tests.c"
    suite.write_text(f'{PROLOGUE}#include "unit.c"\nTEST({tests}{MAIN}')
    options = read_options(["measure", f"{tmp_path / 'unit.c'}:f", "-c", "mutation", "--suite", str(suite)])
    ((file, names),) = choose(options).files()
    parts = read_parts(file, names, [suite], options)
    lifted = build(file, names, parts, options, tmp_path).lifted
    program = SuiteProgram(file, names, parts, lifted.marks.mutants, ())
    found = run_on_mutants(program, tmp_path, tmp_path, Limits(), killers=TESTS)
    text = beside(file, parts[0].text).preprocess()
    step = 1 if os.environ.get("TIGHTROPE_FULL") else 10
    numbers = range(1, len(lifted.marks.mutants) + 1, step)
    assert len(numbers) > 30 // step
    for number in numbers:
        mutant = lifted.marks.mutants[number - 1]
        assert not mutant.problem
        alone = _compile(file, tmp_path, apply_mutant(text, mutant))
        killers = {f"test_{test}" for test in range(1, TESTS + 1) if not _passes(alone, test, tmp_path)}
        said = {test for test, killed in found.by_test.items() if number in killed}
        if said and _is_endless(alone, said, tmp_path):  # one is enough, because it takes long
            assert said <= killers
        else:
            assert said == killers, mutant.text


def _compile(file, folder: Path, text: str) -> Path:
    source, program = folder / "alone.c", folder / "alone"
    source.write_text(text)
    link_program(file.compiler, [source], file.flags, program, working_directory=file.working_directory)
    return program


def _passes(program: Path, test: int, folder: Path) -> bool:
    return run_program((program, str(test)), folder, Limits(SECONDS)).status == 0


def _is_endless(program: Path, tests: set[str], folder: Path) -> bool:
    numbers = [name.removeprefix("test_") for name in tests]
    return any(run_program((program, each), folder, Limits(SECONDS)).was_stopped for each in numbers)
