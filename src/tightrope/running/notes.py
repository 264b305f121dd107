"""Notes of one run for written tests (runtime/notes.c): calls of stubs with their arguments, and memory before the unit
is called and after it has returned.

What nobody has written is not known: the input is run twice, and the second time unwritten memory holds other values.
Bytes that differ are *unknown*, and no test may rest on them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

_HEAD = struct.Struct("<IIQQQQ")


class NoteKind(IntEnum):
    CALL = 1  # of a stub, by number; the arguments follow
    NUMBER = 2  # an argument, by position: its value; a float as the bits of a double
    POINTER = 3  # an argument, with what it leads to
    BYTES = 4  # an argument that is a struct
    GLOBAL = 5  # a variable, by its number in the woven program
    BLOCK = 6  # of the heap
    TARGET = 7  # what an output that is a pointer leads to, by number of the output
    MEMORY = 8  # the variables and blocks follow; 0: before the call, 1: after it


@dataclass(frozen=True, slots=True)
class Note:
    kind: NoteKind
    number: int
    value: int  # of an argument; otherwise the address
    offset: int = 0  # of the address in its object
    size: int = 0  # of the object; 0: the pointer leads to none
    data: bytes = b""  # from the address on
    unknown: bytes = b""  # as long as `data`: the bits whose content nobody has written; b"": all are known
    is_known: bool = True  # the value itself is

    @property
    def leads_to_object(self) -> bool:
        """Of a pointer: not past the end of one, nor to nowhere."""
        return self.offset < self.size

    def known_bits(self, start: int, size: int, bit: int = 0, bits: int | None = None) -> int | None:
        """A number of some bits, from `bit` on, of these bytes; None if one is not there, or unknown."""
        if start < 0 or start + size > len(self.data):
            return None
        mask = (1 << (8 * size if bits is None else bits)) - 1
        if int.from_bytes(self.unknown[start : start + size], "little") >> bit & mask:
            return None
        return int.from_bytes(self.data[start : start + size], "little") >> bit & mask


def read_notes(content: bytes) -> tuple[Note, ...]:
    return tuple(_read(content))


def _read(content: bytes) -> Iterator[Note]:
    at = 0
    while at < len(content):
        kind, number, value, offset, size, count = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        yield Note(NoteKind(kind), number, value, offset, size, content[at : at + count])
        at += (count + 7) & ~7


def forget_build(notes: tuple[Note, ...], folder: bytes) -> tuple[Note, ...]:
    """The notes without texts that are different in another build: __FILE__ (in or below the folder), __DATE__ and
    __TIME__."""
    text = re.compile(rb"[^\0]*" + re.escape(folder) + rb"[^\0]*|" + _WHEN_COMPILED)
    return tuple(_without(note, text) for note in notes)


_WHEN_COMPILED = rb"[A-Z][a-z]{2} [ \d]\d \d{4}(?=\0)|\d\d:\d\d:\d\d(?=\0)"


def _without(note: Note, text: re.Pattern[bytes]) -> Note:
    spans = [found.span() for found in text.finditer(note.data)]
    if not spans:
        return note
    unknown = bytearray(note.unknown or bytes(len(note.data)))
    for start, end in spans:
        unknown[start:end] = b"\xff" * (end - start)
    return replace(note, unknown=bytes(unknown))


def merge_notes(clean: tuple[Note, ...], soiled: tuple[Note, ...]) -> tuple[Note, ...] | None:
    """The notes of a run, with what another run with different unwritten memory shows to be unknown. None if the
    behaviour itself depends on it."""
    if len(clean) != len(soiled):
        return None
    merged = []
    for one, other in zip(clean, soiled, strict=True):
        if (one.kind, one.number, len(one.data)) != (other.kind, other.number, len(other.data)):
            return None
        unknown = bytes(a ^ b for a, b in zip(one.data, other.data, strict=True)) if one.data != other.data else b""
        merged.append(replace(one, unknown=unknown, is_known=one.value == other.value))
    return tuple(merged)
