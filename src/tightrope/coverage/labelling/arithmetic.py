"""C's arithmetic types, by the names that clang gives them, and numbers of them as C text that needs no header."""

from __future__ import annotations

import re
from dataclasses import dataclass

INT = 3  # the lowest rank in which C computes (integer promotion)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An arithmetic type. `rank` orders integers by width: char 1, short 2, int 3, long 4, long long 5."""

    name: str  # 'unsigned long', without qualifiers
    is_signed: bool
    is_real: bool = False
    rank: int = 0

    @property
    def is_whole(self) -> bool:
        return not self.is_real

    @property
    def overflows(self) -> bool:
        """True if C computes in this type and overflow is undefined."""
        return self.is_whole and self.is_signed and self.rank >= INT

    @property
    def unsigned(self) -> str:
        """The unsigned type of the same width, in which arithmetic wraps."""
        return self.name if self.name.startswith("unsigned") else f"unsigned {self.name}"

    @property
    def maximum(self) -> str:
        if self.rank == INT:
            return "2147483647"
        return f"({self.name})(~({self.unsigned})0 >> 1)"  # the width of long depends on the platform

    @property
    def minimum(self) -> str:
        return f"(-{self.maximum} - 1)"

    @property
    def width(self) -> str:
        return "32" if self.rank == INT else f"8 * (int)sizeof({self.name})"


_WHOLE = {"char": 1, "short": 2, "int": INT, "long": 4, "long long": 5}
_REAL = ("float", "double", "long double")
_QUALIFIERS = re.compile(r"\b(?:const|volatile|restrict)\b")


def arithmetic(type_: str) -> Arithmetic | None:
    """The arithmetic type of that name; None for pointers, structures, enums, _Bool and what is rare (__int128)."""
    name = " ".join(_QUALIFIERS.sub(" ", type_).split())
    if name in _REAL:
        return Arithmetic(name, True, is_real=True)
    base = name.removeprefix("unsigned ").removeprefix("signed ")
    if base not in _WHOLE:
        return None
    return Arithmetic(name, not name.startswith("unsigned"), rank=_WHOLE[base])


def is_whole(type_: str) -> bool:
    """True for all integer types."""
    kind = arithmetic(type_)
    return bool(kind and kind.is_whole) or is_narrow_choice(type_)


def is_narrow_choice(type_: str) -> bool:
    """True for _Bool and enums."""
    return bool(re.fullmatch(r"(?:const |volatile )*(?:_Bool|bool|enum .*)", type_))


def is_pointer(type_: str) -> bool:
    return bool(re.search(r"\*\s*(?:const|volatile|restrict|\s)*$", type_)) or "(*" in type_


def array_length(type_: str) -> int | None:
    """10 for 'int[10]'; the first of several dimensions. None if the type has no length."""
    found = re.search(r"\[(\d*)\]", type_)
    is_plain = found and "(" not in type_[: found.start()]
    return int(found[1]) if found and is_plain and found[1] and int(found[1]) > 1 else None
