"""Change: one place where two versions of a program differ in what the C says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tightrope.location import Location


class ChangeKind(Enum):
    """What kind of thing differs; the value is the word that reports use."""

    STATEMENT = "statement"
    EXPRESSION = "expression"
    VARIABLE = "variable"  # a local: its type or initialiser
    PARAMETER = "parameter"
    SIGNATURE = "signature"
    FUNCTION = "function"  # a whole function came or went
    INITIALISER = "initialiser"  # of a global or static variable
    TYPE = "type"  # a struct, union, enum or typedef that the unit uses
    GLOBAL = "global"  # its type, or it came or went
    CODE = "code"  # the C is the same and the compiler makes something else of it


@dataclass(frozen=True, slots=True)
class Change:
    """`old` and `new` are where it starts in the two versions, None in the one that has no such thing; `old_end` and
    `new_end` are behind its last token."""

    kind: ChangeKind
    function: str  # name in C; '' for what stands outside of functions
    name: str = ""  # the variable, type or function that it is about, if there is one
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
