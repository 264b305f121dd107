"""The numbered metadata of a module's text, and the places in C that it names.

    !75 = !DILocation(line: 11, column: 38, scope: !64)       a place
    !64 = distinct !DISubprogram(name: "f", file: !2, ...)    its scope, which names the file
    !2 = !DIFile(filename: "t1.c", directory: "/home/me")

Nodes are kept as text and read when asked for: most are never needed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tightrope.location import Location
from tightrope.program.ir.lexer import debug_number, split_commas, unescape

_NODE = re.compile(r"^!(\d+) = (?:distinct )?(.*)$", re.MULTILINE)
_PLACE = re.compile(r"!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)")
_FILE = re.compile(r"\bfile: !(\d+)")
_SCOPE = re.compile(r"\bscope: !(\d+)")
_LINE = re.compile(r"\bline: (\d+)")
_REFERENCE = re.compile(r'"[^"]*"|!(\d+)')
_WINDOWS_DRIVE = re.compile(r"[A-Za-z]:[\\/]")

_DEEPEST = 8  # how far a metadata operand of a call is written out


@dataclass(frozen=True)
class MetadataNode:
    """`!DIBasicType(name: "int", size: 32)`: its kind and fields; a list `!{...}` has the kind ''."""

    text: str

    @cached_property
    def kind(self) -> str:
        return "" if self.text.startswith("!{") else self.text[1:].partition("(")[0]

    @cached_property
    def fields(self) -> Mapping[str, str]:
        inner = self.text.partition("(")[2][:-1]
        named = (part.partition(": ") for part in split_commas(inner))
        return {name: value for name, _, value in named}

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The elements of a list."""
        inner = self.text[2:-1]
        return tuple(split_commas(inner)) if inner else ()

    def string(self, name: str) -> str:
        """A field that is a string; '' when absent."""
        return unescape(self.fields.get(name, '""').strip('"'))

    def number(self, name: str, otherwise: int = 0) -> int:
        text = self.fields.get(name, "")
        return int(text) if text.lstrip("-").isdigit() else otherwise

    def reference(self, name: str) -> int | None:
        """The 12 of `type: !12`; None when absent or null."""
        return as_reference(self.fields.get(name, ""))


def as_reference(text: str) -> int | None:
    return int(text[1:]) if text.startswith("!") and text[1:].isdigit() else None


@dataclass(frozen=True)
class Metadata:
    """All numbered nodes of one module's text."""

    texts: Mapping[int, str]
    _places: dict[str, Location | None] = field(default_factory=dict, repr=False, compare=False)
    _files: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    _nodes: dict[int, MetadataNode] = field(default_factory=dict, repr=False, compare=False)

    def node(self, number: int) -> MetadataNode:
        known = self._nodes.get(number)
        if known is None:
            known = self._nodes[number] = MetadataNode(self.texts[number])
        return known

    def attached_place(self, attachments: str) -> Location | None:
        """The place that the `!dbg` among an instruction's attachments names."""
        known = self._places.get(attachments)
        if known is None:
            known = self._places[attachments] = self.place(debug_number(attachments))
        return known

    def place(self, number: int | None) -> Location | None:
        """The place that a DILocation names. Line 0: the compiler made this code up."""
        found = _PLACE.match(self.texts.get(number, "")) if number is not None else None
        if not found:
            return None
        line, column, scope = found.groups("0")
        return Location(self._file_of_scope(int(scope)), int(line), int(column))

    def definition(self, number: int | None) -> Location | None:
        """Where the function or variable of this node is defined; the compiler gives no column."""
        text = self.texts.get(number, "") if number is not None else ""
        line = _LINE.search(text)
        return Location(self._file_of_scope(number or 0), int(line.group(1))) if line else None

    def write_out(self, text: str, depth: int = 0) -> str:
        """The text with references to nodes replaced by the nodes themselves."""
        if depth > _DEEPEST:
            return text

        def replace(found: re.Match[str]) -> str:
            number = found.group(1)
            return self.write_out(self.texts[int(number)], depth + 1) if number else found.group()

        return _REFERENCE.sub(replace, text)

    def _file_of_scope(self, scope: int) -> str:
        known = self._files.get(scope)
        if known is None:
            known = self._files[scope] = self._find_file(scope)
        return known

    def _find_file(self, scope: int) -> str:
        text = self.texts.get(scope, "")
        if text.startswith("!DIFile("):
            return self._path(scope)
        file = _FILE.search(text)
        if file:
            return self._path(int(file.group(1)))
        outer = _SCOPE.search(text)
        return self._file_of_scope(int(outer.group(1))) if outer else ""

    def _path(self, number: int) -> str:
        """A file's absolute path: clang names it relative to the folder in which it was started."""
        node = self.node(number)
        name, folder = node.string("filename"), node.string("directory")
        if name.startswith("<") or _WINDOWS_DRIVE.match(name):
            return name
        return posixpath.normpath(posixpath.join(folder, name))


def read_metadata(text: str) -> Metadata:
    """The numbered nodes of a module's text."""
    return Metadata({int(number): node for number, node in _NODE.findall(text)})
