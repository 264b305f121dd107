"""Change: one place where the C of two versions of a program differs in meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tightrope.location import Location


class ChangeKind(Enum):
    """What differs; the value is the word in reports."""

    STATEMENT = "statement"
    EXPRESSION = "expression"
    VARIABLE = "variable"  # a local: its type or initialiser
    PARAMETER = "parameter"
    SIGNATURE = "signature"
    FUNCTION = "function"  # a whole function was added or removed
    INITIALISER = "initialiser"  # of a global or static variable
    TYPE = "type"  # a struct, union, enum or typedef that the unit uses
    GLOBAL = "global"  # its type, or it was added or removed
    CODE = "code"  # the C is the same, but it compiles to different code


@dataclass(frozen=True, slots=True)
class Change:
    """`old` and `new` are where it starts in the two versions, None in a version that does not have it; `old_end` and
    `new_end` are after its last token."""

    kind: ChangeKind
    function: str  # name in C; '' outside of functions
    name: str = ""  # the variable, type or function that it concerns, if any
    old: Location | None = None
    new: Location | None = None
    old_end: Location | None = None
    new_end: Location | None = None
    old_text: str = ""  # as written, on one line
    new_text: str = ""

    @property
    def what(self) -> str:
        """changed, added, removed."""
        if self.old is None:
            return "added"
        return "changed" if self.new is not None else "removed"
