"""Workflow commands of GitHub Actions: lines of its log that become annotations of a pull request. GitHub shows ten of
each kind for a step; the others are in the log alone."""

from __future__ import annotations

from tightrope.report.formats.findings import SourceFinding, list_findings
from tightrope.report.model import Report
from tightrope.suite.folder import MARKER


def render_github(report: Report) -> str:
    lines = [f"{MARKER} {report.tool.version}", *map(_command, list_findings(report))]
    return "\n".join(lines) + "\n"


def _command(found: SourceFinding) -> str:
    properties = {"file": found.file}
    properties |= {"line": str(found.line)} if found.line else {}
    properties |= {"col": str(found.column)} if found.column else {}
    properties["title"] = f"Tightrope: {found.rule}"
    shown = ",".join(f"{name}={_escape(text, of_property=True)}" for name, text in properties.items())
    return f"::{found.level} {shown}::{_escape(found.message)}"


def _escape(text: str, *, of_property: bool = False) -> str:
    for character in "%\r\n" + ":," * of_property:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
