"""Verdicts against brute force: on functions of two 8-bit inputs, every input is run, so that what can be
covered is known. `covered` must be coverable, `infeasible` must not, and nothing may stay unknown."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tightrope.execution.runner import Worker
from tightrope.explore import explore
from tightrope.objectives.verdict import Covered, Infeasible
from tightrope.options import Options
from tightrope.prepare import prepare_file, prepare_unit, start
from tightrope.source.toolchain import find_compiler
from tightrope.targets import Target

TABLE = "static const signed char table[16] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8, 9, 7, -9, 3};\n"


class _Writer:
    """Small functions full of branches that are sometimes impossible."""

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

    def program(self) -> str:
        return f"{TABLE}int f(signed char a, signed char b) {{ int x = a ^ b;\n{self.statement(3)}\nreturn x; }}\n"


def _prepare(folder: Path, text: str):
    path = folder / "unit.c"
    path.write_text(text)
    options = Options((Target(path, "f"),), output=folder / "out", time_limit=60.0)
    file = prepare_file(find_compiler(), path, options, lambda text: None)
    return prepare_unit(file, "f", options), options


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_agree_with_brute_force(seed, tmp_path):
    text = _Writer(seed).program()
    unit, options = _prepare(tmp_path, text)
    with start(unit, Worker(), options) as runner:
        found = explore(unit, runner, options, lambda ledger, progress: None)
        possible = 0
        for a in range(256):
            for b in range(256):
                possible |= runner.trace((a, b)).points
    assert found.progress.divergences == 0
    for objective, verdict in found.ledger:
        expected = Covered if possible & objective.mask else Infeasible
        assert isinstance(verdict, expected), f"{objective.id} ({objective.text}): {verdict}\n{text}"
