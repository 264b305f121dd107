"""Random functions with few inputs (at most 2^12), for small_domains.py: a bit of everything that C has, bounded.

A function draws a few *features*; each brings declarations, statements and values. Decisions have marks for the twin
(agreement/twin.py), and so has everything that ends a run: what is ‹plain|twin› differs between the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from random_decisions import CONSTANTS_HEAD, DecisionWriter
from small_domains import Small
from small_inputs import draw_inputs
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
static int twin_failing, twin_calls; /* the first four calls of an allocator fail as the bits say, later ones as the fourth */
static int twin_fails(void) { int call = twin_calls++; return twin_failing >> (call < 3 ? call : 3) & 1; }
static void *twin_malloc(int size) { return twin_fails() ? 0 : malloc(size); }
static void *twin_calloc(int count, int size) { return twin_fails() ? 0 : calloc(count, size); }
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
_ENDING = {"stop", "leave", "sure", "remainder"}  # helpers that may end the run
_ALLOCATING = {"block", "zeros"}
_HELPER = re.compile(r"^// (\w+): (.*)\n((?:.+\n)+)", re.M)
HELPERS = {
    name: (text.rstrip(), call)
    for name, call, text in _HELPER.findall(Path(__file__).with_name("small_helpers.c").read_text(encoding="utf-8"))
}


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
        self.inputs = draw_inputs(self.random)
        self.helpers = self.random.sample(sorted(HELPERS), self.random.randint(1, 4))
        if set(self.helpers) >= _ALLOCATING:
            self.helpers.remove("zeros")
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
        text = f"{_HEAD}{CONSTANTS_HEAD}typedef unsigned char u8;\n{''.join(heads)}{helpers}int f({parameters})\n{{\n{body}}}\n"
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
        allocates = {*_ALLOCATING, "way"} & set(self.helpers)
        return (*(("runs_died",) if ends or points else ()), *(("shape",) if points or allocates else ()))

    def _calls(self) -> str:
        loops = "".join(each.loops for each in self.inputs)
        sets = "".join(f"{each.argument}; " for each in self.inputs if not each.parameter)
        sets += "state = 0; " if "state" in self.helpers else ""
        if _ALLOCATING & set(self.helpers):
            loops += "for (twin_failing = 0; twin_failing < 16; twin_failing++) "
            sets += "twin_calls = 0; "
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
        bound = self.random.choice(
            (str(self.random.randint(1, 4)), f"({self.value(1)} & 3)", f"(int)({self.value(0)}) % 4")
        )
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
        body = " ".join(
            f"{part} {self.statement(depth - 1)} {self.random.choice(('break;', 'break;', ''))}" for part in parts
        )
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
        simple = [
            self._comparison(),
            self._comparison(),
            self._comparison(),
            "t",
            "x",
            "n & 4",
            f"({self._varying(1)})",
        ]
        odd = [
            "(x = y & 3)",
            "x++ < 4",
            "--y",
            f"({self.value(1)} & 1) == (n & 1)",
            f"(double)({self._varying(0)}) > 1.5",
        ]
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
