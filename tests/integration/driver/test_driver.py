"""What the driver does, seen through the stand-in runtime."""

import pytest

from tightrope.errors import UnsupportedError
from tightrope.inputs import shape_values
from tightrope.running.run_record import Outcome
from tightrope.suite.case import Case, describe_input, describe_outputs
from tightrope.suite.writers import WRITERS

from .conftest import NATIVE, ZIG, run


def observe(bench, values, assumptions=()):
    driver = bench.driver(assumptions)
    ending, outputs = bench.run_driver(driver, bench.build_driver(driver), values)
    case = Case("one", values, ending, outputs)
    return ending, describe_outputs(bench.suite((case,)), case) if outputs else {}


def test_inputs_reach_the_function_and_results_come_back(bench):
    unit = bench("struct p { int x; signed char y; }; int f(struct p *p, short n) { p->y = 7; return p->x * n; }", "f")
    ending, seen = observe(unit, (0, 6, 0xFFFF))
    assert ending.outcome is Outcome.RETURNED
    assert seen == {"result": -6, "p->x": 6, "p->y": 7}


def test_an_assumption_is_c_over_parameters_and_globals(bench):
    unit = bench("int limit; int f(const int *a, int n) { return a[0] + n + limit; }", "f")
    assumptions = ("a[0] > 3 && n < limit", "n, 1")
    assert observe(unit, (0, 4, 1, 2), assumptions)[0].outcome is Outcome.RETURNED
    ending, _ = observe(unit, (0, 4, 2, 2), assumptions)
    assert (ending.outcome, ending.reason) == (Outcome.REJECTED, "assumption 1")


def test_a_mistake_in_an_assumption_is_shown_where_the_user_wrote_it(bench, tmp_path):
    unit = bench("int f(int n) { return n; }", "f")
    unit.driver(("n > 0", "n >= m"))
    done = run(*ZIG, "-c", tmp_path / "driver.c", "-o", tmp_path / "driver.o")
    assert "--assume number 2:1:6: error: use of undeclared identifier 'm'" in done.stderr


def test_lines_after_an_assumption_are_numbered_as_in_the_driver(bench, tmp_path):
    unit = bench("int f(int n) { return n; }", "f")
    text = unit.driver(("n > 0\n&& n < 9",)).text.replace("tightrope_output(0", "mistake(0", 1)
    (tmp_path / "driver.c").write_text(text)
    done = run(*ZIG, "-c", tmp_path / "driver.c", "-o", tmp_path / "driver.o")
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "mistake" in words)
    assert f"tightrope_driver.c:{line}:" in done.stderr


def test_enums_keep_to_their_members_unless_asked_otherwise(bench):
    unit = bench("enum c { RED = -2, GREEN, BLUE = 9 }; int f(enum c c) { return c; }", "f")
    outcomes = {raw: observe(unit, (raw & 0xFFFFFFFF,))[0].outcome for raw in (-3, -2, -1, 0, 8, 9, 10)}
    accepted = [raw for raw, outcome in outcomes.items() if outcome is Outcome.RETURNED]
    assert accepted == [-2, -1, 9]


def test_members_that_no_code_looks_at_are_no_inputs_but_observed(bench):
    text = """struct out { int status; char tag; long unused; struct out *next; };
    void f(struct out *out, int n) { out->status = n; out->tag = 'x'; out->next = out; }"""
    unit = bench(text, "f")
    assert [slot.path for slot in unit.driver().slots] == ["out", "out->status", "n"]
    _, seen = observe(unit, (0, 5, 7))
    assert (seen["out->status"], seen["out->tag"], seen["out->next"]) == (7, "x", "out")


def test_where_a_returned_pointer_points(bench):
    text = "char *f(char s[4], int n) { return n < 0 ? 0 : n > 3 ? (char *)f : s + n; }"
    unit = bench(text, "f")
    pointers = [observe(unit, (0, 97, 0, 0, 0, n & 0xFFFFFFFF))[1]["result"] for n in (-1, 0, 2, 9)]
    assert pointers == ["NULL", "s", "s + 2", "not NULL"]


def test_counts_of_elements_can_be_asked_for(bench):
    text = "struct t { char *name; }; int f(struct t *t, const int *v) { return v ? t[1].name[2] : 0; }"
    unit = bench(text, "f", {"t": "array 2, not-null", "t[_].name": "array 3, not-null", "v": "null"})
    paths = [slot.path for slot in unit.driver().slots]
    assert paths == [f"t[{i}].name[{k}]" for i in range(2) for k in range(3)]


