"""Rows of numbers as Markdown for people and as CSV for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table: the first column to the left, numbers to the right."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join(['---', *['--:'] * (len(heads) - 1)])} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line for each row, under the keys of all of them; what a row does not have stays empty."""
    heads = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, heads, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def number(value: float) -> str:
    """1,234 or 12.3: as many digits as say something."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.1f}"


def share(part: float, whole: float) -> str:
    """`83.3 %`; 100 only when it is exactly that."""
    if not whole:
        return "-"
    percent = 100 * part / whole
    return f"{min(percent, 99.9) if part < whole else percent:.1f} %"


def saved(before: float, after: float) -> str:
    """How much less `after` is: `25.5 %`; negative when it is more."""
    return f"{100 * (before - after) / before:.1f} %" if before else "-"


def ratio(value: float, other: float) -> str:
    return f"{value / other:.2f}" if other else "-"
