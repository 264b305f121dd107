"""Shapes of values without pointers: numbers, arrays, records. `shape_builder.py` adds the targets of pointers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tightrope.inputs.hints import Hints, record_name
from tightrope.inputs.input_paths import Steps, any_number, member_path, read_path, sibling_path
from tightrope.inputs.length_ties import NOT_TIED, PlainTypes, TiedPaths, find_tied_paths, plain_types
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import (
    BYTE,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    Leaf,
    PointsTo,
    Root,
    Shape,
)
from tightrope.inputs.type_facts import (
    free_bits,
    has_pointer,
    holding_size,
    is_private,
    name_of,
    scalar_of,
)
from tightrope.inputs.wishes import Wish, Wishes
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CMember,
    CPointer,
    CRecord,
    CScalar,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.declare import has_const_elements, is_qualified, size_of
from tightrope.program.declarations.stubs import Stub
from tightrope.program.pointers.pointer_use import Holder

RESULT_PATH = "result"
AS_IT_IS = "it keeps its initial value, as asked"
UNSEEN = "no reachable code reads it: it stays zero"
NOBODY: Holder = ("", 0)  # the holder of the pointer is not known
_CONST = frozenset({"const"})
_BYTE_SCALAR = Scalar("unsigned", 8, 1)
_SAVED_STATE = frozenset({"__jmp_buf_tag"})  # jmp_buf
MOST_SLOTS = 4096
FEW_ELEMENTS = 16  # observed of an array that no code reads


@dataclass(frozen=True, slots=True)
class NodeContext:
    """What a node inherits from the nodes above it."""

    depth: int = 0  # pointers followed so far
    most_depth: int | None = None  # asked for at a node above
    declared_count: int | None = None
    devices: tuple[int, ...] = ()  # addresses that a pointer may have as well
    holder: Holder = NOBODY
    tie: TiedPaths = NOT_TIED  # of a pointer to its siblings
    room: int = 0  # for elements of the flexible array member of the record here
    is_parameter: bool = False
    keeps_pointers: bool = False
    is_frozen: bool = False  # nothing below is an input
    is_result: bool = False  # observed only
    is_unseen: bool = False  # no code reads it
    is_constant: bool = False

    def inside(self, holder: Holder = NOBODY) -> NodeContext:
        return replace(self, declared_count=None, devices=(), is_parameter=False, tie=NOT_TIED, holder=holder)

    def behind_pointer(self) -> NodeContext:
        tie = replace(self.tie, is_below=False) if self.tie.is_below else NOT_TIED
        return replace(self.inside(("element", self.holder)), depth=self.depth + 1, is_constant=False, tie=tie)


@dataclass(slots=True)
class ValueShapes(ABC):
    """Builds shapes, counts slots and remembers what it built. A subclass says what a pointer leads to."""

    ctypes: CTypes
    wishes: Wishes
    hints: Hints
    notes: dict[str, None] = field(default_factory=dict)
    roots: list[Root] = field(default_factory=list)
    stubs: list[Stub] = field(default_factory=list)
    slots: int = 0
    objects: dict[str, Steps] = field(default_factory=dict)  # name -> path of its pointer
    built: dict[Steps, PointsTo] = field(default_factory=dict)  # by path of the pointer
    held: dict[Holder, list[PointsTo]] = field(default_factory=dict)  # by holder of the pointer
    entered: set[Steps] = field(default_factory=set)  # paths of pointers into whose objects others lead
    limits: dict[Steps, int] = field(default_factory=dict)  # by path of the length
    top: list[PointsTo] = field(default_factory=list)  # pointers that are parameters or globals themselves
    asked_limits: set[Steps] = field(default_factory=set)
    first_counts: dict[str, int] = field(default_factory=dict)  # by object of `top`: elements before it grew
    led_to: set[tuple[str, str]] = field(default_factory=set)  # members of records to which pointers lead

    @property
    def types(self) -> PlainTypes:
        return plain_types(self.ctypes)

    # -- types

    def build(self, number: TypeId, path: str, context: NodeContext) -> Shape:
        kind = self.ctypes.strip(number)
        if isinstance(kind, CArray | CRecord) and not context.is_result and self.wish(path).is_fixed:
            return Fixed(path, number, AS_IT_IS)
        match kind:
            case CScalar() | CEnum():
                return self._leaf(number, path, context, scalar_of(kind), name_of(kind))
            case CPointer():
                return self._pointer(number, kind, path, context)
            case CArray():
                return self._array(number, kind, path, context)
            case CRecord():
                return self._record(number, kind, path, replace(context.inside(), room=context.room))
        return self._fixed(number, path, "its type has no values")

    def _leaf(
        self,
        number: TypeId,
        path: str,
        context: NodeContext,
        scalar: Scalar | None,
        name: str,
        is_bit_field: bool = False,
    ) -> Shape:
        if scalar is None:
            return self._fixed(number, path, f"{name} is not supported as an input: it stays zero", is_bit_field)
        if context.is_frozen:
            return self._fixed(number, path, "const and defined in another file: it stays zero", is_bit_field)
        if not context.is_result and self.wish(path).is_fixed:
            return Fixed(path, number, AS_IT_IS)
        slot = None if context.is_result else self._next_slot()
        is_bound = slot is None and not context.is_result
        if is_bound:
            self.note(f"{path} and all that follows keeps its initial value: there are more than {MOST_SLOTS} inputs")
        allowed, is_unseen = self._allowed(scalar, path), context.is_unseen
        return Leaf(path, number, allowed, slot, is_bit_field, context.is_constant, is_bound, is_unseen=is_unseen)

    def _allowed(self, scalar: Scalar, path: str) -> Scalar:
        """The scalar; without members if the enum may have any value."""
        wanted = self.wish(path).enum
        return (
            replace(scalar, kind="signed" if scalar.is_signed else "unsigned", members=())
            if (scalar.kind == "enum" and wanted == "any")
            else scalar
        )

    def wish(self, path: str) -> Wish:
        return self.wishes.for_path(path) if self.wishes.rows else Wish()

    def limited(self, node: Shape) -> Shape:
        """The leaf, limited to the number of elements if it is the length of an array."""
        if not self.limits or not isinstance(node, Leaf) or node.slot is None:
            return node
        most = self.limits.get(read_path(node.path))
        return node if most is None else replace(node, most=most, is_limited=read_path(node.path) in self.asked_limits)

    def _next_slot(self) -> int | None:
        if self.slots >= MOST_SLOTS:
            return None
        self.slots += 1
        return self.slots - 1

    def _fixed(self, number: TypeId, path: str, reason: str, is_bit_field: bool = False) -> Fixed:
        self.note(f"{path}: {reason}")
        return Fixed(path, number, reason, is_bound=not is_bit_field)

    def note(self, text: str) -> None:
        """Add a note; the same note for several elements of an array is added once."""
        self.notes[any_number(text)] = None

    def _array(self, number: TypeId, kind: CArray, path: str, context: NodeContext) -> Shape:
        if context.is_parameter or (context.is_result and path == RESULT_PATH):
            return self._fixed(number, path, "a vector is not supported as an input: it stays zero")
        length = context.room if kind.count is None else kind.count
        if kind.count is None and not length:
            self.note(f"{path}: an array whose type has no length has no elements here")
        elements = self._elements(kind.element, length, path, replace(context.inside(context.holder), room=0))
        if kind.count is None:
            for path_of_length in context.tie.lengths:
                self.limits[read_path(path_of_length)] = len(elements)
        return Elements(path, number, elements, length)

    def _elements(self, element: TypeId, length: int, path: str, context: NodeContext) -> tuple[Shape, ...]:
        most = max(self.wishes.max_elements, self.wishes.growth.elements_of(path))
        shown = min(length, self.wish(path).count or most)
        if shown < length:
            self.note(f"{path}: only the first {shown} of {length} elements are inputs")
        base = f"({path})" if path.startswith("*") else path
        return tuple(self._element(element, f"{base}[{index}]", context) for index in range(shown))

    def _element(self, element: TypeId, path: str, context: NodeContext) -> Shape:
        if element != BYTE:
            return self.build(element, path, context)
        return self._leaf(BYTE, path, context, _BYTE_SCALAR, "byte")

    def _record(self, number: TypeId, kind: CRecord, path: str, context: NodeContext) -> Shape:
        if kind.tag in _SAVED_STATE or is_private(kind):
            return self._fixed(number, path, "only the C library knows what it contains")
        if kind.kind == "union":
            return self._union(number, kind, path, context)
        name = record_name(self.ctypes, number)
        holders: list[Holder] = [("member", name, member.bit_offset // 8) for member in kind.members]
        siblings = [(one.name, one.type, holder) for one, holder in zip(kind.members, holders, strict=True)]
        ties = {} if context.is_result else self._tied(siblings, path, are_members=True)
        members = []
        for member, holder in zip(kind.members, holders, strict=True):
            inside = replace(context.inside(holder), tie=ties.get(member.name, NOT_TIED))
            inside = inside if member is kind.members[-1] else replace(inside, room=0)
            members.append((member.name, self._member(member, path, inside, name)))
        return Fields(path, number, tuple(members))

    def _union(self, number: TypeId, kind: CRecord, path: str, context: NodeContext) -> Shape:
        if not kind.members:
            return Fields(path, number, ())
        wanted = self.wish(path).member
        by_name = {member.name: member for member in kind.members}
        chosen = max(
            kind.members, key=lambda one: (not has_pointer(self.ctypes, one.type), free_bits(self.ctypes, one))
        )
        chosen = by_name.get(wanted or "", chosen)
        if len(kind.members) > 1:
            self.note(f"{path}: a union; its input is the member `{chosen.name or 'without a name'}`")
        size = size_of(self.ctypes, chosen.type)
        others = [one for one in kind.members if one.name and one.bit_size is None]
        larger = tuple(one.name for one in others if size_of(self.ctypes, one.type) > size)
        return Alternatives(path, number, chosen.name, self._member(chosen, path, context, ""), larger)

    def _member(self, member: CMember, path: str, context: NodeContext, record: str) -> Shape:
        below = member_path(path, member.name)
        if is_qualified(self.ctypes, member.type, _CONST) or has_const_elements(self.ctypes, member.type):
            context = replace(context, is_constant=True)
        if self._is_out_of_sight(member, record, context):
            unseen = NodeContext(is_result=True, is_unseen=True, is_constant=context.is_constant)
            few = Wishes(max_elements=FEW_ELEMENTS)
            inside = type(self)(self.ctypes, few, self.hints).build(member.type, below, unseen)
            has_size = member.bit_size is None and not self._is_flexible(member.type)
            return Fixed(below, member.type, UNSEEN, is_bound=has_size, inside=inside)
        if member.bit_size is None:
            return self.build(member.type, below, context)
        kind = self.ctypes.strip(member.type)
        scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
        narrow = scalar and replace(scalar, bits=member.bit_size, size=holding_size(member.bit_size))
        if narrow and narrow.kind == "char":
            narrow = replace(narrow, kind="signed" if narrow.is_signed else "unsigned")
        if context.is_constant and not context.is_result:
            return self._fixed(member.type, below, "a const bit-field cannot be an input: it stays zero", True)
        return self._leaf(member.type, below, context, narrow, "this bit-field", is_bit_field=True)

    def _is_flexible(self, number: TypeId) -> bool:
        """An array without a length, which has no `sizeof`."""
        kind = self.ctypes.strip(number)
        return isinstance(kind, CArray) and kind.count is None

    def _is_out_of_sight(self, member: CMember, record: str, context: NodeContext) -> bool:
        """Whether no reachable code reads this member. Small members remain inputs, unless they are pointers, so that a
        struct that is compared or copied as a whole has the expected values."""
        if not record or context.is_result or context.depth == 0 or member.bit_size is not None:
            return False
        if (record, member.name) in self.led_to:
            return False
        return not self.hints.may_touch(record, member.bit_offset // 8)

    @abstractmethod
    def _pointer(self, number: TypeId, kind: CPointer, path: str, context: NodeContext) -> Shape: ...

    def _tied(
        self, siblings: Sequence[tuple[str, TypeId, Holder]], path: str, are_members: bool = False
    ) -> dict[str, TiedPaths]:
        """The ties of siblings, by the name of the pointer. Remembers which objects are targets of other pointers."""
        wished = [self.wish(sibling_path(path, name)).into for name, _, _ in siblings if name]
        found = find_tied_paths(self.types, self.hints, siblings, path, are_members)
        starts = [one.start for one in found.values()]
        self.entered |= {read_path(one) for one in (*wished, *starts) if one}
        return found
