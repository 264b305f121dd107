"""Details of the formats for other programs; tests/agreement/test_report_readers.py asks these programs."""

import json
import xml.etree.ElementTree as ET

import pytest

from tightrope.report.executed_lines import add_tests, join_executed
from tightrope.report.formats import render
from tightrope.report.formats.file_coverage import cover_files
from tightrope.report.formats.findings import list_findings
from tightrope.report.model import (
    ChangedExpectation,
    Confirmation,
    Crash,
    ExecutedFunction,
    ExecutedLine,
    PathStep,
    Report,
    ReportedObjective,
    ReportedTest,
    Tool,
    UnitReport,
)


def mcdc(place, condition, side, verdict, tests=(), line=12, text="`a` matters in `a && b`, true"):
    name = f"f:mcdc:{place}:c{condition}:{side}"
    return ReportedObjective(name, "mcdc", side, line, 5, text, verdict, tests, file="f.c")


def branch(place, side, verdict, tests=(), line=12):
    name = f"f:branch:{place}:{side}"
    return ReportedObjective(name, "branch", "case", line, 5, f"a is {side}", verdict, tests, file="f.c")


def report_of(*objectives, lines=((10, 2), (12, 2), (14, 0)), **rest):
    executed = ExecutedFunction("f", 10, 2, tuple(ExecutedLine(*row) for row in lines), file="f.c")
    unit = UnitReport(
        "f.c", "f", ("mcdc", "branch"), "dfs", 0, "done", objectives, (), line=10, executed=(executed,), **rest
    )
    return Report(Tool("tightrope", "1"), (unit,))


def records(report, *words):
    return [line for line in render(report, "lcov").splitlines() if line.startswith(words)]


def test_a_case_is_on_the_line_of_its_switch():
    report = report_of(
        branch("+2.5", "case-1", "covered", ("t",), line=13),
        branch("+2.5", "case-2", "unknown", line=15),
        branch("+2.5", "default", "infeasible", line=17),
    )
    assert records(report, "BR") == ["BRDA:12,0,0,1", "BRDA:12,0,1,0", "BRDA:12,U0,2,0", "BRF:2", "BRH:1"]


def test_a_branch_that_no_test_comes_to():
    report = report_of(branch("+4.5", "true", "unknown", line=14), branch("+4.5", "false", "unknown", line=14))
    assert records(report, "BRDA") == ["BRDA:14,0,0,-", "BRDA:14,0,1,-"]


def test_a_test_that_is_doubted_covers_nothing():
    report = report_of(branch("+2.5", "true", "unknown", ("t",)))
    assert records(report, "BRDA") == ["BRDA:12,0,0,-"]


def test_a_branch_between_lines_with_code_belongs_to_the_one_before():
    report = report_of(branch("+3.5", "true", "covered", ("t", "u"), line=13))
    assert records(report, "BRDA") == ["BRDA:12,0,0,2"]


def test_decisions_of_one_macro_are_told_apart():
    """They share a place; the ids of the second have a number behind them, except those that the first does not have."""
    ids = [("1", "true"), ("1", "false"), ("1", "true#2"), ("1", "false#2"), ("2", "true"), ("2", "false")]
    report = report_of(*(mcdc("+2.5", number, side, "covered", ("t",)) for number, side in ids))
    (file,) = cover_files(report)
    assert [len(decision) for decision in file.decisions[12]] == [1, 2]


def test_decisions_of_one_size_on_one_line_are_joined():
    """lcov has no way to tell them apart: a value counts as covered if it is in both."""
    report = report_of(
        mcdc("+2.5", 1, "true", "covered", ("t",), text="`a` is true"),
        mcdc("+2.5", 1, "false", "covered", ("t",), text="`a` is false"),
        mcdc("+2.9", 1, "true", "unknown", text="`b` is true"),
        mcdc("+2.9", 1, "false", "infeasible", text="`b` is false"),
    )
    assert records(report, "MC") == ["MCDC:12,1,t,0,0,a | b", "MCDC:12,1,f,1,0,a | b", "MCF:2", "MCH:1"]


def test_a_unique_cause_pair_shows_both_values():
    report = report_of(mcdc("+2.5", 1, "pair", "covered", ("t", "u")), mcdc("+2.5", 2, "pair", "unknown"))
    assert [line.rpartition(",")[0] for line in records(report, "MCDC")] == [
        "MCDC:12,2,t,1,0", "MCDC:12,2,f,1,0", "MCDC:12,2,t,0,1", "MCDC:12,2,f,0,1",
    ]  # fmt: skip


