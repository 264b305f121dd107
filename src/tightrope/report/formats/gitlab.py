"""GitLab's report of code quality: a list of findings, which a merge request shows beside the lines."""

from __future__ import annotations

import json
from typing import Any

from tightrope.report.formats.findings import ERROR, NOTICE, WARNING, SourceFinding, list_findings
from tightrope.report.model import Report

MARK = '"check_name": "tightrope/'
_SEVERITIES = {ERROR: "critical", WARNING: "minor", NOTICE: "info"}


def render_gitlab(report: Report) -> str:
    rows = [json.dumps(_row(each), ensure_ascii=False) for each in list_findings(report)]
    return f"[{f',{chr(10)} '.join(rows)}]\n"


def _row(found: SourceFinding) -> dict[str, Any]:
    return {
        "check_name": f"tightrope/{found.rule}",
        "description": found.message,
        "fingerprint": found.fingerprint,
        "severity": _SEVERITIES[found.level],
        "location": {"path": found.file, "lines": {"begin": max(found.line, 1)}},
    }
