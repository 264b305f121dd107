"""What `tightrope doctor` found, as aligned lines:

compiler   bundled zig cc 0.17.0
judges     no testcov
             help: pip install testcov
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import IO

from rich.text import Text

from tightrope.report.as_json import write_json
from tightrope.report.console import print_lines
from tightrope.report.model import Tool
from tightrope.version import __version__


class Grade(Enum):
    """Whether tests can be generated in spite of a finding."""

    GOOD = "good"
    NOTE = "note"  # may change a result
    BAD = "bad"  # no test can be generated


_STYLES = {Grade.GOOD: "", Grade.NOTE: "yellow", Grade.BAD: "bold red"}


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
    print_lines(finding_lines(findings), to)


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
    yield Text.assemble("  ", (f"{topic:{width}}", "dim"), (first, _STYLES[row.grade]))
    for line in rest:
        yield Text(f"  {'':{width}}{line}")
    if row.hint:
        yield Text(f"  {'':{width}}  help: {row.hint}")


def _conclusion(findings: Sequence[Findings]) -> Text:
    bad = [each.about or "this machine" for each in findings if not each.are_good]
    if bad:
        return Text(f"No tests can be generated yet: see the lines in red about {', '.join(bad)}.", "bold red")
    about = ", ".join(each.about for each in findings if each.about)
    return Text(f"Tests can be generated{f' for {about}' if about else ''}.", "bold green")


def write_findings(findings: Sequence[Findings], to: str) -> None:
    """As JSON, to a file, or to standard output for `-`."""
    write_json({"tool": Tool("tightrope", __version__), "findings": findings}, to)
