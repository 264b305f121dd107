"""Labelling functions: a statement of C and its labels, as `kind what: predicate`, by criterion."""

from textwrap import dedent

import pytest

from tightrope.coverage.criteria import CRITERIA, can_be_labelled
from tightrope.coverage.labelling import LABELLINGS, find_labels
from tightrope.errors import UsageError
from tightrope.program.decisions.decisions import recover_decisions
from tightrope.program.marks.labels import Form, Label, Partition
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax

PRELUDE = "struct s { int x; struct s *next; }; int table[10], g; int ext(int); extern volatile int port;\n"


def labels_in(body: str, criterion: str, parameters: str = "int a, int b, int c, struct s *p") -> tuple[Label, ...]:
    """The labels of `int f(parameters) { body }`, whose first line is line 3."""
    text = f"{PRELUDE}int f({parameters}) {{\n{dedent(body).strip()}\nreturn 0; }}\n"
    syntax = find_syntax(find_compiler(), text, ["f"], name="unit.c")["f"]
    return find_labels([criterion], syntax, recover_decisions(syntax, "@f"), (Partition("sign", ("a < 0", "a >= 0")),))


def shown(labels: tuple[Label, ...], *kinds: str) -> list[str]:
    return [f"{each.what}: {each.predicate}" for each in labels if each.kind in kinds or not kinds]


@pytest.mark.parametrize(
    ("statement", "kind", "expected"),
    [
        ("if (a < b) return 1;", "ror", ["<=: a == b", ">: a != b", ">=: 1", "==: a <= b", "!=: a > b"]),
        ("if (a == b) return 1;", "ror", ["<: a <= b", "<=: a < b", ">: a >= b", ">=: a > b", "!=: 1"]),
        ("if (p == 0) return 1;", "ror", ["!=: 1"]),
        (
            "if (a < b && c) return 1;",
            "ror",
            ["<=: (a == b) && (c)", ">: (a != b) && (c)", ">=: (c)", "==: (a <= b) && (c)", "!=: (a > b) && (c)"],
        ),
        ("if (p && p->x != 3) return 1;", "ror", [
            "<: (p) && (p->x > 3)", "<=: (p) && (p->x >= 3)", ">: (p) && (p->x < 3)", ">=: (p) && (p->x <= 3)",
            "==: (p)",
        ]),
        ("if (a && b) return 1;", "cor", ["||: !(a) != !(b)", "left: (a) && !(b)", "right: !(a) && (b)"]),
        ("if (p && p->x) return 1;", "cor", ["left: (p) && !(p->x)"]),
        ("return -a;", "aoiu", ["-: a != 0"]),
        ("return a;", "abs", ["abs: a < 0", "-abs: a > 0", "zero: a == 0"]),
        ("a = b;", "lhs", ["b: a != b || b != b", "c: a != b || c != b"]),
        ("int x; x = b; g = x;", "lhs", [
            "g: g != b", "a: a != b", "b: b != b", "c: c != b",
            "a: g != x || a != x", "b: g != x || b != x", "c: g != x || c != x", "x: g != x",
        ]),
        ("return a + 1;", "aor", [
            "-: (a + 1) != ((int)((unsigned int)a - (unsigned int)1))",
            "*: (a + 1) != ((int)((unsigned int)a * (unsigned int)1))",
            "/: (a + 1) != (a / 1)",
            "%: (a + 1) != (a % 1)",
            "left: (a + 1) != ((int)a)",
            "right: (a + 1) != ((int)1)",
        ]),
        ("return (unsigned)a % 3u;", "aor", [
            "+: ((unsigned)a % 3u) != (((unsigned)a) + 3u)",
            "-: ((unsigned)a % 3u) != (((unsigned)a) - 3u)",
            "*: ((unsigned)a % 3u) != (((unsigned)a) * 3u)",
            "/: ((unsigned)a % 3u) != (((unsigned)a) / 3u)",
            "left: ((unsigned)a % 3u) != ((unsigned int)((unsigned)a))",
            "right: ((unsigned)a % 3u) != ((unsigned int)3u)",
        ]),
        ("return a & b;", "bor", [
            "|: (a & b) != (a | b)", "^: (a & b) != (a ^ b)", "left: (a & b) != ((int)a)", "right: (a & b) != ((int)b)",
        ]),
        ("return (unsigned)a >> 3;", "bor", [
            "<<: ((unsigned)a >> 3) != (((unsigned)a) << 3)", "left: ((unsigned)a >> 3) != ((unsigned int)((unsigned)a))",
        ]),
        ("if (a < b || c) return 1;", "cond", [
            "true: !(a < b) && !(c)", "false: (a < b) && !(c)",
            "true: !(a < b) && (!(c) != !(1))", "false: !(a < b) && (!(c) != !(0))",
        ]),
        ("if (a && b) return 1;", "uoi", [
            "!: (b)", "~: (!(a) != !(~a)) && (b)", "~: (a) && (!(b) != !(~b))",
        ]),
        ("return ~a;", "uoi", []),
        ("p->x = a;", "lhs", []),
        ("struct s *q = p->next; q->x = a;", "lhs", ["p->x: (p != 0) && (p != q) && (q->x != a || p->x != a)"]),
        ("static int x[10], y[10]; x[a] = b;", "lhs", [
            "y[a]: (a >= 0) && (a < 10) && (x[a] != b || y[a] != b)",
            "x[b]: (b != a) && (b >= 0) && (b < 10) && (a >= 0) && (a < 10) && (x[a] != b || x[b] != b)",
            "x[c]: (c != a) && (c >= 0) && (c < 10) && (a >= 0) && (a < 10) && (x[a] != b || x[c] != b)",
        ]),
    ],
    ids=str,
)  # fmt: skip
def test_a_mutant_has_the_predicate_that_tells_it_apart(statement, kind, expected):
    found = [line.removeprefix(f"{kind}:") for line in shown(labels_in(statement, "wm"), kind)]
    assert found == expected


