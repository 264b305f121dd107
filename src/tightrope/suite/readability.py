"""How readable a value is: the order that shrinking descends.

Of one leaf, best first:
    integers    0, 1, -1, 2, -2, ...                   enum    members as declared, then other numbers
    characters  '\\0', a-z, A-Z, 0-9, blank, signs      bool    false, true
    floats      0.0, small whole numbers, short decimals, long ones, infinities, NaN
Of an input: fewer leaves that are not zero; then fewer characters to write it; then leaf by leaf. (Fewer
distinct values is not a goal: a test with equal arguments does not detect swapped ones.)
"""

from __future__ import annotations

import math
import re
import string
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from tightrope.inputs.scalars import Input, Slot
from tightrope.inputs.shape import NULL

Rank = tuple[float, ...]

_CHARACTERS = (
    "\0" + string.ascii_lowercase + string.ascii_uppercase + string.digits + " " + string.punctuation + "\n\t\r"
)
_CHARACTER_RANKS = {ord(character): rank for rank, character in enumerate(_CHARACTERS)}
_FLOAT_FORMATS = {32: ("<I", "<f"), 64: ("<Q", "<d")}


@dataclass(frozen=True, slots=True)
class LeafType:
    """What shrinking must know of a slot. `kind`: signed, unsigned, char, bool, float, enum, choice."""

    kind: str
    bits: int
    is_signed: bool = False
    members: tuple[int, ...] = ()  # of an enum: raw values, as declared; of a choice: the simplest first

    def number(self, raw: int) -> int:
        """The whole number that C sees."""
        return raw - (1 << self.bits) if self.is_signed and raw >> (self.bits - 1) else raw

    def raw(self, number: int) -> int:
        return number & ((1 << self.bits) - 1)

    def fits(self, number: int) -> bool:
        low = -(1 << (self.bits - 1)) if self.is_signed else 0
        return low <= number < low + (1 << self.bits)

    def real(self, raw: int) -> float:
        whole, real = _FLOAT_FORMATS[self.bits]
        value: float = struct.unpack(real, struct.pack(whole, raw))[0]
        return value

    def raw_of_real(self, value: float) -> int:
        whole, real = _FLOAT_FORMATS[self.bits]
        try:
            raw: int = struct.unpack(whole, struct.pack(real, value))[0]
        except OverflowError:
            return self.raw_of_real(math.copysign(math.inf, value))
        return raw

    @property
    def is_float(self) -> bool:
        return self.kind == "float" and self.bits in _FLOAT_FORMATS

    @property
    def simplest(self) -> int:
        """The simplest raw value."""
        is_listed = self.kind == "choice" or 0 not in self.members
        return self.members[0] if self.members and is_listed else 0


def leaf_of(slot: Slot) -> LeafType:
    """A pointer inside an object is simplest when it is NULL: then nothing behind it has to be shown."""
    scalar = slot.scalar
    is_part = scalar.kind == "choice" and re.search(r"\W", slot.path) is not None
    named = sorted(scalar.members, key=lambda member: is_part and member[0] != NULL)
    members = tuple(value & scalar.mask for _, value in named)
    return LeafType(scalar.kind, scalar.bits, scalar.is_signed, members)


def rank(leaf: LeafType, raw: int) -> Rank:
    """The place of a value in the order of its leaf: smaller is more readable."""
    if leaf.is_float:
        return _float_rank(leaf.real(raw), raw)
    number = leaf.number(raw)
    if leaf.kind == "char" and raw in _CHARACTER_RANKS:
        return (0.0, float(_CHARACTER_RANKS[raw]))
    if raw in leaf.members:
        return (0.0, float(leaf.members.index(raw)))
    strange = 1.0 if leaf.kind == "char" or leaf.members else 0.0
    return (strange, abs(number), float(number < 0))


def _float_rank(value: float, raw: int) -> Rank:
    if not math.isfinite(value):
        return (3.0 + math.isnan(value), float(value < 0), raw)
    is_negative = float(math.copysign(1.0, value) < 0)
    is_whole = value == int(value) and abs(value) < 1e6
    return (float(not is_whole), 0.0 if is_whole else len(repr(value)), abs(value), is_negative)


def length(leaf: LeafType, raw: int) -> int:
    """How many characters it takes to write the value; one character for each member and character."""
    if raw == leaf.simplest:
        return 0
    if leaf.is_float:
        return len(repr(leaf.real(raw)))
    if (leaf.kind == "char" and raw in _CHARACTER_RANKS) or raw in leaf.members:
        return 1
    return len(str(leaf.number(raw)))


InputRank = tuple[int, int, tuple[Rank, ...]]


def input_rank(leaves: Sequence[LeafType], values: Input) -> InputRank:
    """The place of a whole input in the order: smaller is more readable."""
    pairs = list(zip(leaves, values, strict=True))
    unusual = sum(raw != leaf.simplest for leaf, raw in pairs)
    characters = sum(length(leaf, raw) for leaf, raw in pairs)
    return unusual, characters, tuple(rank(leaf, raw) for leaf, raw in pairs)
