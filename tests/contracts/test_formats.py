"""What every format of the report promises."""

from dataclasses import replace

import pytest

from tightrope.options.choices import REPORTS
from tightrope.report.formats import FORMATS
from tightrope.report.model import NO_STRATEGY, Report, ReportedObjective, ReportedTest, Statistics, Tool, UnitReport
from tightrope.suite.folder import write_output


@pytest.fixture
def report():
    hostile = 'a </b> "[bold]" ]]> & é is true'
    objectives = (
        ReportedObjective("f:branch:+1.2:true", "branch", "true", 4, 2, hostile, "covered", ("test_1",)),
        ReportedObjective("f:branch:+1.2:false", "branch", "false", 4, 2, hostile, "unknown", reason="time_limit"),
    )
    tests = (ReportedTest("test_1", {"a": float("inf"), "s": "\x00\n"}, "returned", ("f:branch:+1.2:true",)),)
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "done", objectives, tests, Statistics(runs=3))
    refused = UnitReport("f.c", "g", ("branch",), "dfs", 0, "not tested: g takes `...`", (), ())
    return Report(Tool("tightrope", "1"), (unit, refused))


@pytest.mark.parametrize("name", FORMATS)
def test_same_report_same_text(name, report):
    assert FORMATS[name].render(report) == FORMATS[name].render(report)


@pytest.mark.parametrize("name", FORMATS)
def test_every_function_is_there(name, report):
    text = FORMATS[name].render(report)
    assert text.endswith("\n")
    assert all(unit.function in text and unit.file in text for unit in report.units)


@pytest.mark.parametrize("name", FORMATS)
def test_it_can_be_written_whatever_is_in_it(name, report, tmp_path, capsys):
    measured = replace(report, units=tuple(replace(unit, strategy=NO_STRATEGY) for unit in report.units))
    for number, one in enumerate((report, replace(report, units=()), measured)):
        file = tmp_path / f"{number}.txt"
        text = FORMATS[name].render(one)
        write_output(str(file), text, FORMATS[name].mark)
        write_output(str(file), text, FORMATS[name].mark)  # generating again may replace it
        write_output("-", text)
        assert capsys.readouterr().out == file.read_text(encoding="utf-8")


def test_every_format_has_its_line_of_help():
    assert list(FORMATS) == list(REPORTS)
    assert all(text and "\n" not in text for text in REPORTS.values())
