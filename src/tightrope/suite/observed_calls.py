"""Calls of stubs in a run, in order, as one line of text each; and the C with which the stub of a written test makes
the same line of its own arguments:

    can_send(1800, {1, 0, 42}, 3)
    log_event("obstacle", 2)
    configure(cfg {.level = 3, .name = NULL})

What is shown of an argument that is a pointer is the same in all tests of a suite: a string, as many elements as
another argument says, or as many as every call had. A pointer to an object of the test is shown with its name, unless
some call has one that leads past an object: which object is there, if any, is up to the build.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tightrope.inputs.scalars import Scalar, bits_to_float, float_to_bits, signed_value
from tightrope.inputs.shape import BYTE
from tightrope.inputs.stub_answers import function_type
from tightrope.inputs.type_facts import is_private, scalar_of
from tightrope.library.table import FUNCTIONS
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CFunctionType,
    CPointer,
    CRecord,
    CScalar,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.declare import is_spellable, is_variable_arguments, size_of
from tightrope.program.declarations.stubs import Stub
from tightrope.running.notes import Note, NoteKind
from tightrope.suite.observed_memory import NamedObject, ObservedMemory
from tightrope.suite.typed_bytes import Part, parts_of, target_type, terminated_text

MOST_CALLS = 40  # of one test; beyond that only their number is checked
MOST_ELEMENTS = 16  # of what a pointer leads to, where no length is known
MOST_TIED = 64  # ... where one is
MOST_NUMBERS = 24  # in one struct
UNKNOWN = "_"
SOME_POINTER = "a pointer"
_ELEMENT = "ELEMENT"  # in the C of a part: stands for the element
_BYTE_SCALAR = Scalar("unsigned", 8, 1)


@dataclass(frozen=True, slots=True)
class StubCall:
    stub: int  # by position in the shape
    arguments: Mapping[int, Note]  # by position, from 1


def calls_in(notes: Sequence[Note]) -> tuple[StubCall, ...]:
    found: list[tuple[int, dict[int, Note]]] = []
    for note in notes:
        if note.kind is NoteKind.CALL:
            found.append((note.number, {}))
        elif note.kind in (NoteKind.NUMBER, NoteKind.POINTER, NoteKind.BYTES):
            found[-1][1][note.number] = note
    return tuple(StubCall(*each) for each in found)


Token = str | Part  # of a text: as it is, or the value of a part


@dataclass(frozen=True, slots=True)
class ShownTarget:
    """What is shown behind a pointer: a text, or elements, `count` of them or as many as argument `length` says."""

    element: tuple[Token, ...] = ()
    size: int = 1  # bytes of an element
    is_text: bool = False
    count: int = 0
    length: int = 0
    cast: str = ""  # type of the elements, if it is not that of the pointer


@dataclass(frozen=True, slots=True)
class ShownArgument:
    position: int
    tokens: tuple[Token, ...] = ()  # of a number or struct; a pointer has none
    is_pointer: bool = False
    target: ShownTarget | None = None
    is_named: bool = True  # otherwise, a pointer is only where it has elements, and their number is an argument

    @property
    def has_name(self) -> bool:
        """In some call."""
        return self.is_pointer and (self.is_named or (self.target is not None and bool(self.target.length)))


@dataclass(frozen=True, slots=True)
class ShownCalls:
    """How the calls of each stub are shown, by its position in the shape."""

    stubs: tuple[Stub, ...]
    arguments: Mapping[int, tuple[ShownArgument, ...]]

    def line(self, call: StubCall, memory: ObservedMemory) -> str:
        stub, shown = self.stubs[call.stub], self.arguments[call.stub]
        if stub.register is not None:
            return f"{stub.register_name} = {_bits_words(shown[0], call)}"
        texts = [_words(one, call, memory) for one in shown]
        return f"{stub.path}({', '.join(texts)})"

    def named_objects(self, calls: Sequence[StubCall], memory: ObservedMemory) -> tuple[NamedObject, ...]:
        """The objects whose names are in the lines."""
        addresses = (address for call in calls for address in self._addresses(call))
        found = (find_named(memory, address) for address in addresses)
        return tuple(dict.fromkeys(one[0] for one in found if one))

    def _addresses(self, call: StubCall) -> Iterator[int]:
        for one in self.arguments[call.stub]:
            note, target = call.arguments.get(one.position), one.target
            if note is None:
                continue
            yield from [note.value] if one.has_name else []
            count = (call.arguments[target.length].value if target.length else target.count) if target else 1
            size, tokens = (target.size, target.element) if target else (0, one.tokens)
            pointers = [part for part in tokens if isinstance(part, Part) and part.scalar is None]
            raws = (part.raw(note, at * size) for at in range(min(count, MOST_TIED)) for part in pointers)
            yield from (raw for raw in raws if raw)

    def statements(self, stub: Stub) -> tuple[str, ...]:
        """C for the body of a stub."""
        shown = self.arguments.get(self.stubs.index(stub)) if stub in self.stubs else None
        if shown is None:
            return ()
        lines = _statements(stub.path, shown) if stub.register is None else _register_statements(stub, shown[0])
        return tuple(_merge_texts(lines))


NOT_SHOWN = ShownCalls((), {})


def choose_shown(ctypes: CTypes, stubs: tuple[Stub, ...], runs: Sequence[Sequence[Note]]) -> ShownCalls:
    """What is shown of the calls, so that all of it is known in all runs."""
    calls = [call for notes in runs for call in calls_in(notes)]
    ends = _ends_of_objects(runs)
    found: dict[int, tuple[ShownArgument, ...]] = {}
    for at, stub in enumerate(stubs):
        is_read = stub.register is not None and not stub.register.is_write
        if stub.like or stub.never_returns or stub.keeps_arguments or is_read:
            continue
        own = [call for call in calls if call.stub == at]
        types, written = function_type(ctypes, stub).parameters, _only_written(stub)
        found[at] = tuple(_choose(ctypes, types, position, own, ends, written) for position in range(1, len(types) + 1))
    return ShownCalls(stubs, found)


def _only_written(stub: Stub) -> frozenset[int]:
    """Parameters through which a function of the library writes without reading: what is there before is whatever the
    stack holds."""
    known = FUNCTIONS.get(stub.name) if stub.is_redirected else None
    effects = known.pointers.arguments if known and known.pointers else ()
    return frozenset(at for at, one in enumerate(effects, 1) if one.letter in "owd")


def _choose(
    ctypes: CTypes,
    types: Sequence[TypeId],
    position: int,
    calls: Sequence[StubCall],
    ends: Collection[int],
    written: frozenset[int] = frozenset(),
) -> ShownArgument:
    number, name = types[position - 1], f"argument_{position}"
    kind, notes = ctypes.strip(number), [call.arguments.get(position) for call in calls]
    given = [note for note in notes if note is not None]
    is_known = len(given) == len(notes) and all(note.is_known for note in given)
    hidden = ShownArgument(position, (UNKNOWN,))
    if not is_known:
        return hidden
    if isinstance(kind, CPointer):
        if is_variable_arguments(ctypes, kind.target) or isinstance(ctypes.strip(kind.target), CFunctionType):
            return hidden
        there = [call for call in calls if call.arguments[position].value]
        target = _choose_target(ctypes, types, position, there, ends) if position not in written else None
        is_named = all(call.arguments[position].leads_to_object for call in there)
        return ShownArgument(position, is_pointer=True, target=target, is_named=is_named)
    if isinstance(kind, CRecord):
        tokens = tuple(_tokens(ctypes, number, name, 0))
        return ShownArgument(position, _known_tokens(tokens, [(note, 0) for note in given], ends))
    scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
    return ShownArgument(position, (Part(name, number, 0, scalar.size, scalar),)) if scalar else hidden


def _choose_target(
    ctypes: CTypes, types: Sequence[TypeId], position: int, calls: Sequence[StubCall], ends: Collection[int]
) -> ShownTarget | None:
    notes = [call.arguments[position] for call in calls]
    if not notes or any(note.size == 0 for note in notes):
        return None
    pointer = ctypes.strip(types[position - 1])
    assert isinstance(pointer, CPointer)
    wanted = target_type(ctypes, types[position - 1])
    if wanted is None:
        element: tuple[Token, ...] = (Part(_ELEMENT, BYTE, 0, 1, _BYTE_SCALAR),)
        size, is_char, is_number, cast = 1, False, True, "const volatile unsigned char *"
    else:
        kind, size, cast = ctypes.strip(wanted), size_of(ctypes, wanted), ""
        is_char = isinstance(kind, CScalar) and kind.kind == "char"
        is_number = isinstance(kind, CScalar | CEnum | CPointer)
        element = tuple(_tokens(ctypes, wanted, _ELEMENT, 0))
        if not is_spellable(ctypes, wanted) and not element:
            return None
    if size == 0:
        return None
    known = [_known_elements(note, element, size, is_number) for note in notes]
    if is_char and all(terminated_text(note) is not None for note in notes):
        return ShownTarget(element, size, is_text=True)
    length = _find_length(ctypes, types, position, calls, known, 1 if is_number and size == 1 else 2)
    if length:
        shown = ShownTarget(element, size, is_char, length=length, cast=cast)
    elif wanted is None:
        return None
    else:
        shown = ShownTarget(element, size, count=min(*known, 1 if not is_number else MOST_ELEMENTS), cast=cast)
    if is_number:
        return shown if shown.length or shown.count else None
    starts = [(note, at * size) for note, has in zip(notes, known, strict=True) for at in range(max(has, 1))]
    return replace(shown, element=_known_tokens(element, starts, ends), count=0 if shown.length else 1)


def _known_elements(note: Note, element: Sequence[Token], size: int, is_number: bool) -> int:
    """How many elements behind the pointer are there; of numbers, how many are known."""
    there = len(note.data) // size
    if not is_number:
        return there
    parts = [token for token in element if isinstance(token, Part)]
    return next((at for at in range(there) if any(part.raw(note, at * size) is None for part in parts)), there)


def _find_length(
    ctypes: CTypes,
    types: Sequence[TypeId],
    position: int,
    calls: Sequence[StubCall],
    known: Sequence[int],
    least: int,
) -> int:
    """The argument that says how many elements there are: every call has that many, and one has at least a few."""
    order: tuple[int, ...] = (*range(position + 1, len(types) + 1), *range(position - 1, 0, -1))
    for at in order:
        kind = ctypes.strip(types[at - 1])
        scalar = scalar_of(kind) if isinstance(kind, CScalar) and kind.kind in ("signed", "unsigned") else None
        if scalar is None or any(at not in call.arguments or not call.arguments[at].is_known for call in calls):
            continue
        counts = [signed_value(scalar, call.arguments[at].value) for call in calls]
        is_length = all(0 <= count <= has for count, has in zip(counts, known, strict=True))
        if is_length and max(counts) >= least:
            return at
    return 0


# -- texts of objects


def _tokens(ctypes: CTypes, number: TypeId, place: str, offset: int) -> Iterator[Token]:
    """An object as text: `{.id = `, the part, `, .data = {`, ..."""
    match kind := ctypes.strip(number):
        case CRecord(kind="struct") if kind.is_complete and not is_private(kind) and kind.members:
            yield from _record_tokens(ctypes, kind, number, place, offset)
        case CArray():
            size, shown = size_of(ctypes, kind.element), min(kind.count or 0, MOST_ELEMENTS)
            yield "{"
            for index in range(shown):
                yield from [", "] if index else []
                yield from _tokens(ctypes, kind.element, f"{place}[{index}]", offset + index * size)
            yield "}" if shown == (kind.count or 0) else ", ...}"
        case CRecord():
            yield UNKNOWN
        case _:
            parts = parts_of(ctypes, number, place, offset)
            yield from parts or (UNKNOWN,)


def _record_tokens(ctypes: CTypes, kind: CRecord, number: TypeId, place: str, offset: int) -> Iterator[Token]:
    numbers = 0
    yield "{"
    for index, member in enumerate(kind.members):
        start = ", " if index else ""
        if numbers > MOST_NUMBERS:
            yield f"{start}..."
            break
        if not member.name:
            yield f"{start}{UNKNOWN}"
            continue
        yield f"{start}.{member.name} = "
        if member.bit_size is None:
            inner = tuple(_tokens(ctypes, member.type, f"{place}.{member.name}", offset + member.bit_offset // 8))
        else:
            every = parts_of(ctypes, number, place, offset)
            inner = tuple(part for part in every if part.place == f"{place}.{member.name}") or (UNKNOWN,)
        numbers += sum(isinstance(one, Part) for one in inner)
        yield from inner
    yield "}"


def _ends_of_objects(runs: Sequence[Sequence[Note]]) -> frozenset[int]:
    """The addresses behind the last byte of an object, where another may be in another build."""
    kinds = (NoteKind.GLOBAL, NoteKind.BLOCK)
    return frozenset(note.value + note.size for notes in runs for note in notes if note.kind in kinds)


def _known_tokens(
    tokens: Sequence[Token], where: Sequence[tuple[Note, int]], ends: Collection[int]
) -> tuple[Token, ...]:
    """The tokens; parts that are not known everywhere are not shown, nor pointers to the end of an object."""

    def is_known(part: Part) -> bool:
        raws = [part.raw(note, start) for note, start in where]
        return None not in raws and not (part.scalar is None and any(raw in ends for raw in raws))

    return tuple(UNKNOWN if isinstance(one, Part) and not is_known(one) else one for one in tokens)


# -- in words: what `tightrope_show_...` in writers/calls.c writes


def _words(one: ShownArgument, call: StubCall, memory: ObservedMemory) -> str:
    note = call.arguments.get(one.position)
    if one.is_pointer and note is not None:
        return _pointer_words(note, one, call, memory)
    if note is not None and note.kind is NoteKind.NUMBER:
        return "".join(token if isinstance(token, str) else _argument_words(token, note.value) for token in one.tokens)
    return "".join(
        token if isinstance(token, str) else _part_words(token, note, 0, memory) if note else UNKNOWN
        for token in one.tokens
    )


def _bits_words(one: ShownArgument, call: StubCall) -> str:
    """What is written to a register."""
    part, note = one.tokens[0], call.arguments.get(one.position)
    if isinstance(part, str) or note is None or part.scalar is None:
        return UNKNOWN
    return f"0x{note.value & part.scalar.mask:x}"


def _argument_words(part: Part, value: int) -> str:
    """A number that the runtime got as 64 bits; a float as a double."""
    assert part.scalar is not None
    if part.scalar.kind == "float" and part.scalar.bits == 32:
        value = float_to_bits(bits_to_float(value, 64), 32)
    return _number_words(part.scalar, value)


def _pointer_words(note: Note, one: ShownArgument, call: StubCall, memory: ObservedMemory) -> str:
    if note.value == 0:
        return "NULL"
    target = one.target
    is_named = one.is_named or bool(target and target.length and _count_of(target, call))
    name = name_of_address(memory, note.value) if is_named else ""
    if target is None:
        return name or SOME_POINTER
    content = _target_words(note, target, call, memory)
    return f"{name} {content}" if name else content


def _target_words(note: Note, target: ShownTarget, call: StubCall, memory: ObservedMemory) -> str:
    count = _count_of(target, call)
    if target.is_text:
        text = terminated_text(note) if not target.length else note.data[:count]
        return _quoted(text or b"")
    words = [
        "".join(
            token if isinstance(token, str) else _part_words(token, note, at * target.size, memory)
            for token in target.element
        )
        for at in range(count)
    ]
    is_single = not target.length and count == 1 and words[0].startswith("{")
    return words[0] if is_single else "{" + ", ".join(words) + "}"


def _count_of(target: ShownTarget, call: StubCall) -> int:
    return min(call.arguments[target.length].value & 0xFFFFFFFF, MOST_TIED) if target.length else target.count


def _part_words(part: Part, note: Note, start: int, memory: ObservedMemory) -> str:
    raw = part.raw(note, start)
    if raw is None:
        return UNKNOWN
    if part.scalar is not None:
        return _number_words(part.scalar, raw)
    return "NULL" if raw == 0 else name_of_address(memory, raw) or SOME_POINTER


def _number_words(scalar: Scalar, raw: int) -> str:
    raw &= scalar.mask
    if scalar.kind == "float":
        return real_words(bits_to_float(raw, scalar.bits), scalar.bits)
    number = signed_value(scalar, raw)
    return f"'{chr(number)}'" if scalar.kind == "char" and 32 <= number < 127 else str(number)


def real_words(value: float, bits: int) -> str:
    """The fewest digits that read back as the same number, as printf writes them."""
    if value != value:
        return "nan"
    text = ""
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if float_to_bits(float(text), bits) == float_to_bits(value, bits):
            break
    return text if any(mark in text for mark in ".en") else f"{text}.0"


def _quoted(text: bytes) -> str:
    shown = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:03o}" for c in text[:MOST_TIED])
    return f'"{shown}"' + "..." * (len(text) > MOST_TIED)


def name_of_address(memory: ObservedMemory, address: int) -> str:
    """`cfg`, `buffer[3]`, `cfg + 4 bytes`; '' for what the test does not name."""
    found = find_named(memory, address)
    if found is None:
        return ""
    named, offset = found
    index, rest = divmod(offset, step_of(memory.ctypes, named))
    if rest or (index and not is_list(memory.ctypes, named)):
        return f"{named.name} + {offset} bytes"
    return f"{named.name}[{index}]" if index else named.name


def find_named(memory: ObservedMemory, address: int) -> tuple[NamedObject, int] | None:
    found = memory.find(address)
    named = memory.named(found[0]) if found else None
    return (named, found[1]) if found and named else None


def is_list(ctypes: CTypes, named: NamedObject) -> bool:
    return named.count > 0 or (named.type != BYTE and isinstance(ctypes.strip(named.type), CArray))


def step_of(ctypes: CTypes, named: NamedObject) -> int:
    """Bytes from one element to the next; the size of what is no array."""
    if named.type == BYTE:
        return 1
    kind = ctypes.strip(named.type)
    is_array = not named.count and isinstance(kind, CArray)
    return max(size_of(ctypes, kind.element if is_array and isinstance(kind, CArray) else named.type), 1)


# -- in C


def _register_statements(stub: Stub, shown: ShownArgument) -> Iterator[str]:
    assert stub.register is not None
    yield _show(f"{stub.register_name} = ")
    mask = f"0x{(1 << 8 * stub.register.size) - 1:x}"
    is_known = isinstance(shown.tokens[0], Part)
    yield f"tightrope_show_hex(argument_1 & {mask});" if is_known else _show(UNKNOWN)
    yield _show("\n")


def _statements(path: str, shown: Sequence[ShownArgument]) -> Iterator[str]:
    yield _show(f"{path}(")
    for index, one in enumerate(shown):
        yield from [_show(", ")] if index else []
        if one.is_pointer:
            yield from _show_pointer(one)
        else:
            yield from (_show_token(token, "") for token in one.tokens)
    yield _show(")\n")


def _show(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'tightrope_show("{quoted}");'


def _show_token(token: Token, element: str) -> str:
    if isinstance(token, str):
        return _show(token)
    place = token.place.replace(_ELEMENT, element, 1) if element else token.place
    if token.scalar is None:
        return f"tightrope_show_pointer((const volatile void *){place}, 0);"
    if token.scalar.kind == "float":
        return f"tightrope_show_real({place}, {token.scalar.bits});"
    if token.scalar.kind == "char":
        return f"tightrope_show_char({place});"
    is_signed = token.scalar.is_signed or token.scalar.kind == "bool"
    return f"tightrope_show_{'int' if is_signed else 'uint'}({place});"


def _show_pointer(one: ShownArgument) -> Iterator[str]:
    name, target = f"argument_{one.position}", one.target
    given = f"(const volatile void *){name}"
    show = "tightrope_show_pointer" if one.is_named else "tightrope_show_unnamed"
    if target is None:
        yield f"{show}({given}, 0);"
        return
    shows = f"{show}({given}, 1)"
    if target.length and not one.is_named:
        shows = f"tightrope_at_most(argument_{target.length}) ? tightrope_show_pointer({given}, 1) : {shows}"
    yield f"if ({shows}) {{"
    elements = f"(({target.cast}){name})" if target.cast else name
    if target.is_text:
        length = f"(long)argument_{target.length}" if target.length else "-1"
        yield f"    tightrope_show_text((const volatile char *){name}, {length});"
    elif (
        not target.length and target.count == 1 and isinstance(target.element[0], str) and target.element[0][:1] == "{"
    ):
        yield from (f"    {_show_token(token, f'{elements}[0]')}" for token in target.element)
    else:
        count = f"tightrope_at_most(argument_{target.length})" if target.length else str(target.count)
        yield f"    for (unsigned tightrope_i = 0; tightrope_i < {count}; tightrope_i++) {{"
        yield '        tightrope_show(tightrope_i == 0 ? "{" : ", ");'
        yield from (f"        {_show_token(token, f'{elements}[tightrope_i]')}" for token in target.element)
        yield "    }"
        yield from [f'    tightrope_show({count} == 0 ? "{{}}" : "}}");'] if target.length else [f"    {_show('}')}"]
    yield "}"


def _merge_texts(lines: Iterator[str]) -> Iterator[str]:
    """Texts that follow each other become one."""
    waiting = ""
    for line in lines:
        start, end = re.match(r' *tightrope_show\("', line), '");'
        if start is None or not line.endswith(end):
            yield from [waiting] if waiting else []
            waiting = ""
            yield line
        elif waiting.startswith(start[0]):
            waiting = f"{waiting[: -len(end)]}{line[len(start[0]) :]}"
        else:
            yield from [waiting] if waiting else []
            waiting = line
    yield from [waiting] if waiting else []
