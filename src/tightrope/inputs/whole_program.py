"""Inputs of whole programs besides parameters and globals: the arguments of `main`, standard input, streams and draws
(`inputs/draws.py`).

    standard input   bytes and how many of them there are; read by library/models/stdio_read.c
    arguments        argc, and as many strings; argv[argc] is NULL
    streams          an input of type `FILE *` is standard input or output, or NULL

What a run reads beyond the end of these is marked as a bound, so it proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from tightrope.inputs.argument_needs import ArgumentNeeds
from tightrope.inputs.draws import (
    NextSlot,
    draw_roots,
    drawn_slots,
    drawn_type,
    draws_of,
    is_drawn,
    leaves_of,
    nondet_functions,
)
from tightrope.inputs.hints import NO_HINTS, Hints
from tightrope.inputs.input_paths import any_number
from tightrope.inputs.scalars import Human, Input, Scalar, decode
from tightrope.inputs.sequence_inputs import hidden_parameters
from tightrope.inputs.shape import (
    ASKED_FOR_NULL,
    BYTE,
    NULL,
    Elements,
    FixedPointer,
    Functions,
    InputShape,
    Leaf,
    PointsTo,
    Root,
    Shape,
    has_slot,
    map_shape,
    slot_of,
    slots_of,
    walk,
)
from tightrope.inputs.shape_builder import choose_shape
from tightrope.inputs.sizes import is_character
from tightrope.inputs.type_facts import scalar_of
from tightrope.inputs.wishes import Wishes
from tightrope.library.table import Fact, functions_with
from tightrope.program.declarations.c_types import CPointer, CRecord, CScalar, CTypes, TypeId
from tightrope.program.declarations.interface import Interface

STDIN = "stdin"
LONGER_ARGUMENTS = 2  # than other strings
STDIN_BYTES = 160  # costs nothing as long as runs read less: how many there are is an input, which starts with none
PROGRAM_NAME = '(char *)"program"'

_COUNT = Scalar("unsigned", 32, 4)
_CHARACTER = Scalar("char", 8, 1, True)

BY_DEFAULT = ArgumentNeeds()

Numbers = Mapping[int, int]  # slot -> number of the assumption about it


def choose_program_shape(
    ctypes: CTypes,
    interface: Interface,
    wishes: Wishes,
    hints: Hints = NO_HINTS,
    needs: ArgumentNeeds = BY_DEFAULT,
) -> InputShape:
    """The shape of all inputs: those of the function, and what the whole program gets."""
    has_arguments = takes_arguments(ctypes, interface)
    plain = replace(interface, parameters=()) if has_arguments else interface
    shape = choose_shape(ctypes, plain, wishes, hints)
    numbers = count(1 + max((slot.number for slot in slots_of(shape)), default=-1))

    def next_slot() -> int:
        return next(numbers)

    shape = _with_streams(ctypes, interface, wishes, shape, next_slot)
    given = argument_roots(ctypes, interface, wishes, next_slot, needs) if has_arguments else ()
    read = stdin_roots(wishes, next_slot) if interface.reads_stdin or _has_input_stream(shape) else ()
    drawn = draw_roots(ctypes, interface, wishes, next_slot)
    roots = (*given, *shape.roots, *read, *drawn)
    return replace(shape, roots=roots, notes=(*shape.notes, *_notes(ctypes, interface)))


def _with_streams(
    ctypes: CTypes, interface: Interface, wishes: Wishes, shape: InputShape, next_slot: NextSlot
) -> InputShape:
    """Inputs of type `FILE *` are the program's own streams, or NULL."""
    found: list[str] = []

    def change(node: Shape) -> Shape:
        if not isinstance(node, FixedPointer) or not node.is_null or not is_stream(ctypes, node.type):
            return node
        if node.reason == ASKED_FOR_NULL:
            return node
        found.append(node.path)
        stream = choose_stream(interface.undefined_functions, node.path)
        is_always = wishes.for_path(node.path).null == "not-null"
        names, slot = ((stream,), None) if is_always else ((stream, NULL), next_slot())
        return Functions(node.path, node.type, names, slot, node.is_constant)

    roots = tuple(replace(root, shape=map_shape(root.shape, change)) for root in shape.roots)
    told = {f"{any_number(path)}: NULL, " for path in found}
    notes = tuple(note for note in shape.notes if not any(note.startswith(start) for start in told))
    return replace(shape, roots=roots, notes=notes)


def _has_input_stream(shape: InputShape) -> bool:
    nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
    return any(isinstance(node, Functions) and INPUT in node.names for node in nodes)


def _notes(ctypes: CTypes, interface: Interface) -> Iterator[str]:
    for one in nondet_functions(interface):
        if one.name in interface.undefined_functions and drawn_type(ctypes, one) is None:
            yield f"{one.name}(): its type is not supported as an input, so it returns zero"


def start_program(interface: Interface, asked: Collection[str] = ()) -> Interface:
    """Make the globals that the program defines no inputs, except `asked` ones: when `main` or a sequence is called,
    they have their initial values."""
    if not interface.comes_first:
        return interface
    kept = [one.name for one in interface.globals if one.is_defined and one.name not in asked]
    inputs = tuple(one for one in interface.globals if not one.is_defined or one.name in asked)
    return replace(interface, globals=inputs, hidden_state=(*interface.hidden_state, *kept))