def test_infeasible_lines_are_excluded():
    row = ReportedObjective("f:line:+4", "line", "line", 14, 0, "line 14", "infeasible", proof="constant", file="f.c")
    report = report_of(row)
    assert records(report, "DA", "L") == ["DA:10,2", "DA:12,2", "LF:2", "LH:2"]
    lines = json.loads(render(report, "gcovr"))["files"][0]["lines"]
    assert [each.get("gcovr/excluded", False) for each in lines] == [False, False, True]


def test_a_function_in_two_rows_counts_once_with_all_tests():
    one = report_of(branch("+2.5", "true", "covered", ("t",)), branch("+2.5", "false", "unknown"))
    other = report_of(branch("+2.5", "true", "covered", ("u",)), branch("+2.5", "false", "infeasible"))
    both = Report(one.tool, (*one.units, *other.units))
    assert records(both, "FNDA", "BRDA", "DA:12") == ["FNDA:4,f", "BRDA:12,0,0,2", "BRDA:12,0,1,0", "DA:12,4"]
    proved = Report(one.tool, (*other.units, *other.units))
    assert "BRDA:12,U0,1,0" in records(proved, "BRDA")


def test_joined_lines():
    one = ExecutedFunction("f", 1, 2, (ExecutedLine(2, 1), ExecutedLine(3, 0)), file="f.c")
    other = ExecutedFunction("f", 1, 1, (ExecutedLine(3, 1), ExecutedLine(4, 1)), file="f.c")
    rows = (ExecutedLine(2, 1), ExecutedLine(3, 1), ExecutedLine(4, 1))
    assert join_executed(one, other) == ExecutedFunction("f", 1, 3, rows, file="f.c")


def test_rates_of_cobertura_are_never_rounded_to_all():
    lines = [(line, int(line != 10)) for line in range(10, 40010)]
    root = ET.fromstring(render(report_of(lines=lines), "cobertura"))
    assert root.get("line-rate") == "0.9999"


def test_junit_tells_how_tests_end():
    tests = (
        ReportedTest("good", {"a": 1}, "returned", ()),
        ReportedTest("exits", {"a": 2}, "exited", ()),
        ReportedTest("bad", {"a": 0}, "crashed", (), reason="division by \x00zero"),
    )
    confirmation = Confirmation(3, different=("other",), details=("got 3, not 4",))
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "done", (), tests, line=3, confirmation=confirmation)
    refused = UnitReport.refused("g.c", "g", ("branch",), "it takes `...`")
    root = ET.fromstring(render(Report(Tool("tightrope", "1"), (unit, refused)), "junit"))
    assert [root.get(word) for word in ("tests", "failures", "errors", "skipped")] == ["5", "1", "1", "1"]
    found = {case.get("name"): [(each.tag, each.get("message")) for each in case] for case in root.iter("testcase")}
    assert found == {
        "good": [],
        "exits": [],
        "bad": [("error", "crashed: division by ?zero")],
        "other": [("failure", "behaves differently in a build without instrumentation: not written")],
        "g": [("skipped", "it takes `...`")],
    }


def test_junit_of_changed_expectations():
    """They fail, as the tests do, until somebody accepts them. One that cannot be run any more is no test of the suite."""
    changes = (
        ChangedExpectation("old", "test_f.c", "result", "3", "4"),
        ChangedExpectation("gone", "test_f.c", "its input", "a = 3", "no such input"),
        ChangedExpectation("good", "test_f.c", "result", "5", "6", is_accepted=True),
    )
    tests = tuple(ReportedTest(name, {}, "returned", ()) for name in ("old", "good"))
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "done", (), tests, changes=changes)
    report = Report(Tool("tightrope", "1"), (unit,))
    root = ET.fromstring(render(report, "junit"))
    found = {case.get("name"): [each.text for each in case.iter("failure")] for case in root.iter("testcase")}
    assert found == {"old": ["result was 3, is 4"], "good": [], "gone": ["its input was a = 3, is no such input"]}
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    assert "- old in test\\_f.c: result was 3, is 4" in render(report, "markdown")


