"""A place in C source: the one way to point at C."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in the C source. `line` 0 means that the compiler gave none."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
