"""A prototype to compare with, measured in the same session because rates differ from machine to machine.

It is a folder, not part of this repository, with a program `dse.py FILE FUNCTION COUNT SECONDS` that explores all
paths of a function of COUNT ints and prints `paths N queries N ... time T s`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.exploration import Program
from bench.parts.prepared import PROGRAMS

_RESULT = re.compile(r"paths (\d+) queries (\d+) .*?time ([\d.]+)s +(\d+) paths/s")


@dataclass(frozen=True, slots=True)
class Yardstick:
    paths: int
    rate: float


def measure(folder: Path, program: Program, repetitions: int) -> Yardstick:
    """The quickest of several."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "prototype"  # it writes beside itself
        shutil.copytree(folder, copy)
        (copy / "wrapped.c").write_text(wrapped(program), encoding="utf-8")
        return max((_measure_once(copy, program) for _ in range(repetitions)), key=lambda each: each.rate)


def _measure_once(folder: Path, program: Program) -> Yardstick:
    command = [sys.executable, "dse.py", "wrapped.c", "entry", str(program.count), "60"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = _RESULT.search(done.stdout)
    if found is None:
        raise SystemExit(f"the yardstick does not run:\n{done.stdout}{done.stderr}")
    return Yardstick(int(found[1]), float(found[4]))


def wrapped(program: Program) -> str:
    """The program behind a function that takes ints, which is all that the prototype can vary."""
    names = [f"x{number}" for number in range(program.count)]
    parameters = ", ".join(f"int {name}" for name in names)
    values = ", ".join(f"({program.element}){name}" for name in names)
    return (
        f'#include "{PROGRAMS / program.name}.c"\n'
        f"int entry({parameters})\n{{\n"
        f"    {program.element} array[{program.count}] = {{{values}}};\n"
        f"    return {program.function}(array);\n}}\n"
    )
