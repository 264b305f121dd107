"""What has changed between two versions of a function, and that it is said in the smallest pieces."""

from __future__ import annotations

import pytest

from tightrope.commands.diff.changes.syntax_changes import compare_syntax

CHANGES = {
    "constant in a condition": (
        "int f(int a) { if (a < 3) return 1; return 0; }",
        "int f(int a) { if (a < 5) return 1; return 0; }",
        ["changed expression: 3 -> 5"],
    ),
    "operator": (
        "int f(int a) { if (a < 3) return 1; return 0; }",
        "int f(int a) { if (a <= 3) return 1; return 0; }",
        ["changed expression: a < 3 -> a <= 3"],
    ),
    "and to or": (
        "int f(int a, int b) { return g(a) && (h(b) || a); }",
        "int f(int a, int b) { return g(a) && (h(b) && a); }",
        ["changed expression: h(b) || a -> h(b) && a"],
    ),
    "a conjunct less": (
        "int f(int a, int b) { if (a && b > 2 && g(a)) return 1; return 0; }",
        "int f(int a, int b) { if (a && g(a)) return 1; return 0; }",
        ["changed expression: a && b > 2 -> a"],
    ),
    "another variable": (
        "int f(int a, int b) { return a + b + a; }",
        "int f(int a, int b) { return a + b + b; }",
        ["changed expression: a -> b"],
    ),
    "two things in a statement": (
        "int f(int a) { return g(a + 1) * h(a - 1); }",
        "int f(int a) { return g(a + 2) * h(a - 2); }",
        ["changed expression: 1 -> 2", "changed expression: 1 -> 2"],
    ),
    "another callee": (
        "int f(int a) { return g(a); }",
        "int f(int a) { return h(a); }",
        ["changed expression: g -> h"],
    ),
    "an argument more": (
        'int f(int a) { return printf("%d", a); }',
        'int f(int a) { return printf("%d", a, 1); }',
        ['changed expression: printf("%d", a) -> printf("%d", a, 1)'],
    ),
    "string": (
        'int f(int a) { return printf("%d", a); }',
        'int f(int a) { return printf("%i", a); }',
        ['changed expression: "%d" -> "%i"'],
    ),
    "type of a constant": (
        "int f(int a) { return a > 3; }",
        "int f(int a) { return a > 3u; }",
        ["changed expression: 3 -> 3u"],
    ),
    "floating constant": (
        "int f(double a) { return a > 0.5; }",
        "int f(double a) { return a > 0.5f; }",
        ["changed expression: 0.5 -> 0.5f"],
    ),
    "character": (
        "int f(int a) { return a == 'x'; }",
        "int f(int a) { return a == 'y'; }",
        ["changed expression: 'x' -> 'y'"],
    ),
    "cast": (
        "int f(int a) { return (char)a; }",
        "int f(int a) { return (short)a; }",
        ["changed expression: (char)a -> (short)a"],
    ),
    "postfix to prefix": (
        "int f(int a) { return a++; }",
        "int f(int a) { return ++a; }",
        ["changed expression: a++ -> ++a"],
    ),
    "member": (
        "int f(struct pair *p) { return p->first; }",
        "int f(struct pair *p) { return p->second; }",
        ["changed expression: p->first -> p->second"],
    ),
    "sizeof": (
        "int f(int a) { return a + sizeof(int); }",
        "int f(int a) { return a + sizeof(long); }",
        ["changed expression: sizeof(int) -> sizeof(long)"],
    ),
    "offset": (
        "int f(int a) { return a + __builtin_offsetof(struct pair, first); }",
        "int f(int a) { return a + __builtin_offsetof(struct pair, second); }",
        ["changed expression: __builtin_offsetof(struct pair, first) -> __builtin_offsetof(struct pair, second)"],
    ),
    "assembly": (
        'int f(int a) { __asm__("nop" : "+r"(a)); return a; }',
        'int f(int a) { __asm__("cld" : "+r"(a)); return a; }',
        ['changed statement: __asm__("nop" : "+r"(a)) -> __asm__("cld" : "+r"(a))'],
    ),
    "macro": (
        "#define LIMIT@ 3\nint f(int a) { return a < LIMIT@; }",
        "#define LIMIT@ (3 + 1)\nint f(int a) { return a < LIMIT@; }",
        ["changed expression LIMIT@: 3 -> 3 + 1"],
    ),
    "inside of a macro": (
        "#define IN@(x) ((x) > 3 && (x) < 8)\nint f(int a) { return IN@(a); }",
        "#define IN@(x) ((x) > 3 && (x) < 9)\nint f(int a) { return IN@(a); }",
        ["changed expression IN@: 8 -> 9"],
    ),
    "assignment": (
        "int f(int a) { int n; n = a; n += a; return n; }",
        "int f(int a) { int n; n = a; n -= a; return n; }",
        ["changed statement: n += a -> n -= a"],
    ),
    "added statement": (
        "int f(int a) { act(1); return a; }",
        "int f(int a) { act(1); act(a); return a; }",
        ["added statement: act(a)"],
    ),
    "added among equals": (
        "int f(int a, int b) { a = 0; b = 0; return a + b; }",
        "int f(int a, int b) { int c; c = 0; a = 0; b = 0; return a + b + c; }",
        ["added statement: c = 0", "changed expression: a + b -> a + b + c", "added variable c: int c"],
    ),
    "removed statement": (
        "int f(int a) { act(1); act(2); act(3); return a; }",
        "int f(int a) { act(1); act(3); return a; }",
        ["removed statement: act(2)"],
    ),
    "swapped statements": (
        "int f(int a) { act(a); g(a + 7); return a; }",
        "int f(int a) { g(a + 7); act(a); return a; }",
        ["removed statement: act(a)", "added statement: act(a)"],
    ),
    "put into an if": (
        "int f(int a) { act(1); act(2); act(3); return a; }",
        "int f(int a) { act(1); if (a > 0) { act(2); } act(3); return a; }",
        ["added statement: if (a > 0)"],
    ),
    "put into an if with else": (
        "int f(int a) { act(1); act(2); return a; }",
        "int f(int a) { act(1); if (a > 0) act(2); else act(7); return a; }",
        ["added statement: if (a > 0)", "added statement: act(7)"],
    ),
    "two put into a loop": (
        "int f(int a) { g(a); h(a); return a; }",
        "int f(int a) { for (int i = 0; i < 3; i++) { g(a); h(a); } return a; }",
        ["added statement: for (int i = 0; i < 3; i++)"],
    ),
    "put into a do": (
        "int f(int a) { g(a); return a; }",
        "int f(int a) { do { g(a); } while (a < 3); return a; }",
        ["added statement: do while (a < 3)"],
    ),
    "an if into an if": (
        "int f(int a, int b) { if (a) { act(1); act(2); } return a; }",
        "int f(int a, int b) { if (b) { if (a) { act(1); act(2); } } return a; }",
        ["added statement: if (b)"],
    ),
    "taken out of an if": (
        "int f(int a) { if (a > 0) { act(2); act(3); } return a; }",
        "int f(int a) { act(2); act(3); return a; }",
        ["removed statement: if (a > 0)"],
    ),
    "moved out of an if": (
        "int f(int a) { if (a) { act(1); act(2); } return a; }",
        "int f(int a) { if (a) { act(1); } act(2); return a; }",
        ["removed statement: act(2)", "added statement: act(2)"],
    ),
    "put into an if and changed": (
        "int f(int a) { printf(\"%d %d\", a + 3, g(a)); return a; }",
        "int f(int a) { if (a) printf(\"%d %d\", a + 4, g(a)); return a; }",
        ["added statement: if (a)", "changed expression: 3 -> 4"],
    ),
    "else added": (
        "int f(int a) { if (a) return 1; return 0; }",
        "int f(int a) { if (a) return 1; else act(2); return 0; }",
        ["added statement: act(2)"],
    ),
    "else if added": (
        "int f(int a) { if (a == 1) return 1; else return 0; }",
        "int f(int a) { if (a == 1) return 1; else if (a == 2) return 2; else return 0; }",
        ["added statement: if (a == 2)", "added statement: return 2"],
    ),
    "statement to another one": (
        "int f(int a) { act(a); return a; }",
        "int f(int a) { a = g(a) + 3; return a; }",
        ["removed statement: act(a)", "added statement: a = g(a) + 3"],
    ),
    "loop condition absent": (
        "int f(int a) { for (; a < 3; ) a++; return a; }",
        "int f(int a) { for (;;) a++; return a; }",
        ["removed expression: a < 3"],
    ),
    "while to do": (
        "int f(int a) { while (g(a)) { act(1); act(2); } return a; }",
        "int f(int a) { do { act(1); act(2); } while (g(a)); return a; }",
        ["removed statement: while (g(a)) { act(1); act(2); }", "added statement: do { act(1); act(2); } while (g(a))"],
    ),
    "case added": (
        "int f(int a) { switch (a) { case 1: act(1); break; default: act(0); } return a; }",
        "int f(int a) { switch (a) { case 1: case 2: act(1); break; default: act(0); } return a; }",
        ["added statement: case 2:"],
    ),
    "case changed": (
        "int f(int a) { switch (a) { case 1: act(1); break; case 2: act(2); } return a; }",
        "int f(int a) { switch (a) { case 1: act(1); break; case 3: act(2); } return a; }",
        ["changed expression: 2 -> 3"],
    ),
    "break removed": (
        "int f(int a) { switch (a) { case 1: act(1); break; case 2: act(2); } return a; }",
        "int f(int a) { switch (a) { case 1: act(1); case 2: act(2); } return a; }",
        ["removed statement: break"],
    ),
    "goto elsewhere": (
        "int f(int a) { if (a) goto one; two: act(2); one: act(1); return a; }",
        "int f(int a) { if (a) goto two; two: act(2); one: act(1); return a; }",
        ["changed statement: goto one -> goto two"],
    ),
    "label moved": (
        "int f(int a) { if (a) goto one; one: act(1); act(2); return a; }",
        "int f(int a) { if (a) goto one; act(1); one: act(2); return a; }",
        ["removed statement: one:", "added statement: one:"],
    ),
    "initialiser of a local": (
        "int f(int a) { int n = 3; return a + n; }",
        "int f(int a) { int n = 5; return a + n; }",
        ["changed variable n: int n = 3 -> int n = 5"],
    ),
    "inside of an initialiser": (
        "int f(int a) { int n = a + 3; return a + n; }",
        "int f(int a) { int n = a + 5; return a + n; }",
        ["changed expression: 3 -> 5"],
    ),
    "second declarator": (
        "int f(int a) { int m = 1, n = 3; return m + n; }",
        "int f(int a) { int m = 1, n = 5; return m + n; }",
        ["changed variable n: n = 3 -> n = 5"],
    ),
    "initialiser came": (
        "int f(int a) { int n; n = a; return n; }",
        "int f(int a) { int n = 0; n = a; return n; }",
        ["changed variable n: int n -> int n = 0"],
    ),
    "type of a local": (
        "int f(int a) { int n = a; n = n * 2; return n; }",
        "int f(int a) { long n = a; n = n * 2; return n; }",
        ["changed variable n: int n = a -> long n = a"],
    ),
    "type of a local by typedef": (
        "typedef int word@; int f(int a) { word@ n = a; return n * 2; }",
        "typedef long word@; int f(int a) { word@ n = a; return n * 2; }",
        ["changed variable n: (int) word@ n = a -> (long) word@ n = a"],
    ),
    "initialiser moved": (
        "int f(int a) { int n = a; a = g(a); return a + n; }",
        "int f(int a) { a = g(a); int n = a; return a + n; }",
        ["removed variable n: int n = a", "added variable n: int n = a"],
    ),
    "static local": (
        "int f(int a) { static int n = 3; return a + n++; }",
        "int f(int a) { static int n = 5; return a + n++; }",
        ["changed initialiser n: static int n = 3 -> static int n = 5"],
    ),
    "became static": (
        "int f(int a) { int n = 3; return a + n++; }",
        "int f(int a) { static int n = 3; return a + n++; }",
        ["changed variable n: int n = 3 -> static int n = 3"],
    ),
    "array length": (
        "int f(int a) { int n[3]; n[0] = a; return n[0]; }",
        "int f(int a) { int n[4]; n[0] = a; return n[0]; }",
        ["changed variable n: int n[3] -> int n[4]"],
    ),
    "computed array length": (
        "int f(int a, int b) { int n[a]; n[0] = b; return n[0]; }",
        "int f(int a, int b) { int n[b]; n[0] = b; return n[0]; }",
        ["changed variable n: int n[a] -> int n[b]"],
    ),
    "initialiser list": (
        "int f(int a) { int n[3] = {1, 2, 3}; return n[a]; }",
        "int f(int a) { int n[3] = {1, 4, 3}; return n[a]; }",
        ["changed expression: 2 -> 4"],
    ),
    "initialiser list is longer": (
        "int f(int a) { int n[3] = {1, 2}; return n[a]; }",
        "int f(int a) { int n[3] = {1, 2, 3}; return n[a]; }",
        ["changed variable n: int n[3] = {1, 2} -> int n[3] = {1, 2, 3}"],
    ),
    "member of a union": (
        "int f(int a) { union either e = { .number = 1 }; return e.number; }",
        "int f(int a) { union either e = { .real = 1 }; return e.number; }",
        ["changed variable e: union either e = { .number = 1 } -> union either e = { .real = 1 }"],
    ),
    "local type": (
        "int f(int a) { struct one { int x; } s; s.x = a; return s.x; }",
        "int f(int a) { struct one { int y; int x; } s; s.x = a; return s.x; }",
        ["changed type one: struct one { int x; } -> struct one { int y; int x; }"],
    ),
    "inner one hid another": (
        "int f(int a) { int n = 1; { int n = 2; act(n); } return n; }",
        "int f(int a) { int n = 1; { act(n); } return n; }",
        ["changed expression: n of line N -> n of line N", "removed variable n: int n = 2"],
    ),
    "two variables exchanged in one place": (
        "int f(int a, int b) { int m = a, n = b; return m - n + g(m); }",
        "int f(int a, int b) { int m = a, n = b; return n - m + g(m); }",
        ["changed expression: m -> n", "changed expression: n -> m"],
    ),
    "renamed and changed": (
        "int f(int a) { int count = 0; while (count < a) count++; return count; }",
        "int f(int a) { int total = 0; while (total < a) total++; return total + 1; }",
        ["changed expression: count -> total + 1"],
    ),
    "parameters exchanged": (
        "int f(int a, int b) { return a - b; }",
        "int f(int b, int a) { return a - b; }",
        ["changed signature: int f(int a, int b) -> int f(int b, int a)"],
    ),
    "parameter added": (
        "int f(int a) { return a; }",
        "int f(int a, int b) { return a; }",
        ["changed signature: int f(int a) -> int f(int a, int b)", "added parameter b: int b"],
    ),
    "parameter removed": (
        "int f(int a, int b) { return b; }",
        "int f(int b) { return b; }",
        ["changed signature: int f(int a, int b) -> int f(int b)", "removed parameter a: int a"],
    ),
    "type of a parameter": (
        "int f(int a) { return a / 2; }",
        "int f(unsigned a) { return a / 2; }",
        ["changed signature: int f(int a) -> int f(unsigned a)", "changed parameter a: int a -> unsigned a"],
    ),
    "length of a parameter": (
        "int f(int a[5]) { return a[0]; }",
        "int f(int a[6]) { return a[0]; }",
        ["changed parameter a: int a[5] -> int a[6]"],
    ),
    "type of the result": (
        "int f(int a) { return a; }",
        "long f(int a) { return a; }",
        ["changed signature: int f(int a) -> long f(int a)"],
    ),
    "type of a global": (
        "extern int far@; int f(int a) { return a + far@; }",
        "extern long far@; int f(int a) { return a + far@; }",
        ["changed expression far@: (int) far@ -> (long) far@"],
    ),
    "type of a callee": (
        "int get@(int); int f(int a) { return get@(a); }",
        "int get@(char); int f(int a) { return get@(a); }",
        ["changed expression get@: (int (int)) get@ -> (int (char)) get@"],
    ),
    "type of a member": (
        "struct s@ { int x; }; int f(struct s@ *p) { return p->x + 1; }",
        "struct s@ { char x; }; int f(struct s@ *p) { return p->x + 1; }",
        ["changed expression x: (int) p->x -> (char) p->x"],
    ),
    "statement expression": (
        "int f(int a) { return ({ int n = a; act(n); n + 1; }); }",
        "int f(int a) { return ({ int n = a; act(n); n + 2; }); }",
        ["changed expression: 1 -> 2"],
    ),
    "attribute": (
        "int f(int a) { return a; }",
        "__attribute__((noinline)) int f(int a) { return a; }",
        ["changed signature: int f(int a) -> __attribute__((noinline)) int f(int a)"],
    ),
    "label of a local enum": (
        "int f(int a) { enum { ONE, TWO }; return a == TWO; }",
        "int f(int a) { enum { ONE, HALF, TWO }; return a == TWO; }",
        ["changed type: enum { ONE, TWO } -> enum { ONE, HALF, TWO }"],
    ),
    "condition of a while": (
        "int f(int a) { while (a < 3) { a++; act(a); } return a; }",
        "int f(int a) { while (a < 4) { a++; act(a); } return a; }",
        ["changed expression: 3 -> 4"],
    ),
    "step of a for": (
        "int f(int a) { for (int i = 0; i < a; i++) act(i); return a; }",
        "int f(int a) { for (int i = 0; i < a; i += 2) act(i); return a; }",
        ["changed expression: i++ -> i += 2"],
    ),
    "start of a for": (
        "int f(int a) { for (int i = 0; i < a; i++) act(i); return a; }",
        "int f(int a) { for (int i = 1; i < a; i++) act(i); return a; }",
        ["changed variable i: int i = 0 -> int i = 1"],
    ),
    "return without a value": (
        "void f(int a) { if (a) return; act(a); }",
        "void f(int a) { if (a) act(1); act(a); }",
        ["removed statement: return", "added statement: act(1)"],
    ),
    "deep in nested statements": (
        "int f(int a) { while (a) { switch (a) { case 1: if (g(a)) { for (;;) { act(1); break; } } } a--; } return a; }",
        "int f(int a) { while (a) { switch (a) { case 1: if (g(a)) { for (;;) { act(2); break; } } } a--; } return a; }",
        ["changed expression: 1 -> 2"],
    ),
    "variable for a constant": (
        "int f(int a) { return a > 3; }",
        "int f(int a) { return a > shared; }",
        ["changed expression: 3 -> shared"],
    ),
    "negated": (
        "int f(int a) { if (g(a)) return 1; return 0; }",
        "int f(int a) { if (!g(a)) return 1; return 0; }",
        ["changed expression: g(a) -> !g(a)"],
    ),
    "conditional exchanged": (
        "int f(int a) { return a ? g(a) : h(a); }",
        "int f(int a) { return a ? h(a) : g(a); }",
        ["changed expression: g -> h", "changed expression: h -> g"],
    ),
    "elements exchanged": (
        "int f(int a) { int n[3] = {1, 2}; return n[a]; }",
        "int f(int a) { int n[3] = {[1] = 1, [2] = 2}; return n[a]; }",
        ["changed variable n: int n[3] = {1, 2} -> int n[3] = {[1] = 1, [2] = 2}"],
    ),
    "volatile": (
        "int f(int a) { int n = a; return n; }",
        "int f(int a) { volatile int n = a; return n; }",
        ["changed variable n: int n = a -> volatile int n = a"],
    ),
    "another global of the same type": (
        "int f(int a) { shared = a; return other; }",
        "int f(int a) { other = a; return shared; }",
        ["changed expression: shared -> other", "changed expression: other -> shared"],
    ),
    "a local hides a global": (
        "int f(int a) { shared = a; return 1; }",
        "int f(int a) { int shared; shared = a; return 1; }",
        ["changed expression: (int) shared -> shared of line N", "added variable shared: int shared"],
    ),
    "empty body": (
        "void f(int a) { act(a); }",
        "void f(int a) { }",
        ["removed statement: act(a)"],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory, read_pairs):
    pairs = read_pairs(tmp_path_factory.mktemp("c"), [(before, after) for before, after, _ in CHANGES.values()])
    return dict(zip(CHANGES, pairs, strict=True))


@pytest.mark.parametrize("name", CHANGES)
def test_changes(found, say, name):
    old, new = found[name]
    assert old and new
    assert [say(each) for each in compare_syntax(old, new)] == CHANGES[name][2]


@pytest.mark.parametrize("name", CHANGES)
def test_backwards_there_is_a_change_too(found, name):
    old, new = found[name]
    assert old and new
    assert compare_syntax(new, old)


@pytest.mark.parametrize("name", CHANGES)
def test_nothing_has_changed_from_a_version_to_itself(found, name):
    for each in found[name]:
        assert compare_syntax(each, each) == ()
