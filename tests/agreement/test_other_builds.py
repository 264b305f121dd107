"""A written suite gives the same answers whoever builds it: gcc and clang, without and with optimisation, with sanitizers.

The programs are those of tests/programs that tempt: values that nothing has written, results that are missing, addresses,
shifts, bit-fields, unions, output. TIGHTROPE_FULL=1: all programs whose suite is one file without options.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tightrope import cli

PROGRAMS = Path(__file__).parent.parent / "programs"
TEMPTING = (
    *("uninitialised_local", "uninitialised_result", "uninitialised_by_stub", "uninitialised_padding"),
    *("initialised_in_parts", "address_bits", "address_order", "address_union", "address_aligned_loop"),
    *("shifts", "bit_fields", "union_punning", "output", "struct_result", "undefined_shift", "constant_set_by_tests"),
    *("resized_input", "null_for_nothing", "members_of_null", "bases_of_numbers"),
)
_FUNCTION = re.compile(r"// function: (\w+)")
ZIG = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined")


def compilers() -> dict[str, tuple[str, ...]]:
    """By name. Two of the builds with sanitizers would take most of the time, so only one has them."""
    found = {"zig -O0": (*ZIG, "-O0"), "zig -O2": (*ZIG, "-O2")}
    if shutil.which("gcc"):
        found |= {"gcc -O0": ("gcc", "-O0"), "gcc -O2": ("gcc", "-O2")}
        found |= {"gcc with sanitizers": ("gcc", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")}
    if shutil.which("clang-19"):
        found |= {"clang-19 -O2": ("clang-19", "-O2")}
    return found


def chosen() -> list[Path]:
    if os.environ.get("TIGHTROPE_FULL") != "1":
        return [PROGRAMS / f"{name}.c" for name in TEMPTING]
    return [each for each in sorted(PROGRAMS.glob("*.c")) if "// options:" not in each.read_text(encoding="utf-8")]


@pytest.mark.parametrize("program", chosen(), ids=lambda each: each.stem)
@pytest.mark.usefixtures("not_counted_by_gcov")
def test_every_build_agrees(program: Path, tmp_path: Path) -> None:
    found = _FUNCTION.search(program.read_text(encoding="utf-8"))
    assert found
    words = ["generate", f"{program}:{found[1]}", "--criterion", "branch", "--quiet", "--output", str(tmp_path)]
    assert cli.main(words) == 0
    for suite in tmp_path.glob("test_*.c"):
        differing = {name: said for name, words in compilers().items() if (said := failing(words, suite))}
        assert not differing


def failing(compiler: tuple[str, ...], suite: Path) -> str:
    """What the suite says where it does not succeed."""
    binary = suite.with_suffix("")
    built = subprocess.run([*compiler, "-w", "-std=gnu11", "-fwrapv", suite, "-o", binary, "-lm"], capture_output=True)
    assert built.returncode == 0, built.stderr.decode()
    ended = subprocess.run([binary], capture_output=True, cwd=suite.parent, timeout=60, check=False)
    said = ended.stdout.decode(errors="replace") + ended.stderr.decode(errors="replace")
    count = int(said[said.index("1..") + 3 :].split()[0])
    passed = len(re.findall(r"^ok \d+ - ", said, re.MULTILINE))
    return "" if ended.returncode == 0 and passed == count else said


ORDER = """
#include <string.h>
unsigned length_of(const unsigned char *option);
const unsigned char *value_of(const unsigned char *option);
unsigned decode(const unsigned char *from, unsigned length);
int next(void);
const char *phrase(int code);
int add(unsigned long length, const char *text);

int say(int code)
{
    if (add(strlen(phrase(code)), phrase(code)) > 3)
        return 1;
    return 0;
}

unsigned number(const unsigned char *option)
{
    unsigned found = 0;
    if (length_of(option) > 1)
        found = decode(value_of(option), length_of(option) - 1);
    return found > 9 ? 9 : found;
}

static int digits(int a, int b) { return 10 * a + b; }

int both(void)
{
    if (digits(next(), next()) == 12)
        return 1;
    return 0;
}
"""


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc here")
def test_calls_whose_order_c_leaves_open(tmp_path: Path) -> None:
    """clang evaluates arguments from left to right, gcc from right to left. A test that expects calls in the order of
    one of them, or what follows from it, fails elsewhere."""
    (tmp_path / "order.c").write_text(ORDER, encoding="utf-8")
    report = tmp_path / "report.json"
    for name in ("number", "both", "say"):
        words = ["generate", f"{tmp_path}/order.c:{name}", "-c", "branch", "--quiet", "-o", str(tmp_path), "--replace"]
        assert cli.main([*words, "--json", str(report)]) == 0
        objectives = json.loads(report.read_text(encoding="utf-8"))["units"][0]["objectives"]
        reasons = [each["reason"] for each in objectives if each["verdict"] == "unknown"]
        assert reasons == (["judged"] if name == "both" else [])
        suite = tmp_path / f"test_order_{name}.c"
        assert not {who: said for who, words in compilers().items() if (said := failing(words, suite))}
