"""Where an observed pointer points, without an address: the number that the driver's `tightrope_whereabouts`
makes (0: NULL, 1: elsewhere, from 2 on the bytes of the input objects one after the other), read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tightrope.inputs.shape import BYTE, PointsTo
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.declare import size_of

NULL = 0
ELSEWHERE = 1


@dataclass(frozen=True, slots=True)
class Spot:
    """A byte of an input object."""

    object: PointsTo
    offset: int
    element_size: int

    @property
    def index(self) -> int | None:
        """The element that starts here; None inside of one."""
        index, rest = divmod(self.offset, self.element_size)
        return None if rest else index


def find_spot(ctypes: CTypes, objects: Sequence[PointsTo], raw: int) -> Spot | None:
    """None for NULL and elsewhere."""
    offset = raw - 2
    for one in objects:
        element_size = 1 if one.target == BYTE else size_of(ctypes, one.target)
        size = element_size * one.count
        if 0 <= offset < size:
            return Spot(one, offset, element_size)
        offset -= size
    return None


def describe_pointer(ctypes: CTypes, objects: Sequence[PointsTo], raw: int) -> str:
    """For people: `NULL`, `not NULL`, `s + 3`, in the words of input paths."""
    spot = find_spot(ctypes, objects, raw)
    if spot is None:
        return "NULL" if raw == NULL else "not NULL"
    path = spot.object.path
    if spot.index is None:
        return f"{path} + {spot.offset} bytes"
    return f"{path} + {spot.index}" if spot.index else path
