"""What a stub writes through its arguments if nobody asked for anything: output parameters, chosen by their types and
by what the unit gives to the function.

    int celsius;               read_sensor(1, &celsius)      a local of the unit: each call writes it
    struct stream rest = *in;  decode(&rest)                 a local with pointers that the unit has set: whether a call
                                                             writes it, or leaves it as it is, is an input
    unsigned char frame[64];   receive(frame, n)             as many elements as the number beside it says
    struct port *port;         enable(port)                  an object that others see, too: whether a call writes
                                                             its numbers, or leaves it as it is, is an input
    struct ifreq request;      ioctl(s, number, &request)    an argument in place of `...`, if each call has one there

What the function might write beyond that stays a doubt: `tightrope_fit` in the runtime sees whether it wrote all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tightrope.inputs.shape import (
    BYTE,
    Alternatives,
    Elements,
    Fields,
    FixedPointer,
    Functions,
    Leaf,
    PointsTo,
    Shape,
    walk_object,
)
from tightrope.inputs.sizes import is_character
from tightrope.inputs.type_facts import find_record, flexible_member, is_private, why_null
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CFunctionType,
    CPointer,
    CRecord,
    CScalar,
    CType,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declarations.declare import is_qualified, is_spellable, is_variable_arguments, size_of
from tightrope.program.declarations.stubs import PLAIN, Stub, Written
from tightrope.program.pointers.handed_pointers import POINTER_LETTER, Callee, HandedCall, HandedCalls, HandedPointer

MOST_BYTES = 256  # written by one call through one argument
MOST_ELEMENTS = 16  # of an array that are inputs
MOST_CHARACTERS = 32  # of a buffer that are inputs
SOME_ELEMENTS = 8  # where only the number beside the pointer tells how many
MOST_SLOTS_OF_CALL = 32  # for one argument
MOST_WRITTEN_SLOTS = 384  # for all arguments of all stubs


def may_be_written(ctypes: CTypes, number: TypeId) -> bool:
    """Whether it is a pointer to data that is not const and that the unit could read later."""
    pointer = ctypes.strip(number)
    if not isinstance(pointer, CPointer) or is_qualified(ctypes, pointer.target, frozenset({"const"})):
        return False
    inner = pointer.target
    while isinstance(array := ctypes.strip(inner), CArray):  # of which `va_list` is one
        inner = array.element
    target = ctypes.strip(inner)
    is_opaque = isinstance(target, CRecord) and not target.is_complete
    return not (isinstance(target, CFunctionType) or is_opaque or is_variable_arguments(ctypes, inner))


def unwritten_arguments(ctypes: CTypes, stubs: Iterable[Stub]) -> Iterator[str]:
    """Arguments through which a stub might write and does not, in the words of --stub-writes: `receive:1`. Not a
    `void *` of which nothing is known, unless the user wanted it so."""
    for stub in stubs:
        kind, written = ctypes.strip(stub.type), {one.position for one in stub.writes}
        if isinstance(kind, CFunctionType) and not _writes_as_known(stub):
            for position, number in enumerate(kind.parameters, 1):
                pointer = ctypes.strip(number)
                is_void = isinstance(pointer, CPointer) and isinstance(ctypes.strip(pointer.target), CVoid)
                if position not in written and may_be_written(ctypes, number) and (stub.is_silent or not is_void):
                    yield f"{stub.path}:{position}"


def calls_of_stub(ctypes: CTypes, stub: Stub, handed: HandedCalls) -> tuple[HandedCall, ...]:
    """The calls that may reach the stub; none where arguments in IR are not those in C."""
    pointers = [letter == POINTER_LETTER for letter in _signature(ctypes, stub)[1:]]
    calls = handed.get(callee_of(ctypes, stub), ())
    return tuple(
        one
        for one in calls
        if len(one.pointers) + len(one.numbers) >= len(pointers)
        and all((at in one.pointers) == is_pointer for at, is_pointer in enumerate(pointers))
    )


def callee_of(ctypes: CTypes, stub: Stub) -> Callee:
    """How calls of the stub are known."""
    return stub.label or stub.name if stub.name == stub.path else _signature(ctypes, stub)


def _signature(ctypes: CTypes, stub: Stub) -> tuple[str, ...]:
    """As `signature_of` gives it for a call in IR."""
    kind = ctypes.strip(stub.type)
    types = (kind.result, *kind.parameters) if isinstance(kind, CFunctionType) else ()
    return tuple(_letter(ctypes, number) for number in types)


def _letter(ctypes: CTypes, number: TypeId) -> str:
    kind = ctypes.strip(number)
    if isinstance(kind, CPointer) or is_any_pointer(ctypes, kind):
        return POINTER_LETTER
    is_plain = isinstance(kind, CScalar) and kind.kind not in ("float", "complex", "vector")
    return f"i{8 * size_of(ctypes, number)}" if is_plain or isinstance(kind, CEnum) else "?"


def is_any_pointer(ctypes: CTypes, kind: CType) -> bool:
    """A union of pointers, as the address that `recvfrom` takes with _GNU_SOURCE: it is passed as one of them."""
    if not isinstance(kind, CRecord) or kind.kind != "union" or not kind.members:
        return False
    return all(isinstance(ctypes.strip(one.type), CPointer) for one in kind.members)


def _writes_as_known(stub: Stub) -> bool:
    """Whether the table of the library says all that it writes."""
    is_known = stub.outside is not PLAIN and not stub.outside.has_outputs
    return bool(stub.like or stub.never_returns or is_known)


def choose_outputs(ctypes: CTypes, stub: Stub, handed: HandedCalls) -> Iterator[Written]:
    """What the stub writes by default; members that it leaves alone are not left out yet."""
    kind = ctypes.strip(stub.type)
    if stub.is_silent or _writes_as_known(stub) or not isinstance(kind, CFunctionType):
        return
    asked = {one.position for one in stub.writes}
    calls = calls_of_stub(ctypes, stub, handed)
    for position, number in enumerate(kind.parameters, 1):
        if position not in asked and may_be_written(ctypes, number):
            one = _choose(ctypes, stub, kind, position, calls)
            yield from [one] if one else []
    last = len(kind.parameters) + 1
    if kind.is_variadic and stub.outside.has_outputs and last not in asked:
        is_given = bool(calls) and all(last - 1 in call.pointers for call in calls)
        one = _choose(ctypes, stub, kind, last, calls) if is_given else None
        yield from [one] if one else []


def _choose(
    ctypes: CTypes, stub: Stub, kind: CFunctionType, position: int, calls: Sequence[HandedCall]
) -> Written | None:
    is_named = position <= len(kind.parameters)
    pointer = ctypes.strip(kind.parameters[position - 1]) if is_named else None
    assert pointer is None or isinstance(pointer, CPointer)
    given = [call.pointers[position - 1] for call in calls]
    target = _target(ctypes, pointer, given)
    if target != BYTE and not _can_be_written(ctypes, pointer, target):
        return None
    size = 1 if target == BYTE else size_of(ctypes, target)
    if size == 0:
        return None
    is_record = target != BYTE and isinstance(ctypes.strip(target), CRecord)
    is_local = bool(given) and all(one.is_local for one in given)
    may_leave = not is_local or (is_record and all(one.is_set for one in given) and _holds_pointers(ctypes, target))
    one = Written(stub.path, position, is_default=True, type=target, may_leave=may_leave, is_local=is_local)
    rooms = [one.room if is_record or target == BYTE else one.first_room for one in given]
    known = [room for room in rooms if room is not None]
    if any(room < size for room in known):
        return None
    has_room = bool(rooms) and len(known) == len(rooms)
    if is_record:
        return replace(one, has_room=has_room)
    least, most = min(known, default=0) // size, max(known, default=0) // size
    is_open = len(known) < max(1, len(rooms)) and (target == BYTE or is_character(ctypes, target))
    is_buffer = most > 1 or is_open
    length, in_bytes = _find_length(ctypes, kind, position, size, rooms, calls) if is_buffer else (0, False)
    if not known and target == BYTE and not length:
        return None
    if length and least <= 1:  # each call says how many
        told = [call.numbers.get(length - 1) or 0 for call in calls]
        unit = size if in_bytes else 1
        least = max(most, max(told, default=0) // unit, SOME_ELEMENTS if is_open else 1)
    count = min(max(1, least), max(1, MOST_BYTES // size))
    has_room = has_room and count * size <= min(known)
    filled = min(count, MOST_CHARACTERS if size == 1 else MOST_ELEMENTS)
    if count > 1 and filled == count and _is_text(ctypes, target) and not length:
        filled -= 1  # a string has an end
    return replace(one, count=count, filled=filled, length=length, is_length_in_bytes=in_bytes, has_room=has_room)


def _target(ctypes: CTypes, pointer: CPointer | None, given: Sequence[HandedPointer]) -> TypeId:
    """The type of the elements; that of a `void *` or of an argument without a parameter is the record that all calls
    pass, else bytes."""
    if pointer is not None and not isinstance(ctypes.strip(pointer.target), CVoid):
        return pointer.target
    records = {one.record for one in given}
    found = find_record(ctypes, records.pop()) if len(records) == 1 else None
    return BYTE if found is None else found


def _can_be_written(ctypes: CTypes, pointer: CPointer | None, target: TypeId) -> bool:
    kind = ctypes.strip(target)
    is_library = isinstance(kind, CRecord) and (is_private(kind) or flexible_member(ctypes, target))
    return is_spellable(ctypes, target) and not is_library and not (pointer and why_null(ctypes, pointer))


def _holds_pointers(ctypes: CTypes, number: TypeId) -> bool:
    """What a stub writes there leads elsewhere than what was there; a number may be the same as before. Not in a union,
    where something else may be meant (`struct ifreq`)."""
    kind = ctypes.strip(number)
    if isinstance(kind, CArray):
        return _holds_pointers(ctypes, kind.element)
    if isinstance(kind, CRecord):
        return kind.kind != "union" and any(_holds_pointers(ctypes, one.type) for one in kind.members)
    return isinstance(kind, CPointer)


def _is_text(ctypes: CTypes, target: TypeId) -> bool:
    kind = ctypes.strip(target) if target != BYTE else None
    return isinstance(kind, CScalar) and kind.kind == "char"


def _find_length(
    ctypes: CTypes,
    kind: CFunctionType,
    position: int,
    size: int,
    rooms: Sequence[int | None],
    calls: Sequence[HandedCall],
) -> tuple[int, bool]:
    """The number beside the pointer that says how much room there is, in elements or (True) in bytes; 0 for none."""
    for at in (position + 1, position - 1):
        number = ctypes.strip(kind.parameters[at - 1]) if 1 <= at <= len(kind.parameters) else None
        if not isinstance(number, CScalar) or number.kind not in ("signed", "unsigned"):
            continue
        is_before = at < position  # rather a channel or an address than a length, unless every call gives the size
        pairs = [(call.numbers.get(at - 1), room) for call, room in zip(calls, rooms, strict=True)]
        said = [(value, room) for value, room in pairs if value is not None]
        if is_before and len(said) < len(pairs):
            continue
        for unit, in_bytes in ((size, False), (1, True)):
            if is_before and any(value * unit != room for value, room in said):
                continue
            if all(value >= 1 and (room is None or value * unit <= room) for value, room in said):
                return at, in_bytes and size > 1
    return 0, False


def name_parts(one: Written, element: Shape) -> Written | None:
    """The same, with the members that are inputs, if others are not; None if there are none."""
    nodes = list(walk_object(element, "", str))
    leaves = [(node, place) for node, place in nodes if not isinstance(node, Fields | Elements | Alternatives)]
    parts = tuple(place for node, place in leaves if _is_written(node))
    return replace(one, parts=parts if len(parts) < len(leaves) else ()) if parts else None


def _is_written(node: Shape) -> bool:
    """Whether a value of its own is written there: not to what is const, and not what no code reads."""
    if isinstance(node, Leaf):
        return node.slot is not None and not node.is_constant
    return isinstance(node, PointsTo | Functions | FixedPointer) and not (
        node.is_constant or (isinstance(node, FixedPointer) and not node.is_null)
    )
