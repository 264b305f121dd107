"""report.json: the image of the model, as the schema says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from schema_check import check

from tightrope.coverage.objective import Relation
from tightrope.errors import UsageError
from tightrope.report.as_json import json_pieces, render_json, report_from_json, to_values
from tightrope.report.model import Report, Score, Tool, show_percent
from tightrope.report.schema import make_schema
from tightrope.running.run_record import Outcome


def replace_at(values: Any, path: tuple[Any, ...], by: Any) -> None:
    for step in path[:-1]:
        values = values[step]
    values[path[-1]] = by


def test_fields_of_the_contract_are_there_in_order(full_report) -> None:
    values = to_values(full_report())
    assert list(values) == ["schema", "tool", "units"]
    unit = values["units"][0]
    stable = "file function criteria strategy seed stop_reason objectives tests statistics".split()
    assert list(unit)[: len(stable)] == stable
    assert list(unit["objectives"][0])[:10] == "id criterion kind line column text verdict tests proof reason".split()
    assert list(unit["tests"][0])[:4] == ["id", "inputs", "outcome", "covers"]
    assert (
        list(unit["statistics"])
        == (
            "runs paths candidates filtered queries sat unsat unknown cache_hits divergences concretisations "
            "seconds solver_seconds run_seconds seeds trials reuse_hits local_searches local_search_hits moved_hits "
            "encoding_queries encoding_runs encoding_covered encoding_refuted encoding_unknown encoding_iterations "
            "encoding_instances encoding_seconds mispredictions total_seconds"
        ).split()
    )


def test_there_and_back(full_report) -> None:
    report = full_report()
    values = json.loads(render_json(report))
    assert values == to_values(report)
    again = report_from_json(values)
    assert to_values(again) == values
    assert again.units[0].objectives == report.units[0].objectives


def test_pieces_are_elements_and_make_the_usual_text(full_report) -> None:
    report = full_report()
    report = replace(report, units=report.units * 3)
    pieces = list(json_pieces(report))
    assert max(map(len, pieces)) < len("".join(pieces)) / 2
    values = to_values(report)
    usual = json.dumps({"units": values["units"]}, indent=1, ensure_ascii=False)
    assert "".join(pieces).partition("\n")[2] == usual[2:] + "\n"
    assert json.loads(render_json({"tool": report.tool, "findings": [], "at": {"line": 1}}))["at"] == {"line": 1}


def test_first_line_says_who_wrote_it(full_report) -> None:
    assert render_json(full_report()).startswith('{"schema": 1, "tool": {"name": "tightrope", "version": "0.1.0"},\n')


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (("units", 0, "seed"), "Expected `int`, got `array` - at `$.units[0].seed`"),
        (("units", 0, "objectives", 1, "line"), "Expected `int`, got `array` - at `$.units[0].objectives[1].line`"),
        (("units", 0, "tests", 0, "inputs", "a"), "- at `$.units[0].tests[0].inputs[...]`"),
        (("tool",), "Expected `object`, got `array` - at `$.tool`"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(path: tuple[Any, ...], said: str, full_report) -> None:
    values = to_values(full_report())
    replace_at(values, path, [])
    with pytest.raises(ValueError, match="Expected") as problem:
        report_from_json(values)
    assert said in str(problem.value)


def test_another_schema_is_refused(full_report) -> None:
    values = {**to_values(full_report()), "schema": 2}
    with pytest.raises(ValueError, match="it has schema 2, and this version of Tightrope reads schema 1"):
        report_from_json(values)


def test_fields_that_came_later_are_no_hindrance(full_report) -> None:
    """Neither in an old report, which lacks some, nor in one of a later version, which has more."""
    values = to_values(full_report())
    unit = values["units"][0]
    values["units"] = [{**{key: unit[key] for key in list(unit)[:9]}, "later": 1}]
    (read,) = report_from_json(values).units
    assert (read.objectives, read.line) == (full_report().units[0].objectives, 0)


def test_schema_accepts_reports(full_report) -> None:
    check(to_values(full_report()), make_schema("schema.json"))
    check(to_values(Report(Tool("tightrope", "1"), ())), make_schema("schema.json"))


@pytest.mark.parametrize("path", [("units", 0, "seed"), ("units", 0, "objectives", 0, "verdict"), ("schema",)])
def test_schema_refuses_a_wrong_value(path: tuple[Any, ...], full_report) -> None:
    values = to_values(full_report())
    replace_at(values, path, "wrong")
    with pytest.raises(AssertionError):
        check(values, make_schema("schema.json"))


def test_schema_refuses_a_missing_or_unknown_field(full_report) -> None:
    values = to_values(full_report())
    del values["units"][0]["stop_reason"]
    with pytest.raises(AssertionError, match="stop_reason"):
        check(values, make_schema("schema.json"))
    values = {**to_values(full_report()), "extra": 1}
    with pytest.raises(AssertionError, match="extra"):
        check(values, make_schema("schema.json"))


def test_score() -> None:
    score = Score(22, 1, 1)
    assert (score.total, score.feasible) == (24, 23)
    assert score + Score(1, 0, 0) == Score(23, 1, 1)


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (0, 0, "100%"),
        (3, 3, "100%"),
        (9999, 10000, "99.9%"),
        (99999, 100000, "99.9%"),
        (1, 100000, "0.1%"),
        (0, 5, "0%"),
    ]
    + [(22, 24, "91.7%"), (1, 2, "50%")],
)
def test_a_percentage_never_rounds_to_all_or_nothing(part: int, whole: int, shown: str) -> None:
    assert show_percent(part, whole) == shown


@pytest.mark.parametrize(
    ("thresholds", "missed"),
    [((), 0), ((("", 50.0),), 0), ((("", 50.1),), 1), ((("branch", 100.0),), 1)],
)
def test_thresholds_ask_for_what_is_feasible(
    thresholds: tuple[tuple[str, float], ...], missed: int, full_report
) -> None:
    found = full_report().below(thresholds)  # 1 covered of 2 that are not proved infeasible
    assert len(found) == missed
    assert all("branch coverage is 50%, below the" in each for each in found)


def test_a_report_has_no_score_for_what_it_is_not_about(full_report) -> None:
    with pytest.raises(UsageError, match="no criterion `brnch`"):
        full_report().score("brnch")


def test_every_word_of_the_stages_is_in_the_schema() -> None:
    rules = make_schema("schema.json")["$defs"]
    assert rules["objective"]["properties"]["relation"]["enum"] == [each.value for each in Relation]
    assert rules["test"]["properties"]["outcome"]["enum"] == [each.value for each in Outcome]
