"""Which objectives `branch` asks for, and the words for them."""

from __future__ import annotations

from textwrap import dedent

import pytest
from criteria_check import check_objectives, compile_function, objectives_of

from tightrope.program.flow.points import number_points

SNIPPETS = {
    "short circuit": (
        """\
        int f(int a, _Bool b) {
          if (a > 3 && !b)
            return 1;
          return 0;
        }""",
        """\
        +1.9:true  a > 3 is true
        +1.9:false  a > 3 is false
        +1.17:true  b is true
        +1.17:false  b is false
        """,
    ),
    "loops": (
        """\
        int f(int a, int b) {
          while (a && b > 2) a--;
          do { b--; } while (b > 0);
          for (int i = 0; i < 3; i++) a++;
          for (;;) { if (a++) break; }
          return a;
        }""",
        """\
        +1.10:true  a is true
        +1.10:false  a is false
        +1.17:true  b > 2 is true
        +1.17:false  b > 2 is false
        +2.24:true  b > 0 is true
        +2.24:false  b > 0 is false
        +3.21:true  i < 3 is true
        +3.21:false  i < 3 is false
        +4.19:true  a++ is true
        +4.19:false  a++ is false
        """,
    ),
    "switch": (
        """\
        enum color { RED, GREEN = 5, BLUE };
        #define LIMIT 40
        enum { HIDDEN = 77 };
        int f(enum color c, int k) {
          switch (c) {
          case RED:
          case GREEN: return 1;
          default: break;
          }
          switch (k) { case -1: case 'x': return 2; case LIMIT: return 3; case HIDDEN: return 4; }
          return 0;
        }""",
        """\
        +1.3:case-0  case RED (0)
        +1.3:case-5  case GREEN (5)
        +1.3:default  default
        +6.3:default  no case matches
        +6.3:case--1  case -1
        +6.3:case-120  case 'x'
        +6.3:case-40  case LIMIT (40)
        +6.3:case-77  case HIDDEN (77)
        """,
    ),
    "case range": (
        "int f(int k) { switch (k) { case 1 ... 2: return 1; case 200 ... 900: return 2; } return 0; }",
        """\
        +0.16:case-1  case 1
        +0.16:case-2  case 2
        +0.16:default  no case matches
        +0.71:true  case 200 ... 900 is taken
        +0.71:false  case 200 ... 900 is not taken
        """,
    ),
    "macro": (
        """\
        #define BOTH(x, y) ((x) > 1 && (y) < 2)
        int f(int a, int b) { if (BOTH(a, b)) return 1; return 0; }""",
        """\
        +0.27:true  condition 1 of BOTH(a, b) is true
        +0.27:false  condition 1 of BOTH(a, b) is false
        +0.27:true#2  condition 2 of BOTH(a, b) is true
        +0.27:false#2  condition 2 of BOTH(a, b) is false
        """,
    ),
    "one condition of a macro": (
        """\
        #define NONE !count
        #define SOME(x) ((x) > 1)
        int g(int);
        int f(int a, int count, int (*p)(int)) {
          if (NONE) return 1;
          while (a && SOME(count)) a--;
          if (g(a) && p(a)) return 2;
          return g(a) ? 4 : 5;
        }""",
        """\
        +1.7:true  condition of NONE is true
        +1.7:false  condition of NONE is false
        +2.10:true  a is true
        +2.10:false  a is false
        +2.15:true  condition of SOME(count) is true
        +2.15:false  condition of SOME(count) is false
        +3.7:true  g(a) is true
        +3.7:false  g(a) is false
        +3.15:true  p(a) is true
        +3.15:false  p(a) is false
        +4.10:true  g(a) is true
        +4.10:false  g(a) is false
        """,
    ),
    "constant": (
        """\
        int f(int a) {
          int verbose = 0;
          if (verbose) return 1;
          if (verbose == 0 && a) return 2;
          while (1) if (a--) return 3;
        }""",
        """\
        +2.7:true  verbose is true  !
        +2.7:false  verbose is false
        +3.15:true  verbose == 0 is true
        +3.15:false  verbose == 0 is false  !
        +3.23:true  a is true
        +3.23:false  a is false
        +4.18:true  a-- is true
        +4.18:false  a-- is false
        """,
    ),
    "conditional operator": (
        "int f(int a, int b) { return a > b ? a : b; }",
        """\
        +0.32:true  a > b is true
        +0.32:false  a > b is false
        """,
    ),
    "operands of loops": (
        """\
        int f(int a, int b, _Bool c) {
          while (a && (b || c)) a--;
          for (; !(a || (b & 1)); ) a++;
          do a++; while (a < 9 &&
                         (b + 1));
          while (a && 0) b++;
          return a && b;
        }""",
        """\
        +1.10:true  a is true
        +1.10:false  a is false
        +1.16:true  b is true
        +1.16:false  b is false
        +1.21:true  c is true
        +1.21:false  c is false
        +2.12:true  a is true
        +2.12:false  a is false
        +2.18:true  b & 1 is true
        +2.18:false  b & 1 is false
        +3.20:true  a < 9 is true
        +3.20:false  a < 9 is false
        +4.19:true  b + 1 is true
        +4.19:false  b + 1 is false
        +5.3:true  a && 0 is true  !
        +5.3:false  a && 0 is false
        +5.10:true  a is true
        +5.10:false  a is false
        +6.10:true  a is true
        +6.10:false  a is false
        """,
    ),
    "constant of a condition that has the place of what is around it": (  # which may be false where the constant is true
        """\
        int f(int a, int b) {
          if ((1 ? a : b) ? a : b) return 1;
          if ((0 ? a : b) || a) return 2;
          return 3;
        }""",
        """\
        +1.7:true  constant condition of (1 ? a : b) is true
        +1.7:false  constant condition of (1 ? a : b) is false  !
        +1.12:true  a is true
        +1.12:false  a is false
        +1.16:true  b is true
        +1.16:false  b is false
        +1.21:true  a is true
        +1.21:false  a is false
        +1.25:true  b is true
        +1.25:false  b is false
        +2.12:true  a is true
        +2.12:false  a is false
        +2.16:true  b is true
        +2.16:false  b is false
        +2.19:true  constant condition of (0 ? a : b) || a is true  !
        +2.19:false  constant condition of (0 ? a : b) || a is false
        +2.22:true  a is true
        +2.22:false  a is false
        """,
    ),
    "conditional operator with constants": (
        """\
        #define PICK(x) ((x) ? 7 : 9)
        int f(int a, int b) {
          int k = a & 1 ? 4 : 5;
          k += a && b ? 4 : 5;
          k += a < 3 ? 1 : (b) ? 2 : 3;
          k += __builtin_ffs(a);
          return k + PICK(a);
        }""",
        """\
        +1.11:true  a & 1 is true
        +1.11:false  a & 1 is false
        +2.8:true  a is true
        +2.8:false  a is false
        +2.13:true  b is true
        +2.13:false  b is false
        +3.10:true  a < 3 is true
        +3.10:false  a < 3 is false
        +3.20:true  b is true
        +3.20:false  b is false
        +5.14:true  condition of PICK(a) is true
        +5.14:false  condition of PICK(a) is false
        """,
    ),
    "conditional operator in a condition": (
        """\
        int f(int a, int c) {
          if (c ? a > 2 : 0) return 1;
          while (c ? a > 2 : 0) a--;
          int ok = a && c;
          if (ok) return 2;
          return 0;
        }""",
        """\
        +1.7:true  c is true
        +1.7:false  c is false
        +1.13:true  a > 2 is true
        +1.13:false  a > 2 is false
        +2.3:true  c ? a > 2 : 0 is true
        +2.3:false  c ? a > 2 : 0 is false
        +2.10:true  c is true
        +2.10:false  c is false
        +3.12:true  a is true
        +3.12:false  a is false
        +4.7:true  ok is true
        +4.7:false  ok is false
        """,
    ),
    "nothing to decide": ("int f(int a) { return a + 1; }", ""),
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_objectives(name: str) -> None:
    text, expected = SNIPPETS[name]
    check_objectives(text, "branch", expected)


def test_ids_do_not_move_when_the_file_is_edited_elsewhere() -> None:
    text = SNIPPETS["short circuit"][0]
    before = [each.id for each in objectives_of(text, "branch")]
    after = [each.id for each in objectives_of(f"int other;\n\n\n{text.replace('        ', '')}", "branch")]
    assert [each.split(":")[-1] for each in before] == [each.split(":")[-1] for each in after]
    assert [each.split(".")[0] for each in before] == [each.split(".")[0] for each in after]


@pytest.mark.parametrize("name", SNIPPETS)
def test_each_objective_has_its_own_id_and_points(name: str) -> None:
    for criteria in (("branch",), ("branch", "statement")):
        found = objectives_of(SNIPPETS[name][0], *criteria)
        assert len({each.id for each in found}) == len(found)
        assert all(each.points and each.sentence for each in found)
    branch = objectives_of(SNIPPETS[name][0], "branch")
    assert len({each.points for each in branch}) == len(branch)


def test_every_side_of_the_function_is_asked_for() -> None:
    text = dedent(SNIPPETS["switch"][0])
    function = compile_function(text)
    sides = {number for (_, _, side), number in number_points([function]).numbers.items() if side is not None}
    assert {each.points[0] for each in objectives_of(text, "branch")} == sides


def test_sentences_read_well() -> None:
    sentences = {each.sentence for each in objectives_of(SNIPPETS["switch"][0], "branch")}
    assert "no test takes case RED (0)" in sentences
    assert "no test takes the default" in sentences
    assert "in no test `a > 3` is true" in {e.sentence for e in objectives_of(SNIPPETS["short circuit"][0], "branch")}
