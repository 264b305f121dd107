"""A validator for report.json, without a dependency."""

from __future__ import annotations

from typing import Any

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}


def check(value: Any, rule: dict[str, Any], root: dict[str, Any] | None = None) -> None:
    """A validator for the part of JSON Schema that our schemas use; it refuses words that it does not know."""
    root = root or rule
    known = "$schema $defs $ref title description type enum anyOf items properties required additionalProperties"
    assert rule.keys() <= {*known.split(), "minimum", "minItems", "maxItems"}, rule.keys()
    if "$ref" in rule:
        return check(value, root["$defs"][rule["$ref"].rpartition("/")[2]], root)
    if "anyOf" in rule:
        return check(value, rule["anyOf"][value is None], root)
    assert value in rule.get("enum", [value])
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    assert not kinds or any(value is None if kind == "null" else isinstance(value, TYPES[kind]) for kind in kinds)
    assert "minimum" not in rule or value is None or value >= rule["minimum"]
    if isinstance(value, list):
        assert rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value))
        for each in value:
            check(each, rule["items"], root)
    if isinstance(value, dict):
        assert not set(rule.get("required", ())) - value.keys(), set(rule["required"]) - value.keys()
        for key, each in value.items():
            below = rule.get("properties", {}).get(key, rule["additionalProperties"])
            assert below is not False, key
            check(each, below, root)
