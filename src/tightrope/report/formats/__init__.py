"""Formats in which a report can be written. A format is a function from a report to text.

To add one: a file or folder here with such a function, a line in the table, and its name with a sentence of help in
`REPORTS` of options/choices.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.options.options import Options
from tightrope.report.as_json import render_json
from tightrope.report.model import Report
from tightrope.suite.folder import MARKER, check_file, write_output

if TYPE_CHECKING:  # few commands have one
    from tightrope.report.difference_model import DifferenceReport


@dataclass(frozen=True, slots=True)
class Format:
    """`render_difference`: of `diff`; None: a report on the functions of the new version that were tested.
    `mark`: what the first line of such a file contains, so that generating again may replace it."""

    render: Callable[[Report], str]
    render_difference: Callable[[DifferenceReport], str] | None = None
    mark: str = MARKER


def _late(module: str, function: str) -> Callable[[Any], str]:
    """A function of a module here, which is imported at the first call: templates and pages take long to import."""
    return lambda report: str(getattr(import_module(f"{__name__}.{module}"), function)(report))


FORMATS: Mapping[str, Format] = {
    "text": Format(_late("text", "render_text_file"), _late("text", "render_difference_file")),
    "json": Format(render_json, render_json),
    "html": Format(_late("html.page", "render_html"), _late("html.difference_page", "render_difference_html")),
}


def outputs_of(options: Options) -> Iterator[tuple[str, str]]:
    """The formats that were asked for, and where each goes: a file, or `-` for standard output."""
    yield from [("json", options.json)] if options.json else []
    yield from [("html", options.html)] if options.html else []
    yield from options.reports


def check_outputs(options: Options) -> None:
    """Say before any work that a file of the user's would be overwritten."""
    for name, to in outputs_of(options):
        if to != "-":
            check_file(Path(to), FORMATS[name].mark)


def write_reports(report: Report | DifferenceReport, options: Options) -> None:
    for name, to in outputs_of(options):
        write_output(to, render(report, name), FORMATS[name].mark)


def render(report: Report | DifferenceReport, name: str) -> str:
    """The report in the format of this name."""
    each = FORMATS[name]
    if isinstance(report, Report):
        return each.render(report)
    return each.render_difference(report) if each.render_difference else each.render(report.tested)
