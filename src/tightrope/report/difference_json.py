"""What `tightrope diff --json` writes: the image of the model. The schema is report/difference_schema.json, in which a
unit is that of report/schema.json."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any

from tightrope.report.as_json import plain, schema
from tightrope.report.difference_model import DifferenceReport
from tightrope.suite.folder import write_file


def difference_to_json(report: DifferenceReport) -> dict[str, Any]:
    """The report as JSON values, fields in the order of the contract."""
    return {
        "schema": report.schema,
        "tool": asdict(report.tool),
        "old": report.old,
        "new": report.new,
        "is_interrupted": report.is_interrupted,
        "functions": [plain(asdict(one)) for one in report.functions],
    }


def render_difference(report: DifferenceReport) -> str:
    """The text of the JSON. Its first line says that Tightrope wrote it."""
    values = difference_to_json(report)
    head = f'{{"schema": {values.pop("schema")}, "tool": {json.dumps(values.pop("tool"))},\n'
    body = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)
    return f"{head}{body[2:]}\n"


def write_difference(report: DifferenceReport, to: str) -> None:
    """Write the JSON to a file, or to standard output for `-`."""
    text = render_difference(report)
    if to == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(to), text)


def difference_schema() -> dict[str, Any]:
    """The JSON Schema of what `write_difference` writes, with the definitions of report.json in it."""
    text = resources.files("tightrope.report").joinpath("difference_schema.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return {**read, "$defs": {**read["$defs"], **schema()["$defs"]}}
