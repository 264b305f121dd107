"""The folders and files of a report as a tree: one row for each, with the sums of all that is below it.

    src                  2 files, 9 functions
      can
        decode.c         4 functions
      door.c             5 functions

Folders that hold only one folder share its row: `src/can`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from tightrope.report.formats.html.function_view import ViewedFunction
from tightrope.report.model import Score


@dataclass(frozen=True, slots=True)
class TreeRow:
    depth: int
    name: str
    file: str  # '' for a folder
    anchor: str  # of its first function
    functions: int  # 0: the file does not compile
    scores: Mapping[str, Score]
    tests: int
    errors: int


def view_tree(functions: Sequence[ViewedFunction], criteria: Iterable[str]) -> tuple[TreeRow, ...]:
    """Rows in the order in which a tree is printed; none if there is only one file."""
    by_parts: dict[tuple[str, ...], list[ViewedFunction]] = {}
    for each in functions:
        by_parts.setdefault(PurePath(each.file).parts, []).append(each)
    return tuple(_rows(by_parts, (), 0, tuple(criteria))) if len(by_parts) > 1 else ()


def _rows(
    files: Mapping[tuple[str, ...], Sequence[ViewedFunction]],
    above: tuple[str, ...],
    depth: int,
    criteria: Sequence[str],
) -> Iterator[TreeRow]:
    """What lies in the folder `above`: folders first, then files, each by name."""
    size = len(above)
    inside = [parts for parts in files if parts[:size] == above]
    for name in sorted({parts[size] for parts in inside if len(parts) > size + 1}):
        folder = _only_folder(files, (*above, name))
        below = [each for parts, found in files.items() if parts[: len(folder)] == folder for each in found]
        yield _row(depth, str(PurePath(*folder[size:])), "", below, criteria)
        yield from _rows(files, folder, depth + 1, criteria)
    for parts in sorted(parts for parts in inside if len(parts) == size + 1):
        yield _row(depth, parts[-1], files[parts][0].file, files[parts], criteria)


def _only_folder(files: Iterable[tuple[str, ...]], folder: tuple[str, ...]) -> tuple[str, ...]:
    """The folder, or the one in it that holds everything."""
    while True:
        size = len(folder)
        below = {parts[size] for parts in files if parts[:size] == folder and len(parts) > size + 1}
        if len(below) != 1 or any(parts[:size] == folder and len(parts) == size + 1 for parts in files):
            return folder
        folder = (*folder, *below)


def _row(depth: int, name: str, file: str, found: Sequence[ViewedFunction], criteria: Sequence[str]) -> TreeRow:
    scores = {each: sum((one.scores.get(each, Score()) for one in found), Score()) for each in criteria}
    tests, errors = sum(len(one.unit.tests) for one in found), sum(len(one.unit.crashes) for one in found)
    functions = sum(bool(one.unit.function) for one in found)
    return TreeRow(depth, name, file, found[0].anchor, functions, scores, tests, errors)
