"""JUnit XML, which every CI shows: a test suite for each function, a test case for each test.

A test that returns, or exits, passes: it was run, and its result became its expectation. One that crashes or never ends
is an error, with its input. An earlier test that expects something else than the function does now is a failure. A
function that was not tested is a test case that was skipped, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from xml.etree.ElementTree import Element, SubElement

from tightrope.report.as_text import show_inputs
from tightrope.report.formats.xml_text import allowed, render_xml
from tightrope.report.model import NOT_TESTED, Report, ReportedTest, UnitReport

_PASSES = ("returned", "exited")
_CHANGED = "the function does something else than the test expects"
_DIFFERENT = "behaves differently in a build without instrumentation: not written"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a test case went: `tag` is '' if it passed, else error, failure or skipped."""

    name: str
    tag: str = ""
    message: str = ""
    text: str = ""


def render_junit(report: Report) -> str:
    root = Element("testsuites", {"name": "tightrope"})
    found = [(unit, list(_cases(unit))) for unit in report.units]
    for name, number in _counts([case for _, cases in found for case in cases]).items():
        root.set(name, number)
    for unit, cases in found:
        _add_suite(root, unit, cases)
    return render_xml(root, report)


def _counts(cases: Sequence[CaseResult]) -> dict[str, str]:
    tags = [case.tag for case in cases]
    counts = {"tests": len(tags), "failures": tags.count("failure"), "errors": tags.count("error")}
    return {word: str(count) for word, count in (counts | {"skipped": tags.count("skipped")}).items()}


def _add_suite(root: Element, unit: UnitReport, cases: Sequence[CaseResult]) -> None:
    name = allowed(f"{unit.file}:{unit.function}" if unit.function else unit.file)
    seconds = {"time": f"{unit.statistics.whole_seconds:.3f}"}
    suite = SubElement(root, "testsuite", {"name": name, **_counts(cases), **seconds})
    where = {"file": allowed(unit.file), **({"line": str(unit.line)} if unit.line else {})}
    for each in cases:
        case = SubElement(suite, "testcase", {"name": allowed(each.name), "classname": name, **where})
        if each.tag:
            SubElement(case, each.tag, {"message": allowed(each.message)}).text = allowed(each.text) or None


def _cases(unit: UnitReport) -> Iterator[CaseResult]:
    if unit.was_refused:
        why = unit.stop_reason.removeprefix(NOT_TESTED)
        yield CaseResult(unit.function or unit.file, "skipped", why)
    changes: dict[str, list[str]] = {}
    for change in unit.changes:
        if not change.is_accepted:
            changes.setdefault(change.test, []).append(f"{change.what} was {change.old}, is {change.new}")
    for test in unit.tests:
        told = changes.pop(test.id, None)
        yield CaseResult(test.id, "failure", _CHANGED, "\n".join(told)) if told else _case(unit, test)
    yield from (CaseResult(name, "failure", _CHANGED, "\n".join(told)) for name, told in changes.items())
    if unit.confirmation:
        found = zip_longest(unit.confirmation.different, unit.confirmation.details[: len(unit.confirmation.different)])
        yield from (CaseResult(name, "failure", _DIFFERENT, detail or "") for name, detail in found)


def _case(unit: UnitReport, test: ReportedTest) -> CaseResult:
    problem = unit.confirmation.problem if unit.confirmation and not test.is_native else ""
    if problem:
        return CaseResult(test.id, "error", f"not confirmed: {problem}")
    if test.outcome in _PASSES:
        return CaseResult(test.id)
    word = test.outcome.replace("_", " ")
    inputs = f"with {show_inputs(test.inputs)}" if test.inputs else ""
    return CaseResult(test.id, "error", f"{word}: {test.reason}" if test.reason else word, inputs)
