"""Random functions, and callers that try what a shape of inputs does not have: the brute force behind *infeasible*.

A function is written twice: for the tool, and with `HIT(line, condition)` around its conditions, between callers that
call it with many inputs. What one of them reaches must not be called infeasible.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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


class Writer:
    """Random branches, each on a line of its own."""

    def __init__(self, family: Family, seed: int, repeats: float = 0.0) -> None:
        self.family, self.random, self.repeats = family, random.Random(seed), repeats
        self.asked: list[str] = []

    def condition(self) -> str:
        """A random one, or one that was asked before: then only what happened in between decides it."""
        if self.asked and self.repeats and self.random.random() < self.repeats:
            return self.random.choice(self.asked)
        self.asked.append(self._fresh_condition())
        return self.asked[-1]

    def _fresh_condition(self) -> str:
        left, right = self.random.choice(self.family.atoms), self.random.choice((*self.family.atoms, "", "", ""))
        number = self.random.choice((0, 1, 2, 3, 4, 8, 9, 10, 97))
        return f"{left} {self.random.choice(('<', '>', '==', '!='))} {right or number}"

    def statements(self, depth: int) -> list[str]:
        if not depth:
            return [f"{self.random.choice(self.family.effects)};", f"k ^= {self.random.randint(1, 9)};"]
        inside, other = self.statements(depth - 1), self.statements(depth - 1)
        if self.random.random() < 0.5:
            inside = [f"if ({self.condition()}) {{", "k += 3;", "}", *inside]
        if self.repeats and self.random.random() < self.repeats:
            inside = ["for (int again = 0; again < 3; again++) {", *inside, "}"]
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
    (folder / "callers.c").write_text(f"#define IS_CALLED\n{text}int main(void) {{ {calls} {loops} return 0; }}\n")
    subprocess.run([*ZIG, folder / "callers.c", "-o", folder / "callers"], check=True, timeout=60)
    shown = subprocess.run([folder / "callers"], check=True, timeout=60, capture_output=True, text=True).stdout
    seen = [(int(line), "true" if side == "1" else "false") for line, side in map(str.split, shown.splitlines())]
    return {(line, f"{lines[line - 1][4:-3]} is {side}") for line, side in seen}


def wrong_verdicts(head: str, writers: Sequence[Writer], folder: Path, *options: str) -> list[str]:
    """What is called infeasible although a caller reaches it."""
    lines, functions = head.splitlines(), {}
    for number, writer in enumerate(writers):
        functions[f"f{number}"] = writer.family
        lines += writer.function(f"f{number}")
    (folder / "unit.c").write_text("\n".join(lines) + "\n")
    words = ["--time-limit", "0.5", "--no-confirm", "-q", "-c", "branch", "--json", str(folder / "report.json")]
    words += [word for name in functions for word in ("-f", name)]
    assert cli.main(["generate", str(folder / "unit.c"), "-o", str(folder / "tests"), *words, *options]) == 0
    reached = taken(lines, functions, folder)
    units = json.loads((folder / "report.json").read_text())["units"]
    assert [unit["function"] for unit in units] == list(functions)
    assert not any(unit["statistics"]["divergences"] for unit in units)
    return [
        f"{unit['function']} line {each['line']}: {each['text']}"
        for unit in units
        for each in unit["objectives"]
        if each["verdict"] == "infeasible" and (each["line"], each["text"]) in reached
    ]
