"""A report for people, as text: that of `generate`, of `measure` or of `diff`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO

from rich.text import Text

from tightrope.report.as_difference import difference_lines
from tightrope.report.as_measured import measured_lines
from tightrope.report.as_text import report_lines
from tightrope.report.console import print_lines
from tightrope.report.difference_model import DifferenceReport
from tightrope.report.model import Report, Tool
from tightrope.suite.folder import MARKER


def print_text(report: Report) -> None:
    """To standard output, in colours on a terminal."""
    print_lines(text_lines(report))


def render_text(report: Report) -> str:
    return _render(report.tool, text_lines(report))


def render_difference_text(report: DifferenceReport) -> str:
    return _render(report.tool, difference_lines(report))


def _render(tool: Tool, lines: Iterable[Text]) -> str:
    stream = StringIO()
    print_lines((Text(f"{MARKER} {tool.version}"), Text(), *lines), stream)
    return stream.getvalue()


def text_lines(report: Report) -> Iterator[Text]:
    return measured_lines(report) if report.was_measured else report_lines(report)
