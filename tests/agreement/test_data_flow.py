"""Verdicts of `def-use` and `all-defs` against brute force. In these functions D(x) and U(x) say by hand where `x` is
defined and used; a twin with macros for them runs on every input. To Tightrope they mean nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope.command_line.arguments import read_command
from tightrope.commands.generate.generate import generate
from tightrope.report.model import UnitReport

NOTHING = "#define D(v) ((void)0)\n#define U(v) ((void)0)\n#define S(v)\n"

TWIN = """#include <stdio.h>
static unsigned char seen[64][64][128];
#define S(v) int last_##v = 0;
#define D(v) (last_##v = __LINE__)
#define U(v) (seen[last_##v][__LINE__][#v[0]] = 1)
"""

MAIN = """
int main(void) {
  for (int a = 0; a < 256; a++) for (int b = 0; b < 256; b++) f(a, b);
  for (int d = 1; d < 64; d++) for (int u = 1; u < 64; u++) for (int v = 0; v < 128; v++)
    if (seen[d][u][v]) printf("%c %d %d\\n", v, d, u);
}
"""

FUNCTIONS = {
    "branches": """\
int f(unsigned char a, unsigned char b) { S(a) S(b) S(x) D(a); D(b);
  int x = 0; D(x);
  if (U(a), a > 100) {
    x = 1; D(x);
  }
  if (U(b), b > 200)
    U(a), U(x), D(x), x = x + a;
  if (U(a), a <= 100)
    return U(x), x;
  U(b), U(x), D(b), b = x - b;
  if (U(x), x > 300)
    return U(b), b;
  return 0;
}
""",
    "loop": """\
int f(unsigned char a, unsigned char b) { S(a) S(b) S(i) S(s) D(a); D(b);
  int s = 0, i; D(s);
  for (D(i), i = 0;
       U(i), U(a), i < (a & 3);
       U(i), D(i), i++) {
    if (U(s), U(b), s > (b & 7)) {
      s = 0; D(s);
      continue;
    }
    U(i), U(b), U(s), D(s), s += i + (b & 1);
    if (U(s), s == 6)
      break;
  }
  while (U(i), U(s), D(i), (i = i - 1 - (s & 1)) > 0)
    U(s), D(s), s--;
  return U(s), U(i), s * i;
}
""",
    "short-circuit": """\
int f(unsigned char a, unsigned char b) { S(a) S(b) S(r) S(t) D(a); D(b);
  int t = 9, r = 5; D(t), D(r);
  if ((U(a), a > 5)
      && (U(b), b < 9)) {
    t = 1; D(t);
  } else if ((U(b), b == 3)
             || (U(t), U(a), t > a)) {
    r = (U(b), b > 4)
      ? (U(r), r)
      : (U(a), a);
    D(r);
  }
  switch (U(t), t) {
  case 1:
    U(r), D(r), r += 2;
    break;
  default:
    D(t), t = 0;
  }
  return (U(t), t) && (U(r), r > 6);
}
""",
}


def measured_flows(name: str, folder: Path) -> set[tuple[str, int, int]]:
    """Definition and use by line, as the twin saw them, on any input. Lines are those of the function's text."""
    source = folder / f"{name}_twin.c"
    source.write_text(f"{TWIN}#line 1\n{FUNCTIONS[name]}{MAIN}")
    program = folder / f"{name}_twin"
    subprocess.run(["gcc", "-w", "-O1", str(source), "-o", str(program)], check=True)
    lines = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    return {(v, int(d), int(u)) for v, d, u in (line.split() for line in lines)}


def report_of(name: str, folder: Path) -> UnitReport:
    source = folder / f"{name}.c"
    source.write_text(f"{NOTHING}#line 1\n{FUNCTIONS[name]}")
    words = ["generate", f"{source}:f", "-c", "def-use,all-defs", "-q", "-o", str(folder / "tests")]
    return generate(read_command(words)[1]).units[0]


@pytest.mark.usefixtures("not_counted_by_gcov")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="the twin wants gcc")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_flow_and_definition_has_the_verdict_that_all_inputs_give(name: str, tmp_path: Path):
    possible, unit = measured_flows(name, tmp_path), report_of(name, tmp_path)
    flows = {}
    for objective in unit.objectives:
        found = re.fullmatch(r"`(\w+)` of line (\d+) is used in line (\d+)", objective.text)
        if objective.criterion == "def-use":
            assert found, objective.text
            flows[found[1], int(found[2]), int(found[3])] = objective.verdict
    assert {flow for flow, verdict in flows.items() if verdict == "covered"} == possible
    assert set(flows.values()) <= {"covered", "infeasible"}

    used = {(v, d) for v, d, _ in possible}
    for objective in unit.objectives:
        found = re.fullmatch(r"`(\w+)` of line (\d+) is used", objective.text)
        if found:
            assert (objective.verdict == "covered") is ((found[1], int(found[2])) in used), objective.id