def test_further_tests_of_which_only_lines_are_known():
    rows = (
        ExecutedFunction("f", 1, 1, (ExecutedLine(2, 1), ExecutedLine(3, 0))),
        ExecutedFunction("g", 7, 0, (ExecutedLine(8, 0),)),
    )
    assert add_tests(rows, [(2, 3), (3,), ()]) == (
        ExecutedFunction("f", 1, 3, (ExecutedLine(2, 2), ExecutedLine(3, 2))),
        ExecutedFunction("g", 7, 0, (ExecutedLine(8, 0),)),
    )


def test_junit_of_tests_that_were_not_confirmed():
    unit = UnitReport(
        "f.c", "f", ("branch",), "dfs", 0, "done", (), (ReportedTest("t", {}, "returned", ()),),
        confirmation=Confirmation(0, problem="the tests do not build"),
    )  # fmt: skip
    (case,) = ET.fromstring(render(Report(Tool("tightrope", "1"), (unit,)), "junit")).iter("testcase")
    assert case.find("error").get("message") == "not confirmed: the tests do not build"


@pytest.fixture
def found():
    path = (PathStep("f.c", 12, 5, "a < 3 is true", 4),)
    crashes = (
        Crash("exited", "exit(3)", "f.c", 13, 5, {}),
        Crash("timed_out", "it runs for more than 1 s", "f.c", 15, 5, {"a": 1}),
        Crash("crashed", "division by zero", "f.c", 14, 5, {"a": 0}, path=path),
    )
    row = ReportedObjective(
        "f:branch:+2.9:true", "branch", "true", 12, 10, "b is true", "unknown", reason="time_limit", file="f.c",
        source="/* é */ if (b)", sentence="in no test `b` is true: 100%, too late", option="--time-limit",
    )  # fmt: skip
    report = report_of(row, crashes=crashes)
    return Report(report.tool, (*report.units, UnitReport.refused("dir/x y.c", "", ("branch",), "it does not compile")))


def test_findings_are_sorted_by_urgency(found):
    rules = [(each.rule, each.level, each.line, each.column) for each in list_findings(found)]
    assert rules == [
        ("crashed", "error", 14, 5),
        ("timed-out", "warning", 15, 5),
        ("open-branch", "warning", 12, 9),  # column 10 in bytes
        ("not-tested", "notice", 0, 0),
    ]


def test_sarif(found):
    (run,) = json.loads(render(found, "sarif"))["runs"]
    crash, _, row, refused = run["results"]
    assert (
        crash["codeFlows"][0]["threadFlows"][0]["locations"][0]["location"]["message"]["text"]
        == "a < 3 is true, 4 times"
    )
    assert "codeFlows" not in row and row["level"] == "warning"
    assert refused["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "dir/x%20y.c", "uriBaseId": "ROOT"}}}
    ]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [each["ruleId"] for each in run["results"]]


def test_github_escapes_what_would_end_a_command(found):
    commands = render(found, "github").splitlines()[1:]
    assert commands[2] == (
        "::warning file=f.c,line=12,col=9,title=Tightrope%3A open-branch::"
        "f: in no test `b` is true: 100%25, too late; try --time-limit"
    )
    assert (
        commands[3]
        == "::notice file=dir/x y.c,title=Tightrope%3A not-tested::dir/x y.c was not tested: it does not compile"
    )


def test_fingerprints_survive_edits_elsewhere(found):
    """They are those of the finding, not of its line."""
    from dataclasses import replace

    unit, refused = found.units
    moved = replace(unit, line=unit.line + 7, crashes=tuple(replace(each, line=each.line + 7) for each in unit.crashes))
    again = Report(found.tool, (moved, refused))
    rows, later = json.loads(render(found, "gitlab")), json.loads(render(again, "gitlab"))
    assert [row["fingerprint"] for row in rows] == [row["fingerprint"] for row in later]
    assert len({row["fingerprint"] for row in rows}) == 4


def test_markdown_shows_what_to_look_at(found):
    text = render(found, "markdown")
    assert "- f.c:14:5 `f`: division by zero, with `a = 0`" in text
    assert "exit(3)" not in text
    assert "<details><summary>Open objectives: 1</summary>" in text and "- f.c:12:10 `f` branch: `b is true`" in text
    assert "- dir/x y.c: it does not compile" in text
