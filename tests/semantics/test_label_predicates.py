"""A predicate of weak mutation holds exactly where the mutant differs, over all combinations of telling values."""

import pytest
from label_harness import Case, Snippet, judge, judge_errors, labels_of, mutated, snippet

TOGETHER = 14  # statements in a program


def in_programs(snippets: list[Snippet]) -> list[list[Snippet]]:
    return [snippets[start : start + TOGETHER] for start in range(0, len(snippets), TOGETHER)]


def first(snippets: list[Snippet]) -> str:
    return f"{snippets[0].statement} ..."


EXACT = [
    snippet("int a, int b", "r = a < b;"),
    snippet("int a, int b", "r = a + b;"),
    snippet("int a, int b", "r = a - b * 2;"),
    snippet("int a, int b", "r = a / b;"),
    snippet("int a, int b", "r = (a % b) * 3;"),
    snippet("int a, int b, int c", "r = (a + b) * c;"),
    snippet("int a, int b, int c", "r = a * b < c;"),
    snippet("unsigned a, unsigned b", "r = a * b + 1;"),
    snippet("unsigned a, int b", "r = a < b;"),
    snippet("unsigned a, unsigned b", "r = a / b;"),
    snippet("short a, short b", "r = a * b;"),
    snippet("short a, unsigned char b", "r = a - b;"),
    snippet("long a, int b", "r = a + b;"),
    snippet("long a, long b", "r = a % b;"),
    snippet("int a, int b", "if (a < b) r = 1; else r = 2;"),
    snippet("int a, int b, int c", "if (a < b && c > 3) r = 1; else r = 2;"),
    snippet("int a, int b, int c", "if (a == b || !(c >= 2)) r = 1; else r = 2;"),
    snippet("int a, int b, int c", "if (a - b && c) r = 1; else r = 2;"),
    snippet("int a, int b", "if ((a != b) == 1) r = 1; else r = 2;"),
    snippet("int a, int b", "r = a < b ? 5 : 9;"),
    snippet("int a, int b", "r = a < b ? a : b;"),
    snippet("int a, int b", "a += b;", "a"),
    snippet("int a, int b", "a *= b + 1;", "a"),
    snippet("int a, int b", "a = -(b & 6);", "a", "b"),
    snippet("int a, int b", "a = ~b ^ a;", "a", "b"),
    snippet("short a, int b", "a = b;", "a"),
    snippet("short a, int b", "a = b * 2;", "a"),
    snippet("int a, unsigned b", "r = a & b | 4;"),
    snippet("double a, double b", "r = a < b;"),
    snippet("double a, double b", "if (a + b >= 1.0) r = 1; else r = 2;"),
    snippet("double a, int b", "if (a == b) r = 1; else r = 2;"),
    snippet("enum e a, int b", "r = a == RED && b;"),
    snippet("_Bool a, int b", "r = a && b > 1;"),
    snippet("int a, int b", "a = b;", "a", "b"),
    snippet("int a, int b, int c", "a = b + c;", "a", "b", "c"),
    snippet("short a, int b, short c", "a = b;", "a", "c"),
    snippet("int a, unsigned char b", "r = (unsigned char)(a + b);"),
    snippet("struct s * p, int a", "if (p && p->x > a) r = 1; else r = 2;"),
    snippet("struct s * p, int a", "if (!p || p->h * a < 7) r = 1; else r = 2;"),
    snippet("int a, int b", "while (a < b) { r = 1; break; }"),
    snippet("int a, int b", "for (r = a + 1; ; ) break;"),
    snippet("int a, int b", "r = a - (b ^ 3);"),
    snippet("unsigned a, unsigned b", "r = a << 1 | b >> 3;"),
    snippet("unsigned a, unsigned b", "if (a >> (b & 7) == 2) r = 1; else r = 2;"),
    snippet("int a, int b", "if ((a & b) > 3 && a != b) r = 1; else r = 2;"),
    snippet("int a, int b", "if (!(a > b) && (a || b ^ 3)) r = 1; else r = 2;"),
    snippet("unsigned char a, int b", "if (a >= 0 && (b | 0) == a) r = 1; else r = 2;"),
    snippet("unsigned char a, int b", "if (a < 200 || b) r = 1; else r = 2;"),
    snippet("unsigned a, int b", "r = a >= 0 && b > 2;"),
    snippet("int a, int b", "r = (a > 3) == !b;"),
]


