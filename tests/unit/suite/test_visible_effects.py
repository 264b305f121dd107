"""What a run did beside its outputs, and which of it a test can see."""

from __future__ import annotations

from tightrope.location import Location
from tightrope.program.declarations.c_types import CGlobal, CTypes
from tightrope.program.ir.model import Global
from tightrope.program.ir.types import IntType
from tightrope.running.notes import Note, NoteKind
from tightrope.suite.visible_effects import numbers_in, visible_effects

BYTE = IntType(8)
PLACE = Location("unit.c", 1, 1)
VARIABLES = (
    Global("@last", BYTE, False, True),
    Global("@f.kept", BYTE, False, True),
    Global("@tightrope_object_0", BYTE, False, True),
)
CTYPES = CTypes(
    {},
    {},
    {
        "@last": CGlobal("last", "@last", 0, PLACE, is_static=True),  # type: ignore[arg-type]
        "@f.kept": CGlobal("kept", "@f.kept", 0, PLACE, is_static=True, owner="f"),  # type: ignore[arg-type]
    },
)


def effects(*notes: Note):
    return visible_effects(notes, VARIABLES, CTYPES)


def memory(number: int, before: bytes, after: bytes) -> tuple[Note, ...]:
    """A variable, before the call and after it."""
    return (
        Note(NoteKind.MEMORY, 0, 0),
        Note(NoteKind.GLOBAL, number, 0x1000 + 16 * number, 0, len(before), before),
        Note(NoteKind.MEMORY, 1, 0),
        Note(NoteKind.GLOBAL, number, 0x1000 + 16 * number, 0, len(after), after),
    )


def test_calls_and_their_arguments_in_order() -> None:
    on, off = (
        (Note(NoteKind.CALL, 0, 0), Note(NoteKind.NUMBER, 0, 3)),
        (Note(NoteKind.CALL, 0, 0), Note(NoteKind.NUMBER, 0, 1)),
    )
    assert effects(*on, *off) != effects(*off, *on)
    assert effects(*on) == effects(*on)
    assert numbers_in(effects(*on, *off)) == {1, 3}


def test_what_is_not_known_does_not_count() -> None:
    one, other = (Note(NoteKind.NUMBER, 0, value, is_known=False) for value in (5, 6))
    assert effects(one) == effects(other)
    data = (Note(NoteKind.BYTES, 0, 0, 0, 2, bytes(pair), b"\0\xff") for pair in ((1, 2), (1, 3)))
    assert len({effects(each) for each in data}) == 1


def test_a_variable_counts_if_the_call_changes_it_and_c_can_name_it() -> None:
    assert effects(*memory(0, b"\1", b"\2")) != effects(*memory(0, b"\1", b"\3"))
    assert effects(*memory(0, b"\2", b"\2")) == effects(*memory(0, b"\3", b"\3")) == ()
    assert effects(*memory(1, b"\1", b"\2")) == ()  # a static local
    assert effects(*memory(2, b"\1", b"\2")) == ()  # an input: what it holds is an output


def test_a_pointer_counts_by_what_it_leads_to_if_c_cannot_name_that() -> None:
    def target(at: int, data: bytes) -> tuple[Note, ...]:
        return Note(NoteKind.TARGET, 0, at, 0, len(data), data), *memory(0, b"\1", b"\1")

    assert effects(*target(0x9000, b"on\0")) != effects(*target(0x9000, b"no\0"))
    assert effects(*target(0x9000, b"on\0\1")) == effects(*target(0x9000, b"on\0\2"))  # behind the end of the text
    assert effects(*target(0x1000, b"\1")) == effects(*target(0x1000, b"\2"))  # `last`
