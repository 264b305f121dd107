"""Inputs that are texts: standard input, the arguments of `main`, strings, and arrays of bytes with a length.

    slots    argc  argv[1]  argv[1][0] ...  length of stdin  stdin[0] ...       texts  "-v"  "hello\\n"
             2     there    -  v  0  0      6                h  e  l  l  o \\n

`read` takes the texts out of an input, `write` puts others in, together with everything that must agree with them: how
many arguments there are, how long a text is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tightrope.inputs.scalars import Input
from tightrope.inputs.shape import Elements, InputShape, Leaf, PointsTo, Root, Shape, slot_of, walk
from tightrope.inputs.whole_program import STDIN, stdin_of

LEAST_CHARACTERS = 3  # of a text; fewer are better left to a solver
NULL_CHOICE = 1  # the first other target: see `argument_roots`


@dataclass(frozen=True, slots=True)
class TextInput:
    """One text."""

    slots: tuple[int, ...]  # of its characters
    length: int | None = None  # the slot that says how many there are; None: it ends before the first zero
    choice: int | None = None  # of an argument: the slot that says whether it exists

    def read(self, values: Sequence[int]) -> bytes:
        raw = bytes(values[slot] & 255 for slot in self.slots)
        if self.length is None:
            return raw.split(b"\0")[0]
        return raw[: values[self.length]]

    def write(self, values: list[int], text: bytes) -> None:
        """Cut it to what fits; characters behind its end are zero."""
        text = text[: len(self.slots)]
        for slot, character in zip(self.slots, text, strict=False):
            values[slot] = character
        for slot in self.slots[len(text) :]:
            values[slot] = 0
        if self.length is not None:
            values[self.length] = len(text)


@dataclass(frozen=True, slots=True)
class InputTexts:
    """The texts of a unit: first the arguments of `main`, if it reads any."""

    arguments: tuple[TextInput, ...] = ()
    total: int | None = None  # argc
    others: tuple[TextInput, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.arguments or self.others)

    @property
    def slots(self) -> frozenset[int]:
        """All slots that `write` sets."""
        texts = (*self.arguments, *self.others)
        ruled = [slot for each in texts for slot in (each.length, each.choice) if slot is not None]
        total = [self.total] if self.total is not None else []
        return frozenset([*(slot for each in texts for slot in each.slots), *ruled, *total])

    def read(self, values: Input) -> tuple[list[bytes], list[bytes]]:
        """The arguments that exist, and the other texts."""
        there = max(0, min(values[self.total] - 1, len(self.arguments))) if self.total is not None else 0
        return [each.read(values) for each in self.arguments[:there]], [each.read(values) for each in self.others]

    def write(self, values: Input, arguments: Sequence[bytes], others: Sequence[bytes]) -> Input:
        """The input with these texts in place of its own; what does not fit is cut. A text that is the same stays as it
        is: behind the zero that ends it as a text, a message may have more bytes."""
        changed = list(values)
        for at, each in enumerate(self.arguments):
            each.write(changed, arguments[at] if at < len(arguments) else b"")
            if each.choice is not None:
                changed[each.choice] = 0 if at < len(arguments) else NULL_CHOICE
        if self.total is not None:
            changed[self.total] = 1 + min(len(arguments), len(self.arguments))
        for each, text in zip(self.others, others, strict=True):
            if each.read(values) != text:
                each.write(changed, text)
        return tuple(changed)


NO_TEXTS = InputTexts()


def texts_of(shape: InputShape) -> InputTexts:
    """The texts among the inputs."""
    found, lengths = program_texts(shape), _length_slots(shape)
    roots = [root for root in shape.roots if not root.is_argument and root.answers_of != STDIN]
    strings = [text for root in roots for text in _strings(root, lengths)]
    return replace(found, others=(*found.others, *strings, *_read_by_call(roots)))


def program_texts(shape: InputShape) -> InputTexts:
    """Only what a whole program reads: its arguments and standard input."""
    total, arguments = _arguments(shape)
    return InputTexts(arguments, total, tuple(_standard_input(stdin_of(shape))))


def _arguments(shape: InputShape) -> tuple[int | None, tuple[TextInput, ...]]:
    roots = [root.shape for root in shape.roots if root.is_argument]
    if len(roots) < 2 or not isinstance(roots[0], Leaf) or not isinstance(roots[1], PointsTo):
        return None, ()
    strings = [one for one in roots[1].elements if isinstance(one, PointsTo)]
    found = tuple(TextInput(_characters(one.elements), choice=one.slot) for one in strings)
    return (slot_of(roots[0]), found) if found else (None, ())


def _standard_input(roots: Sequence[Root]) -> Iterator[TextInput]:
    shapes = [root.shape for root in roots]
    length = next((slot_of(each) for each in shapes if isinstance(each, Leaf)), None)
    for each in shapes:
        if isinstance(each, Elements):
            yield TextInput(_characters(each.elements), length)


def _length_slots(shape: InputShape) -> dict[str, int]:
    """By path: integers, some of which give the length of something."""
    nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
    return {node.path: node.slot for node in nodes if isinstance(node, Leaf) and node.slot is not None}


def _strings(root: Root, lengths: dict[str, int]) -> Iterator[TextInput]:
    for node, _ in walk(root.shape, root.name, str):
        if isinstance(node, PointsTo | Elements):
            slots = _characters(node.elements)
            if len(slots) >= LEAST_CHARACTERS:
                yield TextInput(slots, lengths.get(node.length) if isinstance(node, PointsTo) else None)


def given_by_call(shape: InputShape) -> frozenset[str]:
    """The functions whose stubs give a text to the unit one character at a time."""
    return frozenset(name for name, _ in _texts_by_call(shape.roots))


def _read_by_call(roots: Sequence[Root]) -> Iterator[TextInput]:
    return (text for _, text in _texts_by_call(roots))


def _texts_by_call(roots: Sequence[Root]) -> Iterator[tuple[str, TextInput]]:
    """What a stub gives to the unit one character at a time: `read(line, &c, 1)`; and the name of the function."""
    calls: dict[tuple[str, str], list[Shape]] = {}
    for root in roots:
        if root.answers_of and not root.is_counter and isinstance(root.shape, Leaf):
            calls.setdefault((root.answers_of, root.name.partition("[")[0]), []).append(root.shape)
    for (name, _), leaves in calls.items():
        slots = _characters(leaves)
        if len(slots) >= LEAST_CHARACTERS and all(isinstance(one, Leaf) and not one.scalar.members for one in leaves):
            yield name, TextInput(slots)


def _characters(elements: Sequence[Shape]) -> tuple[int, ...]:
    """The slots of the elements, if these are characters."""
    leaves = [one for one in elements if isinstance(one, Leaf) and one.slot is not None and one.scalar.bits == 8]
    is_text = len(leaves) == len(elements) and all(one.scalar.kind in ("char", "unsigned", "signed") for one in leaves)
    return tuple(slot_of(one) for one in leaves) if is_text else ()