@pytest.mark.parametrize(
    ("statement", "impossible"),
    [
        ("if (u >= 0) return 1;", ["cond:true"]),
        ("if (u < 0) return 1;", ["cond:false"]),
        ("if (h < 300) return 1;", ["cond:true", "ror:<=", "ror:!="]),
        ("return h;", ["abs:abs"]),
        ("return a + 0;", ["aor:-", "aor:left", "aor:/", "aor:%"]),
        ("return a * 1;", ["aor:/", "aor:left"]),
        ("return a | 0;", ["bor:^", "bor:left"]),
        ("if (a) return 1;", ["abs:abs", "abs:-abs", "aoiu:-"]),
        ("return a > 3 && u >= 0;", ["cor:left"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_mutant_that_can_never_be_told_apart_is_not_made(statement, impossible):
    labels = labels_in(f"g = table[0]; {statement}", "wm", "int a, unsigned u, unsigned char h")
    whole = [each.what for each in labels if each.location.line == 3 and each.location.column > 14]
    assert whole
    assert not set(impossible) & set(whole)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("if (a < b) return 1;", ["equal: a == b", "below: a < b && a + 1 == b"]),
        ("if (a <= 3) return 1;", ["equal: a == 3", "above: a == 4"]),
        ("if (3 <= a) return 1;", ["equal: 3 == a", "above: a == 2"]),
        ("if (a != b) return 1;", ["equal: a == b", "below: a < b && a + 1 == b", "above: b < a && b + 1 == a"]),
        ("if ((unsigned)a > b) return 1;", ["equal: ((unsigned)a) == b", "above: b < ((unsigned)a) && (unsigned int)b + 1 == ((unsigned)a)"]),
        ("if ((unsigned)a < 0) return 1;", ["equal: ((unsigned)a) == 0", "below: ((unsigned)a) < 0 && ((unsigned)a) + 1 == 0"]),
        ("if (p == p->next) return 1;", ["equal: p == p->next"]),
        ("if (a > 0.5) return 1;", ["equal: a == 0.5"]),
        ("if (a && b / a > 2) return 1;", [
            "equal: (a) && (a != 0) && !(b == (-2147483647 - 1) && a == -1) && ((b / a) == 2)",
            "above: (a) && (a != 0) && !(b == (-2147483647 - 1) && a == -1) && ((b / a) == 3)",
        ]),
    ],
    ids=str,
)  # fmt: skip
def test_a_comparison_has_both_sides_of_its_border(statement, expected):
    assert shown(labels_in(statement, "limit")) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("return a / b;", ["division: b == 0", "overflow: a == (-2147483647 - 1) && b == -1"]),
        ("return a % 2;", []),
        ("return (unsigned)a / b;", ["division: b == 0"]),
        ("return table[a];", ["index: a < 0 || a >= 10"]),
        ("return table[a & 7u];", ["index: (a & 7u) >= 10"]),
        ("return &table[a] - table;", ["index: a < 0 || a > 10"]),
        ("return p->x;", ["null: p == 0"]),
        ("return p->next->x;", ["null: !(p == 0) && (p->next == 0)", "null: p == 0"]),
        ("return &p->x == 0;", []),
        ("return a << b;", ["shift: b < 0 || b >= 32"]),
        ("return a << 3;", []),
        ("return -a;", ["overflow: a == (-2147483647 - 1)"]),
        ("a++;", ["overflow: a == 2147483647"]),
        ("return a + b;", ["overflow: (long long)a + b > 2147483647 || (long long)a + b < (-2147483647 - 1)"]),
        ("short h = 1; h += a;", []),
        ("return a && 1 / a;", ["division: (a) && (a == 0)", "overflow: (a) && (1 == (-2147483647 - 1) && a == -1)"]),
        ("return sizeof(a / b);", []),
    ],
    ids=str,
)
def test_an_operation_has_the_errors_that_it_can_bring(statement, expected):
    assert shown(labels_in(statement, "rte")) == expected


