"""What pointers lead to after a call."""

from __future__ import annotations

from tightrope.inputs.shape import PointsTo
from tightrope.program.declarations.c_types import CPointer, CScalar, CTypes
from tightrope.program.ir.model import Global
from tightrope.program.ir.types import POINTER
from tightrope.running.notes import Note, NoteKind
from tightrope.suite.observed_memory import FoundPointer, ObservedMemory

CHAR, TEXT = 1, 2
TYPES = CTypes({CHAR: CScalar("char", "char", 1), TEXT: CPointer(CHAR)}, {}, {})
NOTES = (Note(NoteKind.MEMORY, 1, 0), Note(NoteKind.GLOBAL, 0, 0x1000, size=4, data=b"abc\0"))


def memory(*objects: str) -> ObservedMemory:
    """Of a unit with one input, `name`, in a test that has these objects."""
    known = {name: PointsTo(name, TEXT, name, CHAR, 4, ()) for name in objects}
    variables = [Global("@tightrope_object_name", POINTER, False, True)]
    return ObservedMemory(TYPES, NOTES, variables, known, str)


def test_a_pointer_into_an_object_of_the_test_names_it() -> None:
    assert memory("name").behind("result", TEXT, 0x1002) == FoundPointer("result", "&name[2]")


def test_what_leads_into_an_object_that_the_test_leaves_out_is_there_by_chance() -> None:
    """Its name would be unknown, and what is there in this run is something else in the test."""
    assert memory().behind("result", TEXT, 0x1002) is None
    assert memory().find(0x1002) is None
