"""Pointers as outputs. Addresses differ from run to run, so the driver's function `tightrope_whereabouts` turns a
pointer into a number (0: NULL, 1: elsewhere, from 2 on the bytes of the input objects one after the other); this module
reads the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tightrope.inputs.shape import BYTE, PointsTo
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.declare import size_of

NULL = 0
ELSEWHERE = 1


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """The byte of an input object that a pointer leads to."""

    object: PointsTo
    offset: int
    element_size: int

    @property
    def index(self) -> int | None:
        """The index of the element that starts here; None inside an element."""
        index, rest = divmod(self.offset, self.element_size)
        return None if rest else index


def find_pointer_target(ctypes: CTypes, objects: Sequence[PointsTo], raw: int) -> PointerTarget | None:
    """The target; None for NULL and elsewhere."""
    offset = raw - 2
    for one in objects:
        element_size = 1 if one.target == BYTE else size_of(ctypes, one.target)
        size = element_size * one.count
        if 0 <= offset < size:
            return PointerTarget(one, offset, element_size)
        offset -= size
    return None


def describe_pointer(ctypes: CTypes, objects: Sequence[PointsTo], raw: int) -> str:
    """A readable value: `NULL`, `not NULL`, `s + 3`, with paths of inputs."""
    target = find_pointer_target(ctypes, objects, raw)
    if target is None:
        return "NULL" if raw == NULL else "not NULL"
    path = target.object.path
    if target.index is None:
        return f"{path} + {target.offset} bytes"
    return f"{path} + {target.index}" if target.index else path
