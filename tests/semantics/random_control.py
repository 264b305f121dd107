"""Random C functions full of `&&`, `||`, `!` and `?:` in every place where one can stand, with side effects in them.

Every loop uses up fuel, so every call ends; nothing is undefined, so every compiler must agree.
"""

from __future__ import annotations

from random import Random

_VARIABLES = ("a", "b", "c", "d")
_HEAD = """\
#include <stdio.h>
static int g1 = 3, g2 = 8;
static int step(int *p) { return (*p)++ & 1; }
"""


def random_functions(seed: int, count: int) -> str:
    """A file that defines f0, f1 ...: functions of four ints."""
    return _HEAD + "\n".join(
        _Maker(Random(f"control {seed} {number}")).function(f"f{number}") for number in range(count)
    )


def calling_main(count: int, calls: int = 200) -> str:
    """A `main` that calls each function with the same small numbers and prints what comes out."""
    each = "".join(f'printf("%d\\n", f{number}(v[0], v[1], v[2], v[3]));' for number in range(count))
    return f"""\
int main(void)
{{
    unsigned x = 12345;
    for (int i = 0; i < {calls}; i++) {{
        int v[4];
        for (int j = 0; j < 4; j++) {{
            x = x * 1103515245 + 12345;
            v[j] = (int)(x >> 16 & 15) - 4;
        }}
        {each}
    }}
    return 0;
}}
"""


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random

    def function(self, name: str) -> str:
        return (
            f"int {name}(int a, int b, int c, int d)\n{{\n    int fuel = 40, e = 0;\n    _Bool t = 0;\n"
            f"{self.block(3, False)}\n{self.block(3, False)}\n"
            "    return a + 3 * b + 5 * c + 7 * d + 11 * fuel + 13 * t + 17 * e;\n}\n"
        )

    def block(self, depth: int, in_loop: bool) -> str:
        return "\n".join(self.statement(depth, in_loop) for _ in range(self.random.randint(1, 3)))

    def statement(self, depth: int, in_loop: bool) -> str:
        kind, variable = self.random.randrange(11), self.random.choice(_VARIABLES)
        if depth <= 0 or kind < 3:
            return f"e = {self.value()};\n{variable} = e;"
        if kind < 5:
            inner, other = self.block(depth - 1, in_loop), self.block(depth - 1, in_loop)
            return f"if ({self.condition(3)}) {{\n{inner}\n}} else {{\n{other}\n}}"
        if kind < 9:
            return self.loop(kind, variable, self.block(depth - 1, True))
        jump = self.random.choice(("break;", "continue;")) if in_loop else f"return {self.value()};"
        return f"if ({self.condition(2)}) {jump}"

    def loop(self, kind: int, variable: str, body: str) -> str:
        condition = self.condition(3)
        condition = self.random.choice((f"fuel-- > 0 && {condition}", f"{condition} && fuel-- > 0"))
        if self.random.random() < 0.3:
            condition = condition.replace(" && ", " &&\n    ")
        if kind < 7:
            return f"while ({condition}) {{\n{body}\n}}"
        if kind == 7:
            return f"do {{\n{body}\n}} while ({condition});"
        return f"for (; {condition}; {variable}++) {{\n{body}\n}}"

    def condition(self, depth: int) -> str:
        kind = self.random.randrange(10)
        if depth <= 0 or self.random.random() < 0.2:
            return self.leaf()
        if kind < 7:
            operator = "&&" if kind < 4 else "||"
            return f"({self.condition(depth - 1)} {operator} {self.condition(depth - 1)})"
        if kind == 7:
            return f"!({self.condition(depth - 1)})"
        if kind == 8:
            arms = [self.random.choice(("0", "1", self.condition(depth - 1))) for _ in range(2)]
            return f"({self.condition(depth - 1)} ? {arms[0]} : {arms[1]})"
        return f"(({self.pure(depth - 1)}) == ({self.pure(depth - 1)}))"

    def leaf(self) -> str:
        v, w, k = self.random.choice(_VARIABLES), self.random.choice(_VARIABLES), self.random.randrange(-3, 9)
        effects = f"{v}++ < {k}", f"--{v}", f"({v} = {w} & 3)", f"(t = {v} > {k})", f"step(&{v})", f"({v}++, {v} > {w})"
        return self.random.choice((*effects, self.pure_leaf(), self.pure_leaf(), f"(float){v} > {k}.5f", str(k % 3)))

    def pure(self, depth: int) -> str:
        """Without side effects: operands of `==` and `+` are evaluated in any order."""
        if depth <= 0:
            return self.pure_leaf()
        a, b, c = (self.pure(depth - 1) for _ in range(3))
        forms = f"({a} && {b})", f"({a} || {b})", f"!({a})", f"__builtin_expect(!!({a}), 1)", f"({a} ? {b} : {c})"
        return self.random.choice((*forms, f"({a} ? {b} : 0)"))

    def pure_leaf(self) -> str:
        v, w, k = self.random.choice(_VARIABLES), self.random.choice(_VARIABLES), self.random.randrange(-3, 9)
        return self.random.choice((v, f"!{v}", "t", f"({v} & 1)", f"{v} == {w}", f"{v} < {k}"))

    def value(self) -> str:
        v, w, k = self.random.choice(_VARIABLES), self.random.choice(_VARIABLES), self.random.randrange(9)
        return self.random.choice((
            f"{v} + {k}",
            self.condition(2),
            f"({self.condition(2)} ? {k} : {k + 1})",
            f"({self.condition(1)} ? {v} : {w})",
            f"({self.pure(1)} ? 1 : 2) + ({self.pure(1)} ? 5 : {self.pure(1)} ? 6 : 7)",
            f"(int)({self.condition(1)} ? 1.5 : 2.5)",
            f"*({self.condition(1)} ? &g1 : &g2)",
        ))  # fmt: skip
