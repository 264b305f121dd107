"""Lines on a terminal: in colours where it has some; how verdicts and places in the C look there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Protocol

from rich.console import Console
from rich.text import Text

STYLES = {"covered": "green", "infeasible": "cyan", "unknown": "yellow", "crashed": "red"}


def print_lines(lines: Iterable[Text], to: IO[str] | None = None) -> None:
    """To standard output, unless another stream is named."""
    console = make_console(to or sys.stdout)
    for line in lines:
        console.print(line, soft_wrap=True, highlight=False)


def join_blocks(blocks: Iterable[Iterable[Text]]) -> Iterator[Text]:
    """An empty line between two of them."""
    for number, block in enumerate(blocks):
        if number:
            yield Text()
        yield from block


def make_console(to: IO[str]) -> Console:
    """Colours on a terminal; NO_COLOR (non-empty) turns them off, FORCE_COLOR on."""
    forced, refused = bool(os.environ.get("FORCE_COLOR")), bool(os.environ.get("NO_COLOR"))
    has_colour = not refused and (forced or (hasattr(to, "isatty") and to.isatty()))
    return _PatientConsole(
        file=to, force_terminal=has_colour, no_color=not has_colour, color_system="standard" if has_colour else None
    )


class _PatientConsole(Console):
    """If the reader of our output goes away (`| head`), the work and its exit status stay what they are."""

    def on_broken_pipe(self) -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def place_of(file: str, line: int, column: int = 0) -> str:
    """`f.c:7:3`, or as much of it as is known."""
    return f"{file}:{line}:{column}" if line and column else f"{file}:{line}" if line else file


class PlaceInC(Protocol):
    """A place in the C, with the line there."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...

    @property
    def source(self) -> str: ...


def source_lines(row: PlaceInC) -> Iterator[Text]:
    """The line of C with a caret under the place."""
    if not row.source.strip():
        return
    yield Text(f"{row.line:>9} | {row.source}")
    if row.column:
        yield Text.assemble(f"{'':9} | {indent_to(row.source, row.column)}", ("^", "bold"))


def indent_to(source: str, column: int) -> str:
    """Blanks up to a column, which counts bytes; tabs stay tabs, so that the caret stands under its place."""
    before = source.encode()[: max(column - 1, 0)].decode(errors="replace")
    return "".join("\t" if character == "\t" else " " for character in before)
