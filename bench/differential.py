"""Differential test with random programs: does the instrumented build behave as the plain one? Is its trace correct?

    python -m bench.differential --programs N --seed S [--csmith]

Prints every disagreement and the counts; asserts nothing. The same checks as tests/semantics/test_differential.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "semantics"))

import csmith_programs
from differential import Tally, examine, with_pinned_result
from random_inputs import random_values
from random_programs import RandomProgram, random_program


def main() -> None:
    wanted = read_arguments()
    start, total = time.monotonic(), Tally()
    for seed in range(wanted.seed, wanted.seed + wanted.programs):
        tally = check(seed, wanted)
        for problem in tally.problems[:3]:
            print(problem[:1000], flush=True)
        total += tally
    print(f"{total} in {time.monotonic() - start:.0f} s")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare woven and plain builds of random programs.")
    parser.add_argument("--programs", type=int, default=100, metavar="N", help="how many (default: 100)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program (default: 0)")
    parser.add_argument("--inputs", type=int, default=20, metavar="N", help="random inputs of each (default: 20)")
    parser.add_argument("--flips", type=int, default=40, metavar="N", help="runs of each search (default: 40)")
    parser.add_argument("--csmith", action="store_true", help="programs of csmith, which must be installed")
    return parser.parse_args()


def check(seed: int, wanted: argparse.Namespace) -> Tally:
    """Once as it is, with a search; once with the result pinned, so that its whole expression is evaluated."""
    program, flags = make(seed, wanted.csmith)
    inputs = [random_values(program, number) for number in range(wanted.inputs)]
    compiler = ("gcc", *flags) if flags else ()
    with tempfile.TemporaryDirectory() as folder:
        tally = examine(program, Path(folder), inputs, flips=wanted.flips, compiler=compiler, flags=flags)
        pinned = with_pinned_result(program)
        tally += examine(pinned, Path(folder), inputs, flips=0, compiler=compiler, flags=flags)
    tally.programs = 1
    return tally


def make(seed: int, is_csmith: bool) -> tuple[RandomProgram, tuple[str, ...]]:
    if is_csmith:
        return csmith_programs.csmith_program(seed), (csmith_programs.FLAGS,)
    return random_program(seed, may_trap=seed % 2 == 1), ()


if __name__ == "__main__":
    main()
