"""What a written file says about its own tests, so that generating again can keep them: their inputs and what was
observed, one line of JSON for each test, in a comment at the end. And their text, cut out of the file as it is.

    /* What Tightrope knows of these tests, to keep them when it generates again:
    {"source": "9f86d081...", "crashes": []}
    {"name": "classify__a_lt_b_T", "inputs": {"a": 0, "b": 1}, "outcome": "returned", "observed": {"result": 2}}
    */

It stands in the file itself, because a file that is copied or committed alone then needs nothing beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BLOCK = "/* What Tightrope knows of these tests, to keep them when it generates again:\n"
_END = "*/\n"
Row = Mapping[str, Any]  # of one test, as in the JSON format


@dataclass(frozen=True, slots=True)
class KeptTests:
    """Tests of earlier files, which are written again as they were."""

    names: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)  # name of a file -> its text
    rows: Mapping[str, Row] = field(default_factory=dict)  # by test

    def cut(self, file: str, name: str, opening: str, closing: Sequence[str] = ()) -> str | None:
        """The test in its earlier file, with the comment above it; None if it is not there, or is written anew.
        `opening` is what stands before its body."""
        if name not in self.names or file not in self.texts:
            return None
        return cut_test(self.texts[file], name, opening, closing)

    def row(self, name: str) -> Row | None:
        return self.rows.get(name) if name in self.names else None

    def json_row(self, file: str, name: str) -> Row | None:
        """The test as it stands in a suite in JSON."""
        if name not in self.names or file not in self.texts:
            return None
        return next((row for row in rows_of_json(self.texts[file]) if row.get("name") == name), None)


NO_KEPT_TESTS = KeptTests()


def cut_test(text: str, name: str, opening: str, closing: Sequence[str] = ()) -> str | None:
    start = text.find(f"\n{opening}\n{{\n") + 1
    end = text.find("\n}\n", start)
    if not start or end < 0:
        return None
    last = end + len("\n}\n") + sum(len(line) + 1 for line in closing)
    if text[:start].endswith("*/\n"):
        start = text.rfind("/*", 0, start)
    own_process = text.find(f"\nstatic void body_of_{name}(void)\n") + 1
    return text[min(own_process or start, start) : last]


# -- the comment at the end


@dataclass(frozen=True, slots=True)
class AboutSuite:
    """What else a file says: the hash of the unit's source, and inputs with which the unit has run-time errors."""

    source: str = ""
    crashes: tuple[Mapping[str, Any], ...] = ()


def write_block(rows: Iterable[Row], about: AboutSuite) -> str:
    first = {"source": about.source, "crashes": about.crashes}
    return BLOCK + "".join(f"{_in_comment(row)}\n" for row in (first, *rows)) + _END


def _in_comment(row: Row) -> str:
    """On one line, without what begins or ends a comment in C."""
    text = json.dumps(row, allow_nan=False)
    return text.replace("*/", "\\u002a/").replace("/*", "/\\u002a")


def read_block(text: str) -> tuple[Row, ...]:
    """The rows of a written C file; none if there is no such comment."""
    return tuple(row for row in _lines(text) if "name" in row)


def read_about(text: str) -> AboutSuite:
    first = next(iter(_lines(text)), {})
    return AboutSuite(first.get("source", ""), tuple(first.get("crashes", ())))


def _lines(text: str) -> list[Row]:
    _, found, rest = text.rpartition(BLOCK)
    return [json.loads(line) for line in rest.partition(_END)[0].splitlines()] if found else []


def rows_of_json(text: str) -> tuple[Row, ...]:
    """The rows of a suite in JSON; none if it is something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return ()
    cases = found.get("cases") if isinstance(found, dict) else None
    return tuple(each for each in cases or () if isinstance(each, dict) and {"name", "inputs"} <= each.keys())
