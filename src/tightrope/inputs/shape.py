"""The shape of a function's inputs: a tree whose leaves are the slots, and whose nodes say how C reaches them.

    int f(struct config *cfg, int n)         roots   cfg  PointsTo one `struct config`, or NULL: slot 0 says which
                                                            Fields   .level   Leaf  slot 1   path `cfg->level`
                                                                     .name    PointsTo 9 `char`, a string, ...
                                                     n    Leaf  slot 11

Where an object is stored is not decided here: `PointsTo.object` is a name from which the driver and the tests make
variable names of their own. Built by `inputs/shape_builder.py`.

A *choice* is a slot whose number says which target a pointer has: 0 is the first (the pointer's own object), n is the
n-th other one. A number without a target means the first, so that every number is valid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from types import MappingProxyType
from typing import TypeGuard, TypeVar

from tightrope.inputs.scalars import Input, Output, Scalar, Slot
from tightrope.program.declarations.c_types import BYTE_ID, TypeId
from tightrope.program.declarations.sequence import SequenceCall
from tightrope.program.declarations.stubs import Stub

T = TypeVar("T")
NULL = "NULL"
OWN_OBJECT = "an object"
BYTE = BYTE_ID
ASKED_FOR_NULL = "NULL was asked for"  # reasons of a FixedPointer
AS_INITIALISED = "it keeps its initial value"
TOO_DEEP = "the depth limit is reached"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar. Without a slot it is only observed."""

    path: str
    type: TypeId
    scalar: Scalar
    slot: int | None = None
    is_bit_field: bool = False
    is_constant: bool = False  # declared const: C refuses an assignment
    is_bound: bool = False  # no slot was left for it
    most: int | None = None  # values that are not above this are tried first
    is_limited: bool = False  # ... and no others: a wish fixes the number of elements
    is_unseen: bool = False  # no code reads it, but some may write it: zero before the call


@dataclass(frozen=True, slots=True)
class Fixed:
    """Something that is not an input: it keeps its initial value, and mostly is not observed."""

    path: str
    type: TypeId
    reason: str
    is_bound: bool = False  # a run that reads it depends on where the shape ends
    inside: Shape | None = None  # the part that is observed nevertheless, because the function may write there