@pytest.mark.parametrize(
    ("body", "form", "before"),
    [
        ("a = b < c;", Form.STATEMENT, "a = b < c"),
        ("if (a) a = b < c;", Form.BODY, "a = b < c;"),
        ("while (b < c) a++;", Form.EXPRESSION, "b < c"),
        ("while ((b < c) && a) a++;", Form.EXPRESSION, "(b < c)"),
        ("do a++; while (!(b < c));", Form.EXPRESSION, "(b < c)"),
        ("for (a = b < c; ; ) break;", Form.STATEMENT, "for (a = b < c; ; ) break"),
        ("for (;; a = b < c) break;", Form.EXPRESSION, "a = b < c"),
        ("if (a) ; else if (b < c) a++;", Form.EXPRESSION, "b < c"),
        ("switch (a) { case 1: if (a) g = 3; else g = b < c; }", Form.BODY, "g = b < c;"),
        ("while (ext(a) && b < c) a++;", Form.EXPRESSION, "b < c"),
        ("a = ext(a) + (b < c);", Form.EXPRESSION, "b < c"),
        ("a = b++ && b < c;", Form.EXPRESSION, "b < c"),
        ("a = c++ && b < 3;", Form.EXPRESSION, "b < 3"),
        ("a = (c++, b < 3);", Form.STATEMENT, "a = (c++, b < 3)"),
        ("a = (b++, b < 3);", Form.EXPRESSION, "b < 3"),
        ("int x = a, y = x < c;", Form.EXPRESSION, "x < c"),
        ("int x = a, y = b < c; g = x + y;", Form.STATEMENT, "int x = a, y = b < c;"),
    ],
    ids=str,
)
def test_a_label_stands_where_its_expression_has_the_value_that_the_program_sees(body, form, before):
    text = f"{PRELUDE}int f(int a, int b, int c) {{\n{body}\nreturn 0; }}\n"
    syntax = find_syntax(find_compiler(), text, ["f"], name="unit.c")["f"]
    label = find_labels(["limit"], syntax)[0]
    assert (label.form, syntax.text[label.start : label.end]) == (form, before)


