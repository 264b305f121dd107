"""Branches that native runs take, as llvm-cov counts them: a judge of branch verdicts that is not ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from everyday_judge import bare_words

Region = tuple[int, int, int, int]  # first line and column, last line and column of a condition
Counts = dict[Region, tuple[int, int]]  # how often it was true and false
_FLAGS = ("-O0", "-fwrapv", "-fno-strict-aliasing", "-w", "-fprofile-instr-generate", "-fcoverage-mapping")
_SIDE = re.compile(r"\w+:branch:\+[\d.]+:(true|false)(?:#\d+)?")


def count_branches(
    sources: Sequence[Path], unit: Path, folder: Path, flags: Sequence[str] = (), version: str = "19"
) -> Counts:
    """Build each of these programs, which include the unit, run it, and add up."""
    total: Counts = {}
    for number, source in enumerate(sources):
        program, raw, profile = (folder / f"counted_{number}{ending}" for ending in ("", ".raw", ".data"))
        _ask([f"clang-{version}", *_FLAGS, *flags, str(source), "-lm", "-o", str(program)], folder)
        environment = {**os.environ, "LLVM_PROFILE_FILE": str(raw)}
        subprocess.run([str(program)], cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
        _ask([f"llvm-profdata-{version}", "merge", str(raw), "-o", str(profile)], folder)
        words = [f"llvm-cov-{version}", "export", str(program), f"-instr-profile={profile}"]
        for region, (true, false) in _read(json.loads(_ask(words, folder)), unit):
            before = total.get(region, (0, 0))
            total[region] = before[0] + true, before[1] + false
    return total


def _ask(words: Sequence[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr[:300]}")
    return done.stdout


def _read(exported: Mapping[str, Any], unit: Path) -> Iterator[tuple[Region, tuple[int, int]]]:
    """By function: these lists lack conditions that clang folds to a constant and does not count, such as
    `words[1][0] >= 4` for a constant table; the lists by file have them, never taken."""
    for function in exported["data"][0]["functions"]:
        files = [Path(each).resolve() == unit.resolve() for each in function["filenames"]]
        for line, column, last_line, last_column, true, false, file, *_ in function["branches"]:
            if files[file]:
                yield (line, column, last_line, last_column), (true, false)


def taken_sides(
    objectives: Sequence[Mapping[str, Any]], counts: Counts, text: str
) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Objectives of criterion `branch`, each with whether its side was taken. A branch of ours lies at an operator, a
    region is the whole condition: it must say the same, because clang counts `!a` where we count `a`."""
    lines = text.split("\n")
    conditions = {region: bare_words(_cut(lines, region)) for region in counts}
    found = [(each, side[1], _around(each, side[1], conditions)) for each in objectives if (side := _side(each))]
    owners = Counter((region, side) for _, side, region in found if region is not None)
    for each, side, region in found:
        if region is not None and owners[region, side] == 1:
            yield each, counts[region][side == "false"] > 0


def _side(objective: Mapping[str, Any]) -> re.Match[str] | None:
    return _SIDE.fullmatch(objective["id"])


def _around(objective: Mapping[str, Any], side: str, conditions: Mapping[Region, str]) -> Region | None:
    at, said = (objective["line"], objective["column"]), bare_words(objective["text"].removesuffix(f" is {side}"))
    around = [region for region, words in conditions.items() if region[:2] <= at < region[2:] and words == said]
    return around[0] if len(around) == 1 else None


def _cut(lines: Sequence[str], region: Region) -> str:
    line, column, last_line, last_column = region
    if line == last_line:
        return lines[line - 1][column - 1 : last_column - 1]
    between = lines[line : last_line - 1]
    return "\n".join((lines[line - 1][column - 1 :], *between, lines[last_line - 1][: last_column - 1]))
