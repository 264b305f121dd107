"""report.json: the image of the model, as the schema says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from schema_check import check

from tightrope.report.as_json import render, report_from_json, report_to_json, schema
from tightrope.report.model import Report, Score, Tool, show_percent


def test_fields_of_the_contract_are_there_in_order(full_report) -> None:
    values = report_to_json(full_report())
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
            "seconds solver_seconds run_seconds seeds reuse_hits local_searches local_search_hits "
            "encoding_queries encoding_runs encoding_covered encoding_refuted encoding_unknown encoding_iterations "
            "encoding_instances encoding_seconds mispredictions"
        ).split()
    )


def test_there_and_back(full_report) -> None:
    report = full_report()
    values = json.loads(render(report))
    assert values == report_to_json(report)
    again = report_from_json(values)
    assert report_to_json(again) == values
    assert again.units[0].objectives == report.units[0].objectives


def test_first_line_says_who_wrote_it(full_report) -> None:
    assert render(full_report()).startswith('{"schema": 1, "tool": {"name": "tightrope", "version": "0.1.0"},\n')


def test_schema_accepts_reports(full_report) -> None:
    check(report_to_json(full_report()), schema())
    check(report_to_json(Report(Tool("tightrope", "1"), ())), schema())


@pytest.mark.parametrize("path", [("units", 0, "seed"), ("units", 0, "objectives", 0, "verdict"), ("schema",)])
def test_schema_refuses_a_wrong_value(path: tuple[Any, ...], full_report) -> None:
    values = report_to_json(full_report())
    place: Any = values
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = "wrong"
    with pytest.raises(AssertionError):
        check(values, schema())


def test_schema_refuses_a_missing_or_unknown_field(full_report) -> None:
    values = report_to_json(full_report())
    del values["units"][0]["stop_reason"]
    with pytest.raises(AssertionError, match="stop_reason"):
        check(values, schema())
    values = {**report_to_json(full_report()), "extra": 1}
    with pytest.raises(AssertionError, match="extra"):
        check(values, schema())


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
    [((), 0), ((("", 50.0),), 0), ((("", 50.1),), 1), ((("branch", 100.0),), 1), ((("statement", 100.0),), 0)],
)
def test_thresholds_ask_for_what_is_feasible(
    thresholds: tuple[tuple[str, float], ...], missed: int, full_report
) -> None:
    found = full_report().below(thresholds)  # 1 covered of 2 that are not proved infeasible
    assert len(found) == missed
    assert all("branch coverage is 50%, below the" in each for each in found)