@pytest.mark.parametrize("snippets", in_programs(EXACT), ids=first)
def test_a_predicate_of_weak_mutation_holds_exactly_where_the_mutant_differs(tmp_path, snippets):
    cases = []
    for one in snippets:
        labels = [each for each in labels_of(one, "wm") if each.what != "abs:zero"]
        assert labels and not any(each.problem for each in labels), one.statement
        cases.append(Case(one, labels, [mutated(one, each) for each in labels]))
    assert judge(tmp_path, cases) == []


def test_wrong_predicates_are_noticed(tmp_path):
    """Those of one label for the mutants of another, in the second of two statements."""
    right, wrong = snippet("int a", "r = a < 0;"), snippet("int a, int b", "r = a + b;")
    cases = []
    for one in (right, wrong):
        labels = [each for each in labels_of(one, "wm") if each.what != "abs:zero"]
        turned = labels[1:] + labels[:1] if one is wrong else labels
        cases.append(Case(one, labels, [mutated(one, each) for each in turned]))
    found = judge(tmp_path, cases)
    assert found and all(" in r = a + b; [" in line for line in found)


NECESSARY = [  # here a difference is said only of a part
    snippet("struct s * p, int a", "r = p ? p->x + a : 0;"),
    snippet("int a, int b", "r = a < b ? a : b + 1;"),
    snippet("int a, int b", "r = (a < b) * b;"),
    snippet("struct s * p, int a", "if (a < 3 && p->x > 1) r = 1; else r = 2;"),
    snippet("unsigned a", "r = tab[a & 3];"),
]


def test_where_it_cannot_say_more_it_holds_at_least_where_the_mutant_differs(tmp_path):
    cases = []
    for one in NECESSARY:
        found = [each for each in labels_of(one, "wm") if each.what not in ("abs:zero", "cor:||")]
        labels = [each for each in found if "-" not in each.what]
        cases.append(Case(one, labels, [mutated(one, each) for each in labels]))
    assert [line for line in judge(tmp_path, cases) if not line.startswith("holds, but equal")] == []


ERRORS = [
    snippet("int a, int b", "r = a / b;"),
    snippet("int a, int b", "r = a % b + 1;"),
    snippet("int a, int b", "r = a + b;"),
    snippet("int a, int b", "r = a - b;"),
    snippet("int a, int b", "r = a * b;"),
    snippet("int a", "r = -a;"),
    snippet("long a, long b", "r = a + b;"),
    snippet("long a, long b", "r = a - b;"),
    snippet("long a, long b", "r = a * b;"),
    snippet("long a, long b", "r = a / b;"),
    snippet("int a, int b", "r = a >> b;"),
    snippet("long a, unsigned b", "r = a << b;"),
    snippet("int a", "r = tab[a];"),
    snippet("unsigned a", "r = tab[a];"),
    snippet("int a, int b", "r = tab[a] / b;"),
    snippet("struct s * p", "r = p->x;"),
    snippet("struct s * p", "r = p->next->x;"),
    snippet("struct s * p, int a", "r = p && p->x > 3 ? a / p->h : 0;"),
    snippet("struct s * p, int a", "r = !p || a * p->h > 9;"),
    snippet("int a", "a++;", "a"),
    snippet("int a, int b", "a -= b;", "a"),
    snippet("short a, int b", "a += 3; a /= b;", "a"),
    snippet("int a, int b", "r = (a ? b / a : 0) + (b > 3 && a % b);"),
]


@pytest.mark.parametrize("snippets", in_programs(ERRORS), ids=first)
def test_a_label_of_an_error_holds_exactly_where_one_happens(tmp_path, snippets):
    cases = [Case(one, labels_of(one, "rte"), []) for one in snippets]
    for case in cases:
        assert case.labels and not any(each.problem for each in case.labels), case.one.statement
    assert judge_errors(tmp_path, cases) == []


def test_limits_never_trap(tmp_path):
    cases = []
    for one in EXACT[::3]:
        labels = [*labels_of(one, "limit"), *(each for each in labels_of(one, "wm") if each.what == "abs:zero")]
        cases.append(Case(one, labels, [""] * len(labels)))
    assert judge(tmp_path, cases) == []
