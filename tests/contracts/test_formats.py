"""What every format of the report promises."""

from dataclasses import replace

import pytest

from tightrope.report.formats import FORMATS, write_report
from tightrope.report.model import NO_STRATEGY, Report, ReportedObjective, ReportedTest, Statistics, Tool, UnitReport


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
        write_report(one, name, str(file))
        write_report(one, name, "-")
        assert capsys.readouterr().out == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_its_help_is_one_line(name):
    assert FORMATS[name].help and "\n" not in FORMATS[name].help
