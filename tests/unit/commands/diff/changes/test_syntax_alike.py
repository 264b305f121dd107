"""What is no change between two versions of a function."""

from __future__ import annotations

import pytest

from tightrope.commands.diff.changes.syntax_changes import compare_syntax

CHECK = """
int fail@(const char *, const char *, int);
#define check@(x) ((x) ? 0 : fail@(#x, __FILE__, __LINE__))
"""

ALIKE = {
    "layout": (
        "int f(int a, int b) { if (a && b) return 1; else return 0; }",
        "int\nf(\n  int a,\n  int b)\n{\n  if (a\n      && b)\n    return 1;\n  else\n    return 0;\n}",
    ),
    "comments": (
        "int f(int a) { return a + 1; }",
        "int f(int a /* in */) { // one\n  /* two */ return a /* three */ + 1; }",
    ),
    "comments for documents": (
        "int f(int a) { int n = a; return n + 1; }",
        "/** what f does \\\\param a in */\nint f(int a) { /** what n is */ int n = a; /**< here */ return n + 1; }",
    ),
    "parentheses": (
        "int f(int a, int b) { return a + b * 2 > 3 && a; }",
        "int f(int a, int b) { return ((a + (b * 2)) > (3)) && (a); }",
    ),
    "braces": (
        "int f(int a) { if (a) act(1); else act(2); while (a) a--; for (;;) { break; } return a; }",
        "int f(int a) { if (a) { act(1); } else { act(2); } while (a) { a--; } for (;;) break; return a; }",
    ),
    "braces around else if": (
        "int f(int a) { if (a == 1) return 1; else if (a == 2) return 2; else return 3; }",
        "int f(int a) { if (a == 1) { return 1; } else { if (a == 2) { return 2; } else { return 3; } } }",
    ),
    "blocks": (
        "int f(int a) { act(1); act(2); return a; }",
        "int f(int a) { act(1); { { act(2); } } { return a; } }",
    ),
    "empty statements": (
        "int f(int a) { act(1); while (g(a)); return a; }",
        "int f(int a) { ;; act(1); ; while (g(a)) { ; } return a;; }",
    ),
    "empty else": (
        "int f(int a) { if (a) act(1); return a; }",
        "int f(int a) { if (a) act(1); else { } return a; }",
    ),
    "local renamed": (
        "int f(int a) { int n = a; n++; return n; }",
        "int f(int a) { int count = a; count++; return count; }",
    ),
    "parameter renamed": (
        "int f(int a, int b) { return a - b; }",
        "int f(int first, int second) { return first - second; }",
    ),
    "parameter renamed to another": (
        "int f(int a, int b) { return a - b; }",
        "int f(int b, int a) { return b - a; }",
    ),
    "locals exchange their names": (
        "int f(int a, int b) { int m = a, n = b; return m - n * m; }",
        "int f(int a, int b) { int n = a, m = b; return n - m * n; }",
    ),
    "renamed in turn": (
        "int f(int a) { int x = 1, y = 2, z = 3; return x * a + y * a * a + z; }",
        "int f(int a) { int y = 1, z = 2, x = 3; return y * a + z * a * a + x; }",
    ),
    "renamed where one hides another": (
        "int f(int a) { int n = a; { int n = 3; act(n); } return n; }",
        "int f(int a) { int m = a; { int k = 3; act(k); } return m; }",
    ),
    "renamed so that one hides another": (
        "int f(int a) { int n = a; { int k = 3; act(k); } return n; }",
        "int f(int a) { int n = a; { int n = 3; act(n); } return n; }",
    ),
    "renamed like a global": (
        "int f(int a) { int n = a; return n + other; }",
        "int f(int a) { int shared = a; return shared + other; }",
    ),
    "renamed loop variable": (
        "int f(int a) { for (int i = 0; i < a; i++) act(i); for (int i = 9; i; i--) act(i); return a; }",
        "int f(int a) { for (int k = 0; k < a; k++) act(k); for (int i = 9; i; i--) act(i); return a; }",
    ),
    "renamed array length": (
        "int f(int a) { int n[a + 1]; n[0] = sizeof n; return n[0]; }",
        "int f(int len) { int all[len + 1]; all[0] = sizeof all; return all[0]; }",
    ),
    "renamed length of a parameter": (
        "int f(int n, int a[static n]) { return a[0]; }",
        "int f(int len, int all[static len]) { return all[0]; }",
    ),
    "array parameter": (
        "int f(int a[]) { return a[0]; }",
        "int f(int *a) { return a[0]; }",
    ),
    "renamed static": (
        "int f(int a) { static int calls = 3; return a + calls++; }",
        "int f(int a) { static int times = 3; return a + times++; }",
    ),
    "renamed in assembly": (
        'int f(int a) { __asm__("nop" : "+r"(a)); return a; }',
        'int f(int b) { __asm__("nop" : "+r"(b)); return b; }',
    ),
    "label renamed": (
        "int f(int a) { if (a) goto out; act(1); out: return a; }",
        "int f(int a) { if (a) goto done; act(1); done: return a; }",
    ),
    "labels exchange their names": (
        "int f(int a) { if (a) goto one; goto two; one: act(1); two: return a; }",
        "int f(int a) { if (a) goto two; goto one; two: act(1); one: return a; }",
    ),
    "address of a renamed label": (
        "int f(int a) { void *p = &&one; goto *p; one: return a; }",
        "int f(int a) { void *p = &&two; goto *p; two: return a; }",
    ),
    "declarations in one": (
        "int f(int a) { int m = 1, n = a; return m + n; }",
        "int f(int a) { int m = 1; int n = a; return m + n; }",
    ),
    "declaration elsewhere": (
        "int f(int a) { int n; act(1); { n = a; } return n; }",
        "int f(int a) { act(1); { int n; n = a; return n; } }",
    ),
    "declarations in another order": (
        "int f(int a) { int m; long n; m = a; n = m; return n; }",
        "int f(int a) { long n; int m; m = a; n = m; return n; }",
    ),
    "static declaration elsewhere": (
        "int f(int a) { static int n = 1; act(1); return n + a; }",
        "int f(int a) { act(1); static int n = 1; return n + a; }",
    ),
    "typedef": (
        "int f(unsigned long a) { unsigned long n = a; return n > 3; }",
        "int f(size_type a) { size_type n = a; return n > 3; }",
    ),
    "local typedef": (
        "int f(int a) { typedef int word; word n = a; return n; }",
        "int f(int a) { int n = a; return n; }",
    ),
    "macro for the same": (
        "int f(int a) { return a < 3; }",
        "#define LIMIT@ (3)\nint f(int a) { return a < LIMIT@; }",
    ),
    "function-like macro": (
        "int f(int a, int b) { return a > b ? a : b; }",
        "#define MAX@(x, y) ((x) > (y) ? (x) : (y))\nint f(int a, int b) { return MAX@(a, b); }",
    ),
    "macro renamed": (
        "#define OLD@ 3\nint f(int a) { return a < OLD@; }",
        "#define NEW@ 3\nint f(int a) { return a < NEW@; }",
    ),
    "macro changed and not used": (
        "#define LIMIT@ 3\nint f(int a) { return a; }",
        "#define LIMIT@ 4\nint f(int a) { return a; }",
    ),
    "the other side of an #if": (
        "#define ON@ 0\nint f(int a) {\n#if ON@\nact(1);\n#endif\nreturn a; }",
        "#define ON@ 0\nint f(int a) {\n#if ON@\nact(2);\n#endif\nreturn a; }",
    ),
    "base of a number": (
        "int f(int a) { return a + 16 + 'A'; }",
        "int f(int a) { return a + 0x10 + '\\x41'; }",
    ),
    "suffix of a number": (
        "int f(long a) { return a + 16l; }",
        "int f(long a) { return a + 16L; }",
    ),
    "form of a floating number": (
        "int f(double a) { return a > 0.5; }",
        "int f(double a) { return a > 5e-1; }",
    ),
    "parts of a string": (
        'int f(int a) { return printf("one two %d", a); }',
        'int f(int a) { return printf("one "\n  "two " "%d", a); }',
    ),
    "spelling of a type": (
        "int f(unsigned a) { return (unsigned short)a + sizeof(unsigned); }",
        "int f(unsigned int a) { return (short unsigned int)a + sizeof(unsigned int); }",
    ),
    "nameless struct": (
        "int f(int a) { struct { int x; } s; s.x = a; return s.x; }",
        "\n\nint f(int a) {\n\n   struct { int x; } s; s.x = a; return s.x; }",
    ),
    "nameless struct outside": (
        "typedef struct { int x; union { int y; float z; }; } odd@; int f(odd@ *p) { odd@ c = *p; return c.x + c.y; }",
        "\ntypedef struct {\n int x; union {\n int y; float z; }; } odd@;\nint f(odd@ *p) { odd@ c = *p; return c.x + c.y; }",
    ),
    "designators": (
        "int f(int a) { struct pair p = { 1, a }; return p.first; }",
        "int f(int a) { struct pair p = { .second = a, .first = 1 }; return p.first; }",
    ),
    "end of an initialiser": (
        "int f(int a) { int n[5] = {1, 2}; return n[a]; }",
        "int f(int a) { int n[5] = {1, 2,}; return n[a]; }",
    ),
    "where it is": (
        CHECK + "int f(int a) { check@(a > 0); return fail@(0, __FILE__, __LINE__); }",
        CHECK + "int f(int a) {\n\n check@(a > 0);\n return fail@(0, __FILE__, __LINE__); }",
    ),
    "local prototype": (
        "int f(int a) { return g(a); }",
        "int f(int a) { int g(int); extern int shared; return g(a); }",
    ),
    "name of a parameter elsewhere": (
        "int call@(int (*)(int)); int f(int a) { return call@(g) + a; }",
        "int call@(int (*act)(int value)); int f(int a) { return call@(g) + a; }",
    ),
    "redeclared": (
        "int f(int a) { return a; }",
        "int f(int); int f(int a); int f(int a) { return a; }",
    ),
    "old style": (
        "int f(a) int a; { return a; }",
        "int f(b)\n  int b;\n{ return b; }",
    ),
    "renamed in a statement expression": (
        "int f(int a) { return ({ int n = a; n + 1; }) + ({ int n = a; n + 2; }); }",
        "int f(int a) { return ({ int m = a; m + 1; }) + ({ int n = a; n + 2; }); }",
    ),
    "generic selection": (
        "int f(int a) { return _Generic(a, int: 1, default: 2); }",
        "int f(int b) { return _Generic((b), int: (1), default: 2); }",
    ),
    "order of cases stays, labels on lines": (
        "int f(int a) { switch (a) { case 1: case 2: return 1; case 3 ... 5: return 2; default: return 3; } }",
        "int f(int a) {\n switch (a)\n {\n case 1:\n case 2: { return 1; }\n case 3 ... 5: return 2;\n default: ; return 3;\n } }",
    ),
    "attribute that says nothing": (
        "int f(int a) { switch (a) { case 1: act(1); case 2: return 1; } return 0; }",
        "int f(int a) { switch (a) { case 1: act(1); __attribute__((fallthrough)); case 2: return 1; } return 0; }",
    ),
    "#line": (
        "int f(int a) {\n act(1);\n return a; }",
        'int f(int a) {\n#line 500 "grammar.y"\n act(1);\n return a; }\n#line 1 "new.c"',
    ),  # the last: the lines behind it are numbered by it
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory, read_pairs):
    return dict(zip(ALIKE, read_pairs(tmp_path_factory.mktemp("c"), list(ALIKE.values())), strict=True))


@pytest.mark.parametrize("name", ALIKE)
def test_no_change(found, say, name):
    old, new = found[name]
    assert old and new
    assert [say(each) for each in compare_syntax(old, new)] == []
    assert [say(each) for each in compare_syntax(new, old)] == []
