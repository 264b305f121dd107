"""Mutants that leave an object, and are killed only by that: gcc's sanitizer of addresses says the same of each, compiled
alone. Objects are static, as in written tests, or on the heap."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.commands.measure.killed_mutants import SuiteProgram, run_on_mutants
from tightrope.commands.measure.measured_coverage import KilledMutants
from tightrope.commands.measure.measured_program import build, read_parts
from tightrope.program.marks.mutants import SourceMutant, apply_mutant
from tightrope.suite.native import Limits
from tightrope.units.select_functions import choose
from tightrope.units.unit_without_driver import beside

GCC = shutil.which("gcc")
UNIT = """
void *malloc(unsigned long), free(void *);
struct pair { char name[4]; short values[3]; };
int f(const struct pair *pairs, int count, char *out, int size)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += pairs[i].values[2] > 3;
    int *copy = malloc((unsigned long)count * sizeof *copy);
    if (!copy) return -1;
    for (int i = 0; i < count; i++)
        copy[i] = pairs[i].values[0];
    for (int i = 0; i + 1 < size; i++)
        out[i] = (char)copy[0];
    __builtin_memset(out + size - 1, 0, 1);
    free(copy);
    return sum;
}
"""
# In front of the first variable, gcc has no gap: out[-1] or pairs[-1], out[-4], and out[-1].
IN_FRONT = {"0 as -1", "out + size as out - size", "out + size as out"}
TESTS = """
void abort(void);
int atoi(const char *);
#include "unit.c"
void test_1(void)
{
    static struct pair pairs[2] = {{"ab", {1, 2, 3}}, {"cd", {4, 5, 6}}};
    static char out[3];
    if (f(pairs, 2, out, 3) != 1 || out[1] != 1) abort();
}
void test_2(void)
{
    static struct pair one = {"x", {9, 9, 9}};
    char *out = malloc(5);
    if (f(&one, 1, out, 5) != 1 || out[3] != 9 || out[4]) abort();
    free(out);
}
int main(int count, char **words)
{
    int only = count > 1 ? atoi(words[1]) : 0;
    if (only == 0 || only == 1) test_1();
    if (only == 0 || only == 2) test_2();
    return 0;
}
"""


def _found(folder: Path, unit: str, tests: str) -> tuple[str, tuple[SourceMutant, ...], KilledMutants]:
    (folder / "unit.c").write_text(unit)
    suite = folder / "tests.c"
    suite.write_text(tests)
    options = read_options(["measure", f"{folder / 'unit.c'}:f", "-c", "mutation", "--suite", str(suite)])
    ((file, names),) = choose(options).files()
    parts = read_parts(file, names, [suite], options)
    mutants = build(file, names, parts, options, folder).lifted.marks.mutants
    found = run_on_mutants(SuiteProgram(file, names, parts, mutants, ()), folder, folder, Limits(), killers=2)
    return beside(file, parts[0].text).preprocess(), mutants, found


@pytest.mark.slow
@pytest.mark.skipif(GCC is None, reason="gcc has the sanitizer of addresses")
def test_a_sanitizer_of_addresses_says_the_same(tmp_path):
    text, mutants, found = _found(tmp_path, UNIT, TESTS)
    left = {(number, test) for test, numbers in found.by_index.items() for number in numbers}
    assert {test for _, test in left} == {"test_1", "test_2"}
    assert len(left) > 10
    unseen = {mutants[n - 1].text for n, test in left if not _is_refused(tmp_path, text, mutants[n - 1], test)}
    assert unseen <= IN_FRONT


def _is_refused(folder: Path, text: str, mutant: SourceMutant, test: str) -> bool:
    source, program = folder / "alone.c", folder / "alone"
    source.write_text(apply_mutant(text, mutant))
    flags = ("-w", "-g", "-fsanitize=address,bounds", "-fno-sanitize-recover=all")
    subprocess.run([GCC or "", *flags, source, "-o", program], check=True, cwd=folder)
    done = subprocess.run([program, test.removeprefix("test_")], capture_output=True, check=False, timeout=60)
    return b"Sanitizer" in done.stderr or b"runtime error" in done.stderr


QUIET = {
    "what ends where the object does": (
        "int f(const char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
        "static char p[3] = {1, 2, 3}; if (f(p, 3) != 6) abort();",
        "i < n as i <= n",
        True,
    ),
    "a block that a function of the library made": (
        (
            "char *strdup(const char *); void free(void *);"
            " int f(const char *p, int n) { char *q = strdup(p); int c = q[n] + n; free(q); return c; }"
        ),
        'if (f("abc", 1) != 99) abort();',
        "q[n] + n as q[n] - n",
        False,
    ),
    "a block that is moved": (
        (
            "void *malloc(unsigned long), *realloc(void *, unsigned long), free(void *); int f(int n, int m)"
            " { char *q = malloc(n); q = realloc(q, m); q[m - 1] = 5; int c = q[m - 1]; free(q); return c; }"
        ),
        "if (f(2, 9) != 5) abort();",
        "m - 1 as m",
        True,
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_only_what_leaves_an_object_is_noticed(tmp_path, name):
    unit, body, change, leaves = QUIET[name]
    tests = (
        f'void abort(void), *malloc(unsigned long), free(void *);\n#include "unit.c"\nvoid test_1(void) {{ {body} }}\n'
    )
    _, mutants, found = _found(tmp_path, unit, f"{tests}int main(void) {{ test_1(); return 0; }}\n")
    named = {number for number, each in enumerate(mutants, 1) if each.text == change}
    assert named
    assert bool(named & set(found.by_index.get("test_1", ()))) is leaves