def test_paths_are_what_c_programmers_write(bench):
    text = """struct in { int v; }; struct s { struct in a[2]; struct in *p; struct { int q; }; union { int u; }; };
    int count; struct in *head;
    int f(struct s *s, struct s x, int **pp, int (*row)[2])
    { return s->q + s->p->v + s->a[1].v + s->u + x.q + x.p->v + **pp + (*row)[1] + count + head->v; }"""
    paths = [slot.path for slot in bench(text, "f").driver().slots]
    assert [path for path in paths if path.startswith("s->")] == [
        "s->a[0].v", "s->a[1].v", "s->p", "s->p->v", "s->q", "s->u"
    ]  # fmt: skip
    assert {"x.a[1].v", "x.p->v", "**pp", "(*row)[1]", "count", "head->v"} <= set(paths)


def test_a_long_array_says_that_it_is_cut(bench):
    unit = bench("int f(int a[100]) { return a[99]; }", "f", max_elements=10)
    assert len(unit.driver().slots) == 11
    assert unit.shape.notes == ("a: only the first 10 of 100 elements are inputs",)


def test_too_many_inputs_are_cut_and_said(bench, monkeypatch):
    monkeypatch.setattr(shape_values, "MOST_SLOTS", 20)
    unit = bench("struct s { int a[8]; }; int f(struct s t[8]) { return t[7].a[7]; }", "f")
    assert len(unit.driver().slots) == 20
    assert any("more than 20 inputs" in note for note in unit.shape.notes)


def test_tests_with_static_locals_get_a_process_each(bench, tmp_path):
    unit = bench("int f(int n) { static int calls; return ++calls + n; }", "f")
    cases = []
    driver = unit.driver()
    program = unit.build_driver(driver)
    for number in range(3):
        ending, outputs = unit.run_driver(driver, program, (number,))
        cases.append(Case(f"f_{number}", (number,), ending, outputs))
    done = build_and_run(unit.suite(tuple(cases)), tmp_path)
    assert done.stdout == "1..3\nok 1 - f_0\nok 2 - f_1\nok 3 - f_2\n"


def test_what_crashes_has_a_process_of_its_own_and_must_crash(bench, tmp_path):
    unit = bench("int f(int *p, int n) { return n ? *(volatile int *)0 : *p; }", "f")
    driver = unit.driver()
    program = unit.build_driver(driver)
    cases = []
    for number in range(2):
        ending, outputs = unit.run_driver(driver, program, (0, 5, number))
        cases.append(Case(f"f_{number}", (0, 5, number), ending, outputs))
    suite = unit.suite(tuple(cases))
    assert build_and_run(suite, tmp_path).stdout == "1..2\nok 1 - f_0\n# crashes: signal 11\nok 2 - f_1\n"
    assert build_and_run(suite, tmp_path, words=("2",)).returncode == -11


def test_a_regression_is_not_ok_with_what_was_expected(bench, tmp_path):
    unit = bench("double f(double x, int v[4]) { v[2] = 3; return x; }", "f")
    case = Case("f_1", (0,) * 6, *unit.run_driver(d := unit.driver(), unit.build_driver(d), (0,) * 6))
    unit.source.write_text("double f(double x, int v[4]) { v[2] = 4; return -x; }")
    done = build_and_run(unit.suite((case,)), tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "1..1",
        "# result: expected 0, got -0",
        "# v[2]: expected 3, got 4",
        "not ok 1 - f_1",
    ]


def build_and_run(suite, folder, *flags, words=()):
    text = WRITERS["plain"].write(suite)[f"{suite.file_stem}.c"]
    (folder / "written.c").write_text(text)
    done = run(*NATIVE, "-std=c11", *flags, "-o", folder / "written", folder / "written.c")
    assert not done.returncode, done.stderr
    return run(folder / "written", *words)


def test_the_input_is_shown_in_c_words(bench):
    unit = bench("enum e { A, B }; int f(enum e e, float x, char c, _Bool b) { return e + x + c + b; }", "f")
    case = Case("one", (1, 0x3DCCCCCD, 97, 1), None, ())
    assert describe_input(unit.suite((case,)), case) == {"e": "B", "x": 0.1, "c": "a", "b": True}


@pytest.mark.parametrize(
    ("text", "function", "words"),
    [
        ("double f(_Complex double z) { return __real__ z; }", "f", "`z` is _Complex"),
        ("_Complex float f(void) { return 1; }", "f", "_Complex result"),
        ("double f(const double _Complex *z) { return __real__ *z; }", "f", "`z` points to _Complex"),
        ("#include <stdarg.h>\nint f(va_list a) { return va_arg(a, int); }", "f", "`a` is a va_list"),
        ("int f(struct { int a; } *p) { return p->a; }", "f", "`p` has a type without a name"),
    ],
)
def test_refused_with_its_name_and_line(bench, text, function, words):
    with pytest.raises(UnsupportedError) as problem:
        bench(text, function)
    assert words in str(problem.value)
    assert "unit.c:" in str(problem.value)
