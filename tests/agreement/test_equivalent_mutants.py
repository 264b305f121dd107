"""What formulas say about mutants, checked by brute force: every input of small functions, on every mutant.

An *equivalent* mutant never differs, and an input that the formula names shows a difference. All mutants that never
differ are found to be equivalent, also where others leave the formula: by an endless loop or recursion. What the code
alone says about values that never change, and about statements that are never reached, is checked, too.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.coverage.mutation.find_mutants import find_mutants_of
from tightrope.equality.equivalent_mutants import MutantComparer
from tightrope.inputs.scalars import Input
from tightrope.program.marks.mutants import apply_mutant
from tightrope.source.compile import link_program
from tightrope.suite.native import Limits, run_program
from tightrope.units.function_syntax import find_syntax
from tightrope.units.prepare import prepare_unit
from tightrope.units.select_functions import choose

FUNCTIONS = {
    "clamp": "int f(unsigned char a, signed char b) { if (a > 200) a = 200; return a > b ? a : b; }",
    "division": "int f(unsigned char a, signed char b) { if (b == 0) return -1; return a / b + a % 3; }",
    "bits": "int f(unsigned char a, signed char b) { unsigned u = a << 2 | (b & 3); return u >= 4 && u != 7 ? u ^ 1 : 0; }",
    "loop": "int f(unsigned char a, signed char b)"
    " { int n = 0; for (int i = 0; i < (a & 7); i++) { if (i == b) break; n += i; } return n; }",
    "early break": "int f(unsigned char a, signed char b)"
    " { int r = 0; for (int i = 0; i < 12; i++) { if (i == (a & 7)) { r = b; break; } } return r; }",
    "recursion": "int f(unsigned char a, signed char b) { if (a > 5) return b; return a == 0 ? 0 : f(a - 1, b) + b; }",
    "jump into a statement": "int f(unsigned char a, signed char b)"
    " { int n = 0; if (a > 3) goto in; if (a > 300) { while (n < 5) { in: n += 2; if (b == n) break; } if (a > 900) n = 7; }"
    " return n; }",
    "states": "int f(unsigned char a, signed char b)"
    " { int s = 0; switch (a % 4) { case 0: s = 1; break; case 1: s = b > 0; break; default: s = 2; } return s * s; }",
}
CHECKER = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static sigjmp_buf out;
static volatile long calls, before;
static void leave(int number)
{
    long same = calls == before;
    before = calls;
    if (number != SIGVTALRM || same) siglongjmp(out, number); /* a call that lasts for two ticks is endless */
}
static long value(int (*f)(unsigned char, signed char), int a, int b)
{
    int number = sigsetjmp(out, 1);
    calls++;
    return number ? (1L << 40) + number : f(a, b);
}
int main(void)
{
    struct itimerval ticks = {{0, 20000}, {0, 20000}};
    static char memory[1 << 16];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction overflow = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, 0);
    sigaction(SIGSEGV, &overflow, 0); /* endless recursion */
    signal(SIGFPE, leave);
    signal(SIGVTALRM, leave);
    setitimer(ITIMER_VIRTUAL, &ticks, 0);
    for (int number = 1; functions[number]; number++) {
        int differs = 0;
        for (int a = 0; a < 256; a++)
            for (int b = -128; b < 128; b++)
                if ((differs == 0 || (a == named[number][0] && b == named[number][1])) && value(functions[0], a, b) != value(functions[number], a, b)) {
                    if (!differs++) printf("%d differs", number);
                    if (a == named[number][0] && b == named[number][1]) printf(" as named");
                }
        if (differs) printf("\\n");
    }
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_formulas_agree_with_brute_force(tmp_path, name):
    source = tmp_path / "unit.c"
    source.write_text(FUNCTIONS[name] + "\n")
    options = read_options(["measure", f"{source}:f", "-c", "mutation,wm,statement", "--suite", str(source)])
    ((file, _),) = choose(options).files()
    unit = prepare_unit(file, "f", options)
    comparer = MutantComparer(unit, options)
    found = [comparer.compare(each, 20.0) for each in unit.marks.mutants]
    unchanged = comparer.find_unchanged({str(n): each for n, each in enumerate(unit.marks.mutants, 1)}, 20.0)
    inputs = [each.inputs[0] if each.inputs else None for each in found]
    differing, as_named = _differing(file, tmp_path, inputs)
    assert [unit.marks.mutants[number - 1].text for number in differing if str(number) in unchanged] == []
    for number, (mutant, each) in enumerate(zip(unit.marks.mutants, found, strict=True), 1):
        if each.verdict == "equivalent":
            assert number not in differing, mutant.text
        if each.verdict == "different":
            assert number in as_named, f"{mutant.text} with {each.inputs}"
    same = [each for number, each in enumerate(found, 1) if number not in differing]
    assert same
    assert [each for each in same if each.verdict != "equivalent"] == []


def _differing(file, folder, inputs: list[Input | None]) -> tuple[set[int], set[int]]:
    """The numbers of the mutants that differ from the function for some input, and for the one that is named."""
    text = (folder / "unit.c").read_text()
    syntax = find_syntax(file.compiler, text, ["f"], name="unit.c")["f"]
    mutants = [apply_mutant(syntax.text, each) for each in find_mutants_of(syntax, "@f")]
    bodies = [re.sub(r"\bf\(", f"f_{number}(", each) for number, each in enumerate([syntax.text, *mutants])]
    table = "".join(f"f_{number}, " for number in range(len(bodies)))
    rows = "".join(f"{{{a}, {b}}}, " for a, b in [(0, 0), *map(_pair, inputs)])
    program = folder / "checker"
    written = folder / "checker.c"
    written.write_text(
        "\n".join(bodies)
        + f"\nstatic int (*const functions[])(unsigned char, signed char) = {{{table}0}};"
        + f"\nstatic const int named[][2] = {{{rows}}};"
        + dedent(CHECKER)
    )
    link_program(file.compiler, [written], file.flags, program, working_directory=folder)
    lines = run_program((program,), folder, Limits(60.0)).output.split("\n")
    numbers = [(int(line.split()[0]), "as named" in line) for line in lines if line]
    return {number for number, _ in numbers}, {number for number, is_named in numbers if is_named}


def _pair(values: Input | None) -> tuple[int, int]:
    if values is None:
        return 0, 999
    return values[0], values[1] - 256 if values[1] > 127 else values[1]
