"""A report for people, as text: that of `generate` or that of `measure`."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from rich.text import Text

from tightrope.report.as_measured import measured_lines
from tightrope.report.as_text import report_lines
from tightrope.report.console import print_lines
from tightrope.report.model import Report


def print_text(report: Report) -> None:
    """To standard output, in colours on a terminal."""
    print_lines(text_lines(report))


def render_text(report: Report) -> str:
    stream = StringIO()
    print_lines(text_lines(report), stream)
    return stream.getvalue()


def text_lines(report: Report) -> Iterator[Text]:
    return measured_lines(report) if report.was_measured else report_lines(report)
