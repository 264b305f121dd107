"""Which objectives `function` and `call` ask for."""

from __future__ import annotations

from criteria_check import check_objectives

HEAD = """\
#include <string.h>
#include <stdlib.h>
int g(int);
void h(void);
extern int (*pointer)(int);
#define BAIL(x) do { if (x) return -1; } while (0)
"""


def check(criterion: str, text: str, expected: str) -> None:
    check_objectives(HEAD + text, criterion, expected)


def test_each_return_is_an_exit() -> None:
    check(
        "function",
        """\
int f(int a) {
  if (a > 3) return 1;
  BAIL(a < 0);
  return a
    ? 2 : 3;
}
""",
        """\
        entry  f is called
        +1.14:exit  f is left by `return 1;`
        +2.3:exit  f is left by `BAIL(a < 0);`
        +3.3:exit  f is left by `return a`
        """,
    )


def test_only_return() -> None:
    check(
        "function",
        "int f(int a) { while (a > 3) a--; return a; }",
        """\
        entry  f is called
        +0.35:exit  f is left by `return a;`
        """,
    )


def test_end_of_the_body_is_an_exit_where_control_comes_to_it() -> None:
    check(
        "function",
        """\
void f(int a) {
  if (a) return;
  while (a < 3) { if (g(a)) return; a++; }
}
""",
        """\
        entry  f is called
        +1.10:exit  f is left by `return;`
        +2.29:exit  f is left by `return;`
        +3.1:exit  f is left by the end of the body
        """,
    )
    check("function", "void f(int a) { return; h(); }", "entry  f is called\n+0.17:exit  f is left by `return;`")
    check("function", "void f(void) { h(); }", "entry  f is called\n+0.21:exit  f is left by the end of the body")


def test_end_of_a_body_without_return() -> None:
    check(
        "function",
        "int f(int a) { if (a) return 1; if (a > 4) exit(3); }",
        """\
        entry  f is called
        +0.23:exit  f is left by `return 1;`
        +0.53:exit  f is left by the end of the body
        """,
    )


def test_function_that_is_never_left() -> None:
    check("function", "void f(void) { for (;;) h(); }", "entry  f is called")


def test_returns_behind_an_array_of_variable_length() -> None:
    check(
        "function",
        "int f(int n) { int a[n]; if (n > 3) return g(a[0]); h(); return 2; }",
        """\
        entry  f is called
        +0.37:exit  f is left by `return g(a[0]);`
        +0.58:exit  f is left by `return 2;`
        """,
    )


def test_calls() -> None:
    check(
        "call",
        """\
int f(int a, char *to) {
  struct { int x[40]; } one = { { 1 } }, two = one;
  if (g(a) + g(g(2)))
    memcpy(to, "abc", 4);
  BAIL(g(a));
  return pointer(a) + two.x[3];
}
""",
        """\
        +2.7:g  `g(a)` is called
        +2.14:g  `g(g(2))` is called
        +2.16:g  `g(2)` is called
        +3.5:memcpy  `memcpy(to, "abc", 4)` is called
        +4.8:g  `g(a)` is called
        +5.10:pointer  `pointer(a)` is called
        """,
    )


def test_call_over_several_lines() -> None:
    check("call", "int f(int a) {\n  return g(a\n    + 1);\n}\n", "+1.10:g  `g(...)` is called")
