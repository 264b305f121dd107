"""The size of what a pointer points to, where its type alone does not tell."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tightrope.inputs.shape import BYTE
from tightrope.inputs.wishes import Wish, Wishes
from tightrope.program.declarations.c_types import CPointer, CQualified, CRecord, CScalar, CTypedef, CTypes, TypeId
from tightrope.program.declarations.declare import size_of
from tightrope.program.pointers.pointer_use import Use

MOST_RECORDS = 16  # of an array whose size the code tells: the others are zero, at first
UNREAD_STRING = 8  # characters of a string that no code reads that we have
SHORT_ARRAY = 4  # elements of an array of structures, and of pointers with the NULL that ends them


@dataclass(frozen=True, slots=True)
class Size:
    """`count` elements, of which the first `filled` are inputs."""

    count: int
    filled: int
    is_string: bool = False
    is_bounded: bool = False  # not asked for: a caller may pass more
    is_needed: bool = False  # constants of the code say so: with fewer, it would leave the object

    def grown(self, filled: int) -> Size:
        """With at least so many inputs, if nobody asked for the size."""
        if filled <= self.filled or not self.is_bounded:
            return self
        return replace(self, count=max(self.count, filled + (self.filled == self.count - 1)), filled=filled)


ONE = Size(1, 1, is_bounded=True)


def is_character(ctypes: CTypes, number: TypeId) -> bool:
    """Whether it is char, signed char, unsigned char or a typedef of one of them."""
    if number == BYTE:
        return False
    kind = ctypes.strip(number)
    return isinstance(kind, CScalar) and kind.size == 1 and kind.kind in ("char", "signed", "unsigned")


def is_wide_character(ctypes: CTypes, number: TypeId) -> bool:
    """Whether it is wchar_t or a similar type; only the name of the typedef tells."""
    kind = ctypes.types[number] if number != BYTE else None
    while isinstance(kind, CTypedef | CQualified):
        if isinstance(kind, CTypedef) and kind.name in ("wchar_t", "char16_t", "char32_t"):
            return True
        kind = ctypes.types[kind.target]
    return False


def choose_size(
    ctypes: CTypes, target: TypeId, wishes: Wishes, wish: Wish, use: Use, declared: int | None, has_length: bool
) -> Size:
    """The size by the first that applies: a wish, the declaration, how the code uses the pointer, its type."""
    least = max(use.least_count, -(-use.least_bytes // (1 if target == BYTE else max(1, size_of(ctypes, target)))))
    size = _choose(ctypes, target, wishes, wish, use, declared, has_length, least)
    return replace(size, is_needed=size.is_bounded and least > 1 and least in (size.count, size.filled))


def _choose(
    ctypes: CTypes,
    target: TypeId,
    wishes: Wishes,
    wish: Wish,
    use: Use,
    declared: int | None,
    has_length: bool,
    least: int,
) -> Size:
    if wish.kind:
        return _as_asked(ctypes, target, wishes, wish)
    if declared is not None:
        return Size(declared, declared)
    if target == BYTE:
        return _array(max(wishes.buffer_size, use.least_bytes))
    if is_character(ctypes, target):
        return _characters(wishes, use, has_length, least)
    if is_wide_character(ctypes, target) and not has_length:
        return _string(max(wishes.string_length, least))
    if use.is_indexed or has_length:
        size = _array(max(_default_length(ctypes, target, wishes), least), _ends_with_null(ctypes, target))
        is_wide = isinstance(ctypes.strip(target), CRecord | CPointer)
        return replace(size, filled=min(size.filled, MOST_RECORDS)) if is_wide else size
    return _array(least) if least > 1 else ONE


def _as_asked(ctypes: CTypes, target: TypeId, wishes: Wishes, wish: Wish) -> Size:
    match wish.kind:
        case "one":
            return Size(1, 1)
        case "string":
            filled = wishes.string_length if wish.count is None else wish.count
            return Size(filled + 1, filled, is_string=True, is_bounded=wish.count is None)
        case "bytes":
            count = wish.count or wishes.buffer_size
        case _:
            count = wish.count or _default_length(ctypes, target, wishes)
    return Size(count + wish.is_terminated, count, is_bounded=wish.count is None)


def _characters(wishes: Wishes, use: Use, has_length: bool, least: int) -> Size:
    if has_length:
        return _array(max(2 * wishes.array_length, least))
    is_answer = use.is_written and not use.is_read  # `*letter = 'x'`
    if is_answer and not (use.is_indexed or use.is_string) and least <= 1:
        return ONE
    is_read = use.is_read or use.is_string or use.is_indexed or "string_length" in wishes.asked
    longest = wishes.string_length if is_read else min(wishes.string_length, UNREAD_STRING)
    return _string(max(longest, least))


def _string(filled: int) -> Size:
    return Size(filled + 1, filled, is_string=True, is_bounded=True)


def _default_length(ctypes: CTypes, target: TypeId, wishes: Wishes) -> int:
    if target == BYTE:
        return wishes.buffer_size
    is_wide = isinstance(ctypes.strip(target), CRecord | CPointer)
    return min(SHORT_ARRAY, wishes.array_length) if is_wide else wishes.array_length


def _ends_with_null(ctypes: CTypes, target: TypeId) -> bool:
    return isinstance(ctypes.strip(target), CPointer)


def _array(count: int, ends_with_null: bool = False) -> Size:
    return Size(count, count - (ends_with_null and count > 1), is_bounded=True)
