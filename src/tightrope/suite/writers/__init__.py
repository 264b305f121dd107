"""Formats in which a suite can be written. A writer is a function from a suite to files: name -> text.

To add one: a file here with such a function, and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tightrope.suite.case import Suite
from tightrope.suite.writers.as_json import write_json_suite
from tightrope.suite.writers.plain_c import write_plain_c


@dataclass(frozen=True, slots=True)
class Writer:
    help: str  # one sentence
    write: Callable[[Suite], dict[str, str]]


WRITERS: Mapping[str, Writer] = {
    "plain": Writer("C11 without any dependency, TAP on standard output", write_plain_c),
    "json": Writer("inputs and observed values by path, for other tools", write_json_suite),
}
