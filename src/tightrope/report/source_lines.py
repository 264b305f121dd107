"""How verdicts and places in the C look on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from rich.text import Text

STYLES = {"covered": "green", "infeasible": "cyan", "unknown": "yellow", "crashed": "red"}


class Placed(Protocol):
    """What has a place in the C, and the line there."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...

    @property
    def source(self) -> str: ...


def source_lines(row: Placed) -> Iterator[Text]:
    """The line of C with a caret under the place; both lines have the same tabs, so that it stays there."""
    if not row.source.strip():
        return
    yield Text(f"{row.line:>9} | {row.source}")
    if row.column:
        before = row.source.encode()[: row.column - 1].decode(errors="replace")
        indent = "".join("\t" if character == "\t" else " " for character in before)
        yield Text.assemble(f"{'':9} | {indent}", ("^", "bold"))
