"""What a call of a library function does to its pointer arguments, for all symbols that compilers use for it."""

from __future__ import annotations

import re

from tightrope.library.table import FUNCTIONS, PointerEffects

_MODERN = re.compile(r"@(?:__isoc\d+_|__builtin_+|__GI_|__)?(\w+?)(?:_chk)?")
_INTRINSIC = re.compile(r"@llvm\.(memcpy|memmove|memset)\.(?:inline\.)?p\d")
_KNOWN = {name: one.pointers for name, one in FUNCTIONS.items() if one.pointers is not None}


def find_pointer_effects(symbol: str) -> PointerEffects | None:
    """What is known of `@strlen`, `@__memcpy_chk`, `@__isoc23_strtol` or `@llvm.memcpy.p0.p0.i64`."""
    found = _INTRINSIC.match(symbol) or _MODERN.fullmatch(symbol)
    if symbol[1:] in _KNOWN:
        return _KNOWN[symbol[1:]]
    return _KNOWN.get(found.group(1)) if found else None


def is_annotation(symbol: str) -> bool:
    """True for intrinsics that look at no memory: debug records, lifetimes, arithmetic."""
    return symbol.startswith("@llvm.") and not _INTRINSIC.match(symbol)
