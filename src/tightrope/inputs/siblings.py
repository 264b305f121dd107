"""What stands beside a pointer, a parameter among parameters or a member among members, and tells about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.inputs.hints import Hints
from tightrope.inputs.sizes import is_character
from tightrope.inputs.ties import Sibling, find_ends, find_ties
from tightrope.program.declarations.c_types import (
    CArray,
    CFunctionType,
    CPointer,
    CRecord,
    CScalar,
    CType,
    CTypes,
    TypeId,
)
from tightrope.program.pointers.pointer_use import Holder


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a pointer and tells about it."""

    lengths: tuple[str, ...] = ()  # paths of integers that say how many elements are meant, or that there is room for
    start: str = ""  # path of the pointer into whose object this one leads
    is_below: bool = False  # the lengths are those of the pointer that this one points to

    @property
    def length(self) -> str:
        return self.lengths[0] if self.lengths and not self.is_below else ""


NOTHING_BESIDE = Beside()


@dataclass(slots=True)
class PlainTypes:
    """Types without qualifiers and typedefs, by a number that is the same for the same type."""

    ctypes: CTypes
    _keys: dict[CType, int] = field(default_factory=dict)

    def key(self, number: TypeId) -> int:
        if not self._keys:
            for each, kind in self.ctypes.types.items():
                self._keys.setdefault(kind, each)
        return self._keys[self.ctypes.strip(number)]


def look_beside(
    types: PlainTypes,
    hints: Hints,
    siblings: Sequence[tuple[str, TypeId, Holder]],
    path: str,
    are_members: bool = False,
) -> dict[str, Beside]:
    """By name of the pointer; `path` is that of the record whose members they are."""
    known = [_sibling(types, hints, *one) for one in siblings if one[0]]
    found: dict[str, Beside] = {}
    for tie in find_ties(known, are_members):
        lengths = tuple(beside(path, name) for name in (tie.length, *tie.also))
        found[tie.pointer.lstrip("*")] = Beside(lengths, is_below=tie.pointer.startswith("*"))
    holders = {name: holder for name, _, holder in siblings}
    for end in find_ends(known):
        if not _is_no_end(hints, end.pointer, holders[end.pointer]):
            is_below = end.start.startswith("*")
            start = f"*{beside(path, end.start[1:])}" if is_below else beside(path, end.start)
            found[end.pointer] = Beside(start=start)
    return found


def _is_no_end(hints: Hints, name: str, holder: Holder) -> bool:
    """`int *low, *high` may be two numbers: there, who looks through the pointer does not mean an end."""
    use = hints.use(holder)
    return not re.search("end|stop|eo[sb]", name.lower()) and (use.is_read or use.is_written)


def _sibling(types: PlainTypes, hints: Hints, name: str, number: TypeId, holder: Holder) -> Sibling:
    kind = types.ctypes.strip(number)
    is_open_array = isinstance(kind, CArray) and kind.count is None
    if isinstance(kind, CPointer):
        target = kind.target
    elif isinstance(kind, CArray) and is_open_array:
        target = kind.element
    else:
        is_integer = isinstance(kind, CScalar) and kind.kind in ("signed", "unsigned")
        return Sibling(name, "integer" if is_integer else "other")
    inner, use = types.ctypes.strip(target), hints.use(holder)
    if isinstance(inner, CFunctionType):
        return Sibling(name, "other")
    pointee = types.key(inner.target) if isinstance(inner, CPointer) else None
    is_indexed = use.is_indexed or use.least_count > 1 or is_open_array or (None if not use.is_known else False)
    is_record = isinstance(inner, CRecord)
    key = types.key(target)
    return Sibling(name, "pointer", key, is_character(types.ctypes, target), pointee, is_record, is_indexed)


def beside(path: str, name: str) -> str:
    """The path of a parameter, or of a member of the record at `path`."""
    return member_path(path, name) if path else name


def member_path(path: str, name: str) -> str:
    """`*p` and `x` make `p->x`; an anonymous member is not mentioned."""
    if not name:
        return path
    if not path.startswith("*"):
        return f"{path}.{name}"
    pointer = path[1:]
    return f"({pointer})->{name}" if pointer.startswith("*") else f"{pointer}->{name}"
