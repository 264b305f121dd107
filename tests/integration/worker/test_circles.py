"""A run whose loop goes round in a circle is not followed to the limit of steps, and nothing else is different: the same
program without that is the twin."""

from __future__ import annotations

from random import Random

import pytest

from tightrope.running.memory_map import FLAG_EVENTS_FULL
from tightrope.running.run_record import Outcome
from tightrope.weaving import weave_function
from tightrope.weaving.weave_loops import NOTHING_WATCHED

from .conftest import StartUnit, Unit

CIRCLES = {
    "the same": ("int f(signed char i) { int n; for (n = 0; i; n++) i >>= 1; return n; }", (253,), (5,)),
    "a list": (
        (
            "struct node { const struct node *next; int v; };\n"
            "static const struct node ring[3] = {{&ring[1], 1}, {&ring[2], 2}, {&ring[1], 3}};\n"
            "int f(int v) { int n = 0; for (const struct node *at = ring; at && at->v != v; at = at->next) n++; return n; }"
        ),
        (7,),
        (3,),
    ),
    "a function that only computes": (
        (
            "static int next(int i) { for (int k = 0; k < 3; k++) i ^= k; return i & 3; }\n"
            "int f(int i) { while (i != 8) i = next(i); return 0; }"
        ),
        (1,),
        (8,),
    ),
    "a volatile variable": (
        "volatile int flag; int f(unsigned char i) { flag = i; while (flag) ; return 0; }",
        (3,),
        (0,),
    ),
    "a register": (
        "int f(int i) { while (i && !(*(volatile unsigned *)0x40000010 & 4)) *(volatile unsigned *)0x40000020 = 1; return i; }",
        (1,),
        (0,),
    ),
    "the last answer of a stub": (
        "int ready(int); void kick(void); int f(int i) { while (i && ready(i) != 7) kick(); return i; }",
        (1,),
        (0,),
    ),
    "two loops": (
        "int f(unsigned char i) { for (unsigned char k = 0; k != i; k += 2) for (int n = 0; n < 3; n++) ; return 0; }",
        (3,),
        (4,),
    ),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_it_is_noticed(start_unit: StartUnit, name: str) -> None:
    text, endless, ending = CIRCLES[name]
    unit = start_unit(text, "f")
    assert unit.run(*ending).ending.outcome is Outcome.RETURNED
    assert unit.run(*endless).ending.outcome is Outcome.TIMED_OUT
    trace = unit.runner.trace(endless + (0,) * (unit.slots - len(endless)))
    assert not trace.flags & FLAG_EVENTS_FULL
    assert trace.events


NO_CIRCLES = {
    "the first state comes again in another turn of the outer loop": (
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < 300; i++) for (int j = 0; j < 4; j++) s += j == n;"
        " return s; }"
    ),
    "memory": "static int left; int f(unsigned char n) { left = n; while (left) left--; return 1; }",
    "memory behind a pointer": "int f(unsigned char *n) { while (*n) *n = *n / 2; return 1; }",
    "memory that a function changes": (
        "static int left; static int step(void) { return left--; }\n"
        "int f(unsigned char n) { left = n; while (step() > 0) ; return 1; }"
    ),
    "memory that a function of the library changes": (
        '#include <string.h>\nint f(unsigned char n) { char t[9] = ""; while (strlen(t) < 8 && n > 3) strcat(t, "x");'
        " return 1; }"
    ),
    "answers that come late": (
        "int more(void); int less(void); int f(unsigned char n) { int s = 0; while (s < 3) s += more() == n; while (less()) ;"
        " for (int i = 0; i < 9000; i++) s += i == n; return s; }"
    ),
    "a stub that writes": "int get(int *); int f(unsigned char n) { int v = 1; do { if (get(&v)) v--; } while (v && n); return v; }",
    "what fails at last": (
        "#include <unistd.h>\nint f(unsigned char n) { char c; int s = 0; while (read(0, &c, 1) != -1) s++;"
        " for (int i = 0; i < 9000; i++) s += i == n; return s; }"
    ),
    "answers of a stub": "int more(void); int f(unsigned char n) { while (more() && n) ; return 1; }",
    "a volatile variable": "extern volatile int flag; int f(unsigned char n) { while (flag && n) ; return 1; }",
    "a number that matters at last": ("int f(unsigned char n) { int i = 0; for (;;) { if (i++ > 5000) return n; } }"),
    "an index that matters at last": (
        "static const char text[300]; int f(unsigned char n) { for (int i = 0; !text[i]; i++) n++; return n; }"
    ),
    "a divisor": "int f(unsigned char n) { for (int i = 200; n == n; i--) if (900 / i == 7) return 3; return n; }",
    "two in turn": (
        "int f(unsigned char n) { int a = n, b = 900; while (b) { int c = a; a = b - 1; b = c; } return a; }"
    ),
}


