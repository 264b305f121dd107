"""The inputs of random functions with few of them (small_functions.py): what is declared, said to Tightrope, and run by the
twin, for each kind of input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Given:
    """One input: its declaration, what is said of it, and the C that goes through all its values."""

    parameter: str  # '' for a global
    values: tuple[tuple[str, tuple[int, ...]], ...]  # by path
    assumption: str
    loops: str  # of the twin
    argument: str
    reads: tuple[str, ...]  # C expressions, good whatever the input
    writes: tuple[str, ...] = ()  # variables, good whatever the input
    head: str = ""  # declarations outside of the function
    wish: str = ""
    guarded: tuple[str, str] = ("", "")  # a pointer, what it points to


def _number(name: str, kind: str, low: int, high: int) -> Given:
    values = tuple(range(low, high + 1))
    said = f"{name} >= {low} && {name} <= {high}" if low else f"{name} <= {high}"
    loops = f"for (long {name} = {low}; {name} <= {high}; {name}++) "
    return Given(f"{kind} {name}", ((name, values),), said, loops, name, (name,), (name,))


def _flag(name: str) -> Given:
    loops = f"for (int {name} = 0; {name} < 2; {name}++) "
    return Given(f"_Bool {name}", ((name, (0, 1)),), "", loops, name, (f"({name} + 0)",), (name,))


def _pointer(name: str, kind: str, high: int) -> Given:
    """One object, or NULL."""
    loops = f"for (int i_{name} = 0; i_{name} < 2; i_{name}++) for (int v_{name} = 0; v_{name} <= {high}; v_{name}++) "
    said = f"!{name} || (*{name} >= 0 && *{name} <= {high})"
    values = ((f"*{name}", tuple(range(high + 1))),)
    argument = f"i_{name} ? 0 : (o_{name} = v_{name}, &o_{name})"
    return Given(
        f"{kind} *{name}",
        values,
        said,
        loops,
        argument,
        (),
        head=f"‹|static {kind} o_{name};\n›",
        guarded=(name, f"*{name}"),
    )


def _sharing(kind: str, high: int) -> Given:
    """Two pointers, each to an object of its own, or NULL; the second perhaps to the first's object."""
    loops = f"for (int i_p = 0; i_p < 2; i_p++) for (int i_q = 0; i_q < 3; i_q++) for (int v = 0; v <= {high}; v++) for (int w = 0; w <= {high}; w++) "
    said = " && ".join(f"(!{n} || (*{n} >= 0 && *{n} <= {high}))" for n in "pq")
    values = (("*p", tuple(range(high + 1))), ("*q", tuple(range(high + 1))))
    argument = "(o_p = v, o_q = w, i_p ? 0 : &o_p), i_q == 0 ? &o_q : i_q == 1 ? 0 : &o_p"
    head = f"‹|static {kind} o_p, o_q;\n›"
    return Given(f"{kind} *p, {kind} *q", values, said, loops, argument, (), head=head, guarded=("p", "*p"))


def _record(name: str, is_pointer: bool) -> Given:
    dot = "->" if is_pointer else "."
    head = "struct rec { unsigned x : 2; signed z : 2; _Bool t : 1; };\n‹|static struct rec o_rec;\n›"
    loops = "for (int i_s = 0; i_s < %d; i_s++) for (int x = 0; x < 4; x++) for (int z = -2; z < 2; z++) for (int t = 0; t < 2; t++) "
    set_it = "o_rec.x = x, o_rec.z = z, o_rec.t = t"
    reads = tuple(f"{name}{dot}{member}" for member in "xz")
    if not is_pointer:
        return Given(f"struct rec {name}", (), "", loops % 1, f"({set_it}, o_rec)", reads, reads, head)
    argument = f"({set_it}, i_s ? 0 : &o_rec)"
    return Given(f"struct rec *{name}", (), "", loops % 2, argument, (), (), head, guarded=(name, f"{name}->x"))


def _global(name: str, kind: str, high: int) -> Given:
    loops = f"for (int v_{name} = 0; v_{name} <= {high}; v_{name}++) "
    values = ((name, tuple(range(high + 1))),)
    said = f"{name} >= 0 && {name} <= {high}"
    head = f"static {kind} {name} = 1;\n"
    return Given("", values, said, loops, f"{name} = v_{name}", (name,), (name,), head)


def _enumeration(name: str) -> Given:
    head = "enum colour { RED, GREEN = 4, BLUE };\n"
    loops = f"for (int i_{name} = 0; i_{name} < 3; i_{name}++) "
    return Given(f"enum colour {name}", (), "", loops, f"i_{name} ? i_{name} + 3 : 0", (f"(int){name}",), (), head)


