"""JUnit XML, which every CI shows: a test suite for each function, a test case for each test.

A test that returns, or exits, passes: it was run, and its result became its expectation. One that crashes or never ends
is an error, with its input. An earlier test that expects something else than the function does now is a failure. A
function that was not tested is a test case that was skipped, with the reason.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from tightrope.report.as_text import show_inputs
from tightrope.report.formats.xml_text import allowed, render_xml
from tightrope.report.model import NOT_TESTED, Report, ReportedTest, UnitReport

_PASSES = ("returned", "exited")


def render_junit(report: Report) -> str:
    root = Element("testsuites", {"name": "tightrope"})
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for unit in report.units:
        counts = _counts(unit)
        totals = {word: total + counts[word] for word, total in totals.items()}
        _add_suite(root, unit, counts)
    for word, total in totals.items():
        root.set(word, str(total))
    return render_xml(root, report)


def _counts(unit: UnitReport) -> dict[str, int]:
    different = unit.confirmation.different if unit.confirmation else ()
    failing = [test for test in unit.tests if _change(unit, test) and not _problem(unit)]
    others = [test for test in unit.tests if test not in failing]
    return {
        "tests": len(unit.tests) + len(different) + unit.was_refused,
        "failures": len(different) + len(failing),
        "errors": len(others) if _problem(unit) else sum(test.outcome not in _PASSES for test in others),
        "skipped": int(unit.was_refused),
    }


def _problem(unit: UnitReport) -> str:
    """Why its tests could not be run in a build without instrumentation."""
    return unit.confirmation.problem if unit.confirmation else ""


def _change(unit: UnitReport, test: ReportedTest) -> str:
    """How the function differs from what the test expects; '' if it does not."""
    rows = (each for each in unit.changes if each.test == test.id and not each.is_accepted)
    return "; ".join(f"{each.what} was {each.old}, is {each.new}" for each in rows)


def _add_suite(root: Element, unit: UnitReport, counts: dict[str, int]) -> None:
    name = allowed(f"{unit.file}:{unit.function}" if unit.function else unit.file)
    seconds = f"{unit.statistics.total_seconds:.3f}"
    numbers = {word: str(number) for word, number in counts.items()}
    suite = SubElement(root, "testsuite", {"name": name, **numbers, "time": seconds})
    if unit.was_refused:
        case = SubElement(suite, "testcase", {"name": allowed(unit.function or unit.file), "classname": name})
        SubElement(case, "skipped", {"message": allowed(unit.stop_reason.removeprefix(NOT_TESTED))})
    for test in unit.tests:
        _add_case(suite, unit, test, name)
    if unit.confirmation:
        for number, missed in enumerate(unit.confirmation.different):
            case = SubElement(suite, "testcase", {"name": allowed(missed), "classname": name})
            details = unit.confirmation.details
            why = "behaves differently in a build without instrumentation: not written"
            SubElement(case, "failure", {"message": why}).text = allowed(
                details[number] if number < len(details) else ""
            )


def _add_case(suite: Element, unit: UnitReport, test: ReportedTest, name: str) -> None:
    where = {"file": allowed(unit.file), "line": str(unit.line)} if unit.line else {"file": allowed(unit.file)}
    case = SubElement(suite, "testcase", {"name": allowed(test.id), "classname": name, **where})
    if _problem(unit):
        SubElement(case, "error", {"message": allowed(f"not confirmed: {_problem(unit)}"), "type": "not confirmed"})
    elif change := _change(unit, test):
        SubElement(case, "failure", {"message": allowed(f"expects something else: {change}")})
    elif test.outcome not in _PASSES:
        message = f"{test.outcome.replace('_', ' ')}: {test.reason}" if test.reason else test.outcome
        error = SubElement(case, "error", {"message": allowed(message), "type": test.outcome})
        error.text = allowed(f"with {show_inputs(test.inputs)}") if test.inputs else None
