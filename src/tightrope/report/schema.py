"""JSON schemas of what Tightrope writes, derived from the classes of the models. `make docs` writes them into files.

msgspec knows how the types look in JSON. A field's `Annotated` adds what it means (a text) and which words it may hold
(a tuple). No number of a report is negative, except values of inputs.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Container, Iterator, Mapping
from dataclasses import fields
from typing import Any, get_type_hints

import msgspec

from tightrope.report.difference_model import DifferenceReport
from tightrope.report.listing import Listing
from tightrope.report.model import Report

GROWS = "Fields that are required are stable within a schema number; the others may grow."
DOCUMENTS = {  # file in this folder -> class, title and description
    "schema.json": (Report, "Tightrope report, schema 1", GROWS),
    "difference_schema.json": (DifferenceReport, "What tightrope diff found, schema 1", GROWS),
    "listing_schema.json": (
        Listing,
        "What `tightrope objectives --json` writes, schema 1",
        "Fields keep their meaning within a schema number; others may be added.",
    ),
}
_NAMES = {"UnitReport": "unit", "FunctionDifference": "function"}  # of classes whose name says it otherwise
_BROKEN = 4  # levels of a schema that are written line by line: one field per line


def make_schema(file: str) -> dict[str, Any]:
    """The JSON schema that the file holds."""
    document, title, about = DOCUMENTS[file]
    _, found = msgspec.json.schema_components([document])
    rules = {each: _object_rule(each, found[each.__name__]["properties"]) for each in _classes(document, found)}
    head = rules.pop(document)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": about,
        **head,
        "required": list(head["properties"]),
        "$defs": {_name(each.__name__): rule for each, rule in rules.items()},
    }


def render_schema(schema: Mapping[str, Any]) -> str:
    """The text of a schema file: one line for each field."""
    return _layout(schema, "") + "\n"


def _layout(value: Any, indent: str) -> str:
    if not isinstance(value, Mapping) or len(indent) == _BROKEN:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + " "
    parts = (f"{inner}{json.dumps(key)}: {_layout(each, inner)}" for key, each in value.items())
    return "{\n" + ",\n".join(parts) + f"\n{indent}}}"


def _classes(document: type, names: Container[str]) -> Iterator[type]:
    """The classes that a document is made of, in the order in which the models define them."""
    for module in dict.fromkeys((document.__module__, Report.__module__)):
        for each in vars(sys.modules[module]).values():
            if isinstance(each, type) and each.__module__ == module and each.__name__ in names:
                yield each


def _name(of_class: str) -> str:
    """`old_test` of `ReportedOldTest`."""
    known = _NAMES.get(of_class, of_class.removeprefix("Reported").removeprefix("Listed"))
    return re.sub(r"\B(?=[A-Z])", "_", known).lower()


def _object_rule(described: Any, found: Mapping[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(described, include_extras=True)
    written = [each for each in fields(described) if each.metadata.get("is_written", True)]
    rules = {each.name: _field_rule(found[each.name], hints[each.name].__metadata__) for each in written}
    required = [each.name for each in written if not each.kw_only]
    return {"type": "object", "properties": rules, "required": required, "additionalProperties": False}


def _field_rule(found: Mapping[str, Any], said: tuple[Any, ...]) -> dict[str, Any]:
    *words, about = said
    return {**({"enum": list(words[0])} if words else _type_rule(found)), "description": about}


def _type_rule(found: Any) -> Any:
    """What msgspec says about a type, with our names and without defaults."""
    if not isinstance(found, Mapping):
        return found
    if "$ref" in found:
        return {"$ref": f"#/$defs/{_name(found['$ref'].rpartition('/')[2])}"}
    if "anyOf" in found and all(each.keys() == {"type"} for each in found["anyOf"]):
        kinds = [each["type"] for each in found["anyOf"]]
        return {"type": kinds, **({"minimum": 0} if kinds[0] == "integer" and "string" not in kinds else {})}
    if "anyOf" in found:
        return {"anyOf": [_type_rule(each) for each in found["anyOf"]]}
    least = {"minimum": 0} if found.get("type") in ("integer", "number") else {}
    rest = {key: each for key, each in found.items() if key not in ("default", "prefixItems")}
    if "prefixItems" in found:  # a pair: both have the same type
        rest["items"] = found["prefixItems"][0]
    below = {key: _type_rule(rest[key]) for key in ("items", "additionalProperties") if key in rest}
    return {**rest, **least, **below}