def program_assumptions(shape: InputShape) -> dict[int, str]:
    """Slot -> what is assumed about it, in words; `assume_program` writes the same in C."""
    found: dict[int, str] = {}
    for root in shape.roots:
        if root.answers_of == STDIN and isinstance(root.shape, Leaf):
            found[slot_of(root.shape)] = f"standard input has at most {stdin_bytes(shape)} bytes, which can all be read"
    arguments = _arguments(shape)
    if arguments is not None:
        total, strings = arguments[0], _strings(arguments[1])
        found[slot_of(total)] = f"{total.path} is 1 to {1 + len(strings)} (see --input {arguments[1].path})"
        for one in strings:
            found[slot_of(one)] = f"{one.path} is NULL if {total.path} says that it does not exist, and only then"
    return found


# -- arguments of `main`


def takes_arguments(ctypes: CTypes, interface: Interface) -> bool:
    """Whether it is `main` with at least argc and argv."""
    if interface.name != "main" or len(interface.parameters) not in (2, 3):
        return False
    total = ctypes.strip(interface.parameters[0].type)
    is_number = isinstance(total, CScalar) and total.kind == "signed"
    return is_number and all(_string_type(ctypes, one.type) is not None for one in interface.parameters[1:])


def _string_type(ctypes: CTypes, number: TypeId) -> tuple[TypeId, TypeId] | None:
    """Of `char **`: the types of its strings and of their characters."""
    vector = ctypes.strip(number)
    string = ctypes.strip(vector.target) if isinstance(vector, CPointer) else None
    if not isinstance(vector, CPointer) or not isinstance(string, CPointer) or not is_character(ctypes, string.target):
        return None
    return vector.target, string.target


def argument_roots(
    ctypes: CTypes, interface: Interface, wishes: Wishes, next_slot: NextSlot, needs: ArgumentNeeds = BY_DEFAULT
) -> Iterator[Root]:
    total, *vectors = interface.parameters
    kind = ctypes.strip(total.type)
    assert isinstance(kind, CScalar)
    scalar = scalar_of(kind)
    assert scalar is not None
    yield Root(total.name, Leaf(total.name, total.type, scalar, next_slot()), is_argument=True)
    for index, one in enumerate(vectors):
        kinds = _string_type(ctypes, one.type)
        assert kinds is not None
        wanted = wishes.for_path(one.name).count or needs.count + 2  # with the program's name and the NULL at the end
        strings = max(wanted - 2, 0) if index == 0 and interface.reads_arguments else 0
        elements: list[Shape] = []
        if index == 0:
            elements.append(
                FixedPointer(f"{one.name}[0]", kinds[0], "the name of the program", False, text=PROGRAM_NAME)
            )
        for at in range(1, strings + 1):
            path, name = f"{one.name}[{at}]", f"{one.name}_{at}"
            elements.append(_argument(ctypes, kinds, path, name, wishes, next_slot, needs.length))
        elements.append(FixedPointer(f"{one.name}[{len(elements)}]", kinds[0], "the end"))
        vector = PointsTo(one.name, one.type, one.name, kinds[0], len(elements), tuple(elements))
        yield Root(one.name, vector, is_argument=True)


def _argument(
    ctypes: CTypes,
    kinds: tuple[TypeId, TypeId],
    path: str,
    name: str,
    wishes: Wishes,
    next_slot: NextSlot,
    longest: int,
) -> PointsTo:
    slot, character = next_slot(), ctypes.strip(kinds[1])
    length = wishes.for_path(path).count
    length = max(LONGER_ARGUMENTS * wishes.string_length, longest) if length is None else length
    scalar = (scalar_of(character) if isinstance(character, CScalar) else None) or _CHARACTER
    elements = tuple(Leaf(f"{path}[{at}]", kinds[1], scalar, next_slot()) for at in range(length))
    return PointsTo(path, kinds[0], name, kinds[1], length + 1, elements, False, slot, (NULL,), True, True)


def _arguments(shape: InputShape) -> tuple[Leaf, PointsTo] | None:
    """argc and argv, where the program reads them."""
    roots = [root.shape for root in shape.roots if root.is_argument]
    if not roots:
        return None
    total, vector = roots[:2]
    assert isinstance(total, Leaf) and isinstance(vector, PointsTo)
    return (total, vector) if _strings(vector) else None


def _strings(vector: PointsTo) -> list[PointsTo]:
    return [one for one in vector.elements if isinstance(one, PointsTo)]


def assume_program(shape: InputShape, numbers: Numbers) -> Iterator[str]:
    """C that follows the inputs: assume that argc agrees with the strings. It contains no branch."""
    for root in stdin_of(shape):
        if isinstance(root.shape, Leaf):
            number = numbers[slot_of(root.shape)]
            yield f"    tightrope_assume({root.name} <= {stdin_bytes(shape)}, {number});"
    arguments = _arguments(shape)
    if arguments is not None:
        total, vector = arguments
        last = 1 + len(_strings(vector))
        yield f"    tightrope_assume(({total.path} >= 1) & ({total.path} <= {last}), {numbers[slot_of(total)]});"
        for at, one in enumerate(_strings(vector), 1):
            is_there = f"({vector.path}[{at}] != 0) == ({total.path} > {at})"
            yield f"    tightrope_assume({is_there}, {numbers[slot_of(one)]});"


