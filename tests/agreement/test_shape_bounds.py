"""Infeasible against brute force, for inputs that have a shape: strings, lists, arrays and pointers that may be NULL or
share an object. Callers are simulated with longer strings, longer lists and more sharing than the shape has: what one of
them reaches must not be called infeasible. Each kind of shape has one function; TIGHTROPE_FULL=1: two."""

from __future__ import annotations

import json
import os
import random
import subprocess
from dataclasses import dataclass

import pytest

from tightrope import cli
from tightrope.source.toolchain import find_compiler

ZIG = [*find_compiler(environment={}).command, "-fno-sanitize=undefined", "-O1", "-w"]


@dataclass(frozen=True)
class Family:
    """Functions that begin alike; random branches follow, over numbers from `atoms`."""

    signature: str
    begin: str
    atoms: tuple[str, ...]
    effects: tuple[str, ...]
    callers: str  # C that calls CALL(arguments) with many inputs


STRING = Family(
    "const char *s",
    "int n = 0, c = 0, k; if (!s) return -1; for (; s[n]; n++) c += s[n] == 'a';",
    ("n", "c", "n - c", "s[0]", "s[n ? n - 1 : 0]", "k"),
    ("k = n", "k = c"),
    """char s[16]; CALL(0);
    for (int length = 0; length <= 11; length++)
        for (int bits = 0; bits < 1 << length; bits++) {
            for (int at = 0; at < length; at++) s[at] = bits >> at & 1 ? 'a' : 'b';
            s[length] = 0; CALL(s);
        }""",
)
COPY = Family(
    "const char *s",
    "char t[32] = {0}; int n = 0, k = 0; if (!s || strlen(s) > 20) return -1; strcpy(t, s); n = (int)strlen(t);",
    ("n", "t[1]", "t[9]", "t[3] - t[2]", "k"),
    ("k = t[8]", "t[4] = 0, n = (int)strlen(t)", "t[8] = 'c'"),
    STRING.callers,
)
LIST = Family(
    "struct node *l",
    "int n = 0, sum = 0, k; for (struct node *p = l; p && n < 9; p = p->next) n++, sum += p->value;",
    ("n", "sum", "sum - n", "(l ? l->value : 9)", "(l && l->next ? l->next->value : 8)", "(l && l->next == l)", "k"),
    ("k = n", "if (l) l->value = 2", "if (l && l->next) l->next->value = 3"),
    """struct node a[6]; CALL(0);
    for (int length = 1; length <= 6; length++)
        for (int bits = 0; bits < 1 << 2 * length; bits++)
            for (int loops = 0; loops < 2; loops++) {
                for (int at = 0; at < length; at++)
                    a[at].value = bits >> 2 * at & 3, a[at].next = at + 1 < length ? a + at + 1 : loops ? a : 0;
                CALL(a);
            }""",
)
ARRAY = Family(
    "const int *a, int n",
    "int c = 0, k; if (!a || n < 0) return -1; for (int i = 0; i < n; i++) c += a[i] > 2;",
    ("n", "c", "n - c", "(n ? a[0] : 5)", "(n > 9 ? a[9] : 0)", "k"),
    ("k = n", "k = c"),
    """int a[12] = {0}; CALL(0, 1);
    for (int length = 0; length <= 12; length++)
        for (int bits = 0; bits < 1 << length; bits++) {
            for (int at = 0; at < length; at++) a[at] = bits >> at & 1 ? 3 + at % 2 : at % 3;
            CALL(a, length);
        }""",
)
SHARED = Family(
    "int *p, int *q, struct pair *r",
    "int k; if (!p || !q || !r) return -1;",
    ("*p", "*q", "r->one", "r->two", "*p - *q", "(p == q)", "(q == &r->two)", "k"),
    ("*p = 1", "*q = 2", "*q += 1", "r->two = 4", "r->one = *p", "k = *q"),
    """struct pair x, y; int *places[] = {&x.one, &x.two, &y.one, 0}; struct pair *pairs[] = {&x, &y, 0};
    for (int bits = 0; bits < 1 << 8; bits++)
        for (int at = 0; at < 4 * 4 * 3; at++) {
            x.one = bits & 3, x.two = bits >> 2 & 3, y.one = (bits >> 4 & 3) + 1, y.two = bits >> 6 & 3;
            CALL(places[at % 4], places[at / 4 % 4], pairs[at / 16]);
        }""",
)
NESTED = Family(
    "struct outer *o",
    "int k = 0, d = 0; if (!o) return -1; d = 1 + !!o->in + (o->in && o->in->in);",
    ("d", "o->number", "(o->in ? o->in->number : 3)", "(d > 2 ? o->in->in->in != 0 : 2)", "(o->text ? o->text[0] : 1)",
     "(o->in == o)", "k"),
    ("k = d", "o->number = 2", "if (o->in) o->in->number = 1", "o->in = 0, d = 1"),
    """struct outer a[5]; char t[2];
    for (int length = 1; length <= 5; length++)
        for (int bits = 0; bits < 1 << 7; bits++) {
            for (int at = 0; at < length; at++) {
                a[at].number = bits >> at % 3 & 3;
                a[at].text = bits & 16 ? t : 0, t[0] = bits & 32 ? 'x' : 2, t[1] = 0;
                a[at].in = at + 1 < length ? a + at + 1 : bits & 64 ? a : 0;
            }
            CALL(a);
        }""",
)  # fmt: skip
RANGE = Family(
    "const char *begin, const char *end",
    "int k = 0, n = 0; if (!begin || !end) return -1; for (const char *p = begin; p < end; p++) n += *p == 'a';",
    ("n", "(int)(end - begin)", "(begin < end ? begin[0] : 7)", "(begin == end)", "(begin > end)", "k"),
    ("k = n", "k = (int)(end - begin)"),
    """char s[13] = "abaabbabaaba"; CALL(0, 0);
    for (int from = 0; from <= 12; from++) for (int to = 0; to <= 12; to++) CALL(s + from, s + to);
    memset(s, 'a', 12); for (int to = 0; to <= 12; to++) CALL(s, s + to);""",
)
OVERLAP = Family(
    "char *t, const char *s",
    "int k = 0; if (!t || !s || !t[0] || !s[0]) return -1;",
    ("t[0]", "s[0]", "s[1]", "t[1]", "s[1] - t[0]", "(t == s)", "(t + 1 == s)", "k"),
    ("t[1] = 'x'", "t[0] = s[1]", "t[1] = 0", "k = s[0]", "k = t[1]"),
    """char u[8], v[8];
    for (int bits = 0; bits < 1 << 10; bits++)
        for (int at = 0; at < 9; at++) {
            for (int i = 0; i < 4; i++) u[i] = "abx\1"[bits >> 2 * i & 3], v[i] = "xb\1a"[(bits >> 2 * i & 3) ^ bits >> 8];
            u[4] = v[4] = 0;
            CALL(u + at % 3, at > 5 ? v + at % 2 : u + at / 3);
        }""",
)
GLOBALS = Family(
    "int *p",
    "int k = 0, n = 0; if (!p) return -1; for (struct node *q = head; q && n < 9; q = q->next) n++;",
    ("n", "*p", "level", "(head ? head->value : 4)", "*p - level", "(p == &level)", "(head && p == &head->value)", "k"),
    ("*p = 1", "level = 2", "k = n", "if (head) head->value = 3", "k = level"),
    """struct node a[6]; int other;
    for (int length = 0; length <= 6; length++)
        for (int bits = 0; bits < 1 << 8; bits++)
            for (int at = 0; at < 3; at++) {
                for (int i = 0; i < length; i++) a[i].value = bits >> i & 3, a[i].next = i + 1 < length ? a + i + 1 : 0;
                head = length ? a : 0, level = bits >> 4 & 3, other = bits >> 6;
                CALL(at == 0 ? &other : at == 1 ? &level : &a[0].value);
            }""",
)
BYTES = Family(
    "void *v, unsigned char *w",
    "struct pair *p = v; int k = 0; if (!v || !w) return -1;",
    ("p->one", "p->two", "w[0]", "w[1]", "p->one - w[0]", "((unsigned char *)v)[4]", "k"),
    ("p->two = 3", "w[0] = 2", "k = p->one", "memcpy(&p->one, w, 1)", "w[1] = 0"),
    """struct pair x; unsigned char other[9];
    for (int bits = 0; bits < 1 << 10; bits++)
        for (int at = 0; at < 3; at++) {
            x.one = bits & 3, x.two = bits >> 2 & 3;
            for (int i = 0; i < 9; i++) other[i] = bits >> (4 + i % 5) & 3;
            CALL(&x, at ? (unsigned char *)&x + 4 * (at - 1) : other);
        }""",
)
FAMILIES = (STRING, LIST, SHARED, RANGE, GLOBALS, COPY, ARRAY, NESTED, OVERLAP, BYTES)
HEAD = """#include <string.h>
struct node { int value; struct node *next; };
struct pair { int one, two; };
struct outer { int number; struct outer *in; char *text; };
static struct node *head;
static int level;
"""


