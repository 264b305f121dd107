"""The way through the source of runs that did not return: the branches that inputs decided, in their order."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tightrope.inputs.scalars import Input
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.report.model import PathStep, UnitReport
from tightrope.running.memory_map import EventKind
from tightrope.running.run_record import Ending, Outcome
from tightrope.running.runner import Runner
from tightrope.source.project import as_named
from tightrope.units.marked_program import enumerators
from tightrope.units.prepared import PreparedUnit
from tightrope.units.side_words import read_sides

MOST_STEPS = 100  # of a path: the last ones, which are next to where it ends
MOST_PATHS = 20  # of one function
_EVENT = struct.Struct("<IIHH")  # condition, site, side, kind
_BRANCHES = (int(EventKind.BRANCH), int(EventKind.SWITCH))


def find_crash_paths(
    unit: PreparedUnit, runner: Runner, crashes: Mapping[Ending, Input]
) -> dict[Ending, tuple[PathStep, ...]]:
    """The path of each run, by how it ended; none for runs without end."""
    words = _PathWords(unit)
    paths = {}
    for ending, values in list(crashes.items())[:MOST_PATHS]:
        if ending.outcome is not Outcome.TIMED_OUT:
            events = runner.trace(values).events
            paths[ending] = tuple(_join_equals(words.steps(events)))[-MOST_STEPS:]
    return paths


def with_crash_paths(report: UnitReport, paths: Sequence[tuple[PathStep, ...]]) -> UnitReport:
    """The report with the path of each of its crashes."""
    found = zip(report.crashes, paths, strict=True)
    return replace(report, crashes=tuple(replace(crash, path=path) for crash, path in found))


class _PathWords:
    """Events of one unit in words of the C."""

    def __init__(self, unit: PreparedUnit) -> None:
        self._unit = unit
        self._source = SourceText(enumerators=enumerators(unit.ctypes))
        self._blocks = {number: (name, block) for (name, block, side), number in unit.woven.points.numbers.items()}
        self._sides: dict[str, dict[tuple[str, int], tuple[Location, str]]] = {}

    def steps(self, events: bytes) -> Iterator[PathStep]:
        for _, site, side, kind in _EVENT.iter_unpack(events):
            found = self._said(site, side) if kind in _BRANCHES else None
            if found is not None:
                at, text = found
                file = as_named(at.file, self._unit.file.path, self._unit.file.working_directory)
                yield PathStep(file, at.line, at.column, text)

    def _said(self, site: int, side: int) -> tuple[Location, str] | None:
        """None for branches of the driver, of library models and of labels."""
        if site not in self._blocks:
            return None
        name, block = self._blocks[site]
        function = self._unit.program.functions.get(name)
        if function is None or not self._unit.file.defines(function):
            return None
        if name not in self._sides:
            self._sides[name] = read_sides(function, self._source)
        return self._sides[name].get((block, side))


def _join_equals(steps: Iterator[PathStep]) -> Iterator[PathStep]:
    """A loop that goes the same way several times in a row is one step."""
    before: PathStep | None = None
    for step in steps:
        if before is not None and replace(before, times=1) == step:
            before = replace(before, times=before.times + 1)
            continue
        yield from [before] if before else []
        before = step
    yield from [before] if before else []
