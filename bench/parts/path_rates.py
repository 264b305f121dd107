"""Prints, as JSON, how many paths a second of processor time explores, for each program of the exploration.

    python path_rates.py STRATEGY [FILE.c:FUNCTION ...]

It is run as a file, with the folder of a version of this repository in PYTHONPATH: so it imports nothing that an older
version does not have. Further functions are named by their files.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.exploration import PROGRAMS
from bench.parts.prepared import all_paths, loaded
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target

TIMES = 3  # the best counts


def measure_rates(strategy: str, further: list[str]) -> Iterator[tuple[str, float]]:
    for program in PROGRAMS:
        yield program.name, _measure(replace(all_paths(program.name, program.function), strategy=strategy))
    for name in further:
        file, _, function = name.rpartition(":")
        options = all_paths(PROGRAMS[0].name, PROGRAMS[0].function)
        yield name, _measure(replace(options, strategy=strategy, targets=(Target(Path(file), function),)))


def _measure(options: Options) -> float:
    best = 0.0
    for _ in range(TIMES):
        with loaded(options) as (unit, runner):
            gc.collect()
            start = tree_seconds()
            found = explore(unit, runner, options, lambda ledger, progress: None)
            paths = found.paths
            del found  # to free what it holds is a part of the work
            best = max(best, paths / (tree_seconds() - start))
    return best


def tree_seconds() -> float:
    """Of this process and of those below it that run now."""
    parents = dict(_parents())
    waiting, total = [os.getpid()], 0.0
    while waiting:
        process = waiting.pop()
        total += _own_seconds(process)
        waiting += [each for each, parent in parents.items() if parent == process]
    return total


def _parents() -> list[tuple[int, int]]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as file:
                found.append((int(name), int(file.read().rpartition(")")[2].split()[1])))
        except OSError:  # it has ended
            continue
    return found


def _own_seconds(process: int) -> float:
    total = 0
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[0])
    except OSError:
        return 0.0
    return total / 1e9


if __name__ == "__main__":
    print(json.dumps(dict(measure_rates(sys.argv[1], sys.argv[2:]))))
