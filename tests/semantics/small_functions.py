"""Random functions with few inputs (at most 2^12), for small_domains.py: a bit of everything that C has, bounded.

A function draws a few *features*; each brings declarations, statements and values. Decisions have marks for the twin
(agreement/twin.py), and so has everything that ends a run: what is ‹plain|twin› differs between the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from random_decisions import DecisionWriter
from small_domains import Small
from twin import Marked

_HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
‹|#include <setjmp.h>
static jmp_buf twin_out;
static int twin_leave(void) { longjmp(twin_out, 1); }
static int twin_index(int at, int count) { return at >= 0 && at < count ? at : twin_leave(); }
static int twin_divisor(int value) { return value ? value : twin_leave(); }
›#define BOTH(x, y) ((x) && (y))
#define ANY(x, y, z) ((x) || (y) || (z))
#define NEITHER(x, y) (!((x) || (y)))
#define ALIAS(x, y) BOTH(x, y)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect((x), 0)
#define LIMIT 5
enum mode { OFF, ON = 3 };
"""

_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
STOP_ABORT = "‹abort()|twin_leave()›"
STOP_EXIT = "‹exit(3)|twin_leave()›"


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
        f"{kind} *{name}", values, said, loops, argument, (), head=f"‹|static {kind} o_{name};\n›", guarded=(name, f"*{name}")
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
    reads = (f"(int)strlen({name})", f"{name}[0]", f'(strcmp({name}, "ab") + 0)', f"(int)(strchr({name}, 'b') - {name} & 3)")
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


def _inputs(random: Random) -> list[Given]:
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
        own = {"p", "q"} if "*p" in name else {name.split()[-1]}
        if bits <= left and not own & names and len(found) < 4:
            found.append(one)
            names |= own
            left -= bits
    return found


# --- functions that are called -------------------------------------------------------------------

