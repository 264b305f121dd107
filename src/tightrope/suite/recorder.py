"""Reads back the inputs of a written test: its file is changed so that the call only prints them.

    #define classify(...) tightrope_recorded(__VA_ARGS__)
    static int tightrope_recorded(int argument_1, ...)      prints  `# tightrope slot 0 4`, ...

This is the inverse of the writers. Objects behind pointers have no names here, so they are reached through the
pointers: a first walk *meets* each pointer, and finds out which pointer has which object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.harness.fill import UNSIGNED
from tightrope.inputs.draws import is_drawn, leaves_of
from tightrope.inputs.shape import (
    BYTE,
    NULL,
    Functions,
    InputShape,
    Leaf,
    PointsInto,
    PointsTo,
    Root,
    Shape,
    children,
    element_of,
    is_address,
    objects_of,
    slot_of,
    split_target,
)
from tightrope.inputs.type_facts import member_offset
from tightrope.inputs.whole_program import STDIN, is_provided, stdin_bytes
from tightrope.program.declarations.c_types import CTypes, CVoid
from tightrope.program.declarations.declare import declare, is_spellable
from tightrope.program.declarations.interface import Interface

RECORDED = "tightrope_recorded"
_LINE = re.compile(r"^# tightrope (call|slot|object|stray)(?: (\d+))?(?: (\d+))?$", re.MULTILINE)
_FIRST_TEST = re.compile(r"^static void test_\w+\(void\)$", re.MULTILINE)
_SUPPORT = """\
static const volatile void *tightrope_met[OBJECTS + 1];
static int tightrope_owns[OBJECTS + 1];
static void tightrope_meet(unsigned object, const volatile void *pointer)
{
    int is_first = pointer != 0;
    for (unsigned i = 0; i < OBJECTS; i++)
        is_first = is_first && !(tightrope_owns[i] && tightrope_met[i] == pointer);
    tightrope_met[object] = pointer;
    tightrope_owns[object] = is_first;
}
static void tightrope_slot(unsigned slot, unsigned long long raw)
{
    printf("# tightrope slot %u %llu\\n", slot, raw);
}
static void tightrope_bytes(unsigned slot, const volatile void *at, unsigned size)
{
    unsigned long long raw = 0;
    for (unsigned i = 0; i < size; i++)
        ((unsigned char *)&raw)[i] = ((const volatile unsigned char *)at)[i];
    tightrope_slot(slot, raw);
}
static void tightrope_stray(unsigned root)
{
    printf("# tightrope stray %u\\n", root);
}
static void tightrope_object(unsigned object)
{
    printf("# tightrope object %u\\n", object);
}
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one test gave to the function."""

    calls: int
    slots: Mapping[int, int]  # slot -> raw number
    objects: tuple[int, ...] = ()  # that some pointer led to, by position in objects_of
    strays: tuple[int, ...] = ()  # roots with a pointer to something that no input can describe


def read_recorded(output: str) -> Recorded:
    """What a program printed for one test."""
    rows = [(found[1], found[2] or "", found[3] or "") for found in _LINE.finditer(output)]
    numbers = {int(slot): int(raw) for word, slot, raw in rows if word == "slot"}
    objects = tuple(int(number) for word, number, _ in rows if word == "object")
    strays = tuple(int(number) for word, number, _ in rows if word == "stray")
    return Recorded(sum(word == "call" for word, _, _ in rows), numbers, objects, strays)


def with_recorder(text: str, ctypes: CTypes, interface: Interface, shape: InputShape) -> str | None:
    """The text of a test file with calls that only print; None where it holds no tests."""
    first = _FIRST_TEST.search(text)
    if first is None:
        return None
    recorder = "\n".join(_Recorder(ctypes, interface, shape).lines())
    return f"{text[: first.start()]}{recorder}\n{text[first.start() :]}"


@dataclass(frozen=True, slots=True)
class _Recorder:
    ctypes: CTypes
    interface: Interface
    shape: InputShape
    numbers: Mapping[str, int] = field(init=False)  # object -> its position

    def __post_init__(self) -> None:
        found = {node.object: at for at, node in enumerate(objects_of(self.shape))}
        object.__setattr__(self, "numbers", found)

    def lines(self) -> Iterator[str]:
        yield from _SUPPORT.replace("OBJECTS", str(len(self.numbers))).splitlines()
        yield from self._sizes_of_answers()
        yield from self._functions(
            "globals", "void", {root: root.name for root in self.shape.globals if not root.is_hidden}
        )
        names = [f"argument_{at}" for at, _ in enumerate(self.interface.parameters, 1)]
        places = {one.name: name for one, name in zip(self.interface.parameters, names, strict=True)}
        own = {root: places[root.name] for root in self.shape.parameters}
        typed = [declare(self.ctypes, one.type, places[one.name]) for one in self.interface.parameters]
        yield from self._functions("arguments", ", ".join(typed) or "void", own)
        yield from self._call(", ".join(typed) or "void", ", ".join(names))

    def _sizes_of_answers(self) -> Iterator[str]:
        """The file must have as many answers as the shape."""
        most: dict[str, int] = {}
        for root in self.shape.globals:
            name, bracket, index = root.name.partition("[")
            if root.answers_of and bracket and not is_provided(root):
                most[name] = max(most.get(name, 0), int(index.partition("]")[0]) + 1)
        for name, count in most.items():
            yield f'_Static_assert(sizeof {name} == {count} * sizeof {name}[0], "as many answers");'

    def _functions(self, name: str, parameters: str, places: Mapping[Root, str]) -> Iterator[str]:
        """The two walks over some roots."""
        own = {root: place for root, place in places.items() if not is_provided(root)}
        yield from (f"static void tightrope_meet_{name}({parameters})", "{")
        for root, place in own.items():
            yield from self._meet(root.shape, place)
        yield from ("}", f"static void tightrope_print_{name}({parameters})", "{")
        for root, place in own.items():
            yield from self._print(root.shape, place, f"tightrope_stray({self.shape.roots.index(root)});")
        yield "}"

    def _call(self, parameters: str, arguments: str) -> Iterator[str]:
        has_result = not isinstance(self.ctypes.strip(self.interface.result), CVoid)
        head = f"{RECORDED}({parameters})"
        yield f"static {declare(self.ctypes, self.interface.result, head) if has_result else f'void {head}'}"
        yield "{"
        if has_result:
            yield f"    static {declare(self.ctypes, self.interface.result, 'nothing')};"
        yield '    printf("\\n# tightrope call\\n");'
        yield f"    tightrope_meet_globals(); tightrope_meet_arguments({arguments});"
        yield f"    tightrope_print_globals(); tightrope_print_arguments({arguments});"
        yield from self._provided()
        yield "    fflush(stdout);"
        yield from ["    return nothing;"] if has_result else []
        yield from ("}", f"#define {self.interface.call_name}(...) {RECORDED}(__VA_ARGS__)")

    # -- first walk: which pointer has which object

    def _meet(self, shape: Shape, place: str) -> Iterator[str]:
        if isinstance(shape, PointsTo):
            number = self.numbers[shape.object]
            yield f"    tightrope_meet({number}, (const volatile void *){place});"
            yield f"    if (tightrope_owns[{number}]) {{"
        for below, at in self._children(shape, place):
            yield from self._meet(below, at)
        if isinstance(shape, PointsTo):
            yield "    }"

    def _children(self, shape: Shape, place: str) -> Iterator[tuple[Shape, str]]:
        if not isinstance(shape, PointsTo):
            yield from children(shape, place, str)
            return
        for index, below in enumerate(shape.elements):
            yield below, f"({self._typed(shape, place)})[{index}]"

    def _typed(self, pointer: PointsTo, place: str) -> str:
        """The pointer, as one to elements of the object."""
        if pointer.inside:
            place = f"((const char *){place} - {member_offset(self.ctypes, pointer.target, pointer.inside)})"
        if pointer.target == BYTE:
            return f"(const volatile unsigned char *){place}"
        if not is_spellable(self.ctypes, pointer.target):
            return place
        return f"(__typeof__({declare(self.ctypes, pointer.target, '').strip()}) *){place}"

    # -- second walk: the numbers

    def _print(self, shape: Shape, place: str, stray: str) -> Iterator[str]:
        """`stray` is the C statement for a pointer to something that no input can describe."""
        match shape:
            case Leaf(slot=int()):
                yield self._print_leaf(shape, place)
            case PointsInto(slot=int()):
                yield from self._print_inner(shape, place)
            case Functions(slot=int()):
                yield from self._print_function(shape, place, stray)
            case PointsTo():
                yield from self._print_pointer(shape, place, stray)
                return
        for below, at in self._children(shape, place):
            yield from self._print(below, at, stray)

    def _print_leaf(self, leaf: Leaf, place: str) -> str:
        slot, size = slot_of(leaf), leaf.scalar.size
        if leaf.is_bit_field:
            return f"    tightrope_slot({slot}, ({UNSIGNED[size]}){place});"
        return f"    tightrope_bytes({slot}, (const volatile void *)&{place}, {size});"

    def _print_pointer(self, pointer: PointsTo, place: str, stray: str) -> Iterator[str]:
        number = self.numbers[pointer.object]
        yield f"    if (tightrope_owns[{number}]) {{"
        yield f"        tightrope_object({number});"
        if pointer.slot is not None:
            yield f"        tightrope_slot({pointer.slot}, 0);"
        for below, at in self._children(pointer, place):
            yield from self._print(below, at, stray)
        yield "    }"
        for index, other in enumerate(pointer.others, 1):
            yield f"    else if ({self._is_other(other, place)}) tightrope_slot({pointer.slot}, {index});"
        yield f"    else {stray}"

    def _is_other(self, other: str, place: str) -> str:
        if other == NULL:
            return f"{place} == 0"
        if is_address(other):
            return f"(unsigned long){place} == {other}"
        name, member = split_target(other)
        number = self.numbers[name]
        owner = next(one for one in objects_of(self.shape) if one.object == name)
        start = f"tightrope_met[{number}]"
        if element_of(other) is not None:
            start = f"(const volatile void *)&({self._typed(owner, start)}){member}"
        elif member and other != owner.own:
            start = f"(const volatile void *)&({self._typed(owner, start)})[0]{member}"
        return f"tightrope_owns[{number}] && (const volatile void *){place} == {start}"

    def _print_inner(self, pointer: PointsInto, place: str) -> Iterator[str]:
        start, size = f"(unsigned long)tightrope_met[{self.numbers[pointer.object]}]", f"sizeof *{place}"
        yield f"    if ({place} == 0) tightrope_slot({pointer.slot}, 0);"
        yield f"    else tightrope_slot({pointer.slot}, ((unsigned long){place} - {start}) / {size});"

    def _print_function(self, pointer: Functions, place: str, stray: str) -> Iterator[str]:
        for index, name in enumerate(pointer.names):
            other = "0" if name == NULL else f"(void *){name}"
            word = "else " * bool(index)
            yield f"    {word}if ((void *){place} == {other}) tightrope_slot({pointer.slot}, {index});"
        yield f"    else {stray}"

    # -- what whole programs read

    def _provided(self) -> Iterator[str]:
        for root in self.shape.globals:
            if is_drawn(root):
                yield from _print_draws(root)
            elif root.answers_of == STDIN and isinstance(root.shape, Leaf):
                yield from self._print_stdin(root.shape)

    def _print_stdin(self, length: Leaf) -> Iterator[str]:
        array = next(one for one in self.shape.globals if one.answers_of == STDIN and one.shape is not length)
        slots = ", ".join(str(slot_of(leaf)) for leaf in leaves_of(array))
        yield f"    {{ static const unsigned slots[] = {{{slots}}}; unsigned count = 0;"
        yield f"    for (int byte; count < {stdin_bytes(self.shape)} && (byte = getchar()) != EOF; count++)"
        yield "        tightrope_slot(slots[count], (unsigned char)byte);"
        yield f"    tightrope_slot({slot_of(length)}, count); }}"


def _print_draws(root: Root) -> Iterator[str]:
    """Print all draws that the test sets: which function will draw which value is not known before the call."""
    for at, leaf in enumerate(leaves_of(root)):
        member = "real" if leaf.scalar.kind == "float" else "number"
        narrow = leaf.scalar.kind == "float" and leaf.scalar.size == 4
        kind = ("float" if narrow else "double") if member == "real" else "long long"
        yield f"    if (tightrope_draws_given > {at}) {{ {kind} value = ({kind})tightrope_draws[{at}].{member};"
        yield f"        tightrope_bytes({slot_of(leaf)}, &value, {leaf.scalar.size}); }}"