# -- standard input


def stdin_roots(wishes: Wishes, next_slot: NextSlot) -> Iterator[Root]:
    most = wishes.for_path(STDIN).count or STDIN_BYTES
    yield Root("tightrope_stdin_length", Leaf("length of stdin", BYTE, _COUNT, next_slot()), True, STDIN)
    leaves = tuple(Leaf(f"stdin[{at}]", BYTE, _CHARACTER, next_slot()) for at in range(most))
    yield Root("tightrope_stdin", Elements(STDIN, BYTE, leaves, most), True, STDIN)


def stdin_bytes(shape: InputShape) -> int:
    return next((len(root.shape.elements) for root in stdin_of(shape) if isinstance(root.shape, Elements)), 0)


def stdin_of(shape: InputShape) -> tuple[Root, ...]:
    return tuple(root for root in shape.roots if root.answers_of == STDIN)


def stdin_text(shape: InputShape, values: Input) -> bytes | None:
    """The content of standard input in this input; None for a unit that does not read it."""
    roots = stdin_of(shape)
    if not roots:
        return None
    length, array = (root.shape for root in roots)
    assert isinstance(length, Leaf) and isinstance(array, Elements)
    leaves = [one for one in array.elements if isinstance(one, Leaf)]
    return bytes(values[slot_of(leaf)] & 255 for leaf in leaves[: values[slot_of(length)]])


def declare_stdin(shape: InputShape) -> Iterator[str]:
    """For library/models/stdio_read.c."""
    most = stdin_bytes(shape)
    if most:
        yield f"unsigned char tightrope_stdin[{most}]; unsigned tightrope_stdin_length;"
        yield f"const unsigned tightrope_stdin_size = {most};"


# -- in words


def is_provided(root: Root) -> bool:
    """Whether the root is something that the whole program reads, not a variable of the unit or of a stub."""
    return is_drawn(root) or root.answers_of == STDIN


def describe_values(shape: InputShape, values: Input, outputs: Sequence[int | None] = ()) -> dict[str, Human]:
    """Paths and readable values: standard input as one text, and draws in the order in which they were made. If it is
    not known which draws were made, those that are not zero."""
    made = draws_of(shape, values, outputs)
    drawn, read = drawn_slots(shape), {slot_of(leaf) for root in stdin_of(shape) for leaf in leaves_of(root)}
    slots = slots_of(shape)
    hidden = drawn | read | _idle_slots(shape, values)
    seen = {slot.path: decode(slot.scalar, values[slot.number]) for slot in slots if slot.number not in hidden}
    text = stdin_text(shape, values)
    if text is not None:
        seen[STDIN] = text.decode("latin-1")
    order = [draw.slot for draw in made] if outputs else [slot for slot in sorted(drawn) if values[slot]]
    for number in order:
        if number is not None:
            seen[slots[number].path] = decode(slots[number].scalar, values[number])
    return seen


def _idle_slots(shape: InputShape, values: Input) -> set[int]:
    """In a sequence: those of calls that this input does not make."""
    idle = hidden_parameters(shape, values)
    nodes = (node for root in shape.parameters if root.name in idle for node, _ in walk(root.shape, root.name, str))
    return {slot_of(node) for node in nodes if has_slot(node)}


# -- streams: read or written, depending on the library functions that the unit calls; if on both, on the name

STREAM_TAGS = frozenset({"_IO_FILE", "__sFILE"})
INPUT, OUTPUT = STREAMS = ("stdin", "stdout")
_READ, _WRITE = functions_with(Fact.READS_STREAM), functions_with(Fact.WRITES_STREAM)
_OPENED = "fopen#"
_IS_OUTPUT = re.compile(r"(?:out|output|err|error|log|dst|dest|to|w|fpout|ofp|outf?p?|wfp)\d*", re.IGNORECASE)


def is_stream(ctypes: CTypes, number: TypeId) -> bool:
    """Whether it is `FILE *`."""
    pointer = ctypes.strip(number)
    record = ctypes.strip(pointer.target) if isinstance(pointer, CPointer) else None
    return isinstance(record, CRecord) and record.tag in STREAM_TAGS


def choose_stream(called: Collection[str], path: str) -> str:
    """`called`: functions of the library that the unit calls."""
    if path.startswith(_OPENED):  # only those that are read: see program/declarations/opened_files.py
        return INPUT
    reads, writes = bool(_READ.intersection(called)), bool(_WRITE.intersection(called))
    if reads != writes:
        return INPUT if reads else OUTPUT
    words = re.findall(r"[A-Za-z]+\d*", re.split(r"->|[.]", path)[-1].replace("_", " "))
    return OUTPUT if any(_IS_OUTPUT.fullmatch(word) for word in words) else INPUT
