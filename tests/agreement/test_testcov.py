"""TestCov, the judge of Test-Comp, runs our suites for whole programs and counts what they cover.

With gcov it counts the branches that we count, except those of tests that abort, which leave no counts behind. With lcov and
clang-tidy it counts *decisions*: so whoever covers all branches covers all of those. Where the programs had comparisons that
their types decide (`__VERIFIER_nondet_bool() > 7`), it would count fewer: gcc leaves them out.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tightrope import cli

TESTCOV = shutil.which("testcov") or shutil.which("testcov", path=str(Path(sys.executable).parent))
NEEDED = ("gcc", "gcov")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("not_counted_by_gcov"),  # TestCov asks it
    pytest.mark.skipif(TESTCOV is None, reason="testcov is not installed: pip install testcov"),
    pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason="testcov compiles with gcc"),
]
HAS_ALL = all(map(shutil.which, ("lcov", "clang-tidy")))

LOOPS = """
extern void abort(void);
void reach_error() { abort(); }
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void assume_abort_if_not(int cond) {
  if (!cond) { abort(); }
}
int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  assume_abort_if_not(n <= 5);
  int sum = 0, i = 0;
  while (i < n) {
    int v = __VERIFIER_nondet_int();
    if (v < 0) { i++; continue; }
    if (v > 100) break;
    sum += v;
    i++;
  }
  if (sum == 250) { reach_error(); }
  if (sum > 1000) return 1;
  return 0;
}
"""
FLOATS = """
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  __VERIFIER_assume(f >= -1000.0f);
  if (f > 3.25f && f < 3.5f) {
    if (d == 0.1) { return 1; }
    else if (d != d) { return 2; }
    else if (d == 1e308 * 10) { return 3; }
    else if (d < -1e300) { return 5; }
  } else if (f + d == 12.625) {
    return 4;
  }
  return 0;
}
"""
CHARACTERS = """
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
int main(void) {
  char c = __VERIFIER_nondet_char();
  switch (c) {
  case 'a': return 1;
  case '\\n': return 2;
  case -3: return 3;
  case ' ': if (__VERIFIER_nondet_uchar() == 200) { return 4; } break;
  default: if (__VERIFIER_nondet_short() == -32768) { return 5; }
  }
  if (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_long() == -5000000000L) { return 6; }
    if (__VERIFIER_nondet_ulonglong() == 18446744073709551615ULL) { return 7; }
  } else if (__VERIFIER_nondet_ushort() == 65535) {
    return 8;
  }
  return 0;
}
"""
REACTIVE = """
extern void abort(void);
extern int __VERIFIER_nondet_int();
void reach_error() { abort(); }
int state = 1;
int step(int input) {
  if (state == 1 && input == 3) { state = 2; return 20; }
  if (state == 2 && input == 5) { state = 3; return 21; }
  if (state == 3 && input == 1) { state = 4; return 22; }
  if (state == 4 && input == 4) { reach_error(); }
  return -1;
}
int main(void) {
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input != 1 && input != 3 && input != 4 && input != 5) { return -2; }
    step(input);
  }
}
"""
MANY = """
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < 100; i++) {
    sum += __VERIFIER_nondet_uchar();
  }
  if (sum == 7) { return 1; }
  if (sum > 20) { return 2; }
  return 0;
}
"""
# name -> program, decisions that are covered (all but those that no input can take)
PROGRAMS = {
    "loops": (LOOPS, 91.67),
    "floats": (FLOATS, 100.0),
    "characters": (CHARACTERS, 100.0),
    "reactive": (REACTIVE, 100.0),
    "many": (MANY, 100.0),
}


def generate(name: str, folder: Path) -> dict[str, object]:
    """Write the suite, and zip it; the unit of report.json."""
    (folder / f"{name}.c").write_text(PROGRAMS[name][0])
    report = folder / "report.json"
    words = ["--criterion", "branch", "--format", "testcomp", "--json", str(report), "--output", str(folder / "out")]
    assert cli.main(["generate", f"{folder / name}.c:main", *words, "--quiet"]) == 0
    with zipfile.ZipFile(folder / "suite.zip", "w") as packed:
        for file in sorted((folder / "out" / f"test_{name}_main-testcomp").iterdir()):
            packed.write(file, file.name)
    (unit,) = json.loads(report.read_text())["units"]
    return dict(unit)


def judge(name: str, folder: Path, *words: str) -> tuple[float, int]:
    """Percentage and number of goals, as TestCov prints them."""
    command = [TESTCOV, "-64", "--no-isolation", "--no-plots", "--reduction", "NONE", *words]
    command += ["--test-suite", "suite.zip", "--output", "judged", f"{name}.c"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    found = re.search(r"Coverage: ([\d.]+)%\nNumber of goals: (\d+)", done.stdout)
    assert found, done.stdout + done.stderr
    return float(found[1]), int(found[2])


@pytest.mark.parametrize("name", PROGRAMS)
def test_testcov_counts_the_branches_that_we_count(name: str, tmp_path: Path) -> None:
    unit = generate(name, tmp_path)
    percent, goals = judge(name, tmp_path, "--use-gcov")
    lasting = {goal for test in unit["tests"] if test["outcome"] != "crashed" for goal in test["covers"]}
    assert goals == len(unit["objectives"])
    assert percent == pytest.approx(100 * len(lasting) / goals, abs=0.01)
    assert all(objective["verdict"] != "unknown" for objective in unit["objectives"]) or name == "many"


@pytest.mark.skipif(not HAS_ALL, reason="for decisions, testcov needs lcov and clang-tidy")
@pytest.mark.parametrize("name", PROGRAMS)
def test_testcov_counts_every_decision_covered(name: str, tmp_path: Path) -> None:
    generate(name, tmp_path)
    percent, _ = judge(name, tmp_path)
    assert percent == PROGRAMS[name][1]
