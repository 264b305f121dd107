"""Writes reports as JSON and reads them back. The dataclasses define the documents: msgspec converts them to JSON
values and back. The schemas are derived from the same classes (schema.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tightrope.report.model import SCHEMA, Report
from tightrope.suite.folder import write_output

if TYPE_CHECKING:  # few commands have one
    from tightrope.report.difference_model import DifferenceReport
    from tightrope.report.listing import Listing

Document: TypeAlias = "Report | DifferenceReport | Listing | Mapping[str, object]"
_HEAD = ("schema", "tool")  # are on the first line, which says that Tightrope wrote the file


def to_values(document: Document) -> dict[str, Any]:
    """A document as JSON values, fields in the order of its class."""
    values: dict[str, Any] = _plain(msgspec.to_builtins(document))
    if is_dataclass(document):
        for each in fields(document):
            if not each.metadata.get("is_written", True):
                del values[each.name]
    return values


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
    values = to_values(document)
    head = json.dumps({key: values.pop(key) for key in _HEAD if key in values})
    body = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)
    return f"{head[:-1]},\n{body[2:]}\n"


def write_json(document: Document, to: str) -> None:
    """Write a document to a file, or to standard output for `-`."""
    write_output(to, render_json(document))


def _plain(value: Any) -> Any:
    """Lists for tuples; a float that JSON has no number for becomes a string."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value
