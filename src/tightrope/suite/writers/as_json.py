"""The suite as JSON: inputs and observed values by their paths in C words. The first line says who wrote it."""

from __future__ import annotations

import json

from tightrope.suite.case import Case, Suite, describe_case
from tightrope.suite.kept_tests import Row
from tightrope.suite.seal import UNSEALED

SCHEMA = 1


def write_json_suite(suite: Suite) -> dict[str, str]:
    tool = json.dumps({"name": "tightrope", "version": suite.version})
    rest = {
        "file": suite.include_path,
        "function": suite.function,
        "cases": [_case(suite, case) for case in suite.cases],
    }
    body = json.dumps(rest, indent=1, ensure_ascii=False, allow_nan=False)
    return {f"{suite.file_stem}.json": f'{{"schema": {SCHEMA}, "tool": {tool}, "hash": "{UNSEALED}",\n{body[2:]}\n'}


def _case(suite: Suite, case: Case) -> Row:
    kept = suite.kept.json_row(f"{suite.file_stem}.json", case.name)
    return kept or {
        **describe_case(suite, case),
        "objectives": [{"id": one.id, "line": one.location.line, "text": one.text} for one in case.objectives],
    }
