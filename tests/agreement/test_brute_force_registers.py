"""Verdicts about functions that read registers, against all answers that their devices could give.

A random function reads two registers of two bits each, at most `READS` times. The judge is the same C with functions in
place of the registers, run once for every sequence of answers.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tightrope import cli

READS = 5
HEAD = """
#ifdef JUDGE
#include <stdio.h>
static unsigned answers, reads, hit[100][2];
static unsigned next(void) { return answers >> 2 * reads++ & 3; }
#define ONE next()
#define OTHER next()
static unsigned out;
#define OUT out
#define IF(line, condition) (condition ? (hit[line][1] = 1) : (hit[line][0] = 1, 0))
#else
#define ONE (*(volatile unsigned char *)0x40020000 & 3)
#define OTHER (((volatile unsigned short *)0x40020010)[1] & 3)
#define OUT (*(volatile unsigned *)0x40020020)
#define IF(line, condition) (condition)
#endif
"""
JUDGE = """
#ifdef JUDGE
int main(void)
{
    for (unsigned n = 0; n < 1u << 2 * READS; n++) {
        answers = n, reads = 0;
        f();
    }
    for (int line = 0; line < 100; line++)
        for (int side = 0; side < 2; side++)
            if (hit[line][side]) printf("%d %d\\n", line, side);
}
#endif
"""


class Writer:
    """Writes one random function, a statement to a line."""

    def __init__(self, seed: int) -> None:
        self.random, self.reads = random.Random(seed), 0
        self.lines = [*HEAD.splitlines(), "int f(void)", "{", "    unsigned x = 0, y = 0;"]

    def value(self) -> str:
        kinds = ["x", "y", str(self.random.randrange(4)), "(x ^ y)"]
        if self.reads < READS and self.random.random() < 0.5:
            self.reads += 1
            return self.random.choice(["ONE", "OTHER"])
        return self.random.choice(kinds)

    def statements(self, depth: int, count: int) -> Iterator[None]:
        indent = "    " * (depth + 1)
        for _ in range(count):
            kind = self.random.choice(["set", "set", "write", "if", "if", "return"])
            if kind == "set":
                self.lines.append(f"{indent}{self.random.choice('xy')} = {self.value()};")
            elif kind == "write":
                self.lines.append(f"{indent}OUT = {self.value()};")
            elif kind == "return" and depth:
                self.lines.append(f"{indent}return {self.value()};")
                return
            elif kind == "if" and depth < 3:
                sign = self.random.choice(["==", "<", ">", "!="])
                left, right = self.value(), self.random.choice(["x", "y", "1", "2"])
                self.lines.append(f"{indent}if (IF({len(self.lines) + 1}, ({left} {sign} {right}))) {{")
                yield from self.statements(depth + 1, 2)
                self.lines.append(f"{indent}}}")
            yield

    def text(self) -> str:
        for _ in self.statements(0, 6):
            pass
        return "\n".join([*self.lines, "    return x + y;", "}", JUDGE.replace("READS", str(READS))])


@pytest.mark.parametrize("seeds", [range(4), range(4, 8)], ids=str)
def test_every_verdict_is_right(seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in seeds:
        Path("unit.c").write_text(Writer(seed).text())
        try:
            subprocess.run(["gcc", "-w", "-DJUDGE", "-o", "judge", "unit.c"], check=True)
        except FileNotFoundError:
            pytest.skip("needs gcc")
        shown = subprocess.run([tmp_path / "judge"], check=True, capture_output=True, text=True).stdout
        reached = {tuple(map(int, line.split())) for line in shown.splitlines()}
        words = ("-c", "branch", "-q", "-o", "tests", "--json", "report.json", "--max-runs", "300", "--answers", "5")
        assert cli.main(["generate", "unit.c:f", *words]) == 0
        (unit,) = json.loads(Path("report.json").read_text())["units"]
        sides = {(each["line"], int(each["kind"] == "true")): each["verdict"] for each in unit["objectives"]}
        wrong = {side: v for side, v in sides.items() if v != ("covered" if side in reached else "infeasible")}
        assert not wrong, f"seed {seed}: {wrong}"
