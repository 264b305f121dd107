"""Mutation operators: a statement of C and its mutants, as `operator what: replacement`."""

from textwrap import dedent

import pytest

from tightrope.coverage.mutation.find_mutants import find_mutants_of
from tightrope.program.marks.mutants import MutantForm, SourceMutant
from tightrope.source.toolchain import find_compiler
from tightrope.units.compilable_mutants import keep_compilable
from tightrope.units.function_syntax import find_syntax
from tightrope.units.mark_unit import CompilableText

PRELUDE = (
    "struct s { int x; struct s *next; }; int table[10], g; int ext(int); extern volatile int port;"
    " enum colour { RED, GREEN = 5 };\n#define LIMIT (a + 1)\n"
)
PARAMETERS = "int a, int b, unsigned u, double d, struct s *p, _Bool t"


def mutants_in(body: str) -> tuple[SourceMutant, ...]:
    """The mutants of `int f(...) { body }`; its first line is line 4."""
    text = f"{PRELUDE}int f({PARAMETERS}) {{\n{dedent(body).strip()}\nreturn 0; }}\n"
    syntax = find_syntax(find_compiler(), text, ["f"], name="unit.c")["f"]
    last = syntax.text.rindex("return 0")
    return tuple(each for each in find_mutants_of(syntax, "@f") if each.start < last)


def shown(mutants: tuple[SourceMutant, ...], operator: str) -> list[str]:
    rows = [each for each in mutants if each.operator == operator]
    return [f"{each.what}: {each.replacement}" for each in rows]


@pytest.mark.parametrize(
    ("statement", "operator", "expected"),
    [
        ("if (a < b) g = 1;", "ror", ["<=: a <= b", ">: a > b", ">=: a >= b", "==: a == b", "!=: a != b", "true: 1",
                                      "false: 0"]),
        ("if (p == 0) g = 1;", "ror", ["!=: p != 0", "true: 1", "false: 0"]),
        ("g = a + b;", "aor", ["-: a - b", "*: a * b", "/: a / b", "%: a % b", "left: a", "right: b"]),
        ("d = d * 2;", "aor", ["+: d + 2", "-: d - 2", "/: d / 2", "left: d", "right: 2"]),
        ("p = p + a;", "aor", ["-: p - a", "left: p"]),
        ("u = u & 7u;", "bor", ["|: u | 7u", "^: u ^ 7u", "left: u", "right: 7u"]),
        ("u = u << a;", "bor", [">>: u >> a", "left: u"]),
        ("if (a < 1 && p) g = 1;", "cor", ["||: (a < 1) || p", "left: a < 1", "right: !!(p)"]),
        ("if (a < 1 && p) g = 1;", "cond", ["!: !(a < 1 && p)", "true: 1", "false: 0", "!: !(p)", "true: 1", "false: 0"]),
        ("if (!t) g = 1;", "cond", ["!: !(t)", "true: 1", "false: 0"]),
        ("g = a;", "uoi", ["-: -a"]),
        ("u = u;", "uoi", ["~: ~u"]),
        ("t = t;", "uoi", ["!: !t"]),
        ("if (a) g = 1;", "uoi", []),  # -a is zero where a is
        ("ext(a);", "uoi", ["-: -a"]),  # nobody uses the result
        ("table[a] = 1;", "uoi", []),
        ("g = -a + ~b;", "uod", ["-: a", "~: b"]),
        ("g = a;", "abs", ["abs: a < 0 ? -a : a", "-abs: a < 0 ? a : -a"]),
        ("u = u;", "abs", []),
        ("g = ext(a++);", "abs", []),  # would be evaluated twice
        ("a++; --a; p++;", "step", ["--: a--", "++: ++a", "--: p--"]),
        ("a += b;", "asg", ["-=: a -= b", "*=: a *= b", "/=: a /= b", "%=: a %= b", "=: a = b"]),
        ("u |= 1;", "asg", ["&=: u &= 1", "^=: u ^= 1", "=: u = 1"]),
        ("p += 1;", "asg", ["-=: p -= 1"]),
        ("a = 1;", "lhs", ["b: b = 1"]),
        ("g = a + 7;", "const", ["+1: 7 + 1", "-1: 7 - 1", "0: 0"]),
        ("g = 1;", "const", ["+1: 1 + 1", "-1: 1 - 1"]),
        ("while (1) g = a;", "const", ["0: 0"]),
        ("g = a / 1;", "const", ["+1: 1 + 1"]),  # not by 0
        ("g = table[0];", "const", ["+1: 0 + 1"]),  # no index below 0
        ("if (p == 0) g = a;", "const", []),  # a null pointer
        ("switch (a) { case 3: g = a; }", "const", []),
        ("static int once = 5; g = once;", "const", []),
        ("g = sizeof(a + 1);", "aor", []),
        ("g = 3; ext(3); port;", "delete", [": 0", ": 0", ": 0"]),
        ("(void)a; a;", "delete", []),
        ("g = ({ ext(a); ext(b); });", "delete", [": 0", ": 0"]),  # not the value
        ("for (a = 0; a < b; a++) g = a;", "delete", [": 0"]),  # not the parts of for
        ("while (a) { if (b) break; continue; }", "jump", ["continue: continue;", "break: break;"]),
        ("switch (a) { case 1: g = 1; break; }", "jump", []),
        ("switch (a) { case 1: g = a; break; }", "delete", [": 0", ": ;"]),
    ],
)  # fmt: skip
def test_operators(statement, operator, expected):
    assert shown(mutants_in(statement), operator) == expected


