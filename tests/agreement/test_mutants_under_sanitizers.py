"""Mutants that do what C does not define, where the function does not, are not proved equivalent: sanitizers judge.

gcc builds each function and all its mutants with the address and undefined sanitizers, in one program. Each runs in
processes of its own. A mutant that a sanitizer ends, or that returns something else, must not be called equivalent.
What the project defines is not asked of them: wrapping, shifts of signed numbers, indexes inside of an object.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.coverage.mutation.find_mutants import find_mutants_of
from tightrope.equality.equivalent_mutants import MutantComparer
from tightrope.program.marks.mutants import SourceMutant, apply_mutant
from tightrope.units.function_syntax import find_syntax
from tightrope.units.prepare import prepare_unit
from tightrope.units.select_functions import choose

HEADERS = """
void *memcpy(void *to, const void *from, unsigned long size);
void *memmove(void *to, const void *from, unsigned long size);
void *memset(void *to, int byte, unsigned long size);
char *strcpy(char *to, const char *from);
void *malloc(unsigned long size);
void free(void *block);
struct s { int a; char b[4]; int c; };
union u { int i; char c[4]; };
static void put(int *p, int v) { p[1] = v; }
static void clear(char *p, int n) { while (n-- > 0) *p++ = 0; }
static int *second(int *p) { return p + 1; }
"""
FORMS = {
    "pointer": "int t[4] = {0}; int *p = t; p[3] = a; return t[1];",
    "moved_pointer": "int t[4] = {0}; int *p = &t[1]; p += 2; *p = a; return t[1];",
    "address_in_memory": "int t[4] = {0}; int *p = t; int **q = &p; (*q)[3] = a; return t[1];",
    "address_in_struct": "int t[2] = {0}; struct { int *p; } s; s.p = t; s.p[1] = a; return t[0];",
    "fill": "char t[8]; char *d = t; memset(d, 1, 8); memcpy(d + 4, &a, 4); return t[0] + t[1];",
    "scalar": "int x = a; int *p = &x; *(p + 0) = b; return a;",
    "copied_scalar": "int x = 0; memcpy(&x, &a, 4); return b;",
    "one_of_two": "int x = 0, y = 0; int *p = a > 3 ? &x : &y; p[0] = b; return a;",
    "struct_array": "struct s v[2]; struct s *p = &v[0]; v[0].a = a; (p + 1)->c = b; p[1].b[3] = b; return v[0].a;",
    "two_dimensions": "int t[2][2] = {{1, 2}, {3, 4}}; int (*row)[2] = t; row[1][1] = a; return t[0][0] + b;",
    "union": "union u w[2]; char *p = w[1].c; w[0].i = a; p[3] = b; return w[0].i;",
    "move": "char t[8] = {1, 2, 3}; char *p = t + 4; memmove(p, t, 4); return t[1] + a;",
    "text": 'char t[4]; char *p = t; strcpy(p, "abc"); p[3] = 0; return a + b;',
    "loop": "int t[4]; int *p = t; for (int i = 0; i < 4; i++) *p++ = a; return b;",
    "loop_to_end": "int t[4] = {0}; for (int *p = t; p < t + 4; p++) *p = a; return b;",
    "helper": "int t[2] = {b, b}; put(t, a); return t[0];",
    "helper_with_length": "char t[4]; clear(t, 4); return a;",
    "helper_that_returns_it": "int t[2] = {b, b}; int *p = second(t); *p = a; return t[0];",
    "read": "int t[4] = {1, 1, 1, 1}; int *p = t; int x = p[3]; return x * 0 + b;",
    "heap": "int *t = malloc(8); if (!t) return 0; t[0] = a; t[1] = b; a = t[0]; free(t); return a;",
    "shift": "int s = a >> (b & 31); return s;",
    "shift_unused": "unsigned s = a; s <<= b & 31; return s * 0u + a;",
    "overlap": "char t[16]; memset(t, a, 16); memcpy(t + 8, t, 4); return t[0];",
    "misaligned": "char t[12] = {0}; int *p = (int *)(t + 4); *p = a; return b;",
    "length_of_input": "char t[8]; int n = (a & 3) + 5; memset(t, 0, n); return b;",
    "row_of_matrix": "int t[3][2] = {{0}}; int *p = &t[0][0]; p[5] = a; return t[1][0] + b;",
    "two_pointers": "int t[4] = {0}; int *l = t, *h = t + 3; while (l < h) { int x = *l; *l++ = *h; *h-- = x; } return a;",
    "zeros": "return a > 0 ? __builtin_ctz(a) * 0 + b : b;",
}
INPUTS = ((0, 0), (1, 2), (-1, 3), (5, -7), (2147483647, 1), (-2147483647, -1), (3, 40), (100, 0), (4, 31), (33, 4))
CHECKER = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int ends_alike(int (*f)(int, int), int (*g)(int, int))
{
    static const int inputs[][2] = {INPUTS};
    pid_t child = fork();
    int status;
    if (!child) {
        alarm(5); /* endless */
        freopen("/dev/null", "w", stderr);
        for (unsigned i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
            if (f(inputs[i][0], inputs[i][1]) != g(inputs[i][0], inputs[i][1])) _exit(1);
        exit(0); /* looks for leaks */
    }
    waitpid(child, &status, 0);
    return status == 0;
}
int main(void)
{
    for (int form = 0; counts[form] >= 0; form++)
        for (int n = 0; n <= counts[form]; n++) /* first, the function itself */
            if (!ends_alike(functions[form][0], functions[form][n])) printf("%d %d\\n", form, n), fflush(stdout);
    return 0;
}
"""
BUILD = (
    *("gcc", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-fsanitize=address,undefined"),
    *("-fno-sanitize-recover=all", "-fno-sanitize=bounds,shift-base,signed-integer-overflow"),
)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")]


class Form(NamedTuple):
    texts: tuple[str, ...]  # of the function, and of its mutants
    mutants: tuple[SourceMutant, ...]
    comparer: MutantComparer


def _prepared(name: str, folder: Path) -> Form:
    source = folder / f"{name}.c"
    source.write_text(f"{HEADERS}int f(int a, int b) {{ {FORMS[name]} }}\n")
    options = read_options(["measure", f"{source}:f", "-c", "mutation", "--suite", str(source)])
    ((file, _),) = choose(options).files()
    unit = prepare_unit(file, "f", options)
    syntax = find_syntax(file.compiler, source.read_text(), ["f"], name=source.name)["f"]
    texts = (syntax.text, *(apply_mutant(syntax.text, each) for each in find_mutants_of(syntax, "@f")))
    return Form(texts, tuple(unit.marks.mutants), MutantComparer(unit, options))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Form, frozenset[int]]]:
    """Each function, and the numbers of its mutants that differ or that a sanitizer ends."""
    folder = tmp_path_factory.mktemp("sanitizers")
    forms = {name: _prepared(name, folder) for name in FORMS}
    program = folder / "checker.c"
    program.write_text(_program(list(forms.values())))
    subprocess.run([*BUILD, program, "-o", folder / "checker"], check=True, capture_output=True)
    said = subprocess.run([folder / "checker"], capture_output=True, text=True, timeout=300, check=True).stdout
    differing = {tuple(map(int, line.split())) for line in said.splitlines()}
    return {
        name: (form, frozenset(n for which, n in differing if which == number))
        for number, (name, form) in enumerate(forms.items())
    }


