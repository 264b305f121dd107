"""Formats in which a report can be written. A format is a function from a report to text.

To add one: a file here with such a function, and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tightrope.report.as_json import render_json
from tightrope.report.formats.text import render_text
from tightrope.report.model import Report
from tightrope.suite.folder import write_output


@dataclass(frozen=True, slots=True)
class Format:
    help: str  # one sentence
    render: Callable[[Report], str]


FORMATS: Mapping[str, Format] = {
    "text": Format("what is printed, without colours", render_text),
    "json": Format("all there is, for other programs; `--merge` and `tightrope explain` read it", render_json),
}


def write_report(report: Report, format: str, to: str) -> None:
    """Write a report to a file, or to standard output for `-`."""
    write_output(to, FORMATS[format].render(report))
