"""Which objectives of a report somebody means."""

from __future__ import annotations

import pytest

from tightrope.errors import NothingMatchedError, UsageError
from tightrope.report.as_json import render_json
from tightrope.report.read_report import find_objectives, find_report, read_report


def ids(report, wanted):
    return [objective.id for _, objective in find_objectives(report, wanted)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("f:branch:+2.7:true", ["f:branch:+2.7:true"]),
        ("f:branch:+2", ["f:branch:+2.7:true"]),
        ("12", ["f:branch:+2.7:true"]),
        ("12:7", ["f:branch:+2.7:true"]),
        ("f.c:12:7", ["f:branch:+2.7:true"]),
        ("f.c:12", ["f:branch:+2.7:true"]),
        ("*+3*", ["f:branch:+3.7:true"]),
        ("+3.7", ["f:branch:+3.7:true"]),
        ("f:", ["f:branch:+1.7:true", "f:branch:+2.7:true", "f:branch:+3.7:true"]),
    ],
)
def test_words_for_objectives(full_report, wanted, found):
    assert ids(full_report(), wanted) == found


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("f:branch:+4.7:true", "did you mean f:branch:"),
        ("12:8", "there are objectives in lines 11, 12, 13"),
        ("g.c:12", "there are objectives in lines"),
        ("nothing of the kind", "its objectives are f:branch:+1.7:true"),
    ],
)
def test_words_for_nothing(full_report, wanted, hint):
    with pytest.raises(NothingMatchedError) as problem:
        find_objectives(full_report(), wanted)
    assert problem.value.slug == "no-such-objective"
    assert hint in problem.value.hint


def test_a_report_is_read_as_it_was_written(full_report, tmp_path):
    file = tmp_path / "report.json"
    file.write_text(render_json(full_report()))
    assert read_report(file).units[0].objectives == full_report().units[0].objectives


def test_the_report_of_a_folder(full_report, tmp_path):
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(UsageError, match="no report in the folder"):
        find_report(tmp_path)
    (tmp_path / "one.json").write_text(render_json(full_report()))
    assert find_report(tmp_path) == tmp_path / "one.json"
    (tmp_path / "two.json").write_text(render_json(full_report()))
    with pytest.raises(UsageError, match="2 reports"):
        find_report(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"units": [{}]}', '{"units": 3}', "int main(void);"])
def test_what_is_no_report(tmp_path, text):
    file = tmp_path / "report.json"
    file.write_text(text)
    with pytest.raises(UsageError) as problem:
        read_report(file)
    assert problem.value.slug == "no-report"


def test_what_is_wrong_with_a_report_is_said_with_its_place(tmp_path):
    file = tmp_path / "report.json"
    file.write_text('{"schema": 1, "tool": {"name": "tightrope", "version": 1}, "units": []}')
    with pytest.raises(
        UsageError, match=r"is not a report of Tightrope: Expected `str`, got `int` - at `\$.tool.version`"
    ):
        read_report(file)


def test_no_such_file(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        find_report(tmp_path / "report.json")