def _program(forms: list[Form]) -> str:
    bodies = [HEADERS]
    for number, form in enumerate(forms):
        for n, text in enumerate(form.texts):
            bodies.append(re.sub(r"\bf\(", f"f_{number}_{n}(", text[text.rindex("int f(") :]))
    rows = (
        "{" + ", ".join(f"f_{number}_{n}" for n in range(len(form.mutants) + 1)) + "}"
        for number, form in enumerate(forms)
    )
    longest = max(len(form.mutants) for form in forms) + 1
    counts = ", ".join(str(len(form.mutants)) for form in forms)
    inputs = ", ".join(f"{{{a}, {b}}}" for a, b in INPUTS)
    return (
        "\n".join(bodies)
        + f"\nstatic int (*const functions[][{longest}])(int, int) = {{{', '.join(rows)}}};"
        + f"\nstatic const int counts[] = {{{counts}, -1}};\n"
        + CHECKER.replace("INPUTS", inputs)
    )


@pytest.mark.parametrize("name", FORMS)
def test_a_mutant_that_a_sanitizer_ends_is_not_equivalent(judged, name):
    form, differing = judged[name]
    assert len(form.texts) == len(form.mutants) + 1
    assert 0 not in differing  # the function itself is fine
    assert differing
    found = {n: form.comparer.compare(form.mutants[n - 1], 10.0).verdict for n in differing}
    assert [form.mutants[n - 1].text for n, verdict in found.items() if verdict == "equivalent"] == []
