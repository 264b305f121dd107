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
    return _render(text_lines(report))


def render_text_file(report: Report) -> str:
    """With a first line that says who wrote it."""
    return _render((_head(report.tool), Text(), *text_lines(report)))


def render_difference_file(report: DifferenceReport) -> str:
    return _render((_head(report.tool), Text(), *difference_lines(report)))


def _head(tool: Tool) -> Text:
    return Text(f"{MARKER} {tool.version}")


def _render(lines: Iterable[Text]) -> str:
    stream = StringIO()
    print_lines(lines, stream)
    return stream.getvalue()


def text_lines(report: Report) -> Iterator[Text]:
    return measured_lines(report) if report.was_measured else report_lines(report)
