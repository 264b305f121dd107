"""Random functions of two 8-bit numbers, full of branches that are sometimes impossible."""

from __future__ import annotations

import random

TABLE = "static const signed char table[16] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8, 9, 7, -9, 3};\n"


class FunctionWriter:
    """Writes one function `f`; how much of it, `depth` says."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def value(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0:
            return pick(["a", "b", "x", str(self.random.randint(-20, 130))])
        left, right = self.value(depth - 1), self.value(depth - 1)
        forms = [f"({left} {pick('+-*&|^')} {right})", f"(signed char)({left})", f"(unsigned char)({left} + {right})"]
        forms += [f"table[({left}) & 15]", f"(({left}) / ((({right}) & 7) + 1))", f"(({left}) >> (({right}) & 3))"]
        forms += [f"(({left}) % 7)", f"(~({left}))", f"(({left}) < ({right}) ? {left} : {right})"]
        return pick(forms)

    def condition(self, depth: int) -> str:
        relation = self.random.choice(["<", "<=", ">", "==", "!="])
        simple = f"{self.value(self.random.randint(0, 2))} {relation} {self.value(self.random.randint(0, 1))}"
        if depth == 0 or self.random.random() < 0.5:
            return simple
        return f"({simple}) {self.random.choice(['&&', '||'])} ({self.condition(depth - 1)})"

    def statement(self, depth: int) -> str:
        kind = self.random.random()
        if depth == 0 or kind < 0.2:
            return f"x = {self.value(2)};"
        if kind < 0.75:
            return (
                f"if ({self.condition(2)}) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}\n"
                f"{self.statement(depth - 1)}"
            )
        if kind < 0.9:
            cases = " ".join(f"case {k}: {self.statement(0)} break;" for k in self.random.sample(range(-8, 16), 3))
            return f"switch ({self.value(1)}) {{ {cases} default: {self.statement(depth - 1)} }}"
        return f"for (int i = 0; i < ((x) & 3); i++) {{ {self.statement(0)} if (x == {self.value(0)}) break; }}"

    def program(self, depth: int = 3) -> str:
        body = self.statement(depth)
        return f"{TABLE}int f(signed char a, signed char b) {{ int x = a ^ b;\n{body}\nreturn x; }}\n"
