"""A hash in the head of a written file, by which Tightrope knows whether the file is still as it wrote it.

    /* Written by Tightrope: tests of `classify` in triangle.c. Generating again keeps these tests.
       sha256:3f0c9a5d12e8b746: a file that was edited is never overwritten.

The hash is that of the text with zeros in its place. Line endings do not count: version control may change them.
"""

from __future__ import annotations

import hashlib
import re
from enum import Enum
from pathlib import Path

DIGITS = 16
UNSEALED = f"sha256:{'0' * DIGITS}"  # what writers put into the head of a file
MOST_LINES = 4  # of a head
ABOUT_SEAL = f"{UNSEALED}: a file that was edited is never overwritten."

_SEAL = re.compile(rf"sha256:([0-9a-f]{{{DIGITS}}})\b")


class SealState(Enum):
    """What the hash says about a file."""

    NONE = "it has no hash"
    INTACT = "it is as it was written"
    BROKEN = "it was edited"


def seal(text: str) -> str:
    """The text with its hash, if its head has a place for it."""
    found = _find(text)
    return _with(text, found, _digest(text, found)) if found else text


def has_place_for_seal(text: str) -> bool:
    return _find(text) is not None


def seal_state(text: str) -> SealState:
    found = _find(text)
    if found is None:
        return SealState.NONE
    return SealState.INTACT if found[1] == _digest(text, found) else SealState.BROKEN


def seal_state_of(file: Path) -> SealState:
    """Of a file that can be read."""
    return seal_state(file.read_text(encoding="utf-8", errors="replace"))


def _find(text: str) -> re.Match[str] | None:
    end = -1
    for _ in range(MOST_LINES):
        end = text.find("\n", end + 1)
        if end < 0:
            end = len(text)
            break
    return _SEAL.search(text, 0, end)


def _with(text: str, found: re.Match[str], digest: str) -> str:
    return text[: found.start(1)] + digest + text[found.end(1) :]


def _digest(text: str, found: re.Match[str]) -> str:
    plain = _with(text, found, "0" * DIGITS).replace("\r\n", "\n")
    return hashlib.sha256(plain.encode("utf-8", errors="surrogateescape")).hexdigest()[:DIGITS]