def _string(name: str) -> Given:
    """At most two characters, each 'a', 'b' or the end."""
    values = tuple((f"{name}[{i}]", (0, 97, 98)) for i in range(2))
    said = " && ".join(f"({name}[{i}] == 0 || {name}[{i}] == 'a' || {name}[{i}] == 'b')" for i in range(2))
    loops = "for (int c0 = 0; c0 < 3; c0++) for (int c1 = 0; c1 < 3; c1++) "
    argument = '(o_str[0] = "\\0ab"[c0], o_str[1] = "\\0ab"[c1], o_str)'
    reads = (
        f"(int)strlen({name})",
        f"{name}[0]",
        f'(strcmp({name}, "ab") + 0)',
        f"(int)(strchr({name}, 'b') - {name} & 3)",
    )
    head = "‹|static char o_str[3];\n›"
    return Given(
        f"const char *{name}", values, said, loops, argument, reads[:3], (), head, wish=f"{name}=not-null, string 2"
    )


def _array(name: str) -> Given:
    values = tuple((f"{name}[{i}]", (-1, 0, 1)) for i in range(3))
    said = " && ".join(f"{name}[{i}] >= -1 && {name}[{i}] <= 1" for i in range(3))
    loops = "for (int e0 = -1; e0 < 2; e0++) for (int e1 = -1; e1 < 2; e1++) for (int e2 = -1; e2 < 2; e2++) "
    argument = "(o_w[0] = e0, o_w[1] = e1, o_w[2] = e2, o_w)"
    reads = (*(f"{name}[{i}]" for i in range(3)), f"{name}[(u8)n % 3]")
    head = "‹|static short o_w[3];\n›"
    return Given(f"short *{name}", values, said, loops, argument, reads, reads, head, f"{name}=not-null, array 3")


def _box(name: str) -> Given:
    """An array in a struct that is given by value: nobody can give more, or share it."""
    values = tuple((f"{name}.e[{i}]", (-1, 0, 2)) for i in range(3))
    said = " && ".join(f"({name}.e[{i}] == -1 || {name}.e[{i}] == 0 || {name}.e[{i}] == 2)" for i in range(3))
    loops = "for (int b0 = 0; b0 < 3; b0++) for (int b1 = 0; b1 < 3; b1++) for (int b2 = 0; b2 < 3; b2++) "
    head = "struct box { signed char e[3]; };\n‹|static const signed char o_v[3] = {-1, 0, 2};\n›"
    argument = "(struct box){{o_v[b0], o_v[b1], o_v[b2]}}"
    reads = (*(f"{name}.e[{i}]" for i in range(3)), f"{name}.e[(u8)n % 3]", f"{name}.e[(u8)y % 3]")
    return Given(f"struct box {name}", values, said, loops, argument, reads, reads, head)


def _shared_table(name: str) -> Given:
    values = tuple((f"{name}[{i}]", (0, 1, 3)) for i in range(3))
    said = " && ".join(f"({name}[{i}] == 0 || {name}[{i}] == 1 || {name}[{i}] == 3)" for i in range(3))
    loops = "for (int h0 = 0; h0 < 3; h0++) for (int h1 = 0; h1 < 3; h1++) for (int h2 = 0; h2 < 3; h2++) "
    head = f"static unsigned char {name}[3];\n"
    argument = ", ".join(f'{name}[{i}] = "\\0\\1\\3"[h{i}]' for i in range(3))
    reads = (f"{name}[0]", f"{name}[1]", f"{name}[(u8)x % 3]", f"{name}[(u8)n % 3]")
    return Given("", values, said, loops, argument, reads, reads, head)


def draw_inputs(random: Random) -> list[Given]:
    """Some, with at most 2^12 values together."""
    table: list[tuple[int, Callable[[], Given]]] = [
        (3, lambda: _number("a", "unsigned char", 0, 7)),
        (4, lambda: _number("a", "unsigned char", 0, 15)),
        (3, lambda: _number("b", "signed char", -4, 3)),
        (3, lambda: _number("c", "int", -3, 4)),
        (2, lambda: _number("d", "long", -1, 2)),
        (3, lambda: _number("e", "unsigned short", 0, 7)),
        (2, lambda: _number("k", "unsigned", 0, 3)),
        (1, lambda: _flag("o")),
        (3, lambda: _pointer("p", random.choice(("int", "short", "long")), 3)),
        (6, lambda: _sharing(random.choice(("int", "unsigned", "short")), 3)),
        (5, lambda: _record("s", False)),
        (6, lambda: _record("s", True)),
        (2, lambda: _global("g", random.choice(("int", "unsigned char", "short")), 3)),
        (2, lambda: _enumeration("m")),
        (4, lambda: _string("str")),
        (5, lambda: _array("w")),
        (5, lambda: _box("v")),
        (5, lambda: _shared_table("gt")),
    ]
    if random.random() < 0.5:
        table = [row for row in table if "*" not in row[1]().parameter]
    random.shuffle(table)
    found: list[Given] = []
    left, names = random.choice((6, 8, 8, 10, 11)), set[str]()
    for bits, make in table:
        one = make()
        name = one.parameter or one.head
        own = {"p", "q"} if "*p" in name else {name.split()[-1].lstrip("*")}
        if bits <= left and not own & names and len(found) < 4:
            found.append(one)
            names |= own
            left -= bits
    return found
