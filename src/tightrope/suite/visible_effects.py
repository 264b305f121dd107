"""What a run did beside its outputs, as far as a test can see it: two runs with the same outputs may differ there.

    led(on ? 3 : 1);          a call of a stub, with its arguments, and what a pointer among them leads to
    return names[state];      what a returned pointer leads to
    last_error = code;        a variable that is no input

Nothing here depends on inputs that a call only leaves as they are: of objects of the test, only which one and where a
pointer leads to counts, because what it holds is an output.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tightrope.program.declarations.c_types import CTypes
from tightrope.program.ir.model import Global
from tightrope.running.notes import Note, NoteKind

Effect = tuple[NoteKind, int, int, int, bytes]  # number, value or place, size, what is there

_OBJECT = "@tightrope_object_"
_POINTERS = (NoteKind.POINTER, NoteKind.TARGET)
_ARGUMENTS = (NoteKind.CALL, NoteKind.NUMBER, NoteKind.BYTES)


def visible_effects(notes: Sequence[Note], variables: Sequence[Global], ctypes: CTypes) -> tuple[Effect, ...]:
    """In an order that is the same for runs that do the same."""
    return tuple(_find(notes, variables, ctypes))


def numbers_in(effects: Collection[Effect]) -> frozenset[int]:
    """Arguments that are numbers, and bytes that pointers and structs hold."""
    numbers = {effect[2] for effect in effects if effect[0] is NoteKind.NUMBER}
    return frozenset(numbers.union(*(effect[4] for effect in effects)))


def _find(notes: Sequence[Note], variables: Sequence[Global], ctypes: CTypes) -> Iterator[Effect]:
    named = {at for at, variable in enumerate(variables) if _is_named(variable, ctypes)}
    known = [note for note in notes if note.kind is NoteKind.GLOBAL and note.number in named]
    places = tuple(dict.fromkeys(range(note.value, note.value + note.size) for note in known))
    before: dict[int, Note] = {}
    is_after = 0
    for note in notes:
        if note.kind is NoteKind.MEMORY:
            is_after = note.number
        elif note.kind in _POINTERS:
            yield _pointer(note, places)
        elif note.kind in _ARGUMENTS:
            yield note.kind, note.number, note.value if note.is_known else 0, note.size, _known(note)
        elif note.kind is NoteKind.GLOBAL and not is_after:
            before[note.number] = note
        elif note.kind is NoteKind.GLOBAL and note.number in before and note.number in named:
            yield from _change(before[note.number], note, variables[note.number])


def _is_named(variable: Global, ctypes: CTypes) -> bool:
    """Whether a test can look at it by name. What a static local holds is seen only through pointers to it."""
    known = ctypes.globals.get(variable.name)
    is_variable = known is not None and not known.owner and not variable.is_constant
    return is_variable or variable.name.startswith(_OBJECT)


def _pointer(note: Note, places: Sequence[range]) -> Effect:
    at = next((number for number, place in enumerate(places) if note.value in place), None)
    if at is None:
        return note.kind, note.number, note.offset, note.size, _text(_known(note))
    return note.kind, note.number, note.offset + (at + 1 << 32), note.size, b""


def _text(data: bytes) -> bytes:
    """Up to the end, if it looks like a text: what is behind it is not looked at."""
    text = data.partition(b"\0")[0]
    return text if len(text) > 1 and text.isascii() and text.decode().isprintable() else data


def _change(before: Note, after: Note, variable: Global) -> Iterator[Effect]:
    """What the call has changed in a variable."""
    if before.data != after.data and not variable.name.startswith(_OBJECT):
        pairs = zip(_known(before), _known(after), strict=False)
        data = bytes(new if old != new else 0 for old, new in pairs)
        yield after.kind, after.number, 0, after.size, data


def _known(note: Note) -> bytes:
    """The bytes that something has written, with zeros for the others."""
    if not note.unknown:
        return note.data
    return bytes(0 if unknown else byte for byte, unknown in zip(note.data, note.unknown, strict=False))
