"""Chooses the shape of a function's inputs from their C types: see `execution/shape.py` for what comes out.

Defaults need no configuration and every one that loses something leaves a note. A pointer leads to one
object, or to as many as an array parameter declares; below `pointer_depth` pointers are NULL, which also
ends recursive structures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tightrope.execution.inputs import Scalar
from tightrope.execution.shape import (
    ASKED_FOR_NULL,
    BYTE,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    InputShape,
    Leaf,
    PointsTo,
    Root,
    Shape,
    ShapeOptions,
)
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
from tightrope.program.declare import has_const_elements, is_qualified, is_spellable, size_of
from tightrope.program.interface import Interface, is_variable_arguments

_CONST = frozenset({"const"})
_BYTE_SCALAR = Scalar("unsigned", 8, 1)
_OPAQUE_TAGS = frozenset({"_IO_FILE", "__sFILE", "__dirstream"})  # complete, but only the C library can make one
_SAVED_STATE = frozenset({"__jmp_buf_tag"})  # jmp_buf


def choose_shape(ctypes: CTypes, interface: Interface, options: ShapeOptions | None = None) -> InputShape:
    """The shape of all inputs of the function, and of its result."""
    builder = _Builder(ctypes, options or ShapeOptions())
    roots = [
        Root(one.name, builder.build(one.type, one.name, _Context(declared_count=one.count, is_parameter=True)))
        for one in interface.parameters
    ]
    for one in interface.globals:
        context = _Context(keeps_pointers=one.holds_addresses, is_frozen=one.is_constant)
        roots.append(Root(one.name, builder.build(one.type, one.name, context), is_global=True))
    for missing in interface.reached_missing:
        builder.note(f"{missing.name}(): it has no body here, so it does nothing and returns zero")
    result = None
    if not isinstance(ctypes.strip(interface.result), CVoid):
        result = _Builder(ctypes, builder.options).build(interface.result, "result", _Context(is_result=True))
    return InputShape(tuple(roots), result, tuple(builder.notes))


@dataclass(frozen=True, slots=True)
class _Context:
    """What surrounds a node."""

    depth: int = 0  # pointers followed so far
    declared_count: int | None = None
    is_parameter: bool = False
    keeps_pointers: bool = False
    is_frozen: bool = False  # nothing below is an input
    is_result: bool = False  # observed only
    is_constant: bool = False

    def inside(self) -> _Context:
        return replace(self, declared_count=None, is_parameter=False)

    def behind_pointer(self) -> _Context:
        return replace(self.inside(), depth=self.depth + 1, is_constant=False)


@dataclass(slots=True)
class _Builder:
    ctypes: CTypes
    options: ShapeOptions
    notes: dict[str, None] = field(default_factory=dict)
    slots: int = 0
    objects: set[str] = field(default_factory=set)

    def build(self, number: TypeId, path: str, context: _Context) -> Shape:
        kind = self.ctypes.strip(number)
        match kind:
            case CScalar() | CEnum():
                return self._leaf(number, path, context, scalar_of(kind), _name_of(kind))
            case CPointer():
                return self._pointer(number, kind, path, context)
            case CArray():
                return self._array(number, kind, path, context)
            case CRecord():
                return self._record(number, kind, path, context.inside())
        return self._fixed(number, path, "its type has no values")

    def _leaf(
        self, number: TypeId, path: str, context: _Context, scalar: Scalar | None, name: str, is_bit_field: bool = False
    ) -> Shape:
        if scalar is None:
            return self._fixed(number, path, f"{name} is not an input: it stays zero")
        if context.is_frozen:
            return self._fixed(number, path, "const and defined elsewhere: it stays zero")
        slot = None if context.is_result else self._next_slot()
        if slot is None and not context.is_result:
            self.note(f"{path} and what follows stay as they are: more than {self.options.max_slots} inputs")
        return Leaf(path, number, scalar, slot, is_bit_field, context.is_constant)

    def _next_slot(self) -> int | None:
        if self.slots >= self.options.max_slots:
            return None
        self.slots += 1
        return self.slots - 1

    def _fixed(self, number: TypeId, path: str, reason: str) -> Fixed:
        self.note(f"{path}: {reason}")
        return Fixed(path, number, reason)

    def note(self, text: str) -> None:
        """Elements of one array say the same thing once."""
        self.notes[re.sub(r"\[\d+\]", "[_]", text)] = None

    def _array(self, number: TypeId, kind: CArray, path: str, context: _Context) -> Shape:
        if context.is_parameter or context.is_result:
            return self._fixed(number, path, "a vector is not an input: it stays zero")
        length = kind.count or 0
        if kind.count is None:
            self.note(f"{path}: a flexible array member has no elements")
        elements = self._elements(kind.element, length, path, context.inside())
        return Elements(path, number, elements, length)

    def _elements(self, element: TypeId, length: int, path: str, context: _Context) -> tuple[Shape, ...]:
        shown = min(length, self.options.max_elements)
        if shown < length:
            self.note(f"{path}: only the first {shown} of {length} elements are inputs")
        base = f"({path})" if path.startswith("*") else path
        return tuple(self._element(element, f"{base}[{index}]", context) for index in range(shown))

    def _element(self, element: TypeId, path: str, context: _Context) -> Shape:
        if element != BYTE:
            return self.build(element, path, context)
        return self._leaf(BYTE, path, context, _BYTE_SCALAR, "byte")

    def _record(self, number: TypeId, kind: CRecord, path: str, context: _Context) -> Shape:
        if kind.tag in _SAVED_STATE:
            return self._fixed(number, path, "what it holds is for the C library alone")
        if kind.kind == "union":
            return self._union(number, kind, path, context)
        members = tuple((member.name, self._member(member, path, context)) for member in kind.members)
        return Fields(path, number, members)

    def _union(self, number: TypeId, kind: CRecord, path: str, context: _Context) -> Shape:
        if not kind.members:
            return Fields(path, number, ())
        chosen = max(kind.members, key=lambda one: (not self._has_pointer(one.type), size_of(self.ctypes, one.type)))
        if len(kind.members) > 1:
            self.note(f"{path}: a union, given values through its member `{chosen.name or 'without a name'}`")
        return Alternatives(path, number, chosen.name, self._member(chosen, path, context))

    def _member(self, member: CMember, path: str, context: _Context) -> Shape:
        below = member_path(path, member.name)
        if is_qualified(self.ctypes, member.type, _CONST) or has_const_elements(self.ctypes, member.type):
            context = replace(context, is_constant=True)
        if member.bit_size is None:
            return self.build(member.type, below, context)
        kind = self.ctypes.strip(member.type)
        scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
        narrow = scalar and replace(scalar, bits=member.bit_size, size=_holding_size(member.bit_size))
        if narrow and narrow.kind == "char":
            narrow = replace(narrow, kind="signed" if narrow.is_signed else "unsigned")
        if context.is_constant and not context.is_result:
            return self._fixed(member.type, below, "a const bit-field is not an input: it stays zero")
        return self._leaf(member.type, below, context, narrow, "this bit-field", is_bit_field=True)

    def _pointer(self, number: TypeId, kind: CPointer, path: str, context: _Context) -> Shape:
        if context.is_result or context.keeps_pointers:
            return FixedPointer(path, number, "it stays as its initialiser says", is_null=False)
        if context.is_frozen:
            self.note(f"{path}: const and defined elsewhere, so it stays NULL")
            return FixedPointer(path, number, "const and defined elsewhere", is_null=False)
        count, reason = self._count(path, context), self._why_null(kind, context)
        if reason or count == 0:
            if reason:
                self.note(f"{path}: NULL, {reason}")
            return FixedPointer(path, number, reason or ASKED_FOR_NULL, is_constant=context.is_constant)
        target = BYTE if self._is_void(kind.target) else kind.target
        if target == BYTE and count is None:
            count = self.options.buffer_size
            self.note(f"{path}: `void *`, a buffer of {count} bytes")
        return self._points_to(number, target, path, 1 if count is None else count, context)

    def _points_to(self, number: TypeId, target: TypeId, path: str, count: int, outside: _Context) -> Shape:
        name, context = self._object_name(path), outside.behind_pointer()
        if count > 1:
            elements = self._elements(target, count, path, context)
        else:
            elements = (self._element(target, f"*{path}", context),)
        return PointsTo(path, number, name, target, count, elements, outside.is_constant)

    def _count(self, path: str, context: _Context) -> int | None:
        counts = self.options.pointer_counts
        wanted = counts.get(path, counts.get(re.sub(r"\[\d+\]", "[_]", path)))
        return context.declared_count if wanted is None else wanted

    def _why_null(self, kind: CPointer, context: _Context) -> str:
        target = self.ctypes.strip(kind.target)
        if isinstance(target, CFunctionType):
            return "because functions are not chosen as inputs"
        if isinstance(target, CRecord):
            is_opaque = not target.is_complete or target.tag in _OPAQUE_TAGS
            if is_opaque or is_variable_arguments(self.ctypes, kind.target):
                return f"because nothing is known of `{target.kind} {target.tag}`"
        if isinstance(target, CScalar) and target.kind == "complex":
            return "because _Complex is not supported"
        if context.depth >= self.options.pointer_depth:
            return f"because it is more than {self.options.pointer_depth} pointers deep"
        is_nameless = not is_spellable(self.ctypes, kind.target)
        return "because its type is const and has no name" if is_nameless and self._is_const(kind.target) else ""

    def _is_const(self, number: TypeId) -> bool:
        return is_qualified(self.ctypes, number)

    def _is_void(self, number: TypeId) -> bool:
        return isinstance(self.ctypes.strip(number), CVoid)

    def _object_name(self, path: str) -> str:
        """`cfg->table[2].name` -> `cfg_table_2_name`; two pointers never share one."""
        base = re.sub(r"\W+", "_", path.lstrip("*(")).strip("_") + "_value" * path.count("*")
        name, number = base, 1
        while name in self.objects:
            number += 1
            name = f"{base}_{number}"
        self.objects.add(name)
        return name

    def _has_pointer(self, number: TypeId) -> bool:
        match kind := self.ctypes.strip(number):
            case CPointer():
                return True
            case CArray():
                return self._has_pointer(kind.element)
            case CRecord():
                return any(self._has_pointer(member.type) for member in kind.members)
        return False


def member_path(path: str, name: str) -> str:
    """`*p` and `x` make `p->x`; an anonymous member is not mentioned."""
    if not name:
        return path
    if not path.startswith("*"):
        return f"{path}.{name}"
    pointer = path[1:]
    return f"({pointer})->{name}" if pointer.startswith("*") else f"{pointer}->{name}"


def scalar_of(kind: CScalar | CEnum) -> Scalar | None:
    """None for scalars that expressions cannot hold: long double, __int128, _BitInt, half floats, vectors."""
    if isinstance(kind, CEnum):
        return Scalar("enum", kind.size * 8, kind.size, kind.is_signed, kind.members)
    is_half = kind.kind == "float" and kind.size < 4
    if kind.kind in ("complex", "vector") or "_BitInt" in kind.name or kind.size > 8 or is_half:
        return None
    if kind.kind == "bool":
        return Scalar("bool", 1, kind.size)
    is_signed = kind.kind in ("signed", "char")
    return Scalar(kind.kind, kind.size * 8, kind.size, is_signed)


def _name_of(kind: CScalar | CEnum) -> str:
    return kind.name if isinstance(kind, CScalar) else "enum"


def _holding_size(bits: int) -> int:
    return next(size for size in (1, 2, 4, 8) if bits <= size * 8)
