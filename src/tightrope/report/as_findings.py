"""What `tightrope doctor` found, as aligned lines:

compiler   bundled zig cc 0.17.0
judges     no testcov
             help: pip install testcov
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Any

from rich.text import Text

from tightrope.report.as_text import make_console
from tightrope.suite.folder import write_file
from tightrope.version import __version__


class Grade(Enum):
    """How a finding bears on whether tests can be made. The value is the style it is shown in."""

    GOOD = ""
    NOTE = "yellow"  # may change a result
    BAD = "bold red"  # no test can be made


@dataclass(frozen=True, slots=True)
class Finding:
    topic: str
    text: str
    grade: Grade = Grade.GOOD
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    about: str  # a file; '' for the machine
    rows: tuple[Finding, ...]

    @property
    def are_good(self) -> bool:
        return all(row.grade is not Grade.BAD for row in self.rows)


def print_findings(findings: Sequence[Findings], to: IO[str] | None = None) -> None:
    console = make_console(to or sys.stdout)
    for line in finding_lines(findings):
        console.print(line, soft_wrap=True, highlight=False)


def finding_lines(findings: Sequence[Findings]) -> Iterator[Text]:
    width = max(len(row.topic) for each in findings for row in each.rows) + 2
    for each in findings:
        if each.about:
            yield Text()
            yield Text(each.about, "bold")
        before = ""
        for row in each.rows:
            yield from _row_lines(row, "" if row.topic == before else row.topic, width)
            before = row.topic
    yield Text()
    yield _conclusion(findings)


def _row_lines(row: Finding, topic: str, width: int) -> Iterator[Text]:
    first, *rest = row.text.splitlines()
    yield Text.assemble("  ", (f"{topic:{width}}", "dim"), (first, row.grade.value))
    for line in rest:
        yield Text(f"  {'':{width}}{line}")
    if row.hint:
        yield Text(f"  {'':{width}}  help: {row.hint}")


def _conclusion(findings: Sequence[Findings]) -> Text:
    bad = [each.about or "this machine" for each in findings if not each.are_good]
    if bad:
        return Text(f"No tests can be made yet: see the lines in red about {', '.join(bad)}.", "bold red")
    about = ", ".join(each.about for each in findings if each.about)
    return Text(f"Tests can be made{f' for {about}' if about else ''}.", "bold green")


def write_findings(findings: Sequence[Findings], to: str) -> None:
    """As JSON, to a file, or to standard output for `-`."""
    values = [{"about": each.about, "rows": [_plain(row) for row in each.rows]} for each in findings]
    tool = {"name": "tightrope", "version": __version__}
    text = f'{{"tool": {json.dumps(tool)},\n{json.dumps({"findings": values}, indent=1, ensure_ascii=False)[2:]}\n'
    if to == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(to), text)


def _plain(row: Finding) -> dict[str, Any]:
    return {"topic": row.topic, "text": row.text, "grade": row.grade.name.lower(), "hint": row.hint}
