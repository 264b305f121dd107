"""report.json: the report for machines, and back. The schema is report/schema.json."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from tightrope.report.model import (
    Concretisation,
    Confirmation,
    Crash,
    Report,
    ReportedCondition,
    ReportedDecision,
    ReportedObjective,
    ReportedTest,
    ReportedVector,
    Statistics,
    Tool,
    UnitReport,
)
from tightrope.suite.folder import write_file

T = TypeVar("T")


def report_to_json(report: Report) -> dict[str, Any]:
    """The report as JSON values, fields in the order of the contract."""
    return {
        "schema": report.schema,
        "tool": asdict(report.tool),
        "units": [plain(asdict(unit)) for unit in report.units],
    }


def report_from_json(values: Mapping[str, Any]) -> Report:
    """The inverse of `report_to_json`."""
    units = tuple(_unit(each) for each in values["units"])
    return Report(Tool(**values["tool"]), units, values["schema"])


def render(report: Report) -> str:
    """The text of report.json. Its first line says that Tightrope wrote it."""
    values = report_to_json(report)
    body = json.dumps({"units": values["units"]}, indent=1, ensure_ascii=False, allow_nan=False)
    return f'{{"schema": {report.schema}, "tool": {json.dumps(values["tool"])},\n{body[2:]}\n'


def write_json(report: Report, to: str) -> None:
    """Write report.json to a file, or to standard output for `-`."""
    text = render(report)
    if to == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(to), text)


def schema() -> dict[str, Any]:
    """The JSON Schema of report.json."""
    text = resources.files("tightrope.report").joinpath("schema.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def plain(value: Any) -> Any:
    """Lists for tuples; a float that JSON has no number for becomes a string."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value


def _unit(values: Mapping[str, Any]) -> UnitReport:
    read = dict(values)
    read["objectives"] = tuple(_tuples(ReportedObjective, each, "tests") for each in values["objectives"])
    read["tests"] = tuple(_test(each) for each in values["tests"])
    read["statistics"] = Statistics(**values["statistics"])
    read["decisions"] = tuple(_decision(each) for each in values.get("decisions", ()))
    read["crashes"] = tuple(Crash(**each) for each in values.get("crashes", ()))
    read["concretisations"] = tuple(Concretisation(**each) for each in values.get("concretisations", ()))
    if values.get("confirmation"):
        lists = ("different", "not_run", "disagreements", "counted_differently", "details")
        read["confirmation"] = _tuples(Confirmation, values["confirmation"], *lists)
    return _tuples(UnitReport, read, "criteria", "assumptions", "written", "warnings", "notes", "suites", "command")


def _test(values: Mapping[str, Any]) -> ReportedTest:
    hits = {key: tuple(found) for key, found in values.get("hits", {}).items()}
    return _tuples(ReportedTest, {**values, "hits": hits}, "covers")


def _decision(values: Mapping[str, Any]) -> ReportedDecision:
    read = dict(values)
    read["conditions"] = tuple(ReportedCondition(**each) for each in values["conditions"])
    read["vectors"] = tuple(_tuples(ReportedVector, each, "values", "tests") for each in values["vectors"])
    return ReportedDecision(**read)


def _tuples(kind: type[T], values: Mapping[str, Any], *names: str) -> T:
    return kind(**{key: tuple(each) if key in names else each for key, each in values.items()})
