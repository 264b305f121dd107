"""The suite as JSON: inputs and observed values by their paths in C words. The first line says who wrote it."""

from __future__ import annotations

import json
from typing import Any

from tightrope.suite.case import Case, Suite, describe_calls, describe_input, describe_outputs

SCHEMA = 1


def write_json_suite(suite: Suite) -> dict[str, str]:
    tool = json.dumps({"name": "tightrope", "version": suite.version})
    rest = {
        "file": suite.include_path,
        "function": suite.function,
        "cases": [_case(suite, case) for case in suite.cases],
    }
    body = json.dumps(rest, indent=1, ensure_ascii=False, allow_nan=False)
    return {f"{suite.file_stem}.json": f'{{"schema": {SCHEMA}, "tool": {tool},\n{body[2:]}\n'}


def _case(suite: Suite, case: Case) -> dict[str, Any]:
    calls = describe_calls(suite, case) if suite.shape.stubs else None
    return {
        "name": case.name,
        "inputs": describe_input(suite, case),
        "outcome": case.ending.outcome.value,
        "reason": case.ending.reason,
        "observed": describe_outputs(suite, case),
        **({} if calls is None else {"calls": calls}),
        "objectives": [{"id": one.id, "line": one.location.line, "text": one.text} for one in case.objectives],
    }
