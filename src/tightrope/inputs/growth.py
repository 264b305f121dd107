"""Shapes that grow: a size that nobody asked for is where a search starts, not where it ends.

    runs read past the 8 elements of `ev`        felt: the end of the object of `ev`
    objectives are open                          ev grows to 16 elements, then 32 ..., up to the limit

What can grow: the elements of an array, a string or a buffer behind a pointer, those elements of an array that are
inputs, the room of a flexible array member, the depth of linked structures, and the number of answers of a stub. A size
that a wish, an option or a declaration gives does not grow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.inputs.input_paths import any_number, member_path, steps_of
from tightrope.inputs.scalars import Input, Slot, first_input
from tightrope.inputs.shape import (
    BYTE,
    TOO_DEEP,
    Alternatives,
    Elements,
    Fields,
    FixedPointer,
    InputShape,
    PointsTo,
    Shape,
    has_slot,
    objects_of,
    slots_of,
    walk,
)
from tightrope.inputs.stub_answers import calls_name
from tightrope.inputs.texts import given_by_call
from tightrope.inputs.wishes import NO_GROWTH, Growth, Wishes
from tightrope.program.declarations.c_types import CArray, CRecord, CTypes, TypeId
from tightrope.program.declarations.declare import size_of

MOST_DEPTH = 12
MOST_ANSWERS = 64
ALL = 1 << 20
DEEPER = 2  # pointers that are added at once
MOST_ROOMY = 96  # slots; of larger shapes, only the pointer grows that was felt, by one: all others would be too many

FeltPlace = tuple[str, int]  # name of a variable in C, byte in it


@dataclass(frozen=True, slots=True)
class FeltSize:
    """A size that some run has reached the end of."""

    kind: str  # 'elements', 'depth' or 'answers': as the fields of Growth
    path: str  # with `[_]` for every index
    size: int  # now
    most: int = ALL  # there are no more
    setting: str = ""  # the option that gives it by default
    slots: int = 1  # that each further one costs
    is_string: bool = False
    length: str = ""  # path of the integer that tells how many there are
    step: int = DEEPER  # of a depth
    is_text: bool = False  # answers of a stub that gives one character of a text with each call


def find_felt_sizes(
    ctypes: CTypes, shape: InputShape, places: Iterable[FeltPlace], object_name: Callable[[str], str], wishes: Wishes
) -> tuple[FeltSize, ...]:
    """The sizes whose ends are at these places, without those that somebody asked for. Places that no size explains
    are ignored."""
    objects = {object_name(node.object): node for node in objects_of(shape)}
    roots = {root.name: root for root in shape.globals if not root.answers_of}
    stubs, texts = {calls_name(stub): stub for stub in shape.stubs}, given_by_call(shape)
    search = _FeltSearch(ctypes, wishes, is_roomy=len(slots_of(shape)) <= MOST_ROOMY)
    found: dict[tuple[str, str], FeltSize] = {}
    for variable, byte in places:
        sizes: Iterator[FeltSize] = iter(())
        if variable in objects:
            sizes = search.in_object(objects[variable], byte)
        elif variable in roots:
            sizes = search.inside(roots[variable].shape, byte)
        elif variable in stubs:
            stub = stubs[variable]
            cost = sum(has_slot(node) for root in shape.globals if root.answers_of == stub.path
                       for node, _ in walk(root.shape, "", str))  # fmt: skip
            sizes = iter([FeltSize("answers", stub.path, stub.answers, MOST_ANSWERS, "answers",
                                   -(-cost // max(1, stub.answers)), is_text=stub.path in texts)])  # fmt: skip
        found |= {(each.kind, each.path): each for each in sizes if each.setting not in wishes.asked}
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _FeltSearch:
    ctypes: CTypes
    wishes: Wishes
    is_roomy: bool = True

    def in_object(self, pointer: PointsTo, byte: int) -> Iterator[FeltSize]:
        size = self._size(pointer.target)
        index, given = byte // size, len(pointer.elements)
        content = _content_path(pointer)
        if pointer.flexible and index:
            path = any_number(member_path(f"*{content}", pointer.flexible))
            yield FeltSize("elements", path, pointer.room, setting="array_length")
        elif index < given:
            yield from self.inside(pointer.elements[index], byte % size)
        elif pointer.is_bounded and not pointer.is_opaque:
            cost = max((_count_slots(one) for one in pointer.elements), default=1)
            most = self.wishes.max_elements if "max_elements" in self.wishes.asked else ALL
            yield FeltSize("elements", any_number(content), given, most, _setting(pointer), cost,
                           pointer.is_string, pointer.length)  # fmt: skip

    def inside(self, node: Shape, byte: int) -> Iterator[FeltSize]:
        """Within one object: what is there at this byte."""
        match node:
            case FixedPointer(reason=reason) if reason == TOO_DEEP:
                root = (steps_of(node.path) or (node.path,))[0]
                at, step = (root, DEEPER) if self.is_roomy else (any_number(node.path), 1)
                yield FeltSize("depth", at, self.wishes.depth_of(at), MOST_DEPTH, "depth", step=step)
            case Elements():
                kind = self.ctypes.strip(node.type) if node.type != BYTE else None
                size = self._size(kind.element) if isinstance(kind, CArray) else 1
                index = byte // size
                if index < len(node.elements):
                    yield from self.inside(node.elements[index], byte % size)
                else:
                    cost = max((_count_slots(one) for one in node.elements), default=1)
                    yield FeltSize("elements", any_number(node.path), len(node.elements), node.length,
                                   "max_elements", cost)  # fmt: skip
            case Alternatives():
                yield from self.inside(node.shape, byte)
            case Fields():
                yield from self._in_record(node, byte)

    def _in_record(self, node: Fields, byte: int) -> Iterator[FeltSize]:
        kind = self.ctypes.strip(node.type)
        if isinstance(kind, CRecord) and len(kind.members) == len(node.members):
            for member, (_, below) in zip(kind.members, node.members, strict=True):
                start = member.bit_offset // 8
                if start <= byte < start + max(1, self._size(member.type)):
                    yield from self.inside(below, byte - start)

    def _size(self, number: TypeId) -> int:
        return 1 if number == BYTE else max(1, size_of(self.ctypes, number))


def _content_path(pointer: PointsTo) -> str:
    """The path of the object. One that the pointer leads into has a path of its own: `node::item`."""
    return re.sub(r"^\*|\[0\]$", "", pointer.elements[0].path) if pointer.inside else pointer.path


def _setting(pointer: PointsTo) -> str:
    """The option that gives its size by default."""
    return "buffer_size" if pointer.target == BYTE else "string_length" if pointer.is_string else "array_length"


def _count_slots(node: Shape) -> int:
    return sum(has_slot(each) for each, _ in walk(node, "", str))


def grow(
    growth: Growth,
    felt: Sequence[FeltSize],
    limit: int,
    slots_left: int,
    texts: Sequence[bytes] = (),
    scanned: Sequence[bytes] = (),
    compared: Callable[[str], Sequence[int]] = lambda length: (),
) -> Growth:
    """The growth after these sizes were felt: each doubles, up to the limit, as far as there are slots for them. A
    string grows at once to the longest text that the code compares with; what has a length, to the largest number that
    the length is compared with. Where a text comes one character with each call, and with it the answers of other
    stubs, all of these grow to the longest text that the code scans."""
    grown, by_call = growth, [len(text) + 1 for text in scanned] if any(each.is_text for each in felt) else []
    for each in felt:
        evidence = [len(text) + 1 for text in texts] if each.is_string else []
        evidence += [number + 1 for number in compared(each.length)] if each.length else []
        evidence += by_call if each.kind == "answers" else []
        for known in (evidence, []):
            larger = min(_next_size(each, limit, known), each.most)
            cost = (larger - each.size) * each.slots
            if larger > each.size and cost <= slots_left:
                slots_left -= cost
                grown = grown.with_size(each.kind, each.path, larger)
                break
    return grown


def _next_size(felt: FeltSize, limit: int, evidence: Sequence[int]) -> int:
    if felt.kind == "depth":
        return felt.size + felt.step
    if felt.kind == "answers":
        return max(2 * felt.size, *evidence, 0)
    return min(limit, max([2 * felt.size, *(each for each in evidence if each <= limit)]))


def describe_limits(shape: InputShape, wishes: Wishes, limit: int) -> str:
    """How far sizes may grow; '' if none may."""
    nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
    words = []
    if limit and any(_may_have_more(node, wishes) for node in nodes):
        words.append(f"arrays and strings to {limit} elements")
    if limit and any(isinstance(node, FixedPointer) and node.reason == TOO_DEEP for node in nodes):
        words += [f"linked structures to {MOST_DEPTH} pointers"] if "depth" not in wishes.asked else []
    stubs = {stub.path for stub in shape.stubs}  # standard input has answers, too, and no stub
    if limit and any(root.answers_of in stubs and not root.is_counter for root in shape.roots):
        words += [f"stubs to {MOST_ANSWERS} answers"] if "answers" not in wishes.asked else []
    return ", ".join(words)


def _may_have_more(node: Shape, wishes: Wishes) -> bool:
    match node:
        case PointsTo(is_bounded=True, is_opaque=False) if node.count > 1 or node.flexible:
            return _setting(node) not in wishes.asked
        case Elements():
            return len(node.elements) < node.length and "max_elements" not in wishes.asked
    return False


def growth_for(values: Mapping[str, object]) -> Growth:
    """The growth that a shape needs to have these inputs, by path; a text or a list has as many elements."""
    elements: dict[str, int] = {}
    depth: dict[str, int] = {}
    answers: dict[str, int] = {}
    for path, value in values.items():
        whole = f"{path}[{len(value) - 1}]" if isinstance(value, str | list) and value else path
        for index in re.finditer(r"\[(\d+)\]", whole):
            before = re.sub(r"^\((.*)\)$", r"\1", any_number(whole[: index.start()]))
            elements[before] = max(elements.get(before, 0), int(index[1]) + 1)
        for call in re.finditer(r"([^*(]+)#(\d+)", whole):
            answers[call[1]] = max(answers.get(call[1], 0), int(call[2]))
        root = (steps_of(path) or (path,))[0]
        depth[root] = max(depth.get(root, 0), whole.count("->") + whole.count("[") + whole.count("*"))
    return Growth(elements, depth, answers)


def join_growths(growths: Iterable[Growth]) -> Growth:
    """The growth that is large enough for all."""
    total = NO_GROWTH
    for each in growths:
        for kind in ("elements", "depth", "answers"):
            for path, size in getattr(each, kind).items():
                total = total.with_size(kind, path, max(size, getattr(total, kind).get(path, 0)))
    return total


def carry_over(values: Input, old: Sequence[Slot], new: Sequence[Slot], *, repeats: bool = False) -> Input:
    """The input of a smaller shape as an input of a larger one: slots are paired by path; new ones keep their first
    value. `repeats`: further answers of a stub are those that there are, again and again, so that a loop that went on
    to the last one goes on."""
    known = {_key(slot): (slot, raw) for slot, raw in zip(old, values, strict=True)}
    calls = _count_calls(old) if repeats else {}
    numbers = list(first_input(tuple(new)))
    for slot in new:
        found = known.get(_key(slot)) or known.get(_key(slot, _earlier_call(slot.path, calls)))
        if found is not None:
            numbers[slot.number] = _convert(*found, slot)
    return tuple(numbers)


def _key(slot: Slot, path: str = "") -> tuple[str, ...]:
    path = path or slot.path
    return steps_of(path) or (path,)


def _count_calls(slots: Iterable[Slot]) -> dict[str, int]:
    """By what stands before the number of the call: the last one."""
    calls: dict[str, int] = {}
    for slot in slots:
        for call in _CALL.finditer(slot.path):
            calls[call[1]] = max(calls.get(call[1], 0), int(call[2]))
    return calls


def _earlier_call(path: str, calls: Mapping[str, int]) -> str:
    """The same place in the answer that is repeated there; '' if none is."""
    call = _CALL.search(path)
    most = calls.get(call[1], 0) if call else 0
    if call is None or not most or int(call[2]) <= most:
        return ""
    return f"{path[: call.start(2)]}{1 + (int(call[2]) - 1) % most}{path[call.end(2) :]}"


_CALL = re.compile(r"([^*(]+)#([0-9]+)")


def _convert(slot: Slot, raw: int, other: Slot) -> int:
    """The same value; of a choice, the one with the same name."""
    if slot.scalar.kind != "choice" or slot.scalar == other.scalar:
        return raw & other.scalar.mask
    names = {number: name for name, number in slot.scalar.members}
    return dict(other.scalar.members).get(names.get(raw & slot.scalar.mask, ""), 0)
