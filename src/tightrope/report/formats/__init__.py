"""Formats in which a report can be written. A format is a function from a report to text.

To add one: a file or folder here with such a function, a line in the table, and its name with a sentence of help in
`REPORTS` of options/choices.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tightrope.options.options import Options
from tightrope.report.as_json import render_json
from tightrope.report.difference_model import DifferenceReport
from tightrope.report.formats import as_csv, gcovr, gitlab, sarif
from tightrope.report.formats.cobertura import render_cobertura
from tightrope.report.formats.github import render_github
from tightrope.report.formats.html.difference_page import render_difference_html
from tightrope.report.formats.html.page import render_html
from tightrope.report.formats.junit import render_junit
from tightrope.report.formats.lcov import render_lcov
from tightrope.report.formats.markdown import render_markdown
from tightrope.report.formats.text import render_difference_file, render_text_file
from tightrope.report.model import Report
from tightrope.suite.folder import MARKER, check_file, write_output


@dataclass(frozen=True, slots=True)
class Format:
    """`render_difference`: of `diff`; None: a report on the functions of the new version that were tested.
    `mark`: what the first line of such a file contains, so that generating again may replace it."""

    render: Callable[[Report], str]
    render_difference: Callable[[DifferenceReport], str] | None = None
    mark: str = MARKER


FORMATS: Mapping[str, Format] = {
    "text": Format(render_text_file, render_difference_file),
    "json": Format(render_json, render_json),
    "html": Format(render_html, render_difference_html),
    "markdown": Format(render_markdown),
    "csv": Format(as_csv.render_csv, mark=as_csv.MARK),
    "lcov": Format(render_lcov),
    "cobertura": Format(render_cobertura),
    "gcovr": Format(gcovr.render_gcovr, mark=gcovr.MARK),
    "junit": Format(render_junit),
    "sarif": Format(sarif.render_sarif, mark=sarif.MARK),
    "github": Format(render_github),
    "gitlab": Format(gitlab.render_gitlab, mark=gitlab.MARK),
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
