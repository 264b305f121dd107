"""The shape of a function's inputs: a tree whose leaves are the slots, and whose nodes say how C reaches them.

    int f(struct config *cfg, int n)         roots   cfg  PointsTo one `struct config`
                                                            Fields   .level   Leaf  slot 0   path `cfg->level`
                                                                     .name    PointsTo one `char`, ...
                                                     n    Leaf  slot 1

Where an object is stored is not decided here: `PointsTo.object` is a name that driver and tests turn into
their own. Built by `execution/shape_builder.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.execution.inputs import Output, Scalar, Slot
from tightrope.program.c_types import TypeId

BYTE: TypeId = -1  # `unsigned char`, for memory of unknown type
ASKED_FOR_NULL = "NULL was asked for"  # the reason of a FixedPointer


@dataclass(frozen=True, slots=True)
class ShapeOptions:
    """What a spec file can change. Paths are C words; `[_]` stands for every index."""

    pointer_counts: Mapping[str, int] = field(default_factory=dict)  # 0: NULL
    max_elements: int = 64  # of one array
    max_slots: int = 4096  # of one function
    pointer_depth: int = 2
    buffer_size: int = 8  # bytes behind a `void *`
    enum_values: str = "members"  # or 'any'


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar. Without a slot it is only observed."""

    path: str
    type: TypeId
    scalar: Scalar
    slot: int | None = None
    is_bit_field: bool = False
    is_constant: bool = False  # declared const: C refuses an assignment


@dataclass(frozen=True, slots=True)
class Fixed:
    """What stays zero, or as its initialiser says, and is not observed."""

    path: str
    type: TypeId
    reason: str


@dataclass(frozen=True, slots=True)
class FixedPointer:
    """A pointer that is NULL, or stays as its initialiser says."""

    path: str
    type: TypeId
    reason: str
    is_null: bool = True
    is_constant: bool = False


@dataclass(frozen=True, slots=True)
class Fields:
    """A struct: (member, its shape); an anonymous member has the name ''."""

    path: str
    type: TypeId
    members: tuple[tuple[str, Shape], ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A union, through the one member that is given values."""

    path: str
    type: TypeId
    member: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Elements:
    """An array. It may be longer than the elements that are given values."""

    path: str
    type: TypeId
    elements: tuple[Shape, ...]
    length: int


@dataclass(frozen=True, slots=True)
class PointsTo:
    """A pointer to the first of `count` objects of type `target` that are one C object: a variable if `count`
    is 1, else an array of which the first elements are given values."""

    path: str
    type: TypeId
    object: str
    target: TypeId
    count: int
    elements: tuple[Shape, ...]
    is_constant: bool = False


Shape = Leaf | Fixed | FixedPointer | Fields | Alternatives | Elements | PointsTo
NameObject = Callable[[str], str]  # PointsTo.object -> the C name of its storage


@dataclass(frozen=True, slots=True)
class Root:
    """A parameter or a global of the interface."""

    name: str
    shape: Shape
    is_global: bool = False


@dataclass(frozen=True, slots=True)
class InputShape:
    roots: tuple[Root, ...]  # parameters in their order, then globals
    result: Shape | None  # None: void
    notes: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[Root, ...]:
        return tuple(root for root in self.roots if not root.is_global)

    @property
    def globals(self) -> tuple[Root, ...]:
        return tuple(root for root in self.roots if root.is_global)


def children(shape: Shape, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The nodes below, each with the C expression of its storage when this node is stored at `place`."""
    match shape:
        case Fields():
            for member, below in shape.members:
                yield below, f"{place}.{member}" if member else place
        case Alternatives():
            yield shape.shape, f"{place}.{shape.member}" if shape.member else place
        case Elements():
            for index, below in enumerate(shape.elements):
                yield below, f"{place}[{index}]"
        case PointsTo():
            name = name_object(shape.object)
            for index, below in enumerate(shape.elements):
                yield below, name if shape.count == 1 else f"{name}[{index}]"


def walk(shape: Shape, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The node and all below, parents first."""
    yield shape, place
    for below, below_place in children(shape, place, name_object):
        yield from walk(below, below_place, name_object)


def slots_of(shape: InputShape) -> tuple[Slot, ...]:
    """In the order of their numbers."""
    nodes = (node for root in shape.roots for node, _ in walk(root.shape, root.name, str))
    return tuple(
        Slot(node.slot, node.path, node.scalar) for node in nodes if isinstance(node, Leaf) and node.slot is not None
    )


def objects_of(shape: InputShape) -> tuple[PointsTo, ...]:
    """Every pointer that has an object of its own."""
    nodes = (node for root in shape.roots for node, _ in walk(root.shape, root.name, str))
    return tuple(node for node in nodes if isinstance(node, PointsTo))


Observed = tuple[Output, Shape, str]  # what, the node it comes from, the C expression of its storage

POINTER_OUTPUT = Scalar("pointer", 64, 8)


def observe(shape: InputShape, result_place: str, name_object: NameObject) -> tuple[Observed, ...]:
    """What is looked at after the call, in the order of the numbers: the result, what parameters point to
    (the parameters themselves are the function's own copies), and the globals."""
    places: list[tuple[Shape, str]] = []
    if shape.result is not None:
        places += walk(shape.result, result_place, name_object)
    for root in shape.parameters:
        for node, place in walk(root.shape, root.name, name_object):
            if isinstance(node, PointsTo):
                places += _own_storage(node, place, name_object)
    for root in shape.globals:
        places += walk(root.shape, root.name, name_object)
    return tuple(_number(places))


def _own_storage(pointer: PointsTo, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The nodes inside the object itself; what its pointers point to is visited for them."""
    for below, at in children(pointer, place, name_object):
        yield from walk_object(below, at, name_object)


def walk_object(shape: Shape, place: str, name_object: NameObject) -> Iterator[tuple[Shape, str]]:
    """The node and all below that is stored in the same C object."""
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
    return POINTER_OUTPUT if isinstance(node, PointsTo | FixedPointer) else None
