"""Random files that look like C that people write, for everyday_judge.py: structures with bit-fields, unions, strings,
tables, callbacks, variables of the file, floats, and nested decisions whose conditions have side effects.

A file has a few functions. Each draws a few *features*, which bring declarations, values and statements, and inputs whose
values can all be run, or of which a sample finds what there is to find. Many conditions are correlated or compare a narrow
value, so that many objectives are infeasible. Nothing is undefined but wrap-around (-fwrapv), and nothing depends on the
order of evaluation: conditions with side effects stand between `&&`, `||`, `?:` and commas only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from random_decisions import CONSTANTS_HEAD, DecisionWriter, Piece, _Leaves
from twin import Marked

_HEAD = """\
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
#define LIMIT 5
enum mode { OFF, ON = 3 };
struct bits { signed a : 3; unsigned b : 5; _Bool d : 1; signed e : 12; };
struct rec { s8 k; int v; u8 t[3]; short w; };
struct label { char text[4]; };
union word { int i; u8 bytes[4]; short half[2]; };
enum colour { RED = -1, GREEN = 3, BLUE = 9 };
static int level = 5;
static u8 mode;
static s8 samples[4] = {1, -2, 3, -4};
static const short limits[8] = {0, 1, -1, 127, -128, 255, 300, -300};
static const char *const words[4] = {"a", "bc", "xyz", ""};
static const struct rec records[3] = {{1, -5, {1, 2, 3}, 7}, {-1, 100, {4, 5, 6}, -7}, {0, 0, {0}, 0}};
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int xor(int a, int b) { return a ^ b; }
static int (*const operations[4])(int, int) = {add, sub, xor, add};
static int apply(int (*operation)(int, int), int a, int b) { return operation(a, b); }
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static int sum(const s8 *from, int count) { int s = 0; for (int i = 0; i < count; i++) s += from[i]; return s; }
static int above(double x, double y) { return x > y; }
static int order(const s8 *x, const s8 *y, int count) { int c = memcmp(x, y, count); return (c > 0) - (c < 0); }
static int put(int *to, int value) { *to = value; return value & 3; }
static int bump(int by) { level += by & 3; return level; }
static int same(int value) { return value; }
static struct rec moved(struct rec r, int by) { r.v += by; r.t[by & 1] = (u8)r.w; r.w = (short)(r.w * 2); return r; }
static unsigned power(unsigned n, unsigned a) { return n == 0 ? a : power(n - 1, a * 3 + n); }
"""


@dataclass(frozen=True)
class Feature:
    """What a function may use. {v} and {w} are values, {c} is a small number."""

    declares: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()  # without side effects
    variables: tuple[str, ...] = ()  # of the file, that it reads or writes


FEATURES = {
    "bits": Feature(
        "struct bits bf = {1, 2, 0, -5};",
        ("bf.a", "bf.b", "bf.e", "(bf.a * bf.b)"),
        ("bf.a = {v};", "bf.b += {v};", "bf.e ^= {v};", "bf.d = {v};", "bf.b >>= 1;"),
        ("bf.d", "bf.a > {c}", "bf.b == 33", "bf.a < -4", "bf.b >= {c}"),
    ),
    "record": Feature(
        "struct rec rc = {1, 2, {3, 4, 5}, 6}, other = {0};",
        ("rc.k", "rc.v", "rc.t[1]", "rc.w", "rc.t[({v}) & 1]", "((struct rec){.v = {v}, .w = 3}).w"),
        ("rc.k = (s8)({v});", "rc.t[({v}) & 1] = (u8)({w});", "rc = moved(rc, {v});", "other = rc;", "rc.v = other.v;"),
        ("rc.k == 200", "rc.t[0] > {c}", "memcmp(&rc.t, &other.t, 3) == 0"),
    ),
    "union": Feature(
        "union word un = {.i = 7};",
        ("un.i", "un.bytes[0]", "un.half[1]", "un.bytes[({v}) & 3]"),
        ("un.bytes[({v}) & 3] = (u8)({w});", "un.half[0] = (short)({v});", "un.i = {v};"),
        ("un.bytes[3] > {c}", "un.half[0] == un.bytes[0]"),
    ),
    "array": Feature(
        "int arr[5] = {3, -1, 4, 1, -5};",
        ("arr[(u8)({v}) % 5]", "arr[2]", "*(arr + (({v}) & 3))"),
        ("arr[(u8)({v}) % 5] = {w};", "{{ int *at = &arr[({v}) & 1]; *at += {w}; }}", "arr[1] = arr[({v}) & 3];"),
        ("arr[0] > arr[4]", "arr[({v}) & 3] == {c}"),
    ),
    "bytes": Feature(
        "s8 bytes[5] = {1, 2, -3, 4};",
        ("bytes[({v}) & 3]", "sum(bytes, ({v}) & 3)", "order(bytes, samples, ({v}) & 3)"),
        ("bytes[({v}) & 3] = (s8)({w});", "memset(bytes, {v}, 2);", "memmove(bytes + (({v}) & 1), bytes, 3);"),
        ("bytes[({v}) & 3] > 127", "samples[({v}) & 3] < {c}", "memcmp(bytes, samples, 2) == 0"),
        ("samples",),
    ),
    "text": Feature(
        'char text[8] = "ab";',
        ("text[({v}) & 3]", "(int)strlen(text)", "(int)strlen(words[({v}) & 3])", "words[({v}) & 3][0]"),
        ("strcpy(text, words[({v}) & 3]);", "text[({v}) & 3] = 'x';", "text[({v}) & 1] = (char)({w});"),
        ("strcmp(text, words[({v}) & 3]) == 0", "strchr(words[({v}) & 3], 'z') != 0", "strlen(text) > 3", "text[0] == 'b'"),
    ),
    "real": Feature(
        "double d = 0.5; float g = 1.5f;",
        ("above(d, 1.5)", "above(0.25, g)"),
        ("d = ({v}) / 4.0;", "d = d * 0.5 - ({v});", "g = (float)({v}) * 0.1f;", "d = d / ({v});", "g = (float)d;"),
        ("d > 1.5", "d != d", "g == 0.3f", "d * 2 >= g", "d - d != 0", "g < {c}", "d <= 2.0", "(float)d == d"),
    ),
    "callback": Feature(
        "int (*chosen)(int, int) = sub;",
        ("operations[({v}) & 3]({v}, {w})", "apply(xor, {v}, {w})", "chosen({v}, 3)"),
        ("chosen = operations[({v}) & 3];",),
        ("chosen == add", "apply(chosen, {v}, {c}) > {c}"),
    ),
    "table": Feature(
        "",
        ("limits[({v}) & 7]", "records[(u8)({v}) % 3].v", "records[(u8)({v}) % 3].t[2]", "(int){{{v}, {w}, 7}}[({v}) & 1]"),
        (),
        ("limits[({v}) & 7] > 300", "records[(u8)({v}) % 3].k < -1", "limits[({v}) & 3] < {c}"),
    ),
    "state": Feature(
        "",
        ("level", "mode", "(mode & 3)"),
        ("level = {v};", "mode++;", "mode = (u8)({v});", "bump({v});"),
        ("level > {c}", "mode == 300", "mode & 4", "level == mode"),
        ("level", "mode"),
    ),
    "builtin": Feature(
        "",
        (
            "__builtin_ctz((unsigned)({v}) | 1u)",
            "__builtin_popcount((unsigned)({v}))",
            "__builtin_ffs({v})",
            "(int)__builtin_bswap32((unsigned)({v}))",
            "clamp({v}, -3, 9)",
            "(int)power(({v}) & 3, (unsigned)({w}))",
        ),
        (),
        ("__builtin_parity((unsigned)({v}))", "__builtin_ctz((unsigned)({v}) | 1u) > 0", "clamp({v}, 0, 5) > 5"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Given:
    """A parameter: its declaration, C loops through its values, the argument, and what can be read of it."""

    parameter: str
    loops: str
    argument: str
    reads: tuple[str, ...]
    count: int
    conditions: tuple[str, ...] = ()
    head: str = ""  # of the calls


_INTS = "{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 31, 64, 127, 128, 255, 256, 300, -1, -2, -3, -5, -8, -128, -129, -300, 32767, -32768, 65535, 2147483647, -2147483647 - 1, 100, 33}"  # fmt: skip
_REALS = "{0.0, -0.0, 0.5, 1.5, -1.5, 0.1, 2.0, 3.0, 1e10, -1e10, 1e300 * 1e300, -1e300 * 1e300, 1e-320, 0.3, 255.0, (1e300 * 1e300) * 0.0}"  # fmt: skip
GIVEN = (
    Given("u8 a", "for (int a_ = 0; a_ < 256; a_++) ", "(u8)a_", ("a",), 256, ("a > 255", "a & 3", "a == 300")),
    Given("s8 b", "for (int b_ = -128; b_ < 128; b_++) ", "(s8)b_", ("b",), 256, ("b > 127", "b < 0", "b == {c}")),
    Given("_Bool on", "for (int on_ = 0; on_ < 2; on_++) ", "on_", ("(on + 0)",), 2, ("on", "on > 1", "on == 1")),
    Given("enum colour hue", "for (int h_ = 0; h_ < 3; h_++) ", "h_ == 0 ? RED : h_ == 1 ? GREEN : BLUE", ("hue",), 3,
          ("hue == GREEN", "hue > BLUE", "hue == 4")),
    Given("struct bits given", "for (int s_ = 0; s_ < 64; s_++) ",
          "(struct bits){(s_ & 7) - 4, s_ >> 3 & 7, s_ >> 5, 40 - s_}", ("given.a", "given.b", "given.e"), 64,
          ("given.d", "given.a > 3", "given.b == 40")),
    Given("u16 w", "for (int w_ = 0; w_ < 65536; w_ += w_ < 300 ? 1 : 211) ", "(u16)w_", ("w",), 610,
          ("w > 65535", "w < {c}")),
    Given("int x", "for (int x_ = 0; x_ < 32; x_++) ", "ints[x_]", ("x",), 32, ("x == {c}", "x > 5"),
          f"static const int ints[32] = {_INTS};\n"),
    Given("double z", "for (int z_ = 0; z_ < 16; z_++) ", "reals[z_]", ("above(z, 0.5)",), 16,
          ("z > 1.5", "z != z", "z - z != 0", "z * z < 0", "z == 0.1", "z < {c}"),
          f"static const double reals[16] = {_REALS};\n"),
    Given("struct label name", "for (int n_ = 0; n_ < 216; n_++) ",
          '(struct label){{"\\0abz9"[n_ % 6], "\\0abxz"[n_ / 6 % 6], "\\0abcz"[n_ / 36], 0}}',
          ("name.text[0]", "name.text[1]", "(int)strnlen(name.text, 4)"), 216,
          ("name.text[0] == 'a'", "name.text[0] > 127", "name.text[1] == name.text[0]", "memchr(name.text, 'z', 4) != 0")),
)  # fmt: skip
_STATE = "for (int l_ = 0; l_ < 12; l_++) for (int m_ = 0; m_ < 9; m_++) "
_SET_STATE = "level = ints[l_ * 2]; mode = (u8)(m_ * 31); memcpy(samples, starts[(l_ + m_) % 3], 4); "
_STARTS = "static const s8 starts[3][4] = {{1, -2, 3, -4}, {0, 0, 0, 0}, {1, 2, 127, -128}};\n"
_MOST_CALLS = 1 << 16


@dataclass(frozen=True)
class Everyday:
    """A file with functions `f0`, `f1` ...; `calls` is C that calls them, with declarations that this needs."""

    seed: int
    marked: Marked
    functions: tuple[str, ...]
    declarations: str
    calls: str


class EverydayWriter(DecisionWriter):
    def __init__(self, seed: int, functions: int = 3) -> None:
        super().__init__(seed)
        self.random = Random(f"everyday {seed}")
        self.seed, self.count = seed, functions
        self.trees, self._numbers = {}, 0
        self._is_pure = False
        self._depth = 0  # of nested decisions

    def file(self) -> Everyday:
        texts, calls = [], []
        for number in range(self.count):
            text, call = self._function(f"f{number}")
            texts.append(text)
            calls.append(call)
        names = tuple(f"f{number}" for number in range(self.count))
        text = _HEAD + CONSTANTS_HEAD + "".join(texts)
        marked = Marked(text.replace("«", "\n«"), self.trees, self.constants)
        heads = dict.fromkeys(each.head for each in GIVEN if each.head)
        return Everyday(self.seed, marked, names, "".join(heads) + _STARTS, "\n".join(calls))

    def _function(self, name: str) -> tuple[str, str]:
        self._draw_inputs()
        self.features = [FEATURES[each] for each in self.random.sample(sorted(FEATURES), self.random.randint(2, 4))]
        self.reads = ["v0", "v1", "v2", *(read for each in self.inputs for read in each.reads * 2)]
        self.seen: list[str] = []
        self.labels = self.loops = 0
        given = [self.random.choice(each.reads) for each in self.inputs]
        begin = f"v0 = {given[0]} + {self.value(1)}; v1 = ({given[-1]}) & 7; v2 = {given[len(given) // 2]} - {self._number()};"
        begin += "".join(f" {self._filled(each, given)}" for each in self.features if each.writes)
        first = self._single(f"{self.reads[3]} > 2")
        body = "".join(f"{self.statement(2)}\n" for _ in range(self.random.randint(2, 4)))
        own = " ".join(each.declares for each in self.features if each.declares)
        parameters = ", ".join(each.parameter for each in self.inputs)
        start = f"int v0 = 1, v1 = 2, v2 = 0, r = 0, steps = 0, fuel = 3; _Bool t = {first}; {own}"
        end = self.random.choice(
            ("return r + steps;", f"return r + ({self.logical()});", f"return ({self.decision()}) ? r : v1;")
        )
        text = f"int {name}({parameters})\n{{\n{start}\n{begin}\n{body}{end}\n}}\n"
        return text, self._calls(name)

    def _draw_inputs(self) -> None:
        self.inputs: list[Given] = []
        calls = 1
        for each in self.random.sample(GIVEN, len(GIVEN)):
            if len(self.inputs) < 3 and calls * each.count <= _MOST_CALLS:
                self.inputs.append(each)
                calls *= each.count
        self._number_of_calls = calls

    def _calls(self, name: str) -> str:
        """Variables of the file are inputs, too: every function gets others than their initial values."""
        loops = "".join(each.loops for each in self.inputs)
        arguments = ", ".join(each.argument for each in self.inputs)
        if any(each.variables for each in self.features):
            loops += _STATE if self._number_of_calls <= 1 << 12 else "for (int l_ = 0, m_ = 1; l_ < 12; l_ += 5) "
            return f"{loops}{{ {_SET_STATE}{name}({arguments}); }}"
        return f"{loops}{{ {name}({arguments}); }}"

    # --- values ---------------------------------------------------------------------------------

    def value(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0:
            return pick((*self.reads, *self.reads, self._number()))
        left, right = self.value(depth - 1), self.value(depth - 1)
        drawn = [each for feature in self.features for each in feature.reads]
        if drawn and self.random.random() < 0.5:
            return f"({self._fill(pick(drawn), left, right)})"
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({left} {pick('+-*&|^')} {right})",
            lambda: f"((s8)({left} * {self.random.randint(2, 60)}))",
            lambda: f"((u8)({left} - {right}))",
            lambda: f"(({left}) >> (({right}) & 7))",
            lambda: f"((int)((unsigned)({left}) << (({right}) & 7)))",
            lambda: f"(({left}) % 7)",
            lambda: f"(({left}) / ((({right}) & 3) + 1))",
            lambda: f"(~({left}))",
            lambda: f"((short)({left} ^ {right}))",
            lambda: f"(({left}), ({right}))",
        )
        return pick(forms)()

    def _filled(self, feature: Feature, given: list[str]) -> str:
        """A statement that makes the feature depend on the inputs."""
        drawn = [each for each in feature.writes if "{v}" in each] or list(feature.writes)
        return self._fill(self.random.choice(drawn), self.random.choice(given), self.random.choice(given))

    def _number(self) -> str:
        wide = (31, 100, 127, 128, 255, 256, -128, -129)
        return f"({self.random.choice(wide) if self.random.random() < 0.15 else self.random.randint(-4, 9)})"

    def _fill(self, text: str, left: str, right: str) -> str:
        filled = text.replace("{v}", left).replace("{w}", right).replace("{c}", self._number())
        return filled.replace("{{", "{").replace("}}", "}").replace("(int){", "(int[]){")

    # --- statements -----------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        if depth <= 0:
            return self._simple()
        kinds = [self._if] * 5 + [self._if_else] * 4 + [self._loop] * 2 + [self._count, self._switch, self._return]
        kinds += [self._value] * 3 + [self._simply]
        return self.random.choice(kinds)(depth)

    def _simply(self, depth: int) -> str:
        return self._simple()

    def _simple(self) -> str:
        pick = self.random.choice
        writes = [each for feature in self.features for each in feature.writes]
        if writes and self.random.random() < 0.6:
            return self._fill(pick(writes), self.value(1), self.value(0))
        place = pick(("v0", "v1", "v2", "r"))
        return pick(
            (
                f"{place} = {self.value(2)};",
                f"{place} += {self.value(1)};",
                f"t = {self._single(self._varying() + ' > 3')};",
                "r++;",
            )
        )

    def _single(self, text: str) -> str:
        """A decision of one condition, as it also stands where only its value counts."""
        number = self._open()
        self.trees[number] = "c0"
        return f"«{number}:«{number}.0:{text}»»"

    def _block(self, depth: int) -> str:
        return " ".join(self.statement(depth - 1) for _ in range(self.random.randint(1, 2)))

    def _if(self, depth: int) -> str:
        return f"if ({self.decision()}) {{ {self._block(depth)} }}"

    def _if_else(self, depth: int) -> str:
        return f"if ({self.decision()}) {{ {self._block(depth)} }} else {{ {self._block(depth)} }}"

    def _loop(self, depth: int) -> str:
        kind, body = self.random.randrange(3), self._block(depth)
        if kind == 0:
            return f"while ({self.decision(fuel=True)}) {{ {body} }}"
        if kind == 1:
            return f"do {{ {body} }} while ({self.decision(fuel=True)});"
        return f"for (; {self.decision(fuel=True)}; v1++) {{ {body} }}"

    def _count(self, depth: int) -> str:
        self.labels += 1
        counter = f"i{self.labels}"
        bound = self.random.choice(("2", "3", f"(({self.value(1)}) & 3)"))
        self.reads.append(counter)
        body = self._block(depth)
        self.reads.remove(counter)
        self.seen = [text for text in self.seen if counter not in text]
        return f"for (int {counter} = 0; {self._single(f'{counter} < {bound}')}; {counter}++) {{ {body} }}"

    def _switch(self, depth: int) -> str:
        parts = [f"case {value}:" for value in self.random.sample(range(-1, 9), self.random.randint(2, 4))]
        if self.random.random() < 0.7:
            parts.insert(self.random.randint(0, len(parts)), "default:")
        ends = ("break;", "break;", "")
        body = " ".join(f"{part} {self.statement(depth - 1)} {self.random.choice(ends)}" for part in parts)
        return f"switch (({self.value(1)}) & 7) {{ {body} }}"

    def _return(self, depth: int) -> str:
        return f"if ({self.decision()}) return {self.value(1)};"

    def _value(self, depth: int) -> str:
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"r += ({self.logical()});",
            lambda: f"t = {self.logical()};",
            lambda: f"v2 = ({self.decision()}) ? {self.value(1)} : {self.value(0)};",
            lambda: f"r ^= same({self.logical()});",
        )
        return self.random.choice(forms)()

    # --- decisions ------------------------------------------------------------------------------

    def _tree(self, leaves: _Leaves, depth: int) -> Piece:
        if depth == 0 or leaves.count > 6:
            return self._leaf(leaves)
        return self.random.choice([self._logical] * 8 + [self._mixed, self._choice, self._comma])(leaves, depth)

    def _mixed(self, leaves: _Leaves, depth: int) -> Piece:
        before, self._is_pure = self._is_pure, True  # its operands are evaluated in any order
        try:
            return super()._mixed(leaves, depth)
        finally:
            self._is_pure = before

    def _comma(self, leaves: _Leaves, depth: int) -> Piece:
        if self._is_pure:
            return self._tree(leaves, depth - 1)
        text, tree = self._tree(leaves, depth - 1)
        return f"(steps++, ({text}))", tree

    # --- conditions -----------------------------------------------------------------------------

    def _condition(self) -> str:
        kinds = [self._fresh] * 5 + [self._related] * 4 + [self._of_feature] * 4
        if not self._is_pure:
            kinds += [self._with_effect] * 3 + ([self._nested] if self._depth < 2 else [])
        kind = self.random.choice(kinds)
        text = kind()
        if kind not in (self._with_effect, self._nested):
            self.seen.append(text)
        return text

    def _fresh(self) -> str:
        return self._comparison()

    def _comparison(self) -> str:
        left, relation = self._varying(), self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"{left} {relation} {self.random.choice((self._number(), self._number(), self.value(0)))}"

    def _varying(self) -> str:
        """A value that is no constant: usually an input, or what was computed of it."""
        if self.random.random() < 0.5:
            return self.random.choice(self.reads)
        while not any(read in (text := self.value(self.random.choice((1, 1, 2)))) for read in self.reads):
            pass
        return text

    def _related(self) -> str:
        """An earlier condition once more, its opposite, or with another number: infeasible combinations come of these."""
        if not self.seen:
            return self._narrow()
        text = self.random.choice(self.seen[-6:])
        kind = self.random.randrange(4)
        if kind == 0:
            return text
        if kind == 1:
            return self._narrow()
        return re.sub(r"\(-?\d+\)$", self._number(), text)

    def _narrow(self) -> str:
        mask = self.random.choice((1, 3, 7))
        return (
            f"(({self._varying()}) & {mask}) {self.random.choice(('>', '==', '!=', '<='))} {self.random.randint(0, 9)}"
        )

    def _of_feature(self) -> str:
        drawn = [each for one in (*self.features, *self.inputs) for each in one.conditions]
        return self._fill(self.random.choice(drawn), self._varying(), self.value(0))

    def _with_effect(self) -> str:
        place = self.random.choice(("v0", "v1", "v2"))
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({place} = {self._varying()}) > {self._number()}",
            lambda: f"{place}++ < {self._number()}",
            lambda: f"--{place}",
            lambda: f"({place} += 2) != {self._number()}",
            lambda: f"put(&{place}, {self._varying()}) == {self._number()}",
            lambda: f"({place} = {self._varying()})",
            lambda: f"__builtin_add_overflow({self._varying()}, {self._number()}, &{place})",
            lambda: f"bump({self._varying()}) > {self._number()}",
        )
        return self.random.choice(forms)()

    def _nested(self) -> str:
        self._depth += 1
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"same({self.logical()})",
            lambda: f"(({self.decision()}) ? {self.value(0)} : {self.value(1)}) > {self._number()}",
            lambda: f"({{ int q = {self.logical()}; q > {self.value(0)}; }})",
            lambda: f"limits[{self.logical()}] < {self._number()}",
        )
        text = self.random.choice(forms)()
        self._depth -= 1
        return text


def everyday_file(seed: int, functions: int = 3) -> Everyday:
    return EverydayWriter(seed, functions).file()
