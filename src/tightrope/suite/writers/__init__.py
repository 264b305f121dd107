"""Formats in which a suite can be written. A writer is a function from a suite to files: name -> text.

To add one: a file here with such a function, and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tightrope.suite.case import Suite
from tightrope.suite.folder import check_file
from tightrope.suite.writers.as_json import write_json_suite
from tightrope.suite.writers.plain_c import write_plain_c
from tightrope.suite.writers.testcomp import FOLDER_ENDING, METADATA, write_testcomp


@dataclass(frozen=True, slots=True)
class Writer:
    help: str  # one sentence
    ending: str  # of the name of the file that it writes
    write: Callable[[Suite], dict[str, str]]


WRITERS: Mapping[str, Writer] = {
    "plain": Writer("C11 without any dependency, TAP on standard output", ".c", write_plain_c),
    "json": Writer("inputs and observed values by path, for other tools", ".json", write_json_suite),
    "testcomp": Writer("a folder in the exchange format of Test-Comp", f"{FOLDER_ENDING}/{METADATA}", write_testcomp),
}


def check_files(folder: Path, stem: str, formats: Iterable[str]) -> None:
    """Notice a user's file that is in the way before the work begins."""
    for each in formats:
        check_file(folder / f"{stem}{WRITERS[each].ending}")