@pytest.mark.parametrize(
    ("statement", "criterion", "expected"),
    [
        ("if (ext(a) < 3 && port > 2) return 1;", "limit", [
            "equal: (ext(a)) == 3", "below: (ext(a)) == 2", "equal: port == 2", "above: port == 3",
        ]),
        ("if (a++ <= b && c) return 1;", "wm", [
            "cor:||: !((a++ <= b)) != !(c)", "cor:left: ((a++ <= b)) && !(c)", "cor:right: !((a++ <= b)) && (c)",
            "ror:<: ((a++) == b) && (c)", "ror:>: (c)", "ror:>=: ((a++) != b) && (c)",
            "ror:==: ((a++) < b) && (c)", "ror:!=: ((a++) >= b) && (c)",
        ]),
        ("if (a && ext(b)) return 1;", "wm", ["cor:left: !((ext(b)))"]),
        ("if (a || port) return 1;", "wm", ["cor:left: (port)"]),
        ("if (!ext(a) || b) return 1;", "wm", [
            "cor:&&: !(!(ext(a))) != !(b)", "cor:left: !(!(ext(a))) && (b)", "cor:right: (!(ext(a))) && !(b)",
        ]),
    ],
    ids=str,
)  # fmt: skip
def test_what_has_side_effects_is_kept_and_its_labels_stand_behind_it(statement, criterion, expected):
    behind = [each for each in labels_in(statement, criterion) if each.form is Form.VALUE]
    assert [f"{each.what}: {each.shown}" for each in behind][: len(expected)] == expected
    assert all(each.temporaries and "a++" not in each.predicate and "(a)" not in each.predicate for each in behind)


def test_an_operation_on_what_cannot_be_kept_is_listed_with_its_problem():
    labels = labels_in("if (x(a) < 3) return 1;", "limit", "int a, __int128 (*x)(int)")
    assert [("cannot be kept" in each.problem) for each in labels] == [True]


def test_blocks_of_a_partition_are_labels_at_the_entry():
    labels = labels_in("int x = a; g = x;", "idp")
    assert shown(labels) == ["sign:1: a < 0", "sign:2: a >= 0"]
    assert {(each.form, each.location.line, each.place.line) for each in labels} == {(Form.STATEMENT, 2, 3)}


WRITTEN = '((void)sizeof((_Bool)({}) ? "tightrope label" : {}))'


def test_labels_in_the_source_are_found_with_their_number_and_tag():
    tagged, plain = WRITTEN.format("a < b", r'"7, \"TAG\""'), WRITTEN.format("p", '""')
    body = f"{tagged}; return ({plain}, a);"
    first, second = labels_in(body, "label")
    assert (first.predicate, first.kind, first.what) == ("a < b", "TAG", "TAG:7")
    assert (second.predicate, second.kind) == ("p", "label")
    assert first.form is second.form is Form.EXPRESSION


def test_a_label_in_the_source_with_side_effects_has_a_problem():
    (label,) = labels_in(WRITTEN.format("a++", '""') + ";", "label")
    assert "side effects" in label.problem


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("decision", ["true: (a) && (b)", "false: (!(a)) || ((a) && !(b))"]),
        ("condition", ["c1:true: (a)", "c1:false: !(a)", "c2:true: (a) && (b)", "c2:false: (a) && !(b)"]),
        ("mcdc", ["c1:true: (a) && (b)", "c1:false: !(a)", "c2:true: (a) && (b)", "c2:false: (a) && !(b)"]),
        ("mcc", ["F-: !(a)", "TF: (a) && !(b)", "TT: (a) && (b)"]),
    ],
)
def test_a_criterion_about_decisions_is_said_by_labels(criterion, expected):
    assert shown(labels_in("if (a && b) return 1;", criterion)) == expected


