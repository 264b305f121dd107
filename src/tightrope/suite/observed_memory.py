"""What a call left in memory that is neither its result nor one of its inputs: what a pointer leads to (a string, a
block that the unit allocated, an element of a table), and variables that are no inputs.

    result       ->  "idle"                                      a string
    result       ->  {.value = 3, .next = &head}                 a block of the heap, member by member
    result       ==  &table[2], {.id = 7}                        an element of a constant table: which, and its content

Never told: bytes that nobody has written, padding, and addresses as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import BYTE, PointsTo
from tightrope.inputs.sizes import is_character
from tightrope.program.declarations.c_types import CArray, CRecord, CTypes, TypeId
from tightrope.program.declarations.declare import size_of
from tightrope.program.ir.model import Global
from tightrope.running.notes import Note, NoteKind
from tightrope.suite.typed_bytes import Part, parts_of, place_inside, target_type, terminated_text

MOST_ELEMENTS = 32  # shown of a block
MOST_DEPTH = 3  # pointers followed
LONGEST_TEXT = 200
MOST_CHANGED = 1024  # parts of one object that are looked at
_OBJECT = "@tightrope_object_"
_STACK = range(0x7FF0_0000_0000, 0x8000_0000_0000)


@dataclass(frozen=True, slots=True)
class FoundNumber:
    place: str
    type: TypeId
    scalar: Scalar
    raw: int


@dataclass(frozen=True, slots=True)
class FoundText:
    place: str
    text: bytes


@dataclass(frozen=True, slots=True)
class FoundPointer:
    """A pointer to an object that C can name, or NULL; '': nothing but that it is not NULL. `inside`: what is there."""

    place: str
    target: str
    inside: tuple[Found, ...] = ()


Found = FoundNumber | FoundText | FoundPointer


@dataclass(frozen=True, slots=True)
class NamedObject:
    """An object that a test can name in C: `count` elements of one type. `count` 0: a variable, not an array."""

    name: str
    type: TypeId
    count: int = 0
    is_constant: bool = False

    def element(self, index: int) -> str:
        return f"{self.name}[{index}]" if self.count else self.name

    def element_size(self, ctypes: CTypes) -> int:
        return 1 if self.type == BYTE else size_of(ctypes, self.type)


@dataclass(frozen=True, slots=True)
class ObservedMemory:
    """`objects`: those that the test declares, by name; `hidden`: C names that mean something else in the test."""

    ctypes: CTypes
    notes: tuple[Note, ...]
    variables: Sequence[Global]  # of the woven program, by number
    objects: Mapping[str, PointsTo]
    name_object: Callable[[str], str]
    hidden: Collection[str] = ()
    before: Mapping[int, Note] = field(init=False)
    after: Mapping[int, Note] = field(init=False)
    blocks: tuple[Note, ...] = field(init=False)

    def __post_init__(self) -> None:
        variables: tuple[dict[int, Note], dict[int, Note]] = ({}, {})
        blocks: tuple[dict[int, Note], dict[int, Note]] = ({}, {})
        when = 0
        for note in self.notes:
            if note.kind is NoteKind.MEMORY:
                when = note.number
            elif note.kind is NoteKind.GLOBAL:
                variables[when][note.number] = note
            elif note.kind is NoteKind.BLOCK:
                blocks[when][note.number] = note
        object.__setattr__(self, "before", variables[0])
        object.__setattr__(self, "after", variables[1])
        object.__setattr__(self, "blocks", tuple(blocks[1].values()))

    # -- objects

    def find(self, address: int) -> tuple[Note, int] | None:
        """The object at this address after the call, and the offset in it; not one that the test leaves out: what leads
        there does so by chance."""
        note = self._holder(address)
        return None if note is None or self._is_left_out(note) else (note, address - note.value)

    def _holder(self, address: int) -> Note | None:
        known = chain(self.after.values(), self.blocks)
        return next((note for note in known if note.value <= address < note.value + note.size), None)

    def _is_left_out(self, note: Note) -> bool:
        name = self.variables[note.number].name if note.kind is NoteKind.GLOBAL and self._is_variable(note) else ""
        return name.startswith(_OBJECT) and name.removeprefix(_OBJECT) not in self.objects

    def _is_variable(self, note: Note) -> bool:
        return note.number < len(self.variables)

    def named(self, note: Note) -> NamedObject | None:
        if note.kind is not NoteKind.GLOBAL or not self._is_variable(note):
            return None
        variable = self.variables[note.number]
        if variable.name.startswith(_OBJECT):
            node = self.objects.get(variable.name.removeprefix(_OBJECT))
            if node is None:
                return None
            return NamedObject(self.name_object(node.object), node.target, node.count if node.count > 1 else 0)
        known = self.ctypes.globals.get(variable.name)
        if known is None or known.owner or known.name in self.hidden or known.name.startswith("tightrope_"):
            return None
        return NamedObject(known.name, known.type, 0, variable.is_constant)

    def address_of(self, address: int, wanted: TypeId | None) -> str:
        """The address as a C expression; '' if C has no name for that place."""
        found = self.find(address)
        named = self.named(found[0]) if found else None
        if found is None or named is None:
            return ""
        size = named.element_size(self.ctypes)
        index, offset = divmod(found[1], size) if size else (0, found[1])
        if named.type == BYTE:
            return f"&{named.element(found[1])}"
        place = (
            place_inside(self.ctypes, named.type, named.element(index), offset, wanted) if wanted is not None else ""
        )
        return f"&{place}" if place else f"(char *)&{named.name} + {found[1]}"

    # -- what pointers lead to

    def behind(self, place: str, number: TypeId, address: int) -> FoundPointer | FoundText | None:
        """What the pointer leads to; None if nothing but that it is not NULL can be told."""
        return self._pointer(place, number, address, MOST_DEPTH, ())

    def _pointer(
        self, place: str, number: TypeId, address: int, depth: int, seen: tuple[int, ...]
    ) -> FoundPointer | FoundText | None:
        if address == 0:
            return FoundPointer(place, "NULL")
        wanted, spot = target_type(self.ctypes, number), self.find(address)
        name = self.address_of(address, wanted)
        if spot is None:
            return None
        note, start = spot
        named = self.named(note)
        if name and not (named and named.is_constant):  # observed elsewhere
            return FoundPointer(place, name)
        if wanted is None or depth == 0 or address in seen:
            return FoundPointer(place, name)
        text = terminated_text(note, start) if is_character(self.ctypes, wanted) else None
        if text is not None and len(text) <= LONGEST_TEXT and not name:
            return FoundText(place, text)
        inside = tuple(self._elements(place, wanted, note, start, depth - 1, (*seen, address)))
        return FoundPointer(place, name, inside)

    def _elements(
        self, place: str, wanted: TypeId, note: Note, start: int, depth: int, seen: tuple[int, ...]
    ) -> Iterator[Found]:
        """The elements of a block, as far as they were written; one of anything else."""
        size, is_record = size_of(self.ctypes, wanted), isinstance(self.ctypes.strip(wanted), CRecord | CArray)
        count = (note.size - start) // size if size else 0
        if note.kind is not NoteKind.BLOCK:
            count = min(count, 1)
        for index in range(min(count, MOST_ELEMENTS)):
            at = f"{place}[{index}]" if count > 1 else f"(*{place})"
            parts = parts_of(self.ctypes, wanted, at)
            found = list(
                self._parts([_with_arrow(part, place) for part in parts], note, start + index * size, depth, seen)
            )
            if not found and not is_record:
                break  # nobody has written the rest
            yield from found

    def _parts(
        self, parts: Sequence[Part], note: Note, start: int, depth: int, seen: tuple[int, ...]
    ) -> Iterator[Found]:
        for part in parts:
            raw = part.raw(note, start)
            if raw is None:
                continue
            if part.scalar is None:
                found = self._pointer(part.place, part.type, raw, depth, seen)
                yield found if found is not None else FoundPointer(part.place, "")
            elif not self._is_address(part, raw):
                yield FoundNumber(part.place, part.type, part.scalar, raw)

    def _is_address(self, part: Part, raw: int) -> bool:
        """Whether the number may be an address, which is another one in every build."""
        return part.size == 8 and (raw in _STACK or self._holder(raw) is not None)

    def written_places(self) -> frozenset[str]:
        """Places in objects of the test, as C expressions, whose content is known. Parts that no code reads are known
        only if the call has written them."""
        given = [note for at, note in self.after.items() if at < len(self.variables)]
        given = [note for note in given if self.variables[note.number].name.startswith(_OBJECT)]
        return frozenset(
            part.place
            for after in given
            if (named := self.named(after)) and named.type != BYTE
            for index in range(max(named.count, 1))
            for part in parts_of(self.ctypes, named.type, named.element(index))
            if part.raw(after, index * named.element_size(self.ctypes)) is not None
        )

    # -- what else has changed

    def changes(self, observed: Collection[str]) -> Iterator[Found]:
        """Parts of variables and of objects that the call has changed, without the observed ones (C expressions)."""
        for number, after in self.after.items():
            before = self.before.get(number, after)
            if before.data == after.data and before.unknown == after.unknown:
                continue
            named = self.named(after)
            if named is None or named.type == BYTE or named.is_constant:
                continue
            size = size_of(self.ctypes, named.type)
            for index in range(max(named.count, 1)):
                start = index * size
                if before.data[start : start + size] == after.data[start : start + size]:
                    continue
                parts = [
                    part
                    for part in parts_of(self.ctypes, named.type, named.element(index), most=MOST_CHANGED)
                    if part.place not in observed and part.raw(before, start) != part.raw(after, start)
                ]
                yield from self._parts(parts, after, start, 1, ())


def _with_arrow(part: Part, place: str) -> Part:
    """`(*result).value` is `result->value`, and `(*result)` is `*result`."""
    start = f"(*{place})"
    if part.place == start:
        return replace(part, place=f"*{place}")
    return replace(part, place=re.sub(rf"^{re.escape(start)}\.", f"{place}->", part.place))
