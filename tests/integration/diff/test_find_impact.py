"""Which branches a change may affect: tables of two versions, with what is impacted in the new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.commands.diff.changes.find_changes import find_changes
from tightrope.commands.diff.impact.alignment import is_same_code
from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.commands.diff.impact.impact import How, Impacted, with_deciders
from tightrope.options.options import Options
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedUnit

from .versions import write

IMPACTED: dict[str, tuple[str, str, set[str]]] = {
    "the condition itself, and nothing else": (
        "int f(int a, int b) { int r = 0; if (a > 1) r = 1; if (b > 2) r += 2; return r; }",
        "int f(int a, int b) { int r = 0; if (a > 1) r = 1; if (b > 3) r += 2; return r; }",
        {"b > 3"},
    ),
    "what reads a variable": (
        "int f(int a, int b) { int r = a + 1; if (b > 2) b = 0; return r > 4 ? b : 0; }",
        "int f(int a, int b) { int r = a + 2; if (b > 2) b = 0; return r > 4 ? b : 0; }",
        {"r > 4"},
    ),
    "what a branch decides, but not what follows": (
        "int f(int a, int b) { if (a > 1) { if (b > 2) return 1; b = 5; } if (a < 0) a = 0; return a + b; }",
        "int f(int a, int b) { if (a > 1) { b++; if (b > 2) return 1; b = 5; } if (a < 0) a = 0; return a + b; }",
        {"b > 2", "a < 0"},  # a run that returned early may come there now
    ),
    "what an early return cuts off": (
        "int f(int a, int b) { if (a > 1) b = 2; if (b > 3) return 1; return 0; }",
        "int f(int a, int b) { if (a > 1) return 2; if (b > 3) return 1; return 0; }",
        {"b > 3"},
    ),
    "what reads a value that is not computed any more": (
        "int f(int a, int b) { a = b; if (a > 1) return 1; if (b > 3) return 2; return 0; }",
        "int f(int a, int b) { if (a > 1) return 1; if (b > 3) return 2; return 0; }",
        {"a > 1", "b > 3"},
    ),
    "through a global": (
        "int g; int f(int a, int b) { g = a; if (b) b = 1; if (g > 3) return 1; return b; }",
        "int g; int f(int a, int b) { g = a + 1; if (b) b = 1; if (g > 3) return 1; return b; }",
        {"g > 3"},
    ),
    "through one member of a record, not the other": (
        "struct s { int x, y; }; int f(struct s *s) { s->x = 1; if (s->y > 2) return 1; if (s->x > 0) return 1; return 0; }",
        "struct s { int x, y; }; int f(struct s *s) { s->x = 2; if (s->y > 2) return 1; if (s->x > 0) return 1; return 0; }",
        {"s->x > 0"},
    ),
    "through a pointer": (
        "int f(int *p, int a) { int x = 1, *q = a ? &x : p; *q = 2; if (a > 4) return 1; return x > 1 ? 2 : 3; }",
        "int f(int *p, int a) { int x = 1, *q = a ? &x : p; *q = 5; if (a > 4) return 1; return x > 1 ? 2 : 3; }",
        {"x > 1"},
    ),
    "through a function that is called": (
        "static int g(int a) { return a + 1; } int f(int a, int b) { if (b) b = 2; if (g(a) > 3) return b; return 0; }",
        "static int g(int a) { return a + 2; } int f(int a, int b) { if (b) b = 2; if (g(a) > 3) return b; return 0; }",
        {"g(a) > 3"},
    ),
    "through a constant table": (
        "static const int t[2] = {1, 2}; int f(int a, int b) { if (b) b = 2; if (t[a & 1] > 1) return b; return 0; }",
        "static const int t[2] = {1, 3}; int f(int a, int b) { if (b) b = 2; if (t[a & 1] > 1) return b; return 0; }",
        {"t[a & 1] > 1"},
    ),
    "through a macro": (
        "#define N 3\nint f(int a, int b) { if (b) b = 2; if (a > N) return b; return 0; }",
        "#define N 4\nint f(int a, int b) { if (b) b = 2; if (a > N) return b; return 0; }",
        {"a > N"},
    ),
    "through the layout of a record": (
        "struct s { char x; int y; }; int f(struct s s, int a) { if (a) a = 1; if (s.y > 2) return a; return 0; }",
        "struct s { long x; int y; }; int f(struct s s, int a) { if (a) a = 1; if (s.y > 2) return a; return 0; }",
        {"a", "s.y > 2"},  # another record is given to the function
    ),
    "behind a division that may end the run": (
        "int f(int a, int b) { if (b > 7) a++; int r = 10 / a; if (b > 3) return r; return 0; }",
        "int f(int a, int b) { if (b > 8) a++; int r = 10 / a; if (b > 3) return r; return 0; }",
        {"b > 8", "b > 3"},
    ),
    "not behind a pointer that is used before the branch, too": (
        "struct s { int x, y; }; int f(struct s *p, int a, int b) { int r = 0; if (a > 5 || p->x > a) r = p->y; if (b > 3) return r; return 0; }",
        "struct s { int x, y; }; int f(struct s *p, int a, int b) { int r = 0; if (a > 5 || p->x > b) r = p->y; if (b > 3) return r; return 0; }",
        {"p->x > b"},
    ),
    "behind a pointer that is used after one side of the branch only": (
        "struct s { int x, y; }; int f(struct s *p, int a, int b) { int r = 0; if (a > 5 || b > 7) r = p->y; if (b > 3) return r; return 0; }",
        "struct s { int x, y; }; int f(struct s *p, int a, int b) { int r = 0; if (a > 5 || b > 8) r = p->y; if (b > 3) return r; return 0; }",
        {"b > 8", "b > 3"},
    ),
    "behind a member of a record that is only half inside of its object": (
        (
            "struct s { int x, y; }; static struct s all[2]; static int sum;"
            " static void look(struct s *p, int limit) { if (p->x < limit) sum += p->y; }"
            " int f(int a) { look((struct s *)&all[1].y, a); if (a == 0) return 1; return 2; }"
        ),
        (
            "struct s { int x, y; }; static struct s all[2]; static int sum;"
            " static void look(struct s *p, int limit) { if (p->x <= limit) sum += p->y; }"
            " int f(int a) { look((struct s *)&all[1].y, a); if (a == 0) return 1; return 2; }"
        ),
        {"a == 0"},
    ),
    "behind a pointer of the next iteration that was not used before": (
        "struct s { struct s *n; int x, y; }; int f(struct s *p, int a, int b) { int r = 0; for (; a > 0; a--) { if (a & 1) { if (p->x > 4) break; } r += p->y; p = p->n; } if (b > 3) return r; return 0; }",
        "struct s { struct s *n; int x, y; }; int f(struct s *p, int a, int b) { int r = 0; for (; a > 0; a--) { if (a & 1) { if (p->x > 5) break; } r += p->y; p = p->n; } if (b > 3) return r; return 0; }",
        {"a > 0", "a & 1", "p->x > 5", "b > 3"},
    ),
    "behind a write to a constant, which ends the run": (
        "static const int t[2] = {1, 2}; int f(int a, int b) { int *p = (int *)t; if (a > 1) *p = a; if (b > 3) return t[0]; return 0; }",
        "static const int t[2] = {1, 2}; int f(int a, int b) { int *p = (int *)t; if (a > 2) *p = a; if (b > 3) return t[0]; return 0; }",
        {"a > 2", "b > 3"},
    ),
    "not behind a copy of a whole record": (
        "struct s { int x[9]; }; int f(int a, int b) { struct s one = {{1}}, two = {{2}}; if (a > 1) one = two; if (b > 3) return one.x[a & 7]; return 0; }",
        "struct s { int x[9]; }; int f(int a, int b) { struct s one = {{1}}, two = {{2}}; if (a > 2) one = two; if (b > 3) return one.x[a & 7]; return 0; }",
        {"a > 2"},
    ),
    "behind a copy through a pointer that may be NULL": (
        "struct s { int x[9]; }; int f(struct s *p, int a, int b) { struct s one = {{1}}; if (a > 1) one = *p; if (b > 3) return one.x[a & 7]; return 0; }",
        "struct s { int x[9]; }; int f(struct s *p, int a, int b) { struct s one = {{1}}; if (a > 2) one = *p; if (b > 3) return one.x[a & 7]; return 0; }",
        {"a > 2", "b > 3"},
    ),
    "behind a copy to a constant": (
        "struct s { int x[9]; }; static const struct s t; int f(int a, int b) { struct s one = {{a}}; if (a > 1) *(struct s *)&t = one; if (b > 3) return 1; return 0; }",
        "struct s { int x[9]; }; static const struct s t; int f(int a, int b) { struct s one = {{a}}; if (a > 2) *(struct s *)&t = one; if (b > 3) return 1; return 0; }",
        {"a > 2", "b > 3"},
    ),
    "not behind a division by something else": (
        "int f(unsigned a, int b) { unsigned x = a + 1, r = x / 10; if (b > 3) return 1; return r > 2 ? 2 : 3; }",
        "int f(unsigned a, int b) { unsigned x = a + 2, r = x / 10; if (b > 3) return 1; return r > 2 ? 2 : 3; }",
        {"r > 2"},
    ),
    "behind a loop that may not end": (
        "int f(unsigned a, int b) { while (a != 3) a += 2; if (b > 3) return 1; return 0; }",
        "int f(unsigned a, int b) { while (a != 4) a += 2; if (b > 3) return 1; return 0; }",
        {"a != 4", "b > 3"},
    ),
    "not behind a loop that counts": (
        "int f(int n, int b) { int r = 0; for (int i = 0; i < n; i++) r += i; if (b > 3) return 1; return r > 9 ? 1 : 2; }",
        "int f(int n, int b) { int r = 1; for (int i = 0; i < n; i++) r += i; if (b > 3) return 1; return r > 9 ? 1 : 2; }",
        {"r > 9"},
    ),
    "behind a call that may exit": (
        "void exit(int); static void g(int a) { if (a) exit(1); } int f(int a, int b) { g(a > 1); if (b) return 1; return 2; }",
        "void exit(int); static void g(int a) { if (!a) exit(1); } int f(int a, int b) { g(a > 1); if (b) return 1; return 2; }",
        {"b"},
    ),
    "the answers of a stub after one call more": (
        "int s(void); int f(int a, int b) { if (b) b = 2; if (s() > 3) return b; return a; }",
        "int s(void); int f(int a, int b) { s(); if (b) b = 2; if (s() > 3) return b; return a; }",
        {"s() > 3"},
    ),
    "behind a call that may never come back": (
        "static void g(int a) { if (a > 3) for (;;); } int f(int a, int b) { g(a); if (b > 1) return 1; return 0; }",
        "static void g(int a) { if (a > 5) for (;;); } int f(int a, int b) { g(a); if (b > 1) return 1; return 0; }",
        {"b > 1"},
    ),
    "behind a recursion that may not end": (
        ("static int d; static void g(int n) { d = n; if (n == 3) return; g(n + 1); }"
        " int f(int a, int b) { g(a); if (b > 1) return 1; return 0; }"),
        ("static int d; static void g(int n) { d = n; if (n == 5) return; g(n + 1); }"
        " int f(int a, int b) { g(a); if (b > 1) return 1; return 0; }"),
        {"b > 1"},
    ),
    "behind a cycle of jumps in a loop that counts": (
        ("int f(int x, int b) { for (int i = 0; i < 2; i++) { if (b & 1) goto M; L: x = x / 2; M: if (x != 1) goto L; }"
        " if (b > 1) return 1; return 0; }"),
        ("int f(int x, int b) { for (int i = 0; i < 2; i++) { if (b & 1) goto M; L: x = x / 2; M: if (x > 1) goto L; }"
        " if (b > 1) return 1; return 0; }"),
        {"i < 2", "b & 1", "x > 1", "b > 1"},
    ),
    "through a table that is read by a pointer from nowhere": (
        ("#include <stdarg.h>\nstatic const int t[3] = {1, 2, 3}; static int g(int n, ...) { va_list v; va_start(v, n);"
        " const int *p = va_arg(v, const int *); va_end(v); return p[n]; }"
        " int f(int b) { if (g(1, t) > b) return 1; return 0; }"),
        ("#include <stdarg.h>\nstatic const int t[3] = {1, 9, 3}; static int g(int n, ...) { va_list v; va_start(v, n);"
        " const int *p = va_arg(v, const int *); va_end(v); return p[n]; }"
        " int f(int b) { if (g(1, t) > b) return 1; return 0; }"),
        {"g(1, t) > b"},
    ),
    "behind an array whose length is computed": (
        "int f(int a, int b) { int t[a]; (void)t; if (b > 1) return 1; return 0; }",
        "int f(int a, int b) { int t[a - 3]; (void)t; if (b > 1) return 1; return 0; }",
        {"b > 1"},
    ),
    "another function under the same name": (
        ("int one(int a) { return a; } int two(int a) { return -a; }"
        " extern int g(int) __attribute__((alias(\"one\"))); int f(int a, int b) { if (b) b = 1; if (g(a) > 3) return b; return 0; }"),
        ("int one(int a) { return a; } int two(int a) { return -a; }"
        " extern int g(int) __attribute__((alias(\"two\"))); int f(int a, int b) { if (b) b = 1; if (g(a) > 3) return b; return 0; }"),
        {"g(a) > 3"},
    ),
    "two changes, of which one is called twice": (
        ("static int s; static void g(int n) { for (int i = 0; i < n; i++) s += 1; }"
        " int f(int a, int b) { int r = 0; s = 0; g(a); if (s > b) r = 1; int x = b + 1; g(x); return r + s; }"),
        ("static int s; static void g(int n) { for (int i = 0; i < n; i++) s += 2; }"
        " int f(int a, int b) { int r = 0; s = 0; g(a); if (s > b) r = 1; int x = b + 2; g(x); return r + s; }"),
        {"s > b"},
    ),
    "statements that changed places": (
        "int g; int f(int a, int b) { g = a; b += g; if (b > 3) return 1; if (a > 3) return 2; return 0; }",
        "int g; int f(int a, int b) { b += g; g = a; if (b > 3) return 1; if (a > 3) return 2; return 0; }",
        {"b > 3", "a > 3"},
    ),
    "jumps that go elsewhere": (
        "int f(int a, int b) { goto one; one: a += b; goto two; two: a *= 2; if (a > 9) return 1; return 0; }",
        "int f(int a, int b) { goto two; one: a += b; goto end; two: a *= 2; goto one; end: if (a > 9) return 1; return 0; }",
        {"a > 9"},
    ),
}  # fmt: skip

ONE, OTHER = "static int g(int a) { return a; }", "static int h(int a) { return -a; }"
ALIKE = {
    "a comment, a line, blanks": ("int f(int a) { if (a > 1) return 1; return 0; }",
                                  "/* f */\n\nint f(int a)\n{\n    if (a  >  1) return 1; // one\n    return 0;\n}"),
    "names of locals and parameters": ("int f(int a) { int r = a; if (r > 1) return 1; return 0; }",
                                       "int f(int x) { int q = x; if (q > 1) return 1; return 0; }"),
    "the order of functions": (f"{ONE} {OTHER} int f(int a) {{ return g(a) > 1 ? h(a) : 0; }}",
                               f"{OTHER} {ONE} int f(int a) {{ return g(a) > 1 ? h(a) : 0; }}"),
    "const and parentheses": ("int f(int a) { int r = a; if (r > 1) return 1; return 0; }",
                              "int f(int a) { const int r = (a); if ((r > (1))) return (1); return 0; }"),
    "strings that are numbered anew": ('const char *g(void) { return "x"; } const char *f(int a) { return a ? "y" : "z"; }',
                                       'const char *f(int a) { return a ? "y" : "z"; }'),
    "the line of an assertion": ("#include <assert.h>\nint f(int a) { assert(a != 7); return a > 1 ? 1 : 0; }",
                                 "#include <assert.h>\n\n\nint f(int a) { assert(a != 7); return a > 1 ? 1 : 0; }"),
    "a name for a constant": ("#define N 3\nint f(int a) { return a > N ? 1 : 0; }",
                              "enum { M = 3 };\nint f(int a) { return a > M ? 1 : 0; }"),
}  # fmt: skip


def impact(folder: Path, old: str, new: str, criteria: str = "branch") -> tuple[Impacted, PreparedUnit]:
    options = Options((), criteria=tuple(criteria.split(",")))
    files = [write(folder / name / "unit.c", text, options) for name, text in (("old", old), ("new", new))]
    one, other = (
        prepare_unit(files[at], "f", options, look_at_other_version(files[1 - at], "f", options)) for at in (0, 1)
    )
    changes = find_changes(files[0], files[1], files[0].functions, files[1].functions)
    return find_impact(one, other, changes), other


def conditions(found: Impacted, unit: PreparedUnit) -> set[str]:
    """The conditions of which both sides are impacted. One side alone never is."""
    texts = {each.text.rpartition(" is ")[0] for each in unit.objectives if each.id in found.new}
    left = {each.text.rpartition(" is ")[0] for each in unit.objectives if each.id not in found.new}
    assert not texts & left
    return texts


@pytest.mark.parametrize("name", IMPACTED)
def test_a_change_affects(name, tmp_path):
    old, new, expected = IMPACTED[name]
    assert conditions(*impact(tmp_path, old, new)) == expected


@pytest.mark.parametrize("name", ALIKE)
def test_nothing_is_affected_by(name, tmp_path):
    criteria = "branch,mcdc,line,statement,wm,all-defs,def-use"
    found, unit = impact(tmp_path, *ALIKE[name], criteria)
    assert found.are_same and not found.new and not found.old
    assert set(found.twins) >= {each.id for each in unit.objectives if each.criterion != "line"}


def test_conditions_of_a_decision_are_impacted_together(tmp_path):
    old = "int f(int a, int b) { if (a > 1 && b > 2) return 1; return a == 7 ? 3 : 4; }"
    found, unit = impact(tmp_path, old, old.replace("b > 2", "b > 3"), "mcdc")
    assert {each.id.split(":")[3] for each in unit.objectives if each.id in found.new} >= {"c1", "c2"}
    assert {each.kind for each in unit.objectives if each.id in found.new} == {"true", "false", "exit"}


def test_a_reason_names_the_change_and_how_it_comes_there(tmp_path):
    old = "int f(int a, int b) {\n int r = a;\n if (r > 3)\n  if (b > 4)\n   return 1;\n return 0;\n}"
    found, _ = impact(tmp_path, old, old.replace("r = a", "r = a + 1"))
    reasons = {each.how: each.sentence for each in found.new.values()}
    assert reasons[How.DATA] == "depends on `int r = a + 1`, changed at line 2 (it was `int r = a`)"
    assert reasons[How.CONTROL] == (
        "is controlled by `r > 3` (line 3): depends on `int r = a + 1`, changed at line 2 (it was `int r = a`)"
    )


def test_twins_are_found_where_lines_have_moved(tmp_path):
    old = "int f(int a, int b) {\n if (a > 3)\n  return 1;\n if (b > 4)\n  return 2;\n return 0;\n}"
    found, _ = impact(tmp_path, old, old.replace(" if (b", " b += 1;\n\n if (b"))
    assert found.twins["f:branch:+5.8:true"] == "f:branch:+3.8:true"
    assert set(found.new) == {"f:branch:+5.8:true", "f:branch:+5.8:false"}


def test_what_only_the_old_version_has_is_impacted_there(tmp_path):
    old = "int f(int a, int b) { if (a > 3) return 1; if (b > 4) return 2; return 0; }"
    found, _ = impact(tmp_path, old, "int f(int a, int b) { if (a > 3) return 1; return 0; }")
    assert not found.new and len(found.old) == 2


@pytest.mark.parametrize("change", [("g = 1", "g = 2"), ("8u / a", "9u / a"), ("a > 3", "a > 4"), ("'x'", "'y'")])
def test_other_constants_are_other_code(change, tmp_path):
    text = "int g; int h(const char *); int f(unsigned a) { char c = 'x'; g = 1; return a > 3 ? h(&c) : 8u / a; }"
    options = Options(())
    files = [
        write(tmp_path / name / "unit.c", each, options)
        for name, each in (("a", text), ("b", text.replace(*change)), ("c", f"\n{text}"))
    ]
    assert not is_same_code(files[0].program, files[1].program, "@f")
    assert is_same_code(files[0].program, files[2].program, "@f")


def test_where_a_loop_without_exits_begins_is_code(tmp_path):
    head = "void exit(int); int g, h; static void step(void) { if (g > 5) exit(0); h++; }"
    texts = [
        f"{head} int f(int a) {{ g = a; {body} }}"
        for body in ("g++; for (;;) { step(); }", "for (;;) { g++; step(); }")
    ]
    files = [write(tmp_path / str(at) / "unit.c", text, Options(())) for at, text in enumerate(texts)]
    assert not is_same_code(files[0].program, files[1].program, "@f")


def test_labels_with_branches_in_their_predicates(tmp_path):
    old = "int f(int *p, int b) { if (p && *p == 4) return 1; return b > 2 ? 3 : 4; }"
    found, unit = impact(tmp_path, old, old.replace("*p == 4", "*p == 3"), "wm")
    left = {each.id.split(":", 3)[3] for each in unit.objectives if each.id not in found.new}
    assert left == {"ror:!=", "abs:zero"}  # true wherever they are reached, and about *p alone


def test_what_decides_whether_changed_code_is_reached(tmp_path):
    old = (
        "static int g(int a) { if (a > 7) return a + 1; return 0; }"
        " int f(int a, int b, int c) { while (b && a < 9) a++; if (c > 1) c = 2; if (a > 3) return g(c); return b; }"
    )
    found, unit = impact(tmp_path, old, old.replace("a + 1", "a + 2"), "branch,mcdc")
    deciding = {each.text for each in unit.objectives if each.id in found.deciding}
    assert not found.new and {"a > 3 is true", "a > 3 is false"} <= deciding
    assert all("a > 3" in text for text in deciding)  # neither the loop before it nor what is beside it
    assert {each.how for each in found.deciding.values()} == {How.DECIDES}
    assert set(with_deciders(found).new) == set(found.deciding)


def test_conditions_of_a_loop_decide_what_is_in_it(tmp_path):
    old = "int f(int a, int b) { int r = 0; while (a > 3 && b > 4) { r = a; a--; } if (b == 1) b = 2; return r + b; }"
    found, unit = impact(tmp_path, old, old.replace("r = a;", "r = a + 1;"), "mcdc")
    assert {each.text.split(" matters")[0] for each in unit.objectives if each.id in found.deciding} == {
        "`a > 3`",
        "`b > 4`",
    }