class Writer:
    """Random branches, each on a line of its own."""

    def __init__(self, family: Family, seed: int) -> None:
        self.family, self.random = family, random.Random(seed)

    def condition(self) -> str:
        left, right = self.random.choice(self.family.atoms), self.random.choice((*self.family.atoms, "", "", ""))
        number = self.random.choice((0, 1, 2, 3, 4, 8, 9, 10, 97))
        return f"{left} {self.random.choice(('<', '>', '==', '!='))} {right or number}"

    def statements(self, depth: int) -> list[str]:
        if not depth:
            return [f"{self.random.choice(self.family.effects)};", f"k ^= {self.random.randint(1, 9)};"]
        inside, other = self.statements(depth - 1), self.statements(depth - 1)
        if self.random.random() < 0.5:
            inside = [f"if ({self.condition()}) {{", "k += 3;", "}", *inside]
        return [
            f"{self.random.choice(self.family.effects)};",
            f"if ({self.condition()}) {{",
            *inside,
            "} else {",
            *other,
            "}",
        ]

    def function(self, name: str) -> list[str]:
        return [
            f"int {name}({self.family.signature}) {{",
            f"{self.family.begin} k = 0;",
            *self.statements(2),
            "return k; }",
        ]


def marked(lines: list[str]) -> list[str]:
    """The same lines, which say what was taken: `if (HIT(7, x < 3)) {`."""
    found = []
    for number, line in enumerate(lines, 1):
        is_branch = line.startswith("if (") and line.endswith(") {")
        found.append(f"if (HIT({number}, {line[4:-3]})) {{" if is_branch else line)
    return found


