"""What became of the tests that were there before, in words: which are kept, and which expect something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.text import Text

from tightrope.report.model import ChangedExpectation, UnitReport

MOST_CHANGES = 20  # that are shown


def written_lines(unit: UnitReport) -> Iterator[Text]:
    """`wrote FILE: 2 tests, beside 5 that were there`."""
    kept = [test for test in unit.tests if test.is_kept]
    added = len(unit.tests) - len(kept)
    if kept and not added:
        yield Text(f"  kept {_tests(len(kept))} in {', '.join(_files(unit))}; nothing to add")
    elif kept:
        yield Text(f"  kept {_tests(len(kept))} in {', '.join(_files(unit))}")
        yield Text(f"  added {_tests(added)} in {', '.join(unit.written)}")
    elif unit.written:
        yield Text(f"  wrote {', '.join(unit.written)}")


def _files(unit: UnitReport) -> list[str]:
    return list(dict.fromkeys(test.suite for test in unit.tests if test.is_kept))


def _tests(count: int) -> str:
    return f"{count:,} test{'' if count == 1 else 's'}"


def show_new(unit: UnitReport) -> str:
    """` (2 new)`, beside the number of all tests; '' if none was there before."""
    added = sum(not test.is_kept for test in unit.tests)
    return f" ({added:,} new)" if added < len(unit.tests) else ""


def change_lines(units: Iterable[UnitReport]) -> Iterator[Text]:
    """Each changed expectation, and what can be done about them."""
    changes = [each for unit in units for each in unit.changes]
    for each in changes[:MOST_CHANGES]:
        word, style = ("accepted", "") if each.is_accepted else ("changed", "yellow")
        yield Text.assemble("  ", (word, style), f": {show_expectation(each)}")
    if len(changes) > MOST_CHANGES:
        yield Text(f"  and {len(changes) - MOST_CHANGES} more changes: see the report of --json")
    if any(not each.is_accepted for each in changes):
        yield Text(
            "    these tests stand as they were, and fail now; if the new behaviour is right, --accept rewrites them"
        )


def show_expectation(each: ChangedExpectation) -> str:
    """`test_1 in test_f.c: result was 3, is 4`."""
    return f"{each.test} in {Path(each.file).name}: {each.what} was {each.old}, is {each.new}"


def changes_left(unit: UnitReport) -> list[ChangedExpectation]:
    """Those that nobody has accepted."""
    return [each for each in unit.changes if not each.is_accepted]
