"""The page of a report: what the templates need, and the templates.

Everything is in one file: style, script and all text; nothing is loaded from elsewhere. The script only filters, opens
and searches: without it, and on paper, everything is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from tightrope.coverage.verdict import Proof
from tightrope.program.c_text.source_text import SourceText
from tightrope.report.as_text import show_count, show_inputs
from tightrope.report.formats.html.function_view import ViewedFunction, view_function
from tightrope.report.formats.html.tree_view import TreeRow, view_tree
from tightrope.report.model import Report, Score, UnitReport, show_percent
from tightrope.suite.folder import MARKER

MOST_OPEN = 6  # functions whose sections start open


@dataclass(frozen=True, slots=True)
class Assumption:
    number: int
    text: str
    functions: tuple[tuple[str, str], ...]  # name and anchor of those that it is made for


@dataclass(frozen=True)
class Page:
    title: str
    report: Report
    functions: tuple[ViewedFunction, ...]
    assumptions: tuple[Assumption, ...]
    scores: Mapping[str, Score]
    left: str  # the word for what is neither covered nor infeasible

    @property
    def score(self) -> Score:
        return sum(self.scores.values(), Score())

    @property
    def count(self) -> int:
        """Functions, without the rows of files that do not compile."""
        return sum(bool(each.unit.function) for each in self.functions)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.file for each in self.functions))

    @cached_property
    def tree(self) -> tuple[TreeRow, ...]:
        return view_tree(self.functions, self.scores)

    @property
    def tests(self) -> int:
        return sum(len(each.unit.tests) for each in self.functions)

    @property
    def errors(self) -> int:
        return sum(len(each.unit.crashes) for each in self.functions)

    @property
    def starts_open(self) -> bool:
        return len(self.functions) <= MOST_OPEN


def render_html(report: Report) -> str:
    title = "What existing tests cover" if report.was_measured else "Tests and coverage"
    return fill_template("page.html", page=view_report(report, title))


def view_report(report: Report, title: str, source: SourceText | None = None) -> Page:
    source = source or SourceText()
    anchors = _anchors(report.units)
    assumptions = _number_assumptions(report.units, anchors)
    numbers = {each.text: each.number for each in assumptions}
    functions = tuple(
        view_function(unit, anchor, source, [numbers[text] for text in dict.fromkeys(unit.assumptions)])
        for unit, anchor in zip(report.units, anchors, strict=True)
    )
    scores = {name: report.score(name) for name in report.criteria}
    left = "not covered" if report.was_measured else "unknown"
    return Page(title, report, functions, assumptions, scores, left)


def _anchors(units: Sequence[UnitReport]) -> list[str]:
    """The name of the function; with its file where several have the name."""
    names = [unit.function for unit in units]
    found: list[str] = []
    for unit in units:
        name = unit.function if names.count(unit.function) == 1 else f"{unit.file}:{unit.function}"
        number = sum(each == name or each.startswith(f"{name}~") for each in found)
        found.append("".join(name.split()) + (f"~{number + 1}" if number else ""))
    return found


def _number_assumptions(units: Sequence[UnitReport], anchors: Sequence[str]) -> tuple[Assumption, ...]:
    """Each text once, in the order in which functions make them."""
    functions: dict[str, list[tuple[str, str]]] = {}
    for unit, anchor in zip(units, anchors, strict=True):
        for text in dict.fromkeys(unit.assumptions):
            functions.setdefault(text, []).append((unit.function, anchor))
    return tuple(Assumption(number, text, tuple(found)) for number, (text, found) in enumerate(functions.items(), 1))


def mark_code(text: str) -> Markup:
    """C in back quotes as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a quote without its partner
        return escape(text)
    return Markup().join(
        escape(part) if at % 2 == 0 else Markup("<code>{}</code>").format(part) for at, part in enumerate(parts)
    )


def fill_template(name: str, **values: object) -> str:
    return _environment().get_template(name).render(starts=MARKER, **values) + "\n"


@cache
def _environment() -> Environment:
    folder = Path(__file__).parent / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters.update(count=show_count, inputs=show_inputs, percent=show_percent, ticks=mark_code)
    environment.globals["proofs"] = {proof.value: proof.sentence for proof in Proof}
    for part in ("style.css", "script.js"):  # ours, and not to be escaped
        environment.globals[part.replace(".", "_")] = (folder / part).read_text(encoding="utf-8")
    return environment
