"""What formulas say about mutants, checked by brute force: every input of small functions, on every mutant.

An *equivalent* mutant never differs, and an input that the formula names shows a difference. All mutants that never
differ are found to be equivalent, also where others leave the formula: by an endless loop or recursion. What the code
alone says about values that never change, and about statements that are never reached, is checked, too.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.coverage.mutation.find_mutants import find_mutants_of
from tightrope.coverage.verdict import Proof
from tightrope.equality.equality_proof import UNDEFINED
from tightrope.equality.equivalent_mutants import ComparedMutant, MutantComparer
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.program.marks.mutants import SourceMutant, apply_mutant
from tightrope.source.compile import link_program
from tightrope.suite.guard import Limits
from tightrope.suite.native import run_program
from tightrope.units.function_syntax import find_syntax
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile, PreparedUnit
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
    "behind a constant": "int f(unsigned char a, signed char b)"
    " { static const struct { int on, n; } is = {0, 2}; if (is.on) { if (a == b) return a + 1; } return b * is.n; }",
    "states": "int f(unsigned char a, signed char b)"
    " { int s = 0; switch (a % 4) { case 0: s = 1; break; case 1: s = b > 0; break; default: s = 2; } return s * s; }",
}
# The second text holds where C defines what the function does: other inputs show no difference.
PARTLY_DEFINED = {
    "shift": (
        "int f(unsigned char a, signed char b) { if (b == 33 && 1 << b == 2) return 2; return a > 3 ? 1 << b : b; }",
        "b != 33 && !(a > 3 && (b < 0 || b > 31))",
    ),
    "index": (
        (
            "int f(unsigned char a, signed char b)"
            " { int t[4] = {1, 5, 7, 2}; if (a == 9) return t[b]; if (b == 7) t[a + 4] = 1; return a / b; }"
        ),
        "a == 9 ? b >= 0 && b < 4 : b != 0 && b != 7",
    ),
    "static": (
        (
            "static int t[4] = {3, 1, 4, 1}; int f(unsigned char a, signed char b)"
            " { if (a > 250) return t[a - 248] + b; return b > 100 ? t[b - 104] : t[a & 3]; }"
        ),
        "a > 250 ? a == 251 : b <= 100 || (b >= 104 && b < 108)",
    ),
}
# What lies there is the caller's, and the shape of the inputs only a part of it. The second text is the rest of a program
# in which more is defined than for the inputs of the shape. The last one holds where C defines what the function does.
CALLERS = {
    "open array": (
        "extern int t[];",
        "int f(unsigned char a, signed char b) { if (a > 200) return t[a + 100] + b; return b > 3; }",
        "int t[512] = {[4] = 1, [303] = 7, [340] = 9};",
        "1",
    ),
    "array behind a pointer": (
        "extern int *p;",
        "int f(unsigned char a, signed char b) { if (a > 100) return p[a] + b; return b > 3; }",
        "static int all[512] = {4, 2, [120] = 5}; int *p = all;",
        "1",
    ),
    "list": (
        "struct node { struct node *next; int v; }; extern struct node *head;",
        (
            "int f(unsigned char a, signed char b)"
            " { if (a > 3) return head->next->next->next->next->next->v + b; return b > 3; }"
        ),
        "static struct node ring = {&ring, 6}; struct node *head = &ring;",
        "1",
    ),
    "function": (
        "extern int (*hook)(int);",
        "int f(unsigned char a, signed char b) { if (a == 9) return hook(b) + 1; return a > b; }",
        "static int same(int x) { return x; } int (*hook)(int) = same;",
        "1",
    ),
    "comparison": (
        (
            "void qsort(void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *));"
            "static int by(const void *x, const void *y) { return ((const int *)x)[0] - ((const int *)y)[0]; }"
        ),
        (
            "int f(unsigned char a, signed char b)"
            " { int t[3] = {b, a, 5}; qsort(t, 3, sizeof t[0], by); if (a > 9) return t[2]; return t[0] / (b + 1); }"
        ),
        "",
        "b != -1",
    ),
    "call that does not return": (
        "void say(int x);",
        "int f(unsigned char a, signed char b) { if (a > 3) { say(5); return 1 / (b - b); } return b; }",
        "#include <setjmp.h>\nstatic sigjmp_buf out; void say(int x) { siglongjmp(out, x); }",
        "1",
    ),
    "call that changes a variable": (
        "static int at = 9; static int t[4] = {1, 2, 3, 4}; void set(int i) { at = i; } void hook(void);",
        "int f(unsigned char a, signed char b) { at = 9; hook(); return t[at] + a * b; }",
        "void hook(void) { set(2); }",
        "1",
    ),
    "call that is given a variable": (
        "void choose(const int *where);",
        "int f(unsigned char a, signed char b) { int d = 0; choose(&d); return b / d + a; }",
        "void choose(const int *where) { *(int *)where = 2; }",
        "1",
    ),
}
# One statement is not encoded. With it, each function has a mutant without a difference, and one that differs behind it.
# Values that are never used. The second text stands before the function, the third names mutants that are the same code.
UNUSED = {
    "first value": (
        "int f(unsigned char a, signed char b) { int r = 7; if (a > 3) r = b; else r = 2; return r; }",
        "",
        {"7 as 8", "7 as 6", "7 as 0"},
    ),
    "first value that is used once": (
        "int f(unsigned char a, signed char b) { int r = 7; if (a > 3) r = b; return r; }",
        "",
        set(),
    ),
    "argument": (
        "int f(unsigned char a, signed char b) { return pick(a, 12) + pick(b, 30); }",
        "static int pick(int x, int line) { return x + 1; } ",
        {"12 as 13", "12 as 0", "30 as 29"},
    ),
    "argument that one of two calls needs": (
        "int f(unsigned char a, signed char b) { return pick(a, 12) + pick(b, 30); }",
        "static int pick(int x, int line) { return x > 3 ? line : x; } ",
        set(),
    ),
    "argument that a recursion hands on": (
        "int f(unsigned char a, signed char b) { return down(a & 7, 12) + b; }",
        "static int down(int n, int line) { return n > 0 ? down(n - 1, line) : n; } ",
        set(),
    ),
    "argument of a function that is chosen at run time": (
        "int f(unsigned char a, signed char b) { int (*go)(int, int) = a > 9 ? pick : last; return go(b, 12) + pick(b, 3); }",
        "static int pick(int x, int line) { return x; } static int last(int x, int line) { return line; } ",
        set(),
    ),
    "argument that is looked at in memory": (
        "int f(unsigned char a, signed char b) { return pick(a, 12) + b; }",
        "static int at(const int *p) { return p[0]; } static int pick(int x, int line) { return x + at(&line); } ",
        set(),
    ),
    "cast to void": (
        "int f(unsigned char a, signed char b) { (void)(a > 3); return a > b; }",
        "",
        {"a > 3 as a < 3", "a > 3 as 1", "3 as 4"},
    ),
    "computation": (
        "int f(unsigned char a, signed char b) { (void)(a * 70000); (void)(a / 7); return a + b; }",
        "",
        {"a * 70000 as a + 70000", "70000 as 0"},
    ),
}
APART = "static char x[4], y[64];"
PARTLY_ENCODED = {
    "beside it": (
        (
            "int f(unsigned char a, signed char b)"
            " { if (b == 77) return y - x == 0 ? 3 : 5; int n = a > 200 ? 200 : a; return n + b; }"
        ),
        "a > 200 as a >= 200",
        "5 as 6",
    ),
    "before it": (
        (
            "int f(unsigned char a, signed char b)"
            " { int n = a > 200 ? 200 : a; if (n == 250 && y - x == 0) return 9; if (b == 77) n += y - x != 0; return n; }"
        ),
        "9 as 10",
        "",
    ),
    "behind it": (
        (
            "int f(unsigned char a, signed char b)"
            " { long d = 0; if (b == 77) d = y - x; if (d != 0) return a * 2; return a > 200 ? 200 : a; }"
        ),
        "",
        "a * 2 as a + 2",
    ),
    "in a loop": (
        (
            "int f(unsigned char a, signed char b)"
            " { int n = 0; for (int i = 0; i < 3; i++) { if (n > 5) n = a * 3; if (b == 77) n += 9 * (y - x != 0); } return n; }"
        ),
        "",
        "a * 3 as a + 3",
    ),
    "with an end in the changed block": (
        "int f(unsigned char a, signed char b) { int d = 0; if (b != 77) return a; d = y - x != 0; return a / d; }",
        "",
        "d = y - x != 0 deleted",
    ),
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
                if (defined(a, b) && (differs == 0 || (a == named[number][0] && b == named[number][1])) && value(functions[0], a, b) != value(functions[number], a, b)) {
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


@pytest.mark.slow
@pytest.mark.parametrize("name", [*UNUSED, *FUNCTIONS])
def test_mutants_that_are_the_same_code_never_differ(tmp_path, name):
    text, before, same = UNUSED.get(name, (FUNCTIONS.get(name), "", set()))
    file, unit = _prepare(tmp_path, before + text + "\n")
    mutants = {str(number): each for number, each in enumerate(unit.marks.mutants, 1)}
    found = MutantComparer(unit, unit_options(tmp_path)).find_same_code(mutants, 60.0)
    differing, _ = _differing(file, tmp_path, [None] * len(mutants), before=before)
    texts = {unit.marks.mutants[int(number) - 1].text for number in found}
    assert {int(number) for number in found} & differing == set()
    assert same <= texts
    assert all(each.proof.proof is Proof.CONSTANT for each in found.values())


@pytest.mark.parametrize("value", ["a / (b | 1)", "a << (b & 7)", "t[a & 3]", "*(t + (a & 3))"])
def test_what_may_be_undefined_is_no_unused_value(tmp_path, value):
    """Where the mutant is undefined and the function is not, they differ, though nobody looks at the value."""
    text = (
        f"int f(unsigned char a, signed char b) {{ int t[4] = {{1, 2, 3, 4}}; (void)({value}); return t[a & 1] + b; }}"
    )
    _, unit = _prepare(tmp_path, text + "\n")
    inner = [each for each in unit.marks.mutants if each.expression.strip("()") != value.strip("()")]
    mutants = {str(number): each for number, each in enumerate([*inner, *_arithmetic(unit)])}
    found = MutantComparer(unit, unit_options(tmp_path)).find_same_code(mutants, 60.0)
    assert [mutants[number].text for number in found] == []


@pytest.mark.parametrize(("checks", "count"), [((), 3), (("overflow",), 0)])
def test_a_sum_that_nobody_uses_may_end_a_run_that_is_checked(tmp_path, checks, count):
    _, unit = _prepare(tmp_path, "int f(int a, int b) { (void)(a + b); return a > b; }\n")
    sums = [each for each in unit.marks.mutants if each.text in ("a + b as a - b", "a + b as a * b", "a as -a")]
    mutants = {str(number): each for number, each in enumerate(sums[:3])}
    options = replace(unit_options(tmp_path), checks=checks)
    assert len(MutantComparer(unit, options).find_same_code(mutants, 60.0)) == count


def test_what_a_constant_excludes_needs_no_formula():
    source = Path(__file__).parents[1] / "programs" / "infeasible_behind_constant.c"
    options = read_options(["measure", f"{source}:send", "-c", "mutation,wm,statement", "--suite", str(source)])
    ((file, _),) = choose(options).files()
    unit = prepare_unit(file, "send", options)
    behind = {each.text: each for each in unit.marks.mutants if each.location.line in (17, 18)}
    found = MutantComparer(unit, options).find_unchanged(behind, 5.0)
    assert found.keys() == behind.keys()
    assert {each.proof.proof for each in found.values()} == {Proof.CONSTANT}


@pytest.mark.parametrize(
    ("body", "undefined"),
    [
        ("if (b > 7) return 0; return 200u >> b;", "b as -abs(b)"),
        ("if (b < 1) return 0; return a / (1 - (b < 1));", "b < 1 as 1"),
        ("unsigned u = a; if (b < 0 || b > 7) return 0; u <<= b; return u;", "b as -abs(b)"),
        ("int n = a; if (b < 1) return 0; n %= 1 - (b < 1); return n;", "b < 1 as b >= 1"),
    ],
)
def test_a_mutant_that_is_undefined_itself_is_not_unchanged(tmp_path, body, undefined):
    """Its label holds where its value differs, as far as it has one: there is no such place."""
    source = tmp_path / "unit.c"
    source.write_text(f"int f(unsigned char a, signed char b) {{ {body} }}\n")
    options = read_options(["measure", f"{source}:f", "-c", "mutation,wm,statement", "--suite", str(source)])
    ((file, _),) = choose(options).files()
    unit = prepare_unit(file, "f", options)
    mutants = {str(number): each for number, each in enumerate(unit.marks.mutants)}
    last = [key for key, each in mutants.items() if each.text == undefined][-1]
    found = MutantComparer(unit, options).find_unchanged(mutants, 5.0)
    assert last not in found


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTLY_DEFINED)
def test_where_the_function_is_undefined_nothing_differs(tmp_path, name):
    text, defined = PARTLY_DEFINED[name]
    file, _, found = _compare_all(tmp_path, text + "\n")
    inputs = [each.inputs[0] if each.inputs else None for each in found]
    before = text[: text.index("int f(")]
    differing, as_named = _differing(file, tmp_path, inputs, defined, before)
    proved = {number for number, each in enumerate(found, 1) if each.verdict == "equivalent"}
    everywhere, _ = _differing(file, tmp_path, inputs, before=before)
    assert proved & differing == set()
    assert as_named  # not all: where the mutant is undefined, a run need not show it
    assert proved & everywhere  # by this rule alone
    assert any(UNDEFINED in each.reason for each in found if each.verdict == "equivalent")


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTLY_ENCODED)
def test_only_runs_that_get_to_the_change_must_be_encoded(tmp_path, name):
    text, proved, unproved = PARTLY_ENCODED[name]
    file, unit, found = _compare_all(tmp_path, f"{APART}\n{text}\n")
    differing, _ = _differing(file, tmp_path, [None] * len(found), before=f"{APART}\n")
    verdicts = {mutant.text: each.verdict for mutant, each in zip(unit.marks.mutants, found, strict=True)}
    wrong = [n for n in differing if found[n - 1].verdict == "equivalent"]
    assert [unit.marks.mutants[n - 1].text for n in wrong] == []
    assert not proved or verdicts[proved] == "equivalent"
    assert not unproved or verdicts[unproved] != "equivalent"


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLERS)
def test_what_callers_choose_is_not_undefined(tmp_path, name):
    declarations, text, rest, defined = CALLERS[name]
    file, unit, found = _compare_all(tmp_path, f"{declarations}\n{text}\n")
    before = f"{declarations}\n{rest}\n"
    differing, _ = _differing(file, tmp_path, [None] * len(found), defined, before)
    assert differing
    wrong = [n for n in differing if found[n - 1].verdict == "equivalent"]
    assert [unit.marks.mutants[n - 1].text for n in wrong] == []


def test_what_functions_that_are_called_at_exit_read_counts(tmp_path):
    text = """
    #include <stdio.h>
    #include <stdlib.h>
    static int n;
    static void tell(void) { printf("%d", n); }
    void start(void) { atexit(tell); }
    int f(unsigned char a, signed char b) { n = 2; if (a > 3) { n = 3; exit(0); } return b; }
    """
    _, unit, found = _compare_all(tmp_path, dedent(text))
    assert [m.text for m, each in zip(unit.marks.mutants, found, strict=True) if each.verdict == "equivalent"] == []


@pytest.mark.parametrize(
    ("body", "leaving"),
    [
        ("char t[4]; memset(t, 3, 4); return t[1] + b;", "4 as 5"),
        ("int t[3] = {1, 7}; t[2] = a; return t[0] + b;", "2 as 3"),
        ("int t[2] = {1, 2}, n = 1; t[n * 1] = a; return t[0] + b;", "n * 1 as n + 1"),
        ("struct { char n[4]; } s; memset(&s, 0, 4); s.n[1] = a; return s.n[1] + b;", "4 as 5"),
    ],
)
def test_a_mutant_that_leaves_a_local_is_not_equivalent(tmp_path, body, leaving):
    text = f"#include <string.h>\nint f(unsigned char a, signed char b) {{ {body} }}\n"
    _, unit, found = _compare_all(tmp_path, text)
    verdicts = [each.verdict for mutant, each in zip(unit.marks.mutants, found, strict=True) if mutant.text == leaving]
    assert verdicts and "equivalent" not in verdicts


@pytest.mark.parametrize(
    ("body", "staying"),
    [
        ("int t[4] = {0}; int *p = t; p[3] = a; return t[1] + b;", "3 as 2"),
        ("char t[8] = {0}; char *d = t; memcpy(d + 4, &b, 1); return t[0] + a;", "4 as 5"),
        ("int x = 0; int *p = &x; p[0] = 3; return a + b;", "3 as 4"),
        ("unsigned u = a; u >>= b & 7; return a;", "7 as 8"),
    ],
)
def test_a_mutant_that_stays_inside_is_equivalent(tmp_path, body, staying):
    text = f"#include <string.h>\nint f(unsigned char a, signed char b) {{ {body} }}\n"
    _, unit, found = _compare_all(tmp_path, text)
    verdicts = [each.verdict for mutant, each in zip(unit.marks.mutants, found, strict=True) if mutant.text == staying]
    assert "equivalent" in verdicts


def test_a_mutant_that_frees_less_is_not_equivalent(tmp_path):
    text = """
    #include <stdlib.h>
    int f(unsigned char a, signed char b) { char *p = malloc(4), *q = malloc(2); free(p); free(q); return a + b; }
    """
    _, unit, found = _compare_all(tmp_path, dedent(text))
    verdicts = {mutant.text: each.verdict for mutant, each in zip(unit.marks.mutants, found, strict=True)}
    assert "equivalent" not in (verdicts["free(p) deleted"], verdicts["free(q) deleted"])


def _compare_all(folder, text: str, seconds: float = 10.0) -> tuple[PreparedFile, PreparedUnit, list[ComparedMutant]]:
    """The unit f of this text, and what is found about each of its mutants."""
    file, unit = _prepare(folder, text)
    comparer = MutantComparer(unit, unit_options(folder))
    return file, unit, [comparer.compare(each, seconds) for each in unit.marks.mutants]


def _prepare(folder, text: str) -> tuple[PreparedFile, PreparedUnit]:
    (folder / "unit.c").write_text(text)
    options = unit_options(folder)
    ((file, _),) = choose(options).files()
    return file, prepare_unit(file, "f", options)


def _arithmetic(unit: PreparedUnit) -> list[SourceMutant]:
    return [each for each in unit.marks.mutants if each.operator in ("aor", "bor")]


def unit_options(folder) -> Options:
    source = folder / "unit.c"
    return read_options(["measure", f"{source}:f", "-c", "mutation", "--suite", str(source)])


def _differing(
    file, folder, inputs: list[Input | None], defined: str = "1", before: str = ""
) -> tuple[set[int], set[int]]:
    """The numbers of the mutants that differ from the function for some input, and for the one that is named."""
    text = (folder / "unit.c").read_text()
    syntax = find_syntax(file.compiler, text, ["f"], name="unit.c")["f"]
    mutants = [apply_mutant(syntax.text, each) for each in find_mutants_of(syntax, "@f")]
    alone = [each[each.rindex("int f(") :] for each in (syntax.text, *mutants)]
    bodies = [re.sub(r"\bf\(", f"f_{number}(", each) for number, each in enumerate(alone)]
    table = "".join(f"f_{number}, " for number in range(len(bodies)))
    rows = "".join(f"{{{a}, {b}}}, " for a, b in [(0, 0), *map(_pair, inputs)])
    program = folder / "checker"
    written = folder / "checker.c"
    written.write_text(
        before
        + "\n".join(bodies)
        + f"\nstatic int (*const functions[])(unsigned char, signed char) = {{{table}0}};"
        + f"\nstatic const int named[][2] = {{{rows}}};"
        + f"\nstatic int defined(int a, int b) {{ return {defined}; }}"
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