def taken(lines: list[str], functions: dict[str, Family], folder) -> set[tuple[int, str]]:
    """Line and text of each branch that some caller reaches; conditions inside of others are not looked at."""
    text = f"#include <stdio.h>\nstatic char hits[{len(lines) + 1}][2];\n"
    text += "static int hit(int line, int side) { return hits[line][side] = 1, side; }\n"
    text += "#define HIT(line, condition) hit(line, !!(condition))\n" + "\n".join(marked(lines)) + "\n"
    for name, family in functions.items():
        text += f"#undef CALL\n#define CALL(...) {name}(__VA_ARGS__)\nstatic void call_{name}(void) {{ {family.callers} }}\n"
    calls = " ".join(f"call_{name}();" for name in functions)
    show = 'if (hits[line][side]) printf("%d %d\\n", line, side);'
    loops = f"for (int line = 0; line <= {len(lines)}; line++) for (int side = 0; side < 2; side++) {show}"
    (folder / "callers.c").write_text(f"{text}int main(void) {{ {calls} {loops} return 0; }}\n")
    subprocess.run([*ZIG, folder / "callers.c", "-o", folder / "callers"], check=True, timeout=60)
    shown = subprocess.run([folder / "callers"], check=True, timeout=60, capture_output=True, text=True).stdout
    seen = [(int(line), "true" if side == "1" else "false") for line, side in map(str.split, shown.splitlines())]
    return {(line, f"{lines[line - 1][4:-3]} is {side}") for line, side in seen}


@pytest.mark.parametrize("seed", range(4 if os.environ.get("TIGHTROPE_FULL") == "1" else 2))
def test_what_some_caller_reaches_is_not_infeasible(seed, tmp_path):
    lines, functions = HEAD.splitlines(), {}
    half = FAMILIES[:5] if seed % 2 else FAMILIES[5:]
    for number, family in enumerate(half):
        functions[f"f{number}"] = family
        lines += Writer(family, 100 * seed + number).function(f"f{number}")
    (tmp_path / "unit.c").write_text("\n".join(lines) + "\n")
    words = ["--time-limit", "0.5", "--no-confirm", "-q", "-c", "branch", "--json", str(tmp_path / "report.json")]
    assert cli.main(["generate", str(tmp_path / "unit.c"), "-o", str(tmp_path / "tests"), *words]) == 0
    reached = taken(lines, functions, tmp_path)
    units = json.loads((tmp_path / "report.json").read_text())["units"]
    assert [unit["function"] for unit in units] == list(functions)
    wrong = [
        f"{unit['function']} line {each['line']}: {each['text']}"
        for unit in units
        for each in unit["objectives"]
        if each["verdict"] == "infeasible" and (each["line"], each["text"]) in reached
    ]
    assert not wrong
    assert not any(unit["statistics"]["divergences"] for unit in units)
