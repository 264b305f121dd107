"""What `tightrope inputs` shows: the inputs of functions as small trees, and lines for tightrope.toml that change them.

Lines for the file are commented out: what a user asks for is an assumption, so nothing is asked for until the user
removes the `#`.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from rich.text import Text

from tightrope.report.as_json import write_json
from tightrope.report.as_text import join_alike
from tightrope.report.console import join_blocks, place_of, print_lines
from tightrope.report.model import Tool

WIDTH = 118
NARROWEST = 38  # of the last column
MOST_PATH, MOST_TYPE = 42, 32  # widths of columns; a wider text only shifts its own line
LEGEND = {
    "pointer": "null|not-null|nullable, one|array N|string N|bytes N|into PATH|same-as PATH, "
    "terminated, length PATH, depth N",
    "function": "null|not-null|nullable, functions NAME NAME, stub",
    "enum": "members|any",
    "union": "member NAME",
}


@dataclass(frozen=True, slots=True)
class ShownInput:
    depth: int  # in the tree
    path: str
    type: str
    what: str
    wish: str = ""


@dataclass(frozen=True, slots=True)
class ShownFunction:
    """`refusal` is why there is nothing to show."""

    function: str
    file: str
    line: int
    slots: int = 0
    inputs: tuple[ShownInput, ...] = ()
    assumptions: tuple[str, ...] = ()
    settings: Mapping[str, int | str] = field(default_factory=dict)  # key of a spec file -> value now
    refusal: str = ""
    may_grow: str = ""  # how far sizes may grow, in words
    unwritten: tuple[str, ...] = ()  # arguments through which a stub might write and does not: `receive:1`


def print_inputs(functions: Sequence[ShownFunction], to: IO[str] | None = None) -> None:
    print_lines(report_lines(functions), to)


def report_lines(functions: Sequence[ShownFunction]) -> Iterator[Text]:
    yield from join_blocks(map(function_lines, functions))
    legend = list(legend_lines([row.wish for one in functions for row in one.inputs]))
    yield from [Text()] if legend and len(functions) > 1 else []
    yield from (Text(line, "dim") for line in legend)


def write_inputs(functions: Sequence[ShownFunction], tool: Tool, to: str) -> None:
    """As JSON, to a file, or to standard output for `-`."""
    write_json({"tool": tool, "functions": functions}, to)


def function_lines(one: ShownFunction) -> Iterator[Text]:
    """Everything about one function."""
    place = place_of(one.file, one.line)
    if one.refusal:
        yield Text.assemble((one.function, "bold"), f"{'  ' * bool(one.function)}{place}")
        yield from (Text(line, "yellow") for line in _wrapped(one.refusal, "  ", "    "))
        return
    slots = f"{one.slots} slot{'' if one.slots == 1 else 's'}"
    yield Text.assemble((one.function, "bold"), f"  {place}   {slots if one.inputs else 'no inputs'}")
    yield from tree_lines(one.inputs)
    for assumption in join_alike(one.assumptions):
        yield from (Text(line) for line in _wrapped(f"assuming {assumption}", "  ", "    "))
    if one.may_grow:
        yield from (Text(line) for line in _wrapped(f"larger if runs need it: {one.may_grow}", "  ", "    "))
    lines = list(toml_lines(one))
    yield from (Text(line, "dim") for line in ["", *lines] if lines)


def tree_lines(inputs: Sequence[ShownInput]) -> Iterator[Text]:
    """Paths, types and words in columns."""
    paths = _column([len(row.path) + 2 * row.depth for row in inputs], MOST_PATH)
    types = _column([len(row.type) for row in inputs], MOST_TYPE)
    for row in inputs:
        path = f"{'  ' * row.depth}{row.path}"
        before = f"  {path:<{paths}}  {row.type:<{types}}  "
        first, *rest = textwrap.wrap(row.what, max(WIDTH - len(before), NARROWEST)) or [""]
        yield Text.assemble(f"  {path:<{paths}}  ", (f"{row.type:<{types}}", "cyan"), f"  {first}".rstrip())
        yield from (Text(" " * min(len(before), WIDTH - NARROWEST) + line) for line in rest)


def _column(widths: Sequence[int], most: int) -> int:
    return max((width for width in widths if width <= most), default=0)


def toml_lines(one: ShownFunction) -> Iterator[str]:
    """Lines for tightrope.toml, commented out; none if there is no choice."""
    rows = {row.path: row.wish for row in one.inputs if row.wish}
    if not rows:
        return
    yield "# To change this, copy lines into tightrope.toml and remove the # before them:"
    if one.settings:
        yield f"[function.{one.function}]"
        yield from (f"# {key} = {_toml(value)}" for key, value in one.settings.items())
    yield f"[function.{one.function}.input]"
    yield from (f"# {_toml_key(path)} = {_toml(wish)}" for path, wish in rows.items())


def legend_lines(wishes: Sequence[str]) -> Iterator[str]:
    """The words that could replace these."""
    sorts = {_sort(wish) for wish in wishes if wish}
    yield from (f"# {word}: {words}" for word, words in LEGEND.items() if word in sorts)


def _sort(wish: str) -> str:
    """The words that could replace the wish."""
    if wish in ("members", "any"):
        return "enum"
    if wish.startswith("member "):
        return "union"
    return "function" if re.search(r"\b(?:functions|stub)\b", wish) else "pointer"


def _toml(value: int | str) -> str:
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)


def _toml_key(path: str) -> str:
    return path if re.fullmatch(r"[A-Za-z0-9_-]+", path) else json.dumps(path, ensure_ascii=False)


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False)