@dataclass(frozen=True, slots=True)
class FixedPointer:
    """A pointer that is not an input: NULL, its initial value, or the C expression `text`."""

    path: str
    type: TypeId
    reason: str
    is_null: bool = True
    is_constant: bool = False
    is_bound: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Fields:
    """A struct: (member, its shape); an anonymous member has the name ''."""

    path: str
    type: TypeId
    members: tuple[tuple[str, Shape], ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A union, represented by the one member that is an input."""

    path: str
    type: TypeId
    member: str
    shape: Shape
    larger: tuple[str, ...] = ()  # other members, which are larger


@dataclass(frozen=True, slots=True)
class Elements:
    """An array. It may have more elements than those that are inputs."""

    path: str
    type: TypeId
    elements: tuple[Shape, ...]
    length: int


@dataclass(frozen=True, slots=True)
class PointsTo:
    """A pointer to the first of `count` objects of type `target`, which form one C object: a variable if `count` is 1,
    else an array whose first elements are inputs. The last element of a string is not an input: it is zero.
    With a slot, the pointer may have one of the targets `others` instead: NULL, the object of another pointer, a member
    of one (`list.head`), an element of one (`token[3]`), or the address of a device (`0x40020000`)."""

    path: str
    type: TypeId
    object: str
    target: TypeId
    count: int
    elements: tuple[Shape, ...]
    is_constant: bool = False
    slot: int | None = None
    others: tuple[str, ...] = ()
    is_string: bool = False
    is_bounded: bool = False  # we chose the count: a caller may pass more
    is_needed: bool = False  # the code uses so many elements: a caller must not pass fewer
    is_never_null: bool = False  # the C itself says so
    is_opaque: bool = False  # the type is incomplete: some bytes of which only the address matters
    flexible: str = ""  # the flexible array member of the object, which has room for `room` elements
    room: int = 0
    length: str = ""  # path of the integer that gives the number of elements
    is_cast: bool = False  # a wish asks for bytes, though the pointer has another type
    inside: str = ""  # the pointer leads to this member of the object: `.link`
    variants: tuple[str, ...] = ()  # those of the other targets that have another type

    @property
    def own(self) -> str:
        """Its first target: the object, or the member in it."""
        return self.object + self.inside

    @property
    def own_elements(self) -> tuple[str, ...]:
        """Those of the other targets that are elements of its object: it is not aligned there as at its start."""
        return tuple(one for one in self.others if element_of(one) is not None and split_target(one)[0] == self.object)

    @property
    def inner_targets(self) -> tuple[str, ...]:
        """Those of the other targets that are elements of another pointer's object."""
        return tuple(one for one in self.others if element_of(one) is not None and one not in self.own_elements)


@dataclass(frozen=True, slots=True)
class PointsInto:
    """A pointer to an element of another pointer's object, or one past the last; its slot is the index. Without a slot
    it equals the other pointer. It is NULL if the other pointer is."""

    path: str
    type: TypeId
    object: str
    count: int
    slot: int | None
    is_constant: bool = False
    owner_slot: int | None = None  # chooses the target of the other pointer: its own object, or one of `others`
    others: tuple[str, ...] = ()
    is_bounded: bool = False  # we chose how many elements there are


@dataclass(frozen=True, slots=True)
class Functions:
    """A function pointer: one of `names`, which are functions, stubs or NULL. With one name there is no slot."""

    path: str
    type: TypeId
    names: tuple[str, ...]
    slot: int | None = None
    is_constant: bool = False


Shape = Leaf | Fixed | FixedPointer | Fields | Alternatives | Elements | PointsTo | PointsInto | Functions
NameObject = Callable[[str], str]  # PointsTo.object -> the C name of its storage


@dataclass(frozen=True, slots=True)
class Root:
    """A parameter or a global of the interface, or an answer of a stub, which is a global of the driver's own."""

    name: str
    shape: Shape
    is_global: bool = False
    answers_of: str = ""  # the function that the stub stands for
    is_counter: bool = False  # of its calls: no input, but observed
    is_constant: bool = False  # the unit knows it as const
    is_argument: bool = False  # of `main`: not observed after the call
    is_hidden: bool = False  # no variable: it holds an object that other pointers may lead to


@dataclass(frozen=True, slots=True)
class InputShape:
    roots: tuple[Root, ...]  # parameters in their order, then globals
    result: Shape | None  # None: void
    notes: tuple[str, ...] = ()
    stubs: tuple[Stub, ...] = ()  # their answers are among the roots
    calls: tuple[SequenceCall, ...] = ()  # of a sequence: their arguments are the parameters
    written_slots: int = 0  # for what stubs write although nobody asked for it: they have a limit of their own

    @property
    def parameters(self) -> tuple[Root, ...]:
        return tuple(root for root in self.roots if not root.is_global)

    @property
    def globals(self) -> tuple[Root, ...]:
        return tuple(root for root in self.roots if root.is_global)


MOST_REMEMBERED = 2  # shapes: `diff` works with two at a time


def remembered(find: Callable[[InputShape], T]) -> Callable[[InputShape], T]:
    """What is found in the last shapes is remembered, by identity: a shape of thousands of nodes is asked for the same
    for each test, and its hash costs as much as the walk."""
    latest: list[tuple[InputShape, T]] = []

    @wraps(find)
    def ask(shape: InputShape) -> T:
        for known, answer in latest:
            if known is shape:
                return answer
        answer = find(shape)
        latest[:] = [(shape, answer), *latest[: MOST_REMEMBERED - 1]]
        return answer

    return ask


def children(shape: Shape, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The child nodes, each with the C expression of its storage if this node is stored at `place`."""
    match shape:
        case Fields():
            for member, below in shape.members:
                yield below, f"{place}.{member}" if member else place
        case Alternatives():
            yield shape.shape, f"{place}.{shape.member}" if shape.member else place
        case Fixed(inside=inside) if inside is not None:
            yield inside, place
        case Elements():
            for index, below in enumerate(shape.elements):
                yield below, f"{place}[{index}]"
        case PointsTo():
            name = name_object(shape.object)
            for index, below in enumerate(shape.elements):
                yield below, name if shape.count == 1 else f"{name}[{index}]"


def walk(shape: Shape, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The node and all its descendants, parents first."""
    yield shape, place
    for below, below_place in children(shape, place, name_object):
        yield from walk(below, below_place, name_object)


def map_shape(shape: Shape, change: Callable[[Shape], Shape]) -> Shape:
    """The shape with `change` applied to every node, children first."""
    match shape:
        case Fields():
            shape = replace(shape, members=tuple((name, map_shape(below, change)) for name, below in shape.members))
        case Alternatives():
            shape = replace(shape, shape=map_shape(shape.shape, change))
        case Elements() | PointsTo():
            shape = replace(shape, elements=tuple(map_shape(below, change) for below in shape.elements))
    return change(shape)


@remembered
def slots_of(shape: InputShape) -> tuple[Slot, ...]:
    """All slots of the shape, ordered by number."""
    nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
    found = [Slot(slot_of(node), node.path, slot_scalar(node)) for node in nodes if has_slot(node)]
    return tuple(sorted(found, key=lambda slot: slot.number))


def slot_of(node: HasSlot) -> int:
    """The slot of a node that is known to have one."""
    assert node.slot is not None
    return node.slot


HasSlot = Leaf | PointsTo | PointsInto | Functions


def has_slot(node: Shape) -> TypeGuard[HasSlot]:
    return isinstance(node, Leaf | PointsTo | PointsInto | Functions) and node.slot is not None


def slot_scalar(node: HasSlot) -> Scalar:
    """The type of the number in the node's slot."""
    match node:
        case Leaf():
            return node.scalar
        case PointsInto():
            return Scalar("unsigned", 8 if node.count < 256 else 16, 1 if node.count < 256 else 2)
        case PointsTo():
            return choice_scalar((OWN_OBJECT, *(other_words(one) for one in node.others)))
        case Functions():
            return choice_scalar(node.names)


def choice_scalar(words: Sequence[str]) -> Scalar:
    """The scalar of a choice among these words."""
    return Scalar("choice", (len(words) - 1).bit_length(), 1, members=tuple((w, n) for n, w in enumerate(words)))


def other_words(target: str) -> str:
    """A target of a pointer other than its own object, in words for reports."""
    return target if target == NULL or is_address(target) else f"same as {target}"


def is_address(target: str) -> bool:
    """Whether the target of a pointer is the address of a device, `0x40020000`, and no object."""
    return target.startswith("0x")


def chosen(targets: Sequence[T], raw: int, scalar: Scalar) -> T:
    """The target that the number in a choice's slot names."""
    number = raw & scalar.mask
    return targets[number] if number < len(targets) else targets[0]


@remembered
def objects_of(shape: InputShape) -> tuple[PointsTo, ...]:
    """Every pointer that has an object of its own."""
    nodes = (node for root in shape.roots for node, _ in walk(root.shape, root.name, str))
    return tuple(node for node in nodes if isinstance(node, PointsTo))


@remembered
def owners_of(shape: InputShape) -> Mapping[str, PointsTo]:
    """The same, by the names of the objects."""
    return MappingProxyType({pointer.object: pointer for pointer in objects_of(shape)})


def target_of(pointer: PointsTo, values: Input) -> str:
    """The object that the pointer leads to in this input, by name and with the member, if it is one; or NULL."""
    if pointer.slot is None:
        return pointer.own
    return chosen((pointer.own, *pointer.others), values[pointer.slot], slot_scalar(pointer))


def split_target(target: str) -> tuple[str, str]:
    """The name of an object, and the member or element in it: `list.head` -> `list`, `.head`."""
    found = _INSIDE.search(target)
    return (target[: found.start()], target[found.start() :]) if found else (target, "")


def element_of(target: str) -> int | None:
    """The number of the element, if the target of a pointer is an element of an object: `token[3]` -> 3."""
    found = _ELEMENT.fullmatch(target)
    return int(found[1]) if found else None


_INSIDE = re.compile(r"[.\[]")
_ELEMENT = re.compile(r"\w+\[(\d+)\]")


def entered_object(pointer: PointsInto, values: Input) -> str:
    """The name of the object into which the pointer leads in this input, or NULL: that of its owner."""
    if pointer.owner_slot is None:
        return pointer.object
    return chosen((pointer.object, *pointer.others), values[pointer.owner_slot], owner_scalar(pointer))


def owner_scalar(pointer: PointsInto) -> Scalar:
    return choice_scalar((OWN_OBJECT, *pointer.others))


def function_of(pointer: Functions, values: Input) -> str:
    """The function that the pointer leads to in this input, or NULL."""
    if pointer.slot is None:
        return pointer.names[0]
    return chosen(pointer.names, values[pointer.slot], slot_scalar(pointer))


def live_objects(shape: InputShape, values: Input, unused: Collection[str] = ()) -> frozenset[str]:
    """The objects that some pointer leads to in this input; pointers in the roots `unused` do not count."""
    owners = owners_of(shape)
    live: set[str] = set()
    waiting = [root.shape for root in shape.roots if root.name not in unused and not root.is_hidden]
    while waiting:
        for node, _ in walk_object(waiting.pop(), "", str):
            name = target_of(node, values) if isinstance(node, PointsTo) else ""
            name = entered_object(node, values) if isinstance(node, PointsInto) else name
            name = split_target(name)[0]
            if name in owners and name not in live:
                live.add(name)
                waiting.extend(owners[name].elements)
    return frozenset(live)


Observed = tuple[Output, Shape, str]  # what, the node it comes from, the C expression of its storage

POINTER_OUTPUT = Scalar("pointer", 64, 8)


def observe(shape: InputShape, result_place: str, name_object: NameObject) -> tuple[Observed, ...]:
    """What is observed after the call, ordered by number: the result, what parameters point to (the parameters
    themselves are copies that belong to the function), and the globals."""
    places: list[tuple[Shape, str]] = []
    if shape.result is not None:
        places += walk(shape.result, result_place, name_object)
    for root in shape.parameters:
        for node, place in walk(root.shape, root.name, name_object):
            if isinstance(node, PointsTo) and not root.is_argument:
                places += _own_storage(node, place, name_object)
    for root in shape.globals:
        if root.is_hidden and isinstance(root.shape, PointsTo):
            for below, at in children(root.shape, root.name, name_object):
                places += walk(below, at, name_object)
        elif root.is_counter or not (root.answers_of or _stays(root)):
            places += walk(root.shape, root.name, name_object)
    return tuple(_number(places))


@remembered
def outputs_of(shape: InputShape) -> tuple[Output, ...]:
    """What is observed after the call, without where it is stored."""
    return tuple(output for output, _, _ in observe(shape, "result", str))


def _stays(root: Root) -> bool:
    """Whether the root is constant and leads to no object, so that no code can change anything."""
    return root.is_constant and not any(isinstance(node, PointsTo) for node, _ in walk(root.shape, root.name, str))


def _own_storage(pointer: PointsTo, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The nodes inside the object itself. Targets of its pointers are visited separately."""
    for below, at in children(pointer, place, name_object):
        yield from walk_object(below, at, name_object)


def walk_object(shape: Shape, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The node and all its descendants in the same C object."""
    yield shape, place
    if not isinstance(shape, PointsTo):
        for below, at in children(shape, place, name_object):
            yield from walk_object(below, at, name_object)


def _number(places: list[tuple[Shape, str]]) -> Iterator[Observed]:
    scalars = [(observed_scalar(node), node, place) for node, place in places]
    seen = [(scalar, node, place) for scalar, node, place in scalars if scalar is not None]
    for number, (scalar, node, place) in enumerate(seen):
        yield Output(number, node.path, scalar), node, place


def observed_scalar(node: Shape) -> Scalar | None:
    """What is recorded of this node itself; None for nothing."""
    if isinstance(node, Leaf):
        return node.scalar
    return POINTER_OUTPUT if isinstance(node, PointsTo | PointsInto | FixedPointer) else None
