"""Decisions of odd C: all of them are followed, and the vectors that runs hit are those that C evaluates."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import pytest
from csmith_programs import FLAGS as CSMITH_FLAGS
from csmith_programs import csmith_program, is_installed
from decision_twin import differences, marked_vectors, twin_vectors
from random_control import random_functions

INPUTS = tuple(itertools.product((-1, 0, 1, 4), repeat=3))
IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"

HEAD = """
#include <assert.h>
#include <stdbool.h>
static int calls;
static int odd(int x) { calls++; return x & 1; }
static bool positive(int x) { calls++; return x > 0; }
struct pair { unsigned low : 3; _Bool set : 1; signed char small; double real; const char *text; };
"""

# Bodies of `int target(int a, int b, int c)`.
ODD = {
    "nested": "return odd(a && b) && (c || !(a > b));",
    "negated group": "if (!(a && !(b || c))) return 1; return 0;",
    "loops": "int n = 0; while (n < 5 && (a || b)) { n++; if (n > 3 && c) break; } do n++; while (n < 9 && !a);"
    " for (int i = 0; i < 3 && n > i; i++) n -= i == 2 || c; return n;",
    "values": "int x = a && b, y = a || c; _Bool z = !a; x += odd(b && c); return x + y + z + (a > b) * !c;",
    "conditional": "return a ? b && c ? 1 : 2 : b || c ? 3 : 4;",
    "conditional in a decision": "if (a ? b : c) return 1; if ((a ? b > 1 : c > 1) && b) return 2; return 3;",
    "conditional in a loop": "int n = 0; while (a ? n < b : n < c) { n++; a = !a; if (n > 4) break; } return n;",
    "constant arms": "return (a && b ? 1 : 0) + (a ? 0 : 1) + ((a && b ? c : b) ? 4 : 5);",
    "exclusive": "bool x = a > 0, y = b > 0; if ((x ^ y) && c) return 1; if (x != y || c > 1) return 2;"
    " return (x == y) + ((a > 1) ^ (b > 1));",
    "not short": "if ((a > 0) & (b > 0)) return 1; if ((a > 1 | b > 1) && c) return 2; return (a == b) | (b == c);",
    "comma": "int n = 0; if (n++, a && b) n++; while (n++, n < 4 && c) ; return (odd(a), b) || n ? n : 0;",
    "assignment": "int x; if ((x = odd(a)) && (b = c) && x) return 1; while ((x = a && b)) a = 0; return x;",
    "statement expression": "if (({ int z = a; z > 0 && b; }) && c) return 1; int n = 0;"
    " while (({ n++; n < 4 && a; })) if (n > 2) break; return ({ a || b; }) ? n : 0;",
    "switch": "switch (a && b) { case 0: return 1; default: break; } switch (a) { case 1: if (b || c) return 2;"
    " case 4: return b && c; } return 0;",
    "goto": "int n = 0; again: if (n++ < 3 && a) goto again; if (b || c) goto end; n = 9; end: return n && a;",
    "computed goto": "static void *const to[] = {&&one, &&two}; goto *to[a && b]; one: return c || b;"
    " two: return !c && a;",
    "variable array": "int n = b > 0 && b < 9 ? b : 1; int v[n]; v[0] = c; return v[0] && sizeof v > 4;",
    "macros": "\n#define BOTH(x, y) ((x) && (y))\n#define EITHER(x, y) (BOTH(x, y) || BOTH(y, c))\n"
    " if (EITHER(a, b) && BOTH(b, c)) return 1; return EITHER(a > 1, b > 1) ? EITHER(a, c) : BOTH(a, b);",
    "max macro": "\n#define MAX(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x > _y ? _x : _y; })\n"
    " return MAX(a, MAX(b, c)) > 0 && MAX(a, b);",
    "assertion": "assert(a < 100 && b < 100); assert(c < 100); return a && b;",
    "expected": "if (__builtin_expect(!!(a && b), 1)) return 1; if (__builtin_expect(a, 0)) return 2; int n = 0;"
    " while (__builtin_expect(n < 4 && b, 1)) n++; return __builtin_expect(a == b, 1) && c ? n : 0;",
    "generic": "if (_Generic(a, int: a && b, default: 0) || c) return 1; return __builtin_choose_expr(1, a || b, c);",
    "pointers": "int *p = a ? &b : 0, *q = b ? &c : p; if (!p || (q && *q > 0)) return 1; return p == q && *p;",
    "functions": "int (*f)(int) = a ? odd : 0; if (f && f(b)) return 1; return f == odd || c;",
    "floats": "double x = a / 2.0; float y = b; if (x && !(y > 1)) return 1; return x != y || (x < y && c);",
    "complex": "_Complex double z = a + b * 1.0i; if (z && c) return 1; return !z || a;",
    "small types": "char x = a; unsigned char y = b; short s = c; if (x && y) return 1; return s || !x;",
    "Booleans": "bool x = a, y = b; if (x && !y) return 1; if (positive(c) || x) return 2; return x == (c > 0);",
    "bit-fields": "struct pair p = {.low = a, .set = b, .small = c}; if (p.low && p.set) return 1;"
    " return p.small || !p.low || p.low > 2;",
    "members": "struct pair v = {.real = a, .text = b ? \"x\" : 0}, *p = c ? &v : 0; if (p && p->text && *p->text)"
    " return 1; return (p && p->real) || !p;",
    "wide numbers": "long long x = a; __int128 y = b; unsigned _BitInt(77) z = c; return x && (y || z);",
    "shifts of sides": "int n = 0; if (a++ && ++b && c--) n = a; if (a-- || b--) n += b; return n + c;",
    "constants": "enum { YES = 1, NO }; int n = 0; if (YES && a) n++; if (a || 0) n++; if (b && sizeof b == 4 && c) n++;"
    " if (0 && a) n++; if (1 || b) n++; while (0) n++; do n++; while (0 && a); return n + (a && 1) + (NO > 1 && b);",
    "constant at the end": "if (a && 0) return 1; if (a || 1) return 2; return 3;",
    "constant for the compiler": "static const int four = 4; if (__builtin_constant_p(a) || b) return 1;"
    " if (__builtin_types_compatible_p(int, long) || c) return 2; return four && a;",
    "dead code": "if (0) { if (a && b) return 1; } return c && a; if (a || b) return 2;",
    "inline assembly": "int n = a; __asm__ volatile(\"\" : \"+r\"(n)); if (n && b) return 1; return n || c;",
    "cleanup": "int n __attribute__((cleanup(forget))) = a; if (n && b) return 1; { int m"
    " __attribute__((cleanup(forget))) = b; while (m && c) { m = 0; if (a || c > 1) return 2; } } return n || c;",
    "compound literals": "struct pair *p = &(struct pair){.low = 1, .small = a && b}; return p->small || (int[]){a, b}[c & 1];",
    "initialisers": "int v[] = {a && b, [2] = !c, a || c}; struct pair p = {.low = a && c, .set = b || c};"
    " return v[0] + v[2] && p.low;",
    "static locals": "static int n; n = a; static const int t[2] = {1 && 0, 1 || 0}; return n && t[b && c];",
    "arguments": "return odd(a && b) + odd(a || (b && c)) > 1 && positive(!c);",
    "recursion": "if (a > 0 && target(a - 1, b, c) && b) return 1; return c || (a && b);",
    "recursion in the midst": "return a > 0 && (target(a - 1, !b, c) || b) && (c || target(a - 2, b, !c));",
    "early exit": "int n = 0; while (n++ < 4 && ({ if (n > 2 && b) return 7; a; }) && c) ; return n;",
    "unsequenced": "int n = (a && b) + (b || c) * (a && c); return n;",
    "several on one line": "if (a && b) { if (b || c) return 1; else if (!a) return 2; } return a ? b : c ? a : b;",
    "unusual spelling": "if (a\n  &&\n /* a comment && another */ b // || more\n ) return 1; return ((((a)) || ((b)))) && !!!c;",
    "digraphs": "int v<:2:> = <%a, b%>; return v<:0:> && v<:1:>;",
    "strings": "const char *s = a ? \"a && b\" : \"{\"; return s[0] == '{' || s[0] == '\\'' || b;",
    "attributes": "switch (a) { case 1: if (b && c) return 1; __attribute__((fallthrough)); default: return b || c; }",
    "nested functions of macros": "\n#define CHECK(x) do { if (!(x)) return -1; } while (0)\n CHECK(a || b); CHECK(b != 4 && c);"
    " return 0;",
    "one-line if": "if (a) if (b) return 1; else if (c || a) return 2; return 3;",
    "volatile": "volatile int v = a; while (v && b) v = 0; return v || c;",
    "atomic": "_Atomic int v = a; if (v && b) return 1; return v++ || c;",
    "thread local": "static _Thread_local int v; v = a; return v && b;",
    "alignof": "return (_Alignof(int) == 4 && a) || (sizeof(a && b) == 4 && c);",
    "vector": "typedef int four __attribute__((vector_size(16))); four v = {a, b, c, 0}; v = v == 1; return v[0] || a;",
}  # fmt: skip
FORGET = "static void forget(int *p) { calls += *p; }\n"


def check(path: Path, function: str, inputs: tuple[tuple[int, ...], ...], lost: int = 0, **options: object) -> None:
    """`lost` decisions, no more, may be given up."""
    unit, marked = marked_vectors(path, function, inputs, **options)
    twin = twin_vectors(path, unit, function, inputs, path.parent)
    assert list(differences(unit, marked, twin)) == []
    assert sum(bool(each.problem) for each in unit.marks.decisions) <= lost
    assert any(twin)


TOGETHER = 1 if IS_FULL else 6  # bodies in one function
GROUPS = [list(ODD)[start :: -(-len(ODD) // TOGETHER)] for start in range(-(-len(ODD) // TOGETHER))]


def in_turn(bodies: list[str]) -> str:
    """One function that has the bodies, each in a case of a switch. A body may call `target` itself."""
    calls = [re.sub(r"\btarget\((?!int)", f"target({number}, ", body) for number, body in enumerate(bodies)]
    cases = "".join(f"case {number}: {{ {body} }}\n" for number, body in enumerate(calls))
    return f"int target(int which, int a, int b, int c) {{ switch (which) {{\n{cases}}} return -1; }}\n"


@pytest.mark.parametrize("names", GROUPS, ids=", ".join)
def test_odd_decisions(names: list[str], tmp_path: Path) -> None:
    """Several bodies share a function; TIGHTROPE_FULL=1: each has one of its own."""
    path = tmp_path / "unit.c"
    path.write_text(f"{HEAD}{FORGET}{in_turn([ODD[name] for name in names])}")
    check(path, "target", tuple((which, *values) for which in range(len(names)) for values in INPUTS))


# What is not followed, and why.
REFUSED = {
    "int v[6] = {[0 ... 3] = a && b}; return v[2] || c;": "it does not compile once it is marked: cannot compile this GNU array range",
    "int v[(a && b) + 1]; return sizeof v > 4 || c;": "it is an array bound",
    "static int x, y; return *((a ? b : 0) ? &x : &y) || c;": "marking it would change the compiled code",
    "return (a ?: b) && c;": "its value is both used and tested",
}


@pytest.mark.parametrize("body", REFUSED)
def test_a_decision_that_is_not_followed_says_why_and_leaves_the_others_alone(body: str, tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    path.write_text(f"int target(int a, int b, int c) {{ if (a || b) c++; {body} }}\n")
    unit, marked = marked_vectors(path, "target", INPUTS)
    problems = [each.problem for each in unit.marks.decisions if each.problem]
    assert len(problems) == 1 and REFUSED[body] in problems[0]
    twin = twin_vectors(path, unit, "target", INPUTS, path.parent)
    assert marked == twin and sum(map(bool, marked)) == len(unit.marks.decisions) - 1


def test_old_style_definitions(tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    path.write_text("target(a, b, c) int a; int b, c; { if (a && b) return 1; return b || c; }\n")
    check(path, "target", INPUTS, flags=("-std=gnu89",))


def test_new_c(tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    body = "constexpr int n = 3; auto x = a > n; bool y = b; if (x && !y) return 1; return nullptr == (void *)0 && c;"
    path.write_text(f"[[nodiscard]] static int helper(int x);\nint target(int a, int b, int c) {{ {body} }}\n")
    check(path, "target", INPUTS, flags=("-std=c23",))


def test_a_body_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "body.inc").write_text("if (a && b) return 1;\nreturn b || c;\n")
    (tmp_path / "function.h").write_text('int target(int a, int b, int c)\n{\n#include "body.inc"\n}\n')
    path = tmp_path / "unit.c"
    path.write_text('#include "function.h"\nint other(int a) { return a && 1; }\n')
    check(path, "target", INPUTS)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    text = (
        'int target(int a, int b, int c) { const char *s = "\xe4\xf6"; return (a && b) || s[c & 1] == (char)0xf6; }\n'
    )
    path.write_bytes(text.encode("latin-1"))
    check(path, "target", INPUTS)


RANDOM_INPUTS = tuple(itertools.product((-3, 0, 1, 2), repeat=4))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4 if IS_FULL else 2))
def test_random_control(number: int, tmp_path: Path) -> None:
    """Two functions; TIGHTROPE_FULL=1: four. Of some 50 decisions, one may be `(x ? y : z) ? &g1 : &g2`, which clang
    selects."""
    path = tmp_path / "unit.c"
    path.write_text(random_functions(0, 4).replace("g1 = 3, g2 = 8", "g1, g2"))  # as inputs that are 0
    check(path, f"f{number}", RANDOM_INPUTS, lost=2)


@pytest.mark.skipif(not is_installed(), reason="csmith is not installed (Debian: csmith, libcsmith-dev)")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4 if IS_FULL else 3))
def test_programs_of_csmith(seed: int, tmp_path: Path) -> None:
    """Two of them; TIGHTROPE_FULL=1: three."""
    path = tmp_path / "unit.c"
    path.write_text(csmith_program(seed).text)
    check(path, "target", ((0, 0, 0), (1, 2, 3)), flags=(CSMITH_FLAGS,))
