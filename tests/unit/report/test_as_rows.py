"""What is printed about several functions."""

from dataclasses import replace

import pytest

from tightrope.report.as_rows import RowPrinter, show_row, summary_lines
from tightrope.report.model import (
    NO_STRATEGY,
    UNCHANGED,
    ChangedExpectation,
    Crash,
    Report,
    ReportedObjective,
    ReportedTest,
    Statistics,
    Tool,
    UnitReport,
)

VERDICTS = {"c": "covered", "i": "infeasible", "u": "unknown"}


def unit_of(name="f", mcdc="cc", branch="cciu", **rest):
    objectives = tuple(
        ReportedObjective(f"{name}:{criterion}:{at}", criterion, "true", 4, 2, "a is true", VERDICTS[letter])
        for criterion, letters in (("mcdc", mcdc), ("branch", branch))
        for at, letter in enumerate(letters)
    )
    rest = {"statistics": Statistics(seconds=0.1, total_seconds=0.44), **rest}
    tests = (ReportedTest("t", {}, "returned", ()),)
    return UnitReport("src/f.c", name, ("mcdc", "branch"), "dfs", 0, "done", objectives, tests, **rest)


CRASHES = (
    Crash("crashed", "division by zero", "src/f.c", 7, 3, {"a": 0}),
    Crash("exited", "exit(1)", "src/f.c", 8, 3, {"a": 1}),
)


def test_row():
    row = show_row(unit_of(), 7, 20).plain
    assert row == "[ 7/20] src/f.c:f  mcdc 2/2  branch 2/4, 1 infeasible, 1 unknown  1 test  0.4 s"


def test_row_leaves_out_a_criterion_without_objectives():
    assert show_row(unit_of(branch=""), 1, 2).plain == "[1/2] src/f.c:f  mcdc 2/2  1 test  0.4 s"


def test_row_with_run_time_errors_and_of_the_store():
    assert show_row(unit_of(crashes=CRASHES), 1, 2).plain.endswith("  1 test  1 run-time error  0.4 s")
    assert show_row(unit_of(notes=(UNCHANGED,)), 1, 2).plain.endswith("  1 test  unchanged")


def test_changed_expectations_are_told(report):
    changes = tuple(
        ChangedExpectation(f"t{at}", "out/test_f.c", "result", "3", "4", is_accepted=at == 0) for at in range(3)
    )
    unit = unit_of(changes=changes)
    assert show_row(unit, 1, 2).plain.endswith("  1 test  2 changed expectations  0.4 s")
    lines = [line.plain for line in summary_lines(replace(report, units=(unit,)))]
    told = [line for line in lines if "test_f.c" in line]
    words = [("accepted", 0), ("changed", 1), ("changed", 2)]
    assert told == [f"  {word}: t{number} in test_f.c: result was 3, is 4" for word, number in words]
    assert "--accept rewrites them" in lines[lines.index(told[-1]) + 1]


def test_row_of_a_measured_function():
    row = show_row(replace(unit_of(branch="cu"), strategy=NO_STRATEGY), 1, 2)
    assert row.plain == "[1/2] src/f.c:f  mcdc 2/2  branch 1/2, 1 not covered  1 test"


def test_row_of_mutants():
    mutants = tuple(
        ReportedObjective(f"f:mutation:{at}", "mutation", "", 4, 2, "", verdict)
        for at, verdict in enumerate(VERDICTS.values())
    )
    unit = replace(unit_of(), criteria=("mutation",), objectives=mutants)
    assert "  mutation 1/3, 1 equivalent, 1 alive  " in show_row(unit, 1, 2).plain


def test_row_of_a_function_that_was_refused_and_of_a_file():
    refused = UnitReport.refused("src/f.c", "g", ("branch",), "it takes `...`")
    assert show_row(refused, 1, 2).plain == "[1/2] src/f.c:g  not tested: it takes `...`"
    assert show_row(replace(refused, function=""), 1, 2).plain == "[1/2] src/f.c  not tested: it takes `...`"


@pytest.fixture
def report():
    refused = [UnitReport.refused("src/f.c", f"g{at}", ("branch",), "it takes `...`") for at in range(7)]
    files = [UnitReport.refused("src/h.c", "", ("branch",), "it does not compile")]
    units = (unit_of(crashes=CRASHES, written=("out/test_f.c",)), unit_of("k", branch="ci", written=("out/test_k.c",)))
    return Report(Tool("tightrope", "1"), (*units, *refused, *files), seconds=12.34)


def test_summary(report):
    assert [line.plain for line in summary_lines(report)] == [
        "9 functions, 7 of them not tested; 1 file not compiled   12.3 s",
        "  mcdc    4/4 covered (100%)",
        "  branch  3/6 covered (50%), 2 infeasible (75% of feasible), 1 unknown",
        "  1 run-time error in 1 function",
        "    src/f.c:7:3  f: division by zero, with a = 0",
        "  not tested",
        "    src/f.c:g0, src/f.c:g1, src/f.c:g2, src/f.c:g3, src/f.c:g4 and 2 more: it takes `...`",
        "    src/h.c: it does not compile",
        "  2 tests in out",
    ]


def test_long_lists_are_cut(report):
    many = tuple(UnitReport.refused("src/f.c", f"g{at}", ("branch",), f"reason {at}") for at in range(13))
    crashes = tuple(replace(CRASHES[0], line=at) for at in range(1, 8))
    lines = [line.plain for line in summary_lines(replace(report, units=(unit_of(crashes=crashes), *many)))]
    assert "    and 3 more" in lines and "    and 2 more" in lines
    assert len(lines) < 25


def test_a_single_function_is_left_to_the_report(capsys):
    rows = RowPrinter()
    rows.show(unit_of(), 1)
    assert rows.count == 0 and capsys.readouterr().out == ""


def test_details_with_numbers(report, capsys):
    rows = RowPrinter(has_details=True)
    for unit in report.units[:2]:
        rows.show(unit, 2)
    rows.close(report)
    printed = capsys.readouterr().out
    assert "[1/2] f  src/f.c   1 test from 0 runs in 0.44 s\n  mcdc    2/2 covered (100%)\n" in printed
    assert "\n\n[2/2] k  src/f.c" in printed and "why: -v" not in printed


def test_the_end_says_how_to_see_more(report, capsys):
    RowPrinter().close(report)
    assert capsys.readouterr().out.endswith("\n  why: -v prints the details of each function, --html FILE shows them\n")
    RowPrinter().close(replace(report, units=(unit_of(branch="cc"),)))
    assert "why:" not in capsys.readouterr().out
