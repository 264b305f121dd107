"""Chooses the shape of a function's inputs from their C types: see `execution/shape.py` for what comes out.

Defaults need no configuration. A pointer leads to one object, to an array where the code or a length beside it says
so, to a string where it is a `char *`; it may be NULL. Linked structures end after `depth` pointers. Where a default
is narrower than what a caller could give, the shape knows its *bounds*, so that nothing is proved by them.
What people ask for (`execution/wishes.py`) comes before all that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tightrope.execution.hints import NO_HINTS, Hints, record_name
from tightrope.execution.input_paths import Steps, any_number, read_path
from tightrope.execution.inputs import Scalar
from tightrope.execution.shape import (
    AS_INITIALISED,
    ASKED_FOR_NULL,
    BYTE,
    NULL,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Functions,
    InputShape,
    Leaf,
    PointsInto,
    PointsTo,
    Root,
    Shape,
    map_shape,
)
from tightrope.execution.siblings import NOTHING_BESIDE, Beside, PlainTypes, beside, look_beside, member_path
from tightrope.execution.sizes import Size, choose_size
from tightrope.execution.stubs import answer_roots, counter_roots, describe_stubs
from tightrope.execution.type_facts import (
    flexible_member,
    free_bits,
    has_pointer,
    holding_size,
    is_only_declared,
    is_private,
    is_restrict,
    name_of,
    scalar_of,
    used_as,
    why_null,
)
from tightrope.execution.wishes import Wish, Wishes
from tightrope.program.c_types import (
    CArray,
    CEnum,
    CFunctionType,
    CMember,
    CPointer,
    CRecord,
    CScalar,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declare import has_const_elements, is_qualified, size_of
from tightrope.program.interface import Interface, InterfaceGlobal, InterfaceParameter
from tightrope.program.pointer_use import Holder
from tightrope.program.stubs import Stub, stub_for_signature

NOBODY: Holder = ("", 0)  # nobody is known to hold the pointer
_CONST = frozenset({"const"})
_BYTE_SCALAR = Scalar("unsigned", 8, 1)
_SAVED_STATE = frozenset({"__jmp_buf_tag"})  # jmp_buf
MANY_SLOTS = 1024  # a shape with more is built again, less deep
MOST_SLOTS = 4096
MOST_ANSWER_SLOTS = 256  # of one stub
FEW_ELEMENTS = 16  # observed of an array that no code looks at


def choose_shape(
    ctypes: CTypes, interface: Interface, wishes: Wishes | None = None, hints: Hints = NO_HINTS
) -> InputShape:
    """The shape of all inputs of the function, and of its result."""
    wishes = wishes or Wishes()
    builder = _build_all(ctypes, interface, wishes, hints)
    while builder.slots > MANY_SLOTS and builder.wishes.depth > 1:
        wishes = replace(wishes, depth=builder.wishes.depth - 1)
        builder = _build_all(ctypes, interface, wishes, hints)
    result = None
    if not isinstance(ctypes.strip(interface.result), CVoid):
        result = _Builder(ctypes, wishes, hints).build(interface.result, RESULT_PATH, _Context(is_result=True))
    roots = tuple(replace(root, shape=map_shape(root.shape, builder.limited)) for root in builder.roots)
    return InputShape(roots, result, tuple(builder.notes), tuple(builder.stubs))


def _build_all(ctypes: CTypes, interface: Interface, wishes: Wishes, hints: Hints) -> _Builder:
    builder = _Builder(ctypes, wishes, hints)
    builder.add_parameters(interface.parameters)
    for one in interface.globals:
        builder.add_global(one)
    known = {stub.name for stub in interface.stubs}
    for missing in interface.reached_missing:
        if missing.name not in known:
            builder.note(f"{missing.name}(): it has no body here, so it does nothing and returns zero")
    for loose in interface.reached_loose:
        verb = "returns" if loose.answer else "is"
        builder.note(f"{loose.name}: it is in a file that is not linked, and {verb} zero")
    builder.add_stubs(interface.stubs, interface.answers)
    return builder


@dataclass(frozen=True, slots=True)
class _Context:
    """What surrounds a node."""

    depth: int = 0  # pointers followed so far
    most_depth: int | None = None  # asked for at a node above
    declared_count: int | None = None
    holder: Holder = NOBODY
    tie: Beside = NOTHING_BESIDE  # of a pointer to what is beside it
    room: int = 0  # for elements of the flexible array member of the record here
    is_parameter: bool = False
    keeps_pointers: bool = False
    is_frozen: bool = False  # nothing below is an input
    is_result: bool = False  # observed only
    is_unseen: bool = False  # no code looks at it
    is_constant: bool = False

    def inside(self, holder: Holder = NOBODY) -> _Context:
        return replace(self, declared_count=None, is_parameter=False, tie=NOTHING_BESIDE, holder=holder)

    def behind_pointer(self) -> _Context:
        tie = replace(self.tie, is_below=False) if self.tie.is_below else NOTHING_BESIDE
        return replace(self.inside(("element", self.holder)), depth=self.depth + 1, is_constant=False, tie=tie)


@dataclass(slots=True)
class _Builder:
    ctypes: CTypes
    wishes: Wishes
    hints: Hints
    types: PlainTypes = field(init=False)
    notes: dict[str, None] = field(default_factory=dict)
    roots: list[Root] = field(default_factory=list)
    stubs: list[Stub] = field(default_factory=list)
    slots: int = 0
    objects: dict[str, Steps] = field(default_factory=dict)  # name -> path of its pointer
    built: dict[Steps, PointsTo] = field(default_factory=dict)  # by path of the pointer
    entered: set[Steps] = field(default_factory=set)  # paths of pointers into whose objects others lead
    limits: dict[Steps, int] = field(default_factory=dict)  # by path of the length
    top: list[PointsTo] = field(default_factory=list)  # pointers that are parameters or globals themselves
    asked_limits: set[Steps] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.types = PlainTypes(self.ctypes)

    # -- roots

    def add_parameters(self, parameters: Sequence[InterfaceParameter]) -> None:
        ties = self._tied([(one.name, one.type, ("parameter", at)) for at, one in enumerate(parameters)], "")
        contexts: list[tuple[InterfaceParameter, _Context]] = []
        for index, one in enumerate(parameters):
            context = _Context(
                declared_count=one.count,
                holder=("parameter", index),
                tie=ties.get(one.name, NOTHING_BESIDE),
                is_parameter=True,
            )
            contexts.append((one, context))
        leading = sorted(contexts, key=lambda row: bool(self._leads_elsewhere(row[0].name, row[1])))  # others first
        built = {one.name: Root(one.name, self.build(one.type, one.name, context)) for one, context in leading}
        self.roots += [built[one.name] for one in parameters]

    def _leads_elsewhere(self, path: str, context: _Context) -> str:
        """The path of the pointer that this one is asked, or named, to share its object with."""
        wish = self.wish(path)
        return wish.into or wish.same_as or ("" if wish.kind else context.tie.start)

    def add_global(self, one: InterfaceGlobal) -> None:
        context = _Context(
            keeps_pointers=one.holds_addresses, is_frozen=one.is_constant, holder=("global", one.ir_name)
        )
        shape, is_constant = self.build(one.type, one.name, context), bool(one.storage)
        self.roots.append(Root(one.storage or one.name, shape, is_global=True, is_constant=is_constant))

    def add_stubs(self, stubs: Sequence[Stub], answers: int) -> None:
        """After all others, because function pointers among the inputs add theirs."""
        known = [*stubs, *(replace(stub, answers=answers) for stub in self.stubs)]
        self.stubs = [self._add_stub(stub) for stub in known]
        for note in describe_stubs(self.ctypes, self.stubs):
            self.note(note)

    def _add_stub(self, stub: Stub) -> Stub:
        """Answers that are large structures are fewer."""
        start = self.slots
        for call in range(stub.answers):
            if call and (self.slots - start) * (call + 1) > MOST_ANSWER_SLOTS * call:
                stub = replace(stub, answers=call)
                break
            self.roots.extend(answer_roots(self.ctypes, stub, call, self._answer, self._next_slot))
        self.roots.extend(counter_roots(stub))
        return stub

    def _answer(self, number: TypeId, path: str) -> Shape:
        function = path.lstrip("*(").partition("#")[0]
        return self._element(number, path, _Context(holder=("answer", function)))

    def _tied(
        self, siblings: Sequence[tuple[str, TypeId, Holder]], path: str, are_members: bool = False
    ) -> dict[str, Beside]:
        """By name of the pointer. Remembers into which objects others lead."""
        wished = [self.wish(beside(path, name)).into for name, _, _ in siblings if name]
        found = look_beside(self.types, self.hints, siblings, path, are_members)
        starts = [one.start for one in found.values()]
        self.entered |= {read_path(one) for one in (*wished, *starts) if one}
        return found

    # -- types

    def build(self, number: TypeId, path: str, context: _Context) -> Shape:
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
        self, number: TypeId, path: str, context: _Context, scalar: Scalar | None, name: str, is_bit_field: bool = False
    ) -> Shape:
        if scalar is None:
            return self._fixed(number, path, f"{name} is not an input: it stays zero", is_bit_field)
        if context.is_frozen:
            return self._fixed(number, path, "const and defined elsewhere: it stays zero", is_bit_field)
        if not context.is_result and self.wish(path).is_fixed:
            return Fixed(path, number, AS_IT_IS)
        slot = None if context.is_result else self._next_slot()
        is_bound = slot is None and not context.is_result
        if is_bound:
            self.note(f"{path} and what follows stay as they are: more than {MOST_SLOTS} inputs")
        allowed, is_unseen = self._allowed(scalar, path), context.is_unseen
        return Leaf(path, number, allowed, slot, is_bit_field, context.is_constant, is_bound, is_unseen=is_unseen)

    def _allowed(self, scalar: Scalar, path: str) -> Scalar:
        """An enum that may be any number has no members to keep to."""
        wanted = self.wish(path).enum
        return (
            replace(scalar, kind="signed" if scalar.is_signed else "unsigned", members=())
            if (scalar.kind == "enum" and wanted == "any")
            else scalar
        )

    def wish(self, path: str) -> Wish:
        return self.wishes.for_path(path) if self.wishes.rows else Wish()

    def limited(self, node: Shape) -> Shape:
        """With what is known of the number of elements that it stands for."""
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
        """Elements of one array say the same thing once."""
        self.notes[any_number(text)] = None

    def _array(self, number: TypeId, kind: CArray, path: str, context: _Context) -> Shape:
        if context.is_parameter or path == RESULT_PATH:
            return self._fixed(number, path, "a vector is not an input: it stays zero")
        length = context.room if kind.count is None else kind.count
        if kind.count is None and not length:
            self.note(f"{path}: a flexible array member has no elements")
        elements = self._elements(kind.element, length, path, replace(context.inside(context.holder), room=0))
        if kind.count is None:
            for path_of_length in context.tie.lengths:
                self.limits[read_path(path_of_length)] = len(elements)
        return Elements(path, number, elements, length)

    def _elements(self, element: TypeId, length: int, path: str, context: _Context) -> tuple[Shape, ...]:
        shown = min(length, self.wish(path).count or self.wishes.max_elements)
        if shown < length:
            self.note(f"{path}: only the first {shown} of {length} elements are inputs")
        base = f"({path})" if path.startswith("*") else path
        return tuple(self._element(element, f"{base}[{index}]", context) for index in range(shown))

    def _element(self, element: TypeId, path: str, context: _Context) -> Shape:
        if element != BYTE:
            return self.build(element, path, context)
        return self._leaf(BYTE, path, context, _BYTE_SCALAR, "byte")

    def _record(self, number: TypeId, kind: CRecord, path: str, context: _Context) -> Shape:
        if kind.tag in _SAVED_STATE or is_private(kind):
            return self._fixed(number, path, "what it holds is for the C library alone")
        if kind.kind == "union":
            return self._union(number, kind, path, context)
        name = record_name(self.ctypes, number)
        holders: list[Holder] = [("member", name, member.bit_offset // 8) for member in kind.members]
        siblings = [(one.name, one.type, holder) for one, holder in zip(kind.members, holders, strict=True)]
        ties = {} if context.is_result else self._tied(siblings, path, are_members=True)
        members = []
        for member, holder in zip(kind.members, holders, strict=True):
            inside = replace(context.inside(holder), tie=ties.get(member.name, NOTHING_BESIDE))
            inside = inside if member is kind.members[-1] else replace(inside, room=0)
            members.append((member.name, self._member(member, path, inside, name)))
        return Fields(path, number, tuple(members))

    def _union(self, number: TypeId, kind: CRecord, path: str, context: _Context) -> Shape:
        if not kind.members:
            return Fields(path, number, ())
        wanted = self.wish(path).member
        by_name = {member.name: member for member in kind.members}
        chosen = max(
            kind.members, key=lambda one: (not has_pointer(self.ctypes, one.type), free_bits(self.ctypes, one))
        )
        chosen = by_name.get(wanted or "", chosen)
        if len(kind.members) > 1:
            self.note(f"{path}: a union, given values through its member `{chosen.name or 'without a name'}`")
        size = size_of(self.ctypes, chosen.type)
        others = [one for one in kind.members if one.name and one.bit_size is None]
        larger = tuple(one.name for one in others if size_of(self.ctypes, one.type) > size)
        return Alternatives(path, number, chosen.name, self._member(chosen, path, context, ""), larger)

    def _member(self, member: CMember, path: str, context: _Context, record: str) -> Shape:
        below = member_path(path, member.name)
        if is_qualified(self.ctypes, member.type, _CONST) or has_const_elements(self.ctypes, member.type):
            context = replace(context, is_constant=True)
        if self._is_out_of_sight(member, record, context):
            unseen = _Context(is_result=True, is_unseen=True, is_constant=context.is_constant)
            few = Wishes(max_elements=FEW_ELEMENTS)
            inside = _Builder(self.ctypes, few, self.hints).build(member.type, below, unseen)
            return Fixed(below, member.type, UNSEEN, is_bound=member.bit_size is None, inside=inside)
        if member.bit_size is None:
            return self.build(member.type, below, context)
        kind = self.ctypes.strip(member.type)
        scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
        narrow = scalar and replace(scalar, bits=member.bit_size, size=holding_size(member.bit_size))
        if narrow and narrow.kind == "char":
            narrow = replace(narrow, kind="signed" if narrow.is_signed else "unsigned")
        if context.is_constant and not context.is_result:
            return self._fixed(member.type, below, "a const bit-field is not an input: it stays zero", True)
        return self._leaf(member.type, below, context, narrow, "this bit-field", is_bit_field=True)

    def _is_out_of_sight(self, member: CMember, record: str, context: _Context) -> bool:
        """No code that can run looks at this member. Small ones stay, unless they are pointers: a struct that is
        compared or copied as a whole looks as people expect it."""
        if not record or context.is_result or context.depth == 0 or member.bit_size is not None:
            return False
        return not self.hints.may_touch(record, member.bit_offset // 8)

    # -- pointers

    def _pointer(self, number: TypeId, kind: CPointer, path: str, context: _Context) -> Shape:
        wish = self.wish(path)
        if context.is_unseen:
            return FixedPointer(path, number, UNSEEN, is_null=False, is_bound=True)
        if wish.is_fixed and not context.is_result:
            return FixedPointer(path, number, AS_IT_IS, is_null=context.is_parameter)
        if context.is_result or (context.keeps_pointers and not wish):
            is_bound = not context.is_result  # whoever has the global may have changed it
            return FixedPointer(path, number, AS_INITIALISED, is_null=False, is_bound=is_bound)
        if context.is_frozen:
            self.note(f"{path}: const and defined elsewhere, so it stays NULL")
            return FixedPointer(path, number, "const and defined elsewhere", is_null=False, is_bound=True)
        if wish.null == "null":
            return FixedPointer(path, number, ASKED_FOR_NULL, is_constant=context.is_constant)
        if isinstance(self.ctypes.strip(kind.target), CFunctionType):
            return self._functions(number, kind.target, path, context, wish)
        if is_only_declared(self.ctypes, kind.target) and wish.kind != "bytes":
            return self._opaque(number, path, context, wish)
        reason = why_null(self.ctypes, kind)
        if reason:
            self.note(f"{path}: NULL, {reason}")
            is_bound = not context.is_parameter  # the driver itself reads those
            return FixedPointer(path, number, reason, is_constant=context.is_constant, is_bound=is_bound)
        wants_object = bool(wish.kind) or wish.null == "not-null"  # asked for at this very path
        if context.depth >= self._most_depth(context, wish) and not wants_object:
            return FixedPointer(path, number, TOO_DEEP, is_constant=context.is_constant, is_bound=True)
        return self._inner_pointer(number, path, context, wish) or self._points_to(number, kind, path, context, wish)

    def _most_depth(self, context: _Context, wish: Wish) -> int:
        if wish.depth is not None:
            return context.depth + wish.depth
        return self.wishes.depth if context.most_depth is None else context.most_depth

    def _inner_pointer(self, number: TypeId, path: str, context: _Context, wish: Wish) -> Shape | None:
        """A pointer that was asked to lead to another one's object, or that is called its end."""
        start = self._leads_elsewhere(path, context)
        owner = self.built.get(read_path(start)) if start else None
        if owner is None:
            return None
        slot = None if wish.same_as else self._next_slot()
        is_constant, count = context.is_constant, owner.count
        return PointsInto(
            path, number, owner.object, count, slot, is_constant, owner.slot, owner.others, owner.is_bounded
        )  # fmt: skip

    def _points_to(self, number: TypeId, kind: CPointer, path: str, context: _Context, wish: Wish) -> Shape:
        is_void = isinstance(self.ctypes.strip(kind.target), CVoid)
        is_cast = wish.kind == "bytes" and not is_void
        has_length = bool(wish.length or context.tie.length)
        use = self.hints.use(context.holder)
        target = BYTE if is_void or is_cast else kind.target
        if is_void and wish.kind not in ("bytes", "string") and not has_length:
            target = used_as(self.ctypes, use)
        use = replace(use, is_indexed=use.is_indexed or read_path(path) in self.entered)
        size = choose_size(self.ctypes, target, self.wishes, wish, use, context.declared_count, has_length)
        is_never_null = not wish.null and self.hints.is_never_null(context.holder)
        slot = None if wish.null == "not-null" or is_never_null else self._next_slot()
        flexible = flexible_member(self.ctypes, target) if size.count == 1 else ""
        asked_room = self.wish(member_path(f"*{path}", flexible)).count if flexible else 0
        room = (asked_room or self.wishes.array_length) if flexible else 0
        name, below = self._object_name(path), replace(context.behind_pointer(), most_depth=self._below(context, wish))
        below = replace(below, room=room)
        if size.count > 1:
            elements = self._elements(target, size.filled, path, below)
        else:
            elements = (self._element(target, f"*{path}", below),)
        length = self._tie(context, wish, size)
        others = () if slot is None else (NULL, *self._shared(number, target, size, context))
        node = PointsTo(
            path, number, name, target, size.count, elements, context.is_constant,
            slot, others, size.is_string, size.is_bounded, length=length,
            flexible=flexible, room=room, is_cast=is_cast, is_never_null=is_never_null,
        )  # fmt: skip
        self.built[read_path(path)] = node
        if context.depth == 0:
            self.top.append(node)
        return node

    def _shared(self, number: TypeId, target: TypeId, size: Size, context: _Context) -> Iterator[str]:
        """Objects of earlier parameters and globals that a caller may give here once more."""
        if context.depth == 0 and target != BYTE and not is_restrict(self.ctypes, number):
            alike = [one for one in self.top if one.count == size.count and one.target != BYTE]
            alike = [one for one in alike if not is_restrict(self.ctypes, one.type)]
            yield from [one.object for one in alike if self.types.key(one.target) == self.types.key(target)][:2]

    def _below(self, context: _Context, wish: Wish) -> int | None:
        return context.depth + wish.depth if wish.depth is not None else context.most_depth

    def _tie(self, context: _Context, wish: Wish, size: Size) -> str:
        """The path of the length. Other numbers beside the pointer are not above it, either."""
        known = () if wish.kind == "one" or context.tie.is_below else context.tie.lengths
        lengths = (wish.length, *known[1:]) if wish.length else known
        for length in lengths:
            key = read_path(length)
            self.limits[key] = min(size.filled, self.limits.get(key, size.filled))
            self.asked_limits |= {key} if wish.length or wish.kind else set()
        return lengths[0] if lengths else ""

    def _functions(self, number: TypeId, target: TypeId, path: str, context: _Context, wish: Wish) -> Shape:
        """A stub, which may answer anything, the functions of the program that fit, or NULL."""
        names = wish.functions or (() if wish.is_stub else self.hints.functions_like(target))
        stub = self._stub_for(target, path) if wish.is_stub or not wish.functions else ""
        every = (*([stub] if stub else []), *names, *([] if wish.null == "not-null" else [NULL]))
        if not names and not stub:
            self.note(f"{path}: NULL, because no function of the program fits")
            is_bound, reason = not context.is_parameter, "no function of the program fits"
            return FixedPointer(path, number, reason, is_constant=context.is_constant, is_bound=is_bound)
        slot = self._next_slot() if len(every) > 1 else None
        return Functions(path, number, every, slot, context.is_constant)

    def _stub_for(self, target: TypeId, path: str) -> str:
        """The name of a stub of this type. Answers of stubs get none: they would not end."""
        stub = stub_for_signature(self.ctypes, target, path) if "#" not in path else None
        self.stubs += [stub] if stub else []
        return stub.name if stub else ""

    def _opaque(self, number: TypeId, path: str, context: _Context, wish: Wish) -> Shape:
        slot = None if wish.null == "not-null" else self._next_slot()
        name, others = self._object_name(path), () if slot is None else (NULL,)
        return PointsTo(
            path, number, name, BYTE, 8, (), context.is_constant, slot, others, is_bounded=True, is_opaque=True
        )

    def _object_name(self, path: str) -> str:
        """`cfg->table[2].name` -> `cfg_table_2_name`; two pointers never share one."""
        base = re.sub(r"\W+", "_", path.lstrip("*(")).strip("_") + "_value" * path.count("*")
        name, number = base, 1
        while name in self.objects:
            number += 1
            name = f"{base}_{number}"
        self.objects[name] = read_path(path)
        return name


RESULT_PATH = "result"
AS_IT_IS = "it stays as it is, as asked"
UNSEEN = "no code that can run looks at it: it stays zero"
TOO_DEEP = "the structure ends here"
