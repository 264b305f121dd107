"""Each message has a slug, and each slug an entry that says cause and cure."""

from __future__ import annotations

import ast
import re

from imports import PACKAGE, ROOT

from tightrope import errors

PAGE = ROOT / "docs" / "reference" / "messages.md"
_SHAPE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def _slugs_in_source() -> dict[str, str]:
    """slug -> a file that uses it: `slug="..."` and `usual_slug = "..."` anywhere in the package."""
    found: dict[str, str] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.keyword) and node.arg == "slug" else None
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("slug", "usual_slug"):
                value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                found.setdefault(value.value, str(file.relative_to(ROOT)))
    return found


def _documented() -> list[str]:
    return re.findall(r"^### `([^`]+)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_slug_is_documented():
    missing = {slug: file for slug, file in _slugs_in_source().items() if slug not in _documented()}
    assert not missing, f"give each an entry in {PAGE.relative_to(ROOT)}"


def test_every_entry_is_used_somewhere():
    """A slug may also be passed on as a plain string, so the whole text is searched."""
    text = "".join(file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py")))
    assert not [slug for slug in _documented() if f'"{slug}"' not in text]


def test_entries_are_sorted_and_well_formed():
    entries = _documented()
    assert entries == sorted(set(entries))
    assert all(_SHAPE.fullmatch(slug) for slug in entries)


def test_exit_codes_are_those_of_the_page():
    page = PAGE.read_text(encoding="utf-8")
    for kind in (errors.UsageError, errors.InternalError, errors.CompileError, errors.NothingMatchedError):
        assert re.search(rf"^\| {kind.exit_code} \|", page, re.MULTILINE), kind
