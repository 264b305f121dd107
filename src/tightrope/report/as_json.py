"""Writes reports as JSON and reads them back. The dataclasses define the documents: msgspec converts them to JSON
values and back. The schemas are derived from the same classes (schema.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tightrope.report.model import SCHEMA, Report
from tightrope.suite.folder import write_pieces

if TYPE_CHECKING:  # few commands have one
    from tightrope.report.difference_model import DifferenceReport
    from tightrope.report.listing import Listing

Document: TypeAlias = "Report | DifferenceReport | Listing | Mapping[str, object]"
_HEAD = ("schema", "tool")  # are on the first line, which says that Tightrope wrote the file


def to_values(document: Document) -> dict[str, Any]:
    """A document as JSON values, fields in the order of its class."""
    return {key: _value(part) for key, part in _parts(document)}


def report_from_json(values: Any) -> Report:
    """The inverse of `to_values`. A ValueError says what is wrong, and where in the JSON."""
    written = values.get("schema") if isinstance(values, Mapping) else None
    if isinstance(written, int) and written != SCHEMA:
        raise ValueError(f"it has schema {written}, and this version of Tightrope reads schema {SCHEMA}")
    try:
        return msgspec.convert(values, Report)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None


def render_json(document: Document) -> str:
    return "".join(json_pieces(document))


def json_pieces(document: Document) -> Iterator[str]:
    """The text, in pieces of one element of a list: the values of thousands of functions at once would take ten times
    as much memory as their text."""
    parts = dict(_parts(document))
    head = json.dumps({key: _value(parts.pop(key)) for key in _HEAD if key in parts})
    yield head[:-1]
    for key, part in parts.items():
        yield f",\n {json.dumps(key)}: "
        if part and isinstance(part, tuple | list):
            for at, each in enumerate(part):
                yield f"{',' if at else '['}\n  {_indented(each, '  ')}"
            yield "\n ]"
        else:
            yield _indented(part, " ")
    yield "\n}\n"


def write_json(document: Document, to: str) -> None:
    """Write a document to a file, or to standard output for `-`."""
    write_pieces(to, json_pieces(document))


def _parts(document: Document) -> Iterator[tuple[str, Any]]:
    """Its keys with what they stand for, in the order of the class."""
    if isinstance(document, Mapping):
        yield from document.items()
        return
    for each in fields(document):
        if each.metadata.get("is_written", True):
            yield each.name, getattr(document, each.name)


def _value(part: Any) -> Any:
    return _plain(msgspec.to_builtins(part))


def _indented(part: Any, margin: str) -> str:
    text = msgspec.json.format(msgspec.json.encode(_value(part)), indent=1).decode()
    return text.replace("\n", f"\n{margin}")  # between values: those in a string are escaped


def _plain(value: Any) -> Any:
    """Lists for tuples; a float that JSON has no number for becomes a string."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value