@pytest.mark.parametrize("name", NO_CIRCLES)
def test_a_run_that_ends_is_like_its_twin(start_unit: StartUnit, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    unit = start_unit(NO_CIRCLES[name], "f")
    twin = _twin(start_unit, monkeypatch, NO_CIRCLES[name])
    for value in (0, 1, 3, 4, 200, 255):
        _compare(unit, twin, (value, *(value & 1 for _ in range(unit.slots - 1))))


@pytest.mark.parametrize("seed", range(12))
def test_random_loops_are_like_their_twins(start_unit: StartUnit, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    text = _loops(Random(seed))
    unit, twin = start_unit(text, "f"), _twin(start_unit, monkeypatch, text)
    source, endless = Random(seed), 0
    for _ in range(40):
        values = tuple(source.randrange(256) for _ in range(unit.slots))
        endless += _compare(unit, twin, values)
        if endless > 6:  # the twin follows them to the end
            break


def _twin(start_unit: StartUnit, monkeypatch: pytest.MonkeyPatch, text: str) -> Unit:
    with monkeypatch.context() as patched:
        patched.setattr(weave_function, "find_watched_loops", lambda *_, **__: NOTHING_WATCHED)
        return start_unit(text, "f")


def _compare(unit: Unit, twin: Unit, values: tuple[int, ...]) -> bool:
    mine, theirs = unit.run(*values), twin.run(*values)
    assert (mine.ending.outcome, mine.points, mine.outputs) == (theirs.ending.outcome, theirs.points, theirs.outputs)
    return mine.ending.outcome is Outcome.TIMED_OUT


def _loops(source: Random) -> str:
    """Loops around three bytes: many of their states come again."""
    names = ("a", "b", "c")

    def number() -> str:
        return source.choice((*names, *names, str(source.randrange(8))))

    def assign() -> str:
        operator = source.choice(("+", "-", "^", "&", "|", "*", ">>"))
        return f"{source.choice(names)} = {number()} {operator} {'1' if operator == '>>' else number()};"

    def statement(depth: int) -> str:
        kind = source.randrange(6 if depth else 3)
        if kind < 3:
            return source.choice(
                (assign(), assign(), assign(), "memory[a & 3]++;", "c = memory[b & 3];", "b = mix(a);")
            )
        inner = " ".join(statement(depth - 1) for _ in range(source.randrange(1, 4)))
        if kind == 3:
            return f"if ({number()} {source.choice(('<', '==', '!='))} {number()}) {{ {inner} }}"
        if kind == 4:
            return f"for (unsigned char k{depth} = 0; k{depth} < {source.randrange(2, 5)}; k{depth}++) {{ {inner} }}"
        return f"while ({number()} {source.choice(('<', '!='))} {number()}) {{ {inner} {assign()} }}"

    body = "\n    ".join(statement(3) for _ in range(3))
    return f"""\
static unsigned char memory[4];
static unsigned char mix(unsigned char n) {{ return (unsigned char)(n * 5 + 1); }}
int f(unsigned char a, unsigned char b, unsigned char c)
{{
    while (a != c) {{ {statement(2)} {assign()} }}
    {body}
    return a + b + c + memory[1];
}}
"""
