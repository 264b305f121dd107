"""P* and P' (`annotate --instrumentation`) against plain labels, by brute force: paper 002, Theorems 3 and 6.

Random functions of two 8-bit numbers. gcc builds three texts: plain labels, with a `pc_label` that notes what it is given;
P'; and P*, where for each input every choice that a run can make is made. All three must cover the same labels, input by
input, and where nothing is chosen the function must answer the same.
TIGHTROPE_SEEDS=100:200 tries other functions than the few that are tried always.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from random_functions import FunctionWriter

import tightrope
from tightrope.commands.annotate import annotate
from tightrope.options.options import Options
from tightrope.options.targets import Target

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc, which did not come from us")

CRITERIA = ("limit", "condition", "rte")
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "3:4").split(":")))
INCLUDE = Path(tightrope.__file__).parent / "include"

HEAD = """\
#include <setjmp.h>
#include <stdio.h>
static char covered[100000];
static int wanted, visits, is_over;
static jmp_buf behind;
static int choose(void) { return visits++ == wanted; }
static void end(int status) { is_over = 1; longjmp(behind, 1); }
#define pc_label(e, id, tag) ((void)(covered[id] |= !!(e)))
#define TIGHTROPE_CHOOSE() choose()
#define TIGHTROPE_END(status) end(status)
#define TIGHTROPE_IS_COVERED(k) 0
#define TIGHTROPE_SET_COVERED(k) ((void)(covered[k] = 1))
"""
MAIN = """
int main(void)
{
    for (int a = -128; a < 128; a += 15)
        for (int b = -128; b < 128; b += 13) {
            wanted = 0;
            do {
                visits = is_over = 0;
                if (!setjmp(behind))
                    printf("%d %d returns %d\\n", a, b, f(a, b));
                wanted++;
            } while (is_over);
            for (int i = 0; i < 100000 && (i < 5000 || covered[i]); i++)
                if (covered[i])
                    printf("%d %d covers %d\\n", a, b, i), covered[i] = 0;
        }
    return 0;
}
"""


def run_every_choice(text: str, folder: Path) -> list[str]:
    """What is covered, and what is answered, input by input."""
    source, program = folder / "labelled.c", folder / "labelled"
    source.write_text(HEAD + text + MAIN)
    subprocess.run(["gcc", "-w", "-O1", "-fwrapv", f"-I{INCLUDE}", str(source), "-o", str(program)], check=True)
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=60).stdout
    return output.splitlines()


def text_of(path: Path, **commanded: Any) -> str:
    commanded["criteria"] = CRITERIA
    return annotate(Options((Target(path, "f"),), criteria=CRITERIA, commanded=commanded)).text


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_labels_and_both_instrumentations_cover_the_same(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(2))
    plain, direct, tight = (
        run_every_choice(text_of(path, **given), tmp_path)
        for given in ({}, {"instrumentation": "direct"}, {"instrumentation": "tight"})
    )
    assert plain == direct, path.read_text()
    assert plain == tight, path.read_text()
    assert any("covers" in line for line in plain) or "pc_label(" not in text_of(path)
