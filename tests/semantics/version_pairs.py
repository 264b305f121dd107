"""Two versions of a small function `f`, prepared as `tightrope diff` does: what a formula of both says, and what runs of
all inputs say (small_domains.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from small_domains import MOST_INPUTS, Small, every_input, options_for

from tightrope.commands.diff.comparing.comparison import Comparer
from tightrope.equality.equality_proof import EqualityResult, seek_difference
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

SECONDS = 20.0


@dataclass(frozen=True)
class Versions:
    small: Small  # the new one
    old: PreparedUnit
    new: PreparedUnit
    options: Options
    comparer: Comparer

    def differs(self, values: Input) -> bool:
        return self.comparer.compare(values) is not None

    def seek(self, seconds: float = SECONDS) -> EqualityResult:
        return seek_difference(self.old, self.new, self.options, seconds, lambda values, _: self.differs(values))

    def differing_inputs(self) -> Iterator[Input]:
        """Of all that there are."""
        return (values for values in every_input(self.small, self.new.driver.slots) if self.differs(values))

    @property
    def is_enumerable(self) -> bool:
        small, slots = self.small, self.new.driver.slots
        sizes = [len(small.domain.get(slot.path, ())) or 1 << slot.scalar.bits for slot in slots]
        return math.prod(sizes) <= MOST_INPUTS


@contextmanager
def both_versions(old: Small, text: str, folder: Path, *words: str) -> Iterator[Versions]:
    """`text` is the new version."""
    new = replace(old, name=f"{old.name}_new", text=text)
    options = [options_for(each, folder, ("branch",), *words) for each in (old, new)]
    compiler = find_compiler()
    files = [prepare_file(compiler, each.targets[0].file, each, lambda warning: None) for each in options]
    besides = [look_at_other_version(file, "f", each) for file, each in zip(files, options, strict=True)]
    units = [prepare_unit(files[n], "f", options[n], besides[1 - n]) for n in (0, 1)]
    workers = Worker(), Worker()
    try:
        with start(units[0], workers[0], options[0]) as one, start(units[1], workers[1], options[1]) as other:
            yield Versions(new, *units, options[1], Comparer(units[0], one, units[1], other))
    finally:
        for worker in workers:
            worker.close()
