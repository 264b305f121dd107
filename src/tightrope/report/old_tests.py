"""What became of the tests that there were: each is named, none is dropped silently.

tests that there were: 1 kept, 1 not needed, 1 lost
  test_cold  lost: `speed` is no input any more
  test_hot   kept: it covers 3 impacted objectives
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tightrope.report.difference_model import ReportedOldTest

MOST_TESTS = 30  # that are shown
FATES = {"lost": ("yellow", "lost"), "kept": ("green", "kept"), "not-needed": ("", "not needed")}


def old_test_lines(tests: Sequence[ReportedOldTest]) -> Iterator[Text]:
    """Those that need somebody's eyes first."""
    if not tests:
        return
    yield Text(f"  tests that there were: {_counts(tests)}")
    told = sorted(tests, key=lambda test: list(FATES).index(test.fate))
    width = max(len(test.test) for test in told[:MOST_TESTS])
    for test in told[:MOST_TESTS]:
        style, word = FATES[test.fate]
        yield Text.assemble(f"    {test.test:{width}}  ", (word, style), f": {_why(test)}")
    if len(told) > MOST_TESTS:
        yield Text(f"    and {len(told) - MOST_TESTS} more: see --json")


def _counts(tests: Sequence[ReportedOldTest]) -> str:
    fates = [test.fate for test in tests]
    return ", ".join(
        f"{fates.count(fate)} {FATES[fate][1]}" for fate in ("kept", "not-needed", "lost") if fate in fates
    )


def _why(test: ReportedOldTest) -> str:
    if test.reason:
        return test.reason
    return f"it covers {len(test.covers)} impacted objective{'' if len(test.covers) == 1 else 's'}"
