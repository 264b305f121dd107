"""What an edit does, by running both versions of a program with the same inputs: which objectives are covered by other
inputs than before. It judges what is said of the edit's impact, and knows nothing of dependences.

An input of one version is an input of the other where slots have the same path and scalar; a slot that only one version
has gets several values, all of which must make no difference to what is not impacted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from small_domains import Small, options_for, prepare

from tightrope.coverage.objective import Objective
from tightrope.coverage.witnesses import is_covered
from tightrope.inputs.scalars import Input, Slot
from tightrope.options.options import Options
from tightrope.running.runner import RunLimits, Worker
from tightrope.units.build import start_runner
from tightrope.units.prepared import PreparedUnit

LIMITS = RunLimits(seconds=2.0, steps=4_000)
MOST_INPUTS = 128
_BOUNDARY = (0, 1, 2, 3, 5, 7, 10, 64, 100, -1, -2, -128)


@dataclass(frozen=True)
class Version:
    """One version of a program, ready to run."""

    small: Small
    unit: PreparedUnit
    options: Options


def make_version(small: Small, text: str, folder: Path, criteria: Sequence[str], *words: str) -> Version:
    """Raises CompileError when the text is no C."""
    edited = replace(small, text=text)
    folder.mkdir(exist_ok=True)
    options = options_for(edited, folder, criteria, *words)
    return Version(edited, prepare(options), options)


# --- inputs --------------------------------------------------------------------------------------

Key = tuple[str, int, bool]  # path, bits, sign


def key_of(slot: Slot) -> Key:
    return slot.path, slot.scalar.bits, slot.scalar.is_signed


def draw_assignments(small: Small, slots: Sequence[Slot], random: Random) -> list[Mapping[Key, int]]:
    """Every one if these are few, else so many random ones."""
    keys = list(dict.fromkeys(map(key_of, slots)))
    by_key = {key_of(slot): values_of(small, slot) for slot in slots}
    values, count = [by_key[key] for key in keys], 1
    for each in values:
        count *= len(each)
    if count <= MOST_INPUTS:
        return [dict(zip(keys, each, strict=True)) for each in itertools.product(*values)]
    return [dict(zip(keys, map(random.choice, values), strict=True)) for _ in range(MOST_INPUTS)]


def values_of(small: Small, slot: Slot) -> Sequence[int]:
    scalar = slot.scalar
    if slot.path in small.domain:
        return [value & scalar.mask for value in small.domain[slot.path]]
    if scalar.members:
        return [value & scalar.mask for _, value in scalar.members]
    if scalar.bits <= 4:
        return range(1 << scalar.bits)
    return sorted({value & scalar.mask for value in _BOUNDARY})


# --- runs ----------------------------------------------------------------------------------------


def run_version(version: Version, inputs: Sequence[Mapping[Key, int]]) -> list[int]:
    """The points that each input hits."""
    unit = version.unit
    keys = [key_of(slot) for slot in unit.driver.slots]
    counts = len(unit.driver.slots), len(unit.driver.outputs)
    is_direct = version.options.instrumentation == "direct"
    with start_runner(Worker(), unit.file.compiler, unit.woven, *counts, LIMITS, is_direct=is_direct) as runner:
        return [runner.trace(_input(keys, each)).points for each in inputs]


def _input(keys: Sequence[Key], values: Mapping[Key, int]) -> Input:
    return tuple(values[key] for key in keys)


@dataclass(frozen=True)
class Runs:
    """The same inputs, run on both versions."""

    inputs: tuple[Mapping[Key, int], ...]
    old: tuple[int, ...]
    new: tuple[int, ...]


class Runner:
    """Runs versions against one old one, whose runs are kept: most versions have its slots."""

    def __init__(self, old: Version) -> None:
        self.old = old
        self._known: dict[frozenset[Key], tuple[tuple[Mapping[Key, int], ...], tuple[int, ...]]] = {}

    def run_both(self, new: Version) -> Runs:
        slots = (*self.old.unit.driver.slots, *new.unit.driver.slots)
        keys = frozenset(map(key_of, slots))
        if keys not in self._known:
            inputs = draw_assignments(self.old.small, slots, Random(self.old.small.name))
            self._known[keys] = tuple(inputs), tuple(run_version(self.old, inputs))
        known = self._known[keys]
        return Runs(*known, tuple(run_version(new, known[0])))


# --- what differs --------------------------------------------------------------------------------


def find_difference(old: Objective, new: Objective, runs: Runs) -> str:
    """What shows that the two are covered by different inputs; '' when nothing does.

    One input, or two together (an objective may take two runs), or all of them; inputs that hit the same of both count once.
    """
    if old.problem or new.problem:
        return "" if bool(old.problem) == bool(new.problem) else "only one can be asked about"
    first: dict[tuple[int, int], int] = {}
    for at, (one, other) in enumerate(zip(runs.old, runs.new, strict=True)):
        first.setdefault((one & old.mask, other & new.mask), at)
    for groups in _groups(list(first)):
        before = _covers(old, [one for one, _ in groups])
        if before != _covers(new, [other for _, other in groups]):
            shown = [_show(runs.inputs[first[each]]) for each in groups[:2]]
            return f"{'old' if before else 'new'} version only, by {' and '.join(shown)}"
    return ""


def _groups(kinds: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    yield from ((each,) for each in kinds)
    yield from itertools.combinations(kinds, 2)
    yield kinds


def _covers(objective: Objective, hits: Sequence[int]) -> bool:
    union = 0
    for points in hits:
        union |= points
    return not objective.is_constant and is_covered(objective, union)


def _show(values: Mapping[Key, int]) -> str:
    return "(" + ", ".join(f"{path}={value}" for (path, _, _), value in values.items()) + ")"
