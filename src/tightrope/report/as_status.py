"""What `tightrope status` shows of a project: folders, and the functions that need attention.

folder    functions  mcdc          branch
src/can   2          15/16 (93.7%)  6/6 (100%)
src/lin   3          9/9 (100%)    4/4 (100%)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from rich.text import Text

from tightrope.report.as_json import write_json
from tightrope.report.console import print_lines
from tightrope.report.model import Score, Tool, show_percent
from tightrope.version import __version__

MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class FunctionStatus:
    """The newest result of a function."""

    file: str
    function: str
    scores: dict[str, Score]  # by criterion
    seconds: float  # that it took, with its tests
    reason: str = ""  # why it was not tested
    outdated: str = ""  # why the result is not about the code as it is now

    @property
    def score(self) -> Score:
        return sum(self.scores.values(), Score())

    def __str__(self) -> str:
        return f"{self.file}:{self.function}"


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    store: str
    functions: tuple[FunctionStatus, ...]

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.functions for name in each.scores))


def print_status(status: ProjectStatus, to: IO[str] | None = None) -> None:
    print_lines(status_lines(status), to)


def status_lines(status: ProjectStatus) -> Iterator[Text]:
    tested = [each for each in status.functions if not each.reason]
    yield Text(_headline(status, len(tested)), "bold")
    if not status.functions:
        yield Text("  help: tightrope generate FOLDER tests functions and keeps the results here")
        return
    yield Text()
    yield from _folder_lines(status)
    slow = sorted(tested, key=lambda each: -each.seconds)[:MOST_SHOWN]
    yield from _list_lines("slowest", [(str(each), f"{each.seconds:.1f} s") for each in slow if each.seconds >= 0.1])
    open_ones = sorted((each for each in tested if each.score.unknown), key=lambda each: -each.score.unknown)
    rows = [(str(each), f"{each.score.unknown} of {each.score.total} unknown") for each in open_ones]
    yield from _list_lines("most open", rows)
    outdated = [(str(each), each.outdated) for each in status.functions if each.outdated]
    yield from _list_lines("out of date", outdated)
    yield from _list_lines("not tested", [(str(each), each.reason) for each in status.functions if each.reason])


def _headline(status: ProjectStatus, tested: int) -> str:
    count = len(status.functions)
    said = f"{tested:,} function{'s' * (tested != 1)} tested"
    said += f", {count - tested:,} not tested" if count > tested else ""
    return f"{status.store}: {said}"


def _folder_lines(status: ProjectStatus) -> Iterator[Text]:
    folders: dict[str, list[FunctionStatus]] = {}
    for each in status.functions:
        folders.setdefault(each.file.rpartition("/")[0] or ".", []).append(each)
    rows = [("folder", "functions", *status.criteria)]
    rows += [(name, *_cells(functions, status.criteria)) for name, functions in sorted(folders.items())]
    if len(folders) > 1:
        rows.append(("all", *_cells(status.functions, status.criteria)))
    widths = [max(len(row[at]) for row in rows) + 2 for at in range(len(rows[0]))]
    for number, row in enumerate(rows):
        text = "".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        yield Text(text, "dim" if not number else "bold" if row[0] == "all" else "")


def _cells(functions: Sequence[FunctionStatus], criteria: Sequence[str]) -> tuple[str, ...]:
    scores = [sum((each.scores.get(name, Score()) for each in functions), Score()) for name in criteria]
    return (f"{len(functions):,}", *(_cell(score) for score in scores))


def _cell(score: Score) -> str:
    if not score.total:
        return "-"
    return f"{score.covered:,}/{score.feasible:,} ({show_percent(score.covered, score.feasible)})"


def _list_lines(title: str, rows: Sequence[tuple[str, str]]) -> Iterator[Text]:
    if not rows:
        return
    width = max(len(name) for name, _ in rows[:MOST_SHOWN]) + 2
    yield Text()
    yield Text(title, "bold")
    yield from (Text(f"  {name:{width}}{text}".rstrip()) for name, text in rows[:MOST_SHOWN])
    if len(rows) > MOST_SHOWN:
        yield Text(f"  and {len(rows) - MOST_SHOWN:,} more: see --json")


def write_status(status: ProjectStatus, to: str) -> None:
    """As JSON, to a file, or to standard output for `-`."""
    write_json(
        {"schema": 1, "tool": Tool("tightrope", __version__), "store": status.store, "functions": status.functions}, to
    )