_TABLE = "static const signed char table[8] = {3, -1, 4, 1, -5, 0, 2, -6};\n"
HELPERS: dict[str, tuple[str, str]] = {  # name -> its C, a call over {v}, {w}
    "clip": ("static int clip(int x) { if (x > 6) return 6; if (x < -2) return -2; return x; }", "clip({v})"),
    "down": ("static int down(int x) { return x <= 0 ? 1 : x + down(x - 2); }", "down({v} & 7)"),
    "even": (
        "static int odd(unsigned x);\nstatic int even(unsigned x) { return x == 0 ? 1 : odd(x - 1); }\n"
        "static int odd(unsigned x) { if (x == 0) return 0; return even(x - 1); }",
        "even({v} & 7)",
    ),
    "swap": (
        "static void swap(int *x, int *y) { int old = *x; *x = *y; *y = old; }\n"
        "static int less(int x, int y) { if (x > y) swap(&x, &y); return 3 * x - y; }",
        "less({v}, {w})",
    ),
    "look": (f"{_TABLE}static int look(int x) {{ return table[x & 7]; }}", "look({v})"),
    "sum": (
        "static int sum(const int *from, int count) { int all = 0; while (count-- > 0) all += *from++; return all; }\n"
        "static int sums(int x, int y) { int box[3] = {x, y}; box[2] = x & y; return sum(box, y & 3); }",
        "sums({v}, {w})",
    ),
    "half": ("static int half(int x) { double d = (x & 15) / 4.0; if (d > 2.25) d -= 1.5; return (int)(d * 2); }", "half({v})"),
    "mean": ("static int mean(int x, int y) { float m = (float)x + 0.5f * (float)y; return m < 1.0f; }", "mean({v}, {w})"),
    "nan": ("static int nan_of(int x) { double z = x & 1, q = z / z; return q == q ? 1 : q != q ? 2 : 3; }", "nan_of({v})"),
    "bits": (
        "static int bits(unsigned x) { int n = 0; for (x &= 31; x; x &= x - 1) n++; return n; }",
        "bits({v})",
    ),
    "pun": (
        "union pun { unsigned char byte[4]; unsigned word; short half[2]; };\n"
        "static int pun(int x, int y) { union pun u; u.word = 0x01020304u * (x & 3); u.byte[y & 3] ^= 5;\n"
        "    return u.half[1] & 15; }",
        "pun({v}, {w})",
    ),
    "field": (
        "struct fields { unsigned lo : 3; signed hi : 3; unsigned : 0; unsigned char rest; };\n"
        "static int field(int x) { struct fields v = {0}; v.lo = x; v.hi = x >> 1; v.rest = x; v.lo += 3;\n"
        "    return v.lo * 4 + v.hi - (v.rest & 1); }",
        "field({v})",
    ),
    "block": (
        "static int block(int x, int y) { int *m = malloc(3 * sizeof *m); if (!m) return -1;\n"
        "    m[0] = x; m[1] = y; m[2] = x ^ y; int r = m[(x & 1) + (y & 1)]; free(m); return r; }",
        "block({v}, {w})",
    ),
    "zeros": (
        "static int zeros(int x) { char *m = calloc(4, 1); if (!m) return 0; m[x & 3] = 1; int r = m[1] + m[2]; free(m); return r; }",
        "zeros({v})",
    ),
    "copy": (
        "struct pair { short x, y; };\nstatic int copied(int x, int y) { struct pair a = {x, y}, b, c[2]; memcpy(&b, &a, sizeof b);\n"
        "    memset(c, 0, sizeof c); c[x & 1] = b; b.x++; return c[0].x + 2 * c[1].y + b.x; }",
        "copied({v}, {w})",
    ),
    "text": (
        'static int text(int x) { char t[4] = "ab"; t[x & 3] = x & 4 ? 0 : \'c\'; t[3] = 0; return (int)strlen(t) + (strcmp(t, "ac") == 0); }',
        "text({v})",
    ),
    "way": (
        "static int plus(int x) { return x + 2; }\nstatic int minus(int x) { return x - 2; }\nstatic int zero(int x) { return x ? 0 : 5; }\n"
        "static int (*const ways[4])(int) = {plus, minus, zero, minus};\nstatic int way(int x, int y) { return ways[x & 3](y); }",
        "way({v}, {w})",
    ),
    "fall": (
        "static int fall(int x) { int r = 0; switch (x & 7) { case 1: r++; case 2: r += 2; break; case 5: return 9; default: r = -1; case 6: r++; } return r; }",
        "fall({v})",
    ),
    "wide": (
        "static int wide(int x, int y) { unsigned long long p = (unsigned long long)x * y; long q = (long)x << 33 >> 32; return (int)(p >> 32) + (int)q; }",
        "wide({v}, {w})",
    ),
    "stop": (f"static int stop(int x) {{ if (x == 5) {STOP_ABORT}; return x & 3; }}", "stop({v})"),
    "leave": (f"static int leave(int x) {{ if (x < -3) {STOP_EXIT}; return x / 2; }}", "leave({v})"),
    "sure": ("static int sure(int x) { ‹assert(x != 7)|if (x == 7) twin_leave()›; return x + 1; }", "sure({v})"),
    "state": ("static int state;\nstatic int step(int x) { state = (state + x) & 3; return state; }", "step({v})"),
    "remainder": (
        "static int remain(int x, int y) { return x % ‹|twin_divisor(›(y & 3)‹|)› + x / 3; }",
        "remain({v}, {w})",
    ),
}
_ENDING = {"stop", "leave", "sure", "remainder"}


# --- the function --------------------------------------------------------------------------------


