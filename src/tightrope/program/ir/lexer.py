"""Cutting IR text into pieces: brackets, strings, commas, metadata.

LLVM prints every character that could confuse a reader as a hexadecimal escape, so three laws hold for
the text of a module: a string is `"[^"]*"`, an instruction ends with its line (only `switch`,
`callbr`, `invoke` and `landingpad` go on), and brackets outside strings are balanced.
"""

from __future__ import annotations

import re

_NESTED = re.compile(r'[(\[{<"]')
_TOKEN = re.compile(r'"[^"]*"|[()\[\]{}<>,]')
_BRACKET = re.compile(r'"[^"]*"|[()\[\]{}<>]')
_ATTACHMENTS = re.compile(r"(?:, ![-\w$.\\]+ !\d+)+$")
_HEADER_ATTACHMENTS = re.compile(r"(?: ![-\w$.\\]+ !\d+)+(?= \{$)")
_DECLARE_ATTACHMENTS = re.compile(r"^declare(?: ![-\w$.\\]+ !\d+)+")
_DEBUG = re.compile(r"!dbg !(\d+)")
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|\\)")

NAME = r'(?:"[^"]*"|[-\w$.]+)'  # after the sigil


def split_commas(text: str) -> list[str]:
    """The parts between the commas that stand outside brackets and strings."""
    if not _NESTED.search(text):
        return text.split(", ")
    parts, depth, start = [], 0, 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "([{<":
            depth += 1
        elif mark in ")]}>":
            depth -= 1
        elif mark == "," and not depth:
            parts.append(text[start : token.start()].strip())
            start = token.end()
    parts.append(text[start:].strip())
    return parts


def find_close(text: str, opening: int) -> int:
    """Where the bracket closes that opens at `opening`."""
    depth = 0
    for token in _BRACKET.finditer(text, opening):
        mark = token.group()
        if mark in "([{<":
            depth += 1
        elif mark in ")]}>":
            depth -= 1
            if not depth:
                return token.start()
    raise ValueError(f"a bracket is never closed in: {text[opening:]}")


def cut_attachments(line: str) -> tuple[str, str]:
    """An instruction or global, without and with only its metadata: `, !dbg !7, !srcloc !8`."""
    at = line.find(", !")
    if at < 0:
        return line, ""
    if '"' in line:
        found = _ATTACHMENTS.search(line)
        at = found.start() if found else len(line)
    return line[:at], line[at:]


def debug_number(attachments: str) -> int | None:
    """The 12 of `!dbg !12`."""
    found = _DEBUG.search(attachments)
    return int(found.group(1)) if found else None


def cut_header_attachments(line: str) -> tuple[str, str]:
    """A `define` or `declare` line, without and with only its metadata."""
    pattern, instead = (_DECLARE_ATTACHMENTS, "declare") if line.startswith("declare") else (_HEADER_ATTACHMENTS, "")
    found = pattern.search(line)
    return (pattern.sub(instead, line), found.group()) if found else (line, "")


def unescape(text: str) -> str:
    """The characters that a string of the IR (its quotes removed) stands for."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda found: "\\" if found.group(1) == "\\" else chr(int(found.group(1), 16)), text)
    return plain.encode("latin-1", "replace").decode("utf-8", "replace")