@pytest.mark.parametrize(
    ("statement", "criterion", "expected"),
    [
        ("if (a && b) return 1;", "label-cc", ["(a)", "!(a)", "(b)", "!(b)"]),
        ("if (a || b > 2) return 1;", "label-mcc", [
            "(a) && (b > 2)", "(a) && !(b > 2)", "!(a) && (b > 2)", "!(a) && !(b > 2)",
        ]),
        ("if (p && p->x) return 1;", "label-cc", ["(p)", "!(p)", "!(p == 0) && (p->x)", "!(p == 0) && !(p->x)"]),
        ("a = b && c;", "label-cc", []),
        ("while (a && 1) a--;", "label-mcc", ["(a)", "!(a)"]),
    ],
    ids=str,
)  # fmt: skip
def test_conditions_and_combinations_of_the_paper_ignore_short_circuits(statement, criterion, expected):
    assert [each.predicate for each in labels_in(statement, criterion)] == expected


def test_what_takes_two_runs_is_no_label():
    labels = labels_in("if (a && b) return 1;", "racc")
    assert labels
    assert all("two runs" in each.problem for each in labels)


def hyper(*words: str) -> str:
    return f"((void)sizeof(tightrope_hyperlabel({', '.join(words)})));"


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("", "a part of it is empty"),
        ("1 then", "it ends where a label is expected"),
        ("1 then x", "`x` is no number of a label"),
        ("1 then 9", "no label of this function has the number 9 (there are: 1, 2)"),
        ("1 then 2 and 1", "`then` and `and` cannot be mixed"),
        ("1 without 2", "`without` is not expected there"),
        ("1 2", "`2` is not expected there"),
        ("1 then 2 where v == w", "`w` in the guard `v == w` is not bound (its labels bind v)"),
        ("1 or", "a part of it is empty"),
    ],
)
def test_a_wrong_hyperlabel_is_told_with_its_place(formula, why):
    label = WRITTEN.format("a", r'"1, \"A\""')
    bound = hyper('"bindings"', "(_Bool)(b)", "2", '"B"', "1", "1", '"v"', "c")
    body = f"{hyper(chr(34) + 'hyperlabel' + chr(34), chr(34) + formula + chr(34))}\n{label}; {bound}"
    with pytest.raises(UsageError) as raised:
        labels_in(f"extern int tightrope_hyperlabel(const char *, ...);\n{body}", "label")
    assert why in str(raised.value)
    assert raised.value.location.line == 4


def test_a_sequence_needs_all_its_members():
    body = hyper('"sequence"', "(_Bool)(a)", "7", "2", "2", '"T"', "0")
    with pytest.raises(UsageError, match="sequence 7 of 2 has no member 1"):
        labels_in(f"extern int tightrope_hyperlabel(const char *, ...);\n{body}", "label")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("while (a) a--;", ["zero", "one", "many"]),
        ("do a--; while (a);", ["one", "many"]),
        ("for (;;) if (a--) return 1;", ["one", "many", "one"]),
        ("do { a--; } while (0);", []),
        ("while (1) { if (a) break; for (b = 0; b < 3; b++) return 2; }",
         ["one", "many", "one", "zero", "one", "many", "one"]),
    ],
)  # fmt: skip
def test_a_loop_has_labels_where_it_is_left(body, expected):
    labels = labels_in(body, "loop")
    assert [each.kind for each in labels] == expected
    assert not any(each.problem for each in labels)


def test_the_criteria_know_which_of_them_have_labels():
    assert {name for name in CRITERIA if can_be_labelled(name)} == LABELLINGS.keys()
