"""Decisions of small functions, as a table: C above, what must be found below.

A line is `role text = tree`; conditions follow where the text does not show them: `[a | b > 3]`, a constant with its
value as `0:false`, `!` before a problem.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tightrope.program.decisions.boolean_tree import (
    And,
    Both,
    Choice,
    ConditionRef,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
)
from tightrope.program.decisions.decisions import Condition, Decision, recover_decisions
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax

HEAD = """
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#define BOTH(x, y) ((x) && (y))
#define EACH(x) BOTH(x, (x) > 3)
#define TWO(x, y) do { if (x) y = !y; if (y) x = 0; } while (0)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define LIMIT 10
#define MAX(x, y) ((x) > (y) ? (x) : (y))
enum colour { RED, GREEN = 5, BLUE };
struct point { int x, y; unsigned flag : 1; };
struct list { struct list *next; int value; };
int call(int), (*pointer)(int);
bool ask(int);
"""

SIGNS = {And: "&&", Or: "||", Both: "&", Either: "|", Differ: "^", Same: "=="}

CASES = {
    # --- controlling expressions -------------------------------------------------------------------------------
    "if_": ("int if_(int a) {\n  if (a) return 1;\n  return 0;\n}", "if a = 0"),
    "if_else": ("int if_else(int a, int b) { if (a) ; else if (b) ; return 0; }", "if a = 0\nif b = 0"),
    "while_": ("void while_(int a) { while (a-- > 0) ; }", "while a-- > 0 = 0"),
    "do_": ("void do_(int a) { do a++; while (a < 3 && a); }", "do a < 3 && a = 0 && 1"),
    "for_": ("void for_(int a) { for (int i = 0; i < a || !i; i++) ; }", "for i < a || !i = 0 || !1 [i < a | i]"),
    "for_ever": ("void for_ever(int a) { for (;;) if (a) break; }", "if a = 0"),
    "for_step": ("void for_step(int a, int b) { for (a = !b; a; b = a && b) ; }",
                 "value !b = !0 [b]\nfor a = 0\nvalue a && b = 0 && 1"),
    "conditional": ("int conditional(int a, int b) { return a ? b : 3; }", "?: a = 0"),
    "conditional_void": ("void conditional_void(int a) { a ? (void)call(1) : (void)0; }", "?: a = 0"),
    "forever": ("void forever(int a) { while (1) if (a) break; }", "while 1 = 0 [1:true]\nif a = 0"),
    "once": ("void once(int a) { do a++; while (0); }", "do 0 = 0 [0:false]"),
    "switch_": ("int switch_(int a, int b) { switch (a && b) { case 1: return 2; } return 0; }",
                "switch a && b = 0 && 1"),
    "switch_bool": ("int switch_bool(bool a, int b) { switch (a) { case 1: switch (b < 2) { default:; } } return 0; }",
                    "switch a = 0\nswitch b < 2 = 0"),
    "switch_number": ("int switch_number(int a) { switch (a) { case 1 && 1: return 2; } return 0; }", ""),
    # --- values --------------------------------------------------------------------------------------------------
    "assigned": ("int assigned(int a, int b) { int x; x = a && b; return x; }", "value a && b = 0 && 1"),
    "initialised": ("int initialised(int a, int b) { int x = !a, y = a || b; return x + y; }",
                    "value !a = !0 [a]\nvalue a || b = 0 || 1"),
    "returned": ("int returned(int a, int b) { return a || b; }", "value a || b = 0 || 1"),
    "argument": ("int argument(int a, int b) { return call(a && b); }", "value a && b = 0 && 1"),
    "through_pointer": ("int through_pointer(int a, int b) { return pointer(a && b) && (*pointer)(b); }",
                        ("value pointer(a && b) && (*pointer)(b) = 0 && 1\n"
                        "value a && b = 0 && 1")),
    "index": ("int index(int *t, int a, int b) { return t[a && b] + t[!a]; }",
              "value a && b = 0 && 1\nvalue !a = !0 [a]"),
    "index_tested": ("int index_tested(int *t, int a, int b) { return t[a || b] && b; }",
                     "value t[a || b] && b = 0 && 1\nvalue a || b = 0 || 1"),
    "arithmetic": ("int arithmetic(int a, int b) { return (a && b) + 2 * !b; }",
                   "value a && b = 0 && 1\nvalue !b = !0 [b]"),
    "discarded": ("void discarded(int a, int b) { a && call(b); }", "value a && call(b) = 0 && 1"),
    "designated": ("int designated(int a, int b) { struct point p = {.y = a && b, .x = !b}; return p.x; }",
                   "value a && b = 0 && 1\nvalue !b = !0 [b]"),
    "filled": ("int filled(int a, int b) { int t[9] = {a && b, [5] = !a}; return t[0]; }",
               "value a && b = 0 && 1\nvalue !a = !0 [a]"),
    "repeated": ("int repeated(int a, int b) { int t[9] = {[1 ... 4] = a && b}; return t[0]; }",
                 "value a && b = 0 && 1"),
    "literal": ("int literal(int a, int b) { return ((struct point){a && b, 2, !a}).x + *(int[]){a || b}; }",
                "value a && b = 0 && 1\nvalue !a = !0 [a]\nvalue a || b = 0 || 1"),
    "statements": ("int statements(int a, int b) { return ({ int x = a && b; if (x) b++; !b; }); }",
                   "value a && b = 0 && 1\nif x = 0\nvalue !b = !0 [b]"),
    "statements_tested": ("int statements_tested(int a, int b) { if (({ int x = a; x || b; })) return 1; return 0; }",
                          "if ({ int x = a; x || b; }) = 0\nvalue x || b = 0 || 1"),
    "computed_goto": ("int computed_goto(int a, int b) { goto *(a && b ? &&x : &&y); x: return 1; y: return 2; }",
                      "?: a && b = 0 && 1"),
    "assembly": ('int assembly(int a, int b) { __asm__("" : "+r"(a) : "r"(a || b)); return a; }',
                 "value a || b = 0 || 1"),
    # --- trees ---------------------------------------------------------------------------------------------------
    "nested": ("int nested(int a, int b, int c) { return call(a && b) && c; }",
               "value call(a && b) && c = 0 && 1\nvalue a && b = 0 && 1"),
    "precedence": ("int precedence(int a, int b, int c) { return a || b && c; }",
                   "value a || b && c = 0 || (1 && 2) [a | b | c]"),
    "grouped": ("int grouped(int a, int b, int c) { return ((a) || (b)) && !(c); }",
                "value ((a) || (b)) && !(c) = (0 || 1) && !2 [a | b | c]"),
    "negated": ("int negated(int a, int b) { if (!(a && b)) return 1; return !!a; }",
                "if !(a && b) = !(0 && 1) [a | b]\nvalue !!a = !!0 [a]"),
    "assignment": ("int assignment(int a, int b, int c) { if ((c = a && b) && (c += 2)) return 1; return 0; }",
                   "if (c = a && b) && (c += 2) = 0 && 1 [c = a && b | c += 2]\nvalue a && b = 0 && 1"),
    "comma": ("int comma(int a, int b) { while (a = !b, a && b) ; return (b++, a) && b; }",
              "value !b = !0 [b]\nwhile a && b = 0 && 1\nvalue (b++, a) && b = 0 && 1 [a | b]"),
    "comma_bool": ("int comma_bool(bool a, int b) { if (b && (b++, a)) return 1; return 0; }",
                   "if b && (b++, a) = 0 && 1 [b | a]"),
    "comma_left": ("void fail(void); int comma_left(int a, int b) { return (a || (fail(), 0)) && b; }",
                   ("value (a || (fail(), 0)) && b = (0 || 1) && 2 [a | 0:false | b]"
                    " !it contains a call before a constant (`f(), 1`), and the call may not return")),
    "comma_first": ("void fail(void); int comma_first(int a) { return (fail(), 1) && a; }",
                    "value (fail(), 1) && a = 0 && 1 [1:true | a]"),
    "choice": ("int choice(int a, int b, int c) { if (a ? b < c : !b) return 1; return 0; }",
               "if a ? b < c : !b = 0 ? 1 : !2 [a | b < c | b]"),
    "choice_of_numbers": ("int choice_of_numbers(int a, int b, int c) { if (a ? b : c) return 1; return 0; }",
                          "if a ? b : c = 0 ? 1 : 2 [a | b | c]"),
    "choice_computed": ("void choice_computed(int a, int b, int c) { while (a ? b : c) c--; }",
                        "while a ? b : c = 0\n?: a = 0"),
    "choice_with_constant": ("int choice_with_constant(int a, int b) { return (a ? b < 3 : 0) && b; }",
                             "value (a ? b < 3 : 0) && b = (0 ? 1 : 2) && 3 [a | b < 3 | 0:false | b]"),
    "chosen": ("int chosen(int a, int b) { return a && b ? a || b : 0; }",
               "?: a && b = 0 && 1\nvalue a || b = 0 || 1"),
    "omitted": ("int omitted(int a, int b) { return a ?: b && a; }",
                "?: a = 0 !its value is both used and tested (`a ?: b`), so it cannot be followed\nvalue b && a = 0 && 1"),
    "omitted_boolean": ("int omitted_boolean(int a, int b) { return (a < b) ?: b; }", "?: a < b = 0"),
    "omitted_tree": ("int omitted_tree(int a, int b) { return (a && b) ?: b; }", "?: a && b = 0 && 1"),
    # --- operators between Booleans ------------------------------------------------------------------------------
    "exclusive": ("int exclusive(int a, int b, bool c) { if ((a < b) ^ c) return 1; return 0; }",
                  "if (a < b) ^ c = 0 ^ 1 [a < b | c]"),
    "same": ("int same(bool a, bool b, int c) { if (a == b && c != 3) return 1; return 0; }",
             "if a == b && c != 3 = (0 == 1) && 2 [a | b | c != 3]"),
    "differ": ("int differ(int a, int b) { return (a < 3) != !b; }",
               "value (a < 3) != !b = 0 ^ !1 [a < 3 | b]"),
    "both": ("int both(bool a, bool b, int c) { return (a & b) | (c > 2); }",
             "value (a & b) | (c > 2) = (0 & 1) | 2 [a | b | c > 2]"),
    "bits": ("int bits(int a, int b) { if (a & b) return a ^ b; return a == b; }", "if a & b = 0\nvalue a == b = 0"),
    "with_constant": ("int with_constant(bool a) { if (a == true) return a & 1; return (a < 2) == 0; }",
                      "if a == true = 0\nvalue (a < 2) == 0 = 0"),
    "casts": ("int casts(int a, int b) { if ((int)(a && b)) return (bool)a; return (char)(a < b) == !a; }",
              ("if (int)(a && b) = 0 && 1 [a | b]\nvalue (bool)a = 0\n"
               "value (char)(a < b) == !a = 0 == !1 [a < b | a]")),
    # --- Booleans that are only values ---------------------------------------------------------------------------
    "compared": ("int compared(int a, int b) { int t[2] = {0}, ok = a == b; ok += t[a > 3]; return a < b; }",
                 "value a == b = 0\nvalue a > 3 = 0\nvalue a < b = 0"),
    "as_bool": ("bool as_bool(double d, char *p, int n) { bool a = d, b = p; return a ? b : n & 4; }",
                "value d = 0\nvalue p = 0\nvalue a ? b : n & 4 = 0\n?: a = 0"),
    "passed": ("int passed(int a, struct point *p) { p->x = a != 3; return call(a > 3) + call((bool)(a > 4)); }",
               "value a != 3 = 0\nvalue a > 3 = 0\nvalue a > 4 = 0"),
    "copied": ("bool copied(bool a, int b) { bool c = a; (void)b; return c ? true : 0; }", "?: c = 0"),
    "inside": ("int inside(int a, int b) { if (a == (b > 3)) return 1; return (a < b) + (bool)(a > b) == 2; }",
               ("if a == (b > 3) = 0\nvalue b > 3 = 0\nvalue (a < b) + (bool)(a > b) == 2 = 0\n"
                "value a < b = 0\nvalue a > b = 0")),
    "through": ("int through(int a, int b) { if ((bool)(a > b)) return 1; return (a > b) == 1; }",
                "if (bool)(a > b) = 0\nvalue (a > b) == 1 = 0"),
    "folded": ("bool folded(void) { int a = 3 > 2; bool b = 7; return true; }", ""),
    # --- implicit tests ------------------------------------------------------------------------------------------
    "tests": (("int tests(double d, float f, char *p, struct point *q, _Complex double z) {\n"
              "  return d && f && p && q->flag && *p && z;\n}"),
              ("value d && f && p && q->flag && *p && z = ((((0 && 1) && 2) && 3) && 4) && 5")),
    "typedefs": ("typedef _Bool truth; int typedefs(truth a, const truth b) { return a == b; }",
                 "value a == b = 0 == 1 [a | b]"),
    # --- macros --------------------------------------------------------------------------------------------------
    "macro": ("int macro(int a, int b) { return BOTH(a, b); }", "value (a) && (b) = 0 && 1 [a | b]"),
    "nested_macro": ("int nested_macro(int a) {\n  if (EACH(a) || a == LIMIT) return 1;\n  return 0;\n}",
                     "if EACH(a) || a == LIMIT = (0 && 1) || 2 [a | (a) > 3 | a == LIMIT]"),
    "two_in_a_macro": ("void two_in_a_macro(int a, int b) { TWO(a, b); }",
                       "if a = 0\nvalue !b = !0 [b]\nif b = 0\ndo 0 = 0 [0:false]"),
    "macro_and_more": ("int macro_and_more(int a, char *p) { return p == NULL || MAX(a, 3) > LIMIT; }",
                       ("value p == NULL || MAX(a, 3) > LIMIT = 0 || 1\n"
                       "?: (a) > (3) = 0")),
    "expected": ("int expected(int a, int b) { if (LIKELY(a && b)) return 1; return __builtin_expect(a, 1) && b; }",
                 ("if __builtin_expect(!!(a && b), 1) = !!(0 && 1) [a | b]\n"
                 "value __builtin_expect(a, 1) && b = 0 && 1")),
    "asserted": ("void asserted(int a, char *p) { assert(a > 0 && p); }", "assert a > 0 && p = 0 && 1"),
    # --- constants -----------------------------------------------------------------------------------------------
    "constants": ("int constants(int a) { if (0 && a || sizeof(int) == 4 && LIMIT - 10) return 1; return a && BLUE; }",
                  ("if 0 && a || sizeof(int) == 4 && LIMIT - 10 = (0 && 1) || (2 && 3) "
                  "[0:false | a | sizeof(int) == 4:true | LIMIT - 10:false]\n"
                  "value a && BLUE = 0 && 1 [a | BLUE:true]")),
    "floats": ("int floats(int a) { return a && 0.5 && 0.0; }", "value a && 0.5 && 0.0 = (0 && 1) && 2 [a | 0.5:true | 0.0:false]"),
    # --- never evaluated -----------------------------------------------------------------------------------------
    "unevaluated": (("int unevaluated(int a, int b) {\n  static int s = 1 && 2;\n  enum { E = 1 || 0 };\n"
                    "  _Static_assert(1 && 1, \"\");\n  struct { int m : 1 && 1; char t[1 || 0]; } x;\n  (void)x;\n"
                    "  return s + sizeof(a && b) + sizeof(__typeof__(a || b)) + __builtin_constant_p(a && b) + E;\n}"), ""),
    "generic": ("int generic(int a, int b) { return _Generic(a && b, int: a || b, default: !a); }",
                "value a || b = 0 || 1"),
    "generic_tested": ("int generic_tested(int a, int b) { if (_Generic(a, int: a || b, default: 0)) return 1; return 0; }",
                       "if a || b = 0 || 1"),
    "chosen_before": ("int chosen_before(int a, int b) { return __builtin_choose_expr(sizeof(int) == 4, a && b, !a); }",
                      "value a && b = 0 && 1"),
    "bound": ("int bound(int a, int b) { int t[1 + (a && b)]; return sizeof t; }",
              "value 1 + (a && b) = 0 !it is an array bound, which the compiler's syntax tree does not show"),
    "bounds": ("int bounds(int a, int b) { int t[1 + (a && b)][2 - !a]; return sizeof t; }",
               ("value 1 + (a && b) = 0 !it is an array bound, which the compiler's syntax tree does not show\n"
               "value 2 - !a = 0 !it is an array bound, which the compiler's syntax tree does not show")),
    "hidden": ("int hidden(int a) { enum { GREEN }; return a && GREEN; }", "value a && GREEN = 0 && 1 [a | GREEN:false]"),
    "asserted_by_or": ("void asserted_by_or(int a, int b) { (void)((a || b) || (__assert_fail(\"\", \"\", 1, \"\"), 0)); }",
                       "assert a || b = 0 || 1"),
    "asserted_by_choice": ("void asserted_by_choice(int a) { a ? (void)0 : __assert_fail(\"\", \"\", 1, \"\"); }", "assert a = 0"),
    # --- how functions are written -------------------------------------------------------------------------------
    "old_style": ("int old_style(a, b) int a; char *b; { return a && b; }", "value a && b = 0 && 1"),
    "attributes": ("__attribute__((noinline)) static int attributes(int a) { return !a; }\nint use_it(void) { return attributes(1); }",
                   "value !a = !0 [a]"),
    "made_by_macro": ("#define MAKE(name) int name##_by_macro(int a, int b) { return a && b; }\nMAKE(made)",
                      "value a && b = 0 && 1"),
    "recursive": ("int recursive(int a) { return a > 0 && recursive(a - 1); }",
                  "value a > 0 && recursive(a - 1) = 0 && 1"),
    "accents": ("int accents(const char *s) { /* é */ return s != \"é\" && s[0] == 'x'; }",
                "value s != \"é\" && s[0] == 'x' = 0 && 1"),
}  # fmt: skip

TEXT = HEAD + "\n".join(c for c, _ in CASES.values()) + "\n"
MACROS = ("BOTH(", "EACH(", "TWO(", "LIKELY(", "MAX(", "MAKE(", "assert(")


def show_tree(tree: Tree, is_inside: bool = False) -> str:
    match tree:
        case ConditionRef(index):
            return str(index)
        case Not(operand):
            return f"!{show_tree(operand, True)}"
        case Choice(chooser, then, otherwise):
            shown = " ".join((show_tree(chooser, True), "?", show_tree(then, True), ":", show_tree(otherwise, True)))
        case _:
            shown = f"{show_tree(tree.left, True)} {SIGNS[type(tree)]} {show_tree(tree.right, True)}"
    return f"({shown})" if is_inside else shown


def show_condition(condition: Condition) -> str:
    return condition.text + {None: "", True: ":true", False: ":false"}[condition.constant]


def show(decision: Decision) -> str:
    conditions = [show_condition(each) for each in decision.conditions]
    shown = f"{decision.role} {decision.text} = {show_tree(decision.tree)}"
    if " && ".join(conditions) != decision.text and " || ".join(conditions) != decision.text:
        shown += f" [{' | '.join(conditions)}]"
    return shown + (f" !{decision.problem}" if decision.problem else "")


@cache
def decisions_of_all() -> dict[str, tuple[Decision, ...]]:
    with TemporaryDirectory() as folder:
        unit = Path(folder).resolve() / "unit.c"
        unit.write_text(TEXT, encoding="utf-8")
        found = find_syntax(find_compiler(), f'#include "{unit}"\n', list(CASES))
        return {name: recover_decisions(syntax, f"@{name}", {"GREEN": 5, "BLUE": 6}) for name, syntax in found.items()}


@pytest.mark.parametrize("name", CASES)
def test_decisions(name: str):
    assert "\n".join(map(show, decisions_of_all()[name])) == CASES[name][1]


def test_branching_decisions_alone() -> None:
    """What has an operator counts wherever it stands."""
    text = "int f(int a, int b) { int ok = a == b; if (a > 3) ok = !b; return a < b && call(a > 4) || t[a != b] > 3; }"
    found = find_syntax(find_compiler(), f"int call(int), t[2];\n{text}\n", ["f"])["f"]
    shown = [show(each) for each in recover_decisions(found, "@f", is_branching_only=True)]
    assert shown == [
        "if a > 3 = 0",
        "value !b = !0 [b]",
        "value a < b && call(a > 4) || t[a != b] > 3 = (0 && 1) || 2 [a < b | call(a > 4) | t[a != b] > 3]",
    ]


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("bound")])
def test_places(name: str):
    """Each place has the first word of what is there, or of the macro that makes it."""
    lines = TEXT.split("\n")
    for decision in decisions_of_all()[name]:
        for each in (decision, *decision.conditions):
            there = lines[each.location.line - 1].encode()[each.location.column - 1 :].decode()
            assert there.startswith((each.text, *MACROS)), (each.text, there)