class SmallWriter(DecisionWriter):
    """Writes one function `f` over its inputs, locals n, x, y, r, t, fuel, and an array."""

    def __init__(self, seed: int | str, *, is_short: bool = False) -> None:
        super().__init__(seed)
        self.random = Random(f"small {seed}")
        self.seed = seed
        self.is_short = is_short
        self.trees = {}
        self._numbers = 0
        self.is_plain = self.random.random() < 0.4
        self.inputs = _inputs(self.random)
        self.helpers = self.random.sample(sorted(HELPERS), self.random.randint(1, 4))
        self.may_leave_array = self.random.random() < 0.1
        self.reads = ["n", "x", "y", *(read for each in self.inputs for read in each.reads)]
        self.writes = ["n", "x", "y", "r", *(place for each in self.inputs for place in each.writes)]
        self.loops = self.labels = 0
        self.width = self.random.choice((3, 4, 6))

    def small(self) -> Small:
        body = self._body()
        heads = dict.fromkeys(each.head for each in self.inputs)
        helpers = "".join(f"{HELPERS[name][0]}\n" for name in self.helpers)
        parameters = ", ".join(each.parameter for each in self.inputs if each.parameter) or "void"
        text = f"{_HEAD}typedef unsigned char u8;\n{''.join(heads)}{helpers}int f({parameters})\n{{\n{body}}}\n"
        marked = Marked(text, self.trees, self.constants)
        domain = {path: values for each in self.inputs for path, values in each.values}
        if "state" in self.helpers:
            domain["state"] = (0,)
        assumptions = tuple(each.assumption for each in self.inputs if each.assumption)
        if "state" in self.helpers:
            assumptions = (*assumptions, "state == 0")
        wishes = tuple(each.wish for each in self.inputs if each.wish)
        return Small(
            f"seed_{self.seed}", marked.plain, assumptions, wishes, domain, self._reasons(), marked, self._calls()
        )

    def _reasons(self) -> tuple[str, ...]:
        """Behind an error nothing is proved; nor where a caller could give more, or share more."""
        ends = bool(_ENDING & set(self.helpers)) or self.may_leave_array or self._divides
        points = any("*" in each.parameter for each in self.inputs)
        allocates = {"block", "zeros", "way"} & set(self.helpers)
        return (*(("runs_died",) if ends or points else ()), *(("shape",) if points or allocates else ()))

    def _calls(self) -> str:
        loops = "".join(each.loops for each in self.inputs)
        sets = "".join(f"{each.argument}; " for each in self.inputs if not each.parameter)
        sets += "state = 0; " if "state" in self.helpers else ""
        arguments = ", ".join(each.argument for each in self.inputs if each.parameter)
        return f"{loops}{{ {sets}if (!setjmp(twin_out)) f({arguments}); }}"

    def _body(self) -> str:
        self._divides = False
        count = self.width
        start = "    int n = 1, x = 2, y = 0, r = 0, fuel = 3;\n    _Bool t = 0;\n"
        items = ", ".join(str(self.random.randint(-3, 6)) for _ in range(count))
        start += f"    {self.random.choice(('int', 'signed char', 'short'))} arr[{count}] = {{{items}}};\n"
        start += f"    n = {self.value(self.random.choice((1, 2)))};\n    x = ({self.value(1)}) & 7;\n    y = {self.value(1)};\n    t = n > x;\n"
        count = 1 if self.is_short else self.random.choice((1, 1, 2, 2, 3))
        lines = "".join(f"    {self.statement(1 if self.is_short else 2)}\n" for _ in range(count))
        return f"{start}{lines}    return r + y;\n"

    # --- values ---------------------------------------------------------------------------------

    def value(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0:
            return pick((*self.reads, *self.reads, str(self.random.randint(-4, 9))))
        left, right = self.value(depth - 1), self.value(depth - 1)
        forms: list[Callable[[], str]] = [
            lambda: f"({left} {pick('+-*&|^+-')} {right})",
            lambda: f"({left} + {right})",
            lambda: f"(signed char)({left} * {self.random.randint(2, 60)})",
            lambda: f"(u8)({left} - {right})",
            lambda: f"(({left}) >> (({right}) & 3))",
            lambda: f"(({left}) << (({right}) & 3))",
            lambda: f"((unsigned)({left}) / 3)",
            lambda: f"(({left}) % 4)",
            lambda: f"(~({left}))",
            lambda: f"((int)((double)({left} & 31) * 0.5))",
            lambda: self._element(left),
            lambda: self._quotient(left, right),
            lambda: self._call(left, right),
            lambda: self._call(left, right),
            lambda: f"(short)({left} ^ {right})",
            lambda: f"((long)({left}) * ({right}))",
        ]
        return self.random.choice(forms)()

    def _element(self, at: str) -> str:
        return f"arr[{self._index(at)}]"

    def _index(self, at: str) -> str:
        if self.may_leave_array and self.random.random() < 0.4:
            return f"‹|twin_index(›({at}) & 7‹|, {self.width})›"
        return f"(u8)({at}) % {self.width}"

    def _quotient(self, left: str, right: str) -> str:
        if self.random.random() < 0.25:
            self._divides = True
            return f"({left} / ‹|twin_divisor(›(({right}) & 3)‹|)›)"
        return f"({left} / ((({right}) & 3) + 1))"

    def _call(self, left: str, right: str) -> str:
        return HELPERS[self.random.choice(self.helpers)][1].format(v=f"({left})", w=f"({right})")

    # --- statements -----------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        if depth <= 0:
            return self._simple()
        kinds = [self._if] * 4 + [self._if_else] * 3 + [self._loop] * 2 + [self._count] * 3 + [self._switch] * 2
        kinds += [self._value] * 2 + [self._skip, self._return, self._return, self._pair, self._through_pointer]
        kinds += [self._leave] * 3 if self.loops else []
        return self.random.choice(kinds)(depth)

    def _simple(self) -> str:
        pick = self.random.choice
        place = pick((*self.writes, f"arr[{self._index(self.value(0))}]"))
        forms: list[Callable[[], str]] = [
            lambda: f"{place} = {self.value(2)};",
            lambda: f"{place} = ({self.value(1)}) & 3;",
            lambda: f"r {pick(('+=', '-=', '^=', '|='))} {self.value(1)};",
            lambda: "x++;",
            lambda: "r--;",
            lambda: self._leave(0) if self.loops else f"y = {self.value(1)};",
            lambda: f"t = {self.logical()};",
            lambda: self._through_pointer(0),
        ]
        return pick(forms)()

    def _block(self, depth: int) -> str:
        return " ".join(self.statement(depth - 1) for _ in range(self.random.randint(1, 2)))

    def _if(self, depth: int) -> str:
        return f"if ({self.decision()}) {{ {self._block(depth)} }}"

    def _if_else(self, depth: int) -> str:
        return f"if ({self.decision()}) {{ {self._block(depth)} }} else {{ {self._block(depth)} }}"

    def _loop(self, depth: int) -> str:
        self.loops += 1
        kind, body = self.random.randrange(3), self._block(depth)
        self.loops -= 1
        if kind == 0:
            return f"while ({self.decision(fuel=True)}) {{ {body} }}"
        if kind == 1:
            return f"do {{ {body} }} while ({self.decision(fuel=True)});"
        return f"for (; {self.decision(fuel=True)}; n++) {{ {body} }}"

    def _count(self, depth: int) -> str:
        self.labels += 1
        counter, number = f"i{self.labels}", self._open()
        self.trees[number] = "c0"
        bound = self.random.choice((str(self.random.randint(1, 4)), f"({self.value(1)} & 3)", f"(int)({self.value(0)}) % 4"))
        self.loops += 1
        self.reads.append(counter)
        body = self._block(depth)
        self.reads.remove(counter)
        self.loops -= 1
        return f"for (int {counter} = 0; «{number}:«{number}.0:{counter} < {bound}»»; {counter}++) {{ {body} }}"

    def _switch(self, depth: int) -> str:
        before, self.loops = self.loops, 0  # a `continue` there would be good, a `break` leaves the switch
        parts = [f"case {value}:" for value in self.random.sample(range(-1, 7), self.random.randint(2, 4))]
        if self.random.random() < 0.7:
            parts.insert(self.random.randint(0, len(parts)), "default:")
        body = " ".join(f"{part} {self.statement(depth - 1)} {self.random.choice(('break;', 'break;', ''))}" for part in parts)
        self.loops = before
        return f"switch ({self.random.choice((self.value(1), f'({self.value(1)}) & 7'))}) {{ {body} }}"

    def _leave(self, depth: int) -> str:
        return f"if ({self.decision()}) {self.random.choice(('break', 'continue'))};"

    def _return(self, depth: int) -> str:
        ends = self.random.random() < 0.08
        if ends:
            self._divides = True
        what = self.random.choice((STOP_ABORT, STOP_EXIT)) if ends else f"return {self.value(1)}"
        return f"if ({self.decision()}) {what};"

    def _skip(self, depth: int) -> str:
        self.labels += 1
        name = f"out{self.labels}"
        return f"if ({self.decision()}) goto {name}; {{ {self._block(depth)} }} {name}:;"

    def _value(self, depth: int) -> str:
        forms: list[Callable[[], str]] = [
            lambda: f"r += ({self.logical()});",
            lambda: f"y = ({self.decision()}) ? {self.value(1)} : {self.value(0)};",
            lambda: f"arr[{self._index('x')}] = ({self.logical()}) + {self.value(0)};",
            lambda: f"r += {self._call(self.value(1), '(' + self.logical() + ')')};",
        ]
        return self.random.choice(forms)()

    def _pair(self, depth: int) -> str:
        """A pointer to one of two variables, chosen by the input."""
        self.labels += 1
        name = f"z{self.labels}"
        chosen = f"int *{name} = ({self.decision()}) ? &x : &y;"
        return f"{{ {chosen} *{name} = {self.value(1)}; r += x; {self._block(depth)} r ^= *{name}; }}"

    def _through_pointer(self, depth: int) -> str:
        found = [each.guarded for each in self.inputs if each.guarded[0]]
        if not found:
            return f"x = {self.value(1)};"
        pointer, place = self.random.choice(found)
        if any("*q" in each.parameter for each in self.inputs) and self.random.random() < 0.6:
            return self._share()
        number = self._open()
        self.trees[number] = "c0"
        self.reads.append(place)
        body = f"{place} = {self.value(1)};" if self.random.random() < 0.4 else self._block(depth)
        self.reads.remove(place)
        return f"if («{number}:«{number}.0:{pointer}»») {{ {body} }}"

    def _share(self) -> str:
        number = self._open()
        self.trees[number] = "c0 and c1"
        other = self._open()
        self.trees[other] = "c0"
        relation = self.random.choice(("*q == 1", "*p != *q", "p == q", "*p + *q > 3"))
        return (
            f"if («{number}:«{number}.0:p» && «{number}.1:q»») {{ *p = {self.value(0)}; *q += {self.value(0)}; "
            f"if («{other}:«{other}.0:{relation}»») {{ r += *p; {self._simple()} }} }}"
        )

    # --- conditions -----------------------------------------------------------------------------

    def _varying(self, depth: int) -> str:
        """A value that is no constant."""
        while not any(read in (text := self.value(depth)) for read in self.reads):
            pass
        return text

    def _condition(self) -> str:
        simple = [self._comparison(), self._comparison(), self._comparison(), "t", "x", "n & 4", f"({self._varying(1)})"]
        odd = ["(x = y & 3)", "x++ < 4", "--y", f"({self.value(1)} & 1) == (n & 1)", f"(double)({self.value(0)}) > 1.5"]
        odd += [each.guarded[0] for each in self.inputs if each.guarded[0]]
        return self.random.choice((*simple, *odd))

    def _comparison(self) -> str:
        left = self._varying(self.random.choice((0, 1, 1, 2)))
        return f"{left} {self.random.choice(_RELATIONS)} {self.value(self.random.choice((0, 0, 1)))}"

    def _comma(self, leaves, depth: int):  # type: ignore[no-untyped-def]
        text, tree = self._tree(leaves, depth - 1)
        return f"(r++, ({text}))", tree


def make_small(seed: int | str, *, is_short: bool = False) -> Small:
    return SmallWriter(seed, is_short=is_short).small()
