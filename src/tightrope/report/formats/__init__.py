"""Formats in which a report can be written. A format is a function from a report to text.

To add one: a file or folder here with such a function, a line in the table, and its name with a sentence of help in
`REPORTS` of options/choices.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from tightrope.options.options import Options
from tightrope.report.model import Report
from tightrope.suite.folder import MARKER, check_file, write_output

if TYPE_CHECKING:  # few commands have one
    from tightrope.report.difference_model import DifferenceReport


@dataclass(frozen=True, slots=True)
class Format:
    """Names a module here and its functions. They are imported when they are used: pages and templates take long
    to import. `for_difference`: of `diff`; '': a report on the functions of the new version that were tested. A module
    may define MARK: what the first line of such a file contains, so that generating again may replace it."""

    module: str
    function: str
    for_difference: str = ""
    difference_module: str = ""  # if it is another one

    def render(self, report: Report) -> str:
        return self._call(self.module, self.function, report)

    def render_difference(self, report: DifferenceReport) -> str:
        if self.for_difference:
            return self._call(self.difference_module or self.module, self.for_difference, report)
        return self.render(report.tested)

    @property
    def mark(self) -> str:
        return getattr(_module(self.module), "MARK", MARKER)

    def _call(self, module: str, function: str, report: Report | DifferenceReport) -> str:
        render: Callable[[Report | DifferenceReport], str] = getattr(_module(module), function)
        return render(report)


def _module(name: str) -> ModuleType:
    return import_module(name if name.startswith("tightrope.") else f"{__name__}.{name}")


FORMATS: Mapping[str, Format] = {
    "text": Format("text", "render_text_file", "render_difference_file"),
    "json": Format("tightrope.report.as_json", "render_json", "render_json"),
    "html": Format("html.page", "render_html", "render_difference_html", "html.difference_page"),
    "markdown": Format("markdown", "render_markdown"),
    "csv": Format("as_csv", "render_csv"),
    "lcov": Format("lcov", "render_lcov"),
    "cobertura": Format("cobertura", "render_cobertura"),
    "gcovr": Format("gcovr", "render_gcovr"),
    "junit": Format("junit", "render_junit"),
    "sarif": Format("sarif", "render_sarif"),
    "github": Format("github", "render_github"),
    "gitlab": Format("gitlab", "render_gitlab"),
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
        if name == "json":  # by far the longest
            _module(FORMATS[name].module).write_json(report, to)
        else:
            write_output(to, render(report, name), FORMATS[name].mark)


def render(report: Report | DifferenceReport, name: str) -> str:
    """The report in the format of this name."""
    each = FORMATS[name]
    return each.render(report) if isinstance(report, Report) else each.render_difference(report)
