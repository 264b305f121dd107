"""SARIF 2.1.0, which GitHub's code scanning and many editors show: run-time errors, with the path that leads there as
a code flow, and objectives of which nothing is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tightrope.coverage.criteria import CRITERIA
from tightrope.report.formats.findings import ERROR, NOTICE, WARNING, SourceFinding, list_findings
from tightrope.report.model import PathStep, Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
MARK = '"properties": {"tightrope": '
_LEVELS = {ERROR: "error", WARNING: "warning", NOTICE: "note"}
_RULES = {
    "crashed": "a run ends by a run-time error",
    "timed-out": "a run does not end within its time limit",
    "not-tested": "a function or a file was not tested",
}
_ROOT = "ROOT"


def render_sarif(report: Report) -> str:
    found = list_findings(report)
    rules = list(dict.fromkeys(each.rule for each in found))
    driver = {"name": "Tightrope", "semanticVersion": report.tool.version, "rules": [_rule(name) for name in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the folder in which the command was run"}}},
        "results": [_result(each, rules.index(each.rule)) for each in found],
    }
    head = json.dumps({"$schema": SCHEMA, "version": VERSION, "properties": {"tightrope": report.tool.version}})
    return f'{head[:-1]},\n"runs": {json.dumps([run], indent=1, ensure_ascii=False)}}}\n'


def _rule(name: str) -> dict[str, Any]:
    criterion = CRITERIA.get(name.removeprefix("open-"))
    text = _RULES.get(name) or (f"not covered: {criterion.help}" if criterion else name)
    return {"id": name, "shortDescription": {"text": text}}


def _result(found: SourceFinding, number: int) -> dict[str, Any]:
    steps = [*map(_step, found.path), {"location": _location(found.file, found.line, found.column, found.message)}]
    flow = {"codeFlows": [{"threadFlows": [{"locations": steps}]}]} if found.path else {}
    return {
        "ruleId": found.rule,
        "ruleIndex": number,
        "level": _LEVELS[found.level],
        "message": {"text": found.message},
        "locations": [_location(found.file, found.line, found.column)],
        "partialFingerprints": {"tightrope/v1": found.fingerprint},
        **flow,
    }


def _step(step: PathStep) -> dict[str, Any]:
    text = step.text if step.times == 1 else f"{step.text}, {step.times} times"
    return {"location": _location(step.file, step.line, step.column, text)}


def _location(file: str, line: int, column: int, message: str = "") -> dict[str, Any]:
    region = {"startLine": line, **({"startColumn": column} if column else {})}
    place = {"artifactLocation": _artifact(file), **({"region": region} if line else {})}
    return {"physicalLocation": place, **({"message": {"text": message}} if message else {})}


def _artifact(file: str) -> dict[str, str]:
    if Path(file).is_absolute():
        return {"uri": Path(file).as_uri()}
    return {"uri": quote(file), "uriBaseId": _ROOT}
