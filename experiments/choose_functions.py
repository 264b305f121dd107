"""Writes more_functions.toml: further functions of flex, make and bash, chosen by a rule and not by results.

    python -m experiments.choose_functions [--folder DIR] > experiments/more_functions.toml

The rule: from every file that bench/real/functions.toml names for these three, in its order, the first two functions
with a cyclomatic complexity above 8, as in paper 001, that are not in that list already.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from bench.parts.real_units import PROJECTS, RealUnit, obtain_units
from bench.real.listed import Listed, read_list

from experiments.studies import USUAL
from tightrope.options.options import Options
from tightrope.program.ir.model import Function
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile

LEAST_COMPLEXITY, PER_FILE = 9, 2
HEAD = """\
# Written by choose_functions.py, whose rule is: from every file that bench/real/functions.toml names for flex, make and
# bash, in its order, the first two functions with a cyclomatic complexity above 8 (as in paper 001; here 1 + two-way
# branches + cases, of what the compiler makes without optimisation) that are not in that list already. Chosen before
# any result was seen; a function stays in the list when the result is bad."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Choose further functions of flex, make and bash.")
    parser.add_argument("--folder", type=Path, default=USUAL, metavar="DIR", help=f"of bench/real (default: {USUAL})")
    print("\n".join(write_list(parser.parse_args().folder.absolute())))


def write_list(folder: Path) -> Iterator[str]:
    yield HEAD
    taken = [each for each in read_list() if each.package in PROJECTS]
    units, _ = obtain_units(taken, folder)
    for project in PROJECTS:
        yield from ("", f"[{project}]")
        for file in dict.fromkeys(each.file for each in taken if each.package == project):
            yield from _of_file(file, [each for each in taken if (each.package, each.file) == (project, file)], units)


def _of_file(file: str, taken: Sequence[Listed], units: Sequence[RealUnit]) -> Iterator[str]:
    unit = next(unit for unit in units if unit.name == taken[0].name)
    rows = list(islice(_fitting(unit, {each.function for each in taken}), PER_FILE))
    if rows:
        yield f'"{file}" = ['
        yield from (f'  {{ function = "{name}", why = "cyclomatic complexity {number}" }},' for name, number in rows)
        yield "]"


def _fitting(unit: RealUnit, taken: set[str]) -> Iterator[tuple[str, int]]:
    options = Options((), build_dir=unit.build_dir)
    file = prepare_file(find_compiler(), unit.file, options, lambda text: None)
    for name in file.functions:
        number = complexity(_function(file, name))
        if name not in taken and number >= LEAST_COMPLEXITY:
            yield name, number


def _function(file: PreparedFile, name: str) -> Function:
    return file.program.functions[f"@{name}"]


def complexity(function: Function) -> int:
    """One more than the branches that control can take or not."""
    lasts = [block.instructions[-1] for block in function.blocks]
    return 1 + sum(max(len(last.targets) - 1, 0) for last in lasts)


if __name__ == "__main__":
    main()