def test_a_return_without_value_is_deleted_unless_it_is_the_last_statement():
    text = "int g; void f(int a) { if (a) return; g = 1; return; }\n"
    syntax = find_syntax(find_compiler(), text, ["f"], name="unit.c")["f"]
    jumps = [each for each in find_mutants_of(syntax, "@f") if each.form is MutantForm.JUMP]
    assert [syntax.text[each.start : each.end] for each in jumps] == ["return;"]
    assert jumps[0].start == syntax.text.index("return;")


def test_assertions_are_not_changed():
    text = "#include <assert.h>\nint f(int a) { assert(a > 3); return 0; }\n"
    syntax = find_syntax(find_compiler(), text, ["f"], name="unit.c")["f"]
    assert {each.operator for each in find_mutants_of(syntax, "@f")} == {"const"}  # of the result


def test_every_mutant_compiles_or_is_left_out():
    text = "int f(int a) { constexpr int k = 3; const int c = a + k; return c; }\n"
    source = CompilableText(find_compiler(), text, ("-std=c23",), None, "unit.c")
    syntax = find_syntax(find_compiler(), text, ["f"], ("-std=c23",), name="unit.c")["f"]
    kept = keep_compilable(source.compile_preprocessed, syntax.text, find_mutants_of(syntax, "@f"))
    refused = [each for each in kept if each.problem]
    assert {each.operator for each in refused} == {"const"}
    assert all("it does not compile: " in each.problem for each in refused)
    assert {"aor", "abs", "uoi"} <= {each.operator for each in kept if not each.problem}


@pytest.mark.parametrize(
    ("statement", "operator", "what", "before", "after"),
    [
        ("  if (a < b) g = 1;", "ror", "<=", "if (a < b) g = 1;", "if (a <= b) g = 1;"),
        ("g = u << (b + 1);", "aor", "-", "g = u << (b + 1);", "g = u << (b - 1);"),
        ("g = a - b & 3;", "uoi", "-", "g = a - b & 3;", "g = -(a - b & 3);"),
        ("g = a - b * 3;", "aor", "/", "g = a - b * 3;", "g = a / (b * 3);"),
        ("g = a * b + 1;", "uoi", "-", "g = a * b + 1;", "g = -(a * b + 1);"),
        ("g = 1; ext(a);", "delete", "", "g = 1; ext(a);", "; ext(a);"),
        ("while (a) break;", "delete", "", "while (a) break;", "while (a) ;"),
        ("while (a) break;", "jump", "continue", "while (a) break;", "while (a) continue;"),
        ("g = a == 3\n  && b;", "cor", "left", "g = a == 3\n  && b;", "g = a == 3;"),
    ],
)
def test_a_change_is_shown_as_lines_of_the_file(tmp_path, statement, operator, what, before, after):
    file = tmp_path / "unit.c"
    file.write_text(f"{PRELUDE}int f({PARAMETERS}) {{\n{statement.strip()}\nreturn 0; }}\n")
    text = f'#include "{file}"\n'
    syntax = find_syntax(find_compiler(), text, ["f"], name="driver.c")["f"]
    found = find_mutants_of(syntax, "@f")
    mutant = next(each for each in found if (each.operator, each.what) == (operator, what))
    assert mutant.change == (before, after)


def test_what_a_macro_hides_has_no_line(tmp_path):
    (tmp_path / "unit.c").write_text("#define MORE(x) ((x) + 1)\nint f(int a) { return MORE(a); }\n")
    text = f'#include "{tmp_path}/unit.c"\n'
    syntax = find_syntax(find_compiler(), text, ["f"], name="driver.c")["f"]
    sums = [each for each in find_mutants_of(syntax, "@f") if each.operator == "aor"]
    assert sums
    assert all(each.change == ("", "") and each.location.line == 2 for each in sums)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (a > 3) { g = 1; }", ["if (a > 3) { g = 1; }", "g = 1"]),
        ("while (a > 3) { a = b; }", ["while (a > 3) { a = b; }", "a = b"]),
        ("while (a > 3) { in: a = b; }", ["", "a = b"]),  # a jump may lead to its condition
        ("switch (a + 1) { case 2: g = 1; }", ["", "g = 1"]),
        ("int x = a, y; g = ({ b = 1; b; });", ["int x = a, y;", "g = ({", "b = 1", "b;"]),
    ],
)  # fmt: skip
def test_mutants_know_the_statement_that_leads_to_them(body, expected):
    text = f"{PRELUDE}int f({PARAMETERS}) {{ {body} }}\n"
    syntax = find_syntax(find_compiler(), text, ["f"], name="unit.c")["f"]
    starts = dict.fromkeys(each.statement for each in find_mutants_of(syntax, "@f"))
    shown = [syntax.text[at:] if at >= 0 else "" for at in starts]
    assert [each[: len(wanted)] for each, wanted in zip(shown, expected, strict=True)] == expected
