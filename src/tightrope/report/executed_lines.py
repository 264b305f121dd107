"""Which lines of a function the tests execute: a test executes a line if it executes one of the blocks with code of it,
as debug information has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.report.model import ExecutedFunction, ExecutedLine


def report_executed(functions: Iterable[Function], points: Points, hits: Sequence[int]) -> tuple[ExecutedFunction, ...]:
    """A row for each function that is counted. `hits` has the points of each test, as a mask."""
    counted = {name for name, _, _ in points.numbers}
    own = (each for each in functions if each.location and each.is_defined and each.name in counted)
    return tuple(_report_function(each, points, hits) for each in own)


def _report_function(function: Function, points: Points, hits: Sequence[int]) -> ExecutedFunction:
    file, first = (function.location.file, function.location.line) if function.location else ("", 0)
    blocks = [(block, 1 << points.numbers[function.name, block.name, None]) for block in function.blocks]
    masks: dict[int, int] = {}
    for block, mask in blocks:
        for line in {place.line for place in block.places if place.file == file and place.line}:
            masks[line] = masks.get(line, 0) | mask
    entered = sum(mask for _, mask in blocks)
    name = function.name.removeprefix("@").strip('"')
    return ExecutedFunction(
        "main" if name == UNIT_MAIN else name,
        first,
        sum(bool(hit & entered) for hit in hits),
        tuple(ExecutedLine(line, sum(bool(hit & mask) for hit in hits)) for line, mask in sorted(masks.items())),
        file=file,
    )


def join_executed(one: ExecutedFunction, other: ExecutedFunction) -> ExecutedFunction:
    """What different tests execute of one function, together."""
    counts = {row.line: row.tests for row in one.lines}
    for row in other.lines:
        counts[row.line] = counts.get(row.line, 0) + row.tests
    rows = tuple(ExecutedLine(line, tests) for line, tests in sorted(counts.items()))
    return ExecutedFunction(one.function, one.line, one.tests + other.tests, rows, file=one.file)


def add_tests(rows: Iterable[ExecutedFunction], tests: Iterable[Sequence[int]]) -> tuple[ExecutedFunction, ...]:
    """The rows with further tests, of which only the lines are known that they execute."""
    found = tuple(rows)
    for lines in tests:
        found = tuple(_add_test(row, frozenset(lines)) for row in found)
    return found


def _add_test(row: ExecutedFunction, lines: frozenset[int]) -> ExecutedFunction:
    own = tuple(replace(each, tests=each.tests + (each.line in lines)) for each in row.lines)
    return replace(row, tests=row.tests + (own != row.lines), lines=own)
